//! Analysing a recorded game: what was the best answer to each board, and how much did the one that was given
//! lose? From that the worst ticks, how each death could have been avoided, gold that rivals were let
//! have, and time without any.
//!
//! The boards are worked on in chunks that do not depend on each other, so that the result is the same on
//! any number of threads and after any interruption.

mod findings;
mod page;
mod text;

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::redecide::value_of;
use super::seat::Seat;
use crate::bot::{Bot, Limit};
use crate::params::{EngineKind, Params};

pub use findings::{Death, Findings, MissedGold, Rescue};
pub use page::page;
pub use text::text;

/// Boards of a chunk. Its bot has seen all boards before; only its watchdogs start afresh.
const CHUNK: usize = 25;

/// One board and its answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// Number of the server tick.
    pub t: u64,
    /// What was answered, by name; `None` if it is unknown or no single decision.
    pub played: Option<String>,
    /// The best answer, by name; `None` if there was nothing to decide.
    pub best: Option<String>,
    /// Its value.
    pub best_value: Option<f64>,
    /// The value of what was answered.
    pub played_value: Option<f64>,
    /// The line behind the best answer.
    pub line: Vec<String>,
    /// Every action with its value.
    pub values: Vec<(String, f64)>,
    /// Actions looked ahead.
    pub depth: usize,
    /// What the bot remarks.
    pub reasons: Vec<String>,
}

impl Position {
    /// What the answer lost against the best one; `None` if one of them is unknown.
    pub fn loss(&self) -> Option<f64> {
        Some((self.best_value? - self.played_value?).max(0.0))
    }
}

/// How to analyse.
#[derive(Debug, Clone)]
pub struct Analyst<'a> {
    /// The game.
    pub seat: &'a Seat,
    /// Parameters; their depth and node budget bound each search.
    pub params: &'a Params,
}

/// A game, analysed.
#[derive(Debug, Clone, Serialize)]
pub struct Analysis {
    /// Id of the game.
    pub game: String,
    /// Player number.
    pub player: usize,
    /// Depth that was asked for.
    pub depth: u32,
    /// What follows from the positions.
    #[serde(flatten)]
    pub findings: Findings,
    /// Every board.
    pub positions: Vec<Position>,
}

impl Analyst<'_> {
    /// Tells this analysis from any other: boards, answers, parameters, program.
    pub fn key(&self) -> String {
        let mut hasher = FxHasher::default();
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        self.params.content_hash().hash(&mut hasher);
        self.seat.player.hash(&mut hasher);
        for turn in &self.seat.turns {
            (turn.t, &turn.text, &turn.answer).hash(&mut hasher);
        }
        format!("{:016x}", hasher.finish())
    }

    /// Analyses the boards after those that are `done` until all are, or `stop` is set. `progress` is told
    /// all that are done, again and again. The result is a whole number of chunks, or everything.
    pub fn positions(
        &self,
        mut done: Vec<Position>,
        stop: &AtomicBool,
        mut progress: impl FnMut(&[Position]),
    ) -> Vec<Position> {
        let total = self.seat.turns.len();
        done.truncate(done.len().min(total) / CHUNK * CHUNK);
        let together = rayon::current_num_threads().max(1);
        while done.len() < total && !stop.load(Ordering::SeqCst) {
            let starts = (done.len()..total).step_by(CHUNK).take(together);
            let starts: Vec<usize> = starts.collect();
            let chunks: Vec<Vec<Position>> = starts
                .into_par_iter()
                .map(|start| self.chunk(start))
                .collect();
            done.extend(chunks.into_iter().flatten());
            progress(&done);
        }
        done
    }

    fn chunk(&self, start: usize) -> Vec<Position> {
        let seat = self.seat;
        // The depth asked for is the depth that is judged by, and every action is judged: no beam.
        let params = Params {
            engine: EngineKind::Dp,
            spare_states: 0,
            ..*self.params
        };
        let mut bot = Bot::judge(seat.rules.clone(), params);
        let mut given = seat.watch(&mut bot, start);
        let mut positions = Vec::new();
        for turn in seat.turns[start..].iter().take(CHUNK) {
            let limit = Limit {
                missed: turn.missed,
                ..Limit::default()
            };
            let decision = bot.decide_board(&turn.board, given, limit);
            let played = turn.played(&seat.rules);
            given = played;
            let search = decision.search.as_ref();
            let best = search.map(|_| decision.answer);
            let actions = search.iter().flat_map(|search| search.actions.iter());
            positions.push(Position {
                t: turn.t,
                played: played.map(|answer| answer.name().to_owned()),
                best: best.map(|answer| answer.name().to_owned()),
                best_value: best.and_then(|answer| value_of(&decision, answer)),
                played_value: played.and_then(|answer| value_of(&decision, answer)),
                line: decision
                    .line
                    .iter()
                    .map(|it| it.name().to_owned())
                    .collect(),
                values: actions
                    .map(|pair| (pair.0.name().to_owned(), pair.1))
                    .collect(),
                depth: search.map_or(0, |search| search.depth),
                reasons: decision.reasons,
            });
        }
        positions
    }

    /// What all positions together tell.
    pub fn conclude(&self, positions: Vec<Position>) -> Analysis {
        Analysis {
            game: self.seat.game.clone(),
            player: self.seat.player,
            depth: self.params.depth,
            findings: findings::find(self.seat, self.params, &positions),
            positions,
        }
    }
}
