//! The tick of the two dialects of 2021 (DIALECTS section 4): its stages in the server's order. Commands,
//! replacements and rounds happen around it (`Game`); drawing after it (`draw`).

use super::credit;
use super::{
    Chance, Event, Gold, Hero, HeroId, ItemKind, Observer, State, Tile, portal, refill, turn,
};
use crate::board::GoldKind;
use arrayvec::ArrayVec;

/// Heroes found dead in a tick, in the order of finding.
type Dead = ArrayVec<HeroId, { State::HEROES_MAX }>;

/// One field tick.
pub(super) fn tick<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    state.set_tick();
    let mut dead = Dead::new();
    heroes(state, chance, observer);
    note_dead(state, &mut dead, observer);
    state.hash_monsters_once(|state| monsters(state, chance, observer));
    note_dead(state, &mut dead, observer);
    state.age_holes();
    note_dead(state, &mut dead, observer);
    credit_diggers(state, observer);
    portal::tick(state, chance);
    credit_shadows(state, &dead, observer);
    refill::refill(state, chance);
}

/// Heroes take their turns one by one. What lies and stands in their cells works on dead and waiting ones
/// too.
fn heroes<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    for seat in 0..state.seats.len() {
        let id = state.seats[seat];
        turn::hero(state, id, chance, observer);
        if !state.size().contains(state.hero(id).cell) {
            continue;
        }
        pick_up_gold(state, id, chance, observer);
        pick_up_pill(state, id);
        turn::hop_hero(state, id);
    }
}

/// At most one kind a turn; the replacement is placed at once.
fn pick_up_gold<C: Chance, O: Observer>(
    state: &mut State,
    id: HeroId,
    chance: &mut C,
    observer: &mut O,
) {
    let cell = state.hero(id).cell;
    if !state.tile(cell).has(Tile::GOLD) {
        return;
    }
    for kind in GoldKind::ALL {
        let taken = turn::take_gold(state, cell, kind);
        if taken > 0 {
            observer.event(id, Event::Gold(kind, 0));
            for _ in 0..taken {
                if let Some(cell) = chance.place_thing(state) {
                    state.add_gold(Gold { cell, kind });
                }
            }
            return;
        }
    }
}

/// A second pill starts the time anew. A new one comes with the refill.
fn pick_up_pill(state: &mut State, id: HeroId) {
    let hero = *state.hero(id);
    if turn::take_items(state, hero.cell, |kind| kind == ItemKind::Pill) {
        let pill = state.rules.pill_ticks as i16;
        state.set_hero(id, Hero { pill, ..hero });
    }
}

/// Monsters take their turns in the order of the list at the beginning.
fn monsters<C: Chance, O: Observer>(state: &mut State, chance: &C, observer: &mut O) {
    let mut index = 0;
    for _ in 0..state.monsters.len() {
        let moved = turn::monster(state, index, chance, observer);
        let hopped = turn::monster_rest(state, index);
        if state.rules.mover_to_end && (moved || hopped) {
            state.monster_to_end(index);
        } else {
            index += 1;
        }
    }
}

fn note_dead<O: Observer>(state: &mut State, dead: &mut Dead, observer: &mut O) {
    state.notice_deaths(observer);
    for &id in &state.seats {
        if !state.hero(id).alive && !dead.contains(&id) {
            dead.push(id);
        }
    }
}

/// Whoever is found dead in a brick cell is credited to its digger.
fn credit_diggers<O: Observer>(state: &State, observer: &mut O) {
    for &victim in &state.seats {
        credit::credit_digger(state, victim, observer);
    }
}

/// Whoever died in this tick where a shadowed hero stands now, from whatever cause, is credited to it.
fn credit_shadows<O: Observer>(state: &State, dead: &Dead, observer: &mut O) {
    for &victim in dead {
        for hunter in state.shadows_at(state.hero(victim).cell) {
            observer.event(hunter, Event::Kill);
        }
    }
}
