//! `Stall`: the hero has stood in one cell for too long. Loops of several cells are `Oscillation`'s.

use super::Observation;
use crate::board::Cell;
use crate::params::Params;

/// Counts ticks in the present cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stall {
    cell: Option<Cell>,
    ticks: u32,
}

impl Stall {
    /// Feeds one tick; true from `params.stall_ticks` ticks in one cell on.
    pub fn observe(&mut self, seen: &Observation, params: &Params) -> bool {
        if self.cell == Some(seen.cell) {
            self.ticks += 1;
        } else {
            self.cell = Some(seen.cell);
            self.ticks = 1;
        }
        self.ticks >= params.stall_ticks
    }

    /// Ticks in the present cell.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        *self = Stall::default();
    }
}
