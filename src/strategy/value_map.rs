//! `ValueMap`: what it is worth to be in a cell, as a weighted sum of fields. Which golds count, and how
//! much, is decided by `Strategy::build`; a map only adds up and keeps up to date.

use crate::board::Cell;
use crate::fields::{Field, Fields, Graph};
use std::sync::Arc;

/// A gold that counts in a map.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// Where the gold lies.
    pub gold: Cell,
    /// What it counts, 0 to 1, as a factor of the map's height.
    pub weight: f64,
}

/// The value of each cell: the sum over its shares of `weight * height * inflation^ticks`, 0 for a share
/// whose gold cannot be reached from there.
///
/// Every term is rounded to a whole number of tiny units before it is added, so that sums are exact: they
/// do not depend on their order, and a map that was kept up to date is bit for bit the one made anew.
#[derive(Clone, Debug, Default)]
pub struct ValueMap {
    graph: Option<Arc<Graph>>,
    powers: Powers,
    totals: Vec<i64>,
    /// In reading order of the golds.
    parts: Vec<Part>,
    spare: Vec<Part>,
    terms: Vec<i64>,
}

/// All shares of one gold cell.
#[derive(Clone, Debug)]
struct Part {
    share: Share,
    /// How many golds lie there.
    count: i64,
    field: Arc<Field>,
}

impl Part {
    fn same(&self, other: &Part) -> bool {
        self.share == other.share && self.count == other.count
    }
}

/// `height * inflation^ticks` in units, by repeated multiplication.
#[derive(Clone, Debug, Default)]
struct Powers {
    height: f64,
    inflation: f64,
    /// Units per value: a power of two.
    units: f64,
    values: Vec<f64>,
}

/// Room for golds of full height in the sum of units.
const SHARES_MAX: f64 = 32_768.0;
/// Sums of units stay below two to this.
const SUM_BITS: u32 = 62;

impl Powers {
    fn new(height: f64, inflation: f64, mut values: Vec<f64>) -> Powers {
        values.clear();
        // The finest units that cannot overflow. Scaling by a power of two is exact.
        let mut units = 1.0;
        let mut room = SUM_BITS;
        while room > 0 && units * 2.0 * height * SHARES_MAX < (1u64 << SUM_BITS) as f64 {
            units *= 2.0;
            room -= 1;
        }
        values.push(height * units);
        Powers {
            height,
            inflation,
            units,
            values,
        }
    }

    fn extend_to(&mut self, ticks: u16) {
        while self.values.len() <= ticks as usize {
            let last = self.values.last().copied().unwrap_or(0.0);
            self.values.push(last * self.inflation);
        }
    }

    #[inline]
    fn term(&self, weight: f64, ticks: u16) -> i64 {
        let power = self.values.get(ticks as usize).copied().unwrap_or(0.0);
        (weight * power + 0.5) as i64
    }
}

impl ValueMap {
    /// An empty map: every cell is worth nothing.
    pub fn new() -> ValueMap {
        ValueMap::default()
    }

    /// Makes this the map of these shares: `height` is what a gold of weight 1 is worth in its own cell,
    /// `inflation` what is kept of that per tick of distance. Golds in one cell must have equal weights.
    ///
    /// Only the fields of shares that changed since the last call are added and taken out, if level,
    /// height and inflation are the same. Nothing is allocated once the buffers have grown.
    pub fn set(
        &mut self,
        fields: &Fields,
        height: f64,
        inflation: f64,
        shares: impl Iterator<Item = Share>,
    ) {
        let height = height.max(0.0);
        let fresh = !self
            .graph
            .as_ref()
            .is_some_and(|graph| Arc::ptr_eq(graph, fields.graph()))
            || self.powers.height.to_bits() != height.to_bits()
            || self.powers.inflation.to_bits() != inflation.to_bits();
        if fresh {
            self.graph = Some(Arc::clone(fields.graph()));
            self.powers = Powers::new(height, inflation, std::mem::take(&mut self.powers.values));
            self.totals.clear();
            self.totals.resize(fields.graph().len(), 0);
            self.parts.clear();
        }
        let mut old = std::mem::take(&mut self.parts);
        let mut new = std::mem::take(&mut self.spare);
        self.collect(fields, shares, &mut new);
        self.change(&old, &new);
        old.clear();
        self.parts = new;
        self.spare = old;
    }

    /// The shares as parts in reading order, one a gold cell.
    fn collect(
        &mut self,
        fields: &Fields,
        shares: impl Iterator<Item = Share>,
        parts: &mut Vec<Part>,
    ) {
        for mut share in shares {
            share.weight = share.weight.clamp(0.0, 1.0);
            let field = fields.field(share.gold);
            self.powers.extend_to(field.longest());
            parts.push(Part {
                share,
                count: 1,
                field,
            });
        }
        parts.sort_unstable_by_key(|part| part.share.gold);
        parts.dedup_by(|next, kept| {
            let same = next.share.gold == kept.share.gold;
            kept.count += i64::from(same);
            same
        });
    }

    /// Brings the totals from the old parts to the new ones, both in reading order.
    fn change(&mut self, old: &[Part], new: &[Part]) {
        let (mut gone, mut come) = (old.iter().peekable(), new.iter().peekable());
        loop {
            match (gone.peek(), come.peek()) {
                (Some(before), Some(after)) if before.same(after) => {
                    gone.next();
                    come.next();
                }
                (Some(before), after)
                    if after.is_none_or(|after| before.share.gold <= after.share.gold) =>
                {
                    self.add(before, -before.count);
                    gone.next();
                }
                (_, Some(after)) => {
                    self.add(after, after.count);
                    come.next();
                }
                (_, None) => break,
            }
        }
    }

    /// Adds a part's field `count` times.
    fn add(&mut self, part: &Part, count: i64) {
        let end = part.field.longest() as usize + 1;
        self.terms.clear();
        self.terms.extend(
            (0..end).map(|ticks| count * self.powers.term(part.share.weight, ticks as u16)),
        );
        // The entry for cells from which no way leads.
        self.terms.push(0);
        for (total, &ticks) in self.totals.iter_mut().zip(part.field.by_node()) {
            *total += self.terms[(ticks as usize).min(end)];
        }
    }

    /// The value of being in a cell after the golds in `eaten` were taken: their fields no longer count.
    /// A cell that holds several golds may be listed several times; golds that do not count are ignored.
    #[inline]
    pub fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        let Some(node) = self.graph.as_ref().and_then(|graph| graph.number(cell)) else {
            return 0.0;
        };
        let mut total = self.totals[node as usize];
        for (index, gold) in eaten.iter().enumerate() {
            if let Ok(place) = self
                .parts
                .binary_search_by_key(gold, |part| part.share.gold)
            {
                let part = &self.parts[place];
                let before = eaten[..index].iter().filter(|&other| other == gold).count();
                if let Some(ticks) = part.field.ticks(cell)
                    && (before as i64) < part.count
                {
                    total -= self.powers.term(part.share.weight, ticks);
                }
            }
        }
        total as f64 / self.powers.units
    }

    /// The golds that count, in reading order.
    pub fn golds(&self) -> impl Iterator<Item = Cell> + '_ {
        self.parts.iter().map(|part| part.share.gold)
    }
}
