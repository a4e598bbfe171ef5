//! `RoundClock`: the clock of a match's rounds (DIALECTS section 6). It says what a tick is for; whom that
//! concerns and what they hear is the business of `Game`.

use super::Rounds;

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundClock {
    /// Number of the last round that started, from 1 on.
    round: u32,
    phase: Phase,
    /// Ticks that a last survivor may still run. Once started it runs on even if that one dies, into the
    /// next round.
    winner: Option<i64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// So many ticks until the next round starts.
    Countdown(i64),
    /// A round that started so many ticks ago.
    Running { elapsed: i64 },
}

/// What the clock makes of a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// The field stands still; so many ticks are left, if a round will start at all.
    Wait(Option<u32>),
    /// The field stands still and this round starts.
    Start(u32),
    /// The field ticks.
    Play,
    /// The field stands still: the time of the round is over.
    TimeOver,
    /// The field stands still: nobody is left, or the time of the last survivor is over.
    Done,
}

impl RoundClock {
    pub(super) fn new(rounds: &Rounds) -> RoundClock {
        RoundClock {
            round: 0,
            phase: Phase::Countdown(rounds.time_before_start),
            winner: None,
        }
    }

    /// Number of the round that runs or ran last; 0 before the first.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether no round will follow the present one in this match.
    pub(super) fn is_last(&self, rounds: &Rounds) -> bool {
        i64::from(self.round) >= rounds.per_match
    }

    /// One tick passes, which so many heroes enter alive in the round.
    pub(super) fn tick(&mut self, rounds: &Rounds, survivors: usize) -> Turn {
        self.winner = self.winner.map(|left| left - 1);
        let winner_done = self.winner.is_some_and(|left| left <= 0);
        if winner_done {
            self.winner = None;
        }
        match &mut self.phase {
            Phase::Countdown(0) => Turn::Wait(None),
            Phase::Countdown(left) => {
                *left -= 1;
                if *left > 0 {
                    return Turn::Wait(Some(*left as u32));
                }
                self.round += 1;
                self.phase = Phase::Running { elapsed: 0 };
                Turn::Start(self.round)
            }
            Phase::Running { elapsed } => {
                *elapsed += 1;
                if *elapsed >= rounds.time {
                    return Turn::TimeOver;
                }
                if survivors == 0 || winner_done {
                    return Turn::Done;
                }
                if survivors == 1 && self.winner.is_none() {
                    self.winner = Some(rounds.time_for_winner);
                }
                Turn::Play
            }
        }
    }

    /// Back to the countdown.
    pub(super) fn restart(&mut self, rounds: &Rounds) {
        self.phase = Phase::Countdown(rounds.time_before_start);
    }

    /// Whether being the last survivor now counts as a win.
    pub(super) fn survival_counts(&self, rounds: &Rounds) -> bool {
        match self.phase {
            Phase::Countdown(_) => false,
            Phase::Running { elapsed } => elapsed >= rounds.min_ticks_for_win,
        }
    }

    /// Whether a win by time counts.
    pub(super) fn time_counts(&self, rounds: &Rounds) -> bool {
        match self.phase {
            Phase::Countdown(_) => false,
            Phase::Running { elapsed } => elapsed > rounds.min_ticks_for_win,
        }
    }
}
