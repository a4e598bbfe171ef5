//! What each part of a state adds to its hash. Who keeps the sum up to date is `journal`; who adds it up from
//! scratch is `State::full_hash`.

use super::{Gear, Gold, Hero, HeroId, Hole, Item, Monster};
use crate::board::{Cell, Dir};

/// What a part of the state adds to the hash: two rounds of a multiplication whose halves are folded.
#[inline]
fn key(part: u64, place: usize, bits: u64) -> u64 {
    let word = bits ^ (part << 61) ^ ((place as u64) << 48).rotate_left(9);
    let word = folded(word ^ 0x2D35_8DCC_AA6C_78A5, 0x9E37_79B9_7F4A_7C15);
    folded(word, 0xD6E8_FEB8_6659_FD93)
}

#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

pub(super) fn hero_key(id: usize, hero: Hero) -> u64 {
    hero_bits_key(id, hero.bits())
}

/// The same for a hero given by its bits.
#[inline]
pub(super) fn hero_bits_key(id: usize, bits: u64) -> u64 {
    key(1, id, bits)
}

pub(super) fn seat_key(seat: usize, id: HeroId) -> u64 {
    key(2, seat, u64::from(id.0))
}

/// Place and mind apart, so that a step need not hash the mind again.
pub(super) fn monster_key(index: usize, monster: Monster) -> u64 {
    // A bit that no place has tells the mind from places.
    let mind = key(3, index, monster.mind_bits() | 1 << 44);
    monster_place_key(index, monster.cell, monster.facing) ^ mind
}

#[inline]
pub(super) fn monster_place_key(index: usize, cell: Cell, facing: Dir) -> u64 {
    key(3, index, cell.index() as u64 | (facing as u64) << 16)
}

/// Holes are a set: a hole's own content tells it from others.
pub(super) fn hole_key(hole: Hole) -> u64 {
    key(4, 0, hole.bits())
}

/// Gold is a multiset: `copies` equal ones lie there before this one.
pub(super) fn gold_key(gold: Gold, copies: usize) -> u64 {
    key(
        5,
        copies,
        gold.cell.index() as u64 | (gold.kind as u64) << 16,
    )
}

pub(super) fn solid_key(cell: Cell) -> u64 {
    key(6, 0, cell.index() as u64)
}

pub(super) fn tick_key(tick: i32) -> u64 {
    key(7, 0, u64::from(tick as u32))
}

pub(super) fn listed_key(place: usize, id: HeroId) -> u64 {
    key(0, place, u64::from(id.0))
}

pub(super) fn gear_key(id: usize, gear: Gear) -> u64 {
    let [first, second] = gear.bits();
    // Bare hands add nothing, so that classic need not care.
    if first | second == 0 {
        return 0;
    }
    key(1, id, first).rotate_left(7) ^ key(2, id, second).rotate_left(13)
}

/// The whole list of items: its order matters, and it is short.
pub(super) fn items_key(items: &[Item]) -> u64 {
    let keys = items.iter().enumerate();
    keys.fold(0, |hash, (place, item)| {
        hash ^ key(3, place, item.bits()).rotate_left(19)
    })
}

pub(super) fn portal_key(timer: i32) -> u64 {
    if timer == 0 {
        return 0;
    }
    key(4, 0, u64::from(timer as u32)).rotate_left(23)
}
