//! What a tuning is: the method, the space, and the games that give a candidate its score. Fixed when the tuning
//! is begun; everything later follows from it and from the scores.

use serde::{Deserialize, Serialize};

use super::error::SetupError;
use super::evolution::Evolution;
use super::space::Axis;
use crate::arena::{Entrant, Plan};
use crate::params::{EngineKind, Params};
use crate::rng::derive_seed;

/// How the space is searched.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Method {
    /// Simultaneous perturbation.
    Spsa {
        /// In the last round, the move for a typical difference of scores, in steps.
        r_end: f64,
    },
    /// Covariance matrix adaptation.
    CmaEs {
        /// Deviation of the first candidates, in steps.
        spread: f64,
    },
}

impl Method {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Spsa { .. } => "spsa",
            Method::CmaEs { .. } => "cma-es",
        }
    }

    /// Candidates of a round where nobody asks for another number.
    pub fn usual_population(self, axes: usize) -> u32 {
        match self {
            Method::Spsa { .. } => 2,
            Method::CmaEs { .. } => Evolution::usual_population(axes) as u32,
        }
    }
}

/// A level and what it was when the tuning was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// A shipped level or a file.
    pub level: String,
    /// Of the level, the rules and their settings.
    pub fingerprint: String,
}

/// The games that give a candidate its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Version of the program.
    pub version: String,
    /// `beam`, `chokudai` or `dp`.
    pub bot: String,
    /// What differs from the defaults before tuning, as `name=value`.
    pub base: Vec<String>,
    /// Names all of the values before tuning.
    pub base_hash: String,
    /// Other bots on the field.
    pub against: Vec<String>,
    /// The levels.
    pub stages: Vec<Stage>,
    /// The dialect.
    pub rules: String,
    /// Settings of the dialect, as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Whether the levels' monsters are there.
    pub monsters: bool,
    /// Ticks of a game.
    pub ticks: u64,
}

impl Task {
    /// The games of `bot` with the parameters `base` for so many ticks; levels and further bots are added by
    /// [`Task::set_stages`] and by hand.
    ///
    /// # Errors
    /// If the bot has no parameters.
    pub fn new(bot: &str, base: &Params, rules: &str, ticks: u64) -> Result<Task, SetupError> {
        let engine = EngineKind::named(bot).ok_or_else(|| SetupError::Bot(bot.to_owned()))?;
        let base = Params { engine, ..*base };
        let differences = base.differences();
        let differences = differences.split(',').filter(|part| !part.is_empty());
        Ok(Task {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bot: bot.to_owned(),
            base: differences.map(str::to_owned).collect(),
            base_hash: hexadecimal(base.content_hash()),
            against: Vec::new(),
            stages: Vec::new(),
            rules: rules.to_owned(),
            settings: Vec::new(),
            monsters: true,
            ticks,
        })
    }

    /// Notes the levels as they are now. A plan has a level with its rules and no bots.
    pub fn set_stages(&mut self, plans: &[Plan]) {
        let stage = |plan: &Plan| Stage {
            level: plan.level_name.clone(),
            fingerprint: fingerprint(&plan.fingerprint()),
        };
        self.stages = plans.iter().map(stage).collect();
    }

    /// Refuses levels that are not those of the beginning.
    ///
    /// # Errors
    /// [`SetupError::Level`].
    pub fn check_stages(&self, plans: &[Plan]) -> Result<(), SetupError> {
        let mut now = self.clone();
        now.set_stages(plans);
        let pairs = self.stages.iter().zip(&now.stages);
        match pairs.into_iter().find(|(then, now)| then != now) {
            Some((then, _)) => Err(SetupError::Level(then.level.clone())),
            None => Ok(()),
        }
    }

    /// The parameters before tuning.
    ///
    /// # Errors
    /// If they cannot be had any more: [`SetupError::Version`], [`SetupError::Defaults`], [`SetupError::Params`].
    pub fn base_params(&self) -> Result<Params, SetupError> {
        if self.version != env!("CARGO_PKG_VERSION") {
            return Err(SetupError::Version(self.version.clone()));
        }
        let mut params = Params::DEFAULT;
        for assignment in &self.base {
            params.assign(assignment)?;
        }
        if hexadecimal(params.content_hash()) != self.base_hash {
            return Err(SetupError::Defaults);
        }
        Ok(params)
    }

