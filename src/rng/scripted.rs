//! Dice for tests and made-up situations: they answer with given values and remember the questions.

use super::{Dice, DiceMark, Purpose};

/// Answers with a list of values, whatever is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scripted {
    values: Vec<u32>,
    /// Bound and purpose of every draw so far; its length is the position.
    asked: Vec<(u32, Purpose)>,
    /// Index of the first draw without a value in range.
    fault: Option<usize>,
}

impl Scripted {
    /// Dice that answer with `values`, in order.
    pub fn new(values: impl IntoIterator<Item = u32>) -> Self {
        Self {
            values: values.into_iter().collect(),
            asked: Vec::new(),
            fault: None,
        }
    }

    /// Index of the first draw for which no value was left, or whose value was not below the bound.
    /// Such draws are answered with the remainder, or 0.
    pub const fn fault(&self) -> Option<usize> {
        self.fault
    }

    /// Bound and purpose of every draw so far.
    pub fn asked(&self) -> &[(u32, Purpose)] {
        &self.asked
    }

    /// The values nobody has asked for yet.
    pub fn left(&self) -> &[u32] {
        self.values.get(self.asked.len()..).unwrap_or(&[])
    }
}

impl Dice for Scripted {
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        let index = self.asked.len();
        self.asked.push((bound, purpose));
        let value = self.values.get(index).copied();
        if value.is_none_or(|value| value >= bound) && self.fault.is_none() {
            self.fault = Some(index);
        }
        value
            .and_then(|value| value.checked_rem(bound))
            .unwrap_or(0)
    }

    fn save(&self) -> DiceMark {
        DiceMark {
            words: [self.asked.len() as u64, 0],
        }
    }

    fn restore(&mut self, mark: &DiceMark) {
        self.asked.truncate(mark.words[0] as usize);
        if self.fault.is_some_and(|fault| fault >= self.asked.len()) {
            self.fault = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_values_and_remembers_the_questions() {
        let mut dice = Scripted::new([3, 1, 9]);
        assert_eq!(dice.draw(8, Purpose::PlaceX), 3);
        assert_eq!(dice.draw(8, Purpose::PlaceY), 1);
        assert_eq!(dice.asked(), [(8, Purpose::PlaceX), (8, Purpose::PlaceY)]);
        assert_eq!((dice.left(), dice.fault()), (&[9][..], None));
        assert_eq!(dice.draw(8, Purpose::Level), 1);
        assert_eq!(dice.fault(), Some(2));
    }

    #[test]
    fn an_empty_script_answers_zero_and_says_so() {
        let mut dice = Scripted::new([]);
        let mark = dice.save();
        assert_eq!(dice.draw(8, Purpose::PlaceX), 0);
        assert_eq!(dice.fault(), Some(0));
        dice.restore(&mark);
        assert_eq!(dice.fault(), None);
    }
}
