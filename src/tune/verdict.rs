//! The honest end: the tuned set against the old one on seeds that no tuning and no earlier verdict has used.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::error::SetupError;
use super::games::{Job, Stages};
use super::setup::Setup;
use super::state::State;
use crate::stats::{Estimate, Paired};

/// A comparison, perhaps unfinished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// Rounds of the tuning before it.
    pub round: u32,
    /// The tuned set, as `name=value`.
    pub tuned: Vec<String>,
    /// The first seed.
    pub first_seed: u64,
    /// Seeds in all.
    pub seeds: u32,
    /// Scores of the tuned set and of the old one: seed by seed, level by level.
    pub scores: Vec<[i64; 2]>,
}

/// What the scores say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// The interval of the difference lies above 0.
    Better,
    /// Below 0.
    Worse,
    /// 0 is in it.
    NotToldApart,
}

impl Finding {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Finding::Better => "better",
            Finding::Worse => "worse",
            Finding::NotToldApart => "not told apart",
        }
    }
}

/// A finished comparison in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Tuned minus old, over all levels and seeds.
    pub pair: Paired,
    /// Of the tuned set.
    pub tuned: Estimate,
    /// Of the old one.
    pub old: Estimate,
    /// Tuned minus old, level by level.
    pub levels: Vec<Paired>,
    /// What the interval says.
    pub finding: Finding,
}

impl Verdict {
    /// Most seeds of one verdict.
    pub const SEEDS_MAX: u32 = 1 << 20;

    /// The first seed that this verdict does not use.
    pub fn end(&self) -> u64 {
        self.first_seed.saturating_add(self.seeds.into())
    }

    /// Refuses what no tuning wrote; the first seed that is left otherwise.
    pub(super) fn check(&self, setup: &Setup, next: u64) -> Result<u64, String> {
        let games = self.seeds as usize * setup.task.stages.len();
        if self.first_seed != next || self.seeds == 0 || self.seeds > Self::SEEDS_MAX {
            return Err("a verdict has not the seeds that are its turn".to_owned());
        }
        let is_whole = self.scores.len().is_multiple_of(setup.task.stages.len());
        if self.scores.len() > games || !is_whole || self.round > setup.rounds {
            return Err("a verdict has games that it does not ask for".to_owned());
        }
        Ok(self.end())
    }

    /// Whether all its games are over.
    pub fn is_over(&self, levels: usize) -> bool {
        self.scores.len() >= self.seeds as usize * levels
    }

    /// What it says; `None` before its first seed.
    pub fn judge(&self, levels: usize) -> Option<Judgement> {
        let of = |which: usize, scores: &mut dyn Iterator<Item = &[i64; 2]>| -> Vec<f64> {
            scores.map(|pair| pair[which] as f64).collect()
        };
        let compare = |first: usize, step: usize| {
            let scores = || self.scores.iter().skip(first).step_by(step);
            Paired::of(&of(0, &mut scores()), &of(1, &mut scores()))
        };
        let pair = compare(0, 1)?;
        let finding = match pair.difference.interval() {
            [low, _] if low > 0.0 => Finding::Better,
            [_, high] if high < 0.0 => Finding::Worse,
            _ => Finding::NotToldApart,
        };
        Some(Judgement {
            pair,
            tuned: Estimate::of(&of(0, &mut self.scores.iter()))?,
            old: Estimate::of(&of(1, &mut self.scores.iter()))?,
            levels: (0..levels)
                .filter_map(|level| compare(level, levels))
                .collect(),
            finding,
        })
    }
}

impl State {
    /// Begins a comparison on fresh seeds, or finds the one that was begun for this very set. The number of the
    /// verdict in [`State::verdicts`].
    ///
    /// # Errors
    /// If there is nothing to compare: the tuned set is the old one.
    pub fn open_verdict(&mut self, seeds: u32) -> Result<usize, String> {
        if self.middle() == self.start() {
            return Err(match self.round() {
                0 => "no round is over yet, so there is nothing to judge; `tune go` plays them",
                _ => "the tuned set is the old one, so there is nothing to judge",
            }
            .to_owned());
        }
        if !(1..=Verdict::SEEDS_MAX).contains(&seeds) {
            return Err(format!("--seeds must be from 1 to {}", Verdict::SEEDS_MAX));
        }
        let tuned = self.assignments(&self.middle());
        let round = self.round();
        let levels = self.setup().task.stages.len();
        let last = self.verdicts().last();
        let goes_on = last.is_some_and(|last| {
            last.round == round && last.tuned == tuned && !last.is_over(levels)
        });
        if !goes_on {
            let first_seed = last.map_or(Setup::FRESH, Verdict::end);
            self.verdicts_mut().push(Verdict {
                round,
                tuned,
                first_seed,
                seeds,
                scores: Vec::new(),
            });
        }
        Ok(self.verdicts().len() - 1)
    }

    /// Plays the next `seeds` seeds of a verdict; whether all of them were. What was played before `stop` was set
    /// counts as far as it has no gap.
    ///
    /// # Errors
    /// As [`Stages::play`].
    pub fn play_verdict(
        &mut self,
        number: usize,
        stages: &Stages,
        seeds: u32,
        threads: usize,
        stop: &AtomicBool,
        told: impl Fn() + Sync,
    ) -> Result<bool, SetupError> {
        let levels = self.setup().task.stages.len();
        let old = self.assignments(&self.start());
        let Some(verdict) = self.verdicts_mut().get_mut(number) else {
            return Ok(true);
        };
        // A seed counts once both sets have played it everywhere.
        let done = verdict.scores.len() / levels;
        let end = (verdict.seeds as usize).min(done + seeds as usize);
        let jobs: Vec<Job> = (done..end)
            .flat_map(|seed| {
                [&verdict.tuned, &old].map(|assignments| Job {
                    assignments: assignments.clone(),
                    first_seed: verdict.first_seed + seed as u64,
                    seeds: 1,
                })
            })
            .collect();
        let scores = stages.play(&jobs, threads, stop, told)?;
        for pair in scores.chunks_exact(2) {
            let [Some(tuned), Some(old)] = pair else {
                return Ok(false);
            };
            let pairs = tuned.iter().zip(old).map(|(tuned, old)| [*tuned, *old]);
            verdict.scores.extend(pairs);
        }
        Ok(true)
    }
}
