//! CMA-ES: the evolution strategy with covariance matrix adaptation. Candidates are drawn from a normal
//! distribution; its mean moves to the better half, its shape and size learn from the way that took.
//!
//! Source: N. Hansen, The CMA Evolution Strategy: A Tutorial (arXiv:1604.00772): the strategy with weighted
//! recombination, rank-one and rank-mu update and cumulative step size control, with the tutorial's default weights and
//! rates, without negative weights. Only the order of the scores counts. Knows nothing of ranges: the space mirrors
//! coordinates that lie outside.

use super::eigen::{Matrix, decompose, identity};
use super::space::even;
use crate::rng::{Seeded, derive_seed};
use crate::stats::normal_quantile;

/// The state of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolution {
    /// Mean of the distribution.
    pub(super) mean: Vec<f64>,
    /// Size of the distribution.
    pub(super) sigma: f64,
    /// Shape of the distribution, symmetric.
    pub(super) covariance: Matrix,
    /// The way of the mean, as the size sees it.
    pub(super) path_sigma: Vec<f64>,
    /// The way of the mean, as the shape sees it.
    pub(super) path_covariance: Vec<f64>,
    /// Rounds learned from.
    pub(super) round: u32,
}

/// What the tutorial's table 1 makes of dimension and population.
struct Rates {
    /// Of the better half, the best first; their sum is 1.
    weights: Vec<f64>,
    /// Variance effective selection mass.
    mass: f64,
    /// Of the way of the shape, of the way of the size, of rank one, of rank mu.
    path_covariance: f64,
    path_sigma: f64,
    rank_one: f64,
    rank_mu: f64,
    damping: f64,
    /// Expected length of a standard normal vector.
    length: f64,
}

