//! The exact simulator: rules, level, state and one tick of a Codenjoy Lode Runner server.
//!
//! A `Level` never changes; a `State` is mutated in place and undone (`mark`, `tick`, `undo`); a `Game` adds
//! players, commands and scores, which is all that a server does in one tick.
//!
//! Not here: what a server prints (`board`) and everything that decides (`tactics`, `strategy`).

mod bullet;
mod chance;
mod chase;
mod check;
mod classic;
mod clifford;
pub mod command;
mod credit;
mod death;
mod door;
mod draw;
mod event;
mod game;
mod gear;
mod hash;
mod hero;
mod hole;
mod hunt;
mod item;
mod journal;
mod level;
mod loderunner;
mod monster;
mod movement;
mod orders;
mod perft;
mod portal;
mod quarry;
mod refill;
mod round;
mod rules;
mod score;
mod seating;
mod setting;
mod state;
mod tile;
mod turn;

pub use chance::{Chance, Foreseen, Rolled};
pub use chase::Chase;
pub use check::Fault;
pub use command::{Command, Grammar, Word};
pub use event::{Event, Notice, Observer, Unheard};
pub use game::{Game, GameError, Player, PlayerNumber};
pub use gear::Gear;
pub use hero::{DoorOrder, Hero, HeroId, Pending};
pub use hole::{Gold, Hole};
pub use item::{Item, ItemKind};
pub use journal::Mark;
pub use level::{Level, LevelError};
pub use monster::{Monster, Target};
pub use orders::Act;
pub use perft::{Walk, perft};
pub use rules::{
    Brain, Counting, Counts, Dialect, FirstHero, Gun, Points, Rounds, Rules, RulesError,
};
pub use score::Score;
pub use setting::SettingValue;
pub use state::State;
pub use tile::Tile;
