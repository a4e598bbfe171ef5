//! `Walker`: to the nearest gold on foot. It never digs; monsters and heroes are walls to it.

use crate::board::{Action, Cell, Dir, Grid};
use crate::sim::{HeroId, State, Tile};
use std::collections::VecDeque;

/// Walks, climbs and falls to the nearest gold of the field as it is now; of equally near golds to the first
/// in reading order, of equally short ways by the first in action order. Stays if no way leads to gold.
#[derive(Clone, Copy, Debug, Default)]
pub struct Walker;

impl Walker {
    /// A bot without memory.
    pub fn new() -> Walker {
        Walker
    }

    /// The first action of the shortest way.
    pub fn decide(&mut self, state: &State, id: HeroId) -> Action {
        let hero = state.hero(id);
        if !hero.alive {
            return Action::Stay;
        }
        let mut first: Grid<Option<Action>> = Grid::filled(state.size(), None);
        let mut queue = VecDeque::from([(hero.cell, 0u16)]);
        first[hero.cell] = Some(Action::Stay);
        let mut best: Option<(u16, Cell)> = None;
        while let Some((cell, ticks)) = queue.pop_front() {
            if best.is_some_and(|(nearest, _)| ticks > nearest) {
                break;
            }
            if state.tile(cell).has(Tile::GOLD) {
                best = Some(best.map_or((ticks, cell), |known| known.min((ticks, cell))));
            }
            for (action, next) in steps(state, cell) {
                if first[next].is_none() {
                    first[next] = if cell == hero.cell {
                        Some(action)
                    } else {
                        first[cell]
                    };
                    queue.push_back((next, ticks + 1));
                }
            }
        }
        best.and_then(|(_, gold)| first[gold])
            .unwrap_or(Action::Stay)
    }
}

/// The steps from a cell in action order; `Stay` where the hero falls.
fn steps(state: &State, cell: Cell) -> impl Iterator<Item = (Action, Cell)> + '_ {
    let size = state.size();
    let here = state.tile(cell);
    let falls = state.falls(cell);
    let ladder_below = state.tile(size.down(cell)).has(Tile::LADDER);
    let all = [
        (Action::Stay, Dir::Down, falls),
        (Action::Left, Dir::Left, !falls),
        (Action::Right, Dir::Right, !falls),
        (Action::Up, Dir::Up, !falls && here.has(Tile::LADDER)),
        (
            Action::Down,
            Dir::Down,
            !falls && (here.holds() || ladder_below),
        ),
    ];
    all.into_iter()
        .filter(|&(_, _, allowed)| allowed)
        .map(move |(action, dir, _)| (action, size.step(cell, dir)))
        .filter(move |&(_, next)| !state.is_barrier(next) && state.tile(next).monsters() == 0)
}
