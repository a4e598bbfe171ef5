//! The exact simulator: rules, level, state and one tick of a Codenjoy Lode Runner server.
//!
//! A `Level` never changes; a `State` is mutated in place and undone (`mark`, `tick`, `undo`); a `Game` adds
//! players, commands and scores, which is all that a server does in one tick.
//!
//! Not here: what a server prints (`board`) and everything that decides (`tactics`, `strategy`).

mod chance;
mod chase;
mod check;
mod classic;
pub mod command;
mod draw;
mod event;
mod game;
mod hero;
mod hole;
mod journal;
mod level;
mod monster;
mod perft;
mod rules;
mod score;
mod state;
mod tile;

pub use chance::{Chance, Foreseen, Rolled};
pub use chase::Chase;
pub use check::Fault;
pub use command::{Command, Grammar, Word};
pub use event::{Event, Observer, Unheard};
pub use game::{Game, GameError, Player, PlayerNumber};
pub use hero::{Hero, HeroId, Pending};
pub use hole::{Gold, Hole};
pub use journal::Mark;
pub use level::{Level, LevelError};
pub use monster::{Monster, Target};
pub use perft::{Walk, perft};
pub use rules::{FirstHero, Points, Rules, RulesError};
pub use score::Score;
pub use state::State;
pub use tile::Tile;
