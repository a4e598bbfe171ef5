//! `lodebot replay verify`: what a replay is stands in `crate::replay`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Error, anyhow};
use serde_json::{Value, json};

use crate::cli::{Outcome, Output, Run, is_closed};
use crate::replay::{Divergence, Explained, Kind, Options, Report, Summary, verify};

/// How many diverging games, and how many faults, are printed without `--all`: they tend to have one
/// cause.
const PRINTED: u64 = 5;

/// Replay game logs through the simulator and compare every draw, event, score and board
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Replays game logs through the simulator and compares every random draw, event, score, \
                  piece of hidden state and board character with the recording.\n\n\
                  Prints each line that diverges, and at the end the line `verified: games=G skipped=S \
                  ticks=T divergences=D`. A game in which the original itself failed is skipped. A log that merely \
                  ends too early, as after a crash, is verified as far as it goes.\n\n\
                  A live client's log has no draws and no hidden state. Each of its boards counts as \
                  explained if some choice of what a client cannot know (rivals' commands, monsters' targets, \
                  places of new gold and heroes) makes it from the board before and the answer; as partly \
                  explained if that hangs on terrain nobody had seen; as missed if boards are missing before \
                  it; else it diverges. The last line then adds `explained=E missed=M`. In the dialects after \
                  classic more is unknown, and any step of a monster will do."
)]
pub(super) struct Verify {
    /// List every line that diverges and every fault, not only the first of each game and few games
    #[arg(long)]
    all: bool,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// Game logs (.jsonl, packed: .jsonl.zst, .jsonl.gz); - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What is printed at the end of `--json`.
#[derive(Default)]
struct Gathered {
    games: Vec<Value>,
    divergences: Vec<Value>,
    faults: Vec<String>,
}

impl Verify {
    pub(super) fn run(self) -> Run {
        let mut out = BufWriter::new(Output::lock());
        let mut printed = 0;
        let mut gathered = Gathered::default();
        // The last fault becomes the error that ends the program, so that one fault is one line.
        let (mut faults, mut fault) = (0, None::<Error>);
        let mut hold = |new: Error, gathered: &mut Gathered| {
            faults += 1;
            if self.all || faults <= PRINTED {
                if self.json {
                    gathered.faults.push(new.to_string());
                }
                if let Some(earlier) = fault.replace(new) {
                    log::error!("{earlier}");
                }
            }
        };
        let verified = verify(
            self.files,
            Options { all: self.all },
            |report| -> io::Result<()> {
                match report {
                    Report::Unreadable(error) if error.is_torn() => log::warn!("{error}"),
                    Report::Unreadable(error) => hold(error.into(), &mut gathered),
                    Report::Fault(error) => hold(Error::msg(error.to_string()), &mut gathered),
                    Report::Skipped { game, reason } => {
                        log::info!("skipped: game {game}: {reason}");
                    }
                    Report::Live { game, counts } if self.json => {
                        gathered.games.push(live_json(&game, counts));
                    }
                    Report::Live { game, counts } => log::info!(
                        "game {game}: explained {}, partly {}, missed {}, diverged {}",
                        counts.explained,
                        counts.partly,
                        counts.missed,
                        counts.diverged
                    ),
                    Report::Diverges(divergences) => {
                        let diverges = divergences.iter().any(|it| it.kind == Kind::Diverged);
                        printed += u64::from(diverges);
                        if self.json && (self.all || printed <= PRINTED) {
                            let values = divergences.iter().map(divergence_json);
                            gathered.divergences.extend(values);
                        } else if self.all || printed <= PRINTED {
                            match print_divergences(&mut out, &divergences) {
                                // Nobody reads, but the exit code is still to be found.
                                Err(error) if is_closed(&error) && printed == 0 => {}
                                written => written?,
                            }
                        }
                    }
                }
                Ok(())
            },
        );
        let summary = match verified {
            // Something diverges, and nobody wants to know what else does.
            Err(error) if is_closed(&error) => return fault.map_or(Ok(Outcome::Negative), Err),
            verified => verified?,
        };
        if !self.all && printed > PRINTED {
            log::info!(
                "{} more games diverge; --all prints them too",
                printed - PRINTED
            );
        }
        let last = if self.json {
            summary_json(&summary, &gathered).to_string()
        } else {
            summary.to_string()
        };
        match writeln!(out, "{last}").and_then(|()| out.flush()) {
            Err(error) if is_closed(&error) => {}
            written => written?,
        }
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

/// Those that a person wants to see.
fn print_divergences(out: &mut impl Write, divergences: &[Divergence]) -> io::Result<()> {
    for divergence in divergences {
        if divergence.kind != Kind::Explained {
            write!(out, "{divergence}")?;
        }
    }
    out.flush()
}

fn live_json(game: &str, counts: Explained) -> Value {
    json!({
        "game": game,
        "explained": counts.explained,
        "partly": counts.partly,
        "missed": counts.missed,
        "diverged": counts.diverged,
    })
}

fn divergence_json(divergence: &Divergence) -> Value {
    let differences = divergence.differences.iter().map(ToString::to_string);
    let boards = divergence.views.as_ref().map(|views| {
        json!({
            "player": views.player,
            "recorded": views.recorded,
            "replayed": views.replayed,
        })
    });
    json!({
        "place": divergence.place,
        "line": divergence.number,
        "game": divergence.game,
        "tick": divergence.tick,
        "kind": divergence.kind.name(),
        "reason": divergence.reason,
        "differences": differences.collect::<Vec<_>>(),
        "boards": boards,
    })
}

fn summary_json(summary: &Summary, gathered: &Gathered) -> Value {
    json!({
        "games": summary.games,
        "skipped": summary.skipped,
        "ticks": summary.ticks,
        "divergences": summary.divergences,
        "explained": summary.explained,
        "partly": summary.partly,
        "missed": summary.missed,
        "faults": summary.faults,
        "live_games": gathered.games,
        "findings": gathered.divergences,
        "fault_texts": gathered.faults,
    })
}
