//! `Event` and `Observer`: what a tick tells of while it happens. Points are not counted here (`score`).

use super::HeroId;
use crate::board::GoldKind;

/// Something that happened to a player's hero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// Picked up a gold.
    Gold(GoldKind),
    /// A rival died in a hole this hero dug (RULES section 9). Monsters never count.
    Kill,
    /// Died.
    Death,
}

/// Listens to a tick. The search's observer does nothing and costs nothing.
pub trait Observer {
    /// An event of this hero's player, in the order in which they happen.
    fn event(&mut self, hero: HeroId, event: Event);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unheard;

impl Observer for Unheard {
    #[inline]
    fn event(&mut self, _: HeroId, _: Event) {}
}

impl Observer for Vec<(HeroId, Event)> {
    fn event(&mut self, hero: HeroId, event: Event) {
        self.push((hero, event));
    }
}
