//! Tuning: values for some parameters of the table that score more, found on the arena's games.
//!
//! ```text
//!     Setup -> State -> ask -> Candidate -> Stages::play -> Outcome -> tell -> State -> .. -> Verdict
//! ```
//!
//! Two methods, [`Method`]: SPSA for many parameters and few games a round, CMA-ES for few parameters that depend
//! on each other. All candidates of a round play the same seeds, each round has others, and at the end the tuned set
//! meets the old one on seeds that nothing has seen. A [`State`] is its setup and the scores told, in one file;
//! the same scores give the same bytes, whatever the order, the threads and the interruptions. Not an arena and no
//! statistics of its own: games are played by `arena`, intervals are made by `stats`.

mod eigen;
mod error;
mod evolution;
mod exchange;
mod games;
mod optimizer;
mod report;
mod setup;
mod space;
mod spsa;
mod state;
#[cfg(test)]
mod tests;
mod verdict;

pub use error::{SetupError, StateError};
pub use exchange::{Candidate, Outcome, read_lines};
pub use games::{Job, Stages};
pub use report::{json, mean_and_best, text, toml, verdict_json, verdict_text};
pub use setup::{Method, Setup, Stage, Task};
pub use space::Axis;
pub use state::{Round, State, Told};
pub use verdict::{Finding, Judgement, Verdict};
