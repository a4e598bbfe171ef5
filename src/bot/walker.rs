//! `Walker`: to the nearest gold on foot, where kinds differ to that with the most points a tick. It never digs;
//! monsters and heroes are walls to it.

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
        // The cost of a gold: ticks where all golds pay alike, ticks per point where they do not.
        let mut best: Option<(i64, Cell)> = None;
        while let Some((cell, ticks)) = queue.pop_front() {
            let classic = state.is_classic();
            if classic && best.is_some_and(|(nearest, _)| i64::from(ticks) > nearest) {
                break;
            }
            if state.tile(cell).has(Tile::GOLD) {
                let cost = if classic {
                    i64::from(ticks)
                } else {
                    ((i64::from(ticks) + 1) << 16) / pay(state, cell)
                };
                best = Some(best.map_or((cost, cell), |known| known.min((cost, cell))));
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

/// The points of the best gold in a cell, at least 1.
fn pay(state: &State, cell: Cell) -> i64 {
    let here = state.gold().iter().filter(|gold| gold.cell == cell);
    let points = here.map(|gold| state.rules().points.gold[gold.kind as usize]);
    points.max().unwrap_or(1).max(1)
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
