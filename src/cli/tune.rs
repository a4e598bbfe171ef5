//! `lodebot tune`: parameters fitted in the simulator, in one process or in many, and judged on fresh seeds.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};

use super::arena::progress_bar;
use super::hosting::rules_on;
use super::interrupt;
use super::params::ParamsArgs;
use super::{Outcome as Ended, Run, conclude, print};
use crate::arena::Plan;
use crate::levels;
use crate::tune::{
    Axis, Candidate, Finding, Job, Method, Outcome, Setup, Stages, State, StateError, Task, json,
    mean_and_best, read_lines, text, toml, verdict_json, verdict_text,
};

/// Fit parameters of the bot to levels of your choice
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Looks for values of parameters that score more, on games like the arena's. `new` makes a \
                  state file, `go` plays round after round and can be stopped and started again at any time, `show` \
                  prints the set found so far, `verdict` compares it with the old one on seeds that the tuning has \
                  not seen.\n\n\
                  For many machines there are `ask`, which prints candidates, one a line, `run`, which plays them, or a \
                  share of them, anywhere, and `tell`, which takes the results in. The state file is the same \
                  bytes for any number of threads, in any order of results and after any interruption."
)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    New(Box<NewArgs>),
    Go(GoArgs),
    Show(ShowArgs),
    Verdict(VerdictArgs),
    Ask(AskArgs),
    Run(RunArgs),
    Tell(TellArgs),
}

/// Begin a tuning: make its state file
#[derive(clap::Args, Debug)]
struct NewArgs {
    /// The state file, which must not exist yet
    state: PathBuf,
    /// cma-es, for up to some ten parameters that may depend on each other; or spsa, for many parameters and
    /// rounds of two candidates
    #[arg(long, value_name = "METHOD", default_value = "cma-es", value_parser = ["cma-es", "spsa"])]
    method: String,
    /// A parameter to tune, with a range and a step if not those of `params list`; once for each
    #[arg(long = "param", value_name = "NAME[:MIN..MAX[:STEP]]", required = true)]
    axes: Vec<String>,
    /// Whose parameters: beam, chokudai or dp
    #[arg(long, value_name = "BOT", default_value = "beam")]
    bot: String,
    /// A built-in bot that plays on the same field, as `arena --bot` takes it; once for each
    #[arg(long, value_name = "BOT")]
    against: Vec<String>,
    /// A shipped level or a file; once for each [default: the arena's]
    #[arg(long = "level", value_name = "LEVEL")]
    levels: Vec<String>,
    /// Dialect of the game
    #[arg(long, value_name = "RULES", default_value = "classic")]
    rules: String,
    /// A setting of the game, under the server's own key; a wrong key lists the right ones
    #[arg(long = "setting", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Take the monsters off the levels
    #[arg(long)]
    no_monsters: bool,
    /// When bots may kill themselves: never, stuck or free [default: stuck]
    #[arg(long, value_name = "POLICY")]
    suicide: Option<String>,
    /// Ticks of a game
    #[arg(long, value_name = "T", default_value_t = 1_000)]
    ticks: u64,
    /// Games of a candidate on every level: so many seeds, the same for all candidates of a round
    #[arg(long, value_name = "N", default_value_t = 4)]
    games: u32,
    /// Candidates of a round [default: 2 for spsa; 4 + 3 ln(parameters) for cma-es]
    #[arg(long, value_name = "N")]
    population: Option<u32>,
    /// Rounds in all
    #[arg(long, value_name = "N", default_value_t = 50)]
    rounds: u32,
    /// Seed of the search, and the first seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// cma-es: deviation of the first candidates, in steps of the parameters
    #[arg(long, value_name = "STEPS", default_value_t = 2.0)]
    spread: f64,
    /// spsa: how far the last round moves for a usual difference of scores, in steps of the parameters
    #[arg(long, value_name = "STEPS", default_value_t = 0.1)]
    gain: f64,
    #[command(flatten)]
    params: ParamsArgs,
}