    /// The bots of a field: the one that is tuned, with these assignments, and the others.
    ///
    /// # Errors
    /// As [`Task::base_params`], and for a bot that is none.
    pub fn entrants(&self, assignments: &[String]) -> Result<Vec<Entrant>, SetupError> {
        let base = self.base_params()?;
        let tuned = format!("{}:{}", self.bot, assignments.join(","));
        let texts = std::iter::once(&tuned).chain(&self.against);
        texts
            .map(|text| match Entrant::parse(text, &base)? {
                entrant if entrant.is_external() => Err(SetupError::External(text.clone())),
                entrant => Ok(entrant),
            })
            .collect()
    }
}

/// Everything that is fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How the space is searched.
    pub method: Method,
    /// Candidates of a round.
    pub population: u32,
    /// Rounds in all.
    pub rounds: u32,
    /// Seeds that every candidate of a round plays on every level, the same for all; each round has others.
    pub seeds: u32,
    /// Seed of the search, and the first seed of the games.
    pub first_seed: u64,
    /// The space.
    pub axes: Vec<Axis>,
    /// The games.
    pub task: Task,
}

/// Largest first seed, and most seeds of all rounds: together they stay below [`Setup::FRESH`], where verdicts begin.
const SEEDS_MAX: u64 = 1 << 30;

impl Setup {
    /// The first seed of a verdict: no tuning reaches it.
    pub const FRESH: u64 = 1 << 32;
    /// Most parameters.
    pub const AXES_MAX: usize = 64;
    /// Most games of a round, and of a candidate.
    pub const GAMES_MAX: u64 = 10_000_000;

    /// Refuses what makes no tuning.
    ///
    /// # Errors
    /// Every [`SetupError`] but `Defaults`, `Version` and `Level`.
    pub fn check(&self) -> Result<(), SetupError> {
        let number = |what, given: u64, min, max| {
            if (min..=max).contains(&given) {
                Ok(())
            } else {
                let given = given.to_string();
                Err(SetupError::Number {
                    what,
                    min,
                    max,
                    given,
                })
            }
        };
        let axes = self.axes.len() as u64;
        number("the number of parameters", axes, 1, Self::AXES_MAX as u64)?;
        for (place, axis) in self.axes.iter().enumerate() {
            axis.check()?;
            if self.axes[..place]
                .iter()
                .any(|other| other.name == axis.name)
            {
                return Err(SetupError::Twice(axis.name.clone()));
            }
        }
        let levels = self.task.stages.len() as u64;
        number("the number of levels", levels, 1, 100)?;
        number("--ticks", self.task.ticks, 1, 10_000_000)?;
        number("--games", self.seeds.into(), 1, 100_000)?;
        number("--rounds", self.rounds.into(), 1, 1_000_000)?;
        number("--seed", self.first_seed, 0, SEEDS_MAX)?;
        let games = u64::from(self.seeds) * u64::from(self.rounds);
        number("--games times --rounds", games, 1, SEEDS_MAX)?;
        let population: u64 = self.population.into();
        let real = |what, given: f64| {
            if (1e-3..=1e3).contains(&given) {
                Ok(())
            } else {
                Err(SetupError::Number {
                    what,
                    min: 0,
                    max: 1000,
                    given: given.to_string(),
                })
            }
        };
        match self.method {
            Method::Spsa { r_end } => {
                number("--population", population, 2, 10_000)?;
                real("--gain", r_end)?;
                if self.population % 2 == 1 {
                    return Err(SetupError::Odd(self.population));
                }
            }
            Method::CmaEs { spread } => {
                number("--population of cma-es", population, 4, 10_000)?;
                real("--spread", spread)?;
            }
        }
        let games = population.saturating_mul(self.scores() as u64);
        number("the number of games of a round", games, 1, Self::GAMES_MAX)
    }

    /// The first seed of a round, counted from 0.
    pub fn round_seed(&self, round: u32) -> u64 {
        self.first_seed + u64::from(round) * u64::from(self.seeds)
    }

    /// Scores of a candidate: one for every level and seed.
    pub fn scores(&self) -> usize {
        self.task.stages.len() * self.seeds as usize
    }

    /// The name of this tuning: equal for equal setups.
    pub fn name(&self) -> String {
        // Plain data always has a text.
        fingerprint(&serde_json::to_string(self).unwrap_or_default())
    }
}

/// A number of 64 bits that names a text.
fn fingerprint(text: &str) -> String {
    let mixed = text.bytes().fold(text.len() as u64, |hash, byte| {
        derive_seed(hash, byte.into())
    });
    hexadecimal(mixed)
}

/// As text: other readers of JSON lose the last digits of such numbers.
fn hexadecimal(number: u64) -> String {
    format!("{number:016x}")
}
