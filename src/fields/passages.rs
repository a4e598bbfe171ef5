//! `Passages`: what opens and bars ways beside the terrain in the dialects of 2021 and later: portals with known
//! exits, and closed doors that the hero has no key for. They change from time to time, so they are no part of
//! a level; classic has none.

use crate::board::Cell;
use crate::sim::{HeroId, ItemKind, State};

/// Portals and closed doors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passages {
    /// From, to; sorted.
    portals: Vec<(Cell, Cell)>,
    /// Closed doors; sorted.
    closed: Vec<Cell>,
}

impl Passages {
    /// The doors of a state that are closed to this hero, and these portals with their exits.
    pub fn new(state: &State, hero: HeroId, portals: &[(Cell, Cell)]) -> Passages {
        let keys = state.gear(hero).keys;
        let closed = state.items().iter().filter_map(|item| match item.kind {
            ItemKind::Door(metal, false) if keys[metal as usize] == 0 => Some(item.cell),
            _ => None,
        });
        let mut passages = Passages {
            portals: portals.to_vec(),
            closed: closed.collect(),
        };
        passages.portals.sort_unstable();
        passages.closed.sort_unstable();
        passages
    }

    /// Whether there is nothing of the kind.
    pub fn is_empty(&self) -> bool {
        self.portals.is_empty() && self.closed.is_empty()
    }

    /// Where the portal of a cell leads, if there is one whose exit is known.
    pub fn exit(&self, cell: Cell) -> Option<Cell> {
        let found = self.portals.binary_search_by_key(&cell, |pair| pair.0);
        found.ok().map(|index| self.portals[index].1)
    }

    /// Whether a closed door bars the cell: no step leads into it, though a fall does.
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.closed.binary_search(&cell).is_ok()
    }
}