/// Play rounds until all are over
#[derive(clap::Args, Debug)]
struct GoArgs {
    /// The state file
    state: PathBuf,
    /// Rounds to play now, at most
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Games at a time [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Print the set found so far and how it was found
#[derive(clap::Args, Debug)]
struct ShowArgs {
    /// The state file
    state: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print the set as a file that --params reads
    #[arg(long, conflicts_with = "json")]
    toml: bool,
}

/// Compare the set found with the old one on fresh seeds; exit code 0 if it is better, 1 if not
#[derive(clap::Args, Debug)]
struct VerdictArgs {
    /// The state file; the verdict and its seeds are noted in it
    state: PathBuf,
    /// Seeds that both sets play on every level; a verdict that was interrupted keeps its number
    #[arg(long, value_name = "N", default_value_t = 40)]
    seeds: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Games at a time [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Print the candidates of the present round that want results; exit code 1 if all rounds are over
#[derive(clap::Args, Debug)]
struct AskArgs {
    /// The state file
    state: PathBuf,
    /// Print so many at most
    #[arg(short = 'n', value_name = "N")]
    number: Option<usize>,
}

/// Play candidates and print their results
#[derive(clap::Args, Debug)]
struct RunArgs {
    /// Lines of `ask`; - for standard input
    candidates: String,
    /// Only share I of N, counted from 1: every N-th line
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Games at a time [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Take results in
#[derive(clap::Args, Debug)]
struct TellArgs {
    /// The state file
    state: PathBuf,
    /// Lines of `run`, in any order; - for standard input
    #[arg(required = true)]
    results: Vec<String>,
}

impl Args {
    pub(super) fn run(self) -> Run {
        match self.command {
            Command::New(args) => args.run(),
            Command::Go(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Verdict(args) => args.run(),
            Command::Ask(args) => args.run(),
            Command::Run(args) => args.run(),
            Command::Tell(args) => args.run(),
        }
    }
}

impl NewArgs {
    fn run(mut self) -> Run {
        let mut base = self.params.resolve()?;
        if let Some(policy) = &self.suicide {
            base.assign(&format!("suicide={policy}"))
                .context("--suicide")?;
        }
        if self.levels.is_empty() {
            self.levels.push(levels::DEFAULT.to_owned());
        }
        let mut task = Task::new(&self.bot, &base, &self.rules, self.ticks)?;
        task.against = self.against;
        task.settings = self.settings;
        task.monsters = !self.no_monsters;
        let plans = plans(&task, &self.levels)?;
        task.set_stages(&plans);
        let axes = self.axes.iter().map(|axis| Axis::parse(axis, &base));
        let axes = axes.collect::<Result<Vec<_>, _>>()?;
        let method = match self.method.as_str() {
            "spsa" => Method::Spsa { r_end: self.gain },
            _ => Method::CmaEs {
                spread: self.spread,
            },
        };
        let usual = method.usual_population(axes.len());
        let state = State::new(Setup {
            method,
            population: self.population.unwrap_or(usual),
            rounds: self.rounds,
            seeds: self.games,
            first_seed: self.seed,
            axes,
            task,
        })?;
        // What cannot be played is told now rather than by `go`.
        Stages::new(&state.setup().task, plans)?;
        state.create(&self.state)?;
        let setup = state.setup();
        let games = u64::from(setup.rounds) * u64::from(setup.population) * setup.scores() as u64;
        log::info!(
            "{games} games of {} ticks in {} rounds; `lodebot tune go {}` plays them",
            setup.task.ticks,
            setup.rounds,
            self.state.display()
        );
        Ok(Ended::Good)
    }
}

impl GoArgs {
    fn run(self) -> Run {
        let mut state = State::load(&self.state)?;
        let stages = stages(&state.setup().task)?;
        let stop = interrupt::stop_flag()?;
        let mut left = self.rounds.unwrap_or(u32::MAX);
        if !state.is_over() {
            log::info!(
                "round {} of {}; Ctrl-C keeps what is done, and the same command goes on",
                state.round() + 1,
                state.setup().rounds
            );
        }
        while !state.is_over() && left > 0 {
            let outcomes = play(&state.ask(), &stages, self.threads, &stop)?;
            let stopped = stop.load(Ordering::Relaxed);
            let played = outcomes.len();
            let outcomes: Vec<_> = outcomes
                .into_iter()
                .map(|outcome| (String::new(), outcome))
                .collect();
            let round = state.round();
            state.tell(&outcomes)?;
            if played > 0 {
                state.save(&self.state)?;
            }
            if state.round() > round {
                left -= 1;
                tell_round(&state);
            }
            if stopped && !state.is_over() && left > 0 {
                log::warn!(
                    "stopped in round {} of {}; the same command goes on from there",
                    state.round() + 1,
                    state.setup().rounds
                );
                return Ok(Ended::StoppedEarly);
            }
        }
        if state.is_over() {
            log::info!(
                "all rounds are over; `lodebot tune verdict {}` says whether it was worth it",
                self.state.display()
            );
        }
        Ok(Ended::Good)
    }
}

/// One line about the round that has just ended.
fn tell_round(state: &State) {
    if let Some(round) = state.history().last() {
        let (mean, best) = mean_and_best(round);
        log::info!(
            "round {} of {}: mean {mean:.1}, best {best:.1}, now {}",
            state.round(),
            state.setup().rounds,
            state.assignments(&round.middle).join(" ")
        );
    }
}

impl ShowArgs {
    fn run(self) -> Run {
        let state = State::load(&self.state)?;
        print(&if self.json {
            format!("{}\n", json(&state))
        } else if self.toml {
            toml(&state)
        } else {
            text(&state)
        })?;
        Ok(Ended::Good)
    }
}

impl VerdictArgs {
    fn run(self) -> Run {
        let mut state = State::load(&self.state)?;
        let path = self.state.display();
        let number = match state.open_verdict(self.seeds) {
            Ok(number) => number,
            Err(why) => bail!("{path}: {why}"),
        };
        let stages = stages(&state.setup().task)?;
        let levels = state.setup().task.stages.len();
        let stop = interrupt::stop_flag()?;
        let seeds = state.verdicts()[number].seeds;
        if seeds != self.seeds {
            log::warn!("a verdict on {seeds} seeds was begun and goes on first");
        }
        let bar = progress_bar(2 * levels as u64 * u64::from(seeds));
        bar.set_position(2 * state.verdicts()[number].scores.len() as u64);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 {
            cores
        } else {
            self.threads
        };
        while !state.verdicts()[number].is_over(levels) {
            // What is saved in between is not lost when the machine goes down.
            let batch = u32::try_from(8 * threads).unwrap_or(u32::MAX);
            let whole =
                state.play_verdict(number, &stages, batch, self.threads, &stop, || bar.inc(1))?;
            state.save(&self.state)?;
            if !whole {
                bar.finish_and_clear();
                log::warn!(
                    "stopped after {} of {} games; the same command goes on from there",
                    2 * state.verdicts()[number].scores.len(),
                    2 * levels as u64 * u64::from(seeds)
                );
                return Ok(Ended::StoppedEarly);
            }
        }
        bar.finish_and_clear();
        let verdict = &state.verdicts()[number];
        conclude(&if self.json {
            format!("{}\n", verdict_json(&state, verdict))
        } else {
            verdict_text(&state, verdict)
        })?;
        let judged = verdict.judge(levels);
        Ok(Ended::of(
            judged.is_some_and(|judged| judged.finding == Finding::Better),
        ))
    }
}

impl AskArgs {
    fn run(self) -> Run {
        let state = State::load(&self.state)?;
        let mut out = String::new();
        for candidate in state
            .ask()
            .into_iter()
            .take(self.number.unwrap_or(usize::MAX))
        {
            out.push_str(&serde_json::to_string(&candidate)?);
            out.push('\n');
        }
        conclude(&out)?;
        if state.is_over() {
            log::info!("all rounds are over");
        }
        Ok(Ended::of(!state.is_over()))
    }
}

impl RunArgs {
    fn run(self) -> Run {
        let mut lines = read_lines::<Candidate>(&self.candidates)?;
        let Some((_, first)) = lines.first().cloned() else {
            bail!("{}: there are no candidates in it", self.candidates);
        };
        for (place, candidate) in &lines {
            let fault = match candidate.job() {
                Err(fault) => fault,
                Ok(_) if candidate.task != first.task || candidate.tuning != first.tuning => {
                    "a candidate of another tuning; run each tuning's by themselves".to_owned()
                }
                Ok(_) => continue,
            };
            let place = place.clone();
            return Err(StateError::Line { place, fault }.into());
        }
        if let Some(text) = &self.shard {
            let (share, shares) = shard(text)?;
            let mut place = 0;
            lines.retain(|_| {
                place += 1;
                (place - 1) % shares == share - 1
            });
        }
        let stages = stages(&first.task)?;
        let stop = interrupt::stop_flag()?;
        let candidates: Vec<_> = lines.into_iter().map(|(_, candidate)| candidate).collect();
        let outcomes = play(&candidates, &stages, self.threads, &stop)?;
        let mut out = String::new();
        for outcome in &outcomes {
            out.push_str(&serde_json::to_string(outcome)?);
            out.push('\n');
        }
        print(&out)?;
        if outcomes.len() < candidates.len() {
            log::warn!(
                "stopped after {} of {} candidates; `tune tell` takes these, and `tune ask` has the others",
                outcomes.len(),
                candidates.len()
            );
            return Ok(Ended::StoppedEarly);
        }
        Ok(Ended::Good)
    }
}

impl TellArgs {
    fn run(self) -> Run {
        let mut state = State::load(&self.state)?;
        let mut outcomes = Vec::new();
        for file in &self.results {
            outcomes.extend(read_lines::<Outcome>(file)?);
        }
        let round = state.round();
        let told = state.tell(&outcomes)?;
        state.save(&self.state)?;
        if told.known > 0 {
            log::info!("{} results were known already", told.known);
        }
        if state.round() > round {
            tell_round(&state);
        }
        if state.is_over() {
            log::info!("all rounds are over");
        } else if state.round() == round {
            log::info!(
                "{} new results; {} candidates of round {} are still open",
                told.new,
                state.ask().len(),
                state.round() + 1
            );
        }
        Ok(Ended::Good)
    }
}

/// `I/N` with I from 1 to N.
fn shard(text: &str) -> anyhow::Result<(usize, usize)> {
    let parts = text
        .split_once('/')
        .and_then(|(share, shares)| Some((share.parse().ok()?, shares.parse().ok()?)));
    match parts {
        Some((share, shares)) if (1..=shares).contains(&share) => Ok((share, shares)),
        _ => bail!("--shard {text}: it looks like I/N with I from 1 to N, as in 3/8"),
    }
}

/// The levels as they are now, each with the rules and without bots.
fn plans(task: &Task, levels: &[String]) -> anyhow::Result<Vec<Plan>> {
    let plan = |level: &String| {
        let (rules, board) = rules_on(level, &task.rules, &task.settings)?;
        let mut plan =
            Plan::new(Vec::new(), rules, level, board).with_context(|| format!("level {level}"))?;
        if !task.monsters {
            plan.remove_monsters()?;
        }
        Ok(plan)
    };
    levels.iter().map(plan).collect()
}

fn stages(task: &Task) -> anyhow::Result<Stages> {
    let levels: Vec<String> = task
        .stages
        .iter()
        .map(|stage| stage.level.clone())
        .collect();
    Ok(Stages::new(task, plans(task, &levels)?)?)
}

/// The results of the candidates whose games were all over before `stop` was set.
fn play(
    candidates: &[Candidate],
    stages: &Stages,
    threads: usize,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Outcome>> {
    let jobs = candidates.iter().map(Candidate::job);
    let jobs = jobs
        .collect::<Result<Vec<Job>, _>>()
        .map_err(anyhow::Error::msg)?;
    let bar = progress_bar(jobs.iter().map(|job| stages.games(job)).sum());
    let scores = stages.play(&jobs, threads, stop, || bar.inc(1))?;
    bar.finish_and_clear();
    let pairs = candidates.iter().zip(scores);
    Ok(pairs
        .filter_map(|(candidate, scores)| {
            Some(Outcome {
                tuning: candidate.tuning.clone(),
                id: candidate.id,
                scores: scores?,
            })
        })
        .collect())
}
