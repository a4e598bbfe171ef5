//! `ChainMap`: what a cell is worth if golds are taken in a good order from there on (ALGORITHM section 3, chain).
//! A gold is worth the best discounted chain of golds that begins with it: where there are few golds the best of all
//! (`Tour`), elsewhere the best that a beam finds. A cell is worth the best gold seen from it: golds with chains that are
//! worth the same all stay, and the search decides between them by what it sees on the way. Not the sum of everything (`ValueMap`), so it has no hills without gold on them.

use super::tour::{self, Tour};
use super::{Row, Taken, Worths};
use crate::board::Cell;
use crate::fields::{Field, Fields, Graph};
use crate::params::{EngineKind, Params};
use crate::sim::{HeroId, State};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Golds that may follow a gold in a chain, the nearest to it.
const NEAR: usize = 6;
/// How many chains are followed at once.
const WIDTH: usize = 4;
/// Longest chain, in golds.
pub(crate) const LENGTH_MAX: usize = 32;

/// What is farther than this counts as out of reach.
const TICKS_MAX: usize = 1024;
/// The nearest other golds, as slot numbers with their ticks.
type Near = ArrayVec<(u16, u16), NEAR>;
/// No way leads there, or no such slot.
const FAR: u16 = u16::MAX;

/// A gold on the map, or another thing worth fetching, and what is known of it.
#[derive(Clone, Debug)]
struct Slot {
    cell: Cell,
    /// What it is worth, in golds.
    gain: f64,
    field: Arc<Field>,
    /// The nearest other golds, as slot numbers with their ticks.
    near: Near,
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
    graph: Option<Arc<Graph>>,
    powers: Vec<f64>,
    /// In the order of their cells.
    slots: Vec<Slot>,
    /// Ticks from each slot's cell to each other's, row by row; `FAR` to itself.
    between: Vec<u16>,
    /// What each slot is worth, by number: the innermost loop asks for nothing else.
    gains: Vec<f64>,
    tour: Tour,
    spare_slots: Vec<Slot>,
    spare_between: Vec<u16>,
    /// For each slot the number it had before, `FAR` for a new one.
    known: Vec<u16>,
    /// For each slot of before the number it has now, `FAR` for one that is gone.
    numbers: Vec<u16>,
    /// New slots, by number.
    fresh: Vec<u16>,
    /// The dearest first.
    candidates: Vec<Candidate>,
    order: Vec<(u16, u16)>,
    wanted: Vec<(Cell, f64)>,
    length: usize,
    tail: f64,
}

/// A chain being made: its discounted sum, its ticks, its golds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    sum: f64,
    /// The sum with what comes after the chain.
    pub value: f64,
    ticks: usize,
    golds: [u16; LENGTH_MAX],
    length: usize,
    /// A bit for each of its golds, by number; several may share one.
    bits: u64,
}

/// One more gold after a chain of the beam, which is named by its number.
struct Longer {
    value: f64,
    sum: f64,
    ticks: usize,
    gold: u16,
    from: usize,
}

