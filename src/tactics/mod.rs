//! Search engines over `sim::State` and what they answer: `Dp` values every action exactly over few ticks, `Beam` and
//! `Chokudai` follow the most promising lines over many, `Survival` and `Crash` ask whether the hero lives on at all. The
//! other files are what these are made of. Not the value map that leads beyond their horizon (`strategy`) and not the bot
//! around them (`bot`).

mod beam;
mod chokudai;
mod crash;
mod descent;
mod dp;
mod kept;
pub mod key;
mod moves;
mod outlook;
mod plan;
mod potential;
mod pressure;
mod survival;
mod table;
mod tally;

pub use beam::{Beam, BeamBudget};
pub use chokudai::{Chokudai, ChokudaiBudget};
pub use crash::{Choice, Crash, Doubt, Follow};
pub use dp::{Budget, Dp, Exhausted};
pub use moves::{Moves, moves};
pub use plan::{Ending, Plan};
pub use pressure::Pressure;
pub use survival::{Survival, Verdict};
pub use table::Table;

use crate::board::{Action, Cell};
use crate::strategy::{Row, Strategy, Taken, ValueMap};
use arrayvec::ArrayVec;
use std::time::Instant;

/// A line of actions, the first first.
pub type Line = ArrayVec<Action, 32>;

/// Whether the time is up, if there is a time.
fn is_past(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// What a cell is worth beyond the horizon. Implemented by the value maps of `strategy`.
pub trait Values {
    /// The strategy value of standing in `cell` after taking the gold in `eaten` (cells, in order). More eaten gold
    /// never makes it larger.
    fn value(&self, cell: Cell, eaten: &[Cell]) -> f64;

    /// Prepares `taken` for rows: one number for each set of these golds.
    fn take(&self, golds: &[Cell], taken: &mut Taken) {
        taken.follow(golds);
    }

    /// What `value` says of a cell for every set of the golds that `taken` was prepared for.
    fn row(&self, cell: Cell, taken: &Taken) -> Row {
        taken.row(|eaten| self.value(cell, eaten))
    }
}

impl Values for ValueMap {
    #[inline]
    fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        ValueMap::value(self, cell, eaten)
    }
}

impl Values for Strategy {
    #[inline]
    fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        Strategy::value(self, cell, eaten)
    }

    fn take(&self, golds: &[Cell], taken: &mut Taken) {
        Strategy::take(self, golds, taken);
    }

    #[inline]
    fn row(&self, cell: Cell, taken: &Taken) -> Row {
        Strategy::row(self, cell, taken)
    }
}

/// The value of every root action of one search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Each action searched, in tie-breaking order, with its value.
    pub actions: ArrayVec<(Action, f64), { Action::MOST }>,
    /// Actions looked ahead.
    pub depth: usize,
    /// Positions valued.
    pub states: usize,
}

impl Search {
    /// The best action: of equal ones the first in the fixed order.
    pub fn best(&self) -> (Action, f64) {
        let mut best = (Action::Stay, f64::NEG_INFINITY);
        for &(action, value) in &self.actions {
            if value > best.1 {
                best = (action, value);
            }
        }
        best
    }

    /// The actions, the best first and else in their order.
    pub fn ranked(&self) -> ArrayVec<(Action, f64), { Action::MOST }> {
        let mut ranked = self.actions.clone();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked
    }
}

/// A value split into what it is made of, discounted sums along a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// Gold picked up.
    pub gold: f64,
    /// The price of death.
    pub death: f64,
    /// Fines for closeness to monsters of unknown target.
    pub fine: f64,
    /// Traps set and lost.
    pub trap: f64,
    /// Change and share of the strategy value.
    pub strategy: f64,
}

impl Terms {
    /// All terms together, summed in one fixed order.
    #[inline]
    pub fn sum(&self) -> f64 {
        self.gold + self.death + self.fine + self.trap + self.strategy
    }

    fn add(&mut self, step: &Terms, weight: f64) {
        self.gold += weight * step.gold;
        self.death += weight * step.death;
        self.fine += weight * step.fine;
        self.trap += weight * step.trap;
        self.strategy += weight * step.strategy;
    }
}
