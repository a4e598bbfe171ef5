//! Replaying one game line by line, and comparing each line with what the simulator says.
//!
//! The order of work inside a line is the game log's ("One line, t > 0, step by step"); which lines
//! come together, and from which file, is not known here.

use serde::Serialize;

use super::divergence::{Difference, Divergence, Views};
use super::explain::{Explainer, Explanation, Kind};
use super::field::Field;
use super::verify::Fault;
use crate::board::Size;
use crate::record::{ClassicState, Header, HiddenState, ModernState, TickLine};

/// One game under verification. Lines go in with [`GameCheck::line`], [`GameCheck::finish`] tells.
pub(super) struct GameCheck {
    place: String,
    /// Number of the header's line.
    number: u64,
    header: Header,
    size: Size,
    /// Compare every line, not only up to the first that diverges.
    all: bool,
    /// Built by the first line.
    field: Option<Field>,
    /// Of a live client's log: what takes the field's place.
    explainer: Option<Box<Explainer>>,
    /// Per player number whether he is there.
    players: Vec<bool>,
    last: Option<u64>,
    /// No line is replayed any more; they are only counted.
    stopped: bool,
    over: bool,
    verdict: Verdict,
}

/// What became of a game.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Lines with `t` > 0.
    pub ticks: u64,
    /// Lines that the replay does not reproduce.
    pub divergences: Vec<Divergence>,
    /// Why the game is left out of the counts, if it is.
    pub skipped: Option<&'static str>,
    /// What is wrong with the recording itself.
    pub fault: Option<Fault>,
    /// Of a live client's log: how its boards were explained.
    pub live: Option<Explained>,
}

/// How the boards of a live client's log were explained; the first board is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explained {
    /// Boards that some choice of the unknown makes.
    pub explained: u64,
    /// Boards that hang on terrain nobody had seen.
    pub partly: u64,
    /// Boards with missing ones before them.
    pub missed: u64,
    /// Boards that no choice found makes.
    pub diverged: u64,
}

impl GameCheck {
    pub(super) fn new(
        place: &str,
        number: u64,
        header: Header,
        size: Size,
        all: bool,
    ) -> GameCheck {
        GameCheck {
            place: place.to_owned(),
            number,
            header,
            size,
            all,
            field: None,
            explainer: None,
            players: Vec::new(),
            last: None,
            stopped: false,
            over: false,
            verdict: Verdict::default(),
        }
    }

    /// Id of the game.
    pub(super) fn game(&self) -> &str {
        &self.header.id
    }

    /// Replays one line.
    pub(super) fn line(&mut self, number: u64, tick: &TickLine) {
        if tick.t > 0 {
            self.verdict.ticks += 1;
        }
        if tick.err.is_some_and(|code| code != 0) {
            // What the original did before its exception is not a rule.
            self.skip("the original aborted a tick with an exception");
        }
        if self.stopped {
            return;
        }
        if self.last.is_none() && is_live(tick) && !self.open_live(number) {
            return;
        }
        if self.explainer.is_some() {
            return self.explain(number, tick);
        }
        let prepared = self.prepare(tick).map_err(|fault| (self.number, fault));
        match prepared.and_then(|()| self.replay(tick).map_err(|fault| (number, fault))) {
            Ok(differences) if differences.is_empty() => {}
            Ok(differences) => {
                let first = self.verdict.divergences.is_empty();
                let views = first.then(|| self.views(&differences, tick)).flatten();
                self.verdict.divergences.push(Divergence {
                    place: self.place.clone(),
                    number,
                    game: self.header.id.clone(),
                    tick: tick.t,
                    kind: Kind::Diverged,
                    reason: String::new(),
                    differences,
                    views,
                });
                self.stopped = !self.all;
            }
            Err((number, fault)) => self.fail(number, fault),
        }
    }

    /// Ends the game.
    pub(super) fn finish(mut self) -> Verdict {
        let empty = self.last.is_none() && self.verdict.skipped.is_none();
        if empty && self.verdict.fault.is_none() {
            self.verdict.fault = Some(Fault {
                place: self.place,
                number: self.number,
                game: self.header.id,
                fault: "has no tick lines; nothing can be verified".to_owned(),
            });
        }
        self.verdict
    }

    /// Prepares for a live client's log; false if it cannot be explained.
    fn open_live(&mut self, number: u64) -> bool {
        match Explainer::new(&self.header, self.size) {
            Ok(explainer) => {
                self.explainer = Some(Box::new(explainer));
                self.verdict.live = Some(Explained::default());
                true
            }
            Err(fault) => {
                self.fail(number, fault);
                false
            }
        }
    }

