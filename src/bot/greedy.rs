//! `Greedy`: straight to the nearest gold, digging where that is shorter. It ignores monsters and rivals,
//! and stays where no gold can be got to.

use crate::board::{Action, CellSet};
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
        let concrete = CellSet::new(state.size());
        let fields = match self.fields.take() {
            Some(fields) if fields.belong_to(state.level(), &concrete) => fields,
            _ => Fields::new(Arc::clone(state.level()), &concrete),
        };
        let fields = self.fields.insert(fields);
        let golds = state.gold().iter().map(|gold| gold.cell);
        let gold = match self.flood.nearest(fields.graph(), hero.cell, golds) {
            // Of several golds in one cell a hero takes one a tick, by staying.
            None | Some((_, 0)) => return Action::Stay,
            Some((gold, _)) => gold,
        };
        Way::new(state, &fields.field(gold)).action(id)
    }
}
