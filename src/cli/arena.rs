//! `lodebot arena`: matches of bots in the simulator.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::hosting::rules_on;
use super::params::ParamsArgs;
use super::{Outcome, Run, conclude, interrupt};
use crate::arena::{Entrant, Limits, Options, Plan, SequentialTest, Summary, run, text};
use crate::levels;
use crate::stats::{Boundaries, Histogram};

/// Let bots play in the simulator, without a server, and compare them
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Lets bots play in the simulator and compares them on the same seeds: all on one field, with \
                  the start places rotated from game to game, or each alone (--solo).\n\n\
                  A bot is a built-in one: beam, chokudai, dp, greedy, teleporter, walker, random; one of the first three \
                  with other parameters, as in dp:depth=6,strategy=sum; or a program of your own, cmd:COMMAND LINE, which \
                  gets one board a line (board=..) and answers with one command a line. A program is started anew for each \
                  game. One that dies, hangs, floods or talks nonsense is named in the result and the others \
                  play on; the exit code is 1 then.\n\n\
                  The output is the same for any number of threads. With --out a match that was interrupted \
                  (exit code 75) goes on where it stopped when the same command is given again."
)]
pub struct Args {
    /// A bot: NAME, NAME:KEY=VALUE,.. or cmd:COMMAND LINE; once for each bot
    #[arg(long = "bot", value_name = "BOT", required = true)]
    bots: Vec<String>,
    /// Each bot alone, on the same seeds
    #[arg(long)]
    solo: bool,
    /// Take the monsters off the level
    #[arg(long)]
    no_monsters: bool,
    /// When beam, chokudai, dp and teleporter may kill themselves: never, stuck or free [default: stuck]
    #[arg(long, value_name = "POLICY")]
    suicide: Option<String>,
    /// A shipped level or a file
    #[arg(long, value_name = "LEVEL", default_value = levels::DEFAULT)]
    level: String,
    /// Dialect of the game: classic, classic-1.0.26, loderunner-2021-04, loderunner-2021-09 or clifford
    #[arg(long, value_name = "RULES", default_value = "classic")]
    rules: String,
    /// A setting of the game, under the server's own key; a wrong key lists the right ones
    #[arg(long = "setting", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Number of seeds
    #[arg(long, value_name = "N", default_value_t = 20)]
    seeds: u64,
    /// The first seed; the others follow it
    #[arg(long, value_name = "FIRST", default_value_t = 1)]
    seed: u64,
    /// Ticks of a game
    #[arg(long, value_name = "T", default_value_t = 1_000)]
    ticks: u64,
    /// Stop as soon as it is decided whether the first of two bots is better: a sequential test of the mean
    /// over the deviation of the score difference, E0 against E1, both error rates 5 %
    #[arg(
        long,
        value_name = "E0,E1",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0,0.3"
    )]
    sprt: Option<String>,
    /// Keep results in this directory, and go on with those that are there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Record all games to this file (.zst and .gz are compressed)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print how long answers took, on stderr
    #[arg(long)]
    latency: bool,
    /// Games at a time [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Milliseconds a program may take for an answer
    #[arg(long, value_name = "MS", default_value_t = 1_000,
          value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    move_limit: u64,
    /// Milliseconds more for a program's first answer, since programs need time to start
    #[arg(long, value_name = "MS", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    start_limit: u64,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let plan = self.plan()?;
        let options = Options {
            threads: self.threads,
            directory: self.out.clone(),
            record: self.record.clone(),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if plan.has_external() && self.threads > cores {
            log::warn!(
                "{} games at a time on {cores} processors: programs may miss their limits because of it",
                self.threads
            );
        }
        log::info!(
            "{} games: seeds {} to {}, {} ticks each; every game waits for every answer",
            plan.games(),
            plan.first_seed,
            plan.first_seed + plan.seeds - 1,
            plan.ticks
        );
        let stop = interrupt::stop_flag()?;
        let bar = progress_bar(plan.games());
        let end = run(&plan, &options, &stop, |games| bar.set_position(games))?;
        bar.finish_and_clear();
        if self.latency {
            for (entrant, latency) in plan.entrants.iter().zip(&end.latencies) {
                log::info!("{}: {}", entrant.name, latency_text(latency));
            }
        }
        if !end.complete {
            log::warn!(
                "stopped after {} of {} games{}",
                end.results.len(),
                plan.games(),
                if self.out.is_some() {
                    "; the same command goes on from there"
                } else {
                    "; with --out it could be gone on with"
                }
            );
            return Ok(Outcome::StoppedEarly);
        }
        let summary = Summary::of(&plan, &end.results);
        let json = serde_json::to_string(&summary)? + "\n";
        let text = text(&summary);
        if let Some(directory) = &self.out {
            for (name, content) in [("result.json", &json), ("result.txt", &text)] {
                let path = directory.join(name);
                std::fs::write(&path, content)
                    .with_context(|| format!("{}: cannot be written", path.display()))?;
            }
        }
        conclude(if self.json { &json } else { &text })?;
        Ok(Outcome::of(summary.faults.is_empty()))
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let mut params = self.params.resolve()?;
        if let Some(policy) = &self.suicide {
            params
                .assign(&format!("suicide={policy}"))
                .context("--suicide")?;
        }
        let bots = self.bots.iter().map(|bot| Entrant::parse(bot, &params));
        let bots = bots.collect::<Result<Vec<_>, _>>()?;
        let (rules, board) = rules_on(&self.level, &self.rules, &self.settings)?;
        let mut plan = Plan::new(bots, rules, &self.level, board)
            .with_context(|| format!("level {}", self.level))?;
        if self.no_monsters {
            plan.remove_monsters()?;
        }
        plan.solo = self.solo;
        plan.first_seed = self.seed;
        plan.seeds = self.seeds;
        plan.ticks = self.ticks;
        plan.limits = Limits {
            start: Duration::from_millis(self.start_limit),
            answer: Duration::from_millis(self.move_limit),
        };
        plan.sequential = self.sprt.as_deref().map(sequential_test).transpose()?;
        plan.check()?;
        Ok(plan)
    }
}

fn sequential_test(text: &str) -> anyhow::Result<SequentialTest> {
    let effects = text.split_once(',').and_then(|(first, second)| {
        let effects = [first.trim().parse().ok()?, second.trim().parse().ok()?];
        effects
            .iter()
            .all(|effect: &f64| effect.is_finite())
            .then_some(effects)
    });
    match effects {
        Some(effects) if effects[0] < effects[1] => Ok(SequentialTest {
            effects,
            boundaries: Boundaries::new(0.05, 0.05)?,
        }),
        _ => bail!("--sprt {text}: it takes two effects, the smaller first, as in 0,0.3"),
    }
}

/// Hidden where stderr is no terminal.
pub(super) fn progress_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn latency_text(latency: &Histogram) -> String {
    let at = |share| match latency.percentile(share) {
        Some(micros) => format!("{:.2}", micros as f64 / 1e3),
        None => "-".to_owned(),
    };
    format!(
        "{} answers, ms: p50 {}, p99 {}, max {:.2}",
        latency.count(),
        at(0.5),
        at(0.99),
        latency.max() as f64 / 1e3
    )
}
