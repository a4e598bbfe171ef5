//! `Descent`: one state that is mutated in place, down a tree of ticks and up again, so that no position is ever copied:
//! the gold eaten on the way down, and every position a tick farther with what it is worth. Shared by the searches that keep
//! only some positions of each tick; which they keep is theirs (`Beam`, `Chokudai`).

use super::Values;
use super::key::{self, Margin};
use super::moves::moves;
use super::potential::Potentials;
use super::tally::Tally;
use crate::board::{Action, Cell};
use crate::params::Params;
use crate::sim::{Foreseen, HeroId, Mark, State};
use crate::strategy::Worths;
use arrayvec::ArrayVec;

/// What positions are priced with.
#[derive(Debug)]
pub(super) struct Ground<'a, V: Values> {
    /// Whose positions.
    pub(super) me: HeroId,
    /// What lies beyond them.
    pub(super) values: &'a V,
    /// Gold and inflation.
    pub(super) params: &'a Params,
}

/// Where one stands before trying every action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    /// Discounted gold on the way.
    pub(super) gold: f64,
    /// What the profit of the next tick counts.
    pub(super) weight: f64,
    /// Ticks within which the positions' keys tell them apart.
    pub(super) horizon: usize,
}

/// A position a tick farther in which the hero lives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The action that leads there.
    pub(super) action: Action,
    /// Discounted gold on the way, and the discounted strategy value there.
    pub(super) score: f64,
    /// Discounted gold on the way.
    pub(super) gold: f64,
    /// Names the position.
    pub(super) key: u64,
    /// Who stands in each other's light: heroes in the same cell with the same holes open.
    pub(super) crowd: u64,
    /// The hero's cell.
    pub(super) cell: Cell,
}

/// What going up restores.
#[derive(Debug)]
struct Frame {
    mark: Mark,
    eaten: usize,
    eaten_key: u64,
}

/// Where in the tree of ticks the state is. A warm one allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Descent {
    frames: Vec<Frame>,
    potentials: Potentials,
    eaten: ArrayVec<Cell, { Descent::EATEN_MAX }>,
    eaten_key: u64,
    states: usize,
    worths: Worths,
}

impl Descent {
    /// Gold that one line can take at most; later gold counts, but its field stays.
    const EATEN_MAX: usize = 64;

    /// What things are worth from the next search on.
    pub(super) fn weigh(&mut self, worths: Worths) {
        self.worths = worths;
    }

    /// A new search begins, at the root.
    pub(super) fn start(&mut self) {
        self.potentials.clear();
        self.frames.clear();
        self.eaten.clear();
        self.eaten_key = 0;
        self.states = 0;
    }

    /// Positions tried since then.
    pub(super) fn states(&self) -> usize {
        self.states
    }

    /// One tick down.
    pub(super) fn enter(&mut self, state: &mut State, me: HeroId, action: Action) {
        let frame = self.frame(state);
        self.act(state, me, action);
        self.frames.push(frame);
    }

    /// One tick up; nothing at the root.
    pub(super) fn leave(&mut self, state: &mut State) {
        if let Some(frame) = self.frames.pop() {
            self.restore(state, frame);
        }
    }

    /// Up until only so many ticks are made.
    pub(super) fn leave_all_but(&mut self, state: &mut State, depth: usize) {
        while self.frames.len() > depth {
            self.leave(state);
        }
    }

    /// Tries every action here and tells of each position, in the order of the actions, in which the hero lives.
    #[inline]
    pub(super) fn try_actions<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        stand: Stand,
        mut tell: impl FnMut(Child),
    ) {
        let (me, params, weight) = (ground.me, ground.params, stand.weight);
        for action in moves(state, me) {
            let frame = self.frame(state);
            let taken = self.act(state, me, action);
            self.states += 1;
            let hero = state.hero(me);
            if hero.alive {
                let cell = hero.cell;
                let gold = stand.gold + weight * params.gold * taken;
                let (eaten, key) = (&self.eaten, self.eaten_key);
                let rest = self.potentials.value(ground.values, cell, eaten, key);
                tell(Child {
                    action,
                    score: gold + weight * params.inflation * rest,
                    gold,
                    key: key::key(state, me, stand.horizon, self.eaten_key, Margin::NONE),
                    crowd: key::crowd_key(state, cell),
                    cell,
                });
            }
            self.restore(state, frame);
        }
    }

    fn frame(&self, state: &mut State) -> Frame {
        Frame {
            mark: state.mark(),
            eaten: self.eaten.len(),
            eaten_key: self.eaten_key,
        }
    }

    fn restore(&mut self, state: &mut State, frame: Frame) {
        state.undo(frame.mark);
        self.eaten.truncate(frame.eaten);
        self.eaten_key = frame.eaten_key;
    }

    /// Makes one tick; what it is worth, in golds.
    fn act(&mut self, state: &mut State, me: HeroId, action: Action) -> f64 {
        let mut tally = Tally::new(me, self.worths);
        state.act(me, action);
        state.tick(&mut Foreseen, &mut tally);
        let cell = state.hero(me).cell;
        if tally.gold > 0 && self.eaten.try_push(cell).is_ok() {
            self.eaten_key = self.eaten_key.wrapping_add(key::eaten_key(cell));
        }
        tally.worth
    }
}
