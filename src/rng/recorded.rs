//! The draws of a game log, in place of a generator: each answer is checked against the question, since
//! a wrong rule asks for another number long before a board differs (GAMELOG section 5).

use super::{Dice, DiceMark, Purpose};
use std::fmt;

/// One number of a game log's `draws`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The draw was uniform in `0..bound`.
    pub bound: u32,
    /// What came out.
    pub result: u32,
    /// Classic rules: the monster that chose its target; `None` for every other draw.
    pub monster: Option<u16>,
}

/// The first question that does not fit a prescribed stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiceFault {
    /// Number of the draw since the last [`Recorded::load`], from 0 on.
    pub index: usize,
    /// What the recording has there; `None`: it had ended.
    pub expected: Option<Draw>,
    /// The bound asked for.
    pub bound: u32,
    /// What the number was wanted for.
    pub purpose: Purpose,
}

impl fmt::Display for DiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "draw {}: asked for bound {} ({:?}), ",
            self.index, self.bound, self.purpose
        )?;
        match self.expected {
            None => f.write_str("but no draw is left"),
            Some(draw) => {
                write!(f, "expected bound {}, result {}", draw.bound, draw.result)?;
                match draw.monster {
                    Some(monster) => write!(f, ", target of monster {monster}"),
                    None => f.write_str(", not a monster's target"),
                }
            }
        }
    }
}

impl std::error::Error for DiceFault {}

/// Answers from a recording and checks bound, kind and monster of every question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    draws: Vec<Draw>,
    /// Draws asked for so far; beyond the end it counts on.
    position: usize,
    fault: Option<DiceFault>,
}

impl Recorded {
    /// Dice that answer with `draws`, in order.
    pub fn new(draws: impl IntoIterator<Item = Draw>) -> Self {
        Self {
            draws: draws.into_iter().collect(),
            position: 0,
            fault: None,
        }
    }

    /// Replaces everything by the draws of the next line of a log; position and fault start afresh.
    /// Marks saved before lose their meaning.
    pub fn load(&mut self, draws: impl IntoIterator<Item = Draw>) {
        self.draws.clear();
        self.draws.extend(draws);
        self.position = 0;
        self.fault = None;
    }

    /// The first mismatch since the last load, unless restoring has gone back before it.
    pub const fn fault(&self) -> Option<&DiceFault> {
        self.fault.as_ref()
    }

    /// The draws nobody has asked for yet: after a line there must be none.
    pub fn left(&self) -> &[Draw] {
        self.draws.get(self.position..).unwrap_or(&[])
    }
}

impl Dice for Recorded {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        let index = self.position;
        self.position += 1;
        let expected = self.draws.get(index).copied();
        let fits = |draw: Draw| {
            draw.bound == bound && draw.result < bound && draw.monster == purpose.monster()
        };
        if !expected.is_some_and(fits) && self.fault.is_none() {
            self.fault = Some(DiceFault {
                index,
                expected,
                bound,
                purpose,
            });
        }
        // After a mismatch anything in range will do.
        expected
            .and_then(|draw| draw.result.checked_rem(bound))
            .unwrap_or(0)
    }

    fn save(&self) -> DiceMark {
        DiceMark {
            words: [self.position as u64, 0],
        }
    }

    fn restore(&mut self, mark: &DiceMark) {
        self.position = mark.words[0] as usize;
        if self.fault.is_some_and(|fault| fault.index >= self.position) {
            self.fault = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: [Draw; 3] = [
        Draw {
            bound: 8,
            result: 2,
            monster: None,
        },
        Draw {
            bound: 8,
            result: 6,
            monster: None,
        },
        Draw {
            bound: 2,
            result: 1,
            monster: Some(4),
        },
    ];

    #[test]
    fn answers_what_was_recorded() {
        let mut dice = Recorded::new(LINE);
        assert_eq!(dice.draw(8, Purpose::PlaceX), 2);
        assert_eq!(dice.draw(8, Purpose::PlaceY), 6);
        assert_eq!(dice.left(), &LINE[2..]);
        assert_eq!(dice.draw(2, Purpose::Target { monster: 4 }), 1);
        assert!(dice.left().is_empty());
        assert_eq!(dice.fault(), None);
    }

    #[test]
    fn the_first_mismatch_stays() {
        let mut dice = Recorded::new(LINE);
        assert!(dice.draw(3, Purpose::PlaceX) < 3);
        assert!(dice.draw(1, Purpose::PlaceY) < 1);
        let fault = *dice.fault().unwrap();
        assert_eq!(
            (fault.index, fault.bound, fault.expected),
            (0, 3, Some(LINE[0]))
        );
        assert_eq!(
            fault.to_string(),
            "draw 0: asked for bound 3 (PlaceX), expected bound 8, result 2, not a monster's target"
        );
    }

    #[test]
    fn kind_and_monster_are_checked() {
        for (skipped, purpose) in [
            (0, Purpose::Target { monster: 0 }),
            (2, Purpose::PlaceX),
            (2, Purpose::Target { monster: 3 }),
        ] {
            let mut dice = Recorded::new(LINE.into_iter().skip(skipped));
            dice.draw(LINE[skipped].bound, purpose);
            assert_eq!(dice.fault().map(|fault| fault.purpose), Some(purpose));
        }
    }

    #[test]
    fn a_result_outside_its_bound_is_a_fault() {
        let mut dice = Recorded::new([Draw {
            bound: 4,
            result: 4,
            monster: None,
        }]);
        assert!(dice.draw(4, Purpose::PlaceX) < 4);
        assert!(dice.fault().is_some());
    }

    #[test]
    fn asking_too_often_is_a_fault() {
        let mut dice = Recorded::new(LINE);
        for draw in LINE {
            let purpose = draw
                .monster
                .map_or(Purpose::PlaceX, |monster| Purpose::Target { monster });
            dice.draw(draw.bound, purpose);
        }
        assert_eq!(dice.draw(5, Purpose::PlaceX), 0);
        let fault = dice.fault().unwrap();
        assert_eq!((fault.index, fault.expected), (3, None));
        assert!(fault.to_string().ends_with("but no draw is left"));
    }

    #[test]
    fn restoring_before_the_fault_forgets_it() {
        let mut dice = Recorded::new(LINE);
        dice.draw(8, Purpose::PlaceX);
        let mark = dice.save();
        dice.draw(9, Purpose::PlaceY);
        let late = dice.save();
        dice.draw(2, Purpose::Target { monster: 4 });
        dice.restore(&late);
        assert!(dice.fault().is_some());
        dice.restore(&mark);
        assert_eq!(dice.fault(), None);
        assert_eq!(dice.draw(8, Purpose::PlaceY), 6);
    }

    #[test]
    fn loading_starts_afresh() {
        let mut dice = Recorded::new(LINE);
        dice.draw(1, Purpose::Level);
        dice.load([LINE[1]]);
        assert_eq!(dice.fault(), None);
        assert_eq!(dice.draw(8, Purpose::PlaceX), 6);
    }
}
