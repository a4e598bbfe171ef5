//! `Chokudai`: the any-time search of ALGORITHM section 4. A queue for each tick holds the positions not yet expanded; a
//! pass takes the best few of every queue, from the root to the horizon, and puts what follows them into the next one.
//! The first pass is little more than greedy, every later one mends what those before it found, and after each there is
//! a best plan, which never gets worse. Its elder sister is `Beam`, which is through with a tick before it begins the next.
//!
//! One state is mutated in place. To expand a position the search walks there from the one expanded last, up to where
//! their ways part and down again; in one pass that is often the single tick to a child.
//!
//! Queues are binary heaps: scores are sums of discounted real numbers, so that buckets would have to round them, and what
//! rounds to the same bucket would be taken in the order of its coming.

use super::descent::{Child, Descent, Ground, Stand};
use super::kept::{Alike, Kept};
use super::plan::{End, Ending, Plan, Tree};
use super::{Values, is_past};
use crate::board::{Action, Cell};
use crate::params::Params;
use crate::sim::{HeroId, State};
use crate::strategy::Worths;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Instant;

/// What bounds a search in passes. Passes and depth are the same everywhere; a clock only cuts live play.
#[derive(Clone, Copy, Debug)]
pub struct ChokudaiBudget {
    /// Passes at most.
    pub passes: usize,
    /// Positions expanded of each tick in one pass.
    pub expanded: usize,
    /// Of so many positions expanded of one tick, over all passes ..
    pub width: usize,
    /// .. at most so many with the hero in the same cell and the same holes open ..
    pub crowd: usize,
    /// .. and so many with the hero in the same cell; of more positions more, in the same share.
    pub cell: usize,
    /// Ticks to look ahead.
    pub depth: usize,
    /// Live play: when to stop; what was found until then counts.
    pub deadline: Option<Instant>,
}

impl ChokudaiBudget {
    /// How many positions may be alike after so many passes.
    fn alike(&self, passes: usize) -> Alike {
        let expanded = passes.saturating_mul(self.expanded);
        let share = |most: usize| most.saturating_mul(expanded).div_ceil(self.width.max(1));
        Alike {
            crowd: share(self.crowd),
            cell: share(self.cell),
        }
    }
}

/// A position in a queue.
#[derive(Clone, Copy, Debug)]
struct Queued {
    score: f64,
    node: u32,
}

impl Ord for Queued {
    /// The largest is taken first: the best, of equal ones the one found first.
    fn cmp(&self, other: &Queued) -> Ordering {
        let order = self.score.total_cmp(&other.score);
        order.then_with(|| other.node.cmp(&self.node))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}

/// What is known of a position besides how it was reached.
#[derive(Clone, Copy, Debug)]
struct Known {
    gold: f64,
    key: u64,
    crowd: u64,
    cell: Cell,
}

/// The positions of one tick that are not expanded.
#[derive(Debug, Default)]
struct Layer {
    queue: BinaryHeap<Queued>,
    /// Too many like these were expanded; they go back into the queue when more may be.
    waiting: Vec<Queued>,
}

/// Positions that one search keeps at most: what 60 MB hold.
const NODES_MAX: usize = 1 << 19;

/// The search engine with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Chokudai {
    descent: Descent,
    layers: Vec<Layer>,
    /// The positions to expand of the tick at hand.
    chosen: Vec<u32>,
    tree: Tree,
    known: Vec<Known>,
    kept: Kept,
    /// The positions between the root and the state as it is.
    path: Vec<u32>,
    /// Those on the way down to the next one, the last first.
    ahead: Vec<u32>,
    best: Option<End>,
    /// The strategy value of the root.
    root: f64,
}

impl Chokudai {
    /// What things are worth from the next search on. Until told a gold is worth one gold and nothing else
    /// anything.
    pub fn weigh(&mut self, worths: Worths) {
        self.descent.weigh(worths);
    }

    /// The best line of `me` found within the budget; `None` if he dies at once whatever he does, or there was no
    /// time at all. `offer` is told after each pass that found a better line to the horizon how that one begins.
    pub fn search<V: Values>(
        &mut self,
        state: &mut State,
        me: HeroId,
        values: &V,
        params: &Params,
        budget: ChokudaiBudget,
        mut offer: impl FnMut(Action),
    ) -> Option<Plan> {
        self.start(budget);
        self.root = values.value(state.hero(me).cell, &[]);
        let ground = Ground { me, values, params };
        let (mut offered, mut in_time) = (f64::NEG_INFINITY, true);
        let mut most = budget.alike(1);
        for pass in 1..=budget.passes {
            let grown = budget.alike(pass);
            if grown != most {
                most = grown;
                self.wake();
            }
            in_time = self.pass(state, &ground, most, budget);
            if let Some(best) = self.best.filter(|best| best.depth == budget.depth)
                && best.score > offered
            {
                offered = best.score;
                if let Some(plan) = self.plan(Ending::Horizon) {
                    offer(plan.first);
                }
            }
            if !in_time || self.is_exhausted() || self.is_full() {
                break;
            }
        }
        let ending = match self.best {
            Some(best) if best.depth >= budget.depth => Ending::Horizon,
            _ if !in_time => Ending::Deadline,
            _ => Ending::Death,
        };
        self.plan(ending)
    }

