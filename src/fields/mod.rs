//! The hero's distances: his move graph, and for each target the field of least ticks to it.
//!
//! Fields depend on the static terrain only, and on cells turned to concrete by motionless rivals
//! (ALGORITHM section 2). They know neither monsters nor open holes nor other gold: `reach` and the search
//! over states do. Not what being somewhere is worth: that is `strategy`.

mod field;
mod flood;
mod graph;
mod passages;
mod search;
#[cfg(test)]
mod tests;
mod way;

pub use field::Field;
pub use flood::Flood;
pub use graph::{DROP_TICKS, Graph, Move};
pub use passages::Passages;
pub use way::Way;

use crate::board::{Cell, CellSet};
use crate::sim::Level;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The fields of a level, made when first asked for and kept. Shared between threads by reference.
#[derive(Debug)]
pub struct Fields {
    level: Arc<Level>,
    concrete: CellSet,
    passages: Passages,
    graph: Arc<Graph>,
    nowhere: Arc<Field>,
    /// One slot a node.
    slots: Vec<RwLock<Option<Arc<Field>>>>,
    kept: Mutex<Kept>,
}

/// Which fields are kept, oldest first.
#[derive(Debug, Default)]
struct Kept {
    order: VecDeque<u16>,
    bytes: usize,
}

/// Beyond this many bytes the oldest fields are dropped. A 58 x 58 board needs 12 MB for all its cells; on
/// 128 x 128 this keeps the latest two thousand or so, far more than there is gold.
const BYTES_MAX: usize = 64 << 20;

impl Fields {
    /// The fields of a level, with the cells of `concrete` taken as solid.
    pub fn new(level: Arc<Level>, concrete: &CellSet) -> Fields {
        Fields::with_passages(level, concrete, Passages::default())
    }

    /// The same with portals and doors as they are now.
    pub fn with_passages(level: Arc<Level>, concrete: &CellSet, passages: Passages) -> Fields {
        let graph = Arc::new(Graph::with_passages(&level, concrete, &passages));
        Fields {
            nowhere: Arc::new(Field::new(&graph, Cell::from_index(0))),
            slots: (0..graph.len()).map(|_| RwLock::new(None)).collect(),
            kept: Mutex::default(),
            concrete: concrete.clone(),
            passages,
            graph,
            level,
        }
    }

    /// Whether these are the fields of this level and concrete without passages, so that they need not be made
    /// anew.
    pub fn belong_to(&self, level: &Arc<Level>, concrete: &CellSet) -> bool {
        self.belong_with(level, concrete, &Passages::default())
    }

    /// Whether these are the fields of this level, concrete and passages.
    pub fn belong_with(&self, level: &Arc<Level>, concrete: &CellSet, passages: &Passages) -> bool {
        Arc::ptr_eq(&self.level, level) && self.concrete == *concrete && self.passages == *passages
    }

    /// The move graph.
    #[inline]
    pub fn graph(&self) -> &Arc<Graph> {
        &self.graph
    }

    /// The moves out of a cell, in action order; none where the hero cannot be.
    pub fn moves(&self, cell: Cell) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.graph.number(cell).is_some() {
            let ground = graph::Ground::new(&self.level, &self.concrete, &self.passages);
            ground.each_move(cell, |found| moves.push(found));
        }
        moves
    }

    /// The field of a target. All ticks are `None` if the hero can never be there.
    pub fn field(&self, target: Cell) -> Arc<Field> {
        let Some(number) = self.graph.number(target) else {
            return Arc::clone(&self.nowhere);
        };
        let slot = &self.slots[number as usize];
        // A lock is only poisoned if a thread panicked; what it guards is valid at every moment.
        let known = slot.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(field) = &*known {
            return Arc::clone(field);
        }
        drop(known);
        let field = Arc::new(Field::new(&self.graph, target));
        self.keep(number, &field);
        field
    }

    #[cold]
    fn keep(&self, number: u16, field: &Arc<Field>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let put = |number: u16, content: Option<Arc<Field>>| {
            let slot = &self.slots[number as usize];
            let mut slot = slot.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *slot, content)
        };
        if put(number, Some(Arc::clone(field))).is_none() {
            kept.order.push_back(number);
            kept.bytes += field.bytes();
        }
        while kept.bytes > BYTES_MAX && kept.order.len() > 1 {
            let Some(oldest) = kept.order.pop_front() else {
                break;
            };
            if let Some(dropped) = put(oldest, None) {
                kept.bytes -= dropped.bytes();
            }
        }
    }

    /// The target nearest to `from` and its ticks; of several the first in reading order. Allocates its
    /// buffers: `Flood::nearest` is the same with buffers to reuse.
    pub fn nearest(
        &self,
        from: Cell,
        targets: impl Iterator<Item = Cell> + Clone,
    ) -> Option<(Cell, u16)> {
        Flood::default().nearest(&self.graph, from, targets)
    }

    /// Every cell that the hero can get to from a cell, that cell included; empty if he cannot be there.
    pub fn reachable_from(&self, from: Cell) -> CellSet {
        let mut flood = Flood::default();
        let ticks = flood.ticks(&self.graph, from);
        let mut cells = CellSet::new(self.graph.size());
        let reached = self.graph.cells().iter().zip(ticks);
        cells.extend(
            reached
                .filter(|(_, ticks)| **ticks != u16::MAX)
                .map(|(&cell, _)| cell),
        );
        cells
    }

    /// The first cell where a new hero may be placed and from which one of the targets cannot be reached,
    /// with that target; `None` if every target can be reached from everywhere. Keeps no fields.
    pub fn stranded(&self, targets: impl Iterator<Item = Cell>) -> Option<(Cell, Cell)> {
        let free = |cell: &Cell| self.level.terrain()[*cell].is_free();
        targets.into_iter().find_map(|target| {
            let field = Field::new(&self.graph, target);
            let mut cells = self.graph.cells().iter().copied().filter(free);
            let cell = cells.find(|&cell| field.ticks(cell).is_none())?;
            Some((cell, target))
        })
    }
}
