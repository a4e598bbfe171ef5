//! `perft`: counts the states reachable in so many ticks of one hero, by three walks that must agree: with
//! clones, with make and undo, and with make, undo and a table over the incremental hash.

use super::{Foreseen, State, Unheard};
use crate::board::Action;
use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

/// How to walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// A clone for each child: the oracle.
    Clone,
    /// One state, made and undone.
    Undo,
    /// One state, made and undone, and subtrees counted once a hash.
    Table,
}

/// Distinct lines of `depth` ticks of the first seat's hero: of actions that lead to the same state only the
/// first is followed. Chance is foreseen: no respawns, no new gold.
pub fn perft(state: &mut State, depth: u32, walk: Walk) -> u64 {
    let mut table = FxHashMap::default();
    count(state, depth, walk, &mut table)
}

fn count(state: &mut State, depth: u32, walk: Walk, table: &mut FxHashMap<(u64, u32), u64>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if walk == Walk::Table
        && let Some(&known) = table.get(&(state.hash(), depth))
    {
        return known;
    }
    let leaves = if walk == Walk::Clone {
        clones(state, depth, table)
    } else {
        undone(state, depth, walk, table)
    };
    if walk == Walk::Table {
        table.insert((state.hash(), depth), leaves);
    }
    leaves
}

/// The oracle: each child is a clone, and equal children are found by comparing whole states.
fn clones(state: &State, depth: u32, table: &mut FxHashMap<(u64, u32), u64>) -> u64 {
    let mut children: Vec<State> = Vec::new();
    for action in Action::ALL {
        let mut child = state.clone();
        make(&mut child, action);
        if !children.contains(&child) {
            children.push(child);
        }
    }
    children
        .iter_mut()
        .map(|child| count(child, depth - 1, Walk::Clone, table))
        .sum()
}

fn undone(
    state: &mut State,
    depth: u32,
    walk: Walk,
    table: &mut FxHashMap<(u64, u32), u64>,
) -> u64 {
    let mut seen: ArrayVec<u64, { Action::COUNT }> = ArrayVec::new();
    let mut leaves = 0;
    for action in Action::ALL {
        let mark = state.mark();
        make(state, action);
        if !seen.contains(&state.hash()) {
            seen.push(state.hash());
            leaves += count(state, depth - 1, walk, table);
        }
        state.undo(mark);
    }
    leaves
}

fn make(state: &mut State, action: Action) {
    if let Some(&id) = state.seats().first() {
        state.act(id, action);
    }
    state.tick(&mut Foreseen, &mut Unheard);
}
