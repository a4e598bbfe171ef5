//! Canonical keys: what of a state can still matter within the horizon, in 64 bits. Two states with the same
//! key and as many ticks left have the same value (checked against a search without a table).

use crate::board::Cell;
use crate::sim::{HeroId, Hole, State, Target};

/// How far things can matter, beyond what bodies can walk; set once a search.
#[derive(Clone, Copy, Debug)]
pub struct Margin {
    /// Cells that the trap bonus looks along the hero's row; 0 without the bonus.
    pub trap: usize,
    /// More cells for monsters while closeness is fined.
    pub fine: usize,
}

impl Margin {
    /// For searches that price neither.
    pub const NONE: Margin = Margin { trap: 0, fine: 0 };
}

#[inline]
fn mix(part: u64, bits: u64) -> u64 {
    let mut word = (bits ^ (part << 60)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word = (word ^ (word >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    word ^ (word >> 29)
}

/// The key of a state for the hero `me` with `left` ticks to the horizon.
///
/// Left out, which divides the positions to value by 3 at 8 ticks and by 8 at 12, are every facing; a hole's age if it
/// closes after the horizon; holes farther than `left + 2` from the hero and every monster that counts; monsters farther
/// than `2 * left + 2`; the owners of holes. `margin` widens both distances. `eaten` tells which gold the hero took on the
/// way.
pub fn key(state: &State, me: HeroId, left: usize, eaten: u64, margin: Margin) -> u64 {
    let size = state.size();
    let cell = state.hero(me).cell;
    let mut key = mix(1, cell.index() as u64 | (left as u64) << 16);
    key ^= state.gold_hash() ^ mix(2, eaten);
    let near = 2 * left + 2 + margin.trap + margin.fine;
    let counts = |place: Cell| size.spread(cell, place) <= near;
    for (index, monster) in state.monsters().iter().enumerate() {
        if !counts(monster.cell) {
            continue;
        }
        let target = match monster.target {
            Target::Nobody => 0,
            Target::Unknown => 1,
            Target::Hero(id) => 2 + u64::from(id.0),
        };
        let given_up = monster.given_up.map_or(0, |id| 1 + u64::from(id.0));
        let load = u64::from(monster.load.is_some());
        let bits = monster.cell.index() as u64 | load << 16 | target << 17 | given_up << 34;
        key ^= mix(3, bits | (index as u64) << 51);
    }
    for &id in state.seats() {
        if id != me {
            let hero = state.hero(id);
            let alive = u64::from(hero.alive);
            key ^= mix(
                4,
                hero.cell.index() as u64 | alive << 16 | u64::from(id.0) << 17,
            );
        }
    }
    if !state.is_classic() {
        key ^= belongings(state, me, left);
    }
    let reach = left + 2;
    for hole in state.holes() {
        let closes = Hole::CLOSED - hole.timer(state.now());
        if closes <= 0 {
            continue;
        }
        let matters = size.spread(cell, hole.cell) <= reach + margin.trap
            || state.monsters().iter().any(|monster| {
                counts(monster.cell) && size.spread(monster.cell, hole.cell) <= reach
            });
        if matters {
            let age = (closes as usize).min(left + 1) as u64;
            key ^= mix(5, hole.cell.index() as u64 | age << 16);
        }
    }
    key
}

/// What only the dialects of 2021 and later have: the hero's pill as far as it matters, its keys and gun, and
/// everything that lies or flies about.
fn belongings(state: &State, me: HeroId, left: usize) -> u64 {
    let hero = state.hero(me);
    let gear = state.gear(me);
    let pill = (i64::from(hero.pill) + 1).min(left as i64 + 2) as u64;
    let [gold, silver, bronze] = gear.keys.map(u64::from);
    let gun = u64::from(gear.rest) | u64::from(gear.ammo) << 16;
    mix(7, pill | gold << 16 | silver << 26 | bronze << 36) ^ mix(8, gun) ^ state.items_hash()
}

/// The hero's cell and the `eaten` word: all that a strategy value hangs on.
pub fn worth_key(cell: Cell, eaten: u64) -> u64 {
    mix(11, cell.index() as u64) ^ mix(2, eaten)
}

/// What one eaten gold adds to the `eaten` word of a key, which is their sum: two in one cell are not none.
pub fn eaten_key(cell: Cell) -> u64 {
    mix(6, cell.index() as u64)
}

/// The hero's cell and the holes that are open, whatever their age: positions of one kind for a search that keeps only
/// some of each.
pub fn crowd_key(state: &State, cell: Cell) -> u64 {
    let mut key = mix(9, cell.index() as u64);
    for hole in state.holes() {
        if Hole::CLOSED > hole.timer(state.now()) {
            key ^= mix(5, hole.cell.index() as u64);
        }
    }
    key
}

/// The hero's cell alone.
pub fn cell_key(cell: Cell) -> u64 {
    mix(10, cell.index() as u64)
}

/// A crowd or a cell among the positions so many ticks after the root.
pub fn at_depth(key: u64, depth: usize) -> u64 {
    key ^ mix(12, depth as u64)
}
