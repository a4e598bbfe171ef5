//! `ChainMap`: what a cell is worth if golds are taken in a good order from there on (ALGORITHM section 3, chain): the best
//! chain (`Chains`) seen from it. Golds with chains that are worth the same all stay, and the search decides between them
//! by what it sees on the way. Not the sum of everything (`ValueMap`), so it has no hills without gold on them.

use super::chain::{Chains, LENGTH_MAX};
use super::{Row, Taken, Worths};
use crate::board::Cell;
use crate::fields::{Field, Fields};
use crate::params::{EngineKind, Params};
use crate::sim::{HeroId, State};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// One of the golds that the map looks at.
#[derive(Clone, Debug)]
struct Candidate {
    cell: Cell,
    field: Arc<Field>,
    worth: f64,
    /// What each later gold of its chain adds to that.
    rest: ArrayVec<(Cell, f64), LENGTH_MAX>,
    /// A bit for each of all its golds; several may share one.
    bits: u64,
}

impl Candidate {
    /// Its worth once these golds are taken; nothing if it is one of them.
    #[inline]
    fn worth_after(&self, eaten: &[Cell]) -> f64 {
        let bits = eaten.iter().fold(0, |bits, &gold| bits | bit(gold));
        if bits & self.bits == 0 {
            return self.worth;
        }
        if eaten.contains(&self.cell) {
            return 0.0;
        }
        // Most of them are not, and a bit tells.
        let taken = self
            .rest
            .iter()
            .filter(|(gold, _)| bits & bit(*gold) != 0 && eaten.contains(gold));
        taken.fold(self.worth, |worth, (_, share)| worth - share)
    }
}

/// One of 64 bits for a gold.
const fn bit(gold: Cell) -> u64 {
    1 << (gold.index() % 64)
}

/// The value of each cell by the chains that can be begun from it.
#[derive(Clone, Debug, Default)]
pub struct ChainMap {
    chains: Chains,
    /// The dearest first.
    candidates: Vec<Candidate>,
    order: Vec<(u16, u16)>,
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
    /// Makes this the map for a hero: chains over all gold of the state, begun with the golds nearest to him. Where the
    /// exact search decides and there are monsters, the ways to the nearest of them are tried out in the simulator.
    pub fn build(
        &mut self,
        state: &mut State,
        me: HeroId,
        fields: &Fields,
        params: &Params,
        worths: Worths,
        trial: &mut dyn Trial,
    ) {
        self.chains.follow(state, me, fields, params, worths);
        let from = state.hero(me).cell;
        self.order.clear();
        for (index, slot) in self.chains.slots().iter().enumerate() {
            if let Some(ticks) = slot.field.ticks(from) {
                self.order.push((ticks, index as u16));
            }
        }
        self.order.sort_unstable();
        self.order.truncate(params.chain_candidates as usize);
        self.candidates.clear();
        let widest = self.chains.slots().iter().map(|slot| slot.open).max();
        let widest = widest.unwrap_or(0).max(1);
        for place in 0..self.order.len() {
            let (_, index) = self.order[place];
            let chain = self.chains.best(index as usize);
            // A pit that cannot be left is worth little, however much lies in it.
            let open = f64::from(self.chains.slots()[index as usize].open) / f64::from(widest);
            let closed = params.chain_open * (1.0 - open);
            let share = params.strategy_gold * (1.0 - closed);
            let slot = &self.chains.slots()[index as usize];
            let field = Arc::clone(&slot.field);
            let mut rest = ArrayVec::new();
            let mut ticks = 0;
            for pair in chain.golds().windows(2) {
                let slot = &self.chains.slots()[pair[1] as usize];
                let here = self.chains.slots()[pair[0] as usize].cell;
                ticks += slot.field.ticks(here).unwrap_or(0);
                rest.push((slot.cell, share * slot.gain * self.chains.power(ticks)));
            }
            let cell = self.chains.slots()[index as usize].cell;
            let golds = rest.iter().map(|&(gold, _)| gold);
            self.candidates.push(Candidate {
                cell,
                field,
                worth: share * chain.value,
                bits: golds.fold(bit(cell), |bits, gold| bits | bit(gold)),
                rest,
            });
        }
        // A beam sees by itself where monsters are in the way.
        if params.engine == EngineKind::Dp && !state.monsters().is_empty() {
            self.try_ways(state, me, params, trial);
        }
        self.candidates
            .sort_by(|one, other| other.worth.total_cmp(&one.worth));
    }

    /// Tries the ways to the nearest golds out, those that promise most to the hero first, until one can be gone:
    /// that one leads him, whatever the others are worth.
    fn try_ways(&mut self, state: &mut State, me: HeroId, params: &Params, trial: &mut dyn Trial) {
        let from = state.hero(me).cell;
        let count = self.candidates.len().min(params.trial_golds as usize);
        let mut tried = 0_u64;
        for _ in 0..count {
            let value = |candidate: &Candidate| {
                let ticks = candidate.field.ticks(from);
                candidate.worth * ticks.map_or(0.0, |ticks| self.chains.power(ticks))
            };
            let left = (0..count).filter(|place| tried & 1 << place == 0);
            let best = left.max_by(|&one, &other| {
                let (one_value, other_value) =
                    (value(&self.candidates[one]), value(&self.candidates[other]));
                one_value.total_cmp(&other_value).then(other.cmp(&one))
            });
            let Some(place) = best else {
                break;
            };
            tried |= 1 << place;
            let passes = trial.passes(
                state,
                me,
                &self.candidates[place].field,
                params.trial_ticks,
                params.trial_after,
                params.trial_nodes,
            );
            if passes {
                break;
            }
            let candidate = &mut self.candidates[place];
            candidate.worth *= params.trial_share;
            for (_, share) in &mut candidate.rest {
                *share *= params.trial_share;
            }
        }
    }

    /// The value of a cell after the golds in `eaten` were taken: the best of the other candidates.
    #[inline]
    pub fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        let mut best = 0.0;
        for candidate in &self.candidates {
            // The others are worth even less, wherever they are.
            if candidate.worth <= best {
                break;
            }
            let power = self.share(candidate, cell);
            // What was taken only lowers a worth: most candidates need no closer look.
            if candidate.worth * power > best {
                best = f64::max(best, candidate.worth_after(eaten) * power);
            }
        }
        best
    }

    /// Prepares `taken` for rows of this map: one number for each set of these golds.
    pub fn take(&self, golds: &[Cell], taken: &mut Taken) {
        taken.follow(golds);
        for candidate in &self.candidates {
            taken.push(|eaten| candidate.worth_after(eaten));
        }
    }

    /// What `value` says of a cell for every set of the golds that `taken` was prepared for.
    #[inline]
    pub fn row(&self, cell: Cell, taken: &Taken) -> Row {
        let mut row = Row::default();
        // What the set that leaves least leaves.
        let mut least = 0.0;
        for (candidate, worths) in self.candidates.iter().zip(taken.worths()) {
            if candidate.worth <= least {
                break;
            }
            let power = self.share(candidate, cell);
            if candidate.worth * power <= least {
                continue;
            }
            for (most, worth) in row.iter_mut().zip(worths) {
                *most = f64::max(*most, worth * power);
            }
            least = row.iter().copied().fold(f64::INFINITY, f64::min);
        }
        row
    }

    /// What of a candidate's worth counts in a cell.
    #[inline]
    fn share(&self, candidate: &Candidate, cell: Cell) -> f64 {
        let ticks = candidate.field.ticks(cell);
        ticks.map_or(0.0, |ticks| self.chains.power(ticks))
    }
}
