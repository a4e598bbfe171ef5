//! `Random`: any action, each with equal probability. It looks at nothing, and shoots at nobody and opens no doors.

use crate::board::Action;
use crate::rng::{Dice, Purpose, Seeded};
use crate::sim::{HeroId, State};

/// Decides by dice; the same seed gives the same game.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Seeded,
}

impl Random {
    /// A bot with this seed.
    pub fn new(seed: u64) -> Random {
        Random {
            dice: Seeded::new(seed),
        }
    }

    /// An action. Nothing of the state matters to it.
    pub fn decide(&mut self, _: &State, _: HeroId) -> Action {
        let pick = self.dice.draw(Action::COUNT as u32, Purpose::Sample);
        Action::ALL
            .get(pick as usize)
            .copied()
            .unwrap_or(Action::Stay)
    }
}
