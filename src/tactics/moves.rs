//! `moves`: the actions worth searching in a state: those that can differ from standing still. Not their value.

use crate::board::{Action, Cell, Dir};
use crate::sim::{Dialect, HeroId, ItemKind, State, Tile};
use arrayvec::ArrayVec;

/// Actions of one hero, in the fixed order that breaks ties.
pub type Moves = ArrayVec<Action, { Action::MOST }>;

/// The actions of a living hero that may lead to another state than `Stay` does, and `Stay` last.
///
/// A superset: with rivals on the field an action may still turn out to change nothing, since those who
/// move first may step in the way. An action left out never differs from `Stay` in anything but facing.
pub fn moves(state: &State, id: HeroId) -> Moves {
    let mut moves = Moves::new();
    let hero = state.hero(id);
    // Asked of the hero, not of its cell: who has fallen off a board without floor stands in no cell.
    if hero.alive && !state.hero_falls(hero) {
        for action in Action::ALL {
            if action != Action::Stay && may_change(state, id, action) {
                moves.push(action);
            }
        }
        if !state.is_classic() && state.rules().dialect == Dialect::Clifford {
            add_clifford(state, id, &mut moves);
        }
    }
    moves.push(Action::Stay);
    moves
}

fn may_change(state: &State, id: HeroId, action: Action) -> bool {
    let size = state.size();
    let cell = state.hero(id).cell;
    let here = state.tile(cell);
    let alone = state.seats().len() == 1;
    // A rival in the way may fall before our turn comes, so only what cannot move counts as a wall.
    let blocked = |dir: Dir| {
        let target = size.step(cell, dir);
        if alone {
            state.is_barrier(target)
        } else {
            state.tile(target).has(Tile::SOLID)
        }
    };
    match action {
        Action::Left => !blocked(Dir::Left),
        Action::Right => !blocked(Dir::Right),
        Action::Up => here.has(Tile::LADDER) && !blocked(Dir::Up),
        Action::Down => {
            let ladder = here.has(Tile::LADDER) || state.tile(size.down(cell)).has(Tile::LADDER);
            (ladder || here.has(Tile::PIPE)) && !blocked(Dir::Down)
        }
        Action::DigLeft | Action::DigRight => {
            let dir = if action == Action::DigLeft {
                Dir::Left
            } else {
                Dir::Right
            };
            let beside = size.step(cell, dir);
            let brick = size.down(beside);
            state.can_dig(brick)
                || (!alone
                    && state.tile(brick).is_full_brick()
                    && state.tile(beside).has(Tile::HERO))
        }
        Action::Stay => true,
        Action::ShootLeft | Action::ShootRight | Action::OpenLeft | Action::OpenRight => false,
    }
}

/// A bullet that flies farther than this seldom meets whom it was meant for.
const SHOT: usize = 8;

/// Doors that the hero has a key for, and shots that can change anything soon: at a rival, or at the brick beside
/// him, which it opens like a door.
fn add_clifford(state: &State, id: HeroId, moves: &mut Moves) {
    let cell = state.hero(id).cell;
    for (dir, open, shoot) in [
        (Dir::Left, Action::OpenLeft, Action::ShootLeft),
        (Dir::Right, Action::OpenRight, Action::ShootRight),
    ] {
        let beside = state.size().step(cell, dir);
        if state.tile(beside).has(Tile::BLOCK) && has_key(state, id, beside) {
            moves.push(open);
        }
        if state.gun_ready(id) && worth_a_shot(state, id, cell, dir) {
            moves.push(shoot);
        }
    }
}

fn has_key(state: &State, id: HeroId, door: Cell) -> bool {
    let keys = state.gear(id).keys;
    state.items().iter().any(|item| {
        item.cell == door
            && matches!(item.kind, ItemKind::Door(metal, false) if keys[metal as usize] > 0)
    })
}

fn worth_a_shot(state: &State, id: HeroId, from: Cell, dir: Dir) -> bool {
    let size = state.size();
    let mut cell = from;
    for far in 0..SHOT {
        cell = size.step(cell, dir);
        let tile = state.tile(cell);
        if tile.is_full_brick() {
            return far == 0;
        }
        if tile.has(Tile::SOLID) {
            return false;
        }
        let rival = |&&other: &&HeroId| {
            let hero = state.hero(other);
            other != id && hero.cell == cell && hero.alive && !hero.is_shadowed()
        };
        if state.seats().len() > 1 && state.seats().iter().any(|seat| rival(&seat)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Foreseen, Level, Rules, Unheard};
    use std::sync::Arc;

    #[test]
    fn who_has_fallen_off_the_board_only_falls() {
        for rules in [Rules::LODERUNNER_2021_04, Rules::LODERUNNER_2021_09] {
            let text = ["☼☼☼☼☼", "☼   ☼", "☼   ☼", "☼   ☼", "☼   ☼"].concat();
            let rules = Arc::new(rules);
            let level = Level::parse(&text, &rules).expect("a level");
            let mut state = State::new(level, rules);
            let me = state.join_at(state.size().from_point(2, 1));
            for _ in 0..6 {
                state.tick(&mut Foreseen, &mut Unheard);
                assert_eq!(moves(&state, me).as_slice(), [Action::Stay]);
            }
            assert!(!state.size().contains(state.hero(me).cell));
        }
    }
}
