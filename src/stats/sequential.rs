//! Sequential tests: how long to play on, and what to believe at the end.
//!
//! Wald's test on a log-likelihood ratio, generalised to hypotheses with nuisance parameters: each
//! hypothesis is represented by the most likely distribution that satisfies it. The hypotheses are about
//! the standardised effect (mean over deviation of a unit), the Elo difference of a whole distribution
//! of outcomes, or its mean.

use super::outcomes::{Outcomes, score_of_elo};
use thiserror::Error;

/// The error rates of a test: when to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundaries {
    lower: f64,
    upper: f64,
}

/// What the units so far allow to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither bound is reached.
    Continue,
    /// The lower bound is reached: the null hypothesis, "no better than the first effect".
    Null,
    /// The upper bound is reached: the alternative, "as good as the second effect".
    Alternative,
}

/// Error rates that cannot be used.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("error rates {alpha} and {beta}: both must be above 0 and their sum below 1")]
pub struct BadErrorRates {
    /// As given.
    pub alpha: f64,
    /// As given.
    pub beta: f64,
}

impl Boundaries {
    /// Wald's bounds: `alpha` is the rate of accepting the alternative where the null holds, `beta` the
    /// reverse.
    ///
    /// # Errors
    /// [`BadErrorRates`]: both must be above 0, their sum below 1.
    pub fn new(alpha: f64, beta: f64) -> Result<Self, BadErrorRates> {
        if alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0 {
            let lower = (beta / (1.0 - alpha)).ln();
            Ok(Self {
                lower,
                upper: ((1.0 - beta) / alpha).ln(),
            })
        } else {
            Err(BadErrorRates { alpha, beta })
        }
    }

    /// The lower (negative) and upper (positive) bound of the log-likelihood ratio.
    pub const fn bounds(&self) -> [f64; 2] {
        [self.lower, self.upper]
    }

    /// Compares a log-likelihood ratio with the bounds.
    pub fn verdict(&self, ratio: f64) -> Verdict {
        if ratio >= self.upper {
            Verdict::Alternative
        } else if ratio <= self.lower {
            Verdict::Null
        } else {
            Verdict::Continue
        }
    }
}

/// Log-likelihood ratio of standardised effect `effects[1]` against `effects[0]` for differences from a
/// normal distribution of unknown deviation. 0 without differences.
pub fn effect_ratio(differences: &[f64], effects: [f64; 2]) -> f64 {
    let count = differences.len() as f64;
    let sum: f64 = differences.iter().sum();
    let squares: f64 = differences.iter().map(|d| d * d).sum();
    effect_ratio_of_sums(count, sum, squares, effects)
}

/// [`effect_ratio`] from the number of differences, their sum and the sum of their squares.
pub fn effect_ratio_of_sums(count: f64, sum: f64, squares: f64, effects: [f64; 2]) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    let [null, alternative] = effects;
    let square = squares / count;
    if square <= 0.0 {
        // All differences are 0: the limit of the expression below.
        return 0.5 * count * (null * null - alternative * alternative);
    }
    // With mean = effect * deviation the likelihood of 1 / deviation = u has its maximum where
    // square * u^2 - effect * mean * u = 1. In units of the root mean square:
    let mean = sum / count / square.sqrt();
    let log_likelihood = |effect: f64| {
        let half = 0.5 * effect * mean;
        let inverse = half + (half * half + 1.0).sqrt();
        inverse.ln() + half * inverse - 0.5 * effect * effect
    };
    count * (log_likelihood(alternative) - log_likelihood(null))
}

/// The large-sample form of [`effect_ratio`] from the observed effect: good to a few per cent where
/// effects are small, and easy to check by hand.
pub fn effect_ratio_approximate(count: f64, observed: f64, effects: [f64; 2]) -> f64 {
    let [null, alternative] = effects;
    0.5 * count * (alternative - null) * (2.0 * observed - null - alternative)
}

/// A value that units can have, and how many had it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// The value, for example points per unit.
    pub value: f64,
    /// Number of units. An empty bin counts as a thousandth, so that it stays possible.
    pub count: f64,
}

/// The bins as values and probabilities, and the number of units.
fn probabilities(bins: &[Bin]) -> (Vec<(f64, f64)>, f64) {
    let count = |bin: &Bin| if bin.count > 0.0 { bin.count } else { 1e-3 };
    let total: f64 = bins.iter().map(count).sum();
    (
        bins.iter()
            .map(|bin| (bin.value, count(bin) / total))
            .collect(),
        total,
    )
}

