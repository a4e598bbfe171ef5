//! The space a tuner searches: some parameters of the table, each within a range.
//!
//! An optimizer sees every parameter as a coordinate: its distance from the smallest value in steps of its axis, which are
//! the table's if nobody asks for others.
//! So a change of 1 may just matter in every direction, and neither optimizer needs to know of units.

use serde::{Deserialize, Serialize};

use super::error::SetupError;
use crate::params::{Kind, Params, Value, parameter};
use crate::rng::{Dice, Purpose};

/// One parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Its name in the table.
    pub name: String,
    /// Smallest value that is tried.
    pub min: f64,
    /// Largest value that is tried.
    pub max: f64,
    /// A change that may just matter.
    pub step: f64,
    /// The value before tuning.
    pub start: f64,
}

impl Axis {
    /// Reads `NAME`, `NAME:MIN..MAX` or `NAME:MIN..MAX:STEP`; what is not given comes from the table. `base` has
    /// the value before tuning.
    ///
    /// # Errors
    /// [`SetupError`] for a name that is not in the table or names no number, and a range that is not within the
    /// table's or does not hold the present value.
    pub fn parse(text: &str, base: &Params) -> Result<Axis, SetupError> {
        let mut parts = text.splitn(3, ':').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let row = parameter(name)?;
        let Some((min, max, step)) = row.bounds() else {
            return Err(SetupError::Word(name.to_owned()));
        };
        let bad = |why: String| SetupError::Axis {
            text: text.to_owned(),
            why,
        };
        let number = |text: &str| match text.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(bad(format!("`{}` is no number", text.trim()))),
        };
        let (min, max) = match parts.next() {
            None => (min, max),
            Some(range) => {
                let (low, high) = range.split_once("..").ok_or_else(|| {
                    bad("a range looks like MIN..MAX, with a step like MIN..MAX:STEP".to_owned())
                })?;
                (number(low)?, number(high)?)
            }
        };
        let step = match parts.next() {
            // Narrow ranges want smaller steps.
            None => step.min((max - min) / 4.0),
            Some(text) => number(text)?,
        };
        let start = match base.get(name) {
            Some(Value::Real(value)) => value,
            Some(Value::Whole(value)) => value.into(),
            _ => return Err(SetupError::Word(name.to_owned())),
        };
        let axis = Axis {
            name: name.to_owned(),
            min,
            max,
            step,
            start,
        };
        axis.check()?;
        Ok(axis)
    }

    /// Refuses an axis that no optimizer could use.
    ///
    /// # Errors
    /// As [`Axis::parse`].
    pub fn check(&self) -> Result<(), SetupError> {
        let row = parameter(&self.name)?;
        if row.bounds().is_none() {
            return Err(SetupError::Word(self.name.clone()));
        }
        let bad = |why: String| SetupError::Axis {
            text: self.name.clone(),
            why,
        };
        if !matches!(
            self.min.partial_cmp(&self.max),
            Some(std::cmp::Ordering::Less)
        ) {
            return Err(bad(format!(
                "the range {}..{} is empty",
                self.min, self.max
            )));
        }
        for end in [self.min, self.max] {
            row.check(Value::Real(end))?;
        }
        if !(self.step > 0.0 && self.step <= (self.max - self.min) / 2.0) {
            return Err(bad(format!(
                "a step of {} does not fit twice into {}..{}",
                self.step, self.min, self.max
            )));
        }
        if !(self.min..=self.max).contains(&self.start) {
            return Err(bad(format!(
                "its present value {} is not within {}..{}; --set another one or widen the range",
                self.start, self.min, self.max
            )));
        }
        Ok(())
    }

    /// The largest coordinate; the smallest is 0.
    pub fn length(&self) -> f64 {
        (self.max - self.min) / self.step
    }

    /// The coordinate of the value before tuning.
    pub fn origin(&self) -> f64 {
        (self.start - self.min) / self.step
    }

    /// The parameter's value at a coordinate. A coordinate outside is mirrored at the end it passed, as often as
    /// needed. Real values are rounded to a hundredth of a step or finer, which no game could tell apart. A whole
    /// number between two goes up with probability of its fraction: `chance` from 0 to 1 decides, 0.5 rounds to
    /// the nearest.
    pub fn value(&self, coordinate: f64, chance: f64) -> Value {
        let number = self.min + mirrored(coordinate, self.length()) * self.step;
        let row = parameter(&self.name);
        let is_whole = row.is_ok_and(|row| matches!(row.kind, Kind::Whole { .. }));
        let number = if is_whole {
            (number + chance).floor()
        } else {
            let digits = (2.0 - self.step.log10()).ceil().clamp(0.0, 12.0) as i32;
            let unit = 10_f64.powi(digits);
            (number * unit).round() / unit
        };
        let number = number.clamp(self.min, self.max);
        let nearest = parameter(&self.name).map(|row| row.nearest(number));
        nearest.ok().flatten().unwrap_or(Value::Real(number))
    }
}

