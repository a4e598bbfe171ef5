//! `ChainMap`: what a cell is worth if golds are taken in a good order from there on (ALGORITHM section 3, chain).
//! A gold is worth the best discounted chain of golds that begins with it; a cell is worth the best gold seen
//! from it. Not the sum of everything (`ValueMap`), so it has no hills without gold on them.

use super::Worths;
use crate::board::Cell;
use crate::fields::{Field, Fields, Graph};
use crate::params::{EngineKind, Params};
use crate::sim::{HeroId, State};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Golds that may follow a gold in a chain, the nearest to it; also how many chains are followed at once.
const WIDTH: usize = 8;
/// Longest chain, in golds.
pub(crate) const LENGTH_MAX: usize = 12;

/// A gold on the map, or another thing worth fetching, and what is known of it.
#[derive(Clone, Debug)]
struct Slot {
    cell: Cell,
    /// What it is worth, in golds.
    gain: f64,
    field: Arc<Field>,
    /// The nearest other golds, as slot numbers with their ticks.
    near: ArrayVec<(u16, u16), WIDTH>,
    /// Golds that can be reached from here, this one among them.
    open: u32,
    /// The best chain that begins here, once asked for.
    best: Option<Chain>,
}

/// One of the golds that the map looks at.
#[derive(Clone, Debug)]
struct Candidate {
    cell: Cell,
    field: Arc<Field>,
    worth: f64,
    /// What each later gold of its chain adds to that.
    rest: ArrayVec<(Cell, f64), LENGTH_MAX>,
}

/// The value of each cell by the chains that can be begun from it.
#[derive(Clone, Debug, Default)]
pub struct ChainMap {
    graph: Option<Arc<Graph>>,
    powers: Vec<f64>,
    slots: Vec<Slot>,
    candidates: Vec<Candidate>,
    order: Vec<(u16, u16)>,
    wanted: Vec<(Cell, f64)>,
    length: usize,
    tail: f64,
}

/// A chain being made: its discounted sum, its ticks, its golds.
#[derive(Clone, Copy, Debug)]
struct Chain {
    sum: f64,
    /// The sum with what comes after the chain.
    value: f64,
    ticks: usize,
    golds: [u16; LENGTH_MAX],
    length: usize,
}

/// Tries out in the simulator whether a gold can be fetched.
pub trait Trial {
    /// Follows the shortest way to the field's target for at most `limit` ticks with monsters moving as they are
    /// known to; true if the hero is alive then and can live on for `after` ticks as far as `nodes` states show.
    /// The state is as it was afterwards.
    fn passes(
        &mut self,
        state: &mut State,
        me: HeroId,
        field: &Field,
        limit: u32,
        after: u32,
        nodes: u32,
    ) -> bool;
}

impl ChainMap {
    /// Makes this the map for a hero: chains over all gold of the state, begun with the golds nearest to him,
    /// each tried out in the simulator along its shortest way.
    pub fn build(
        &mut self,
        state: &mut State,
        me: HeroId,
        fields: &Fields,
        params: &Params,
        worths: Worths,
        trial: &mut dyn Trial,
    ) {
        self.follow_gold(state, fields, params, worths);
        let from = state.hero(me).cell;
        self.order.clear();
        for (index, slot) in self.slots.iter().enumerate() {
            if let Some(ticks) = slot.field.ticks(from) {
                self.order.push((ticks, index as u16));
            }
        }
        self.order.sort_unstable();
        self.order.truncate(params.chain_candidates as usize);
        self.candidates.clear();
        let widest = self.slots.iter().map(|slot| slot.open).max();
        let widest = widest.unwrap_or(0).max(1);
        for place in 0..self.order.len() {
            let (_, index) = self.order[place];
            let chain = self.best_chain(index as usize);
            // A pit that cannot be left is worth little, however much lies in it.
            let open = f64::from(self.slots[index as usize].open) / f64::from(widest);
            let closed = params.chain_open * (1.0 - open);
            let mut share = params.strategy_gold * (1.0 - closed);
            let slot = &self.slots[index as usize];
            let field = Arc::clone(&slot.field);
            // A beam sees by itself where monsters are in the way.
            let tried = params.engine == EngineKind::Dp
                && place < params.trial_golds as usize
                && !state.monsters().is_empty();
            if tried
                && !trial.passes(
                    state,
                    me,
                    &field,
                    params.trial_ticks,
                    params.trial_after,
                    params.trial_nodes,
                )
            {
                share *= params.trial_share;
            }
            let mut rest = ArrayVec::new();
            let mut ticks = 0;
            for pair in chain.golds[..chain.length].windows(2) {
                let slot = &self.slots[pair[1] as usize];
                let here = self.slots[pair[0] as usize].cell;
                ticks += slot.field.ticks(here).unwrap_or(0);
                rest.push((slot.cell, share * slot.gain * self.power(ticks)));
            }
            self.candidates.push(Candidate {
                cell: self.slots[index as usize].cell,
                field,
                worth: share * chain.value,
                rest,
            });
        }
    }

