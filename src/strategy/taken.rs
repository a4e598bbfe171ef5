//! `Taken`: what every set of a few golds leaves of the worths in a map once it is taken, so that the values of all sets
//! are asked for at once. Not the worths themselves: those are the map's (`ChainMap`).

use crate::board::Cell;
use arrayvec::ArrayVec;

/// Golds whose taking is followed one by one, at most.
pub const FOLLOWED: usize = 3;
/// Sets of them.
pub const SETS: usize = 1 << FOLLOWED;

/// One number for each set of followed golds: its place has a bit for each gold in the set, the lowest for the first.
pub type Row = [f64; SETS];

/// The golds that are followed, and for each worth of a map what their sets leave of it. A warm one allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    golds: ArrayVec<Cell, FOLLOWED>,
    worths: Vec<Row>,
}

impl Taken {
    /// Follows these golds from now on, the first `FOLLOWED` of them, and knows of no worths.
    pub fn follow(&mut self, golds: &[Cell]) {
        self.golds = golds.iter().copied().take(FOLLOWED).collect();
        self.worths.clear();
    }

    /// Adds a worth: what `left` says of every set.
    pub fn push(&mut self, left: impl Fn(&[Cell]) -> f64) {
        let row = self.row(left);
        self.worths.push(row);
    }

    /// What the sets leave of each worth, in the order in which they were added.
    pub fn worths(&self) -> &[Row] {
        &self.worths
    }

    /// What `number` says of every set, the golds of a set in their order. Bits without a gold count for nothing.
    pub fn row(&self, number: impl Fn(&[Cell]) -> f64) -> Row {
        std::array::from_fn(|set| {
            let golds = self.golds.iter().enumerate();
            let inside = golds.filter(|(bit, _)| set >> bit & 1 == 1);
            let eaten: ArrayVec<Cell, FOLLOWED> = inside.map(|(_, &gold)| gold).collect();
            number(&eaten)
        })
    }
}
