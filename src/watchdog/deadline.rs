//! `Deadline`: answers come too late. It shortens the time that a decision may take until they do not.

use std::time::Instant;

/// Keeps the share of the time limit that a decision may use.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    share: f64,
    missed: u64,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline {
            share: 1.0,
            missed: 0,
        }
    }
}

impl Deadline {
    /// Feeds one tick: how many boards were missed before this one. Each missed board halves the share, down
    /// to an eighth; each board in time gives a tenth of the loss back.
    pub fn observe(&mut self, missed: u64) {
        if missed > 0 {
            self.missed += missed;
            self.share = (self.share / 2.0).max(0.125);
        } else {
            self.share += (1.0 - self.share) / 10.0;
        }
    }

    /// When a decision that begins now is to be over, if it may last until `end`: after an eighth of that time to all of
    /// it.
    pub fn shortened(&self, now: Instant, end: Instant) -> Instant {
        now + end.saturating_duration_since(now).mul_f64(self.share)
    }

    /// Boards missed so far.
    pub fn missed(&self) -> u64 {
        self.missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn misses_shorten_and_good_ticks_recover() {
        let mut deadline = Deadline::default();
        for _ in 0..10 {
            deadline.observe(1);
        }
        assert_eq!(deadline.missed(), 10);
        let now = Instant::now();
        let second = Duration::from_secs(1);
        assert_eq!(deadline.shortened(now, now + second), now + second / 8);
        // Too late is too late.
        assert_eq!(deadline.shortened(now + second, now), now + second);
        for _ in 0..100 {
            deadline.observe(0);
        }
        assert!(deadline.shortened(now, now + second) > now + second * 99 / 100);
    }
}
