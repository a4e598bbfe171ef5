//! Wins, ties and losses: rates, Elo difference, tests on counts.

use super::distribution::{fair_coin_cdf, normal_cdf, normal_quantile};
use super::estimate::CONFIDENCE;
use serde::Serialize;

/// How often one player did better, as well as, and worse than another on the same unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    /// Units won.
    pub wins: u64,
    /// Units neither won nor lost.
    pub ties: u64,
    /// Units lost.
    pub losses: u64,
}

/// An Elo difference and its 95 % interval; infinite where every unit went the same way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The difference: 0 is equal, 400 is ten to one.
    pub difference: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Elo {
    /// Half of the interval: the usual "plus or minus".
    pub fn error(&self) -> f64 {
        0.5 * (self.high - self.low)
    }
}

/// The Elo difference that makes `score` (0 to 1) the expected share of points.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected share of points at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Wilson's 95 % interval of a rate of `successes` (a half counts) in `trials`; 0 to 1 without trials.
pub fn rate_interval(successes: f64, trials: f64) -> [f64; 2] {
    if trials <= 0.0 {
        return [0.0, 1.0];
    }
    let z = normal_quantile(0.5 + 0.5 * CONFIDENCE);
    let (rate, spread) = (successes / trials, z * z / trials);
    let center = (rate + 0.5 * spread) / (1.0 + spread);
    let half = (z / (1.0 + spread))
        * (rate * (1.0 - rate) / trials + 0.25 * spread / trials)
            .max(0.0)
            .sqrt();
    [(center - half).max(0.0), (center + half).min(1.0)]
}

impl Outcomes {
    /// Counts the signs of differences, first player minus second.
    pub fn of_differences(differences: &[f64]) -> Self {
        let count =
            |wanted: fn(&f64) -> bool| differences.iter().filter(|&d| wanted(d)).count() as u64;
        Self {
            wins: count(|d| *d > 0.0),
            ties: count(|d| *d == 0.0),
            losses: count(|d| *d < 0.0),
        }
    }

    /// Units in all.
    pub const fn units(&self) -> u64 {
        self.wins + self.ties + self.losses
    }

    /// Share of points, a tie being half a point; `None` without units.
    pub fn score(&self) -> Option<f64> {
        let units = self.units();
        (units > 0).then(|| (self.wins as f64 + 0.5 * self.ties as f64) / units as f64)
    }

    /// Share of units won with its 95 % interval; `None` without units.
    pub fn win_rate(&self) -> Option<(f64, [f64; 2])> {
        let units = self.units();
        (units > 0).then(|| {
            let (wins, units) = (self.wins as f64, units as f64);
            (wins / units, rate_interval(wins, units))
        })
    }

    /// Standard deviation of the points of one unit (divisor: units); 0 without units.
    fn deviation(&self) -> f64 {
        let Some(score) = self.score() else {
            return 0.0;
        };
        let squares = self.wins as f64 * (1.0 - score).powi(2)
            + self.ties as f64 * (0.5 - score).powi(2)
            + self.losses as f64 * score.powi(2);
        (squares / self.units() as f64).sqrt()
    }

    /// Elo difference with its 95 % interval, from the share of points; `None` without units.
    pub fn elo(&self) -> Option<Elo> {
        let score = self.score()?;
        let deviation = self.deviation();
        let units = self.units() as f64;
        let [low, high] = if deviation > 0.0 {
            let half = normal_quantile(0.5 + 0.5 * CONFIDENCE) * deviation / units.sqrt();
            [(score - half).max(0.0), (score + half).min(1.0)]
        } else {
            // All units alike: the plain interval would have no width.
            rate_interval(score * units, units)
        };
        Some(Elo {
            difference: elo_of_score(score),
            low: elo_of_score(low),
            high: elo_of_score(high),
        })
    }

    /// (score - 1/2) over the deviation of one unit: the effect that does not shrink when ties become
    /// frequent. `None` without units or where all went alike.
    pub fn effect(&self) -> Option<f64> {
        let deviation = self.deviation();
        (deviation > 0.0).then(|| (self.score().unwrap_or(0.5) - 0.5) / deviation)
    }