    /// Explains one line of a live client's log.
    fn explain(&mut self, number: u64, tick: &TickLine) {
        let due = self.last.is_none_or(|last| tick.t > last);
        let result = match &mut self.explainer {
            Some(explainer) if due => explainer.line(tick),
            _ => Err(format!("t = {} does not follow the line before", tick.t)),
        };
        self.last = Some(tick.t);
        let explanation = match result {
            Ok(Some(explanation)) => explanation,
            Ok(None) => return,
            Err(fault) => return self.fail(number, fault),
        };
        let counts = self.verdict.live.get_or_insert_default();
        match explanation.kind {
            Kind::Explained => counts.explained += 1,
            Kind::Partly => counts.partly += 1,
            Kind::Missed => counts.missed += 1,
            Kind::Diverged => counts.diverged += 1,
        }
        let first = explanation.kind == Kind::Diverged && counts.diverged == 1;
        if first || self.all {
            let Explanation {
                kind,
                reason,
                difference,
                views,
            } = explanation;
            self.verdict.divergences.push(Divergence {
                place: self.place.clone(),
                number,
                game: self.header.id.clone(),
                tick: tick.t,
                kind,
                reason,
                differences: difference.into_iter().collect(),
                views: views.filter(|_| first),
            });
        }
    }

    fn fail(&mut self, number: u64, fault: String) {
        self.stopped = true;
        self.verdict.fault = Some(Fault {
            place: self.place.clone(),
            number,
            game: self.header.id.clone(),
            fault,
        });
    }

    fn skip(&mut self, reason: &'static str) {
        self.stopped = true;
        self.verdict.skipped = Some(reason);
        self.verdict.divergences.clear();
        self.verdict.fault = None;
    }

    /// Hands the line's draws to the field, which is built first if it is not there.
    fn prepare(&mut self, tick: &TickLine) -> Result<(), String> {
        match &mut self.field {
            Some(field) => field.load(&tick.draws),
            None => self.field = Some(Field::build(&self.header, &tick.draws)?),
        }
        Ok(())
    }

    /// Does what the line says and returns what differs; an error is a fault of the recording.
    fn replay(&mut self, tick: &TickLine) -> Result<Vec<Difference>, String> {
        self.check_line(tick)?;
        let Some(field) = &mut self.field else {
            return Ok(Vec::new());
        };
        for &player in &tick.leave {
            field.leave(player);
        }
        for _ in &tick.join {
            field.join()?;
        }
        if tick.t > 0 {
            field.tick(&tick.cmd);
        }
        let boards = field.boards();
        self.last = Some(tick.t);
        self.over = !tick.over.is_empty();
        Ok(self.compare(tick, &boards))
    }

    /// Whether the line can follow what came before: numbers, players, lengths of lists.
    fn check_line(&mut self, tick: &TickLine) -> Result<(), String> {
        if self.over {
            return Err("the game goes on after its match is over".to_owned());
        }
        let due = self.last.map_or(0, |last| last + 1);
        if tick.t != due {
            return Err(format!(
                "has t = {} where t = {due} is due; lines are missing",
                tick.t
            ));
        }
        for &player in &tick.leave {
            match self.players.get_mut(player as usize) {
                Some(there) if *there => *there = false,
                _ => return Err(format!("player {player} leaves without being there")),
            }
        }
        for &player in &tick.join {
            if player as usize != self.players.len() {
                return Err(format!(
                    "player {player} joins where number {} is due",
                    self.players.len()
                ));
            }
            self.players.push(true);
        }
        let players = self.players.len();
        // Who joins in this very line may be missing at the end of `cmd`: he has sent nothing.
        let mut lists = vec![("cmd", tick.cmd.len(), tick.t == 0)];
        lists.push(("boards", tick.boards.len(), !tick.over.is_empty()));
        lists.push(("score", tick.score.len(), true));
        lists.push(("ev", tick.ev.len(), true));
        for (key, length, optional) in lists {
            if length != players && !(optional && length == 0) {
                return Err(format!(
                    "`{key}` has {length} entries for {players} players"
                ));
            }
        }
        for (player, board) in tick.boards.iter().enumerate() {
            let length = board.as_ref().map(|board| board.chars().count());
            if let Some(length) = length.filter(|length| *length != self.size.area()) {
                let due = self.size.area();
                return Err(format!(
                    "player {player}'s board has {length} characters, not {due}"
                ));
            }
        }
        Ok(())
    }

