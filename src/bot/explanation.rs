//! `Explanation`: a decision with every action that was considered, each with its value, what the value is made of,
//! and the best line behind it. For `decide --explain`, for decision tests and for replays; live play does
//! without.

use super::{Answer, Bot, Decision, Limit};
use crate::board::{Action, Board, Cell};
use crate::reach::Reach;
use crate::sim::{Foreseen, HeroId, State, Unheard};
use crate::tactics::{Line, Terms};
use crate::track::{Known, KnownError, Picture};
use std::fmt::Write;

/// One action of the hero and what the search found behind it.
#[derive(Clone, Debug)]
pub struct Considered {
    /// The action.
    pub action: Action,
    /// Its value.
    pub value: f64,
    /// The value's terms, summed along the line.
    pub terms: Terms,
    /// The best line of the exact search that begins with the action.
    pub line: Line,
}

/// A decision and how it came about.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is answered, and why.
    pub decision: Decision,
    /// Every action that was searched, in tie-breaking order; empty if there was nothing to search.
    pub considered: Vec<Considered>,
    /// The hero's cells along the decision's own line, where he stands first; empty if there was nothing to search.
    pub path: Vec<Cell>,
    /// The strategy value of each cell in reading order; empty if there was nothing to search.
    pub map: Vec<f64>,
    /// What was believed when it was decided; `None` if the board could not be tracked.
    pub picture: Option<Picture>,
}

impl Bot {
    /// Decides on a board as `decide_board` does and tells how. `known` goes over what the bot remembers of this
    /// board; the next board is decided without it.
    ///
    /// # Errors
    /// `KnownError` if what is known does not fit to the board.
    pub fn explain(
        &mut self,
        board: &Board,
        sent: Option<Answer>,
        known: &Known,
    ) -> Result<Explanation, KnownError> {
        let mut picture = match self.take_in(board, sent, 0) {
            Ok(picture) => picture,
            Err(error) => {
                return Ok(Explanation {
                    decision: Decision::idle(error.to_string()),
                    considered: Vec::new(),
                    path: Vec::new(),
                    map: Vec::new(),
                    picture: None,
                });
            }
        };
        known.apply(&mut picture)?;
        let decision = self.decide_picture(&mut picture, Limit::default());
        let considered = self.consider(&mut picture, &decision);
        let cells = board.size().cells().filter(|_| !considered.is_empty());
        let map = cells.map(|cell| self.cell_value(cell)).collect();
        let path = match picture.me {
            Some(me) if !considered.is_empty() => path(&mut picture.state, me, &decision.line),
            _ => Vec::new(),
        };
        Ok(Explanation {
            decision,
            considered,
            path,
            map,
            picture: Some(picture),
        })
    }

    /// The line behind each action of the last search.
    fn consider(&mut self, picture: &mut Picture, decision: &Decision) -> Vec<Considered> {
        let (Some(me), Some(search)) = (picture.me, &decision.search) else {
            return Vec::new();
        };
        let Some(reach) = self.reach.as_ref().map(Reach::grid) else {
            return Vec::new();
        };
        let state = &mut picture.state;
        let mut considered = Vec::new();
        for &(action, value) in &search.actions {
            let (line, terms) = self.dp.line(
                state,
                me,
                &self.strategy,
                reach,
                &self.params,
                action,
                search.depth,
            );
            considered.push(Considered {
                action,
                value,
                terms,
                line,
            });
        }
        considered
    }
}

/// Where a line leads the hero, as the search foresees it.
pub(crate) fn path(state: &mut State, me: HeroId, line: &[Action]) -> Vec<Cell> {
    let mut cells = vec![state.hero(me).cell];
    let mark = state.mark();
    for &action in line {
        state.act(me, action);
        state.tick(&mut Foreseen, &mut Unheard);
        cells.push(state.hero(me).cell);
    }
    state.undo(mark);
    cells
}

impl Explanation {
    /// The considered actions as a table for people: best first, values and terms, then the line; below it the line that
    /// is played.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{:<9} {:>12} {:>10} {:>12} {:>10} {:>8} {:>10}  line",
            "action", "value", "gold", "death", "fine", "trap", "strategy"
        );
        let mut order: Vec<&Considered> = self.considered.iter().collect();
        order.sort_by(|a, b| b.value.total_cmp(&a.value));
        for one in order {
            let Terms {
                gold,
                death,
                fine,
                trap,
                strategy,
            } = one.terms;
            let _ = writeln!(
                text,
                "{:<9} {:>12} {:>10} {:>12} {:>10} {:>8} {:>10}  {}",
                one.action,
                thousandths(one.value),
                thousandths(gold),
                thousandths(death),
                thousandths(fine),
                thousandths(trap),
                thousandths(strategy),
                names(&one.line)
            );
        }
        if !self.decision.line.is_empty() {
            let _ = writeln!(text, "plan: {}", names(&self.decision.line));
        }
        text
    }
}

/// A line as the names of its actions.
pub fn names(line: &[Action]) -> String {
    let names: Vec<&str> = line.iter().map(|action| action.name()).collect();
    names.join(" ")
}

/// A value with three decimals; what rounds to nothing has no sign.
pub fn thousandths(value: f64) -> String {
    let text = format!("{value:.3}");
    if text == "-0.000" {
        "0.000".to_owned()
    } else {
        text
    }
}
