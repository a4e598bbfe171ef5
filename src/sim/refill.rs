//! The refill at the end of a tick (DIALECTS section 3): each kind of thing is brought to its setting. What
//! is missing is placed at random, what is too much is cut off at the end of its list.

use super::{Chance, Dialect, Gold, Item, ItemKind, Monster, State, door};
use crate::board::{Dir, GoldKind};

/// Brings all kinds to their settings, in the server's order. Without dice nothing is known of the settings
/// and nothing is done.
pub(super) fn refill<C: Chance>(state: &mut State, chance: &mut C) {
    if !chance.refills() {
        return;
    }
    let counts = state.rules.counts;
    items(state, ItemKind::Pill, counts.pills, chance);
    for kind in GoldKind::ALL {
        gold(state, kind, counts.gold[kind as usize], chance);
    }
    items(state, ItemKind::Portal, counts.portals, chance);
    monsters(state, counts.monsters, chance);
    if state.rules.dialect == Dialect::Clifford {
        if state.rules.keys_return {
            door::return_keys(state, chance);
        }
        items(state, ItemKind::Ammo, counts.ammo, chance);
    }
}

/// Brings one kind of item to a number. Clifford gives up at the first that finds no place; the 2021 dialects
/// try the next.
pub(super) fn items<C: Chance>(state: &mut State, kind: ItemKind, wanted: i64, chance: &mut C) {
    let present =
        |state: &State| state.items.iter().filter(|item| item.kind == kind).count() as i64;
    for _ in present(state)..wanted {
        match chance.place_thing(state) {
            Some(cell) => state.add_item(Item { cell, kind }),
            None if state.rules.dialect == Dialect::Clifford => break,
            None => {}
        }
    }
    for _ in wanted..present(state) {
        if let Some(index) = state.items.iter().rposition(|item| item.kind == kind) {
            state.remove_item(index);
        }
    }
}

fn gold<C: Chance>(state: &mut State, kind: GoldKind, wanted: i64, chance: &mut C) {
    let present = |state: &State| state.gold.iter().filter(|gold| gold.kind == kind).count() as i64;
    for _ in present(state)..wanted {
        match chance.place_thing(state) {
            Some(cell) => state.add_gold(Gold { cell, kind }),
            None if state.rules.dialect == Dialect::Clifford => break,
            None => {}
        }
    }
    for _ in wanted..present(state) {
        if let Some(index) = state.gold.iter().rposition(|gold| gold.kind == kind) {
            state.remove_gold(index);
        }
    }
}

fn monsters<C: Chance>(state: &mut State, wanted: i64, chance: &mut C) {
    for _ in state.monsters.len() as i64..wanted {
        match chance.place_thing(state) {
            Some(cell) => state.add_monster(Monster::new(cell, Dir::Left)),
            None if state.rules.dialect == Dialect::Clifford => break,
            None => {}
        }
    }
    for _ in wanted..state.monsters.len() as i64 {
        state.remove_monster();
    }
}
