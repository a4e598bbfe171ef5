//! The gun and its bullets (clifford, DIALECTS section 5). When a hero may shoot in its turn is not decided here
//! (`turn`).

use super::{Chance, Gear, HeroId, Hole, Item, ItemKind, Observer, State, Tile, credit};
use crate::board::Cell;
use arrayvec::ArrayVec;

/// Cells that a bullet flies in a tick.
const SPEED: usize = 2;

impl State {
    /// Whether a hero's gun is loaded and ready.
    #[inline]
    pub fn gun_ready(&self, id: HeroId) -> bool {
        let gear = self.gear(id);
        gear.rest == 0 && (self.rules.gun.unlimited || gear.ammo > 0)
    }
}

/// A shot, if the gun is loaded and ready: the bullet starts in the shooter's cell and flies one cell at once.
pub(super) fn shoot<C: Chance, O: Observer>(
    state: &mut State,
    id: HeroId,
    chance: &mut C,
    observer: &mut O,
) {
    if !state.gun_ready(id) {
        return;
    }
    let gun = state.rules.gun;
    let gear = *state.gear(id);
    state.set_gear(
        id,
        Gear {
            rest: gun.pause as u16 + 1,
            ammo: if gun.unlimited {
                gear.ammo
            } else {
                gear.ammo - 1
            },
            ..gear
        },
    );
    let hero = *state.hero(id);
    state.add_item(Item {
        cell: hero.cell,
        kind: ItemKind::Bullet {
            dir: hero.facing,
            bounced: false,
            owner: id,
        },
    });
    let index = state.items.len() - 1;
    fly(state, index, chance, observer);
}

/// The gun is one tick nearer to being ready.
pub(super) fn cool(state: &mut State, id: HeroId) {
    let gear = *state.gear(id);
    let rest = gear.rest.saturating_sub(1);
    state.set_gear(id, Gear { rest, ..gear });
}

/// A hero picks up the ammo clips of its cell: each adds one clip.
pub(super) fn pick_up_ammo(state: &mut State, id: HeroId) {
    let cell = state.hero(id).cell;
    if super::turn::take_items(state, cell, |kind| kind == ItemKind::Ammo) {
        let gear = *state.gear(id);
        let ammo = gear.ammo.saturating_add(state.rules.gun.clip as u16);
        state.set_gear(id, Gear { ammo, ..gear });
    }
}

/// All bullets fly, in the order of their list at the beginning; whoever has flown is the last of the list.
pub(super) fn tick<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    let is_bullet = |item: &Item| matches!(item.kind, ItemKind::Bullet { .. });
    let mut left = state.items.iter().filter(|item| is_bullet(item)).count();
    while left > 0 {
        let Some(first) = state.items.iter().position(is_bullet) else {
            return;
        };
        let item = state.remove_item(first);
        state.add_item(item);
        left -= 1;
        for _ in 0..SPEED {
            // Deaths may place keys behind it in the list of all items.
            let Some(index) = state.items.iter().rposition(is_bullet) else {
                break;
            };
            if !fly(state, index, chance, observer) {
                break;
            }
        }
    }
}

/// One bullet flies one cell; whether it goes on.
fn fly<C: Chance, O: Observer>(
    state: &mut State,
    index: usize,
    chance: &mut C,
    observer: &mut O,
) -> bool {
    let Item { cell, kind } = state.items[index];
    let ItemKind::Bullet {
        dir,
        bounced,
        owner,
    } = kind
    else {
        return false;
    };
    let next = state.size().step(cell, dir);
    if !state.size().contains(next) {
        state.remove_item(index);
        return false;
    }
    state.set_item(index, Item { cell: next, kind });
    let struck = struck(state, next, bounced, owner);
    if !struck.is_empty() {
        state.remove_item(index);
        kill(state, &struck, owner, chance, observer);
        if state.tile(next).is_brick() {
            pierce(state, next, owner);
        }
        return false;
    }
    if state.tile(next).is_brick() {
        if !pierce(state, next, owner) {
            return true;
        }
    } else if !state.tile(next).has(Tile::STONE) {
        return true;
    } else if !bounced {
        let kind = ItemKind::Bullet {
            dir: dir.reverse(),
            bounced: true,
            owner,
        };
        state.set_item(index, Item { cell: next, kind });
        return true;
    }
    state.remove_item(index);
    false
}

/// Opens a brick that is solid or in its last frame; a hole that is open longer lets the bullet through.
fn pierce(state: &mut State, brick: Cell, owner: HeroId) -> bool {
    if !state.tile(brick).is_full_brick() {
        let now = state.tick;
        let last = state
            .holes
            .iter()
            .position(|hole| hole.cell == brick && hole.timer(now) == Hole::CLOSED);
        let Some(index) = last else {
            return false;
        };
        state.remove_hole(index);
    }
    state.dig(owner, brick);
    true
}

type Struck = ArrayVec<HeroId, { State::HEROES_MAX }>;

/// Whom a bullet in this cell kills: all heroes without pill, dead and waiting ones too, but its shooter only
/// after it was turned back.
fn struck(state: &State, cell: Cell, bounced: bool, owner: HeroId) -> Struck {
    let here = |&&id: &&HeroId| {
        let hero = state.hero(id);
        hero.cell == cell && !hero.is_shadowed() && (bounced || id != owner)
    };
    state.listed().iter().filter(here).copied().collect()
}

fn kill<C: Chance, O: Observer>(
    state: &mut State,
    struck: &Struck,
    owner: HeroId,
    chance: &mut C,
    observer: &mut O,
) {
    for &victim in struck {
        if state.hero(victim).alive {
            state.die(victim, chance, observer);
        }
        credit::note(state, owner, victim);
    }
}

/// A hero that has moved meets the bullets of its cell; whether one killed it.
pub(super) fn meet<C: Chance, O: Observer>(
    state: &mut State,
    id: HeroId,
    chance: &mut C,
    observer: &mut O,
) -> bool {
    let mut index = 0;
    let mut killed = false;
    while let Some(&item) = state.items.get(index) {
        if let ItemKind::Bullet { bounced, owner, .. } = item.kind
            && item.cell == state.hero(id).cell
            && !state.hero(id).is_shadowed()
            && (bounced || id != owner)
        {
            state.remove_item(index);
            kill(state, &Struck::from_iter([id]), owner, chance, observer);
            killed = true;
        } else {
            index += 1;
        }
    }
    killed
}
