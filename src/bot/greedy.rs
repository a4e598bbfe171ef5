//! `Greedy`: straight to the nearest gold, digging where that is shorter. It ignores monsters and rivals,
//! and stays where no gold can be got to.

use crate::board::{Action, Cell, CellSet};
use crate::fields::{Fields, Flood, Way};
use crate::sim::{HeroId, State};
use std::sync::Arc;

/// Follows the field of the nearest gold; of equally near golds the first in reading order, of equally
/// good actions the first in action order.
#[derive(Debug, Default)]
pub struct Greedy {
    fields: Option<Fields>,
    flood: Flood,
}

impl Greedy {
    /// A bot that makes the fields of a level when it first sees it.
    pub fn new() -> Greedy {
        Greedy::default()
    }

    /// The first action of the quickest way to the nearest gold. A falling hero stays: he cannot do anything.
    pub fn decide(&mut self, state: &State, id: HeroId) -> Action {
        let hero = state.hero(id);
        if !hero.alive || state.falls(hero.cell) {
            return Action::Stay;
        }
        let gold = match self.nearest(state, id) {
            // Of several golds in one cell a hero takes one a tick, by staying.
            None | Some((_, 0)) => return Action::Stay,
            Some((gold, _)) => gold,
        };
        let field = self.fields(state).field(gold);
        Way::new(state, &field).action(id)
    }

    /// The nearest gold and how many ticks away it is; `None` if there is no way to any.
    pub fn nearest(&mut self, state: &State, id: HeroId) -> Option<(Cell, u16)> {
        let golds = state.gold().iter().map(|gold| gold.cell);
        let graph = Arc::clone(self.fields(state).graph());
        self.flood.nearest(&graph, state.hero(id).cell, golds)
    }

    fn fields(&mut self, state: &State) -> &Fields {
        let concrete = CellSet::new(state.size());
        let fields = match self.fields.take() {
            Some(fields) if fields.belong_to(state.level(), &concrete) => fields,
            _ => Fields::new(Arc::clone(state.level()), &concrete),
        };
        self.fields.insert(fields)
    }
}
