//! The state of a tuning: its setup and every score that was told, in one JSON file. The search itself is not
//! stored: it follows from these, so the file cannot contradict itself, and the order in which results come in, the
//! number of threads and interruptions leave no trace in it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::error::{SetupError, StateError};
use super::exchange::{Candidate, Outcome};
use super::optimizer::Optimizer;
use super::setup::Setup;
use super::space::Axis;
use super::verdict::Verdict;
use crate::params::{Value, parameter};

/// The first key of the file; another number when old files can no longer be read.
const FORMAT: u32 = 1;

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    format: u32,
    tuning: String,
    setup: Setup,
    /// Rounds that are over: the scores of each candidate.
    rounds: Vec<Vec<Vec<i64>>>,
    /// Candidates of the present round that were told.
    open: BTreeMap<u64, Vec<i64>>,
    verdicts: Vec<Verdict>,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Mean score of every candidate.
    pub scores: Vec<f64>,
    /// The best candidate's values, one an axis.
    pub best: Vec<Value>,
    /// The middle after it, one value an axis.
    pub middle: Vec<Value>,
}

/// What telling a result did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Results that were new.
    pub new: usize,
    /// Results that were there already, the same.
    pub known: usize,
}

/// A tuning under way.
#[derive(Clone, Debug)]
pub struct State {
    setup: Setup,
    name: String,
    rounds: Vec<Vec<Vec<i64>>>,
    open: BTreeMap<u64, Vec<i64>>,
    verdicts: Vec<Verdict>,
    /// What follows from the scores.
    optimizer: Optimizer,
    history: Vec<Round>,
}

impl State {
    /// A tuning before its first round.
    ///
    /// # Errors
    /// As [`Setup::check`].
    pub fn new(setup: Setup) -> Result<State, SetupError> {
        setup.check()?;
        Ok(State {
            name: setup.name(),
            optimizer: Optimizer::new(&setup),
            setup,
            rounds: Vec::new(),
            open: BTreeMap::new(),
            verdicts: Vec::new(),
            history: Vec::new(),
        })
    }

