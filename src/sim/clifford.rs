//! The tick of clifford (DIALECTS section 4): its stages in the server's order. Commands, replacements and
//! rounds happen around it (`Game`); drawing after it (`draw`).

use super::{
    Chance, Event, Gear, HeroId, ItemKind, Observer, State, Tile, bullet, credit, door, portal,
    refill, turn,
};
use crate::board::GoldKind;

/// One field tick.
pub(super) fn tick<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    state.set_tick();
    bullet::tick(state, chance, observer);
    heroes(state, chance, observer);
    credit::note_shadows(state);
    state.hash_monsters_once(|state| monsters(state, chance, observer));
    state.age_holes();
    bury(state, chance, observer);
    credit::note_diggers(state);
    portal::tick(state, chance);
    credit::pay(state, observer);
    refill::refill(state, chance);
}

/// Living players take their turns one by one.
fn heroes<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    for seat in 0..state.seats.len() {
        let id = state.seats[seat];
        if !state.hero(id).is_playing() {
            continue;
        }
        turn::hero(state, id, chance, observer);
        meet_killers(state, chance, observer);
        if bullet::meet(state, id, chance, observer) {
            continue;
        }
        bullet::pick_up_ammo(state, id);
        pick_up_gold(state, id, observer);
        door::pick_up_key(state, id);
        pick_up_pill(state, id);
        turn::hop_hero(state, id);
    }
}

/// All regular heroes that share a cell with a monster or a shadowed hero die.
fn meet_killers<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    for seat in 0..state.seats.len() {
        let id = state.seats[seat];
        if state.meets_killer(id) {
            state.die(id, chance, observer);
        }
    }
}

/// All kinds of a cell; heroes number their gold.
fn pick_up_gold<O: Observer>(state: &mut State, id: HeroId, observer: &mut O) {
    let cell = state.hero(id).cell;
    if !state.tile(cell).has(Tile::GOLD) {
        return;
    }
    for kind in GoldKind::ALL {
        if turn::take_gold(state, cell, kind) > 0 {
            let gear = *state.gear(id);
            let mut clues = gear.clues;
            let number = &mut clues[kind as usize];
            *number = number.saturating_add(1);
            observer.event(id, Event::Gold(kind, u32::from(*number)));
            state.set_gear(id, Gear { clues, ..gear });
        }
    }
}

/// A second pill adds its time.
fn pick_up_pill(state: &mut State, id: HeroId) {
    let hero = *state.hero(id);
    if turn::take_items(state, hero.cell, |kind| kind == ItemKind::Pill) {
        let pill = hero
            .pill
            .max(0)
            .saturating_add(state.rules.pill_ticks as i16);
        state.set_hero(id, super::Hero { pill, ..hero });
    }
}

/// Monsters take their turns in the order of the list at the beginning.
fn monsters<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    let mut index = 0;
    for _ in 0..state.monsters.len() {
        let moved = turn::monster(state, index, chance, observer);
        meet_killers(state, chance, observer);
        let hopped = turn::monster_rest(state, index);
        if moved || hopped {
            state.monster_to_end(index);
        } else {
            index += 1;
        }
    }
}

/// Living heroes in solid bricks die.
fn bury<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    for seat in 0..state.seats.len() {
        let id = state.seats[seat];
        let hero = state.hero(id);
        if hero.alive && state.tile(hero.cell).is_full_brick() {
            state.die(id, chance, observer);
        }
    }
}