/// Log-likelihood ratio of mean `means[1]` against `means[0]`, exact for units that fall into bins. 0
/// unless both means lie strictly between the bins' values.
pub fn mean_ratio(bins: &[Bin], means: [f64; 2]) -> f64 {
    let (observed, total) = probabilities(bins);
    let inside = |mean: f64| {
        observed.iter().any(|(value, _)| *value < mean)
            && observed.iter().any(|(value, _)| *value > mean)
    };
    if !means.into_iter().all(inside) {
        return 0.0;
    }
    let [null, alternative] = means.map(|mean| tilted(&observed, |value| value - mean));
    total * log_ratio(&observed, &null, &alternative)
}

/// Log-likelihood ratio of standardised effect `effects[1]` against `effects[0]`, where the effect is
/// (mean - `reference`) / deviation, exact for units that fall into bins. 0 unless the reference lies
/// strictly between the bins' values.
pub fn binned_effect_ratio(bins: &[Bin], reference: f64, effects: [f64; 2]) -> f64 {
    let (observed, total) = probabilities(bins);
    let below = observed.iter().any(|(value, _)| *value < reference);
    let above = observed.iter().any(|(value, _)| *value > reference);
    if !(below && above) {
        return 0.0;
    }
    let [null, alternative] = effects.map(|effect| {
        // The condition "mean - reference - effect * deviation = 0" is linearised about the present
        // distribution, solved as a condition on a mean, and so on until it stands.
        let mut present: Vec<(f64, f64)> = observed
            .iter()
            .map(|(value, _)| (*value, 1.0 / observed.len() as f64))
            .collect();
        for _ in 0..50 {
            let mean: f64 = present.iter().map(|(value, p)| value * p).sum();
            let variance: f64 = present
                .iter()
                .map(|(value, p)| (value - mean).powi(2) * p)
                .sum();
            let deviation = variance.sqrt();
            let next = tilted(&observed, |value| {
                let standard = (value - mean) / deviation;
                value - reference - 0.5 * effect * deviation * (1.0 + standard * standard)
            });
            let change = next
                .iter()
                .zip(&present)
                .map(|((_, new), (_, old))| (new - old).abs())
                .fold(0.0, f64::max);
            present = next;
            if change < 1e-12 {
                break;
            }
        }
        present
    });
    total * log_ratio(&observed, &null, &alternative)
}

/// Log-likelihood ratio of Elo difference `elos[1]` against `elos[0]` for wins, ties and losses (the
/// plain trinomial test).
pub fn elo_ratio(outcomes: &Outcomes, elos: [f64; 2]) -> f64 {
    mean_ratio(&outcome_bins(outcomes), elos.map(score_of_elo))
}

/// Wins, ties and losses as bins of 1, 1/2 and 0 points.
pub fn outcome_bins(outcomes: &Outcomes) -> [Bin; 3] {
    [
        (0.0, outcomes.losses),
        (0.5, outcomes.ties),
        (1.0, outcomes.wins),
    ]
    .map(|(value, count)| Bin {
        value,
        count: count as f64,
    })
}

/// The distribution nearest to `observed` (most likely given it) under which `condition` has mean 0:
/// p / (1 + x * condition) with the x that does it. The condition must take both signs.
fn tilted(observed: &[(f64, f64)], condition: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let conditions: Vec<f64> = observed
        .iter()
        .map(|(value, _)| condition(*value))
        .collect();
    let lowest = conditions.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = conditions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return observed.to_vec();
    }
    // Between these every probability is positive, and the mean falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mean = |x: f64| -> f64 {
        observed
            .iter()
            .zip(&conditions)
            .map(|((_, p), c)| p * c / (1.0 + x * c))
            .sum()
    };
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    observed
        .iter()
        .zip(&conditions)
        .map(|((value, p), c)| (*value, p / (1.0 + x * c)))
        .collect()
}

/// Expected logarithm of alternative over null under the observed distribution.
fn log_ratio(observed: &[(f64, f64)], null: &[(f64, f64)], alternative: &[(f64, f64)]) -> f64 {
    observed
        .iter()
        .zip(null.iter().zip(alternative))
        .map(|((_, p), ((_, null), (_, alternative)))| p * (alternative / null).ln())
        .sum()
}

#[cfg(test)]
mod tests;
