//! The exact simulator: rules, level, state and one tick of a Codenjoy Lode Runner server.
//!
//! Not here: what a server prints (`board`) and everything that decides (`tactics`, `strategy`).

pub mod command;
