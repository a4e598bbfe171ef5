//! `Tally`: what a hero gets in one tick, as the searches count it. Not points: those are the server's business
//! (`sim::Score`).

use crate::sim::{Event, HeroId, Observer};
use crate::strategy::Worths;

/// The hero's own gold of one tick, and what it is worth in golds.
pub(super) struct Tally {
    me: HeroId,
    worths: Worths,
    /// Golds taken.
    pub(super) gold: u32,
    /// What they and everything else are worth, in golds.
    pub(super) worth: f64,
}

impl Tally {
    /// Nothing yet.
    pub(super) fn new(me: HeroId, worths: Worths) -> Tally {
        Tally {
            me,
            worths,
            gold: 0,
            worth: 0.0,
        }
    }
}

impl Observer for Tally {
    const DEATHS: bool = false;

    #[inline]
    fn event(&mut self, hero: HeroId, event: Event) {
        if hero != self.me {
            return;
        }
        match event {
            Event::Gold(kind, _) => {
                self.gold += 1;
                self.worth += self.worths.gold[kind as usize];
            }
            Event::Kill => self.worth += self.worths.kill,
            Event::KillEnemy => self.worth += self.worths.kill_enemy,
            _ => {}
        }
    }
}
