//! Who is on the field: heroes join, leave and are replaced (RULES section 3, DIALECTS sections 3 and 6).
//! Players and their numbers belong to `Game`.

use super::{Chance, Dialect, Gear, Hero, HeroId, Monster, State, Target};
use crate::board::Cell;

impl State {
    /// Seats a new hero behind the others; `None` if the field is full.
    pub fn join<C: Chance>(&mut self, chance: &mut C) -> Option<HeroId> {
        if self.seats.is_full() {
            return None;
        }
        let cell = chance.place(self)?;
        Some(self.seat(self.newborn(cell)))
    }

    /// Seats a new hero in a given cell, where it takes part at once: for boards that show where heroes are.
    /// The field must not be full.
    pub fn join_at(&mut self, cell: Cell) -> HeroId {
        self.seat(Hero::new(cell))
    }

    fn seat(&mut self, hero: Hero) -> HeroId {
        let id = self.new_hero(hero, 0);
        if !self.seats.is_full() {
            self.add_seat(id);
            if self.rules.mover_to_end {
                self.list_last(id);
            }
        }
        id
    }

    /// Puts a hero into a team; only clifford looks at it.
    pub fn enlist(&mut self, id: HeroId, team: u8) {
        let gear = self.gear[id.index()];
        self.set_gear(id, Gear { team, ..gear });
    }

    /// Takes a hero off the field; monsters that hunt it go on hunting its last place (RULES section 8).
    pub fn leave(&mut self, id: HeroId) {
        if let Some(seat) = self.seats.iter().position(|&other| other == id) {
            self.remove_seat(seat);
            self.unlist(id);
            self.withdraw(id);
        }
    }

    fn withdraw(&mut self, id: HeroId) {
        let hero = self.heroes[id.index()];
        self.set_hero(
            id,
            Hero {
                present: false,
                ..hero
            },
        );
    }

    /// Replaces a seat's hero if it is dead, judged now (RULES section 3, step 2).
    pub fn respawn<C: Chance>(&mut self, seat: usize, chance: &mut C) {
        let Some(&id) = self.seats.get(seat) else {
            return;
        };
        let dead = if self.classic {
            self.find_dead(id)
        } else {
            !self.hero(id).alive
        };
        if dead {
            self.replace(seat, chance);
        }
    }

    /// Replaces a seat's hero, dead or not. In clifford the old one is taken away before a place is drawn,
    /// and its player's turn comes last from now on.
    pub(super) fn replace<C: Chance>(&mut self, seat: usize, chance: &mut C) -> Option<HeroId> {
        let id = *self.seats.get(seat)?;
        let clifford = self.rules.dialect == Dialect::Clifford;
        let cell = if clifford {
            let old = self.heroes[id.index()];
            self.withdraw(id);
            let cell = chance.place(self);
            if cell.is_none() {
                self.set_hero(id, old);
            }
            cell?
        } else {
            chance.place(self)?
        };
        self.withdraw(id);
        let new = self.new_hero(self.newborn(cell), self.gear[id.index()].team);
        if clifford {
            self.remove_seat(seat);
            self.add_seat(new);
        } else {
            self.set_seat(seat, new);
        }
        if self.rules.mover_to_end {
            self.unlist(id);
            self.list_last(new);
        }
        Some(new)
    }

    /// A hero as the server makes it: where there are rounds it waits for one.
    fn newborn(&self, cell: Cell) -> Hero {
        Hero {
            active: !self.rules.rounds.enabled,
            ..Hero::new(cell)
        }
    }

    /// A slot for a new hero object: one that nothing refers to any more, else a new one.
    fn new_hero(&mut self, hero: Hero, team: u8) -> HeroId {
        let id = self.free_slot();
        let id = match id {
            Some(id) => {
                self.set_hero(id, hero);
                id
            }
            None => self.add_hero(hero),
        };
        if !self.classic {
            self.set_gear(id, Gear::new(&self.rules, team));
        }
        id
    }

    fn free_slot(&self) -> Option<HeroId> {
        (0..self.heroes.len())
            .map(|index| HeroId(index as u16))
            .find(|&id| {
                let hunted = |monster: &Monster| {
                    monster.target == Target::Hero(id) || monster.given_up == Some(id)
                };
                !self.heroes[id.index()].present
                    && !self.monsters.iter().any(hunted)
                    && !self.holes.iter().any(|hole| hole.owner == Some(id))
                    && !self.items.iter().any(|item| item.owner() == Some(id))
            })
    }
}
