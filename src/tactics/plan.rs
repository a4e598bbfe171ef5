//! `Plan`: the long line that `Beam` and `Chokudai` answer with, and the tree of kept positions that it is read from.
//! Not how the positions are found.

use super::{Line, Terms};
use crate::board::Action;

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

/// How a position was reached.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    action: Action,
}

/// The positions kept, by number, each with the one before it. The root has no number of its own: it is `Tree::ROOT`.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// What the first positions follow.
    pub(super) const ROOT: u32 = u32::MAX;

    /// Leaves only the root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// Adds a position; its number.
    pub(super) fn add(&mut self, parent: u32, action: Action) -> u32 {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { parent, action });
        node
    }

    /// The position before this one, which is not the root, and the action between them.
    pub(super) fn before(&self, node: u32) -> (u32, Action) {
        let Node { parent, action } = self.nodes[node as usize];
        (parent, action)
    }

    /// The actions from the root to this position.
    fn line(&self, mut node: u32) -> Line {
        let mut length = 0;
        let mut place = node;
        while place != Tree::ROOT {
            length += 1;
            place = self.before(place).0;
        }
        // Back to front, leaving out what a line does not hold.
        let mut line = Line::new();
        while node != Tree::ROOT {
            let (parent, action) = self.before(node);
            length -= 1;
            if length < line.capacity() {
                line.push(action);
            }
            node = parent;
        }
        line.reverse();
        line
    }

    /// The plan that ends in this position; `None` for the root, where no action is taken.
    pub(super) fn plan(&self, end: End, ending: Ending, states: usize) -> Option<Plan> {
        let line = self.line(end.node);
        Some(Plan {
            first: *line.first()?,
            line,
            terms: Terms {
                gold: end.gold,
                strategy: end.score - end.gold - end.root,
                ..Terms::default()
            },
            depth: end.depth,
            ending,
            states,
        })
    }
}

/// Where a plan ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// Its number in the tree.
    pub(super) node: u32,
    /// Ticks after the root.
    pub(super) depth: usize,
    /// Discounted gold on the way.
    pub(super) gold: f64,
    /// That and the discounted strategy value there.
    pub(super) score: f64,
    /// The strategy value of the root.
    pub(super) root: f64,
}
