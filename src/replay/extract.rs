//! Turning a tick of a recorded game into a fixed board for `check`: the board, and what the tracker knew then
//! beyond it. The file format is the fixture's (`bot::fixture`).

use std::sync::Arc;

use super::seat::{NoSuchTick, Seat};
use crate::bot::Answer;
use crate::bot::fixture::{AskError, Fixture};
use crate::params::Params;
use crate::sim::Rules;
use crate::track::Known;

/// What is extracted.
#[derive(Debug, Clone, Default)]
pub struct Extract {
    /// Number of the tick.
    pub tick: u64,
    /// Answers that pass; empty: the one that the bot gives now.
    pub accept: Vec<Answer>,
    /// Why these, in words; empty: where the board comes from.
    pub reason: Vec<String>,
}

/// Why a tick cannot be extracted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExtractError {
    /// The player has no board of that tick.
    #[error(transparent)]
    NoSuchTick(#[from] NoSuchTick),
    /// The board cannot be followed.
    #[error("tick {0}: {1}")]
    Track(u64, String),
    /// The fixed board cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// Makes the fixed board of a tick, with the values of every action stored in it.
///
/// # Errors
/// If there is no such tick, or the tracker or the bot cannot do with its board.
pub fn extract(seat: &Seat, params: Params, wish: &Extract) -> Result<Fixture, ExtractError> {
    let index = seat.index_of(wish.tick)?;
    let mut known = Known::default();
    for (turn, picture) in seat.pictures().take(index + 1) {
        let picture = picture.map_err(|error| ExtractError::Track(turn.t, error.to_string()))?;
        known = Known::of(&picture);
    }
    let turn = &seat.turns[index];
    let mut reason = wish.reason.clone();
    if reason.is_empty() {
        reason.push(format!("From game {}, tick {}.", seat.game, turn.t));
        if let Some(answer) = &turn.answer {
            reason.push(format!(
                "Played was {answer:?}. Say here why other answers are better."
            ));
        }
    }
    // A fixture names its dialect only: what the game was set to besides is not asked with.
    let rules = Rules::named(seat.rules.name).map_or_else(|_| Arc::clone(&seat.rules), Arc::new);
    if rules != seat.rules {
        reason.push("The game had settings of its own, which are left out.".to_owned());
    }
    let mut fixture = Fixture {
        reason,
        rules,
        accept: wish.accept.clone(),
        params: split(&params.differences()),
        known,
        past: Vec::new(),
        board: turn.board.clone(),
        played: Vec::new(),
        stored: None,
    };
    let reply = fixture.ask(params)?;
    if fixture.accept.is_empty() {
        fixture.accept.push(reply.explanation.decision.answer);
    }
    fixture.stored = Some(reply.values);
    Ok(fixture)
}

fn split(differences: &str) -> Vec<String> {
    let given = differences.split(',').filter(|one| !one.is_empty());
    given.map(str::to_owned).collect()
}
