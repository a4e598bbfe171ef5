//! `Rules`: a dialect as data. What differs between server versions stands here as a field or a small enum,
//! so that the stages of a tick ask a table and never a version number.

use super::command::Grammar;
use crate::board::Alphabet;

/// When a player who joins gets his first hero (RULES section 13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstHero {
    /// At once, outside a tick (1.0.28).
    AtJoin,
    /// Where dead heroes are replaced in the next server tick (1.0.26).
    NextTick,
}

/// Points of classic, the four settings of RULES section 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Points {
    /// Points of the first gold of a series.
    pub gold: i64,
    /// How many more points each next gold of a series pays.
    pub increment: i64,
    /// Points for a rival's death in one's hole.
    pub kill: i64,
    /// Points lost by a death.
    pub death_penalty: i64,
}

/// One dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The name used in headers and on the command line.
    pub name: &'static str,
    /// How boards are spelt.
    pub alphabet: Alphabet,
    /// How command texts are read.
    pub grammar: Grammar,
    /// When the first hero comes.
    pub first_hero: FirstHero,
    /// What events pay.
    pub points: Points,
}

/// A name or setting that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No dialect of this name.
    #[error("no rules are called {0:?}; known are: classic, classic-1.0.26")]
    UnknownName(String),
    /// No setting of this key.
    #[error("{rules} has no setting {key:?}; it has: {known}")]
    UnknownSetting {
        /// The dialect.
        rules: &'static str,
        /// The key that was given.
        key: String,
        /// The keys there are.
        known: String,
    },
    /// The value is no whole number in range.
    #[error("setting {key} = {value:?} is no whole number from -1000000 to 1000000")]
    Value {
        /// The key.
        key: String,
        /// The value that was given.
        value: String,
    },
}

impl Rules {
    /// Classic as of 1.0.28 (RULES sections 1 to 12).
    pub const CLASSIC: Rules = Rules {
        name: "classic",
        alphabet: Alphabet::Classic,
        grammar: Grammar::QUEUE,
        first_hero: FirstHero::AtJoin,
        points: Points {
            gold: 1,
            increment: 1,
            kill: 10,
            death_penalty: 0,
        },
    };

    /// Classic as of 1.0.26: three differences, RULES section 13.
    pub const CLASSIC_1_0_26: Rules = Rules {
        name: "classic-1.0.26",
        grammar: Grammar::FOLD,
        first_hero: FirstHero::NextTick,
        ..Rules::CLASSIC
    };

    /// All dialects, the default first.
    pub const ALL: [Rules; 2] = [Rules::CLASSIC, Rules::CLASSIC_1_0_26];

    /// The dialect of this name.
    ///
    /// # Errors
    /// `UnknownName`, which lists the names there are.
    pub fn named(name: &str) -> Result<Rules, RulesError> {
        Rules::ALL
            .into_iter()
            .find(|rules| rules.name == name)
            .ok_or_else(|| RulesError::UnknownName(name.to_owned()))
    }

    /// The settings with their present values, under the keys of game logs.
    pub fn settings(&self) -> Vec<(&'static str, i64)> {
        vec![
            ("gold_score", self.points.gold),
            ("gold_increment", self.points.increment),
            ("kill_score", self.points.kill),
            ("death_penalty", self.points.death_penalty),
        ]
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// `UnknownSetting` names the keys there are; `Value` if the text is no whole number in range.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let known = self
            .settings()
            .iter()
            .map(|pair| pair.0)
            .collect::<Vec<_>>()
            .join(", ");
        let place = match key {
            "gold_score" => &mut self.points.gold,
            "gold_increment" => &mut self.points.increment,
            "kill_score" => &mut self.points.kill,
            "death_penalty" => &mut self.points.death_penalty,
            _ => {
                return Err(RulesError::UnknownSetting {
                    rules: self.name,
                    key: key.to_owned(),
                    known,
                });
            }
        };
        *place = value
            .trim()
            .parse()
            .ok()
            .filter(|number| (-1_000_000..=1_000_000).contains(number))
            .ok_or_else(|| RulesError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
            })?;
        Ok(())
    }
}
