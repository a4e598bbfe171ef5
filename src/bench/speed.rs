//! The times of ticks, search nodes, distance fields and the chase table, and the report of all that is measured; each
//! name says its unit. Decisions are measured in `decisions`.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::decisions::{self, DecisionTimes};
use super::{Play, signature};
use crate::board::{Action, Cell, CellSet};
use crate::fields::Fields;
use crate::sim::{Foreseen, Level, Monster, Rules, State, Target, Unheard};

/// Repetitions of every measurement; the least counts.
const REPETITIONS: usize = 60;
/// Ticks played before anything is measured: heroes and monsters have met by then.
const WARM_UP: usize = 300;
/// Positions whose children are made and undone.
const POSITIONS: usize = 64;

/// A full tick of the field and of the game around it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TickTimes {
    /// One hero.
    pub heroes_1: f64,
    /// Four heroes.
    pub heroes_4: f64,
    /// One hero, and a breadth-first search for each monster in place of the table.
    pub oracle_heroes_1: f64,
}

/// A child of a search: make, tick and undo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeTimes {
    /// Monsters whose targets are unknown: they fall and climb out, but do not walk.
    #[serde(rename = "static")]
    pub unknown: f64,
    /// Monsters that hunt the hero.
    pub exact: f64,
}

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// A full tick.
    pub tick_ns: TickTimes,
    /// A child of a search.
    pub node_ns: NodeTimes,
    /// The whole next-step table.
    pub table_ms: f64,
    /// One distance field, the mean over many targets.
    pub field_us: f64,
    /// A whole decision with warm fields, by depth.
    pub decide_ms: BTreeMap<u32, DecisionTimes>,
    /// The very first decision: everything is still to be built.
    pub first_decide_ms: f64,
    /// Mean depth that live play reaches within so many milliseconds.
    pub horizon: BTreeMap<u64, f64>,
    /// See [`signature`].
    pub signature: String,
}

/// Measures on one level, some seconds long, on the calling thread only.
pub fn measure(level: &Arc<Level>, rules: &Arc<Rules>) -> Report {
    let table_ms = table_ms(level);
    level.chase().fill();
    let tick_ns = TickTimes {
        heroes_1: tick_ns(level, rules, 1, 2_000),
        heroes_4: tick_ns(level, rules, 4, 2_000),
        oracle_heroes_1: tick_ns(&level.without_table(), rules, 1, 50),
    };
    let positions = positions(level, rules);
    let node_ns = NodeTimes {
        unknown: node_ns(&positions, false),
        exact: node_ns(&positions, true),
    };
    let times = decisions::measure(level, rules);
    Report {
        tick_ns,
        node_ns,
        table_ms,
        field_us: field_us(level),
        decide_ms: times.decide_ms,
        first_decide_ms: times.first_decide_ms,
        horizon: times.horizon,
        signature: signature(),
    }
}

/// The least time of one of `count` equal pieces of work, in nanoseconds. One repetition should take about a
/// millisecond: short enough to fall between two interruptions.
fn least_ns<T>(count: usize, mut prepare: impl FnMut() -> T, mut work: impl FnMut(&mut T)) -> f64 {
    let mut least = Duration::MAX;
    for _ in 0..REPETITIONS {
        let mut subject = prepare();
        let start = Instant::now();
        work(&mut subject);
        least = least.min(start.elapsed());
    }
    least.as_nanos() as f64 / count as f64
}

/// A game that has been going on for a while.
fn warm_play(level: &Arc<Level>, rules: &Arc<Rules>, heroes: usize) -> Play {
    let mut play = Play::new(level, rules, heroes);
    for _ in 0..WARM_UP {
        play.tick();
    }
    play
}

fn tick_ns(level: &Arc<Level>, rules: &Arc<Rules>, heroes: usize, ticks: usize) -> f64 {
    let play = warm_play(level, rules, heroes);
    least_ns(
        ticks,
        || play.clone(),
        |play| {
            for _ in 0..ticks {
                play.tick();
            }
            black_box(play.state().hash());
        },
    )
}

/// Positions with a living hero, spread over a game of one.
fn positions(level: &Arc<Level>, rules: &Arc<Rules>) -> Vec<State> {
    let mut play = Play::new(level, rules, 1);
    let mut positions = Vec::with_capacity(POSITIONS);
    // Twenty ticks apart; a hero that dies at once everywhere must not keep us here for ever.
    for tick in 0..POSITIONS * 100 {
        play.tick();
        let alive = |state: &State| state.seats().iter().all(|&id| state.hero(id).alive);
        if tick % 20 == 19 && alive(play.state()) && positions.len() < POSITIONS {
            positions.push(play.state().clone());
        }
    }
    positions
}

fn node_ns(positions: &[State], hunting: bool) -> f64 {
    const ROUNDS: usize = 20;
    let mut positions = positions.to_vec();
    for state in &mut positions {
        let target = match state.seats().first() {
            Some(&id) if hunting => Target::Hero(id),
            _ => Target::Unknown,
        };
        for index in 0..state.monsters().len() {
            let monster = state.monsters()[index];
            state.place_monster(
                index,
                Monster {
                    target,
                    given_up: None,
                    ..monster
                },
            );
        }
        state.commit();
    }
    let count = ROUNDS * positions.len().max(1) * Action::COUNT;
    least_ns(
        count,
        || (),
        |()| {
            for state in &mut positions {
                for _ in 0..ROUNDS {
                    for action in Action::ALL {
                        black_box(node(state, action));
                    }
                }
            }
        },
    )
}

/// Makes and undoes one child; its hash, so that nothing is optimised away.
#[inline]
fn node(state: &mut State, action: Action) -> u64 {
    let mark = state.mark();
    if let Some(&id) = state.seats().first() {
        state.act(id, action);
    }
    state.tick(&mut Foreseen, &mut Unheard);
    let hash = state.hash();
    state.undo(mark);
    hash
}

fn field_us(level: &Arc<Level>) -> f64 {
    let cells = level.chase().passable();
    let targets: Vec<Cell> = cells
        .iter()
        .step_by(cells.len() / 64 + 1)
        .copied()
        .collect();
    let none = CellSet::new(level.size());
    let ns = least_ns(
        targets.len().max(1),
        || Fields::new(Arc::clone(level), &none),
        |fields| {
            for &target in &targets {
                black_box(fields.field(target));
            }
        },
    );
    ns / 1e3
}

fn table_ms(level: &Arc<Level>) -> f64 {
    let mut least = Duration::MAX;
    for _ in 0..5 {
        // A level of its own each time: a table that is there is not built again.
        let Ok(fresh) = Level::new(level.terrain().clone(), Vec::new(), Vec::new()) else {
            return f64::NAN;
        };
        let start = Instant::now();
        fresh.chase().fill();
        least = least.min(start.elapsed());
    }
    least.as_secs_f64() * 1e3
}
