//! One board of a recorded game as text for people: the field, what is laid over it, and what is known of the
//! tick. Keys and terminals are not its business.

use std::fmt::Write as _;
use std::str::FromStr;

use super::seat::Seat;
use crate::board::{Board, Cell, Grid};
use crate::bot::{Answer, Bot, Decision, Limit, names, path};
use crate::params::Params;
use crate::reach::Reach;
use crate::sim::{HeroId, State};
use crate::watchdog::Remedy;

/// What is laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    Plain,
    /// The value map: 0 to 9 on empty cells, from the least cell of some worth to the greatest.
    Value,
    /// When the first monster can be there, in ticks: 1 to 9 on empty cells.
    Reach,
    /// The cells of the chosen line: a, b, c ..
    Line,
    /// How often the hero was in a cell in the last boards, which is what the watchdogs look at: 1 to 9.
    Watchdog,
}

impl Overlay {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Overlay; 5] = [
        Overlay::Plain,
        Overlay::Value,
        Overlay::Reach,
        Overlay::Line,
        Overlay::Watchdog,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Overlay::Plain => "none",
            Overlay::Value => "value",
            Overlay::Reach => "reach",
            Overlay::Line => "line",
            Overlay::Watchdog => "watchdog",
        }
    }

    /// The next one, after the last the first.
    #[must_use]
    pub const fn next(self) -> Overlay {
        match self {
            Overlay::Plain => Overlay::Value,
            Overlay::Value => Overlay::Reach,
            Overlay::Reach => Overlay::Line,
            Overlay::Line => Overlay::Watchdog,
            Overlay::Watchdog => Overlay::Plain,
        }
    }
}

/// The name belongs to no overlay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no overlay; use none, value, reach, line or watchdog")]
pub struct UnknownOverlay(pub String);

impl FromStr for Overlay {
    type Err = UnknownOverlay;

    fn from_str(name: &str) -> Result<Overlay, UnknownOverlay> {
        let found = Overlay::ALL.into_iter().find(|it| it.name() == name);
        found.ok_or_else(|| UnknownOverlay(name.to_owned()))
    }
}

/// How a board is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// ASCII only instead of the wire's glyphs.
    pub ascii: bool,
    /// What is laid over it.
    pub overlay: Overlay,
}

/// What the bot thinks of a board, for the overlays.
struct Thought {
    /// Of which board.
    index: usize,
    /// The first board it decided on.
    start: usize,
    bot: Bot,
    /// Answered to the board before.
    given: Option<Answer>,
    decision: Decision,
    /// The field as the tracker sees it, and our hero.
    field: Option<(State, HeroId)>,
}

/// Boards before one on which the bot decides too, so that its watchdogs know what was going on: at least so
/// many, and at most as many and a block more. It would take seconds to decide on all of a long game.
const WATCHED: usize = 100;
/// Boards of a block: within it the bot goes on from the board before.
const BLOCK: usize = 50;
/// Boards whose cells the overlay of the watchdogs counts.
const TRAIL: usize = 20;

/// Shows the boards of a seat one at a time.
pub struct Show<'a> {
    seat: &'a Seat,
    params: &'a Params,
    thought: Option<Thought>,
}

