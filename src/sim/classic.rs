//! The classic tick: its stages in the server's order, each with the section of `docs/rules.md` that it follows.
//! Commands and replacements happen before it (`Game`); drawing after it (`draw`).

use super::credit;
use super::{Chance, Event, Gold, HeroId, Monster, Observer, State, Target, Tile};
use crate::board::Dir;
use arrayvec::ArrayVec;

/// One field tick.
pub(super) fn tick<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    state.set_tick();
    let living = if O::DEATHS {
        living(state)
    } else {
        Living::new_const()
    };
    heroes(state, chance, observer);
    deaths(state);
    // Nobody new is dead where no monster came to a hero and no hole closed.
    if monsters(state, chance) {
        deaths(state);
    }
    if state.age_holes() {
        deaths(state);
    }
    kills(state, &living, observer);
    report_deaths(state, &living, observer);
}

type Living = ArrayVec<HeroId, { State::HEROES_MAX }>;

/// Heroes that enter the tick alive: only they can die in it.
fn living(state: &State) -> Living {
    state
        .seats
        .iter()
        .copied()
        .filter(|&id| state.hero(id).alive)
        .collect()
}

/// Section 5: heroes take their turns one by one, each seeing the result of the earlier ones.
fn heroes<C: Chance, O: Observer>(state: &mut State, chance: &mut C, observer: &mut O) {
    for seat in 0..state.seats.len() {
        let id = state.seats[seat];
        if state.hero(id).alive {
            hero_turn(state, id);
        }
        pick_up(state, id, chance, observer);
    }
}

/// Falls, else digs, else steps: the first that applies uses up the turn.
fn hero_turn(state: &mut State, id: HeroId) {
    let mut hero = *state.hero(id);
    let pending = std::mem::take(&mut hero.pending);
    let size = state.size();
    if state.falls(hero.cell) {
        hero.cell = size.down(hero.cell);
    } else if pending.dig {
        let brick = state.dig_place(&hero).filter(|&brick| state.can_dig(brick));
        hero.dug = brick.is_some();
        if let Some(brick) = brick {
            state.dig(id, brick);
        }
    } else if pending.jump || pending.step {
        let dir = if pending.jump { Dir::Down } else { hero.facing };
        let target = size.step(hero.cell, dir);
        if !state.is_barrier(target) {
            hero.cell = target;
        }
    }
    state.set_hero(id, hero);
}

/// At most one gold a turn, also for a hero that will be found dead; its replacement is placed at once.
fn pick_up<C: Chance, O: Observer>(
    state: &mut State,
    id: HeroId,
    chance: &mut C,
    observer: &mut O,
) {
    let cell = state.hero(id).cell;
    if !state.tile(cell).has(Tile::GOLD) {
        return;
    }
    if let Some(index) = state.gold.iter().position(|gold| gold.cell == cell) {
        let gold = state.remove_gold(index);
        observer.event(id, Event::Gold(gold.kind, 0));
        if let Some(cell) = chance.place(state) {
            state.add_gold(Gold {
                cell,
                kind: gold.kind,
            });
        }
    }
}

/// Section 9: heroes whose cell is a full brick or holds a monster are dead from now on.
fn deaths(state: &mut State) {
    for seat in 0..state.seats.len() {
        state.find_dead(state.seats[seat]);
    }
}

/// Section 8: monsters take their turns one by one. Tells whether one of them came to a hero.
fn monsters<C: Chance>(state: &mut State, chance: &mut C) -> bool {
    let mut met = false;
    for index in 0..state.monsters.len() {
        choose(state, index, met, chance);
        match turn(state, &state.monsters[index]) {
            Turn::Wait => {}
            // By far the most frequent turn changes nothing but the place.
            Turn::Step(dir) => state.step_monster(index, dir),
            other => turn_aside(state, index, other),
        }
        let monster = &state.monsters[index];
        let tile = state.tile(monster.cell);
        met |= tile.has(Tile::HERO);
        if monster.load.is_none() && tile.has(Tile::GOLD) {
            take(state, index);
        }
    }
    met
}

/// Any turn but a step, and the load that a fall into a hole leaves behind.
#[inline(never)]
fn turn_aside(state: &mut State, index: usize, turn: Turn) {
    let before = state.monsters[index];
    let after = turned(state, before, turn);
    if let (Some(kind), None) = (before.load, after.load) {
        let cell = before.cell;
        state.add_gold(Gold { cell, kind });
    }
    state.set_monster(index, after);
}