impl Rates {
    fn of(dimension: usize, population: usize) -> Rates {
        let n = dimension as f64;
        let half = f64::midpoint(population as f64, 1.0).ln();
        let raw: Vec<f64> = (1..=population / 2)
            .map(|rank| half - (rank as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mass = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let path_sigma = (mass + 2.0) / (n + mass + 5.0);
        let rank_one = 2.0 / ((n + 1.3).powi(2) + mass);
        let rank_mu = 2.0 * (mass - 2.0 + 1.0 / mass) / ((n + 2.0).powi(2) + mass);
        Rates {
            path_covariance: (4.0 + mass / n) / (n + 4.0 + 2.0 * mass / n),
            path_sigma,
            rank_one,
            rank_mu: rank_mu.min(1.0 - rank_one),
            damping: 1.0 + 2.0 * (((mass - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + path_sigma,
            length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
            mass,
        }
    }
}

/// The shape taken apart: its axes as columns, and the lengths of the half axes.
struct Shape {
    axes: Matrix,
    lengths: Vec<f64>,
}

impl Shape {
    fn of(covariance: &Matrix) -> Shape {
        let (values, axes) = decompose(covariance);
        // Rounding must not make a direction vanish for good.
        let largest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let lengths = values
            .iter()
            .map(|value| value.max(1e-14 * largest).sqrt())
            .collect();
        Shape { axes, lengths }
    }

    /// `B f(D) (vector)`, where the vector is given along the axes.
    fn along(&self, parts: &[f64]) -> Vec<f64> {
        let sum = |row: &Vec<f64>| row.iter().zip(parts).map(|(a, b)| a * b).sum();
        self.axes.iter().map(sum).collect()
    }

    /// A standard normal vector brought into this shape.
    fn stretched(&self, normal: &[f64]) -> Vec<f64> {
        let parts: Vec<f64> = normal
            .iter()
            .zip(&self.lengths)
            .map(|(part, length)| part * length)
            .collect();
        self.along(&parts)
    }

    /// The inverse root of the covariance times a vector.
    fn whitened(&self, vector: &[f64]) -> Vec<f64> {
        let part = |axis: usize| {
            let rows = self.axes.iter().zip(vector);
            rows.map(|(row, x)| row[axis] * x).sum::<f64>() / self.lengths[axis]
        };
        let parts: Vec<f64> = (0..vector.len()).map(part).collect();
        self.along(&parts)
    }
}

impl Evolution {
    /// A search from `mean` with a deviation of `sigma` in every coordinate.
    pub fn new(mean: Vec<f64>, sigma: f64) -> Evolution {
        let size = mean.len();
        Evolution {
            mean,
            sigma,
            covariance: identity(size),
            path_sigma: vec![0.0; size],
            path_covariance: vec![0.0; size],
            round: 0,
        }
    }

    /// The usual population for a number of parameters.
    pub fn usual_population(dimension: usize) -> usize {
        4 + (3.0 * (dimension.max(1) as f64).ln()).floor() as usize
    }

    /// The standard deviation of every coordinate.
    pub fn deviations(&self) -> Vec<f64> {
        (0..self.mean.len())
            .map(|i| self.sigma * self.covariance[i][i].max(0.0).sqrt())
            .collect()
    }

    /// The steps from the mean to this round's candidates, before the size.
    fn steps(&self, shape: &Shape, population: usize, seed: u64) -> Vec<Vec<f64>> {
        let step = |number: usize| {
            let mut dice = Seeded::new(derive_seed(seed, number as u64));
            dice.set_tick(self.round);
            let normal: Vec<f64> = (0..self.mean.len())
                .map(|_| normal_quantile(even(&mut dice)))
                .collect();
            shape.stretched(&normal)
        };
        (0..population).map(step).collect()
    }

    /// The points of this round.
    pub fn ask(&self, population: usize, seed: u64) -> Vec<Vec<f64>> {
        let steps = self.steps(&Shape::of(&self.covariance), population, seed);
        let point = |step: Vec<f64>| {
            let places = self.mean.iter().zip(step);
            places
                .map(|(mean, part)| mean + self.sigma * part)
                .collect()
        };
        steps.into_iter().map(point).collect()
    }

    /// Learns from the scores of this round's points, in their order; higher is better, of equal ones the
    /// earlier point.
    pub fn tell(&mut self, scores: &[f64], seed: u64) {
        let size = self.mean.len();
        let rates = Rates::of(size, scores.len());
        let shape = Shape::of(&self.covariance);
        let steps = self.steps(&shape, scores.len(), seed);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let chosen: Vec<(f64, &Vec<f64>)> = rates
            .weights
            .iter()
            .zip(order)
            .map(|(weight, number)| (*weight, &steps[number]))
            .collect();
        let moved: Vec<f64> = (0..size)
            .map(|i| chosen.iter().map(|(weight, step)| weight * step[i]).sum())
            .collect();
        for (mean, part) in self.mean.iter_mut().zip(&moved) {
            *mean += self.sigma * part;
        }
        self.round += 1;

        let keep = 1.0 - rates.path_sigma;
        let gain = (rates.path_sigma * (2.0 - rates.path_sigma) * rates.mass).sqrt();
        for (path, part) in self.path_sigma.iter_mut().zip(shape.whitened(&moved)) {
            *path = keep * *path + gain * part;
        }
        let length = self.path_sigma.iter().map(|x| x * x).sum::<f64>().sqrt();
        // While the path is still short because there were few rounds, its length says more than it seems.
        let young = (1.0 - keep.powf(2.0 * f64::from(self.round))).sqrt();
        let calm = length / young < (1.4 + 2.0 / (size as f64 + 1.0)) * rates.length;
        let keep = 1.0 - rates.path_covariance;
        let gain = (rates.path_covariance * (2.0 - rates.path_covariance) * rates.mass).sqrt();
        for (path, part) in self.path_covariance.iter_mut().zip(&moved) {
            *path = keep * *path + if calm { gain * part } else { 0.0 };
        }
        let lost = if calm {
            0.0
        } else {
            rates.path_covariance * (2.0 - rates.path_covariance)
        };
        let kept = 1.0 - rates.rank_one - rates.rank_mu + rates.rank_one * lost;
        for i in 0..size {
            for j in 0..=i {
                let path = self.path_covariance[i] * self.path_covariance[j];
                let products = chosen
                    .iter()
                    .map(|(weight, step)| weight * step[i] * step[j]);
                let value = kept * self.covariance[i][j]
                    + rates.rank_one * path
                    + rates.rank_mu * products.sum::<f64>();
                self.covariance[i][j] = value;
                self.covariance[j][i] = value;
            }
        }
        let change = rates.path_sigma / rates.damping * (length / rates.length - 1.0);
        // Not beyond what a number can hold, whatever the scores are.
        self.sigma = (self.sigma * change.min(1.0).exp()).clamp(1e-12, 1e12);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluations until the mean's value is below `goal`; `None` beyond `budget`.
    fn evaluations(
        function: fn(&[f64]) -> f64,
        start: Vec<f64>,
        sigma: f64,
        goal: f64,
        budget: usize,
        seed: u64,
    ) -> Option<usize> {
        let population = Evolution::usual_population(start.len());
        let mut search = Evolution::new(start, sigma);
        let mut used = 0;
        while used < budget {
            let points = search.ask(population, seed);
            let scores: Vec<f64> = points.iter().map(|point| -function(point)).collect();
            search.tell(&scores, seed);
            used += population;
            if function(&search.mean) < goal {
                return Some(used);
            }
        }
        None
    }

    fn sphere(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    fn ellipsoid(x: &[f64]) -> f64 {
        let last = (x.len() - 1) as f64;
        let part = |(i, x): (usize, &f64)| 1e4_f64.powf(i as f64 / last) * x * x;
        x.iter().enumerate().map(part).sum()
    }

    fn rosenbrock(x: &[f64]) -> f64 {
        let part = |x: &[f64]| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2);
        x.windows(2).map(part).sum()
    }

    /// The budgets are some 1.5 times what the tutorial's program needs on the average.
    #[test]
    fn it_finds_known_minima_within_known_numbers_of_evaluations() {
        for seed in 0..5 {
            let needed = [
                evaluations(sphere, vec![3.0; 8], 1.0, 1e-9, 2_000, seed),
                evaluations(ellipsoid, vec![3.0; 6], 1.0, 1e-9, 4_000, seed),
                evaluations(ellipsoid, vec![-2.0; 8], 1.0, 1e-9, 5_000, seed),
                evaluations(rosenbrock, vec![0.0; 5], 0.5, 1e-9, 6_000, seed),
            ];
            println!("{needed:?}");
            assert!(needed.iter().all(Option::is_some), "{needed:?}");
        }
    }

    #[test]
    fn only_the_order_of_the_scores_counts() {
        let mut plain = Evolution::new(vec![2.0; 4], 1.0);
        let mut bent = plain.clone();
        for _ in 0..20 {
            let values: Vec<f64> = plain.ask(8, 1).iter().map(|x| -sphere(x)).collect();
            let cubes: Vec<f64> = values.iter().map(|x| x.powi(3)).collect();
            plain.tell(&values, 1);
            bent.tell(&cubes, 1);
        }
        assert_eq!(plain, bent);
    }

    #[test]
    fn equal_scores_and_huge_ones_leave_a_usable_state() {
        let mut search = Evolution::new(vec![2.0; 3], 2.0);
        for round in 0..200 {
            let huge = if round % 2 == 0 { 1e300 } else { 0.0 };
            search.tell(&[huge, -huge, huge, -huge], 5);
        }
        let numbers = search.ask(4, 5);
        assert!(numbers.iter().flatten().all(|x| x.is_finite()));
        assert!(search.deviations().iter().all(|x| *x > 0.0));
    }
}
