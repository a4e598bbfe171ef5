//! `Beam`: a search that looks much farther than `Dp` and keeps only the most promising positions of each
//! tick (ALGORITHM section 4). It finds long lines, among monsters too; it proves nothing, since what it
//! drops is gone. One state is mutated in place: the positions kept are the leaves of a tree, and each layer walks once
//! around that tree, making and undoing its edges, so that no position is ever copied.

use super::key::{self, Margin};
use super::moves::moves;
use super::potential::Potentials;
use super::table::Table;
use super::tally::Tally;
use super::{Line, Terms, Values};
use crate::board::{Action, Cell};
use crate::params::Params;
use crate::sim::{Foreseen, HeroId, Mark, State};
use crate::strategy::Worths;
use arrayvec::ArrayVec;
use std::time::Instant;

/// What bounds a beam search. Width and depth are the same everywhere; a clock only cuts live play.
#[derive(Clone, Copy, Debug)]
pub struct BeamBudget {
    /// Positions kept of each tick.
    pub width: usize,
    /// Positions kept of each tick with the hero in the same cell and the same holes open.
    pub crowd: usize,
    /// Positions kept of each tick with the hero in the same cell, whatever holes are open: else a pocket with a few golds
    /// fills the beam with the holes that can be dug in it.
    pub cell: usize,
    /// Ticks to look ahead.
    pub depth: usize,
    /// Live play: when to stop; the ticks looked ahead so far count.
    pub deadline: Option<Instant>,
}

impl BeamBudget {
    fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Why a search went no farther.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It looked as far as it was asked to.
    Horizon,
    /// Its time was up.
    Deadline,
    /// Nothing of what it kept lives longer.
    Death,
}

/// The best line found.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The action to take now.
    pub first: Action,
    /// Its actions, the first first; as many as a `Line` holds.
    pub line: Line,
    /// Its value: the discounted gold, and the discounted strategy value where it ends less that of the root.
    pub terms: Terms,
    /// Ticks that it lives through.
    pub depth: usize,
    /// Why it is not longer.
    pub ending: Ending,
    /// Positions visited.
    pub states: usize,
}

/// One step of the walk around the tree of kept positions.
#[derive(Clone, Copy, Debug)]
enum Step {
    Enter(Action),
    Leaf(u32),
    Leave,
}

/// A kept position.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// Its place among all nodes.
    node: u32,
    /// Discounted gold on the way.
    gold: f64,
}

/// A position that may be kept.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: f64,
    gold: f64,
    key: u64,
    leaf: u32,
    /// Who stands in each other's light: heroes in the same cell with the same holes open.
    crowd: u64,
    /// The hero's cell.
    cell: Cell,
    action: Action,
}

impl Candidate {
    /// When the walk comes by.
    fn place(&self) -> (u32, Action) {
        (self.leaf, self.action)
    }
}

/// How a position was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    action: Action,
}

/// What `Leave` restores.
#[derive(Debug)]
struct Frame {
    mark: Mark,
    eaten: usize,
    eaten_key: u64,
}

/// What the positions of one layer are priced with.
#[derive(Clone, Copy)]
struct Ground<'a, V: Values> {
    me: HeroId,
    values: &'a V,
    params: &'a Params,
    budget: BeamBudget,
    /// What the profit of this layer's tick counts.
    weight: f64,
}

/// Positions between two looks at the clock.
const CLOCK: usize = 256;

/// The search engine with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Beam {
    tour: Vec<Step>,
    next_tour: Vec<Step>,
    leaves: Vec<Leaf>,
    next_leaves: Vec<Leaf>,
    candidates: Vec<Candidate>,
    chosen: Vec<Candidate>,
    nodes: Vec<Node>,
    frames: Vec<Frame>,
    seen: Table,
    crowds: Table,
    cells: Table,
    potentials: Potentials,
    eaten: ArrayVec<Cell, { Beam::EATEN_MAX }>,
    eaten_key: u64,
    states: usize,
    worths: Worths,
}

