//! `Search`: least ticks from one node to all others along a graph's edges, by a bucket queue (Dial): one
//! frontier a tick, and since no edge is longer than `DROP_TICKS`, a ring of one bucket more is enough.
//! The buffers are reused; nothing is recursive.

use super::graph::{DROP_TICKS, Edges};

/// The node cannot be reached.
pub(super) const NEVER: u16 = u16::MAX;

const RING: usize = DROP_TICKS as usize + 1;

/// Whether a search goes on after a node was settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Visit {
    Continue,
    Stop,
}

/// Reusable buckets.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    ring: [Vec<u16>; RING],
}

impl Search {
    /// Fills `ticks` (one entry a node) with the least ticks from `start`; `NEVER` where no way leads.
    ///
    /// `visit` is called for each node when its ticks are settled, in order of ticks. After `Stop` the
    /// unsettled entries are upper bounds.
    pub(super) fn run(
        &mut self,
        edges: &Edges,
        start: u16,
        ticks: &mut [u16],
        mut visit: impl FnMut(u16, u16) -> Visit,
    ) {
        ticks.fill(NEVER);
        for bucket in &mut self.ring {
            bucket.clear();
        }
        ticks[start as usize] = 0;
        self.ring[0].push(start);
        let mut waiting = 1;
        let mut now = 0;
        // A way longer than the type can count does not exist on a board of 128 x 128; the bound makes
        // that plain to see instead of wrapping round.
        while waiting > 0 && now < NEVER - DROP_TICKS {
            let mut frontier = std::mem::take(&mut self.ring[now as usize % RING]);
            waiting -= frontier.len();
            for &node in &frontier {
                if ticks[node as usize] != now {
                    continue;
                }
                if visit(node, now) == Visit::Stop {
                    return;
                }
                let (steps, drops) = edges.of(node);
                for (others, cost) in [(steps, 1), (drops, DROP_TICKS)] {
                    let then = now + cost;
                    let bucket = &mut self.ring[then as usize % RING];
                    for &other in others {
                        if ticks[other as usize] > then {
                            ticks[other as usize] = then;
                            bucket.push(other);
                            waiting += 1;
                        }
                    }
                }
            }
            frontier.clear();
            self.ring[now as usize % RING] = frontier;
            now += 1;
        }
    }
}
