//! Doors and keys (clifford, DIALECTS section 5). That a closed door is a barrier is a flag of its tile.

use super::hero::DoorOrder;
use super::{Chance, Gear, HeroId, Item, ItemKind, State, refill, turn};
use crate::board::Metal;

/// Opens or closes the door in the facing cell, for a key of its metal. Closing on somebody is possible.
pub(super) fn turn_key(state: &mut State, id: HeroId, order: DoorOrder) {
    let hero = state.hero(id);
    let cell = state.size().step(hero.cell, hero.facing);
    let wanted = match order {
        DoorOrder::Leave => return,
        DoorOrder::Open => true,
        DoorOrder::Close => false,
    };
    let door = state.items.iter().position(|item| {
        item.cell == cell && matches!(item.kind, ItemKind::Door(_, open) if open != wanted)
    });
    let Some(index) = door else {
        return;
    };
    let mut gear = *state.gear(id);
    if let ItemKind::Door(metal, _) = state.items[index].kind
        && gear.keys[metal as usize] > 0
    {
        gear.keys[metal as usize] -= 1;
        state.set_gear(id, gear);
        let kind = ItemKind::Door(metal, wanted);
        state.set_item(index, Item { cell, kind });
    }
}

/// A hero takes the key of its cell.
pub(super) fn pick_up_key(state: &mut State, id: HeroId) {
    let cell = state.hero(id).cell;
    for metal in Metal::ALL {
        if turn::take_items(state, cell, |kind| kind == ItemKind::Key(metal)) {
            let gear = *state.gear(id);
            let mut keys = gear.keys;
            keys[metal as usize] = keys[metal as usize].saturating_add(1);
            state.set_gear(id, Gear { keys, ..gear });
        }
    }
}

/// Brings the keys that lie on the field back to the number that the level has.
pub(super) fn return_keys<C: Chance>(state: &mut State, chance: &mut C) {
    if !chance.refills() {
        return;
    }
    for metal in Metal::ALL {
        let key = ItemKind::Key(metal);
        let level = state.level.items().iter();
        let wanted = level.filter(|item| item.kind == key).count() as i64;
        refill::items(state, key, wanted, chance);
    }
}