    /// Probability that the first player is the better one, as far as these units tell.
    pub fn superiority(&self) -> f64 {
        match self.effect() {
            Some(effect) => normal_cdf(effect * (self.units() as f64).sqrt()),
            None => match self.wins.cmp(&self.losses) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            },
        }
    }

    /// Sign test: probability of wins and losses at least this unequal between equal players (two-sided,
    /// ties left out).
    pub fn sign_test(&self) -> f64 {
        let decided = self.wins + self.losses;
        (2.0 * fair_coin_cdf(self.wins.min(self.losses), decided)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcomes(wins: u64, losses: u64, ties: u64) -> Outcomes {
        Outcomes { wins, ties, losses }
    }

    fn assert_near(actual: f64, expected: f64, allowed: f64) {
        assert!(
            (actual - expected).abs() <= allowed,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn agrees_with_published_match_results() {
        // Counts and figures of fastchess's test of its Elo model.
        let elo = outcomes(136, 96, 111).elo().unwrap();
        assert_near(elo.difference, 40.70, 0.01);
        assert_near(elo.error(), 30.43, 0.01);
        assert_near(outcomes(136, 96, 111).superiority(), 0.9960, 0.0001);
        assert_near(outcomes(76, 89, 123).superiority(), 0.1553, 0.0001);
        // There the effect is given in units of 800 / ln 10.
        let unit = 800.0 / 10_f64.ln();
        assert_near(outcomes(76, 89, 123).effect().unwrap() * unit, -20.76, 0.01);
        assert_near(outcomes(136, 96, 111).effect().unwrap() * unit, 49.77, 0.01);
        assert_near(outcomes(34, 356, 0).effect().unwrap() * unit, -508.44, 0.05);
    }

    #[test]
    fn rates_have_wilson_intervals() {
        let (rate, [low, high]) = outcomes(10, 10, 0).win_rate().unwrap();
        assert_near(rate, 0.5, 0.0);
        assert_near(low, 0.2993, 1e-4);
        assert_near(high, 0.7007, 1e-4);
        let (rate, [low, high]) = outcomes(10, 0, 0).win_rate().unwrap();
        assert_near(rate, 1.0, 0.0);
        assert_near(low, 0.7225, 1e-4);
        assert_near(high, 1.0, 1e-12);
        assert_eq!(outcomes(0, 0, 0).win_rate(), None);
    }

    #[test]
    fn sign_test_as_counted() {
        assert_near(
            outcomes(15, 5, 7).sign_test(),
            2.0 * 21_700.0 / 1_048_576.0,
            1e-12,
        );
        assert_near(
            outcomes(5, 15, 0).sign_test(),
            outcomes(15, 5, 0).sign_test(),
            0.0,
        );
        assert_near(outcomes(4, 4, 0).sign_test(), 1.0, 0.0);
        assert_near(outcomes(0, 0, 9).sign_test(), 1.0, 0.0);
    }

    #[test]
    fn one_sided_results_stay_sensible() {
        let elo = outcomes(20, 0, 0).elo().unwrap();
        assert_eq!((elo.difference, elo.high), (f64::INFINITY, f64::INFINITY));
        assert!(elo.low > 200.0 && elo.low < 400.0, "{elo:?}");
        let even = outcomes(0, 0, 20).elo().unwrap();
        assert!(even.difference.abs() < 1e-9 && even.low < -50.0 && even.high > 50.0);
        assert_near(outcomes(3, 0, 0).superiority(), 1.0, 0.0);
        assert_near(outcomes(0, 0, 3).superiority(), 0.5, 0.0);
        assert_eq!(outcomes(0, 0, 0).elo(), None);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        assert_near(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        assert_near(elo_of_score(0.75), 190.848_501_888, 1e-8);
    }

    proptest! {
        #[test]
        fn swapping_the_players_mirrors_everything(
            wins in 0_u64..500, losses in 0_u64..500, ties in 0_u64..500,
        ) {
            let (here, there) = (outcomes(wins, losses, ties), outcomes(losses, wins, ties));
            prop_assert!((here.superiority() + there.superiority() - 1.0).abs() < 1e-9);
            prop_assert!((here.sign_test() - there.sign_test()).abs() < 1e-12);
            prop_assert!((0.0..=1.0).contains(&here.sign_test()));
            if let (Some(one), Some(other)) = (here.elo(), there.elo()) {
                prop_assert!(one.low <= one.difference && one.difference <= one.high);
                if one.difference.is_finite() {
                    prop_assert!((one.difference + other.difference).abs() < 1e-6);
                }
            }
        }
    }
}
