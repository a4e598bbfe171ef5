//! `Kept`: what a search that keeps only some positions of each tick has kept already: each position once, and not too
//! many that are alike. Not which of them are the best.

use super::key;
use super::table::Table;
use crate::board::{Action, Cell};

/// How many positions of one tick may be alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Alike {
    /// With the hero in the same cell and the same holes open.
    pub(super) crowd: usize,
    /// With the hero in the same cell, whatever holes are open.
    pub(super) cell: usize,
}

/// The positions kept so far, with their gold, and how many of them are alike. A warm one allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Kept {
    positions: Table,
    crowds: Table,
    cells: Table,
}

impl Kept {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.positions.clear();
        self.crowds.clear();
        self.cells.clear();
    }

    /// The most discounted gold with which the position of this key is noted.
    #[inline]
    pub(super) fn gold(&self, key: u64) -> Option<f64> {
        self.positions.get(key).map(|entry| entry.0)
    }

    /// Notes a position.
    #[inline]
    pub(super) fn note(&mut self, key: u64, gold: f64) {
        self.positions.put(key, gold, Action::Stay);
    }

    /// Whether one more position may be kept with the hero in this cell of this crowd, `depth` ticks after the root; if
    /// so it is counted.
    #[inline]
    pub(super) fn admit(&mut self, depth: usize, crowd: u64, cell: Cell, most: Alike) -> bool {
        let crowd = key::at_depth(crowd, depth);
        let cell = key::at_depth(key::cell_key(cell), depth);
        let count = |table: &Table, key| table.get(key).map_or(0.0, |entry| entry.0);
        let (beside, inside) = (count(&self.crowds, crowd), count(&self.cells, cell));
        if beside >= most.crowd as f64 || inside >= most.cell as f64 {
            return false;
        }
        self.crowds.put(crowd, beside + 1.0, Action::Stay);
        self.cells.put(cell, inside + 1.0, Action::Stay);
        true
    }
}