impl<'a> Show<'a> {
    /// For the boards of this seat; the overlays use a bot with these parameters.
    pub fn new(seat: &'a Seat, params: &'a Params) -> Show<'a> {
        Show {
            seat,
            params,
            thought: None,
        }
    }

    /// The text of a board: heading, rows, what was answered, and why. Empty for an index out of range.
    pub fn text(&mut self, index: usize, look: Look) -> String {
        let Some(turn) = self.seat.turns.get(index) else {
            return String::new();
        };
        let mut text = format!(
            "game {}, player {}, tick {} ({} of {})",
            self.seat.game,
            self.seat.player,
            turn.t,
            index + 1,
            self.seat.turns.len()
        );
        if let Some(score) = turn.score {
            let _ = write!(text, ", score {score}");
        }
        if turn.missed > 0 {
            let _ = write!(text, ", {} missed before it", turn.missed);
        }
        text.push('\n');
        if look.overlay != Overlay::Plain {
            self.think(index);
        }
        let thought = self.thought.as_ref();
        let thought = thought.filter(|it| look.overlay != Overlay::Plain && it.index == index);
        let marks = thought.map(|thought| self.marks(thought, look.overlay));
        text.push_str(&self.rows(&turn.board, look.ascii, marks.as_ref()));
        if !turn.events.is_empty() {
            let _ = writeln!(text, "events: {}", turn.events.join(" "));
        }
        match &turn.answer {
            Some(answer) => _ = writeln!(text, "answered: {answer:?}"),
            None => text.push_str("answered: unknown\n"),
        }
        if !turn.why.is_empty() {
            let _ = writeln!(text, "why: {}", turn.why.join("; "));
        }
        if let Some(thought) = thought {
            let decision = &thought.decision;
            let line = names(&decision.line);
            let _ = writeln!(
                text,
                "bot: {}, line: {}",
                decision.answer.name(),
                if line.is_empty() { "none" } else { &line }
            );
            for reason in &decision.reasons {
                let _ = writeln!(text, "bot: {reason}");
            }
            let _ = writeln!(text, "watchdogs: {}", self.watchdogs(thought));
        }
        text
    }

    /// What the watchdogs have counted, and the remedy in force.
    fn watchdogs(&self, thought: &Thought) -> String {
        let dogs = thought.bot.watchdogs();
        let (remedy, left) = dogs.remedy();
        let mut text = match (remedy, dogs.trouble()) {
            (Remedy::None, _) => "quiet".to_owned(),
            (remedy, None) => remedy.name().to_owned(),
            (remedy, Some(trouble)) => {
                format!("{} -> {}, {left} ticks left", trouble.name(), remedy.name())
            }
        };
        let _ = write!(
            text,
            "; {} of {} ticks in this cell, {} of {} without gold",
            dogs.in_one_cell(),
            self.params.stall_ticks,
            dogs.without_income(),
            self.params.no_income_ticks
        );
        if dogs.out_of_reach() > 0 {
            let _ = write!(text, ", {} with none in reach", dogs.out_of_reach());
        }
        if dogs.deadline.missed() > 0 {
            let _ = write!(text, ", {} boards missed", dogs.deadline.missed());
        }
        if dogs.desync.wrong() > 0 {
            let _ = write!(text, ", {} frames not as foreseen", dogs.desync.wrong());
        }
        text
    }

    fn rows(&self, board: &Board, ascii: bool, marks: Option<&Grid<Option<char>>>) -> String {
        let size = board.size();
        let alphabet = self.seat.rules.alphabet;
        let mut text = String::new();
        for (cell, element) in board.iter() {
            let plain = if ascii {
                element.ascii()
            } else {
                alphabet.glyph(element).unwrap_or(' ')
            };
            let mark = marks.and_then(|marks| marks[cell]).filter(|_| plain == ' ');
            text.push(mark.unwrap_or(plain));
            if size.x(cell) + 1 == size.edge() {
                text.push('\n');
            }
        }
        text
    }

    /// Lets a bot follow the game up to this board and decide on it.
    fn think(&mut self, index: usize) {
        let start = (index - index % BLOCK).saturating_sub(WATCHED);
        let old = self.thought.take();
        let old = old.filter(|old| old.start == start && old.index <= index);
        let mut thought = match old {
            Some(old) => old,
            None => self.begin(start),
        };
        while thought.index < index {
            let turn = &self.seat.turns[thought.index];
            thought.given = turn.played(&self.seat.rules);
            thought.index += 1;
            self.decide(&mut thought);
        }
        thought.field = self.field(index);
        self.thought = Some(thought);
    }

    /// A bot that has followed the boards before `start` and decided on that one.
    fn begin(&self, start: usize) -> Thought {
        let mut bot = Bot::new(self.seat.rules.clone(), *self.params);
        let given = self.seat.watch(&mut bot, start);
        let mut thought = Thought {
            index: start,
            start,
            bot,
            given,
            decision: Decision::idle(""),
            field: None,
        };
        self.decide(&mut thought);
        thought
    }

    fn decide(&self, thought: &mut Thought) {
        let turn = &self.seat.turns[thought.index];
        let limit = Limit {
            missed: turn.missed,
            ..Limit::default()
        };
        thought.decision = thought.bot.decide_board(&turn.board, thought.given, limit);
    }

    /// The field of a board as the tracker sees it, and our hero.
    fn field(&self, index: usize) -> Option<(State, HeroId)> {
        let picture = self.seat.pictures().nth(index)?.1.ok()?;
        Some((picture.state, picture.me?))
    }

    /// What an overlay puts on the cells.
    fn marks(&self, thought: &Thought, overlay: Overlay) -> Grid<Option<char>> {
        let board = &self.seat.turns[thought.index].board;
        let mut marks = Grid::filled(board.size(), None);
        match (overlay, &thought.field) {
            (Overlay::Value, _) => value_marks(&thought.bot, board, &mut marks),
            (Overlay::Reach, Some((state, _))) => {
                let mut reach = Reach::new(board.size());
                reach.compute(state, 9);
                for cell in board.size().cells() {
                    let ticks = u32::from(reach.ticks(cell));
                    marks[cell] = char::from_digit(ticks, 10);
                }
            }
            (Overlay::Line, Some((state, me))) => {
                let cells = path(&mut state.clone(), *me, &thought.decision.line);
                for (step, cell) in cells.into_iter().skip(1).enumerate() {
                    if marks[cell].is_none() {
                        marks[cell] = char::from_u32('a' as u32 + step.min(25) as u32);
                    }
                }
            }
            (Overlay::Watchdog, _) => {
                let first = (thought.index + 1).saturating_sub(TRAIL);
                let turns = &self.seat.turns[first..=thought.index];
                for cell in turns.iter().filter_map(|turn| turn.board.me()) {
                    let before = marks[cell].and_then(|mark: char| mark.to_digit(10));
                    marks[cell] = char::from_digit((before.unwrap_or(0) + 1).min(9), 10);
                }
            }
            (Overlay::Plain | Overlay::Reach | Overlay::Line, _) => {}
        }
        marks
    }
}

