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
use crate::cli::{Outcome, Run, print, spare_input};
use crate::replay::{Analyst, Position, analysis_page, analysis_text};

/// Find out how much every answer of a recorded game lost
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Searches every board of a recorded game deeper than play does, and compares the best answer \
                  with the one that was given. Tells the total loss, the ten worst ticks, for each death the \
                  last tick on which it could be avoided and how, gold near us that rivals took, and ticks \
                  without gold.\n\n\
                  What is done is kept beside the log in LOG.KEY.analysis.jsonl, with another KEY for other settings, \
                  until the analysis is over: after Ctrl-C (exit code 75) or a crash the same command goes on from \
                  there."
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
        params
            .assign(&format!("depth={}", self.depth))
            .context("--depth")?;
        if let Some(nodes) = self.nodes {
            params
                .assign(&format!("node_budget={nodes}"))
                .context("--nodes")?;
        }
        let seat = self.choice.seat()?;
        let analyst = Analyst {
            seat: &seat,
            params: &params,
        };
        if let Some(path) = &self.html {
            spare_input(&self.choice.file, path)?;
        }
        let mut partial = Partial::of(&self.choice.file, &analyst.key());
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
        let mut kept = Ok(());
        let positions = analyst.positions(done, &stop, |positions| {
            bar.set_position(positions.len() as u64);
            // A log in a folder where nothing can be kept is analysed all the same.
            if kept.is_ok() {
                kept = partial.keep(positions);
            }
        });
        bar.finish_and_clear();
        if positions.len() < seat.turns.len() {
            kept?;
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
            fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
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
    /// Open for more once this run has kept anything.
    file: Option<fs::File>,
    /// Positions in `file`.
    kept: usize,
}

impl Partial {
    /// The key is part of the name, so that no analysis takes the place of another one's work.
    fn of(log: &Path, key: &str) -> Partial {
        let mut name = log.as_os_str().to_owned();
        name.push(format!(".{key}.analysis.jsonl"));
        Partial {
            path: (log.as_os_str() != "-").then(|| PathBuf::from(name)),
            key: key.to_owned(),
            file: None,
            kept: 0,
        }
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

    /// Keeps those of the positions that are not kept yet.
    fn keep(&mut self, positions: &[Position]) -> anyhow::Result<()> {
        let Some(path) = self.path.clone() else {
            return Ok(());
        };
        self.write(&path, positions)
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn write(&mut self, path: &Path, positions: &[Position]) -> io::Result<()> {
        let mut text = String::new();
        for position in &positions[self.kept..] {
            text.push_str(&serde_json::to_string(position)?);
            text.push('\n');
        }
        if let Some(file) = &mut self.file {
            file.write_all(text.as_bytes())?;
        } else {
            // An earlier run's file may end in half a line. It stays until a whole one takes its place.
            let draft = path.with_extension("draft");
            let header = json!({"analysis": 1, "key": self.key});
            fs::write(&draft, format!("{header}\n{text}"))?;
            fs::rename(&draft, path)?;
            self.file = Some(fs::OpenOptions::new().append(true).open(path)?);
        }
        self.kept = positions.len();
        Ok(())
    }

    /// Takes the file away: the analysis is over.
    fn remove(&self) {
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}
