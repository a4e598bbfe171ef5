//! Strategies: which gold to want, as a map of what it is worth to be in each cell (ALGORITHM section 3).
//!
//! The strategies `nearest` and `sum` are a choice of golds and weights, added up by `ValueMap`; `chain` has a map
//! of its own, `ChainMap`, over the `Chains` that golds begin; of few golds `Tour` finds the best of all orders. How to get there in the next few ticks, past monsters and through holes, is the business of
//! `tactics`.

mod chain;
mod chain_map;
mod slots;
mod taken;
#[cfg(test)]
mod tests;
mod tour;
mod value_map;
mod worths;

pub use chain_map::{ChainMap, Trial};
pub use taken::{FOLLOWED, Row, SETS, Taken};
pub use value_map::{Share, ValueMap};
pub use worths::Worths;

use crate::board::{Cell, Size};
use crate::fields::{Fields, Flood};
use crate::params::{Params, StrategyKind};
use crate::sim::{HeroId, State};

/// The map of one strategy at a time, made anew for each board, and the buffers that are reused from board to board.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    kind: Option<StrategyKind>,
    sum: ValueMap,
    chain: ChainMap,
    flood: Flood,
    /// `height_inflation^row`, by row from the top.
    rows: Vec<f64>,
    row_inflation: f64,
    worths: Worths,
}

impl Strategy {
    /// A strategy without history.
    pub fn new() -> Strategy {
        Strategy::default()
    }

    /// What golds are worth from the next map on.
    pub fn weigh(&mut self, worths: Worths) {
        self.worths = worths;
    }

    /// Makes this strategy's own map the one of this kind for a hero. The state is played forward and undone
    /// where ways are tried out.
    pub fn prepare(
        &mut self,
        kind: StrategyKind,
        state: &mut State,
        hero: HeroId,
        fields: &Fields,
        params: &Params,
        trial: &mut dyn Trial,
    ) {
        self.kind = Some(kind);
        if kind == StrategyKind::Chain {
            self.chain
                .build(state, hero, fields, params, self.worths, trial);
        } else {
            let mut map = std::mem::take(&mut self.sum);
            self.build(kind, state, hero, fields, params, &mut map);
            self.sum = map;
        }
    }

    /// The value of a cell in the map last prepared, after the golds in `eaten` were taken.
    #[inline]
    pub fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        match self.kind {
            Some(StrategyKind::Chain) => self.chain.value(cell, eaten),
            Some(StrategyKind::Nearest | StrategyKind::Sum) => self.sum.value(cell, eaten),
            None => 0.0,
        }
    }

    /// Prepares `taken` for rows of the map last prepared: one number for each set of these golds.
    pub fn take(&self, golds: &[Cell], taken: &mut Taken) {
        if self.kind == Some(StrategyKind::Chain) {
            self.chain.take(golds, taken);
        } else {
            taken.follow(golds);
        }
    }

    /// What `value` says of a cell for every set of the golds that `taken` was prepared for.
    #[inline]
    pub fn row(&self, cell: Cell, taken: &Taken) -> Row {
        if self.kind == Some(StrategyKind::Chain) {
            self.chain.row(cell, taken)
        } else {
            taken.row(|eaten| self.value(cell, eaten))
        }
    }

    /// Makes `map` the value map of this kind for a hero: all gold of the state as he sees it, with his
    /// distances from `fields`. Nothing is allocated once the buffers have grown and the fields are kept.
    pub fn build(
        &mut self,
        kind: StrategyKind,
        state: &State,
        hero: HeroId,
        fields: &Fields,
        params: &Params,
        map: &mut ValueMap,
    ) {
        self.fill_rows(state.size(), params.height_inflation);
        let size = state.size();
        let golds = state.gold().iter().map(|gold| gold.cell);
        let rows = &self.rows;
        let share = |gold| Share {
            gold,
            weight: rows.get(size.row(gold)).copied().unwrap_or(0.0),
        };
        let (height, inflation) = (params.strategy_gold, params.strategy_inflation);
        match kind {
            StrategyKind::Nearest => {
                let from = state.hero(hero).cell;
                let nearest = self.flood.nearest(fields.graph(), from, golds.clone());
                // Several golds in one cell all count: taking one leaves the others worth going to.
                let wanted = golds.filter(|&gold| nearest.is_some_and(|(cell, _)| cell == gold));
                map.set(fields, height, inflation, wanted.map(share));
            }
            // Chains have a map of their own; where a plain sum is asked for instead, it is this one.
            StrategyKind::Sum | StrategyKind::Chain => {
                map.set(fields, height, inflation, golds.map(share));
            }
        }
    }

    fn fill_rows(&mut self, size: Size, inflation: f64) {
        if self.rows.len() != size.edge() || self.row_inflation.to_bits() != inflation.to_bits() {
            self.rows.clear();
            self.row_inflation = inflation;
            let mut power = 1.0;
            for _ in 0..size.edge() {
                self.rows.push(power);
                power *= inflation;
            }
        }
    }
}

/// Makes a value map with buffers of its own: for a single decision, tests and tools. Play keeps a
/// `Strategy`.
pub fn build(
    kind: StrategyKind,
    state: &State,
    hero: HeroId,
    fields: &Fields,
    params: &Params,
    map: &mut ValueMap,
) {
    Strategy::new().build(kind, state, hero, fields, params, map);
}
