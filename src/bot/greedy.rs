//! `Greedy`: straight to the nearest gold, where kinds differ to that with the most points a tick, digging where that
//! is shorter. It ignores monsters and rivals, and stays where no gold can be got to.

use crate::board::{Action, Cell, CellSet};
use crate::fields::{Fields, Flood, Passages, Way};
use crate::sim::{HeroId, ItemKind, State};
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
        let field = self.fields(state, id).field(gold);
        Way::new(state, &field).action(id)
    }

    /// The gold it wants and how many ticks away it is; `None` if there is no way to any.
    pub fn nearest(&mut self, state: &State, id: HeroId) -> Option<(Cell, u16)> {
        let golds = state.gold().iter().map(|gold| gold.cell);
        let graph = Arc::clone(self.fields(state, id).graph());
        let from = state.hero(id).cell;
        if state.is_classic() {
            return self.flood.nearest(&graph, from, golds);
        }
        let ticks = self.flood.ticks(&graph, from);
        let points = &state.rules().points;
        let reached = state.gold().iter().filter_map(|gold| {
            let far = ticks[graph.number(gold.cell)? as usize];
            let pay = points.gold[gold.kind as usize].max(0);
            (far != u16::MAX).then_some((gold.cell, far, pay))
        });
        // The most points a tick: of equal ones the first in reading order.
        let rate = |&(cell, far, pay): &(Cell, u16, i64)| {
            let per_tick = (pay << 16) / (i64::from(far) + 1);
            (per_tick, std::cmp::Reverse(cell))
        };
        reached.max_by_key(rate).map(|(cell, far, _)| (cell, far))
    }

    fn fields(&mut self, state: &State, id: HeroId) -> &Fields {
        let concrete = CellSet::new(state.size());
        let exits: Vec<(Cell, Cell)> = state
            .items()
            .iter()
            .filter(|item| item.kind == ItemKind::Portal)
            .filter_map(|item| Some((item.cell, state.portal_exit(item.cell)?)))
            .collect();
        let passages = Passages::new(state, id, &exits);
        let fields = match self.fields.take() {
            Some(fields) if fields.belong_with(state.level(), &concrete, &passages) => fields,
            _ => Fields::with_passages(Arc::clone(state.level()), &concrete, passages),
        };
        self.fields.insert(fields)
    }
}
