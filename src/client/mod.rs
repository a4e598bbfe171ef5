//! Live play: one socket, one answer a board, for as long as the person wants.
//!
//! The turn rule is everything (`PROTOCOL` section 1): a board that is not answered is the last one
//! that comes. So whatever the brain does (thinks too long, panics, hangs) the loop here answers in
//! time, and whatever the server does (refuses, closes, resets, falls silent) it connects again.
//!
//! Not here: how to decide (a [`Brain`]), what the socket does (`net`), options of the command line.

mod brain;
mod latency;
mod live_log;
mod period;
mod pilot;
mod play;
mod turns;
mod worker;

pub use brain::{Answer, Brain, Tally, Turn};
pub use latency::Latency;
pub use live_log::LiveLog;
pub use pilot::Pilot;
pub use play::{Options, Summary, play};
pub use turns::{Played, Watcher};