impl Longer {
    fn after(&self, beam: &[Chain]) -> Chain {
        let mut chain = beam[self.from];
        chain.golds[chain.length] = self.gold;
        chain.length += 1;
        chain.bits |= 1 << (self.gold % 64);
        (chain.value, chain.sum, chain.ticks) = (self.value, self.sum, self.ticks);
        chain
    }
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
            let share = params.strategy_gold * (1.0 - closed);
            let slot = &self.slots[index as usize];
            let field = Arc::clone(&slot.field);
            let mut rest = ArrayVec::new();
            let mut ticks = 0;
            for pair in chain.golds[..chain.length].windows(2) {
                let slot = &self.slots[pair[1] as usize];
                let here = self.slots[pair[0] as usize].cell;
                ticks += slot.field.ticks(here).unwrap_or(0);
                rest.push((slot.cell, share * slot.gain * self.power(ticks)));
            }
            let cell = self.slots[index as usize].cell;
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
                candidate.worth * ticks.map_or(0.0, |ticks| self.power(ticks))
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
        ticks.map_or(0.0, |ticks| self.power(ticks))
    }

    #[inline]
    fn power(&self, ticks: u16) -> f64 {
        self.powers.get(ticks as usize).copied().unwrap_or(0.0)
    }

    /// Brings the slots up to the gold of the state.
    pub(super) fn follow_gold(
        &mut self,
        state: &State,
        fields: &Fields,
        params: &Params,
        worths: Worths,
    ) {
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
            self.between.clear();
            self.length = length;
            self.tail = params.chain_tail;
            self.powers.clear();
            let mut power = 1.0;
            for _ in 0..TICKS_MAX {
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
        // Of several things in one cell the first counts, as it is the first to be taken.
        self.wanted.sort_by_key(|&(cell, _)| cell);
        self.wanted.dedup_by_key(|&mut (cell, _)| cell);
        let same = self.wanted.len() == self.slots.len()
            && self
                .slots
                .iter()
                .zip(&self.wanted)
                .all(|(slot, &(cell, gain))| {
                    slot.cell == cell && slot.gain.to_bits() == gain.to_bits()
                });
        if !same {
            self.renew_slots(fields);
            self.renew_between();
            for index in 0..self.slots.len() {
                let near = self
                    .kept_near(index)
                    .unwrap_or_else(|| self.find_near(index));
                let reached = self.distances(index).iter().filter(|&&ticks| ticks != FAR);
                self.slots[index].open = 1 + reached.count() as u32;
                self.slots[index].near = near;
            }
            self.renew_tour();
            self.spare_slots.clear();
        }
    }

    /// Ticks from a slot's cell to all slots.
    fn distances(&self, index: usize) -> &[u16] {
        let count = self.slots.len();
        &self.between[index * count..][..count]
    }

    /// One slot for each wanted thing, with the fields of those that were there before.
    fn renew_slots(&mut self, fields: &Fields) {
        std::mem::swap(&mut self.slots, &mut self.spare_slots);
        self.slots.clear();
        self.gains.clear();
        self.known.clear();
        self.fresh.clear();
        self.numbers.clear();
        self.numbers.resize(self.spare_slots.len(), FAR);
        let mut old = 0;
        for &(cell, gain) in &self.wanted {
            while self
                .spare_slots
                .get(old)
                .is_some_and(|slot| slot.cell < cell)
            {
                old += 1;
            }
            let before = self.spare_slots.get(old).filter(|slot| slot.cell == cell);
            let number = self.slots.len() as u16;
            if before.is_some() {
                self.numbers[old] = number;
                self.known.push(old as u16);
            } else {
                self.known.push(FAR);
                self.fresh.push(number);
            }
            self.gains.push(gain);
            self.slots.push(Slot {
                cell,
                gain,
                field: before.map_or_else(|| fields.field(cell), |slot| Arc::clone(&slot.field)),
                near: ArrayVec::new(),
                open: 0,
                best: None,
            });
        }
    }

    /// The ticks between all slots, those known from before taken over.
    fn renew_between(&mut self) {
        std::mem::swap(&mut self.between, &mut self.spare_between);
        self.between.clear();
        let old = self.spare_slots.len();
        for (from, &was) in self.slots.iter().zip(&self.known) {
            let row = self.spare_between.get(was as usize * old..);
            let row = row.filter(|_| was != FAR).and_then(|row| row.get(..old));
            for (to, &known) in self.slots.iter().zip(&self.known) {
                let ticks = row.and_then(|row| row.get(known as usize).copied());
                let ask = || match to.field.ticks(from.cell) {
                    Some(ticks) if to.cell != from.cell => ticks,
                    _ => FAR,
                };
                self.between.push(ticks.unwrap_or_else(ask));
            }
        }
    }

    /// Hands the golds to the tour, where they are few enough.
    fn renew_tour(&mut self) {
        let count = self.slots.len();
        if count <= tour::GOLDS_MAX {
            let (between, powers) = (&self.between, &self.powers);
            self.tour.set(&self.gains, self.length, |from, to| {
                let ticks = between[from * count + to];
                powers.get(ticks as usize).copied().unwrap_or(0.0)
            });
        }
    }

    /// The golds that were nearest to a gold before, if they still are: none of them is gone and none nearer has come.
    fn kept_near(&self, index: usize) -> Option<Near> {
        let was = self.known[index];
        let before = self.spare_slots.get(was as usize)?;
        let mut near = Near::new();
        for &(gold, ticks) in &before.near {
            let now = self.numbers[gold as usize];
            if now == FAR {
                return None;
            }
            near.push((now, ticks));
        }
        let farthest = near.last().map_or(FAR, |last| last.1);
        let row = self.distances(index);
        let comes = |&slot: &u16| {
            let ticks = row[slot as usize];
            ticks != FAR && (!near.is_full() || ticks <= farthest)
        };
        let changed = self.fresh.iter().any(comes);
        (!changed).then_some(near)
    }

    /// The golds nearest to a gold, nearest first, earlier ones first among equals.
    fn find_near(&self, index: usize) -> Near {
        let mut near = Near::new();
        let mut farthest = FAR;
        for (other, &ticks) in self.distances(index).iter().enumerate() {
            if ticks >= farthest {
                continue;
            }
            if near.is_full() {
                near.pop();
            }
            let place = near.iter().take_while(|known| known.1 <= ticks).count();
            near.insert(place, (other as u16, ticks));
            if near.is_full() {
                farthest = near.last().map_or(FAR, |last| last.1);
            }
        }
        near
    }

    /// The best chain that begins with this gold, the gold itself counting its gain: the best of all where there are
    /// few golds, the best found elsewhere.
    fn best_chain(&mut self, index: usize) -> Chain {
        if let Some(chain) = self.slots[index].best {
            return chain;
        }
        let (first, tail) = self.single(index);
        let best = if self.slots.len() <= tour::GOLDS_MAX {
            self.toured(first, tail)
        } else {
            self.beamed(first, tail)
        };
        self.slots[index].best = Some(best);
        best
    }

    /// A chain of this gold alone, and what comes after a chain that begins with it.
    pub(super) fn single(&self, index: usize) -> (Chain, f64) {
        let mut golds = [0; LENGTH_MAX];
        golds[0] = index as u16;
        let gain = self.slots[index].gain;
        // Nothing comes after a chain of all the gold there is.
        let after = f64::from(self.slots[index].open) / self.length as f64 - 1.0;
        let tail = self.tail * after.clamp(0.0, 1.0);
        let first = Chain {
            sum: gain,
            value: gain + tail,
            ticks: 0,
            golds,
            length: 1,
            bits: 1 << (index % 64),
        };
        (first, tail)
    }

    /// The best of all chains that begin with this one of a single gold.
    pub(super) fn toured(&mut self, first: Chain, tail: f64) -> Chain {
        let mut best = first;
        let count = self.slots.len();
        for gold in self.tour.after(first.golds[0] as usize, tail) {
            let last = best.golds[best.length - 1] as usize;
            best.ticks += self.between[last * count + gold] as usize;
            let power = self.powers.get(best.ticks).copied().unwrap_or(0.0);
            best.sum += self.gains[gold] * power;
            best.value = best.sum + tail * power;
            best.golds[best.length] = gold as u16;
            best.length += 1;
            best.bits |= 1 << gold;
        }
        best
    }

    /// The best chain that a beam finds from this one of a single gold.
    pub(super) fn beamed(&self, first: Chain, tail: f64) -> Chain {
        let mut beam: ArrayVec<Chain, WIDTH> = ArrayVec::new();
        beam.push(first);
        let mut best = first;
        for _ in 1..self.length {
            let mut next: ArrayVec<Longer, WIDTH> = ArrayVec::new();
            for (from, chain) in beam.iter().enumerate() {
                self.lengthen(chain, from, tail, &mut next);
            }
            beam = next.iter().map(|longer| longer.after(&beam)).collect();
            match beam.first() {
                Some(chain) if chain.value > best.value => best = *chain,
                Some(_) => {}
                None => break,
            }
        }
        best
    }

    /// Adds the ways on from a chain to the best ones so far, best first.
    fn lengthen(&self, chain: &Chain, from: usize, tail: f64, next: &mut ArrayVec<Longer, WIDTH>) {
        let golds = &chain.golds[..chain.length];
        let last = golds[chain.length - 1] as usize;
        let bar = |next: &ArrayVec<Longer, WIDTH>| match next.last() {
            Some(last) if next.is_full() => last.value,
            _ => f64::NEG_INFINITY,
        };
        let mut height = bar(next);
        for &(gold, ticks) in &self.slots[last].near {
            let ticks = chain.ticks + ticks as usize;
            let power = self.powers.get(ticks).copied().unwrap_or(0.0);
            let sum = chain.sum + self.gains[gold as usize] * power;
            let value = sum + tail * power;
            // Most are not good enough: that is asked first.
            if value <= height || chain.bits & 1 << (gold % 64) != 0 && golds.contains(&gold) {
                continue;
            }
            if next.is_full() {
                next.pop();
            }
            let place = next.iter().take_while(|known| known.value >= value).count();
            next.insert(
                place,
                Longer {
                    value,
                    sum,
                    ticks,
                    gold,
                    from,
                },
            );
            height = bar(next);
        }
    }
}
