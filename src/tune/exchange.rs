//! The lines between `ask`, `run` and `tell`: candidates out, results in, one JSON object a line. A candidate's
//! line holds all that playing it needs, so that lines may be played anywhere and in any order.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value as Json};
use std::io::Read;

use super::error::StateError;
use super::games::Job;
use super::setup::{Setup, Task};
use crate::params::{Value, parameter};

/// A set of values that wants a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Name of the tuning.
    pub tuning: String,
    /// Number in the tuning, from 0.
    pub id: u64,
    /// The tuned parameters.
    pub params: Map<String, Json>,
    /// First of its seeds.
    pub first_seed: u64,
    /// How many seeds it plays on every level.
    pub seeds: u32,
    /// The games.
    pub task: Task,
}

impl Candidate {
    /// The games that it wants.
    ///
    /// # Errors
    /// What is wrong with its parameters or seeds.
    pub fn job(&self) -> Result<Job, String> {
        let games = self.task.stages.len() as u64 * u64::from(self.seeds);
        if !(1..=Setup::GAMES_MAX).contains(&games) || self.first_seed >= Setup::FRESH {
            return Err(format!(
                "candidate {} asks for games that no tuning has",
                self.id
            ));
        }
        Ok(Job {
            assignments: self.assignments()?,
            first_seed: self.first_seed,
            seeds: self.seeds,
        })
    }

    fn assignments(&self) -> Result<Vec<String>, String> {
        let one = |(name, value): (&String, &Json)| {
            let number = value.as_f64().ok_or(format!("{name} is no number"))?;
            let row = parameter(name).map_err(|error| error.to_string())?;
            let value = row.check(Value::Real(number));
            let value = value.map_err(|error| error.to_string())?;
            Ok(format!("{name}={value}"))
        };
        self.params.iter().map(one).collect()
    }
}

/// What a candidate scored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Name of the tuning.
    pub tuning: String,
    /// The candidate.
    pub id: u64,
    /// Points of every game: level by level, seed by seed.
    pub scores: Vec<i64>,
}

/// The objects of a file of lines, each with its place for complaints; `-` is standard input. Empty lines are
/// passed over.
///
/// # Errors
/// If the file cannot be read, or for the first line that is no such object.
pub fn read_lines<T: DeserializeOwned>(path: &str) -> Result<Vec<(String, T)>, StateError> {
    let mut bytes = Vec::new();
    let read = if path == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|content| bytes = content)
    };
    read.map_err(|source| StateError::File {
        path: path.to_owned(),
        done: "read",
        source,
    })?;
    let name = if path == "-" { "standard input" } else { path };
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(number, line)| {
            let place = format!("{name}, line {}", number + 1);
            match serde_json::from_slice(line) {
                Ok(object) => Ok((place, object)),
                Err(error) => Err(StateError::Line {
                    place,
                    fault: format!(
                        "{error}; this is no line that `tune` wrote, or only a part of one"
                    ),
                }),
            }
        })
        .collect()
}
