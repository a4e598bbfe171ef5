//! The server's period, learnt from when boards come, and the time budget that follows from it.
//!
//! A board's interval says something only if its answer was early (else the board after it may have
//! been missed) and the server was not waiting for that answer (lock-step).

use std::collections::VecDeque;
use std::time::Duration;

/// Intervals remembered.
const MEMORY: usize = 9;
/// Boards closer than this come from a stalled server catching up, or from one that waits for us.
const BURST: Duration = Duration::from_millis(15);
/// The share of the period that thinking may take: the answer has to travel too.
const SHARE: f64 = 0.45;
/// No budget is longer unless asked for: 300 to 500 ms of the usual second.
const LONGEST: Duration = Duration::from_millis(450);
/// No budget is shorter.
const SHORTEST: Duration = Duration::from_millis(10);

/// A board that comes so soon after our answer may have waited for it: threads take a while to wake up.
const AT_ONCE: Duration = Duration::from_millis(5);

/// What is known about the period.
#[derive(Debug, Default)]
pub(super) struct Period {
    intervals: VecDeque<Duration>,
    /// Whether the last boards came at once upon our answers.
    at_once: VecDeque<bool>,
}

impl Period {
    /// The period, as soon as there is anything to go by: the lower median of the last intervals.
    pub(super) fn estimate(&self) -> Option<Duration> {
        let mut sorted: Vec<Duration> = self.intervals.iter().copied().collect();
        sorted.sort_unstable();
        sorted.get(sorted.len().checked_sub(1)? / 2).copied()
    }

    /// A board came `interval` after the one before, which had been answered after `took`. Gives how
    /// many boards were missed in between.
    pub(super) fn observe(&mut self, interval: Duration, took: Duration) -> u32 {
        let at_once = interval.saturating_sub(took) < (interval / 8).max(AT_ONCE);
        if self.at_once.len() == MEMORY {
            self.at_once.pop_front();
        }
        self.at_once.push_back(at_once);
        let waits = self.at_once.iter().filter(|at_once| **at_once).count();
        if 2 * waits > self.at_once.len() {
            // A server that waits for us has no period, and loses no board however late we are.
            return 0;
        }
        let Some(period) = self.estimate() else {
            self.remember(interval, at_once);
            return 0;
        };
        let ratio = interval.as_secs_f64() / period.as_secs_f64().max(1e-6);
        let was_late = took.as_secs_f64() >= 0.6 * period.as_secs_f64();
        // Beyond that it is a pause, or the period was learnt from a burst of ticks after a stall.
        if was_late && (1.5..8.5).contains(&ratio) {
            // The board that came is the last of so many; the answer may have travelled on for a while.
            return ratio.round() as u32 - 1;
        }
        self.remember(interval, at_once);
        0
    }

    fn remember(&mut self, interval: Duration, at_once: bool) {
        if at_once || interval < BURST {
            return;
        }
        if self.intervals.len() == MEMORY {
            self.intervals.pop_front();
        }
        self.intervals.push_back(interval);
    }

    /// How long deciding may take from the board's arrival on, answer sent.
    pub(super) fn budget(&self, round_trip: Option<Duration>) -> Duration {
        let Some(period) = self.estimate() else {
            return LONGEST;
        };
        let usable = period.saturating_sub(round_trip.unwrap_or_default());
        usable.mul_f64(SHARE).clamp(SHORTEST, LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_steady_server_is_learnt_and_half_used() {
        let mut period = Period::default();
        assert_eq!(period.budget(None), LONGEST);
        for _ in 0..20 {
            assert_eq!(period.observe(ms(200), ms(5)), 0);
        }
        assert_eq!(period.estimate(), Some(ms(200)));
        assert_eq!(period.budget(None), ms(90));
        assert_eq!(period.budget(Some(ms(100))), ms(45));
    }

    /// A bot throttled to 250 ms on a server of 200 ms sees every second board.
    #[test]
    fn late_answers_count_missed_boards_and_teach_nothing() {
        let mut period = Period::default();
        period.observe(ms(200), ms(5));
        for _ in 0..50 {
            assert_eq!(period.observe(ms(400), ms(250)), 1);
        }
        assert_eq!(period.observe(ms(600), ms(450)), 2);
        assert_eq!(period.estimate(), Some(ms(200)));
        // Sent in time, but not there in time.
        assert_eq!(period.observe(ms(370), ms(128)), 1);
    }

    #[test]
    fn pauses_and_bursts_do_not_last() {
        let mut period = Period::default();
        // After a stall the first ticks come back to back.
        for _ in 0..5 {
            period.observe(ms(3), ms(1));
        }
        for _ in 0..9 {
            // The budget for such a period is the shortest there is.
            assert_eq!(period.observe(ms(1000), ms(10)), 0);
        }
        assert_eq!(period.estimate(), Some(ms(1000)));
        assert_eq!(period.observe(ms(60_000), ms(10)), 0, "a pause");
        assert_eq!(period.estimate(), Some(ms(1000)));
    }

    #[test]
    fn a_server_that_waits_for_answers_has_no_period() {
        let mut period = Period::default();
        for took in [1, 2, 5, 100, 400, 450] {
            assert_eq!(
                period.observe(ms(took) + Duration::from_micros(90), ms(took)),
                0
            );
        }
        assert_eq!(period.estimate(), None);
        assert_eq!(period.budget(None), LONGEST);
    }

    /// On a busy machine its next board takes a while too, now and then.
    #[test]
    fn a_server_that_waits_loses_no_board_however_late_an_answer_is() {
        let mut period = Period::default();
        for (number, took) in [1, 20, 1, 30, 200, 2, 3, 190, 1, 240]
            .into_iter()
            .enumerate()
        {
            let delay = if number % 3 == 2 { 19 } else { 1 };
            assert_eq!(period.observe(ms(took + delay), ms(took)), 0);
        }
        // It is no matter for ever: the next server has a period.
        for _ in 0..9 {
            period.observe(ms(200), ms(5));
        }
        assert_eq!(period.observe(ms(400), ms(250)), 1);
    }
}
