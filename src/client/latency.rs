//! How long answers took, in a form that a run of any length can keep.

use std::fmt;
use std::time::Duration;

/// Width of a bucket at a value: an eighth of the next lower power of two, at least 1 us.
const PARTS: u32 = 3;

/// Counts of durations in buckets about 9 % wide, and the exact maximum.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Latency {
    buckets: Vec<u64>,
    count: u64,
    longest: Duration,
}

impl Latency {
    /// Adds one duration.
    pub fn add(&mut self, duration: Duration) {
        let bucket = bucket(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
        self.longest = self.longest.max(duration);
    }

    /// The duration that `percent` of all did not exceed, to the upper edge of its bucket.
    pub fn percentile(&self, percent: u64) -> Duration {
        let wanted = (self.count * percent).div_ceil(100).max(1);
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return Duration::from_micros(upper_edge(bucket)).min(self.longest);
            }
        }
        self.longest
    }

    /// The longest.
    pub fn longest(&self) -> Duration {
        self.longest
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
        write!(
            out,
            "p50={:.1} p99={:.1} max={:.1}",
            milliseconds(self.percentile(50)),
            milliseconds(self.percentile(99)),
            milliseconds(self.longest)
        )
    }
}

/// Numbers below 16 have buckets of their own, then each power of two has 8.
fn bucket(value: u64) -> usize {
    let exponent = (value | 1).ilog2();
    if exponent <= PARTS {
        return value as usize;
    }
    let shift = exponent - PARTS;
    ((shift as usize) << PARTS) + (value >> shift) as usize
}

fn upper_edge(bucket: usize) -> u64 {
    let shift = (bucket >> PARTS).saturating_sub(1);
    let part = (bucket - (shift << PARTS)) as u64;
    ((part + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_in_order_and_hold_their_values() {
        let mut last = 0;
        for value in (0..5000).chain([1 << 20, (1 << 40) + 7]) {
            let bucket = bucket(value);
            assert!(bucket >= last, "{value}");
            assert!(upper_edge(bucket) >= value, "{value}");
            assert!(bucket == 0 || upper_edge(bucket - 1) < value, "{value}");
            last = bucket;
        }
    }

    #[test]
    fn percentiles_are_near_and_the_maximum_exact() {
        let mut latency = Latency::default();
        assert_eq!(latency.to_string(), "p50=0.0 p99=0.0 max=0.0");
        for milliseconds in 1..=1000 {
            latency.add(Duration::from_millis(milliseconds));
        }
        let near = |duration: Duration, wanted: f64| {
            (duration.as_secs_f64() * 1000.0 / wanted - 1.0).abs() < 0.13
        };
        assert!(near(latency.percentile(50), 500.0), "{latency}");
        assert!(near(latency.percentile(99), 990.0), "{latency}");
        assert_eq!(latency.longest(), Duration::from_secs(1));
        assert_eq!(latency.percentile(100), Duration::from_secs(1));
    }
}
