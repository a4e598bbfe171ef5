//! One board of a recorded game as text for people: the field, what is laid over it, and what is known of the
//! tick. Keys and terminals are not its business.

use std::fmt::Write as _;
use std::str::FromStr;

use super::seat::Seat;
use crate::board::{Action, Board, Cell, Grid};
use crate::bot::{Answer, Bot, Decision, Limit};
use crate::params::Params;
use crate::reach::Reach;
use crate::sim::{Foreseen, HeroId, State, Unheard};
use crate::track::Tracker;

/// What is laid over the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    Plain,
    /// The value map in tenths of its strongest cell: 0 to 9 on empty cells.
    Value,
    /// When the first monster can be there, in ticks: 1 to 9 on empty cells.
    Reach,
    /// The cells of the chosen line: a, b, c ..
    Line,
}

impl Overlay {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Overlay; 4] = [
        Overlay::Plain,
        Overlay::Value,
        Overlay::Reach,
        Overlay::Line,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Overlay::Plain => "none",
            Overlay::Value => "value",
            Overlay::Reach => "reach",
            Overlay::Line => "line",
        }
    }

    /// The next one, after the last the first.
    #[must_use]
    pub const fn next(self) -> Overlay {
        match self {
            Overlay::Plain => Overlay::Value,
            Overlay::Value => Overlay::Reach,
            Overlay::Reach => Overlay::Line,
            Overlay::Line => Overlay::Plain,
        }
    }
}

/// The name belongs to no overlay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no overlay; use none, value, reach or line")]
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
    decision: Decision,
    marks: Grid<Option<char>>,
}

/// Shows the boards of a seat one at a time.
pub struct Show<'a> {
    seat: &'a Seat,
    params: &'a Params,
}

impl<'a> Show<'a> {
    /// For the boards of this seat; the overlays use a bot with these parameters.
    pub fn new(seat: &'a Seat, params: &'a Params) -> Show<'a> {
        Show { seat, params }
    }

    /// The text of a board: heading, rows, what was answered, and why. Empty for an index out of range.
    pub fn text(&self, index: usize, look: Look) -> String {
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
        let thought = (look.overlay != Overlay::Plain).then(|| self.think(index, look.overlay));
        let marks = thought.as_ref().map(|thought| &thought.marks);
        text.push_str(&self.rows(&turn.board, look.ascii, marks));
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
            let line: Vec<&str> = decision.line.iter().map(|action| action.name()).collect();
            let _ = writeln!(
                text,
                "bot: {}, line: {}",
                decision.answer.name(),
                if line.is_empty() {
                    "none".to_owned()
                } else {
                    line.join(" ")
                }
            );
            for reason in &decision.reasons {
                let _ = writeln!(text, "bot: {reason}");
            }
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
    fn think(&self, index: usize, overlay: Overlay) -> Thought {
        let rules = &self.seat.rules;
        let mut bot = Bot::new(rules.clone(), *self.params);
        let mut tracker = Tracker::new(rules.clone());
        let (mut given, mut state) = (None, None);
        for turn in &self.seat.turns[..index] {
            bot.watch(&turn.board, given);
            let _ = tracker.observe(&turn.board, action_of(given));
            given = turn.played(rules);
        }
        let board = &self.seat.turns[index].board;
        if let Ok(picture) = tracker.observe(board, action_of(given)) {
            state = picture.me.map(|me| (picture.state, me));
        }
        let decision = bot.decide_board(board, given, Limit::default());
        let mut marks = Grid::filled(board.size(), None);
        match (overlay, state) {
            (Overlay::Value, _) => {
                let cells = board.size().cells();
                let strongest = cells
                    .clone()
                    .map(|cell| bot.cell_value(cell))
                    .fold(0.0, f64::max);
                for cell in cells.filter(|_| strongest > 0.0) {
                    let tenths = (bot.cell_value(cell) / strongest * 9.0).clamp(0.0, 9.0);
                    marks[cell] = char::from_digit(tenths as u32, 10);
                }
            }
            (Overlay::Reach, Some((state, _))) => {
                let mut reach = Reach::new(board.size());
                reach.compute(&state, 9);
                for cell in board.size().cells() {
                    let ticks = u32::from(reach.ticks(cell));
                    marks[cell] = char::from_digit(ticks, 10);
                }
            }
            (Overlay::Line, Some((mut state, me))) => {
                for (step, cell) in path(&mut state, me, &decision).into_iter().enumerate() {
                    if marks[cell].is_none() {
                        marks[cell] = char::from_u32('a' as u32 + step.min(25) as u32);
                    }
                }
            }
            (Overlay::Plain | Overlay::Reach | Overlay::Line, _) => {}
        }
        Thought { decision, marks }
    }
}

/// The action of an answer, as the tracker takes it.
pub(super) fn action_of(given: Option<Answer>) -> Option<Action> {
    match given {
        Some(Answer::Act(action)) => Some(action),
        _ => None,
    }
}

/// The cells of a decision's line.
fn path(state: &mut State, me: HeroId, decision: &Decision) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &action in &decision.line {
        state.act(me, action);
        state.tick(&mut Foreseen, &mut Unheard);
        cells.push(state.hero(me).cell);
    }
    cells
}