    /// Reads a state file.
    ///
    /// # Errors
    /// [`StateError::File`], [`StateError::Broken`] and [`StateError::Setup`] name the file and what is wrong.
    pub fn load(path: &Path) -> Result<State, StateError> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).map_err(|source| failed(path, "read", source))?;
        State::parse(&bytes, &shown)
    }

    fn parse(bytes: &[u8], path: &str) -> Result<State, StateError> {
        let broken = |fault: String| StateError::Broken {
            path: path.to_owned(),
            fault,
        };
        let stored: Stored =
            serde_json::from_slice(bytes).map_err(|error| broken(error.to_string()))?;
        if stored.format != FORMAT {
            let format = stored.format;
            return Err(broken(format!(
                "its format is {format}, this program knows {FORMAT}"
            )));
        }
        let mut state = State::new(stored.setup).map_err(|source| StateError::Setup {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        if state.name != stored.tuning {
            return Err(broken(
                "its setup was changed after it was begun".to_owned(),
            ));
        }
        let (population, scores) = (state.setup.population as usize, state.setup.scores());
        if stored.rounds.len() > state.setup.rounds as usize {
            return Err(broken("it has more rounds than it asks for".to_owned()));
        }
        for (number, round) in (1..).zip(stored.rounds) {
            if round.len() != population || round.iter().any(|told| told.len() != scores) {
                return Err(broken(format!(
                    "round {number} has not {population} candidates of {scores} scores each"
                )));
            }
            state.learn(round);
        }
        for (id, told) in stored.open {
            if !state.is_asked(id) || told.len() != scores {
                return Err(broken(format!(
                    "candidate {id} is not of the present round"
                )));
            }
            state.open.insert(id, told);
        }
        if state.open.len() == population {
            return Err(broken("a finished round stands as an open one".to_owned()));
        }
        let mut next = Setup::FRESH;
        for verdict in &stored.verdicts {
            next = verdict.check(&state.setup, next).map_err(broken)?;
        }
        state.verdicts = stored.verdicts;
        Ok(state)
    }

    /// The file's text: a line for every part, and one for every round.
    pub fn text(&self) -> String {
        fn plain<T: Serialize>(part: &T) -> String {
            // Plain data always has a text.
            serde_json::to_string(part).unwrap_or_default()
        }
        fn lines<T: Serialize>(parts: &[T]) -> String {
            let lines: Vec<String> = parts.iter().map(plain).collect();
            if lines.is_empty() {
                "[]".to_owned()
            } else {
                format!("[\n{}\n]", lines.join(",\n"))
            }
        }
        format!(
            "{{\"format\":{FORMAT},\n\"tuning\":{},\n\"setup\":{},\n\"rounds\":{},\n\"open\":{},\n\"verdicts\":{}}}\n",
            plain(&self.name),
            plain(&self.setup),
            lines(&self.rounds),
            plain(&self.open),
            lines(&self.verdicts),
        )
    }

    /// Writes the file: whole or not at all, whatever happens in between.
    ///
    /// # Errors
    /// [`StateError::File`].
    pub fn save(&self, path: &Path) -> Result<(), StateError> {
        let mut name = OsString::from(path);
        name.push(".draft");
        let draft = PathBuf::from(name);
        let write = || {
            let mut file = File::create(&draft)?;
            file.write_all(self.text().as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, path)
        };
        write().map_err(|source| failed(path, "written", source))
    }

    /// Writes the file of a new tuning, never over another one.
    ///
    /// # Errors
    /// [`StateError::Exists`], [`StateError::File`].
    pub fn create(&self, path: &Path) -> Result<(), StateError> {
        if path.symlink_metadata().is_ok() {
            return Err(StateError::Exists(path.display().to_string()));
        }
        self.save(path)
    }

    /// What was fixed at the beginning.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The tuning's name, which its candidates and results carry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rounds that are over.
    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// Results of the present round.
    pub fn told(&self) -> usize {
        self.open.len()
    }

    /// Whether all rounds are over.
    pub fn is_over(&self) -> bool {
        self.rounds.len() >= self.setup.rounds as usize
    }

    /// The present round, from 0.
    pub fn round(&self) -> u32 {
        self.rounds.len() as u32
    }

    /// The verdicts so far; the last one may be unfinished.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    pub(super) fn verdicts_mut(&mut self) -> &mut Vec<Verdict> {
        &mut self.verdicts
    }

    /// The tuned set: a value for every axis.
    pub fn middle(&self) -> Vec<Value> {
        self.optimizer.middle(&self.setup)
    }

    /// How far candidates lie from it now, in the parameters' units.
    pub fn deviations(&self) -> Vec<f64> {
        self.optimizer.deviations(&self.setup)
    }

    /// Values of the axes as `name=value`.
    pub fn assignments(&self, values: &[Value]) -> Vec<String> {
        let axes = self.setup.axes.iter().zip(values);
        axes.map(|(axis, value)| format!("{}={value}", axis.name))
            .collect()
    }

    /// The values before tuning.
    pub fn start(&self) -> Vec<Value> {
        let exact = |axis: &Axis| {
            let row = parameter(&axis.name).map(|row| row.nearest(axis.start));
            row.ok().flatten().unwrap_or(Value::Real(axis.start))
        };
        self.setup.axes.iter().map(exact).collect()
    }

    fn first_id(&self) -> u64 {
        u64::from(self.round()) * u64::from(self.setup.population)
    }

    fn is_asked(&self, id: u64) -> bool {
        let first = self.first_id();
        !self.is_over() && (first..first + u64::from(self.setup.population)).contains(&id)
    }

    /// The candidates of the present round that still want a result.
    pub fn ask(&self) -> Vec<Candidate> {
        if self.is_over() {
            return Vec::new();
        }
        let candidate = |(id, values): (u64, Vec<Value>)| {
            let axes = self.setup.axes.iter().zip(values);
            let params: Map<_, _> = axes
                .map(|(axis, value)| (axis.name.clone(), Json::from(value)))
                .collect();
            Candidate {
                tuning: self.name.clone(),
                id,
                params,
                first_seed: self.setup.round_seed(self.round()),
                seeds: self.setup.seeds,
                task: self.setup.task.clone(),
            }
        };
        let all = (self.first_id()..).zip(self.optimizer.ask(&self.setup));
        all.filter(|(id, _)| !self.open.contains_key(id))
            .map(candidate)
            .collect()
    }

    /// Takes results in, in any order and from any number of files; each comes with its place for complaints. When
    /// the last one of a round is there the search goes on. If any is wrong none is taken.
    ///
    /// # Errors
    /// [`StateError::Line`] for results of another tuning, of candidates that were not asked, and those that
    /// contradict others.
    pub fn tell(&mut self, outcomes: &[(String, Outcome)]) -> Result<Told, StateError> {
        let mut open = self.open.clone();
        let mut told = Told::default();
        for (place, outcome) in outcomes {
            let wrong = |fault: String| StateError::Line {
                place: place.clone(),
                fault,
            };
            let id = outcome.id;
            if outcome.tuning != self.name {
                return Err(wrong(format!(
                    "this result is of tuning {}, and the state of tuning {}; tell it to its own state",
                    outcome.tuning, self.name
                )));
            }
            let population = u64::from(self.setup.population);
            let round = self.rounds.get((id / population) as usize);
            let settled = round.map(|round| &round[(id % population) as usize]);
            let known = settled.or_else(|| open.get(&id));
            match known {
                Some(scores) if *scores == outcome.scores => told.known += 1,
                Some(_) => {
                    return Err(wrong(format!(
                        "candidate {id} has other scores already; games repeat, so one of the two was \
                         not played by this program"
                    )));
                }
                None if !self.is_asked(id) => {
                    return Err(wrong(format!(
                        "candidate {id} has not been asked for; `tune ask` says which are"
                    )));
                }
                None if outcome.scores.len() != self.setup.scores() => {
                    return Err(wrong(format!(
                        "candidate {id} has {} scores where {} games were asked for",
                        outcome.scores.len(),
                        self.setup.scores()
                    )));
                }
                None => {
                    open.insert(id, outcome.scores.clone());
                    told.new += 1;
                }
            }
        }
        self.open = open;
        if self.open.len() == self.setup.population as usize {
            let round = std::mem::take(&mut self.open);
            self.learn(round.into_values().collect());
        }
        Ok(told)
    }

    /// Goes on by a whole round.
    fn learn(&mut self, round: Vec<Vec<i64>>) {
        let mean = |scores: &Vec<i64>| {
            scores.iter().map(|&score| score as f64).sum::<f64>() / scores.len() as f64
        };
        let scores: Vec<f64> = round.iter().map(mean).collect();
        let asked = self.optimizer.ask(&self.setup);
        let ranked = scores.iter().zip(asked).rev();
        let best = ranked.max_by(|(a, _), (b, _)| a.total_cmp(b));
        self.optimizer.tell(&self.setup, &scores);
        self.history.push(Round {
            best: best.map(|(_, values)| values).unwrap_or_default(),
            middle: self.middle(),
            scores,
        });
        self.rounds.push(round);
    }
}

fn failed(path: &Path, done: &'static str, source: std::io::Error) -> StateError {
    StateError::File {
        path: path.display().to_string(),
        done,
        source,
    }
}
