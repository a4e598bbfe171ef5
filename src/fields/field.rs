//! `Field`: the hero's distances to one target cell, in ticks. Not the value of being somewhere: that is
//! `strategy::ValueMap`.

use super::graph::Graph;
use super::search::{NEVER, Search, Visit};
use crate::board::Cell;
use std::sync::Arc;

/// Least ticks to a target from every cell, as far as the terrain decides.
///
/// A brick cell that may be dug counts as open: it has the ticks of a hero who is in the hole. The ways on from there take
/// it for closed again, as all others do.
#[derive(Debug)]
pub struct Field {
    graph: Arc<Graph>,
    target: Cell,
    longest: u16,
    ticks: Box<[u16]>,
}

impl Field {
    /// Searches backwards from the target, breadth first.
    pub(super) fn new(graph: &Arc<Graph>, target: Cell) -> Field {
        let mut ticks = vec![NEVER; graph.len()];
        let mut longest = 0;
        if let Some(start) = graph.number(target) {
            let mut search = Search::default();
            search.run(graph.backward(), start, &mut ticks, |_, now| {
                longest = now;
                Visit::Continue
            });
        }
        Field {
            graph: Arc::clone(graph),
            target,
            longest,
            ticks: ticks.into_boxed_slice(),
        }
    }

    /// The cell it leads to.
    pub fn target(&self) -> Cell {
        self.target
    }

    /// Least ticks from a cell to the target; `None` if the hero cannot get there.
    #[inline]
    pub fn ticks(&self, from: Cell) -> Option<u16> {
        let ticks = self.ticks[self.graph.number(from)? as usize];
        (ticks != NEVER).then_some(ticks)
    }

    /// The largest value of `ticks`.
    #[inline]
    pub fn longest(&self) -> u16 {
        self.longest
    }

    /// Ticks by node number, `u16::MAX` where no way leads: for sweeps over a whole field.
    #[inline]
    pub fn by_node(&self) -> &[u16] {
        &self.ticks
    }

    /// What it costs to keep.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Field>() + size_of_val(&*self.ticks)
    }
}
