//! The shipped levels, found by name or read from a file, and the generator of new ones.
//! What it is not: the simulator's picture of a level; a level here is the text's [`Board`].

mod generate;
#[cfg(test)]
mod tests;

pub use generate::{Plan, PlanError, generate};
