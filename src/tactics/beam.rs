//! `Beam`: a search that looks much farther than `Dp` and keeps only the most promising positions of each
//! tick (ALGORITHM section 4). It finds long lines, among monsters too; it proves nothing, since what it
//! drops is gone. One state is mutated in place: the positions kept are the leaves of a tree, and each layer walks once
//! around that tree, making and undoing its edges, so that no position is ever copied.

use super::descent::{Child, Descent, Ground, Stand};
use super::kept::{Alike, Kept};
use super::plan::{End, Ending, Plan, Tree};
use super::{Values, is_past};
use crate::board::Action;
use crate::params::Params;
use crate::sim::{HeroId, State};
use crate::strategy::Worths;
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
    child: Child,
    leaf: u32,
}

impl Candidate {
    /// When the walk comes by.
    fn place(&self) -> (u32, Action) {
        (self.leaf, self.child.action)
    }
}

/// Positions between two looks at the clock.
const CLOCK: usize = 256;

/// The search engine with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Beam {
    descent: Descent,
    tour: Vec<Step>,
    next_tour: Vec<Step>,
    leaves: Vec<Leaf>,
    next_leaves: Vec<Leaf>,
    candidates: Vec<Candidate>,
    chosen: Vec<Candidate>,
    kept: Kept,
    tree: Tree,
}

impl Beam {
    /// What things are worth from the next search on. Until told a gold is worth one gold and nothing else
    /// anything.
    pub fn weigh(&mut self, worths: Worths) {
        self.descent.weigh(worths);
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
        let mut best = None;
        let (mut depth, mut ending, mut weight) = (0, Ending::Horizon, 1.0);
        let ground = Ground { me, values, params };
        while depth < budget.depth {
            if !self.expand(state, &ground, weight, budget) {
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
            weight *= params.inflation;
        }
        let (leaf, score) = best?;
        let end = End {
            node: leaf.node,
            depth,
            gold: leaf.gold,
            score,
            root,
        };
        self.tree.plan(end, ending, self.descent.states())
    }

    fn start(&mut self) {
        self.descent.start();
        self.tour.clear();
        self.tour.push(Step::Leaf(0));
        self.leaves.clear();
        self.leaves.push(Leaf {
            node: Tree::ROOT,
            gold: 0.0,
        });
        self.tree.clear();
    }

    /// Walks around the tree and tries every action at its leaves, where the profit of a tick counts `weight`; false, with
    /// the state as it was, if time ran out.
    fn expand<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        weight: f64,
        budget: BeamBudget,
    ) -> bool {
        self.candidates.clear();
        let mut in_time = !is_past(budget.deadline);
        let mut look = self.descent.states() + CLOCK;
        for step in &self.tour {
            if self.descent.states() >= look {
                look = self.descent.states() + CLOCK;
                in_time = !is_past(budget.deadline);
            }
            if !in_time {
                break;
            }
            match *step {
                Step::Enter(action) => self.descent.enter(state, ground.me, action),
                Step::Leaf(leaf) => {
                    let stand = Stand {
                        gold: self.leaves[leaf as usize].gold,
                        weight,
                        horizon: budget.depth,
                    };
                    let candidates = &mut self.candidates;
                    self.descent.try_actions(state, ground, stand, |child| {
                        candidates.push(Candidate { child, leaf });
                    });
                }
                Step::Leave => self.descent.leave(state),
            }
        }
        self.descent.leave_all_but(state, 0);
        in_time
    }

    /// Keeps the best candidates, each position once and not too many in one cell, and makes them the leaves of
    /// the tree.
    fn choose(&mut self, budget: BeamBudget) {
        // Equal scores keep the order of the walk, which is the same everywhere.
        self.candidates.sort_unstable_by(|one, two| {
            let order = two.child.score.total_cmp(&one.child.score);
            order.then_with(|| one.place().cmp(&two.place()))
        });
        self.chosen.clear();
        self.kept.clear();
        let most = Alike {
            crowd: budget.crowd,
            cell: budget.cell,
        };
        for candidate in &self.candidates {
            if self.chosen.len() >= budget.width {
                break;
            }
            let child = &candidate.child;
            if self.kept.gold(child.key).is_some()
                || !self.kept.admit(0, child.crowd, child.cell, most)
            {
                continue;
            }
            self.kept.note(child.key, child.gold);
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
                        let Child { action, gold, .. } = candidate.child;
                        let parent = self.leaves[leaf as usize].node;
                        let node = self.tree.add(parent, action);
                        self.next_tour.push(Step::Enter(action));
                        self.next_tour
                            .push(Step::Leaf(self.next_leaves.len() as u32));
                        self.next_tour.push(Step::Leave);
                        self.next_leaves.push(Leaf { node, gold });
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
            if best.is_none_or(|(_, score)| candidate.child.score > score) {
                best = Some((*leaf, candidate.child.score));
            }
        }
        best
    }
}
