//! Bots: who decides what a hero does.
//!
//! `Greedy`, `Walker` and `Random` are the simple ones, which look one step ahead of a plain distance: to
//! measure the others against, and to have opponents. They see the field's true state.

mod greedy;
mod random;
#[cfg(test)]
mod tests;
mod walker;

pub use greedy::Greedy;
pub use random::Random;
pub use walker::Walker;
