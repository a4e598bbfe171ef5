//! SPSA: simultaneous perturbation stochastic approximation. All parameters are shaken at once, there and back,
//! and the difference of the two scores says which way to go.
//!
//! Source: J. C. Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation, IEEE Transactions on Automatic Control 37 (1992); the gains are those of his Implementation of
//! the simultaneous perturbation algorithm (1998), written as chess tuners do: by what they have become at the
//! last round. One thing is ours: scores have no natural scale, so their difference counts in units of its own root
//! mean square over all rounds so far.

use super::space::even;
use crate::rng::{Seeded, derive_seed};

/// How fast the gain of a step falls.
const ALPHA: f64 = 0.602;
/// How fast the size of a perturbation falls.
const GAMMA: f64 = 0.101;
/// Share of the rounds by which the fall of the gain is delayed.
const DELAY: f64 = 0.1;

/// The state of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The present point.
    pub(super) point: Vec<f64>,
    /// The largest coordinates; the smallest are 0.
    pub(super) length: Vec<f64>,
    /// Rounds the schedule is made for.
    pub(super) rounds: u32,
    /// Rounds learned from.
    pub(super) round: u32,
    /// Perturbation in the last round, in steps.
    pub(super) c_end: f64,
    /// In the last round, the move for a difference of its root mean square, over the perturbation.
    pub(super) r_end: f64,
    /// Sum of the squared differences.
    pub(super) squares: f64,
    /// Number of differences.
    pub(super) count: u32,
}

impl Spsa {
    /// A search from `point` within 0 to `length`, whose last perturbation is one step.
    pub fn new(point: Vec<f64>, length: Vec<f64>, rounds: u32, r_end: f64) -> Spsa {
        Spsa {
            point,
            length,
            rounds,
            round: 0,
            c_end: 1.0,
            r_end,
            squares: 0.0,
            count: 0,
        }
    }

    /// The size of the perturbation in the present round, in steps.
    pub fn perturbation(&self) -> f64 {
        self.c_end * (f64::from(self.rounds) / f64::from(self.round + 1)).powf(GAMMA)
    }

    /// How far the point moves for a difference of its root mean square, in steps.
    fn stride(&self) -> f64 {
        let (rounds, round) = (f64::from(self.rounds), f64::from(self.round + 1));
        let delay = DELAY * rounds;
        let gain =
            self.r_end * self.c_end * self.c_end * ((delay + rounds) / (delay + round)).powf(ALPHA);
        gain / self.perturbation()
    }

    /// +1 or -1 for every coordinate.
    fn signs(&self, seed: u64, pair: usize) -> Vec<f64> {
        let mut dice = Seeded::new(derive_seed(seed, pair as u64));
        dice.set_tick(self.round);
        let sign = |_: &f64| if even(&mut dice) < 0.5 { -1.0 } else { 1.0 };
        self.point.iter().map(sign).collect()
    }

    /// The points of this round: there and back, pair by pair, none outside the range.
    pub fn ask(&self, population: usize, seed: u64) -> Vec<Vec<f64>> {
        let size = self.perturbation();
        let shaken = |number: usize| {
            let size = if number.is_multiple_of(2) {
                size
            } else {
                -size
            };
            let signs = self.signs(seed, number / 2);
            let places = self.point.iter().zip(signs).zip(&self.length);
            places
                .map(|((place, sign), length)| (place + size * sign).clamp(0.0, *length))
                .collect()
        };
        (0..population).map(shaken).collect()
    }

    /// Moves by the scores of this round's points, in their order; higher is better.
    pub fn tell(&mut self, scores: &[f64], seed: u64) {
        let differences: Vec<f64> = scores
            .chunks_exact(2)
            .map(|pair| pair[0] - pair[1])
            .collect();
        for difference in &differences {
            self.squares += difference * difference;
            self.count += 1;
        }
        let scale = (self.squares / f64::from(self.count.max(1))).sqrt();
        if scale > 0.0 {
            let stride = self.stride() / (scale * differences.len() as f64);
            for (pair, difference) in differences.iter().enumerate() {
                let signs = self.signs(seed, pair);
                for (place, sign) in self.point.iter_mut().zip(signs) {
                    *place += stride * difference * sign;
                }
            }
            for (place, length) in self.point.iter_mut().zip(&self.length) {
                *place = place.clamp(0.0, *length);
            }
        }
        self.round += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::normal_quantile;

    /// Distance from the optimum after a search on a quadratic whose every score has an error of `noise`.
    fn search(rounds: u32, noise: f64, seed: u64) -> f64 {
        let best = [12.0, 7.0, 15.0, 4.0, 10.0];
        let mut spsa = Spsa::new(vec![8.0; 5], vec![20.0; 5], rounds, 0.1);
        let mut dice = Seeded::new(seed + 1000);
        let squares = |point: &[f64]| -> f64 {
            let parts = point.iter().zip(best).map(|(x, best)| (x - best).powi(2));
            parts.sum()
        };
        for round in 0..rounds {
            dice.set_tick(round);
            let scores: Vec<f64> = spsa
                .ask(2, seed)
                .iter()
                .map(|point| noise * normal_quantile(even(&mut dice)) - squares(point))
                .collect();
            spsa.tell(&scores, seed);
        }
        squares(&spsa.point).sqrt()
    }

    #[test]
    fn it_finds_the_top_of_a_noisy_hill() {
        let start = [4.0, 1.0, 7.0, 4.0, 2.0_f64];
        let start = start.iter().map(|x| x * x).sum::<f64>().sqrt();
        for seed in 0..8 {
            // One step away in each coordinate costs 1; the noise of a score is 4.
            let (few, many) = (search(30, 4.0, seed), search(400, 4.0, seed));
            assert!(few < start, "{few}");
            assert!(many < 1.5, "{many}");
        }
    }

    #[test]
    fn the_schedule_ends_where_it_was_told_to() {
        let mut spsa = Spsa::new(vec![5.0], vec![10.0], 50, 0.2);
        let (first_size, first_stride) = (spsa.perturbation(), spsa.stride());
        spsa.round = 49;
        assert!((spsa.perturbation() - 1.0).abs() < 1e-12);
        assert!((spsa.stride() - 0.2).abs() < 1e-12);
        assert!(first_size > 1.4 && first_stride > 0.5);
    }

    #[test]
    fn points_stay_inside_and_equal_scores_move_nothing() {
        let mut spsa = Spsa::new(vec![0.0, 10.0], vec![10.0, 10.0], 10, 0.1);
        let points = spsa.ask(6, 3);
        assert!(points.iter().flatten().all(|x| (0.0..=10.0).contains(x)));
        spsa.tell(&[5.0; 6], 3);
        assert_eq!((&spsa.point[..], spsa.round), (&[0.0, 10.0][..], 1));
        spsa.tell(&[1e9, -1e9, 1e9, -1e9, 0.0, 0.0], 3);
        assert!(spsa.point.iter().all(|x| (0.0..=10.0).contains(x)));
    }
}
