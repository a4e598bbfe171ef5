//! The command line: what was typed becomes one call of one subcommand. One file a subcommand.
//!
//! A subcommand is a `clap::Args` type and a `run` that returns a [`Run`]. It writes data with
//! [`print()`] or [`conclude`] (or to [`Output`] with `?` on every write), talks with `log::info!` and the other macros of
//! `log` (they go to stderr), and never calls `std::process::exit`. What is not here: any rule of the
//! game, any decision.

use std::ffi::OsString;
use std::io::{self, Write};
use std::num::ParseIntError;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use log::LevelFilter;

#[cfg(feature = "tools")]
mod arena;
#[cfg(feature = "tools")]
mod bench;
#[cfg(feature = "tools")]
mod check;
mod completions;
mod decide;
#[cfg(feature = "tools")]
mod hosting;
mod interrupt;
mod level;
mod man;
mod params;
mod perft;
mod play;
#[cfg(feature = "tools")]
mod replay;
#[cfg(feature = "tools")]
mod serve;
mod talk;
#[cfg(feature = "tools")]
mod tune;
mod view;

/// How a subcommand ended when nothing went wrong with the input or the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Exit code 0.
    Good,
    /// Exit code 1: the work was done and the answer is no (a divergence, a regression).
    Negative,
    /// Exit code 75: stopped before the end, and the same command goes on from there.
    StoppedEarly,
}

impl Outcome {
    /// [`Outcome::Good`] if `good`, else [`Outcome::Negative`].
    pub fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Negative }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Good => 0,
            Outcome::Negative => 1,
            Outcome::StoppedEarly => 75,
        })
    }
}

/// What a subcommand returns. An error is printed with its causes on one line and exits with 2.
pub type Run = anyhow::Result<Outcome>;

/// A bot for Lode Runner on Codenjoy servers, and the tools around it.
#[derive(Parser, Debug)]
#[command(
    name = "lodebot",
    version,
    disable_help_subcommand = true,
    after_help = "Exit codes: 0 good, 1 a negative result (divergence, regression), 2 usage or input \
                  error, 75 stopped early and can be resumed.\nData goes to stdout, talk to stderr. \
                  LODEBOT_LOG sets log levels by module (as env_logger reads them)."
)]
pub struct Cli {
    /// Print less on stderr: once warnings and errors only, twice errors only
    #[arg(short, long, global = true, action = clap::ArgAction::Count,
          conflicts_with = "verbose", help_heading = "Talk")]
    quiet: u8,
    /// Print more on stderr: once details, twice everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = "Talk")]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

/// The subcommands, in the order of the help text.
#[derive(Subcommand, Debug)]
enum Command {
    Play(play::Args),
    #[cfg(feature = "tools")]
    Serve(serve::Args),
    Decide(decide::Args),
    #[cfg(feature = "tools")]
    Check(check::Args),
    #[cfg(feature = "tools")]
    Replay(replay::Args),
    #[cfg(feature = "tools")]
    Arena(arena::Args),
    #[cfg(feature = "tools")]
    Tune(tune::Args),
    #[cfg(feature = "tools")]
    Bench(bench::Args),
    Perft(perft::Args),
    Level(level::Args),
    Params(params::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    /// Whether others wait for this program while it runs.
    fn is_live(&self) -> bool {
        match self {
            Self::Play(_) => true,
            #[cfg(feature = "tools")]
            Self::Serve(_) => true,
            _ => false,
        }
    }

    fn run(self) -> Run {
        match self {
            Self::Play(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Serve(args) => args.run(),
            Self::Decide(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Check(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Replay(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Arena(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Tune(args) => args.run(),
            #[cfg(feature = "tools")]
            Self::Bench(args) => args.run(),
            Self::Perft(args) => args.run(),
            Self::Level(args) => args.run(),
            Self::Completions(args) => args.run(),
            Self::Man(args) => args.run(),
            Self::Params(args) => args.run(),
        }
    }
}

/// Parses the process's arguments, runs the subcommand, prints the error if there is one.
pub fn main() -> ExitCode {
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error)
            if error.use_stderr()
                && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            // Nothing is left to do if stderr is closed too.
            let _ = writeln!(io::stderr(), "lodebot: {}", one_line(&error));
            return ExitCode::from(2);
        }
        Err(error) => error.exit(),
    };
    let talker = start_logging(cli.quiet, cli.verbose, cli.command.is_live());
    let result = cli.command.run();
    if let Some(talker) = talker {
        talker.finish();
    }
    match result {
        Ok(outcome) => outcome.into(),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing is left to do if stderr is closed too.
            let _ = writeln!(io::stderr(), "lodebot: {}", sentence(&error));
            ExitCode::from(2)
        }
    }
}

/// The command that was typed.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let mut command = with_negative_values(Cli::command());
    match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => Cli::from_arg_matches(&matches),
        Err(error) => Err(explained(error)),
    }
}

