//! The turns of heroes and monsters in 2021 and later (DIALECTS sections 2 and 3), as far as the dialects
//! share them: the order of the tick around them is in `loderunner` and `clifford`.

use super::{
    Chance, Gold, Hero, HeroId, ItemKind, Monster, Observer, State, Tile, bullet, door, hunt,
};
use crate::board::{Cell, Dir, GoldKind};

/// Falls, else shoots, else digs, else steps: the first that applies uses up the turn; then pill and gun age.
pub(super) fn hero<C: Chance, O: Observer>(
    state: &mut State,
    id: HeroId,
    chance: &mut C,
    observer: &mut O,
) {
    if !state.hero(id).is_playing() {
        return;
    }
    let mut hero = *state.hero(id);
    let pending = std::mem::take(&mut hero.pending);
    state.set_hero(id, hero);
    let size = state.size();
    door::turn_key(state, id, pending.door);
    // What finds the dead on the way, the hero itself among them, does not stop its turn.
    if falls(state, &hero, observer) {
        fall(state, id);
    } else if pending.shoot {
        bullet::shoot(state, id, chance, observer);
    } else if pending.dig {
        let brick = state.dig_place(&hero);
        let brick = brick.filter(|&brick| can_dig(state, brick, observer));
        let hero = *state.hero(id);
        let dug = brick.is_some();
        state.set_hero(id, Hero { dug, ..hero });
        if let Some(brick) = brick {
            state.dig(id, brick);
        }
    } else if pending.jump || pending.step {
        let dir = if pending.jump { Dir::Down } else { hero.facing };
        let target = size.step(hero.cell, dir);
        state.notice_deaths(observer);
        if !state.is_barrier(target) || hero.is_shadowed() && state.regular_hero_at(target) {
            move_hero(state, id, target);
        }
    }
    let hero = *state.hero(id);
    if hero.pill >= 0 {
        let pill = hero.pill - 1;
        state.set_hero(id, Hero { pill, ..hero });
    }
    bullet::cool(state, id);
}

/// Whether a hero falls. Where nothing else carries it, this asks for the living.
fn falls<O: Observer>(state: &mut State, hero: &Hero, observer: &mut O) -> bool {
    if state.size().contains(hero.cell) {
        let below = state.tile(state.size().down(hero.cell));
        if hero.is_shadowed() || !below.has(Tile::SOLID | Tile::LADDER) {
            state.notice_deaths(observer);
        }
    }
    state.hero_falls(hero)
}

/// Whether a brick can be dug. The question for heroes above it comes last but one.
fn can_dig<O: Observer>(state: &mut State, brick: Cell, observer: &mut O) -> bool {
    let above = state.tile(state.size().up(brick));
    if state.tile(brick).is_full_brick()
        && !above.has(Tile::LADDER | Tile::GOLD)
        && !above.is_full_brick()
    {
        state.notice_deaths(observer);
    }
    state.can_dig(brick)
}

/// One row down. Where the level has no floor, heroes of 2021 leave the board and fall for ever; in clifford
/// they stay in the bottom row.
fn fall(state: &mut State, id: HeroId) {
    let size = state.size();
    let cell = state.hero(id).cell;
    let below = size.down(cell);
    if size.contains(cell) && size.contains(below) {
        move_hero(state, id, below);
        return;
    }
    if state.rules.dialect == super::Dialect::Clifford {
        return;
    }
    if size.contains(cell) {
        move_hero(state, id, below);
    }
    let mut gear = *state.gear(id);
    gear.depth = gear.depth.saturating_add(1);
    state.set_gear(id, gear);
}

/// Puts a hero into another cell; where lists are in order of moves, it goes to the end of its.
pub(super) fn move_hero(state: &mut State, id: HeroId, cell: Cell) {
    let hero = *state.hero(id);
    state.set_hero(id, Hero { cell, ..hero });
    if state.rules.mover_to_end {
        state.list_last(id);
    }
}

/// A hero on a portal is put on the next one.
pub(super) fn hop_hero(state: &mut State, id: HeroId) {
    if let Some(exit) = state.portal_exit(state.hero(id).cell) {
        move_hero(state, id, exit);
    }
}

/// Takes the items of one kind in a cell away; whether there were any.
pub(super) fn take_items(state: &mut State, cell: Cell, wanted: impl Fn(ItemKind) -> bool) -> bool {
    let before = state.items.len();
    for index in (0..before).rev() {
        let item = state.items[index];
        if item.cell == cell && wanted(item.kind) {
            state.remove_item(index);
        }
    }
    state.items.len() < before
}

/// Takes gold of a kind in a cell away, one or all of it as the rules say, the first in the list first; how
/// many.
pub(super) fn take_gold(state: &mut State, cell: Cell, kind: GoldKind) -> usize {
    let mut taken = 0;
    while let Some(index) = state
        .gold
        .iter()
        .position(|gold| gold.cell == cell && gold.kind == kind)
    {
        state.remove_gold(index);
        taken += 1;
        if !state.rules.takes_all_equal {
            break;
        }
    }
    taken
}

/// One monster falls, sits or climbs out, or takes a step of its hunt. Tells whether it moved.
pub(super) fn monster<C: Chance, O: Observer>(
    state: &mut State,
    index: usize,
    chance: &C,
    observer: &mut O,
) -> bool {
    let before = state.monsters[index];
    if !state.tile(before.cell).is_brick() {
        state.notice_deaths(observer);
    }
    let monster = advance(state, index, before);
    // The load was replaced when it was taken, so the refill takes it away again; who cannot refill
    // need not even lay it down.
    if let (Some(kind), None) = (before.load, monster.load)
        && chance.refills()
    {
        let cell = before.cell;
        state.add_gold(Gold { cell, kind });
    }
    state.set_monster(index, monster);
    monster.cell != before.cell
}

/// Where the monster of this number goes in its turn if it is as given, everything else standing as it stands now. It
/// comes back without its load if it fell into a hole. The state keeps its value.
pub(super) fn advance(state: &mut State, index: usize, mut monster: Monster) -> Monster {
    let size = state.size();
    let before = monster.cell;
    let tile = state.tile(before);
    if state.monster_falls(before) && size.contains(size.down(before)) {
        return state.fallen(monster);
    }
    if tile.is_brick() {
        if tile.is_full_brick() && size.contains(size.up(before)) {
            monster.cell = size.up(before);
        }
    } else if let Some(dir) = hunt::step(state, index, &mut monster) {
        if dir != Dir::Down {
            monster.facing = dir;
        }
        let target = size.step(before, dir);
        if !state.is_barrier(target) || state.tile(target).has(Tile::HERO) {
            monster.cell = target;
        }
    }
    monster
}

/// What a monster does when it has moved or not: an unloaded one picks up gold, then a portal moves it.
/// Tells whether a portal did.
pub(super) fn monster_rest(state: &mut State, index: usize) -> bool {
    let mut monster = state.monsters[index];
    if monster.load.is_none() && state.tile(monster.cell).has(Tile::GOLD) {
        for kind in GoldKind::ALL {
            if take_gold(state, monster.cell, kind) > 0 {
                monster.load = Some(kind);
                break;
            }
        }
    }
    let exit = state.portal_exit(monster.cell);
    monster.cell = exit.unwrap_or(monster.cell);
    state.set_monster(index, monster);
    exit.is_some()
}
