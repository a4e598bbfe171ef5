//! `Chains`: for each gold the best discounted chain of golds that begins with it: where there are few golds the best of
//! all (`Tour`), elsewhere the best that a beam finds. Not what a cell is worth by them: `ChainMap`.

use super::Worths;
use super::slots::{Slot, Slots};
use super::tour::{self, Tour};
use crate::fields::Fields;
use crate::params::Params;
use crate::sim::{HeroId, State};
use arrayvec::ArrayVec;

/// How many chains are followed at once.
const WIDTH: usize = 4;
/// Longest chain, in golds.
pub(crate) const LENGTH_MAX: usize = 32;
/// What is farther than this counts as out of reach.
const TICKS_MAX: usize = 1024;

/// The golds of the field and the best chains that begin with them, as far as they were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    slots: Slots,
    powers: Vec<f64>,
    tour: Tour,
    /// By the slot that a chain begins with.
    best: Vec<Option<Chain>>,
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

impl Chain {
    /// Its golds in their order, by number.
    pub fn golds(&self) -> &[u16] {
        &self.golds[..self.length]
    }
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

impl Chains {
    /// Brings everything up to the gold of the state as this hero sees it.
    pub fn follow(
        &mut self,
        state: &State,
        me: HeroId,
        fields: &Fields,
        params: &Params,
        worths: Worths,
    ) {
        let inflation = params.strategy_inflation;
        let length = (params.chain_length as usize).min(LENGTH_MAX);
        let power = self.powers.get(1);
        let same = self.length == length
            && self.tail.to_bits() == params.chain_tail.to_bits()
            && power.is_some_and(|power| power.to_bits() == inflation.to_bits());
        if !same {
            self.slots.clear();
            self.length = length;
            self.tail = params.chain_tail;
            self.powers.clear();
            let mut power = 1.0;
            for _ in 0..TICKS_MAX {
                self.powers.push(power);
                power *= inflation;
            }
        }
        if self
            .slots
            .follow(state, me, fields, worths, params.contested)
        {
            self.best.clear();
            self.best.resize(self.slots.list().len(), None);
            self.renew_tour();
        }
    }

    /// The golds, in the order of their cells.
    pub fn slots(&self) -> &[Slot] {
        self.slots.list()
    }

    /// What is kept of a worth that is so many ticks away; nothing of what is out of reach.
    #[inline]
    pub fn power(&self, ticks: u16) -> f64 {
        self.powers.get(ticks as usize).copied().unwrap_or(0.0)
    }

    /// Hands the golds to the tour, where they are few enough.
    fn renew_tour(&mut self) {
        let count = self.slots.list().len();
        if count <= tour::GOLDS_MAX {
            let (slots, powers) = (&self.slots, &self.powers);
            self.tour.set(slots.gains(), self.length, |from, to| {
                let ticks = slots.distances(from)[to];
                powers.get(ticks as usize).copied().unwrap_or(0.0)
            });
        }
    }

    /// The best chain that begins with this gold, the gold itself counting its gain: the best of all where there are
    /// few golds, the best found elsewhere.
    pub fn best(&mut self, index: usize) -> Chain {
        if let Some(chain) = self.best[index] {
            return chain;
        }
        let (first, tail) = self.single(index);
        let best = if self.slots.list().len() <= tour::GOLDS_MAX {
            self.toured(first, tail)
        } else {
            self.beamed(first, tail)
        };
        self.best[index] = Some(best);
        best
    }

    /// A chain of this gold alone, and what comes after a chain that begins with it.
    pub(super) fn single(&self, index: usize) -> (Chain, f64) {
        let mut golds = [0; LENGTH_MAX];
        golds[0] = index as u16;
        let gain = self.slots.list()[index].gain;
        // Nothing comes after a chain of all the gold there is.
        let after = f64::from(self.slots.list()[index].open) / self.length as f64 - 1.0;
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
        for gold in self.tour.after(first.golds[0] as usize, tail) {
            let last = best.golds[best.length - 1] as usize;
            best.ticks += self.slots.distances(last)[gold] as usize;
            let power = self.powers.get(best.ticks).copied().unwrap_or(0.0);
            best.sum += self.slots.gains()[gold] * power;
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
        for &(gold, ticks) in &self.slots.list()[last].near {
            let ticks = chain.ticks + ticks as usize;
            let power = self.powers.get(ticks).copied().unwrap_or(0.0);
            let sum = chain.sum + self.slots.gains()[gold as usize] * power;
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