/// A negative number behind an option is its value: else it would be taken for an option, and told as one.
fn with_negative_values(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| {
            let negative = argument.get_action().takes_values() && !argument.is_positional();
            argument.allow_negative_numbers(negative)
        })
        .mut_subcommands(with_negative_values)
}

/// Says what is wanted where the standard library only says that a digit is wrong.
fn explained(error: clap::Error) -> clap::Error {
    let is_number =
        std::error::Error::source(&error).is_some_and(<dyn std::error::Error>::is::<ParseIntError>);
    match (
        error.get(ContextKind::InvalidArg),
        error.get(ContextKind::InvalidValue),
    ) {
        (Some(ContextValue::String(option)), Some(ContextValue::String(value))) if is_number => {
            clap::Error::raw(
                ErrorKind::ValueValidation,
                format!(
                    "invalid value '{value}' for '{option}': it must be a whole number and not negative\n"
                ),
            )
        }
        _ => error,
    }
}

/// What is wrong with a command line, what was probably meant and how it is used, in one line.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let lines = paragraph.lines().map(str::trim);
        lines
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    });
    let told: Vec<String> = paragraphs
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    told.join("; ")
}

/// Refuses to write over what is being read.
///
/// # Errors
/// If both names lead to the same file.
pub fn spare_input(input: &Path, target: &Path) -> anyhow::Result<()> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    if real(target).is_some_and(|target| Some(target) == real(input)) {
        anyhow::bail!(
            "{}: is what is being read: name another file to write to",
            target.display()
        );
    }
    Ok(())
}

/// Standard output, whose errors say that it is it.
pub struct Output(io::StdoutLock<'static>);

impl Output {
    /// Locks it.
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

/// The kind stays, by which [`is_closed`] knows a closed pipe.
fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

/// Writes `text` to stdout and flushes it.
///
/// # Errors
/// What stdout says; pass it on with `?`: [`main`] takes a closed pipe for a normal end. A command whose exit code
/// is a result uses [`conclude`].
pub fn print(text: &str) -> io::Result<()> {
    let mut out = Output::lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Like [`print()`], but a closed pipe is no error: the exit code still has to tell the result.
///
/// # Errors
/// What else stdout says.
pub fn conclude(text: &str) -> io::Result<()> {
    match print(text) {
        Err(error) if is_closed(&error) => Ok(()),
        printed => printed,
    }
}

/// Whether the reader of our output went away (`lodebot .. | head`).
pub fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// An error and its causes in one line; what a cause says is not said twice.
fn sentence(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Whether it is, below other causes, that nobody reads our output any more.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(is_closed))
}

/// Talk at level `info` is printed bare: it is meant for the person at the terminal. Where others wait for this
/// program (`live`), it waits for no terminal.
fn start_logging(quiet: u8, verbose: u8, live: bool) -> Option<talk::Talker> {
    let level = match (quiet, verbose) {
        (0, 0) => LevelFilter::Info,
        (0, 1) => LevelFilter::Debug,
        (0, _) => LevelFilter::Trace,
        (1, _) => LevelFilter::Warn,
        _ => LevelFilter::Error,
    };
    let mut builder = env_logger::Builder::new();
    builder.filter_module("lodebot", level);
    builder.filter_level(level.min(LevelFilter::Warn));
    builder.parse_env("LODEBOT_LOG");
    builder.format(|out, record| match record.level() {
        log::Level::Info => writeln!(out, "{}", record.args()),
        level => {
            writeln!(
                out,
                "{}: {}",
                level.as_str().to_ascii_lowercase(),
                record.args()
            )
        }
    });
    let (talk, talker) = live.then(|| talk::start(io::stderr())).flatten().unzip();
    if let Some(talk) = talk {
        builder.target(env_logger::Target::Pipe(Box::new(talk)));
    }
    // A second logger can only come from an embedding program; then its choice stands.
    let _ = builder.try_init();
    talker
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_tree_is_consistent() {
        with_negative_values(Cli::command()).debug_assert();
    }

    #[test]
    fn a_closed_pipe_is_found_below_other_causes() {
        let pipe: anyhow::Error = io::Error::from(io::ErrorKind::BrokenPipe).into();
        assert!(is_broken_pipe(&pipe.context("while printing")));
        let missing: anyhow::Error = io::Error::from(io::ErrorKind::NotFound).into();
        assert!(!is_broken_pipe(&missing));
    }
}
