//! `Tour`: the best order in which to fetch few golds, found exactly: what each gold is worth with the best chain
//! of others after it, from the smallest sets of golds to the largest (Held and Karp's way through sets; it works
//! backwards here since a later gold counts less by the ticks before it). Not for many golds: there `ChainMap`
//! looks for good chains with a beam.

/// Golds of a field whose orders are all looked at, at most. Time and memory double with each.
pub(super) const GOLDS_MAX: usize = 12;

/// One number for each gold.
type Row = [f64; GOLDS_MAX];

/// The best chains among few golds. A warm one allocates nothing.
#[derive(Clone, Default, Debug)]
pub(super) struct Tour {
    count: usize,
    /// Golds of a chain, at most.
    length: usize,
    gains: Row,
    /// By the gold that is gone to: what of its worth counts at each other one, 0 where no way leads to it.
    shares: [Row; GOLDS_MAX],
    /// The tail for which `values` was found.
    tail: Option<f64>,
    /// By the set of golds that are left, a bit for each: what each gold that is not among them is worth with the
    /// best chain through them, its own gain included. Where a chain has its length already, nothing follows.
    values: Vec<Row>,
}

impl Tour {
    /// Looks at these golds from now on, at most `GOLDS_MAX`: `gains` are what they are worth, `share(from, to)` is the
    /// factor for what is gone to, 0 where no way leads there. A chain holds at most `length` of them.
    pub fn set(&mut self, gains: &[f64], length: usize, share: impl Fn(usize, usize) -> f64) {
        self.count = gains.len().min(GOLDS_MAX);
        self.length = length;
        self.tail = None;
        self.gains = Row::default();
        self.gains[..self.count].copy_from_slice(&gains[..self.count]);
        for (to, row) in self.shares.iter_mut().enumerate().take(self.count) {
            *row = Row::default();
            for (from, factor) in row.iter_mut().enumerate().take(self.count) {
                if from != to {
                    *factor = share(from, to);
                }
            }
        }
    }

    /// The golds of the best chain that begins with `first`, in their order, by number, without `first`. `tail` is what
    /// comes after a chain, wherever it ends, in golds. Among equals the shorter chain counts, then the one that goes on
    /// to the gold with the lower number. Which gold to begin with is not decided here: every one has its chain.
    pub fn after(&mut self, first: usize, tail: f64) -> impl Iterator<Item = usize> {
        if self.tail.map(f64::to_bits) != Some(tail.to_bits()) {
            self.solve(tail);
        }
        let (mut here, mut left) = (first, self.all() & !(1 << first));
        std::iter::from_fn(move || {
            here = self.next(here, left, tail)?;
            left &= !(1 << here);
            Some(here)
        })
    }

    /// The set of all golds.
    const fn all(&self) -> usize {
        (1 << self.count) - 1
    }

    /// Whether a chain that has these golds left may go on.
    const fn may_go_on(&self, left: usize) -> bool {
        self.count - (left.count_ones() as usize) < self.length
    }

    fn solve(&mut self, tail: f64) {
        self.tail = Some(tail);
        self.values.clear();
        for left in 0..=self.all() {
            let mut best = [tail; GOLDS_MAX];
            if self.may_go_on(left) {
                for next in numbers(left) {
                    let value = self.values[left & !(1 << next)][next];
                    for (best, share) in best.iter_mut().zip(self.shares[next]) {
                        // Plain comparing is done for several at once.
                        let through = share * value;
                        *best = if through > *best { through } else { *best };
                    }
                }
            }
            for (best, gain) in best.iter_mut().zip(self.gains) {
                *best += gain;
            }
            self.values.push(best);
        }
    }

    /// The gold that the best chain takes after `here` with these left, if it goes on.
    fn next(&self, here: usize, left: usize, tail: f64) -> Option<usize> {
        let (mut best, mut found) = (tail, None);
        if self.may_go_on(left) {
            for next in numbers(left) {
                let through = self.shares[next][here] * self.values[left & !(1 << next)][next];
                if through > best {
                    (best, found) = (through, Some(next));
                }
            }
        }
        found
    }
}

/// The numbers in a set, in order.
fn numbers(set: usize) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let number = (left != 0).then_some(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(number)
    })
}
