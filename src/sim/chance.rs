//! `Chance`: how a tick settles what the rules leave to chance. The server's ticks roll dice, the search's
//! ticks foresee nothing; both run the same stages.

use super::State;
use crate::board::Cell;
use crate::rng::{Dice, Purpose};

/// Answers to the random questions of a tick.
pub trait Chance {
    /// A cell for a new hero or, in classic, a new gold: the bottom left one if no free one is found;
    /// `None` if nothing is to be placed.
    fn place(&mut self, state: &State) -> Option<Cell>;

    /// A free cell for a new thing; `None` if none is found or nothing is to be placed.
    fn place_thing(&mut self, state: &State) -> Option<Cell>;

    /// Whether the field keeps its things at their settings, as the server does; a search that does not
    /// know the settings leaves them as they are.
    fn refills(&self) -> bool;

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
        let corner = state.size().from_point(0, 0);
        Some(self.place_thing(state).unwrap_or(corner))
    }

    fn place_thing(&mut self, state: &State) -> Option<Cell> {
        let size = state.size();
        let edge = size.edge() as u32;
        for attempt in 0..=PLACEMENT_TRIES {
            let x = self.0.draw(edge, Purpose::PlaceX) as usize;
            let y = self.0.draw(edge, Purpose::PlaceY) as usize;
            let cell = size.from_point(x, y);
            if attempt < PLACEMENT_TRIES && state.is_free(cell) {
                return Some(cell);
            }
        }
        None
    }

    fn refills(&self) -> bool {
        true
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
    fn place_thing(&mut self, _: &State) -> Option<Cell> {
        None
    }

    #[inline]
    fn refills(&self) -> bool {
        false
    }

    #[inline]
    fn choose(&mut self, _: usize, count: usize) -> Option<usize> {
        (count == 1).then_some(0)
    }
}
