//! `Entrant`: a bot as it is named on the command line, from which the players of the games are made. How these play is
//! not known here (`Player`).

use super::external::{CommandLine, CommandLineError, External, Limits};
use super::fault::Trouble;
use super::player::{Player, Searching, Simple};
use crate::bot::{Bot, Greedy, Random, Teleporter, Walker};
use crate::params::{EngineKind, Params, ParamsError, SuicidePolicy, nearest_name};
use crate::rng::derive_seed;
use crate::sim::Rules;
use std::sync::Arc;

/// What an entrant is.
#[derive(Clone, Debug)]
enum Kind {
    Searching(Box<Params>),
    Greedy,
    Teleporter { free: bool },
    Walker,
    Random,
    External(CommandLine),
}

/// A bot of a match.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called in results. Bots are told apart by their place in the list, not by this.
    pub name: String,
    kind: Kind,
}

/// Why a text names no bot.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    /// No such built-in bot.
    #[error(
        "there is no bot {name:?}{}; there are: {known}, and cmd:COMMAND LINE for a program of your own",
        suggestion.map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
    )]
    Unknown {
        /// As typed.
        name: String,
        /// The built-in bot that looks most like it.
        suggestion: Option<&'static str>,
        /// All of them.
        known: String,
    },
    /// A parameter of a searching bot that is wrong.
    #[error("bot {name:?}")]
    Params {
        /// As typed.
        name: String,
        /// What is wrong.
        source: ParamsError,
    },
    /// Only the searching bots have parameters.
    #[error("bot {0:?} takes no parameters; only beam, chokudai and dp do")]
    NoParameters(String),
    /// The external program cannot be run.
    #[error("bot {name:?}")]
    Program {
        /// As typed.
        name: String,
        /// What is wrong.
        source: CommandLineError,
    },
}

impl Entrant {
    /// The built-in bots.
    pub const BUILT_IN: [&'static str; 7] = [
        "beam",
        "chokudai",
        "dp",
        "greedy",
        "teleporter",
        "walker",
        "random",
    ];

    /// Reads `NAME`, `NAME:key=value,..` of a searching bot or `cmd:COMMAND LINE`. `base` is what those start from; its
    /// suicide policy is the teleporter's too.
    ///
    /// # Errors
    /// Every `EntrantError`; an external program is looked for here, so that a wrong path never becomes a
    /// result.
    pub fn parse(text: &str, base: &Params) -> Result<Entrant, EntrantError> {
        let name = text.to_owned();
        let kind = if let Some(command) = text.strip_prefix("cmd:") {
            let line = CommandLine::parse(command).map_err(|source| EntrantError::Program {
                name: name.clone(),
                source,
            })?;
            Kind::External(line)
        } else {
            Self::built_in(text, base)?
        };
        Ok(Entrant { name, kind })
    }

    fn built_in(text: &str, base: &Params) -> Result<Kind, EntrantError> {
        let (name, assignments) = match text.split_once(':') {
            Some((name, assignments)) => (name, Some(assignments)),
            None => (text, None),
        };
        if let Some(engine) = EngineKind::named(name) {
            let mut params = Params { engine, ..*base };
            let given = assignments.unwrap_or_default().split(',');
            for assignment in given.filter(|assignment| !assignment.trim().is_empty()) {
                params
                    .assign(assignment)
                    .map_err(|source| EntrantError::Params {
                        name: text.to_owned(),
                        source,
                    })?;
            }
            return Ok(Kind::Searching(Box::new(params)));
        }
        let kind = match name {
            "greedy" => Kind::Greedy,
            "teleporter" => Kind::Teleporter {
                free: base.suicide == SuicidePolicy::Free,
            },
            "walker" => Kind::Walker,
            "random" => Kind::Random,
            _ => {
                return Err(EntrantError::Unknown {
                    name: name.to_owned(),
                    suggestion: nearest_name(name, Entrant::BUILT_IN),
                    known: Entrant::BUILT_IN.join(", "),
                });
            }
        };
        match assignments {
            Some(_) => Err(EntrantError::NoParameters(text.to_owned())),
            None => Ok(kind),
        }
    }

    /// Whether it is a program of its own, so that its answers may depend on clocks.
    pub fn is_external(&self) -> bool {
        matches!(self.kind, Kind::External(_))
    }

    /// Everything that decides how it plays, in one line.
    pub(super) fn fingerprint(&self) -> String {
        match &self.kind {
            Kind::Searching(params) => format!("{} [{}]", self.name, params.differences()),
            Kind::Teleporter { free } => format!("{} [free={free}]", self.name),
            _ => self.name.clone(),
        }
    }

    /// A player for one game.
    ///
    /// # Errors
    /// If a process cannot be started.
    pub(super) fn player(
        &self,
        rules: &Arc<Rules>,
        seed: u64,
        limits: Limits,
    ) -> Result<Box<dyn Player>, Trouble> {
        Ok(match &self.kind {
            Kind::Searching(params) => {
                let bot = Bot::new(Arc::clone(rules), **params);
                Box::new(Searching::new(bot))
            }
            Kind::Greedy => Box::new(Simple::Greedy(Greedy::new())),
            Kind::Teleporter { free } => Box::new(Simple::Teleporter(Teleporter::new(*free))),
            Kind::Walker => Box::new(Simple::Walker(Walker::new())),
            Kind::Random => Box::new(Simple::Random(Random::new(derive_seed(seed, 1)))),
            Kind::External(line) => Box::new(External::start(line, limits)?),
        })
    }
}
