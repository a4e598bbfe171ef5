//! `Teleporter`: greedy, but where no gold is near it kills itself and starts from another place. As strong as a
//! bot gets that looks no further than the nearest gold, where suicide costs nothing.

use super::{Answer, Greedy};
use crate::board::Action;
use crate::sim::{HeroId, State};

/// Gold this many ticks away is still worth the walk.
const NEAR: u16 = 20;

/// Greedy with a way out.
#[derive(Debug, Default)]
pub struct Teleporter {
    greedy: Greedy,
    free: bool,
}

impl Teleporter {
    /// A bot that may kill itself, or, if not `free`, plays as greedy does.
    pub fn new(free: bool) -> Teleporter {
        Teleporter {
            greedy: Greedy::new(),
            free,
        }
    }

    /// Greedy's action, or suicide if no gold is within 20 ticks of a hero that stands.
    pub fn decide(&mut self, state: &State, id: HeroId) -> Answer {
        let hero = state.hero(id);
        let settled = hero.alive && !state.falls(hero.cell);
        if self.free && settled {
            let near = self.greedy.nearest(state, id);
            if near.is_none_or(|(_, ticks)| ticks > NEAR) {
                return Answer::Suicide;
            }
        }
        if !settled {
            return Answer::Act(Action::Stay);
        }
        Answer::Act(self.greedy.decide(state, id))
    }
}
