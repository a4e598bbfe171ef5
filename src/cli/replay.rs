//! `lodebot replay`: recorded games from the command line. So far `verify`; what a replay is stands in
//! `crate::replay`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Error, anyhow};

use super::{Outcome, Run};
use crate::replay::{Options, Report, verify};

/// How many diverging games, and how many faults, are printed without `--all`: they tend to have one
/// cause.
const PRINTED: u64 = 5;

/// Work with recorded games
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What to do with the recorded games.
#[derive(clap::Subcommand, Debug)]
enum Command {
    Verify(Verify),
}

/// Replay game logs through the simulator and compare every draw, event, score and board
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Replays game logs through the simulator and compares every random draw, event, score, \
                  piece of hidden state and board character with the recording.\n\n\
                  Prints each line that diverges, and at the end the line `verified: games=G skipped=S \
                  ticks=T divergences=D`. A game in which the original itself failed is skipped, and so \
                  is a live client's log. A log that merely ends too early, as after a crash, is \
                  verified as far as it goes."
)]
struct Verify {
    /// List every line that diverges and every fault, not only the first of each game and few games
    #[arg(long)]
    all: bool,
    /// Game logs (.jsonl, packed: .jsonl.zst, .jsonl.gz); - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Args {
    pub(super) fn run(self) -> Run {
        match self.command {
            Command::Verify(verify) => verify.run(),
        }
    }
}

impl Verify {
    fn run(self) -> Run {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut printed = 0;
        // The last fault becomes the error that ends the program, so that one fault is one line.
        let (mut faults, mut fault) = (0, None::<Error>);
        let mut hold = |new: Error| {
            faults += 1;
            if (self.all || faults <= PRINTED)
                && let Some(earlier) = fault.replace(new)
            {
                log::error!("{earlier}");
            }
        };
        let summary = verify(
            self.files,
            Options { all: self.all },
            |report| -> io::Result<()> {
                match report {
                    Report::Unreadable(error) if error.is_torn() => log::warn!("{error}"),
                    Report::Unreadable(error) => hold(error.into()),
                    Report::Fault(error) => hold(Error::msg(error.to_string())),
                    Report::Skipped { game, reason } => {
                        log::info!("skipped: game {game}: {reason}");
                    }
                    Report::Diverges(divergences) => {
                        printed += 1;
                        if self.all || printed <= PRINTED {
                            for divergence in divergences {
                                write!(out, "{divergence}")?;
                            }
                            out.flush()?;
                        }
                    }
                }
                Ok(())
            },
        )?;
        if !self.all && printed > PRINTED {
            log::info!(
                "{} more games diverge; --all prints them too",
                printed - PRINTED
            );
        }
        writeln!(out, "{summary}")?;
        out.flush()?;
        match fault {
            Some(fault) if !self.all && faults > PRINTED => {
                log::error!("{fault}");
                Err(anyhow!(
                    "{} more faults; --all prints them too",
                    faults - PRINTED
                ))
            }
            Some(fault) => Err(fault),
            None => Ok(Outcome::of(summary.divergences == 0)),
        }
    }
}
