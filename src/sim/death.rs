//! How heroes die and when that is noticed. Classic and the 2021 dialects notice a death when something asks
//! for the living heroes; clifford checks at fixed points (DIALECTS section 3, dying).

use super::{Chance, Dialect, Event, Hero, HeroId, Observer, State, door};

impl State {
    /// Classic: judges a hero object now: dead from here on if its cell is a full brick or holds a monster
    /// (RULES section 9). Tells whether it is dead.
    pub(super) fn find_dead(&mut self, id: HeroId) -> bool {
        let hero = self.heroes[id.index()];
        if !hero.alive {
            return true;
        }
        let tile = self.tiles[hero.cell];
        if tile.is_full_brick() || tile.monsters() > 0 {
            self.set_hero(
                id,
                Hero {
                    alive: false,
                    ..hero
                },
            );
            return true;
        }
        false
    }

    /// Whether a hero object counts as dead at this moment: found dead before, or the next question finds it
    /// so: its cell is a full brick or holds a killer (RULES section 9, DIALECTS section 3).
    #[inline]
    pub fn is_dead(&self, id: HeroId) -> bool {
        let hero = self.hero(id);
        if !self.classic {
            return !hero.alive || self.is_doomed(id);
        }
        let tile = self.tiles[hero.cell];
        !hero.alive || tile.is_full_brick() || tile.monsters() > 0
    }

    /// A hero dies, and its player hears of it at once. Not in classic. The 2021 dialects take its pill;
    /// clifford brings back the keys, unless every refill does so.
    pub(super) fn die<C: Chance, O: Observer>(
        &mut self,
        id: HeroId,
        chance: &mut C,
        observer: &mut O,
    ) {
        self.fall_dead(id, observer);
        if self.rules.dialect == Dialect::Clifford && !self.rules.keys_return {
            door::return_keys(self, chance);
        }
    }

    fn fall_dead<O: Observer>(&mut self, id: HeroId, observer: &mut O) {
        let mut hero = self.heroes[id.index()];
        hero.alive = false;
        if self.rules.dialect != Dialect::Clifford {
            hero.pill = -1;
        }
        self.set_hero(id, hero);
        observer.event(id, Event::Death);
    }

    /// The 2021 dialects: somebody asks for the living heroes. All that share a cell with a monster or a
    /// shadowed hero or sit in a solid brick die on the spot, in player order.
    pub(super) fn notice_deaths<O: Observer>(&mut self, observer: &mut O) {
        if self.rules.dialect == Dialect::Clifford {
            return;
        }
        for seat in 0..self.seats.len() {
            let id = self.seats[seat];
            if self.is_doomed(id) {
                self.fall_dead(id, observer);
            }
        }
    }

    /// Whether a hero that still counts as living is one that the next question finds dead.
    pub(super) fn is_doomed(&self, id: HeroId) -> bool {
        let hero = self.hero(id);
        if !hero.alive {
            return false;
        }
        self.tiles[hero.cell].is_full_brick() || self.meets_killer(id)
    }

    /// Whether a regular hero shares its cell with a monster or a shadowed hero.
    pub(super) fn meets_killer(&self, id: HeroId) -> bool {
        let hero = self.hero(id);
        hero.is_regular()
            && (self.tiles[hero.cell].monsters() > 0
                || self.shadows_at(hero.cell).any(|other| other != id))
    }

    /// Heroes on the field in this cell whose pill works, dead ones included, in list order.
    pub(super) fn shadows_at(&self, cell: crate::board::Cell) -> impl Iterator<Item = HeroId> + '_ {
        self.listed().iter().copied().filter(move |&id| {
            let hero = self.hero(id);
            hero.cell == cell && hero.is_shadowed()
        })
    }
}
