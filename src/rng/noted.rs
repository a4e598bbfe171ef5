//! Dice that note every draw, for a game log.

use super::{Dice, DiceMark, Draw, Purpose};

/// Passes draws through and keeps them until they are taken.
///
/// For games that only go forward: going back with [`Dice::restore`] does not take notes back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted<D> {
    dice: D,
    draws: Vec<Draw>,
}

impl<D> Noted<D> {
    /// Notes the draws of `dice`.
    pub const fn new(dice: D) -> Self {
        Self {
            dice,
            draws: Vec::new(),
        }
    }

    /// The draws since the last call, in order.
    pub fn take(&mut self) -> Vec<Draw> {
        std::mem::take(&mut self.draws)
    }

    /// The dice themselves.
    pub const fn inner(&mut self) -> &mut D {
        &mut self.dice
    }
}

impl<D: Dice> Dice for Noted<D> {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        let result = self.dice.draw(bound, purpose);
        self.draws.push(Draw {
            bound,
            result,
            monster: purpose.monster(),
        });
        result
    }

    fn save(&self) -> DiceMark {
        self.dice.save()
    }

    fn restore(&mut self, mark: &DiceMark) {
        self.dice.restore(mark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Recorded, Seeded};

    #[test]
    fn what_was_noted_can_be_replayed() {
        let mut noted = Noted::new(Seeded::new(7));
        let ask = |dice: &mut dyn Dice| {
            let target = Purpose::Target { monster: 3 };
            [
                dice.draw(58, Purpose::PlaceX),
                dice.draw(58, Purpose::PlaceY),
                dice.draw(2, target),
            ]
        };
        let first = ask(&mut noted);
        let draws = noted.take();
        assert_eq!(draws.len(), 3);
        assert!(noted.take().is_empty());
        let mut recorded = Recorded::new(draws);
        assert_eq!(ask(&mut recorded), first);
        assert!(recorded.fault().is_none() && recorded.left().is_empty());
    }
}
