//! `Flood`: the search in the hero's own direction, from where he is: what he can reach, and which of many
//! targets is nearest. One flood answers for all targets, where fields would cost one search each.

use super::graph::Graph;
use super::search::{NEVER, Search, Visit};
use crate::board::Cell;

/// Reusable buffers of forward searches; they grow to the largest graph they were used on.
#[derive(Clone, Debug, Default)]
pub struct Flood {
    search: Search,
    ticks: Vec<u16>,
    goals: Vec<bool>,
}

impl Flood {
    /// Least ticks from `from` to every node, by node number, `u16::MAX` where no way leads.
    pub fn ticks(&mut self, graph: &Graph, from: Cell) -> &[u16] {
        self.ticks.resize(graph.len(), NEVER);
        match graph.number(from) {
            Some(start) => self
                .search
                .run(graph.forward(), start, &mut self.ticks, |_, _| {
                    Visit::Continue
                }),
            None => self.ticks.fill(NEVER),
        }
        &self.ticks
    }

    /// The target that is fewest ticks away, and how many; of several the first in reading order. `None`
    /// if no target can be reached.
    pub fn nearest(
        &mut self,
        graph: &Graph,
        from: Cell,
        targets: impl Iterator<Item = Cell> + Clone,
    ) -> Option<(Cell, u16)> {
        let start = graph.number(from)?;
        self.ticks.resize(graph.len(), NEVER);
        self.goals.resize(graph.len(), false);
        let numbers = targets.filter_map(|target| graph.number(target));
        for number in numbers.clone() {
            self.goals[number as usize] = true;
        }
        let mut best: Option<(u16, u16)> = None;
        let goals = &self.goals;
        let edges = graph.forward();
        self.search.run(edges, start, &mut self.ticks, |node, now| {
            match best {
                Some((_, ticks)) if now > ticks => return Visit::Stop,
                Some((first, _)) if first < node => {}
                _ if goals[node as usize] => best = Some((node, now)),
                _ => {}
            }
            Visit::Continue
        });
        for number in numbers {
            self.goals[number as usize] = false;
        }
        best.map(|(node, ticks)| (graph.cells()[node as usize], ticks))
    }
}
