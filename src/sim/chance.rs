//! `Chance`: how a tick settles what the rules leave to chance. The server's ticks roll dice, the search's
//! ticks foresee nothing; both run the same stages.

use super::{State, Tile};
use crate::board::Cell;
use crate::rng::{Dice, Purpose};

/// Answers to the random questions of a tick.
pub trait Chance {
    /// A cell for a new hero or a new gold; `None` if nothing is to be placed.
    fn place(&mut self, state: &State) -> Option<Cell>;

    /// Which of `count` candidates a monster hunts, `0..count`; `None` if that cannot be known.
    fn choose(&mut self, monster: usize, count: usize) -> Option<usize>;
}

/// Chance as the server has it: every question rolls dice, in the server's order and with its bounds.
#[derive(Debug)]
pub struct Rolled<'a, D: Dice + ?Sized>(pub &'a mut D);

/// Tries of a placement that count; one more pair is drawn and ignored (RULES section 7).
const PLACEMENT_TRIES: usize = 100;

impl<D: Dice + ?Sized> Chance for Rolled<'_, D> {
    fn place(&mut self, state: &State) -> Option<Cell> {
        let size = state.size();
        let edge = size.edge() as u32;
        for attempt in 0..=PLACEMENT_TRIES {
            let x = self.0.draw(edge, Purpose::PlaceX) as usize;
            let y = self.0.draw(edge, Purpose::PlaceY) as usize;
            let cell = size.from_point(x, y);
            if attempt < PLACEMENT_TRIES && state.tile(cell).is_free() {
                return Some(cell);
            }
        }
        Some(size.from_point(0, 0))
    }

    fn choose(&mut self, monster: usize, count: usize) -> Option<usize> {
        let purpose = Purpose::Target {
            monster: monster as u16,
        };
        Some(self.0.draw(count as u32, purpose) as usize)
    }
}

/// Chance as the search has it: nothing is placed, and a choice is only made where there is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Foreseen;

impl Chance for Foreseen {
    #[inline]
    fn place(&mut self, _: &State) -> Option<Cell> {
        None
    }

    #[inline]
    fn choose(&mut self, _: usize, count: usize) -> Option<usize> {
        (count == 1).then_some(0)
    }
}

const _: () = assert!(Tile::EMPTY.is_free());
