//! What can be wrong with a tuning, its file and the lines of its candidates and results, each told in one line.

use crate::arena::{EntrantError, LedgerError, PlanError};
use crate::params::ParamsError;

/// A tuning that cannot be begun, or goes on with.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A parameter that is not in the table, or a value that is not in its range.
    #[error(transparent)]
    Params(#[from] ParamsError),
    /// A parameter whose values are words.
    #[error(
        "parameter `{0}` is one of a few words and cannot be tuned; hold it with --set {0}=WORD"
    )]
    Word(String),
    /// A range or step that cannot be searched.
    #[error("parameter `{text}`: {why}")]
    Axis {
        /// As typed, or the name.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// The same parameter twice.
    #[error("parameter `{0}` is named twice")]
    Twice(String),
    /// A number of something outside what makes sense.
    #[error("{what} must be from {min} to {max}, not {given}")]
    Number {
        /// Of what.
        what: &'static str,
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// What it is.
        given: String,
    },
    /// Only the searching bots have parameters.
    #[error("bot {0:?} cannot be tuned; beam, chokudai and dp can")]
    Bot(String),
    /// A program's answers may depend on clocks.
    #[error(
        "{0:?} is a program of its own, whose games need not repeat; name built-in bots with --against"
    )]
    External(String),
    /// A bot of the field.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// No match.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// SPSA goes there and back.
    #[error("spsa needs an even --population, not {0}")]
    Odd(u32),
    /// The program is not the one that began.
    #[error(
        "the tuning was begun by lodebot {0}, and this is {current}: scores would not compare; go on with that \
         version or begin anew",
        current = env!("CARGO_PKG_VERSION")
    )]
    Version(String),
    /// The defaults have changed since.
    #[error(
        "the default parameters are not those with which the tuning was begun: scores would not compare; begin \
         anew with `tune new`"
    )]
    Defaults,
    /// A level has changed since.
    #[error(
        "level {0} is not what it was when the tuning was begun: scores would not compare; begin anew"
    )]
    Level(String),
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] LedgerError),
}

/// A file or a line that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The system refuses.
    #[error("{path}: cannot be {done}: {source}")]
    File {
        /// The file.
        path: String,
        /// What was to be done with it.
        done: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A new tuning over an old one.
    #[error(
        "{0} is there already; `lodebot tune go {0}` goes on with it, and another tuning needs another file"
    )]
    Exists(String),
    /// Not what `tune` wrote.
    #[error("{path}: this is not a whole state file of `tune`: {fault}")]
    Broken {
        /// The file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// The setup in it is none.
    #[error("{path}: {source}")]
    Setup {
        /// The file.
        path: String,
        /// What is wrong.
        source: Box<SetupError>,
    },
    /// A line of candidates or results.
    #[error("{place}: {fault}")]
    Line {
        /// File and line.
        place: String,
        /// What is wrong, and what to do.
        fault: String,
    },
}
