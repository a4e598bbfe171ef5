//! `Plan`: which games are played. Everything that results depend on stands here; how many threads there are,
//! and what is printed, does not.

use std::sync::Arc;

use super::entrant::Entrant;
use super::external::Limits;
use super::summary::SequentialTest;
use crate::board::{Board, Element};
use crate::sim::{Level, LevelError, Rules, State};

/// The games of a match.
///
/// Together on one field, game `i` has seed `first_seed + i` and all bots, and the bot that takes the first
/// seat moves on by one from game to game. Alone, each bot plays each seed, seed by seed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The bots, told apart by their place here.
    pub entrants: Vec<Entrant>,
    /// The rules with their settings.
    pub rules: Arc<Rules>,
    /// The level's name in results.
    pub level_name: String,
    /// The level as a board.
    pub board: Board,
    /// The level.
    pub level: Arc<Level>,
    /// Each bot alone, on the same seeds.
    pub solo: bool,
    /// The first seed.
    pub first_seed: u64,
    /// How many seeds.
    pub seeds: u64,
    /// Ticks of a game.
    pub ticks: u64,
    /// Limits of external bots.
    pub limits: Limits,
    /// Ends the match when it is decided, always after the same game.
    pub sequential: Option<SequentialTest>,
}

/// A match that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Nobody plays.
    #[error("a match needs at least one bot; name it with --bot")]
    Nobody,
    /// More bots than seats.
    #[error("{0} bots do not fit on one field, which holds {max}; use --solo", max = State::HEROES_MAX)]
    Crowded(usize),
    /// A number of games that means nothing.
    #[error("a match needs at least one seed and one tick, and its last seed must be below 2^64")]
    NoGames,
    /// A sequential test compares two.
    #[error("a sequential test compares two bots; {0} are named")]
    NotTwo(usize),
    /// The board is no level.
    #[error(transparent)]
    Level(#[from] LevelError),
}

impl Plan {
    /// A match on the level that `board` shows, by default each of 20 seeds for 1 000 ticks on one field.
    /// Bots of the same name get a number behind it.
    ///
    /// # Errors
    /// `Level` if the board is no level.
    pub fn new(
        mut entrants: Vec<Entrant>,
        rules: Rules,
        level_name: &str,
        board: Board,
    ) -> Result<Plan, PlanError> {
        let names: Vec<String> = entrants.iter().map(|bot| bot.name.clone()).collect();
        for (place, entrant) in entrants.iter_mut().enumerate() {
            let before = names[..place].iter().filter(|name| **name == entrant.name);
            match before.count() {
                0 => {}
                count => entrant.name = format!("{} #{}", entrant.name, count + 1),
            }
        }
        let level = Level::from_board(&board)?;
        Ok(Plan {
            entrants,
            rules: Arc::new(rules),
            level_name: level_name.to_owned(),
            board,
            level,
            solo: false,
            first_seed: 1,
            seeds: 20,
            ticks: 1_000,
            limits: Limits::default(),
            sequential: None,
        })
    }

    /// Takes the monsters off the level.
    ///
    /// # Errors
    /// As `new`.
    pub fn remove_monsters(&mut self) -> Result<(), PlanError> {
        for cell in self.board.size().cells() {
            if matches!(self.board.at(cell), Element::Monster(_)) {
                self.board.set(cell, Element::Empty);
            }
        }
        self.level = Level::from_board(&self.board)?;
        Ok(())
    }

    /// Refuses a match that makes no sense.
    ///
    /// # Errors
    /// Every `PlanError` but `Level`.
    pub fn check(&self) -> Result<(), PlanError> {
        if self.entrants.is_empty() {
            return Err(PlanError::Nobody);
        }
        if !self.solo && self.entrants.len() > State::HEROES_MAX {
            return Err(PlanError::Crowded(self.entrants.len()));
        }
        let last = self.first_seed.checked_add(self.seeds);
        let games = self.seeds.checked_mul(self.entrants.len() as u64);
        if self.seeds == 0 || self.ticks == 0 || last.is_none() || games.is_none() {
            return Err(PlanError::NoGames);
        }
        if self.sequential.is_some() && self.entrants.len() != 2 {
            return Err(PlanError::NotTwo(self.entrants.len()));
        }
        Ok(())
    }

    /// Games that make up one seed.
    pub fn games_per_seed(&self) -> u64 {
        if self.solo {
            self.entrants.len() as u64
        } else {
            1
        }
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        self.seeds * self.games_per_seed()
    }

    /// The seed of a game, counted from 0.
    pub fn seed(&self, game: u64) -> u64 {
        self.first_seed + game / self.games_per_seed()
    }

    /// The bots of a game in the order in which they take their seats.
    pub fn seats(&self, game: u64) -> Vec<usize> {
        let bots = self.entrants.len();
        let first = (game % bots as u64) as usize;
        if self.solo {
            vec![first]
        } else {
            (0..bots).map(|seat| (first + seat) % bots).collect()
        }
    }

    /// Whether results may depend on the speed of the machine.
    pub fn has_external(&self) -> bool {
        self.entrants.iter().any(Entrant::is_external)
    }

    /// Everything that results depend on, as text: results of another match are never mixed in.
    pub fn fingerprint(&self) -> String {
        let bots: Vec<String> = self.entrants.iter().map(Entrant::fingerprint).collect();
        let settings: Vec<String> = self
            .rules
            .settings()
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        format!(
            "lodebot {}\nbots: {}\nsolo: {}\nrules: {} {}\nseeds: {} from {}\nticks: {}\n\
             limits: {} ms to start, {} ms to answer\nsequential: {:?}\nlevel: {}\n{}",
            env!("CARGO_PKG_VERSION"),
            bots.join(" | "),
            self.solo,
            self.rules.name,
            settings.join(" "),
            self.seeds,
            self.first_seed,
            self.ticks,
            self.limits.start.as_millis(),
            self.limits.answer.as_millis(),
            self.sequential,
            self.level_name,
            self.board.rows(self.rules.alphabet),
        )
    }
}
