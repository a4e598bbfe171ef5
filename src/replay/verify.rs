//! Verifying recordings: are they what the simulator says? Games are replayed side by side; the
//! report comes in the order of the files and does not depend on the number of threads.

use std::fmt;
use std::path::PathBuf;

use rayon::prelude::*;

use super::batch::{Batches, Item, Piece};
use super::check::{Explained, GameCheck, Verdict};
use super::divergence::Divergence;
use crate::record::ReadError;

/// How to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Find every line that diverges, not only the first of each game.
    pub all: bool,
}

/// A recording that contradicts itself, or that this program cannot replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file, as the caller named it.
    pub place: String,
    /// Number of the line in the file, from 1.
    pub number: u64,
    /// Id of the game.
    pub game: String,
    /// What is wrong.
    pub fault: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault {
            place,
            number,
            game,
            fault,
        } = self;
        write!(
            formatter,
            "{place}:{number}: game {game}: {fault}; its rest is left out"
        )
    }
}

/// One finding, in the order of the files.
#[derive(Debug)]
pub enum Report {
    /// A game, or part of it, cannot be read. What [`ReadError::is_torn`] is no bad input.
    Unreadable(ReadError),
    /// A game cannot be replayed.
    Fault(Fault),
    /// A game is left out of the counts.
    Skipped {
        /// Id of the game.
        game: String,
        /// Why.
        reason: &'static str,
    },
    /// A game diverges: its divergences in order, only the first without [`Options::all`]. With it every
    /// line of a live log is among them.
    Diverges(Vec<Divergence>),
    /// A live client's log, after what diverges in it.
    Live {
        /// Id of the game.
        game: String,
        /// How its boards were explained.
        counts: Explained,
    },
}

/// The counts of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Games replayed.
    pub games: u64,
    /// Games left out.
    pub skipped: u64,
    /// Lines with `t` > 0 of the games replayed.
    pub ticks: u64,
    /// Lines that diverge; without [`Options::all`] of full logs the games that do.
    pub divergences: u64,
    /// Live logs among the games.
    pub live: u64,
    /// Boards of live logs that are explained.
    pub explained: u64,
    /// Boards of live logs that are explained but for unknown terrain.
    pub partly: u64,
    /// Boards of live logs with missing ones before them.
    pub missed: u64,
    /// Faults of the input; torn ends are none.
    pub faults: u64,
}

/// The line that every verification ends with; faults are not in it, they were reported.
impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary {
            games,
            skipped,
            ticks,
            divergences,
            ..
        } = self;
        write!(
            formatter,
            "verified: games={games} skipped={skipped} ticks={ticks} divergences={divergences}"
        )?;
        if self.live > 0 {
            let Summary {
                explained, missed, ..
            } = self;
            write!(formatter, " explained={explained} missed={missed}")?;
        }
        Ok(())
    }
}

/// Replays every game of the files and reports what is not as recorded.
///
/// `-` is standard input. Memory does not grow with the length of a file or a game.
///
/// # Errors
/// Only what `report` returns; the verification ends there.
pub fn verify<E>(
    files: Vec<PathBuf>,
    options: Options,
    mut report: impl FnMut(Report) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut summary = Summary::default();
    let mut batches = Batches::new(files, options.all);
    let mut carried: Option<Box<GameCheck>> = None;
    let mut batch = batches.next_batch();
    while !batch.is_empty() {
        if let Some(Item::Piece(piece @ Piece { check: None, .. })) = batch.first_mut() {
            piece.check = carried.take();
        }
        // The next batch is read while this one is replayed.
        let (verdicts, next) = rayon::join(
            || batch.into_par_iter().map(replay).collect::<Vec<_>>(),
            || batches.next_batch(),
        );
        for done in verdicts {
            match done {
                Done::Unreadable(fault) => {
                    summary.faults += u64::from(!fault.is_torn());
                    report(Report::Unreadable(fault))?;
                }
                Done::Unfinished(check) => carried = check,
                Done::Game { game, verdict } => {
                    tell(&mut summary, game, verdict, &mut report)?;
                }
            }
        }
        batch = next;
    }
    Ok(summary)
}

/// An item of a batch after its replay.
enum Done {
    Unreadable(ReadError),
    /// More lines of the game come with the next batch.
    Unfinished(Option<Box<GameCheck>>),
    Game {
        game: String,
        verdict: Verdict,
    },
}

fn replay(item: Item) -> Done {
    let mut piece = match item {
        Item::Fault(fault) => return Done::Unreadable(fault),
        Item::Piece(piece) => piece,
    };
    if let Some(check) = &mut piece.check {
        for (number, tick) in &piece.lines {
            check.line(*number, tick);
        }
    }
    match piece.check {
        Some(check) if piece.last => Done::Game {
            game: check.game().to_owned(),
            verdict: check.finish(),
        },
        check => Done::Unfinished(check),
    }
}

/// Counts a game and reports it.
fn tell<E>(
    summary: &mut Summary,
    game: String,
    verdict: Verdict,
    report: &mut impl FnMut(Report) -> Result<(), E>,
) -> Result<(), E> {
    if let Some(reason) = verdict.skipped {
        summary.skipped += 1;
        return report(Report::Skipped { game, reason });
    }
    summary.divergences += match &verdict.live {
        Some(counts) => counts.diverged,
        None => verdict.divergences.len() as u64,
    };
    if !verdict.divergences.is_empty() {
        report(Report::Diverges(verdict.divergences))?;
    }
    if let Some(fault) = verdict.fault {
        summary.faults += 1;
        return report(Report::Fault(fault));
    }
    summary.games += 1;
    summary.ticks += verdict.ticks;
    if let Some(counts) = verdict.live {
        summary.live += 1;
        summary.explained += counts.explained;
        summary.partly += counts.partly;
        summary.missed += counts.missed;
        report(Report::Live { game, counts })?;
    }
    Ok(())
}
