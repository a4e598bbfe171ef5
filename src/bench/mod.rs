//! Times of the hot paths, and one number for all decisions: what `lodebot bench` prints.
//!
//! Each time is the least of several repetitions in one run, so that a busy machine disturbs it least. The
//! signature depends on no clock. Not the statistics of matches: those are `arena`.

mod play;
mod signature;
mod speed;

pub use play::Play;
pub use signature::{SIGNATURE_BOARDS, signature};
pub use speed::{NodeTimes, Report, TickTimes, measure};
