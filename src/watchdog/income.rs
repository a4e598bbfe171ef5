//! `Income`: no gold has come in for too long, whatever the hero was busy with.

use crate::params::Params;

/// Counts ticks since the last gold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Income {
    ticks: u32,
}

impl Income {
    /// Feeds one tick; true from `params.no_income_ticks` ticks without gold on.
    pub fn observe(&mut self, params: &Params) -> bool {
        self.ticks += 1;
        self.ticks >= params.no_income_ticks
    }

    /// Ticks since the last gold or new hero.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Begins anew: gold came in.
    pub fn forget(&mut self) {
        self.ticks = 0;
    }
}
