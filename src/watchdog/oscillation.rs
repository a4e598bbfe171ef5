//! `Oscillation`: the hero walks the same few cells over and over. Standing still is `Stall`'s.

use super::Observation;
use crate::board::Cell;
use crate::params::Params;
use std::collections::VecDeque;

/// The last own positions, the newest at the end.
#[derive(Clone, Debug)]
pub struct Oscillation {
    cells: VecDeque<Cell>,
}

/// Positions remembered, enough for a period of 64 walked four times.
const MEMORY: usize = 256;

impl Default for Oscillation {
    fn default() -> Oscillation {
        Oscillation {
            cells: VecDeque::with_capacity(MEMORY),
        }
    }
}

impl Oscillation {
    /// Feeds one tick; true if the last positions repeat with some period from 2 to
    /// `params.oscillation_period`, `params.oscillation_repeats` times over.
    pub fn observe(&mut self, seen: &Observation, params: &Params) -> bool {
        if self.cells.len() == MEMORY {
            self.cells.pop_front();
        }
        self.cells.push_back(seen.cell);
        (2..=params.oscillation_period as usize)
            .any(|period| self.repeats(period, params.oscillation_repeats as usize))
    }

    fn repeats(&self, period: usize, times: usize) -> bool {
        let length = (period * times).min(MEMORY);
        if self.cells.len() < length {
            return false;
        }
        let last = self.cells.len() - 1;
        let periodic = (0..length - period)
            .all(|back| self.cells[last - back] == self.cells[last - back - period]);
        let moving = (0..period).any(|back| self.cells[last - back] != self.cells[last]);
        periodic && moving
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        self.cells.clear();
    }
}
