//! A histogram of whole numbers over many orders of magnitude, for latencies: fixed memory, mergeable,
//! percentiles to about three per cent.

/// Values below this have a bucket of their own; above, every doubling has half as many buckets.
const EXACT: u64 = 64;
const PER_DOUBLING: usize = 32;
const BUCKETS: usize = bucket(u64::MAX) + 1;

const fn bucket(value: u64) -> usize {
    let shift = match value.checked_ilog2() {
        Some(log) if log >= 6 => log as usize - 5,
        _ => return value as usize,
    };
    shift * PER_DOUBLING + (value >> shift) as usize
}

/// Smallest and largest value of a bucket.
const fn range(bucket: usize) -> (u64, u64) {
    if bucket < EXACT as usize {
        return (bucket as u64, bucket as u64);
    }
    let shift = bucket / PER_DOUBLING - 1;
    let first = ((bucket % PER_DOUBLING + PER_DOUBLING) as u64) << shift;
    (first, first + ((1 << shift) - 1))
}

/// Counts of values in buckets whose width is at most 1/32 of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            counts: vec![0; BUCKETS],
            count: 0,
            sum: 0,
            max: 0,
        }
    }
}

impl Histogram {
    /// An empty histogram.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a value, in whatever unit the caller keeps to (latencies: microseconds).
    pub fn record(&mut self, value: u64) {
        self.counts[bucket(value)] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        self.max = self.max.max(value);
    }

    /// Adds everything another histogram has counted.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// Values counted.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Largest value, exactly; 0 if nothing was counted.
    pub const fn max(&self) -> u64 {
        self.max
    }

    /// Mean, exactly; `None` if nothing was counted.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The least value that at least a share `p` (0 to 1) of the values do not exceed, rounded up by at
    /// most 1/32; `None` if nothing was counted.
    pub fn percentile(&self, p: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let wanted = ((p.clamp(0.0, 1.0) * self.count as f64).ceil() as u64).clamp(1, self.count);
        let mut seen = 0;
        for (bucket, &count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Some(range(bucket).1.min(self.max));
            }
        }
        Some(self.max)
    }

    /// The buckets that hold something: smallest value, largest value, count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.counts
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0)
            .map(|(bucket, &count)| {
                let (first, last) = range(bucket);
                (first, last, count)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        for &value in values {
            histogram.record(value);
        }
        histogram
    }

    #[test]
    fn buckets_join_without_gap_up_to_the_end() {
        let mut next = Some(0);
        for bucket in 0..BUCKETS {
            let (first, last) = range(bucket);
            assert_eq!(Some(first), next, "bucket {bucket}");
            assert_eq!(
                (super::bucket(first), super::bucket(last)),
                (bucket, bucket)
            );
            assert!(first < EXACT || (last - first + 1) * 32 <= first);
            next = last.checked_add(1);
        }
        assert_eq!(next, None);
    }

    #[test]
    fn percentiles_of_known_values() {
        let histogram = of(&(1..=1000).collect::<Vec<_>>());
        assert_eq!(histogram.count(), 1000);
        assert_eq!(histogram.max(), 1000);
        assert_eq!(histogram.mean(), Some(500.5));
        for (p, exact) in [(0.5, 500), (0.9, 900), (0.99, 990), (1.0, 1000)] {
            let percentile = histogram.percentile(p).unwrap();
            assert!(
                (exact..=exact + exact / 32 + 1).contains(&percentile),
                "{p}: {percentile}"
            );
        }
        assert_eq!(histogram.percentile(0.0), Some(1));
        assert_eq!(Histogram::new().percentile(0.5), None);
        assert_eq!(Histogram::new().mean(), None);
    }

    proptest! {
        #[test]
        fn percentiles_are_near_and_not_below(
            mut values in prop::collection::vec(any::<u64>().prop_map(|v| v >> (v % 60)), 1..60),
            p in 0.0..=1.0_f64,
        ) {
            let histogram = of(&values);
            values.sort_unstable();
            let rank = ((p * values.len() as f64).ceil() as usize).clamp(1, values.len());
            let exact = values[rank - 1];
            let percentile = histogram.percentile(p).unwrap();
            prop_assert!(percentile >= exact && percentile - exact <= exact / 32);
        }

        #[test]
        fn merging_is_recording_all(
            first in prop::collection::vec(any::<u64>(), 0..30),
            second in prop::collection::vec(any::<u64>(), 0..30),
        ) {
            let mut merged = of(&first);
            merged.merge(&of(&second));
            prop_assert_eq!(&merged, &of(&[first, second].concat()));
            prop_assert_eq!(merged.buckets().map(|(_, _, count)| count).sum::<u64>(), merged.count());
        }
    }
}
