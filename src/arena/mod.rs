//! Matches without a server: bots against each other, or each alone, in the simulator, and what can be
//! said about them afterwards.
//!
//! A [`Plan`] says which games there are; [`run`] plays them on any number of threads and hands the
//! results on in the order of the games, so that everything that is printed or stored is the same bytes
//! for any number of threads and after any interruption. Nothing here waits for a clock but the external
//! bots' limits. Not a server: nobody connects here, and the game always waits for every answer.

mod entrant;
mod external;
mod fault;
mod game;
mod ledger;
mod plan;
mod player;
mod report;
mod run;
mod summary;
#[cfg(test)]
mod tests;

pub use entrant::{Entrant, EntrantError};
pub use external::{CommandLine, Limits};
pub use fault::{Fault, FaultKind};
pub use game::{GameResult, Tally};
pub use ledger::{Ledger, LedgerError};
pub use plan::{Plan, PlanError};
pub use player::{Player, View};
pub use report::text;
pub use run::{End, Options, play_games, run};
pub use summary::{BotSummary, PairSummary, SequentialTest, Summary};
