//! `Fault`: what an external bot did wrong in a game. A fault is part of the result, never a silent zero.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The process could not be started.
    NotStarted,
    /// The process ended, or closed its output, before the game did.
    Died,
    /// No answer within the limit. The process was ended.
    Hung,
    /// More output than was asked for: a second line, or one that is too long. The process was ended.
    Flooded,
    /// An answer in which no command can be found. The hero idled; the bot plays on.
    Nonsense,
}

impl FaultKind {
    /// Whether the bot is out of the game.
    pub fn is_fatal(self) -> bool {
        self != FaultKind::Nonsense
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NotStarted => "could not be started",
            FaultKind::Died => "died",
            FaultKind::Hung => "gave no answer in time",
            FaultKind::Flooded => "wrote more than it was asked for",
            FaultKind::Nonsense => "answered without any command",
        })
    }
}

/// What a player reports of himself.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The kind.
    pub kind: FaultKind,
    /// What exactly: the system's message, the line.
    pub detail: String,
    /// How the process ended, if it did by itself.
    pub status: Option<String>,
    /// The end of what it wrote to its standard error.
    pub errors: String,
}

/// A fault in a game. A bot's fatal fault is its last; of its trifles only the first is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Place of the bot in the list of bots.
    pub bot: usize,
    /// The tick whose answer was waited for, from 1.
    pub tick: u64,
    /// The kind.
    pub kind: FaultKind,
    /// What exactly.
    pub detail: String,
    /// How the process ended, if it did by itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub status: Option<String>,
    /// The end of what it wrote to its standard error.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub errors: String,
    /// The board it was given last.
    pub board: String,
}
