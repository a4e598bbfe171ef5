//! The wire between a player and a Codenjoy server: addresses, frames, the WebSocket itself.
//!
//! Not here: when to answer and what (`client`), the other end of the wire (`server`), and what
//! stands on a board (`board`).

pub mod frame;
pub mod link;
pub mod query;
pub mod socket;
mod stream;
mod upgrade;
