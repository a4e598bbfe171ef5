//! What if: a recorded game goes on in the simulator from one of its ticks with another answer, or with the
//! bot playing on, and is compared with how it went.
//!
//! A full log goes on with its own draws as long as they fit; what does not fit any more is drawn anew. A live
//! client's log has no draws: both courses are then played from what the tracker believes, with the same
//! dice, and rivals stand still.

use std::sync::Arc;

use super::field::Field;
use super::seat::{NoSuchTick, Seat, Turn, read_answer};
use crate::board::Board;
use crate::bot::{Answer, Bot, Limit};
use crate::params::Params;
use crate::record::{Game, TickLine};
use crate::rng::{Dice, DiceMark, Draw, Purpose, Seeded, derive_seed};
use crate::sim::{Event, HeroId, Monster, Rolled, Rules, Score, Target};

/// What is changed.
#[derive(Debug, Clone)]
pub struct Change {
    /// Number of the tick whose board is answered otherwise.
    pub tick: u64,
    /// The answer to that board; `None` leaves it to the bot.
    pub answer: Option<Answer>,
    /// With it the bot plays on after that answer; without it the recorded answers follow.
    pub params: Option<Params>,
    /// How many ticks are played.
    pub ticks: u64,
    /// Seed of what is drawn anew.
    pub seed: u64,
}

/// One course of the game from the change on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Course {
    /// Ticks played.
    pub ticks: u64,
    /// Points gained.
    pub points: i64,
    /// Gold taken.
    pub gold: u32,
    /// Rivals killed.
    pub kills: u32,
    /// Deaths.
    pub deaths: u32,
    /// Own events with their ticks, in order.
    pub events: Vec<(u64, String)>,
    /// The first answers, in order.
    pub answers: Vec<String>,
    /// The last board.
    pub board: String,
}

/// Both courses.
#[derive(Debug, Clone)]
pub struct Fork {
    /// As it went, or as the recorded answers make it go.
    pub recorded: Course,
    /// With the change.
    pub changed: Course,
    /// The first tick after which the player's boards differ.
    pub parted: Option<u64>,
    /// Random numbers that had to be drawn anew in the changed course.
    pub drawn_anew: u64,
    /// Whether the log is a full one.
    pub full: bool,
}

/// Why a game cannot be forked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// The player has no board of that tick.
    #[error(transparent)]
    NoSuchTick(#[from] NoSuchTick),
    /// The recording cannot be replayed up to it.
    #[error("game {game}: {fault}")]
    Replay {
        /// Id of the game.
        game: String,
        /// What is wrong.
        fault: String,
    },
}

/// Recorded draws as long as they fit, else seeded ones.
struct Fitting {
    draws: Vec<Draw>,
    position: usize,
    seeded: Seeded,
    anew: u64,
}

impl Fitting {
    fn new(seed: u64) -> Fitting {
        Fitting {
            draws: Vec::new(),
            position: 0,
            seeded: Seeded::new(seed),
            anew: 0,
        }
    }

    /// Takes the draws of the next line.
    fn load(&mut self, line: &TickLine) {
        self.draws.clone_from(&line.draws);
        self.position = 0;
        self.seeded.set_tick(line.t as u32);
    }
}

impl Dice for Fitting {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        let wanted = purpose.monster();
        // What the change has made needless is passed over, but only for a monster's own next choice.
        let rest = self.draws.get(self.position..).unwrap_or(&[]);
        let found = match wanted {
            None => rest
                .first()
                .filter(|draw| draw.monster.is_none())
                .map(|_| 0),
            Some(_) => rest.iter().position(|draw| draw.monster == wanted),
        };
        let fits = |draw: &Draw| draw.bound == bound && draw.result < bound;
        match found.map(|skip| self.position + skip) {
            Some(index) if fits(&self.draws[index]) => {
                self.position = index + 1;
                self.draws[index].result
            }
            _ => {
                self.anew += 1;
                self.seeded.draw(bound, purpose)
            }
        }
    }

    fn save(&self) -> DiceMark {
        self.seeded.save()
    }

    fn restore(&mut self, mark: &DiceMark) {
        self.seeded.restore(mark);
    }
}

/// Plays both courses.
///
/// # Errors
/// If the player has no board of that tick, or the recording cannot be replayed up to it.
pub fn fork(game: &Game, seat: &Seat, change: &Change) -> Result<Fork, ForkError> {
    let fail = |fault: String| ForkError::Replay {
        game: seat.game.clone(),
        fault,
    };
    let index = seat.index_of(change.tick)?;
    let full = game
        .lines
        .iter()
        .any(|(_, line)| !line.draws.is_empty() || line.st.is_some());
    let run = |changed: bool| -> Result<(Course, Vec<String>, u64), ForkError> {
        let player = Player::new(seat, index, change, changed);
        if full {
            full_course(game, seat, change, player).map_err(fail)
        } else {
            live_course(seat, index, change, player).map_err(fail)
        }
    };
    let (recorded, before, _) = run(false)?;
    let (changed, after, drawn_anew) = run(true)?;
    let parted = before
        .iter()
        .zip(&after)
        .position(|(one, other)| one != other);
    Ok(Fork {
        recorded,
        changed,
        parted: parted.map(|index| change.tick + 1 + index as u64),
        drawn_anew,
        full,
    })
}

/// Who answers for our player from the change on.
struct Player<'a> {
    turns: &'a [Turn],
    rules: &'a Rules,
    changed: bool,
    answer: Option<Answer>,
    bot: Option<Bot>,
    given: Option<Answer>,
    index: usize,
    first: bool,
}

