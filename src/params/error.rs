//! What can be wrong with a parameter somebody typed, each told in one line.

use thiserror::Error;

/// A parameter, a file of parameters or a `name=value` that cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ParamsError {
    /// No such parameter: correct the name, `params list` has them all.
    #[error(
        "unknown parameter `{name}`{}",
        suggestion.map_or_else(|| "; `params list` shows them all".to_string(),
            |near| format!("; did you mean `{near}`?"))
    )]
    Unknown {
        /// As it was typed.
        name: String,
        /// The parameter that looks most like it.
        suggestion: Option<&'static str>,
    },
    /// The value is of another kind.
    #[error("parameter `{name}` cannot be `{value}`: expected {expected}")]
    Mistyped {
        /// The parameter.
        name: &'static str,
        /// As it was typed.
        value: String,
        /// What it should look like.
        expected: String,
    },
    /// The value is of the right kind, but too small or too large.
    #[error("parameter `{name}` = {value} is out of range: {range} {unit}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// As it was typed.
        value: String,
        /// What is allowed.
        range: String,
        /// Unit of the range.
        unit: &'static str,
    },
    /// An assignment without `=` or without a name.
    #[error("`{0}` is not of the form name=value")]
    NotAnAssignment(String),
    /// A file of parameters is no TOML, or a line of it is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// Line in the file, from 1 on.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The file cannot be read, or something in it is wrong.
    #[error("{path}: {reason}")]
    File {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}
