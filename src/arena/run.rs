//! Playing a match: many games at a time, results in the order of the games. One game is the business of `game`, what
//! is kept on disk that of the `Ledger`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use rayon::prelude::*;

use super::game::{GameResult, Played, play};
use super::ledger::{Ledger, LedgerError, write_log};
use super::plan::Plan;
use crate::record::Writer;
use crate::stats::{Histogram, Verdict};

/// More threads than this are of use on no machine.
const THREADS_MAX: usize = 512;

/// How a match is played. Nothing here changes its results.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Games at a time; 0 means as many as there are processors.
    pub threads: usize,
    /// Where results are kept, and taken up again.
    pub directory: Option<PathBuf>,
    /// Where the games' logs go.
    pub record: Option<PathBuf>,
}

/// What was played.
#[derive(Clone, Debug)]
pub struct End {
    /// In the order of the games.
    pub results: Vec<GameResult>,
    /// All games were played, or the sequential test was decided.
    pub complete: bool,
    /// Microseconds of every answer in the games played now, one histogram a bot.
    pub latencies: Vec<Histogram>,
}

/// Plays the match as far as it has not been played yet, until it is over, decided, or `stop` is set.
/// `told` hears how many games there are after each one that counts.
///
/// # Errors
/// If results or logs cannot be written, or the directory holds something else.
pub fn run(
    plan: &Plan,
    options: &Options,
    stop: &AtomicBool,
    mut told: impl FnMut(u64),
) -> Result<End, LedgerError> {
    let pool = pool(options.threads, plan.games())?;
    let mut keeper = Keeper::new(plan, options)?;
    let mut latencies = vec![Histogram::new(); plan.entrants.len()];
    // A batch is larger than the number of threads, so that a long game holds up few others, and small enough
    // that the logs of one batch fit in memory.
    let batch = 8 * pool.current_num_threads() as u64;
    let logged = options.record.is_some();
    while !keeper.is_over(plan) {
        let first = keeper.results.len() as u64;
        let numbers = first..plan.games().min(first + batch);
        let mut in_order = InOrder::new(first);
        let decided = AtomicBool::new(false);
        let add = |number, played| {
            in_order.add(number, played);
            while let Some(played) = in_order.next() {
                for (latency, &bot) in played.latencies.iter().zip(&played.result.seats) {
                    latencies[bot].merge(latency);
                }
                keeper.add(played, options)?;
                told(keeper.results.len() as u64);
                if keeper.is_over(plan) {
                    decided.store(true, Ordering::Relaxed);
                    in_order.forget();
                }
            }
            Ok(())
        };
        stream(&pool, plan, numbers, logged, stop, &decided, add)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let complete = keeper.is_over(plan);
    keeper.finish(options, complete)?;
    Ok(End {
        results: keeper.results,
        complete,
        latencies,
    })
}

/// Plays these games of a plan, the next one by whichever thread is free, and hands each to `add` as soon as it is
/// over, from this thread. No game is begun once a flag is set; `stop` also cuts those that are being played.
fn stream(
    pool: &rayon::ThreadPool,
    plan: &Plan,
    numbers: Range<u64>,
    logged: bool,
    stop: &AtomicBool,
    decided: &AtomicBool,
    mut add: impl FnMut(u64, Played) -> Result<(), LedgerError>,
) -> Result<(), LedgerError> {
    let next = AtomicU64::new(numbers.start);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let sender = sender;
            pool.broadcast(|_| {
                while !decided.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if !numbers.contains(&number) {
                        break;
                    }
                    let Some(played) = play(plan, number, logged, stop) else {
                        break;
                    };
                    // Nobody listens any more after an error.
                    if sender.send((number, played)).is_err() {
                        break;
                    }
                }
            });
        });
        for (number, played) in receiver {
            if let Err(error) = add(number, played) {
                decided.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// Games that are over, given out in the order of their numbers.
struct InOrder {
    waiting: BTreeMap<u64, Played>,
    next: u64,
}

impl InOrder {
    fn new(first: u64) -> InOrder {
        InOrder {
            waiting: BTreeMap::new(),
            next: first,
        }
    }

    fn add(&mut self, number: u64, played: Played) {
        self.waiting.insert(number, played);
    }

    fn next(&mut self) -> Option<Played> {
        let played = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(played)
    }

    /// Gives out no more.
    fn forget(&mut self) {
        self.waiting.clear();
        self.next = u64::MAX;
    }
}

/// Plays single games of several plans, each game by its number in its plan, with nothing kept on disk. The results
/// are in the order of `games`; `None` where `stop` was set before the end of the game. `told` hears of every game
/// that was played, from any thread.
///
/// # Errors
/// If there can be no threads.
pub fn play_games(
    games: &[(&Plan, u64)],
    threads: usize,
    stop: &AtomicBool,
    told: impl Fn() + Sync,
) -> Result<Vec<Option<GameResult>>, LedgerError> {
    let one = |&(plan, number): &(&Plan, u64)| {
        let played = play(plan, number, false, stop)?;
        told();
        Some(played.result)
    };
    Ok(pool(threads, games.len() as u64)?.install(|| games.par_iter().map(one).collect()))
}

/// So many threads, though no more than games; 0 means as many as there are processors.
fn pool(threads: usize, games: u64) -> Result<rayon::ThreadPool, LedgerError> {
    let most = usize::try_from(games)
        .unwrap_or(usize::MAX)
        .clamp(1, THREADS_MAX);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.min(most))
        .build()
        .map_err(|error| LedgerError::File {
            path: "threads".to_owned(),
            source: std::io::Error::other(error),
        })
}

/// Takes results in their order and keeps them where they are wanted.
struct Keeper {
    results: Vec<GameResult>,
    ledger: Option<Ledger>,
    /// Only without a ledger: with one every game has its own log until the match is over.
    writer: Option<Writer>,
}

impl Keeper {
    fn new(plan: &Plan, options: &Options) -> Result<Keeper, LedgerError> {
        let directory = options.directory.as_deref();
        let ledger = directory
            .map(|directory| Ledger::open(directory, plan))
            .transpose()?;
        let writer = match (&ledger, &options.record) {
            (None, Some(path)) => Some(Writer::record(path)?),
            _ => None,
        };
        let mut keeper = Keeper {
            results: Vec::new(),
            ledger,
            writer,
        };
        let known = keeper.ledger.iter().flat_map(Ledger::results);
        keeper.results = known.cloned().collect();
        Ok(keeper)
    }

    fn is_over(&self, plan: &Plan) -> bool {
        let decided = plan.sequential.as_ref().is_some_and(|test| {
            let done = self.results.len() as u64;
            done.is_multiple_of(plan.games_per_seed())
                && test.state(plan, &self.results).verdict != Verdict::Continue
        });
        decided || self.results.len() as u64 >= plan.games()
    }

    fn add(&mut self, played: Played, options: &Options) -> Result<(), LedgerError> {
        let Played { result, log, .. } = played;
        if let (Some(writer), Some(log)) = (&mut self.writer, &log) {
            write_log(writer, log)?;
        }
        if let Some(ledger) = &mut self.ledger {
            let ending = options.record.as_deref().map(ending);
            let log = log.as_ref().zip(ending.as_deref());
            ledger.add(&result, log)?;
        }
        self.results.push(result);
        Ok(())
    }

    fn finish(&mut self, options: &Options, complete: bool) -> Result<(), LedgerError> {
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
        }
        match (&self.ledger, &options.record) {
            (Some(ledger), Some(path)) if complete => ledger.collect_logs(&ending(path), path),
            _ => Ok(()),
        }
    }
}

/// The ending of a log's name that says how it is packed.
fn ending(path: &Path) -> String {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(packed @ ("zst" | "gz")) => format!(".jsonl.{packed}"),
        _ => ".jsonl".to_owned(),
    }
}