impl<'a> Player<'a> {
    fn new(seat: &'a Seat, index: usize, change: &Change, changed: bool) -> Player<'a> {
        let mut bot = None;
        let mut given = None;
        if let (true, Some(params)) = (changed, &change.params) {
            let mut player = Bot::new(Arc::clone(&seat.rules), *params);
            given = seat.watch(&mut player, index);
            bot = Some(player);
        }
        Player {
            turns: &seat.turns,
            rules: &seat.rules,
            changed,
            answer: change.answer,
            bot,
            given,
            index,
            first: true,
        }
    }

    /// The text that answers this board.
    fn reply(&mut self, board: &Board) -> String {
        let recorded = self
            .turns
            .get(self.index)
            .and_then(|turn| turn.answer.clone());
        let decided = self.bot.as_mut().map(|bot| {
            let decision = bot.decide_board(board, self.given, Limit::default());
            decision.answer.wire().to_owned()
        });
        let text = match (self.changed && self.first, self.answer, decided) {
            (true, Some(answer), _) => answer.wire().to_owned(),
            (_, _, Some(decided)) => decided,
            (_, _, None) => recorded.unwrap_or_default(),
        };
        self.given = read_answer(&text, self.rules);
        self.first = false;
        self.index += 1;
        text
    }
}

/// One course of a full log.
fn full_course(
    game: &Game,
    seat: &Seat,
    change: &Change,
    mut player: Player<'_>,
) -> Result<(Course, Vec<String>, u64), String> {
    let mut lines = game.lines.iter().map(|(_, line)| line);
    let first = lines.next().ok_or_else(|| "has no tick lines".to_owned())?;
    let recorded = Field::build(&game.header, &first.draws)?;
    let mut field = recorded.with(Fitting::new(change.seed));
    let number = seat.player;
    let mut course = Course::default();
    let (mut boards, mut start) = (Vec::new(), None);
    for line in std::iter::once(first).chain(lines) {
        if line.t > change.tick + change.ticks {
            break;
        }
        field.dice().load(line);
        for &leaver in &line.leave {
            field.leave(leaver);
        }
        for _ in &line.join {
            field.join()?;
        }
        let mut texts = line.cmd.clone();
        let after = line.t > change.tick;
        if after {
            if start.is_none() {
                start = Some((field.score(number), field.dice().anew));
            }
            let board = field.board(number);
            let Some(board) = board.filter(|_| !line.leave.contains(&(number as u32))) else {
                break;
            };
            let text = player.reply(&board);
            if texts.len() <= number {
                texts.resize(number + 1, None);
            }
            course.answers.push(text.clone());
            texts[number] = Some(text);
        }
        if line.t > 0 && line.over.is_empty() {
            field.tick(&texts);
        }
        if after {
            course.ticks += 1;
            for &event in field.game_events(number) {
                count(&mut course, event);
            }
            for name in field.events(number) {
                course.events.push((line.t, name));
            }
            boards.push(field.boards().swap_remove(number).unwrap_or_default());
        }
    }
    let (score, anew) = start.unwrap_or_default();
    if start.is_some() {
        course.points = field.score(number) - score;
    }
    course.board = boards.last().cloned().unwrap_or_default();
    Ok((course, boards, field.dice().anew - anew))
}

/// One course from what the tracker believes.
fn live_course(
    seat: &Seat,
    index: usize,
    change: &Change,
    mut player: Player<'_>,
) -> Result<(Course, Vec<String>, u64), String> {
    let mut pictures = seat.pictures();
    let (_, picture) = pictures
        .nth(index)
        .ok_or_else(|| "has no board".to_owned())?;
    let picture = picture.map_err(|error| error.to_string())?;
    let rules = &seat.rules;
    let me = picture
        .me
        .ok_or_else(|| "the board shows no own hero".to_owned())?;
    let mut state = picture.state;
    let seat_number = state.seats().iter().position(|id| *id == me).unwrap_or(0);
    for index in 0..state.monsters().len() {
        let monster = state.monsters()[index];
        if monster.target == Target::Unknown {
            // It chooses at its next turn, as one that nobody knows of.
            let target = Target::Nobody;
            state.place_monster(index, Monster { target, ..monster });
        }
    }
    let mut dice = Seeded::new(derive_seed(change.seed, change.tick));
    let (mut course, mut score, mut boards) = (Course::default(), Score::default(), Vec::new());
    for tick in 0..change.ticks {
        dice.set_tick(tick as u32);
        let me = state.seats().get(seat_number).copied().unwrap_or(me);
        let text = player.reply(&state.draw(Some(me)));
        state.command(me, &crate::sim::Command::parse(&text, &rules.grammar));
        course.answers.push(text);
        for seat in 0..state.seats().len() {
            state.respawn(seat, &mut Rolled(&mut dice));
        }
        let me = state.seats().get(seat_number).copied().unwrap_or(me);
        let mut heard: Vec<(HeroId, Event)> = Vec::new();
        state.tick(&mut Rolled(&mut dice), &mut heard);
        state.commit();
        course.ticks += 1;
        for (_, event) in heard.into_iter().filter(|(hero, _)| *hero == me) {
            score.count(event, &rules.points);
            let name = event.name(rules.dialect).into_owned();
            course.events.push((change.tick + tick + 1, name));
            count(&mut course, event);
        }
        boards.push(state.draw(Some(me)).render(rules.alphabet));
    }
    course.points = score.points();
    course.board = boards.last().cloned().unwrap_or_default();
    Ok((course, boards, 0))
}

fn count(course: &mut Course, event: Event) {
    match event {
        Event::Gold(..) => course.gold += 1,
        Event::Death => course.deaths += 1,
        Event::Kill | Event::KillEnemy => course.kills += 1,
        _ => {}
    }
}
