//! The two methods behind one face: points are asked for, scores are told.
//!
//! Both are pure functions of the seed and of the scores told before, so a search is restored by telling the
//! scores again, and nothing of its inside has to be stored.

use super::evolution::Evolution;
use super::setup::{Method, Setup};
use super::space::{Axis, even};
use super::spsa::Spsa;
use crate::params::Value;
use crate::rng::{Seeded, derive_seed};

/// Keeps the dice that round whole numbers apart from those of the search.
const ROUNDING: u64 = 0x726f_756e;

/// A search under way.
#[derive(Clone, Debug, PartialEq)]
enum Search {
    Spsa(Spsa),
    Evolution(Evolution),
}

/// A search with the space it runs in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Optimizer {
    search: Search,
    round: u32,
}

impl Optimizer {
    /// The search before its first round.
    pub fn new(setup: &Setup) -> Optimizer {
        let origin = setup.axes.iter().map(Axis::origin).collect();
        let search = match setup.method {
            Method::Spsa { r_end } => {
                let length = setup.axes.iter().map(Axis::length).collect();
                Search::Spsa(Spsa::new(origin, length, setup.rounds, r_end))
            }
            Method::CmaEs { spread } => Search::Evolution(Evolution::new(origin, spread)),
        };
        Optimizer { search, round: 0 }
    }

    /// The candidates of the present round: a value for every axis.
    pub fn ask(&self, setup: &Setup) -> Vec<Vec<Value>> {
        let (population, seed) = (setup.population as usize, setup.first_seed);
        let (points, twins) = match &self.search {
            Search::Spsa(search) => (search.ask(population, seed), 2),
            Search::Evolution(search) => (search.ask(population, seed), 1),
        };
        let candidate = |(number, point): (usize, Vec<f64>)| {
            // There and back are rounded by the same dice, or the rounding would make a difference of its own.
            let stream = derive_seed(seed ^ ROUNDING, (number / twins) as u64);
            let mut dice = Seeded::new(stream);
            dice.set_tick(self.round);
            let places = setup.axes.iter().zip(point);
            places
                .map(|(axis, place)| axis.value(place, even(&mut dice)))
                .collect()
        };
        points.into_iter().enumerate().map(candidate).collect()
    }

    /// Learns from the scores of the round's candidates, in their order.
    pub fn tell(&mut self, setup: &Setup, scores: &[f64]) {
        match &mut self.search {
            Search::Spsa(search) => search.tell(scores, setup.first_seed),
            Search::Evolution(search) => search.tell(scores, setup.first_seed),
        }
        self.round += 1;
    }

    /// The set in the middle: what the search would play now.
    pub fn middle(&self, setup: &Setup) -> Vec<Value> {
        let point = match &self.search {
            Search::Spsa(search) => &search.point,
            Search::Evolution(search) => &search.mean,
        };
        let places = setup.axes.iter().zip(point);
        places
            .map(|(axis, place)| axis.value(*place, 0.5))
            .collect()
    }

    /// How far candidates lie from the middle, in the parameters' units: the deviation of CMA-ES, the
    /// perturbation of SPSA.
    pub fn deviations(&self, setup: &Setup) -> Vec<f64> {
        let steps = match &self.search {
            Search::Spsa(search) => vec![search.perturbation(); setup.axes.len()],
            Search::Evolution(search) => search.deviations(),
        };
        let axes = setup.axes.iter().zip(steps);
        axes.map(|(axis, steps)| steps * axis.step).collect()
    }
}