/// The value map in ten steps. A map seldom falls to nothing anywhere, so they begin at its least value.
fn value_marks(bot: &Bot, board: &Board, marks: &mut Grid<Option<char>>) {
    let worth = |cell: &Cell| bot.cell_value(*cell) > 0.0;
    let cells = || board.size().cells().filter(worth);
    let values = || cells().map(|cell| bot.cell_value(cell));
    let (least, most) = (
        values().fold(f64::INFINITY, f64::min),
        values().fold(0.0, f64::max),
    );
    for cell in cells() {
        let share = if most > least {
            (bot.cell_value(cell) - least) / (most - least)
        } else {
            1.0
        };
        marks[cell] = char::from_digit((share * 9.0).round().clamp(0.0, 9.0) as u32, 10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::replay::Turn;
    use crate::sim::Rules;
    use std::sync::Arc;

    /// A hero who does not move for the sake of the gold beside him.
    fn idler(ticks: u64) -> Seat {
        let rules = Rules::CLASSIC;
        let text = "☼☼☼☼☼☼☼    ☼☼► $ ☼☼####☼☼    ☼☼☼☼☼☼☼";
        let board = Board::parse(text, rules.alphabet).expect("a board");
        let turn = |t| Turn {
            number: t + 2,
            t,
            text: text.to_owned(),
            board: board.clone(),
            answer: Some(String::new()),
            missed: 0,
            events: Vec::new(),
            score: None,
            why: Vec::new(),
        };
        Seat {
            game: "g".to_owned(),
            player: 0,
            size: board.size(),
            rules: Arc::new(rules),
            turns: (0..ticks).map(turn).collect(),
        }
    }

    #[test]
    fn the_watchdogs_of_a_board_do_not_hang_on_the_way_to_it() {
        let seat = idler(180);
        let params = Params::default();
        let look = Look {
            ascii: false,
            overlay: Overlay::Watchdog,
        };
        let mut walked = Show::new(&seat, &params);
        let mut texts = Vec::new();
        for index in [0, 1, 4, 12, 160, 161, 30] {
            texts.push(walked.text(index, look));
            assert_eq!(
                texts.last(),
                Some(&Show::new(&seat, &params).text(index, look))
            );
        }
        assert!(
            texts[2]
                .contains("watchdogs: quiet; 5 of 10 ticks in this cell, 5 of 100 without gold"),
            "{}",
            texts[2]
        );
        assert!(
            texts[3].contains("watchdogs: stall -> another strategy, "),
            "{}",
            texts[3]
        );
        assert!(
            texts[4].contains(", 111 of 100 without gold"),
            "{}",
            texts[4]
        );
    }

    #[test]
    fn the_value_map_goes_from_its_least_to_its_greatest_cell() {
        let seat = idler(1);
        let params = Params::default();
        let look = Look {
            ascii: false,
            overlay: Overlay::Value,
        };
        let text = Show::new(&seat, &params).text(0, look);
        let rows = text.lines().skip(1).take(6);
        let digits = rows.flat_map(|row| row.chars().filter_map(|mark| mark.to_digit(10)));
        let digits: Vec<u32> = digits.collect();
        // The greatest cell is the gold's own, where the gold is shown.
        assert_eq!(digits.iter().min(), Some(&0), "{text}");
        assert!(digits.iter().any(|digit| *digit >= 5), "{text}");
        assert_eq!(Overlay::ALL[4].next(), Overlay::ALL[0]);
    }
}
