//! Doing things with recorded games: verifying them against the simulator, explaining live clients' logs, deciding
//! anew, looking at them, and trying what would have been.
//!
//! The lines themselves are read by [`crate::record`]; the rules are those of [`crate::sim`], decisions
//! those of [`crate::bot`].

mod analyse;
mod batch;
mod check;
mod divergence;
mod explain;
mod extract;
mod field;
mod fork;
mod redecide;
mod seat;
mod show;
mod verify;

pub use analyse::{
    Analysis, Analyst, Death, Findings, MissedGold, Position, Rescue, page as analysis_page,
    text as analysis_text,
};
pub use check::Explained;
pub use divergence::{Difference, Divergence, Views};
pub use explain::Kind;
pub use extract::{Extract, ExtractError, extract};
pub use fork::{Change, Course, Fork, ForkError, fork};
pub use redecide::{Agreement, Comparison, Redecision, redecide, value_of};
pub use seat::{NoSuchTick, PickError, Seat, SeatError, Turn, pick, read_answer};
pub use show::{Look, Overlay, Show, UnknownOverlay};
pub use verify::{Fault, Options, Report, Summary, verify};
