//! `lodebot replay analyse`: how much every answer of a recorded game lost.

use std::fs;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::choice::Choice;
use crate::cli::interrupt::stop_flag;
use crate::cli::params::ParamsArgs;
use crate::cli::{Outcome, Run, print};
use crate::replay::{Analyst, Position, analysis_page, analysis_text};

/// Find out how much every answer of a recorded game lost
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Searches every board of a recorded game deeper than play does, and compares the best answer \
                  with the one that was given. Tells the total loss, the ten worst ticks, for each death the \
                  last tick on which it could be avoided and how, gold near us that rivals took, and ticks \
                  without gold.\n\n\
                  Ctrl-C stops it (exit code 75) and leaves LOG.analysis.jsonl; the same command then goes on \
                  from there."
)]
pub(super) struct Analyse {
    #[command(flatten)]
    choice: Choice,
    /// Actions to look ahead
    #[arg(long, default_value_t = 10, value_name = "D")]
    depth: u32,
    /// Positions a search may value before it looks less far ahead
    #[arg(long, value_name = "N")]
    nodes: Option<u32>,
    /// Write the report as a self-contained HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON object with every position instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Analyse {
    pub(super) fn run(self) -> Run {
        let mut params = self.params.resolve()?;
        params.assign(&format!("depth={}", self.depth))?;
        if let Some(nodes) = self.nodes {
            params.assign(&format!("node_budget={nodes}"))?;
        }
        let seat = self.choice.seat()?;
        let analyst = Analyst {
            seat: &seat,
            params: &params,
        };
        let partial = Partial::of(&self.choice.file, analyst.key());
        let done = partial.load();
        if !done.is_empty() {
            log::info!("going on after {} boards of an earlier run", done.len());
        }
        let bar = ProgressBar::new(seat.turns.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} boards, {eta} left") {
            bar.set_style(style);
        }
        bar.set_position(done.len() as u64);
        let stop = stop_flag()?;
        let positions = analyst.positions(done, &stop, |count| bar.set_position(count as u64));
        bar.finish_and_clear();
        if positions.len() < seat.turns.len() {
            partial.save(&positions)?;
            log::warn!(
                "stopped after {} of {} boards; the same command goes on from there",
                positions.len(),
                seat.turns.len()
            );
            return Ok(Outcome::StoppedEarly);
        }
        let analysis = analyst.conclude(positions);
        if let Some(path) = &self.html {
            let page = analysis_page(&analysis, &seat);
            if let Err(error) = fs::write(path, page) {
                // The work is kept for the next try.
                partial.save(&analysis.positions)?;
                return Err(error).with_context(|| format!("cannot write {}", path.display()));
            }
        }
        if self.json {
            print(&(serde_json::to_string(&analysis)? + "\n"))?;
        } else {
            print(&analysis_text(&analysis))?;
        }
        partial.remove();
        Ok(Outcome::Good)
    }
}

/// What an interrupted analysis leaves: a line with its key, then one a position.
struct Partial {
    /// None for standard input, which cannot be read again.
    path: Option<PathBuf>,
    key: String,
}

impl Partial {
    fn of(log: &Path, key: String) -> Partial {
        let mut name = log.as_os_str().to_owned();
        name.push(".analysis.jsonl");
        let path = (log.as_os_str() != "-").then(|| PathBuf::from(name));
        Partial { path, key }
    }

    /// The positions left by a run of the same analysis; none if there is no such file.
    fn load(&self) -> Vec<Position> {
        let Some(file) = self
            .path
            .as_ref()
            .and_then(|path| fs::File::open(path).ok())
        else {
            return Vec::new();
        };
        let mut lines = BufReader::new(file).lines().map_while(Result::ok);
        let first: Option<Value> = lines
            .next()
            .and_then(|line| serde_json::from_str(&line).ok());
        if first.is_none_or(|first| first["key"] != json!(self.key)) {
            return Vec::new();
        }
        lines
            .map_while(|line| serde_json::from_str(&line).ok())
            .collect()
    }

    fn save(&self, positions: &[Position]) -> anyhow::Result<()> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let write = || -> io::Result<()> {
            let mut file = io::BufWriter::new(fs::File::create(path)?);
            writeln!(file, "{}", json!({"analysis": 1, "key": self.key}))?;
            for position in positions {
                writeln!(file, "{}", serde_json::to_string(position)?)?;
            }
            file.flush()
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Takes the file away if it is this analysis's.
    fn remove(&self) {
        if !self.load().is_empty()
            && let Some(path) = &self.path
        {
            let _ = fs::remove_file(path);
        }
    }
}
