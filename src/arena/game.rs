//! One game of a match: from joining to the last tick, and what is counted of it. Not which games there are (`Plan`),
//! nor what they say together (`Summary`).

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::fault::{Fault, Trouble};
use super::plan::Plan;
use super::player::{Player, View};
use crate::record::{Header, TickLine};
use crate::rng::{Noted, Seeded};
use crate::sim::{Command, Event, Game, PlayerNumber};
use crate::stats::Histogram;
use crate::watchdog::PATIENCE;

/// What is counted of one bot in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Points at the end.
    pub score: i64,
    /// Gold picked up.
    pub gold: u64,
    /// Deaths that were not asked for.
    pub deaths: u64,
    /// Deaths that were asked for.
    pub suicides: u64,
    /// Rivals it killed: in its holes and, in the later dialects, by its pill or its gun.
    pub kills: u64,
    /// Ticks later than 50 after the last gold, or after the start.
    pub stalled: u64,
}

/// The result of one game. No clock has been looked at for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// Number in the match, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// Ticks played.
    pub ticks: u64,
    /// The bots in the order of their seats, as places in the list of bots.
    pub seats: Vec<usize>,
    /// What they did, in the same order.
    pub tallies: Vec<Tally>,
    /// What went wrong, in the order in which it did.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<Fault>,
}

/// The lines of one game's log.
pub type Log = (Header, Vec<TickLine>);

/// A game that was played to its end.
pub(super) struct Played {
    pub result: GameResult,
    /// If it was asked for.
    pub log: Option<Log>,
    /// Microseconds of every answer, one histogram a seat.
    pub latencies: Vec<Histogram>,
}

/// A bot at its seat.
struct Seat {
    bot: usize,
    number: PlayerNumber,
    /// Gone after a fatal fault.
    player: Option<Box<dyn Player>>,
    tally: Tally,
    last_gold: u64,
    latency: Histogram,
    /// Its last answer.
    text: String,
    trifled: bool,
}

/// Plays one game; `None` if it was stopped before its end.
pub(super) fn play(plan: &Plan, number: u64, logged: bool, stop: &AtomicBool) -> Option<Played> {
    let seed = plan.seed(number);
    let mut dice = Noted::new(Seeded::new(seed));
    let mut game = Game::new(plan.level.clone(), plan.rules.clone());
    let mut faults = Vec::new();
    let mut seats = Vec::new();
    for bot in plan.seats(number) {
        // The plan has been checked: there is room.
        let Ok(joined) = game.join(&mut dice) else {
            continue;
        };
        let player = plan.entrants[bot].player(&plan.rules, seed, plan.limits);
        let player = player
            .map_err(|trouble| faults.push(fault(bot, 1, trouble, String::new())))
            .ok();
        seats.push(Seat {
            bot,
            number: joined,
            player,
            tally: Tally::default(),
            last_gold: 0,
            latency: Histogram::new(),
            text: String::new(),
            trifled: false,
        });
    }
    let mut log = logged.then(|| (header(plan, number, seats.len()), vec![]));
    if let Some((_, lines)) = &mut log {
        lines.push(TickLine {
            join: (0..seats.len() as u32).collect(),
            ..line(0, &game, &mut dice)
        });
    }
    let mut commands = vec![Command::new(); seats.len()];
    let mut ticks = 0;
    for tick in 1..=plan.ticks {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        for (seat, command) in seats.iter_mut().zip(&mut commands) {
            seat.ask(&game, tick, &mut faults);
            *command = Command::parse(&seat.text, &plan.rules.grammar);
            seat.tally.suicides += u64::from(is_suicide(&game, seat.number, command));
        }
        dice.inner().set_tick(tick as u32);
        game.tick(&commands, &mut dice);
        ticks = tick;
        for seat in &mut seats {
            seat.count(&game, tick);
        }
        match &mut log {
            Some((_, lines)) => lines.push(TickLine {
                cmd: seats.iter().map(|seat| Some(seat.text.clone())).collect(),
                ..line(tick, &game, &mut dice)
            }),
            None => drop(dice.take()),
        }
        // With rounds a match ends when its rounds are played.
        if !game.over().is_empty() {
            break;
        }
    }
    if let Some((header, lines)) = &mut log {
        header.ticks = Some(lines.len() as u64);
    }
    let points = |seat: &Seat| game.players()[seat.number.0].score.points();
    Some(Played {
        result: GameResult {
            game: number,
            seed,
            ticks,
            seats: seats.iter().map(|seat| seat.bot).collect(),
            tallies: seats
                .iter()
                .map(|seat| Tally {
                    score: points(seat),
                    ..seat.tally
                })
                .collect(),
            faults,
        },
        log,
        latencies: seats.into_iter().map(|seat| seat.latency).collect(),
    })
}