const NO_NODE: u32 = u32::MAX;

impl Beam {
    /// Gold that one line can take at most; later gold counts, but its field stays.
    const EATEN_MAX: usize = 64;

    /// What things are worth from the next search on. Until told a gold is worth one gold and nothing else
    /// anything.
    pub fn weigh(&mut self, worths: Worths) {
        self.worths = worths;
    }

    /// The best line of `me` found within the budget; `None` if he dies at once whatever he does, or there was no
    /// time at all.
    pub fn search<V: Values>(
        &mut self,
        state: &mut State,
        me: HeroId,
        values: &V,
        params: &Params,
        budget: BeamBudget,
    ) -> Option<Plan> {
        self.start();
        let root = values.value(state.hero(me).cell, &[]);
        let mut best: Option<(Leaf, f64)> = None;
        let (mut depth, mut ending) = (0, Ending::Horizon);
        let mut ground = Ground {
            me,
            values,
            params,
            budget,
            weight: 1.0,
        };
        while depth < budget.depth {
            if !self.expand(state, &ground) {
                ending = Ending::Deadline;
                break;
            }
            self.choose(budget);
            let Some(first) = self.best_leaf() else {
                ending = Ending::Death;
                break;
            };
            best = Some(first);
            depth += 1;
            ground.weight *= params.inflation;
        }
        let (leaf, score) = best?;
        let terms = Terms {
            gold: leaf.gold,
            strategy: score - leaf.gold - root,
            ..Terms::default()
        };
        let line = self.line(leaf.node);
        Some(Plan {
            first: *line.first()?,
            line,
            terms,
            depth,
            ending,
            states: self.states,
        })
    }

    fn start(&mut self) {
        self.tour.clear();
        self.tour.push(Step::Leaf(0));
        self.leaves.clear();
        self.leaves.push(Leaf {
            node: NO_NODE,
            gold: 0.0,
        });
        self.nodes.clear();
        self.potentials.clear();
        self.frames.clear();
        self.eaten.clear();
        self.eaten_key = 0;
        self.states = 0;
    }

    /// Walks around the tree and tries every action at its leaves; false, with the state as it was, if time ran out.
    fn expand<V: Values>(&mut self, state: &mut State, ground: &Ground<'_, V>) -> bool {
        self.candidates.clear();
        let tour = std::mem::take(&mut self.tour);
        let mut in_time = !ground.budget.is_over();
        let mut look = self.states + CLOCK;
        for step in &tour {
            if self.states >= look {
                look = self.states + CLOCK;
                in_time = !ground.budget.is_over();
            }
            if !in_time {
                break;
            }
            match *step {
                Step::Enter(action) => {
                    let frame = self.frame(state);
                    self.act(state, ground.me, action);
                    self.frames.push(frame);
                }
                Step::Leaf(leaf) => self.try_actions(state, ground, leaf),
                Step::Leave => self.leave(state),
            }
        }
        while !self.frames.is_empty() {
            self.leave(state);
        }
        self.tour = tour;
        in_time
    }

    fn leave(&mut self, state: &mut State) {
        if let Some(frame) = self.frames.pop() {
            self.restore(state, frame);
        }
    }

