//! Means with their uncertainty, of one sample or of paired differences.

use super::distribution::student_quantile;
use super::outcomes::Outcomes;
use serde::Serialize;

/// The confidence of every interval unless said otherwise.
pub const CONFIDENCE: f64 = 0.95;

/// A mean and what is known of its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Number of values.
    pub count: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of a single value (divisor count - 1); 0 for one value.
    pub deviation: f64,
    /// Half of the Student interval of the mean; infinite for one value.
    pub half_width: f64,
}

impl Estimate {
    /// Mean and 95 % interval; `None` without values.
    pub fn of(values: &[f64]) -> Option<Self> {
        Self::with_confidence(values, CONFIDENCE)
    }

    /// Mean and interval of a confidence between 0 and 1; `None` without values. Sums run in slice order,
    /// so equal slices give equal bits.
    pub fn with_confidence(values: &[f64], confidence: f64) -> Option<Self> {
        let count = values.len();
        if count == 0 {
            return None;
        }
        let mean = mean(values);
        if count == 1 {
            return Some(Self {
                count,
                mean,
                deviation: 0.0,
                half_width: f64::INFINITY,
            });
        }
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (count - 1) as f64).sqrt();
        let quantile = student_quantile(0.5 + 0.5 * confidence, (count - 1) as f64);
        let half_width = quantile * deviation / (count as f64).sqrt();
        Some(Self {
            count,
            mean,
            deviation,
            half_width,
        })
    }

    /// Both ends of the interval.
    pub fn interval(&self) -> [f64; 2] {
        [self.mean - self.half_width, self.mean + self.half_width]
    }

    /// Whether the interval lies on one side of 0.
    pub fn is_significant(&self) -> bool {
        self.mean.abs() > self.half_width
    }
}

/// Arithmetic mean; not a number without values.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Skewness of the sample (third moment over cubed deviation); 0 if all values are equal. Beyond about 1
/// in size, with few values, a bootstrap interval is the more honest one.
pub fn skewness(values: &[f64]) -> f64 {
    let mean = mean(values);
    let moment = |power| {
        values
            .iter()
            .map(|value| (value - mean).powi(power))
            .sum::<f64>()
            / values.len() as f64
    };
    let variance = moment(2);
    if variance > 0.0 {
        moment(3) / variance.powf(1.5)
    } else {
        0.0
    }
}

/// Two players on the same units (level and seed, or a rotation of seats).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// Mean of first minus second.
    pub difference: Estimate,
    /// Mean over deviation of the differences: how clear one unit is. 0 if they are all 0, infinite if
    /// they are all the same other number.
    pub effect: f64,
    /// Units that the first player won, tied and lost.
    pub outcomes: Outcomes,
}

impl Paired {
    /// Compares unit by unit; `None` without units or if the lengths differ.
    pub fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        if first.len() != second.len() {
            return None;
        }
        let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
        let difference = Estimate::of(&differences)?;
        let effect = if difference.mean == 0.0 {
            0.0
        } else {
            difference.mean / difference.deviation
        };
        Some(Self {
            difference,
            effect,
            outcomes: Outcomes::of_differences(&differences),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_textbook_sample() {
        // Mean 5, squared deviations 32, deviation sqrt(32 / 7), t(0.975, 7) = 2.364624.
        let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert!((estimate.mean - 5.0).abs() < 1e-12);
        assert!((estimate.deviation - 2.138_089_935).abs() < 1e-9);
        assert!((estimate.half_width - 2.364_624_252 * 2.138_089_935 / 8_f64.sqrt()).abs() < 1e-8);
        assert!(estimate.is_significant());
    }

    #[test]
    fn few_values_are_admitted_to_be_few() {
        assert_eq!(Estimate::of(&[]), None);
        let one = Estimate::of(&[3.0]).unwrap();
        assert!(one.interval().iter().all(|end| end.is_infinite()));
        assert!(!one.is_significant());
        let same = Estimate::of(&[3.0, 3.0, 3.0]).unwrap();
        assert!(same.half_width.abs() < 1e-15);
    }

    #[test]
    fn pairs_take_the_common_luck_out() {
        let first = [101.0, 12.0, 57.0, 203.0];
        let second = [100.0, 10.0, 56.0, 201.0];
        let paired = Paired::of(&first, &second).unwrap();
        assert!((paired.difference.mean - 1.5).abs() < 1e-12);
        assert!(paired.difference.is_significant());
        assert_eq!(
            paired.outcomes,
            Outcomes {
                wins: 4,
                ties: 0,
                losses: 0
            }
        );
        assert!((paired.effect - 1.5 / (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(Paired::of(&first, &second[1..]), None);
        assert!(Paired::of(&first, &first).unwrap().effect.abs() < 1e-15);
        let same = Paired::of(&[2.0, 3.0], &[1.0, 2.0]).unwrap();
        assert!(same.effect.is_infinite() && same.effect > 0.0);
    }

    #[test]
    fn skewness_has_a_sign() {
        assert!(skewness(&[1.0, 1.0, 1.0, 9.0]) > 1.0);
        assert!(skewness(&[-1.0, -1.0, -1.0, -9.0]) < -1.0);
        assert!(skewness(&[1.0, 2.0, 3.0]).abs() < 1e-12);
        assert!(skewness(&[4.0, 4.0]).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn shift_and_scale_carry_over(
            values in prop::collection::vec(-1e3..1e3_f64, 2..40),
            shift in -1e3..1e3_f64,
            scale in 0.1..10.0_f64,
        ) {
            let plain = Estimate::of(&values).unwrap();
            let moved: Vec<f64> = values.iter().map(|value| value * scale + shift).collect();
            let moved = Estimate::of(&moved).unwrap();
            prop_assert!((moved.mean - (plain.mean * scale + shift)).abs() < 1e-8);
            prop_assert!((moved.half_width - plain.half_width * scale).abs() < 1e-6);
        }
    }
}
