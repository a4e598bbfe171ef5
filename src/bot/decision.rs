//! `Decision`: what the bot answers to a board, and what it says at once about why. What it can tell when it is
//! asked: `Explanation`.

use crate::board::Action;
use crate::tactics::{Line, Search, Terms};
use std::str::FromStr;

/// What is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// An action.
    Act(Action),
    /// `ACT(0)`: a new hero at a random place.
    Suicide,
}

impl Answer {
    /// The text for the server; empty for "do nothing".
    pub const fn wire(self) -> &'static str {
        match self {
            Answer::Act(action) => action.wire(),
            Answer::Suicide => "ACT(0)",
        }
    }

    /// The answer that was sent as this text; `None` for texts that the bot never sends.
    pub fn from_wire(text: &str) -> Option<Answer> {
        Action::all()
            .map(Answer::Act)
            .chain([Answer::Suicide])
            .find(|answer| answer.wire() == text)
    }

    /// The action, if it is one.
    pub const fn action(self) -> Option<Action> {
        match self {
            Answer::Act(action) => Some(action),
            Answer::Suicide => None,
        }
    }

    /// A name for people and for files.
    pub const fn name(self) -> &'static str {
        match self {
            Answer::Act(action) => action.name(),
            Answer::Suicide => "suicide",
        }
    }
}

/// The text is no answer's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no answer; use left, right, up, down, dig-left, dig-right, shoot-left, shoot-right, open-left, open-right, stay or suicide"
)]
pub struct UnknownAnswer(pub String);

impl FromStr for Answer {
    type Err = UnknownAnswer;

    fn from_str(text: &str) -> Result<Answer, UnknownAnswer> {
        if text == Answer::Suicide.name() {
            return Ok(Answer::Suicide);
        }
        text.parse()
            .map(Answer::Act)
            .map_err(|_| UnknownAnswer(text.to_owned()))
    }
}

/// One decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What to send.
    pub answer: Answer,
    /// The best line found, its first action first. The answer differs from it where a watchdog stepped in.
    pub line: Line,
    /// The line's value split into what it is made of.
    pub terms: Terms,
    /// The values of all root actions; `None` where there was nothing to search.
    pub search: Option<Search>,
    /// Why, in words; for logs and `--explain`.
    pub reasons: Vec<String>,
}

impl Decision {
    /// Standing still without a search, for this reason.
    pub fn idle(reason: impl Into<String>) -> Decision {
        Decision {
            answer: Answer::Act(Action::Stay),
            line: Line::new(),
            terms: Terms::default(),
            search: None,
            reasons: vec![reason.into()],
        }
    }
}
