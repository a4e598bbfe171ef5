//! Deciding anew on the boards of a recorded game: what would the bot of today have answered? The tracker gets
//! the boards in their order and the answers that were really given.

use std::time::Instant;

use super::seat::{Seat, Turn};
use crate::bot::{Answer, Bot, Decision, Limit};
use crate::params::Params;
use crate::stats::quantile;

/// One board decided anew.
#[derive(Debug, Clone)]
pub struct Redecision {
    /// Number of the server tick.
    pub t: u64,
    /// What was answered, if it is known and one of the bot's answers.
    pub played: Option<Answer>,
    /// What the bot answers now.
    pub chosen: Decision,
    /// Time of the decision, in milliseconds.
    pub took_ms: f64,
    /// What the bot answers with the other parameters, if there are some.
    pub against: Option<Decision>,
}

impl Redecision {
    /// Whether there was anything to decide: a living hero.
    pub fn is_decided(&self) -> bool {
        self.chosen.search.is_some()
    }
}

/// The value of an answer in a decision's search; `None` if it was not searched.
pub fn value_of(decision: &Decision, answer: Answer) -> Option<f64> {
    let Answer::Act(action) = answer else {
        return None;
    };
    let search = decision.search.as_ref()?;
    let found = search.actions.iter().find(|pair| pair.0 == action);
    found.map(|pair| pair.1)
}

/// How often two sides answered alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// Boards on which both answers are known.
    pub compared: u64,
    /// Boards on which they are the same.
    pub same: u64,
}

impl Agreement {
    fn count(&mut self, one: Option<Answer>, other: Option<Answer>) {
        if let (Some(one), Some(other)) = (one, other) {
            self.compared += 1;
            self.same += u64::from(one == other);
        }
    }

    /// The share of equal answers in percent; `None` if nothing was compared.
    pub fn percent(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.same as f64 * 100.0 / self.compared as f64)
    }
}

/// What a game decided anew comes to.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Boards of the game.
    pub boards: u64,
    /// Boards with a living hero.
    pub decided: u64,
    /// The bot and the recording.
    pub with_log: Agreement,
    /// The bot with the other parameters and the recording.
    pub against_with_log: Agreement,
    /// The two parameter sets with each other.
    pub each_other: Agreement,
    times_ms: Vec<f64>,
}

impl Comparison {
    /// Counts one board.
    pub fn count(&mut self, board: &Redecision) {
        self.boards += 1;
        if !board.is_decided() {
            return;
        }
        self.decided += 1;
        self.times_ms.push(board.took_ms);
        let chosen = Some(board.chosen.answer);
        self.with_log.count(chosen, board.played);
        if let Some(against) = &board.against {
            self.against_with_log
                .count(Some(against.answer), board.played);
            self.each_other.count(chosen, Some(against.answer));
        }
    }

    /// The time below which this share of the decisions took, in milliseconds.
    pub fn time_ms(&self, share: f64) -> Option<f64> {
        quantile(&self.times_ms, share)
    }
}

/// Decides on every board of a player, in order.
pub fn redecide<'a>(
    seat: &'a Seat,
    params: &Params,
    against: Option<&Params>,
) -> impl Iterator<Item = Redecision> + 'a {
    let new = |params: &Params| Bot::new(seat.rules.clone(), *params);
    let mut bot = new(params);
    let mut other = against.map(new);
    let mut given = None;
    seat.turns.iter().map(move |turn: &Turn| {
        let limit = || Limit {
            missed: turn.missed,
            ..Limit::default()
        };
        let start = Instant::now();
        let chosen = bot.decide_board(&turn.board, given, limit());
        let took_ms = start.elapsed().as_secs_f64() * 1000.0;
        let against = other
            .as_mut()
            .map(|bot| bot.decide_board(&turn.board, given, limit()));
        let played = turn.played(&seat.rules);
        given = played;
        Redecision {
            t: turn.t,
            played,
            chosen,
            took_ms,
            against,
        }
    })
}
