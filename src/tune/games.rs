//! Candidates' games, played by the arena. Not which candidates there are (`optimizer`), nor what is made of their
//! scores (`state`, `verdict`).

use std::sync::atomic::AtomicBool;

use super::error::SetupError;
use super::setup::Task;
use crate::arena::{Plan, play_games};

/// The levels of a task, ready to be played on.
#[derive(Debug)]
pub struct Stages {
    task: Task,
    plans: Vec<Plan>,
}

/// Games of one set of parameters: on every level these seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The parameters, as `name=value`.
    pub assignments: Vec<String>,
    /// First seed.
    pub first_seed: u64,
    /// How many.
    pub seeds: u32,
}

impl Stages {
    /// The levels of `task`, each as a plan with level and rules and no bots.
    ///
    /// # Errors
    /// If levels, defaults or version are not those of the task, or the bots are none.
    pub fn new(task: &Task, plans: Vec<Plan>) -> Result<Stages, SetupError> {
        task.check_stages(&plans)?;
        let entrants = task.entrants(&[])?;
        for plan in &plans {
            let plan = Plan {
                entrants: entrants.clone(),
                ..plan.clone()
            };
            plan.check()?;
        }
        Ok(Stages {
            task: task.clone(),
            plans,
        })
    }

    /// Plays the jobs on so many threads (0: one a processor). Each has its scores, level by level and seed by seed;
    /// `None` where `stop` was set before all its games were over.
    ///
    /// With other bots on the field seats go round with the seed, so that equal seeds are equal games.
    ///
    /// # Errors
    /// If parameters are wrong, or there can be no threads.
    pub fn play(
        &self,
        jobs: &[Job],
        threads: usize,
        stop: &AtomicBool,
        told: impl Fn() + Sync,
    ) -> Result<Vec<Option<Vec<i64>>>, SetupError> {
        let mut plans = Vec::new();
        for job in jobs {
            let entrants = self.task.entrants(&job.assignments)?;
            let plan = |stage: &Plan| Plan {
                entrants: entrants.clone(),
                // A game's number is its seed.
                first_seed: 0,
                seeds: u64::MAX,
                solo: false,
                ticks: self.task.ticks,
                ..stage.clone()
            };
            plans.push(self.plans.iter().map(plan).collect::<Vec<Plan>>());
        }
        let seeds = |job: &Job| job.first_seed..job.first_seed + u64::from(job.seeds);
        let games: Vec<(&Plan, u64)> = jobs
            .iter()
            .zip(&plans)
            .flat_map(|(job, plans)| {
                plans
                    .iter()
                    .flat_map(move |plan| seeds(job).map(move |seed| (plan, seed)))
            })
            .collect();
        let mut results = play_games(&games, threads, stop, told)?.into_iter();
        let scores = |job: &Job| {
            let number = self.plans.len() * job.seeds as usize;
            // All of them are taken, also behind one that was stopped.
            let results: Vec<_> = results.by_ref().take(number).collect();
            let score = |result: Option<crate::arena::GameResult>| {
                let result = result?;
                let seat = result.seats.iter().position(|&bot| bot == 0)?;
                Some(result.tallies.get(seat)?.score)
            };
            results.into_iter().map(score).collect()
        };
        Ok(jobs.iter().map(scores).collect())
    }

    /// Games of a job.
    pub fn games(&self, job: &Job) -> u64 {
        self.plans.len() as u64 * u64::from(job.seeds)
    }
}
