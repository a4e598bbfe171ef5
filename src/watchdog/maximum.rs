//! `LocalMaximum`: the value map peaks where there is no gold, and the search wants to stay there.

use super::Observation;
use crate::board::Action;
use crate::params::Params;

/// Counts ticks of wanting to stay on such a peak.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalMaximum {
    ticks: u32,
}

impl LocalMaximum {
    /// Feeds one tick; true from `params.local_maximum_ticks` ticks in a row on.
    pub fn observe(&mut self, seen: &Observation, params: &Params) -> bool {
        let held = seen.maximum && seen.best == Action::Stay;
        self.ticks = if held { self.ticks + 1 } else { 0 };
        self.ticks >= params.local_maximum_ticks
    }

    /// Begins anew.
    pub fn forget(&mut self) {
        self.ticks = 0;
    }
}
