//! Times of the hot paths, and a signature of all that is computed: what `lodebot bench` prints.
//!
//! Each time is the least of several repetitions in one run, so that a busy machine disturbs it least. The
//! signature depends on no clock. Not the statistics of matches: those are `arena`.

mod decisions;
mod play;
mod signature;
mod speed;

pub use decisions::{DecisionTimes, SelfPlay};
pub use play::Play;
pub use signature::{SIGNATURE_BOARDS, signature};
pub use speed::{NodeTimes, Report, TickTimes, measure};
