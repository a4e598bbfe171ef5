//! Doing things with recorded games: so far, verifying them against the simulator.
//!
//! The lines themselves are read by [`crate::record`]; the rules are those of [`crate::sim`]. Nothing
//! here decides a move.

mod batch;
mod check;
mod divergence;
mod explain;
mod field;
mod verify;

pub use check::Explained;
pub use divergence::{Difference, Divergence, Views};
pub use explain::Kind;
pub use verify::{Fault, Options, Report, Summary, verify};