impl Seat {
    /// Lets the bot answer to the present board; without one, or after a fault, the answer is empty.
    fn ask(&mut self, game: &Game, tick: u64, faults: &mut Vec<Fault>) {
        self.text.clear();
        let Some(player) = &mut self.player else {
            return;
        };
        let view = View::new(game, self.number);
        let start = Instant::now();
        let answer = player.decide(&view);
        self.latency.record(start.elapsed().as_micros() as u64);
        match answer {
            Ok(text) => self.text.push_str(&text),
            Err(trouble) => {
                let fatal = trouble.kind.is_fatal();
                if fatal || !self.trifled {
                    faults.push(fault(self.bot, tick, trouble, view.text()));
                }
                self.trifled = true;
                if fatal {
                    self.player = None;
                }
            }
        }
    }

    fn count(&mut self, game: &Game, tick: u64) {
        let events = &game.players()[self.number.0].events;
        let suicide = events.contains(&Event::Suicide);
        for event in events {
            match event {
                Event::Gold(..) => {
                    self.tally.gold += 1;
                    self.last_gold = tick;
                }
                // Where the server tells of suicides it tells of the death too.
                Event::Death if suicide => self.tally.suicides += 1,
                Event::Death => self.tally.deaths += 1,
                Event::Kill | Event::KillEnemy => self.tally.kills += 1,
                Event::Suicide | Event::RoundStart | Event::RoundWin | Event::Message(_) => {}
            }
        }
        self.tally.stalled += u64::from(tick - self.last_gold > PATIENCE);
    }
}

/// Whether this command makes a living hero kill itself in classic, whose server does not tell.
fn is_suicide(game: &Game, number: PlayerNumber, command: &Command) -> bool {
    if !game.state().rules().is_classic() {
        return false;
    }
    let hero = game.players()[number.0].hero;
    let alive = hero.is_some_and(|id| game.state().hero(id).alive);
    alive && game.state().rules().is_suicide(command)
}

fn fault(bot: usize, tick: u64, trouble: Trouble, board: String) -> Fault {
    Fault {
        bot,
        tick,
        kind: trouble.kind,
        detail: trouble.detail,
        status: trouble.status,
        errors: trouble.errors,
        board,
    }
}

fn header(plan: &Plan, number: u64, players: usize) -> Header {
    let rows = plan.board.rows(plan.rules.alphabet);
    let mut header = Header::new(
        format!("arena-{number}"),
        plan.rules.name,
        rows.lines().map(str::to_owned).collect(),
    );
    let bots: Vec<&str> = plan
        .seats(number)
        .into_iter()
        .map(|bot| plan.entrants[bot].name.as_str())
        .collect();
    header.group = Some("arena".to_owned());
    header.desc = Some(format!("{} on {}", bots.join(", "), plan.level_name));
    header.players = players;
    header.seed = Some(plan.seed(number).into());
    header.settings = plan
        .rules
        .settings()
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect();
    header
}

/// The log line of the present state, without what was said.
fn line(tick: u64, game: &Game, dice: &mut Noted<Seeded>) -> TickLine {
    let rules = game.state().rules();
    let name = |event: &Event| event.name(rules.dialect).into_owned();
    let players = game.players();
    let events: Vec<_> = players
        .iter()
        .map(|player| Some(player.events.iter().map(name).collect::<Vec<_>>()))
        .collect();
    let quiet = players.iter().all(|player| player.events.is_empty());
    let boards = (0..players.len()).map(|number| {
        let board = game.board(PlayerNumber(number))?;
        Some(board.render(rules.alphabet))
    });
    TickLine {
        t: tick,
        draws: dice.take(),
        ev: if quiet { Vec::new() } else { events },
        score: players
            .iter()
            .map(|player| Some(player.score.points()))
            .collect(),
        boards: boards.collect(),
        over: game.over().iter().map(|number| number.0 as u32).collect(),
        ..TickLine::default()
    }
}