    /// The value of a cell after the golds in `eaten` were taken: the best of the other candidates.
    #[inline]
    pub fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        let mut best = 0.0;
        for candidate in &self.candidates {
            let Some(ticks) = candidate.field.ticks(cell) else {
                continue;
            };
            let power = self.power(ticks);
            // What was taken only lowers a worth: most candidates need no closer look.
            if candidate.worth * power <= best || eaten.contains(&candidate.cell) {
                continue;
            }
            let mut worth = candidate.worth;
            if !eaten.is_empty() {
                for (gold, share) in &candidate.rest {
                    if eaten.contains(gold) {
                        worth -= share;
                    }
                }
            }
            best = f64::max(best, worth * power);
        }
        best
    }

    #[inline]
    fn power(&self, ticks: u16) -> f64 {
        self.powers.get(ticks as usize).copied().unwrap_or(0.0)
    }

    /// Brings the slots up to the gold of the state.
    fn follow_gold(&mut self, state: &State, fields: &Fields, params: &Params, worths: Worths) {
        let same = self
            .graph
            .as_ref()
            .is_some_and(|graph| Arc::ptr_eq(graph, fields.graph()));
        let inflation = params.strategy_inflation;
        let length = (params.chain_length as usize).min(LENGTH_MAX);
        if !same
            || self.length != length
            || self.tail.to_bits() != params.chain_tail.to_bits()
            || self
                .powers
                .get(1)
                .is_none_or(|power| power.to_bits() != inflation.to_bits())
        {
            self.graph = Some(Arc::clone(fields.graph()));
            self.slots.clear();
            self.length = length;
            self.tail = params.chain_tail;
            self.powers.clear();
            let mut power = 1.0;
            for _ in 0..1024 {
                self.powers.push(power);
                power *= inflation;
            }
        }
        self.wanted.clear();
        let golds = state.gold().iter();
        self.wanted
            .extend(golds.map(|gold| (gold.cell, worths.gold[gold.kind as usize])));
        for item in state.items() {
            if let Some(gain) = worths.item(item, state) {
                self.wanted.push((item.cell, gain));
            }
        }
        let wanted = &self.wanted;
        let before = self.slots.len();
        self.slots
            .retain(|slot| wanted.iter().any(|&(cell, _)| cell == slot.cell));
        let mut changed = self.slots.len() != before;
        for slot in &mut self.slots {
            let gain = wanted.iter().find(|&&(cell, _)| cell == slot.cell);
            if let Some(&(_, gain)) = gain
                && gain.to_bits() != slot.gain.to_bits()
            {
                slot.gain = gain;
                changed = true;
            }
        }
        for &(cell, gain) in wanted {
            if self.slots.iter().all(|slot| slot.cell != cell) {
                let field = fields.field(cell);
                self.slots.push(Slot {
                    cell,
                    gain,
                    field,
                    near: ArrayVec::new(),
                    open: 0,
                    best: None,
                });
                changed = true;
            }
        }
        if changed {
            self.slots.sort_unstable_by_key(|slot| slot.cell);
            for index in 0..self.slots.len() {
                self.find_near(index);
            }
        }
    }

    /// The golds nearest to a gold, nearest first, earlier ones first among equals.
    fn find_near(&mut self, index: usize) {
        let here = self.slots[index].cell;
        let mut near: ArrayVec<(u16, u16), WIDTH> = ArrayVec::new();
        let mut open = 1;
        for (other, slot) in self.slots.iter().enumerate() {
            if other == index {
                continue;
            }
            let Some(ticks) = slot.field.ticks(here) else {
                continue;
            };
            open += 1;
            if near.is_full() && near.last().is_some_and(|last| last.1 <= ticks) {
                continue;
            }
            if near.is_full() {
                near.pop();
            }
            let place = near.partition_point(|known| known.1 <= ticks);
            near.insert(place, (other as u16, ticks));
        }
        let slot = &mut self.slots[index];
        slot.near = near;
        slot.open = open;
        slot.best = None;
    }

    /// The best chain found that begins with this gold, the gold itself counting its gain.
    fn best_chain(&mut self, index: usize) -> Chain {
        if let Some(chain) = self.slots[index].best {
            return chain;
        }
        let mut golds = [0; LENGTH_MAX];
        golds[0] = index as u16;
        let gain = self.slots[index].gain;
        let first = Chain {
            sum: gain,
            value: gain + self.tail,
            ticks: 0,
            golds,
            length: 1,
        };
        let mut beam: ArrayVec<Chain, WIDTH> = ArrayVec::new();
        beam.push(first);
        let mut best = first;
        for _ in 1..self.length {
            let mut next: ArrayVec<Chain, WIDTH> = ArrayVec::new();
            for chain in &beam {
                self.lengthen(chain, &mut next);
            }
            match next.first() {
                Some(chain) if chain.value > best.value => best = *chain,
                Some(_) => {}
                None => break,
            }
            beam = next;
        }
        self.slots[index].best = Some(best);
        best
    }

    /// Adds the chains that go on from this one to the best so far, best first.
    fn lengthen(&self, chain: &Chain, next: &mut ArrayVec<Chain, WIDTH>) {
        let last = chain.golds[chain.length - 1] as usize;
        for &(gold, ticks) in &self.slots[last].near {
            if chain.golds[..chain.length].contains(&gold) {
                continue;
            }
            let ticks = chain.ticks + ticks as usize;
            let power = self.powers.get(ticks).copied().unwrap_or(0.0);
            let sum = chain.sum + self.slots[gold as usize].gain * power;
            let value = sum + self.tail * power;
            if next.is_full() && next.last().is_some_and(|worst| worst.value >= value) {
                continue;
            }
            if next.is_full() {
                next.pop();
            }
            let mut longer = Chain {
                sum,
                value,
                ticks,
                golds: chain.golds,
                length: chain.length + 1,
            };
            longer.golds[chain.length] = gold;
            let place = next.partition_point(|known| known.value >= value);
            next.insert(place, longer);
        }
    }
}