/// A number folded into 0 to `length`.
fn mirrored(number: f64, length: f64) -> f64 {
    let folded = number.rem_euclid(2.0 * length);
    folded.min(2.0 * length - folded).clamp(0.0, length)
}

/// A number evenly between 0 and 1, neither of them.
pub(super) fn even(dice: &mut impl Dice) -> f64 {
    let bound = 1_u32 << 31;
    (f64::from(dice.draw(bound, Purpose::Sample)) + 0.5) / f64::from(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is tuned; not the defaults, which tuning changes.
    const BEFORE: Params = Params {
        inflation: 0.995,
        ..Params::DEFAULT
    };

    fn axis(text: &str) -> Axis {
        Axis::parse(text, &BEFORE).expect("an axis")
    }

    fn refused(text: &str) -> String {
        Axis::parse(text, &BEFORE).expect_err("no axis").to_string()
    }

    #[test]
    fn the_table_gives_what_is_not_typed() {
        let whole = axis("inflation");
        assert_eq!((whole.min, whole.max, whole.step), (0.5, 1.0, 0.005));
        let narrow = axis("inflation:0.98..1:0.001");
        assert_eq!((narrow.min, narrow.max, narrow.step), (0.98, 1.0, 0.001));
        assert!((narrow.origin() - 15.0).abs() < 1e-9 && (narrow.length() - 20.0).abs() < 1e-9);
        // A step that does not fit the narrower range is made to.
        assert!((axis("gold:95..105").step - 2.5).abs() < 1e-12);
    }

    #[test]
    fn values_stay_in_their_range_and_are_rounded_as_promised() {
        let inflation = axis("inflation:0.98..1:0.001");
        for (coordinate, expected) in [(15.0, 0.995), (-1.0, 0.981), (21.0, 0.999), (43.0, 0.983)] {
            assert_eq!(inflation.value(coordinate, 0.5), Value::Real(expected));
        }
        assert_eq!(inflation.value(1.234_567_8, 0.5), Value::Real(0.981_23));
        let crowd = axis("beam_crowd:1..9:1");
        assert_eq!(crowd.value(2.4, 0.5), Value::Whole(3));
        assert_eq!(crowd.value(2.4, 0.61), Value::Whole(4));
        assert_eq!(crowd.value(8.0, 0.999), Value::Whole(9));
        let ups = (0..1000).filter(|&i| {
            let chance = (f64::from(i) + 0.5) / 1000.0;
            crowd.value(2.25, chance) == Value::Whole(4)
        });
        assert_eq!(ups.count(), 250);
    }

    #[test]
    fn what_cannot_be_tuned_is_told_in_one_sentence() {
        for (text, part) in [
            ("inflatoin", "did you mean `inflation`?"),
            ("engine", "--set engine="),
            ("inflation:0.9", "MIN..MAX"),
            ("inflation:0.9..x", "`x` is no number"),
            ("inflation:0.9..NaN", "`NaN` is no number"),
            ("inflation:1..0.9", "is empty"),
            ("inflation:0.9..1.5", "out of range"),
            ("inflation:0.5..0.9", "0.995 is not within 0.5..0.9"),
            ("inflation:0.9..1:0.2", "does not fit twice"),
            ("inflation:0.9..1:0", "does not fit twice"),
            ("beam_crowd:1.5..9", "beam_crowd"),
            ("", "unknown parameter"),
        ] {
            let told = refused(text);
            assert!(
                told.contains(part) && !told.contains('\n'),
                "{text}: {told}"
            );
        }
    }
}