    fn compare(&self, tick: &TickLine, boards: &[Option<String>]) -> Vec<Difference> {
        let mut differences = Vec::new();
        let Some(field) = &self.field else {
            return differences;
        };
        differences.extend(field.draw_fault().map(Difference::Draw));
        match field.draws_left() {
            0 => {}
            left => differences.push(Difference::DrawsLeft(left)),
        }
        if let Some(recorded) = &tick.st {
            differences.extend(compare_hidden(recorded, &field.hidden()));
        }
        if tick.over != field.over() {
            let (recorded, replayed) = (tick.over.clone(), field.over());
            differences.push(Difference::Over { recorded, replayed });
        }
        for (player, &there) in self.players.iter().enumerate() {
            let recorded = tick.ev.get(player).cloned().flatten().unwrap_or_default();
            let replayed = field.events(player);
            if recorded != replayed {
                differences.push(Difference::Events {
                    player,
                    recorded,
                    replayed,
                });
            }
            if let Some(&recorded) = tick.score.get(player).filter(|_| there) {
                let replayed = Some(field.score(player));
                if recorded != replayed {
                    differences.push(Difference::Score {
                        player,
                        recorded,
                        replayed,
                    });
                }
            }
        }
        for (player, recorded) in tick.boards.iter().enumerate() {
            match (recorded, boards.get(player).and_then(Option::as_ref)) {
                (None, None) => {}
                (Some(recorded), Some(replayed)) => {
                    differences
                        .extend(Difference::of_boards(player, self.size, recorded, replayed));
                }
                (recorded, _) => {
                    let recorded = recorded.is_some();
                    differences.push(Difference::Presence { player, recorded });
                }
            }
        }
        differences
    }

    /// The boards of the player whom the differences concern most.
    fn views(&mut self, differences: &[Difference], tick: &TickLine) -> Option<Views> {
        let boards = self.field.as_mut()?.boards();
        let board = differences
            .iter()
            .find(|it| matches!(it, Difference::Board { .. }));
        let player = board
            .and_then(Difference::player)
            .or_else(|| differences.iter().find_map(Difference::player))
            .or_else(|| boards.iter().position(Option::is_some))?;
        Some(Views {
            player,
            edge: self.size.edge(),
            recorded: tick.boards.get(player)?.clone()?,
            replayed: boards.get(player)?.clone()?,
        })
    }
}

/// Whether the first line of a game is a live client's: it has arrival times, or boards of players who
/// never joined.
fn is_live(first: &TickLine) -> bool {
    first.is_live() || (first.join.is_empty() && !first.boards.is_empty())
}

/// The differing parts of two hidden states.
fn compare_hidden(recorded: &HiddenState, replayed: &HiddenState) -> Vec<Difference> {
    let mut parts = Parts(Vec::new());
    match (recorded, replayed) {
        (HiddenState::Classic(recorded), HiddenState::Classic(replayed)) => {
            parts.list("hero", &recorded.heroes, &replayed.heroes);
            parts.list("monster", &recorded.monsters, &replayed.monsters);
            let gold = |state: &ClassicState| {
                let mut gold = state.gold.clone();
                gold.sort_unstable();
                gold
            };
            parts.whole("gold", &gold(recorded), &gold(replayed));
            let bricks = |state: &ClassicState| {
                let mut bricks = state.bricks.clone();
                bricks.sort_unstable();
                bricks
            };
            parts.whole("bricks", &bricks(recorded), &bricks(replayed));
        }
        (HiddenState::Modern(recorded), HiddenState::Modern(replayed)) => {
            let ModernState {
                heroes,
                monsters,
                timer,
            } = recorded;
            parts.list("hero", heroes, &replayed.heroes);
            parts.list("monster", monsters, &replayed.monsters);
            parts.whole("timer", timer, &replayed.timer);
        }
        (recorded, replayed) => parts.whole("dialect", recorded, replayed),
    }
    parts.0
}

/// Collects the differing parts of a hidden state, written as the log writes them.
struct Parts(Vec<Difference>);

impl Parts {
    fn whole<T: Serialize + PartialEq>(&mut self, part: &str, recorded: &T, replayed: &T) {
        if recorded != replayed {
            self.0.push(Difference::Hidden {
                part: part.to_owned(),
                recorded: written(Some(recorded)),
                replayed: written(Some(replayed)),
            });
        }
    }

    fn list<T: Serialize + PartialEq>(&mut self, part: &str, recorded: &[T], replayed: &[T]) {
        for index in 0..recorded.len().max(replayed.len()) {
            let (recorded, replayed) = (recorded.get(index), replayed.get(index));
            if recorded != replayed {
                self.0.push(Difference::Hidden {
                    part: format!("{part} {index}"),
                    recorded: written(recorded),
                    replayed: written(replayed),
                });
            }
        }
    }
}

/// A value as the log writes it.
fn written<T: Serialize>(value: Option<&T>) -> String {
    value.map_or_else(
        || "nothing".to_owned(),
        |value| serde_json::to_string(value).unwrap_or_else(|error| error.to_string()),
    )
}
