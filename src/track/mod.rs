//! What the bot knows beyond one frame: remembered terrain, ages of holes, who is who, what monsters carry and
//! hunt. `Tracker` is fed one board a frame and hands out a `Picture`: a simulator's state and how sure it is.
//!
//! Not here: anything that decides, and any rule of motion (`sim` has them).

mod assumptions;
mod field;
mod ground;
mod holes;
mod hunters;
mod known;
mod pairing;
mod picture;
mod portals;
mod roster;
mod sight;
mod things;
mod tracker;
mod treasure;
mod turns;

pub use assumptions::Assumptions;
pub use known::{Hunt, Known, KnownError, KnownHole, KnownMonster, Who};
pub use picture::{Account, Agreement, CoveredGold, MonsterBelief, Picture, VagueHole};
pub use tracker::{TrackError, Tracker};

#[cfg(test)]
mod tests;