/// Step 1: a monster without a living target draws one among the heroes of the field, dead ones included,
/// less the first that stands where the given-up one is or was last. Until a monster has `met` a hero, those on
/// the field are known to be dead or alive.
#[expect(
    clippy::inline_always,
    reason = "called from the hottest loop, where the call itself is a tenth of the time (bench: node)"
)]
#[inline(always)]
fn choose<C: Chance>(state: &mut State, index: usize, met: bool, chance: &mut C) {
    let target = state.monsters[index].target;
    let Target::Hero(id) = target else {
        if target == Target::Nobody {
            choose_anew(state, index, chance);
        }
        return;
    };
    let hero = state.hero(id);
    let dead = if met || !hero.present {
        state.find_dead(id)
    } else {
        !hero.alive
    };
    if dead {
        choose_anew(state, index, chance);
    }
}

#[inline(never)]
fn choose_anew<C: Chance>(state: &mut State, index: usize, chance: &mut C) {
    let mut monster = state.monsters[index];
    let avoided = avoided(state, monster.given_up);
    let count = state.seats.len() - usize::from(avoided.is_some());
    if count == 0 {
        return;
    }
    monster.target = match chance.choose(index, count) {
        None => Target::Unknown,
        Some(pick) => {
            let skip = usize::from(avoided.is_some_and(|seat| pick >= seat));
            state
                .seats
                .get(pick + skip)
                .map_or(Target::Unknown, |&id| Target::Hero(id))
        }
    };
    monster.given_up = None;
    state.set_monster(index, monster);
}

/// The seat that a monster's choice leaves out: the first whose hero stands where the given-up one is or was
/// last.
pub(super) fn avoided(state: &State, given_up: Option<HeroId>) -> Option<usize> {
    let place = state.hero(given_up?).cell;
    state
        .seats
        .iter()
        .position(|&id| state.hero(id).cell == place)
}

/// What a monster that has chosen does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// Step 2: down, and out of its load over a brick cell.
    Fall,
    /// Step 3: up, out of a brick that is full again.
    Climb,
    /// Step 4: along the way to its target.
    Step(Dir),
    /// Step 4: there is no way.
    GiveUp,
    /// Nothing: it sits in a hole, or hunts nobody knows whom.
    Wait,
}

#[expect(
    clippy::inline_always,
    reason = "called from the hottest loop, where the call itself is a tenth of the time (bench: node)"
)]
#[inline(always)]
fn turn(state: &State, monster: &Monster) -> Turn {
    let tile = state.tile(monster.cell);
    if state.monster_falls(monster.cell) {
        return Turn::Fall;
    }
    if tile.is_brick() {
        // Without any check, but not out of a field whose border is open at the top.
        let above = state.size().up(monster.cell);
        let climbs = tile.is_full_brick() && state.size().contains(above);
        return if climbs { Turn::Climb } else { Turn::Wait };
    }
    match monster.target {
        Target::Unknown => Turn::Wait,
        Target::Nobody => Turn::GiveUp,
        Target::Hero(id) => {
            let way = state.level.chase().step(monster.cell, state.hero(id).cell);
            way.map_or(Turn::GiveUp, Turn::Step)
        }
    }
}

/// The monster after such a turn.
fn turned(state: &State, mut monster: Monster, turn: Turn) -> Monster {
    match turn {
        Turn::Fall => return state.fallen(monster),
        Turn::Climb => monster.cell = state.size().up(monster.cell),
        Turn::Step(dir) => {
            monster.cell = state.size().step(monster.cell, dir);
            monster.facing = monster.facing_after(dir);
        }
        Turn::GiveUp => {
            monster.given_up = match monster.target {
                Target::Hero(id) => Some(id),
                Target::Nobody | Target::Unknown => None,
            };
            monster.target = Target::Nobody;
        }
        Turn::Wait => {}
    }
    monster
}

/// Steps 2 to 4 for a monster that has chosen. It comes back without its load if it fell into a hole and so
/// left it in the cell it came from.
pub(super) fn advance(state: &State, monster: Monster) -> Monster {
    turned(state, monster, turn(state, &monster))
}

/// Step 5: an unloaded monster takes one gold of its cell; no new gold appears.
#[inline(never)]
fn take(state: &mut State, index: usize) {
    let mut monster = state.monsters[index];
    if let Some(place) = state.gold.iter().position(|gold| gold.cell == monster.cell) {
        monster.load = Some(state.remove_gold(place).kind);
        state.set_monster(index, monster);
    }
}

/// Section 9: whoever died in a brick cell is credited to its digger.
fn kills<O: Observer>(state: &State, living: &Living, observer: &mut O) {
    for &victim in living {
        credit::credit_digger(state, victim, observer);
    }
}

/// Section 9: the death event comes once and last.
fn report_deaths<O: Observer>(state: &State, living: &Living, observer: &mut O) {
    for &id in living {
        if !state.hero(id).alive {
            observer.event(id, Event::Death);
        }
    }
}
