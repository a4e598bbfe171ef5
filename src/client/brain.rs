//! What a live game asks of whoever decides.

use std::sync::Mutex;
use std::time::Instant;

/// One board to be answered.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The board's text, without `board=`. Nothing is known about it: any length, any glyphs.
    pub board: &'a str,
    /// Number of the board in this run, from 0.
    pub number: u64,
    /// Boards since the last turn that this brain did not see: missed on the server or come while it
    /// was still busy. The hero idled in all of them.
    pub missed: u32,
    /// What was really answered to the last board this brain saw; after a late decision that is not
    /// what it decided. Nothing before the first.
    pub sent: Option<&'a str>,
    /// An answer after this time is not used.
    pub deadline: Instant,
    pub(super) offer: &'a Mutex<Option<String>>,
}

impl Turn<'_> {
    /// Leaves the best answer so far, which is sent if the final one is late or never comes.
    pub fn offer(&self, text: &str) {
        if let Ok(mut offer) = self.offer.lock() {
            *offer = Some(text.to_owned());
        }
    }
}

/// What is known about the hero's fortune, counted from the first board on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Points as far as known.
    pub score: i64,
    /// Gold taken.
    pub gold: u64,
    /// Deaths of any cause.
    pub deaths: u64,
}

impl Tally {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            score: self.score + other.score,
            gold: self.gold + other.gold,
            deaths: self.deaths + other.deaths,
        }
    }
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The text to send; empty for "do nothing".
    pub text: String,
    /// Why, for people and for the log.
    pub reasons: Vec<String>,
    /// The running count.
    pub tally: Tally,
}

/// Whoever decides. It runs in a thread of its own and may panic, be late or hang: the game goes on
/// without its answer. After a panic a new one is made.
pub trait Brain: Send {
    /// Decides one turn, preferably before `turn.deadline`.
    fn decide(&mut self, turn: &Turn<'_>) -> Answer;
}
