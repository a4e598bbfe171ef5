//! Dice: every random number of the game comes through one trait.
//!
//! The rules draw whole numbers only, uniformly below a bound (RULES section 14), so that is all
//! the trait offers. A draw says what it is for; recordings are checked against it, and the seeded
//! stream keeps draws of different purposes independent of each other.
//!
//! | dice | for |
//! |---|---|
//! | [`Seeded`] | our own games: a pure function of seed, tick, purpose and count |
//! | [`JavaRandom`] | bit-exact `java.util.Random`, the generator behind the original servers |
//! | [`Recorded`] | replaying a game log: answers and checks its `draws` |
//! | [`Noted`] | any of them, noting every draw for a game log |
//! | [`Scripted`] | tests: the given values, and what was asked |
//!
//! Not a general random number library: no floating-point distributions, no entropy, no clocks.

mod java;
mod noted;
mod recorded;
mod scripted;
mod seeded;

pub use java::JavaRandom;
pub use noted::Noted;
pub use recorded::{DiceFault, Draw, Recorded};
pub use scripted::Scripted;
pub use seeded::{Seeded, derive_seed};

/// What a draw decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Column of a random cell (new hero, new gold, new thing), counted from the left.
    PlaceX,
    /// Row of a random cell, in the server's order: counted from the bottom.
    PlaceY,
    /// Which hero a monster hunts from now on (classic rules).
    Target {
        /// Index of the monster in the level's list, the third number of a recorded draw.
        monster: u16,
    },
    /// Which level a new board gets.
    Level,
    /// Anything that is no rule of the game: generated levels, resampling, random play.
    Sample,
}

impl Purpose {
    /// The monster whose choice this is; `None` for everything but [`Purpose::Target`].
    pub const fn monster(self) -> Option<u16> {
        match self {
            Self::Target { monster } => Some(monster),
            _ => None,
        }
    }
}

/// A place in the stream of a [`Dice`], small enough to sit in every undo record.
///
/// Only the dice that made it (or a clone) can interpret it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiceMark {
    words: [u64; 2],
}

/// A source of uniform whole numbers whose place in the stream can be saved and restored.
///
/// A draw cannot fail: dice with a prescribed stream ([`Recorded`], [`Scripted`]) remember the first
/// mismatch and keep answering something in range, so that hot code carries no error path.
pub trait Dice {
    /// A number in `0..bound`. A bound of 0 gives 0; the rules never ask for it.
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32;

    /// The present place in the stream.
    fn save(&self) -> DiceMark;

    /// Back to a saved place: the draws that follow are the same again.
    fn restore(&mut self, mark: &DiceMark);
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        (**self).draw(bound, purpose)
    }

    fn save(&self) -> DiceMark {
        (**self).save()
    }

    fn restore(&mut self, mark: &DiceMark) {
        (**self).restore(mark);
    }
}

impl<D: Dice + ?Sized> Dice for Box<D> {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        (**self).draw(bound, purpose)
    }

    fn save(&self) -> DiceMark {
        (**self).save()
    }

    fn restore(&mut self, mark: &DiceMark) {
        (**self).restore(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn purpose(code: u8) -> Purpose {
        match code % 5 {
            0 => Purpose::PlaceX,
            1 => Purpose::PlaceY,
            2 => Purpose::Target {
                monster: u16::from(code / 5),
            },
            3 => Purpose::Level,
            _ => Purpose::Sample,
        }
    }

    /// Draws `first`, saves, draws `second`, restores, draws `second` again: both must agree, and
    /// every number must be below its bound.
    fn repeats_after_restore(dice: &mut dyn Dice, first: &[(u32, u8)], second: &[(u32, u8)]) {
        let roll = |draws: &[(u32, u8)], dice: &mut dyn Dice| -> Vec<u32> {
            let rolled: Vec<u32> = draws
                .iter()
                .map(|&(bound, code)| dice.draw(bound, purpose(code)))
                .collect();
            for (value, (bound, _)) in rolled.iter().zip(draws) {
                assert!(value < bound, "{value} is not below {bound}");
            }
            rolled
        };
        roll(first, dice);
        let mark = dice.save();
        let once = roll(second, dice);
        dice.restore(&mark);
        assert_eq!(dice.save(), mark);
        assert_eq!(roll(second, dice), once);
    }

    proptest! {
        #[test]
        fn every_dice_repeats_after_restore(
            seed in any::<u64>(),
            first in prop::collection::vec((1u32.., any::<u8>()), 0..20),
            second in prop::collection::vec((1u32.., any::<u8>()), 0..20),
            values in prop::collection::vec(any::<u32>(), 0..40),
        ) {
            repeats_after_restore(&mut Seeded::new(seed), &first, &second);
            repeats_after_restore(&mut JavaRandom::new(seed as i64), &first, &second);
            repeats_after_restore(&mut Scripted::new(values.clone()), &first, &second);
            let draws = values.iter().map(|&result| Draw { bound: 100, result, monster: None });
            repeats_after_restore(&mut Recorded::new(draws), &first, &second);
        }
    }

    #[test]
    fn a_bound_of_zero_gives_zero() {
        let all: [&mut dyn Dice; 4] = [
            &mut Seeded::new(1),
            &mut JavaRandom::new(1),
            &mut Scripted::new([3]),
            &mut Recorded::new([Draw {
                bound: 0,
                result: 0,
                monster: None,
            }]),
        ];
        for dice in all {
            assert_eq!(dice.draw(0, Purpose::Sample), 0);
        }
    }
}