    fn start(&mut self, budget: ChokudaiBudget) {
        self.descent.start();
        self.tree.clear();
        self.known.clear();
        self.kept.clear();
        self.path.clear();
        self.best = None;
        if self.layers.len() < budget.depth {
            self.layers.resize_with(budget.depth, Layer::default);
        }
        for layer in &mut self.layers {
            layer.queue.clear();
            layer.waiting.clear();
        }
        if let Some(first) = self.layers.first_mut() {
            first.queue.push(Queued {
                score: 0.0,
                node: Tree::ROOT,
            });
        }
    }

    fn plan(&self, ending: Ending) -> Option<Plan> {
        self.tree.plan(self.best?, ending, self.descent.states())
    }

    /// Whether nothing is left to expand.
    fn is_exhausted(&self) -> bool {
        let mut layers = self.layers.iter();
        layers.all(|layer| layer.queue.is_empty() && layer.waiting.is_empty())
    }

    fn is_full(&self) -> bool {
        self.known.len() >= NODES_MAX
    }

    /// More may be alike: those that waited for it go back into their queues.
    fn wake(&mut self) {
        for layer in &mut self.layers {
            layer.queue.extend(layer.waiting.drain(..));
        }
    }

    /// Expands the best positions of every tick, as long as there is room; false if time ran out. The state is as it was
    /// in any case.
    fn pass<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        most: Alike,
        budget: ChokudaiBudget,
    ) -> bool {
        let mut in_time = true;
        let mut weight = 1.0;
        'pass: for depth in 0..budget.depth {
            self.choose(depth, most, budget.expanded);
            for index in 0..self.chosen.len() {
                in_time = !is_past(budget.deadline);
                if !in_time || self.is_full() {
                    break 'pass;
                }
                let node = self.chosen[index];
                self.walk(state, ground.me, node, depth);
                self.expand(state, ground, node, depth, weight, budget.depth);
            }
            weight *= ground.params.inflation;
        }
        self.path.clear();
        self.descent.leave_all_but(state, 0);
        in_time
    }

    /// Takes the best positions of one tick out of its queue.
    fn choose(&mut self, depth: usize, most: Alike, count: usize) {
        self.chosen.clear();
        let layer = &mut self.layers[depth];
        while self.chosen.len() < count
            && let Some(queued) = layer.queue.pop()
        {
            if let Some(known) = self.known.get(queued.node as usize) {
                let bettered = self.kept.gold(known.key);
                if bettered.is_some_and(|gold| gold > known.gold) {
                    continue;
                }
                if !self.kept.admit(depth, known.crowd, known.cell, most) {
                    layer.waiting.push(queued);
                    continue;
                }
            }
            self.chosen.push(queued.node);
        }
        // Neighbours in the tree have numbers close to each other: less to walk.
        self.chosen.sort_unstable();
    }

    /// From the position where the state is to this one, so many ticks after the root.
    fn walk(&mut self, state: &mut State, me: HeroId, node: u32, depth: usize) {
        self.ahead.clear();
        let (mut place, mut shared) = (node, depth);
        while shared > 0 && self.path.get(shared - 1) != Some(&place) {
            self.ahead.push(place);
            place = self.tree.before(place).0;
            shared -= 1;
        }
        self.path.truncate(shared);
        self.descent.leave_all_but(state, shared);
        for &place in self.ahead.iter().rev() {
            let action = self.tree.before(place).1;
            self.descent.enter(state, me, action);
            self.path.push(place);
        }
    }

    /// Tries every action here and puts the positions that are new, or came with more gold, into the next queue.
    fn expand<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        node: u32,
        depth: usize,
        weight: f64,
        horizon: usize,
    ) {
        let stand = Stand {
            gold: self
                .known
                .get(node as usize)
                .map_or(0.0, |known| known.gold),
            weight,
            horizon: horizon - depth - 1,
        };
        let Chokudai {
            descent,
            layers,
            tree,
            known,
            kept,
            best,
            root,
            ..
        } = self;
        let depth = depth + 1;
        descent.try_actions(state, ground, stand, |child| {
            let Child {
                action,
                score,
                gold,
                key,
                crowd,
                cell,
            } = child;
            if kept.gold(key).is_some_and(|most| most >= gold) {
                return;
            }
            kept.note(key, gold);
            let node = tree.add(node, action);
            known.push(Known {
                gold,
                key,
                crowd,
                cell,
            });
            if let Some(layer) = layers[..horizon].get_mut(depth) {
                layer.queue.push(Queued { score, node });
            }
            if best.is_none_or(|best| (depth, score) > (best.depth, best.score)) {
                *best = Some(End {
                    node,
                    depth,
                    gold,
                    score,
                    root: *root,
                });
            }
        });
    }
}