    fn try_actions<V: Values>(&mut self, state: &mut State, ground: &Ground<'_, V>, leaf: u32) {
        let (me, params, weight) = (ground.me, ground.params, ground.weight);
        let before = self.leaves[leaf as usize].gold;
        for action in moves(state, me) {
            let frame = self.frame(state);
            let taken = self.act(state, me, action);
            self.states += 1;
            let hero = state.hero(me);
            if hero.alive {
                let cell = hero.cell;
                let gold = before + weight * params.gold * taken;
                let (eaten, key) = (&self.eaten, self.eaten_key);
                let rest = self.potentials.value(ground.values, cell, eaten, key);
                let horizon = ground.budget.depth;
                self.candidates.push(Candidate {
                    score: gold + weight * params.inflation * rest,
                    gold,
                    key: key::key(state, me, horizon, self.eaten_key, Margin::NONE),
                    leaf,
                    crowd: key::crowd_key(state, cell),
                    cell,
                    action,
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

    /// Keeps the best candidates, each position once and not too many in one cell, and makes them the leaves of
    /// the tree.
    fn choose(&mut self, budget: BeamBudget) {
        // Equal scores keep the order of the walk, which is the same everywhere.
        self.candidates.sort_unstable_by(|one, two| {
            let order = two.score.total_cmp(&one.score);
            order.then_with(|| one.place().cmp(&two.place()))
        });
        self.chosen.clear();
        self.seen.clear();
        self.crowds.clear();
        self.cells.clear();
        for candidate in &self.candidates {
            if self.chosen.len() >= budget.width {
                break;
            }
            let crowd = self
                .crowds
                .get(candidate.crowd)
                .map_or(0.0, |entry| entry.0);
            if crowd >= budget.crowd as f64 || self.seen.get(candidate.key).is_some() {
                continue;
            }
            let place = key::cell_key(candidate.cell);
            let inside = self.cells.get(place).map_or(0.0, |entry| entry.0);
            if inside >= budget.cell as f64 {
                continue;
            }
            self.cells.put(place, inside + 1.0, candidate.action);
            self.crowds
                .put(candidate.crowd, crowd + 1.0, candidate.action);
            self.seen.put(candidate.key, 0.0, candidate.action);
            self.chosen.push(*candidate);
        }
        // The walk meets the leaves in their order.
        self.chosen.sort_unstable_by_key(Candidate::place);
        self.next_leaves.clear();
        self.next_tour.clear();
        let mut rest = self.chosen.iter().peekable();
        for &step in &self.tour {
            match step {
                Step::Enter(_) => self.next_tour.push(step),
                Step::Leave => {
                    if matches!(self.next_tour.last(), Some(Step::Enter(_))) {
                        self.next_tour.pop();
                    } else {
                        self.next_tour.push(Step::Leave);
                    }
                }
                Step::Leaf(leaf) => {
                    while let Some(candidate) = rest.next_if(|it| it.leaf == leaf) {
                        let node = self.nodes.len() as u32;
                        self.nodes.push(Node {
                            parent: self.leaves[leaf as usize].node,
                            action: candidate.action,
                        });
                        self.next_tour.push(Step::Enter(candidate.action));
                        self.next_tour
                            .push(Step::Leaf(self.next_leaves.len() as u32));
                        self.next_tour.push(Step::Leave);
                        self.next_leaves.push(Leaf {
                            node,
                            gold: candidate.gold,
                        });
                    }
                }
            }
        }
        std::mem::swap(&mut self.tour, &mut self.next_tour);
        std::mem::swap(&mut self.leaves, &mut self.next_leaves);
    }

    /// The best position just kept and its score; of equal ones the first in the walk.
    fn best_leaf(&self) -> Option<(Leaf, f64)> {
        let mut best: Option<(Leaf, f64)> = None;
        for (leaf, candidate) in self.leaves.iter().zip(&self.chosen) {
            if best.is_none_or(|(_, score)| candidate.score > score) {
                best = Some((*leaf, candidate.score));
            }
        }
        best
    }

    fn line(&self, mut node: u32) -> Line {
        let mut length = 0;
        let mut place = node;
        while place != NO_NODE {
            length += 1;
            place = self.nodes[place as usize].parent;
        }
        // Back to front, leaving out what a line does not hold.
        let mut line = Line::new();
        while node != NO_NODE {
            let Node { parent, action } = self.nodes[node as usize];
            length -= 1;
            if length < line.capacity() {
                line.push(action);
            }
            node = parent;
        }
        line.reverse();
        line
    }
}
