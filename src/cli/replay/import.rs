//! `lodebot replay import`: recordings of other programs become game logs. The formats stand in
//! `crate::record`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::cli::{Outcome, Run, spare_input};
use crate::record::{Format, ImportOptions, UnknownFormat, Writer, import};
use crate::sim::Rules;

/// How many notes are printed; the rest is counted.
const PRINTED: u64 = 20;

/// Turn a recording of another program into a game log
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Turns a recording of another program into a game log: one game a player, with the \
                  answers as far as the recording tells them.\n\n\
                  Formats:\n\
                  boards   lines with board= and any prefix, and answers between them\n\
                  console  a client's console: blocks of n rows, and answers between them\n\
                  runner   the console of the engine's local runner (every line opens with a player's number)\n\
                  table    the server's recording table player_boards in an SQLite file\n\
                  rest     the server's list of boards over HTTP, JSON in the browser's letters\n\
                  auto     finds the format out from the content\n\n\
                  Torn lines, missing ticks, changes of size or dialect are told with their line numbers, and \
                  the rest is kept."
)]
pub(super) struct Import {
    /// boards, console, runner, table, rest or auto
    #[arg(value_name = "FORMAT", value_parser = parse_format)]
    format: Chosen,
    /// The recording; - is standard input; names ending in .zst or .gz are unpacked
    file: PathBuf,
    /// The game log to write (.jsonl, packed: .jsonl.zst, .jsonl.gz); without it standard output
    #[arg(short, long, value_name = "LOG")]
    output: Option<PathBuf>,
    /// The dialect to name in the log instead of what the glyphs tell
    #[arg(long)]
    rules: Option<String>,
    /// A file with the answers, one a line, when they do not stand between the boards
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Format rest: a file with the glyphs in the order of the server's elements; needed there
    #[arg(long, value_name = "FILE")]
    elements: Option<PathBuf>,
}

/// What stands for the format on the command line; `None` finds it out.
#[derive(Debug, Clone, Copy)]
struct Chosen(Option<Format>);

fn parse_format(name: &str) -> Result<Chosen, UnknownFormat> {
    if name == "auto" {
        return Ok(Chosen(None));
    }
    name.parse().map(|format| Chosen(Some(format)))
}

impl Import {
    pub(super) fn run(self) -> Run {
        let text = |path: Option<PathBuf>| -> anyhow::Result<Option<String>> {
            let read = |path: PathBuf| {
                fs::read_to_string(&path).with_context(|| path.display().to_string())
            };
            path.map(read).transpose()
        };
        let options = ImportOptions {
            format: self.format.0,
            rules: self.rules,
            answers: text(self.answers)?,
            elements: text(self.elements)?,
        };
        if let Some(name) = &options.rules {
            Rules::named(name)?;
        }
        let output = self.output.filter(|path| path.as_os_str() != "-");
        let draft = output.as_deref().map(|path| Draft::new(path, &self.file));
        let draft = draft.transpose()?;
        let mut writer = match &draft {
            Some(draft) => Writer::create(&draft.path)?,
            None => Writer::new("standard output", io::stdout()),
        };
        let mut told = 0;
        let imported = import(&self.file, &options, &mut writer, &mut |note| {
            told += 1;
            if told <= PRINTED {
                log::warn!("{note}");
            }
        })?;
        writer.finish()?;
        if let Some(draft) = draft {
            draft.keep()?;
        }
        if told > PRINTED {
            log::warn!("{} more notes", told - PRINTED);
        }
        log::info!("{imported}");
        match imported.broken {
            Some(fault) => Err(anyhow!(fault)),
            None => Ok(Outcome::Good),
        }
    }
}

/// A log that takes its name when it is finished: until then whatever has that name stays, and a failed import leaves
/// nothing behind.
struct Draft {
    path: PathBuf,
    target: PathBuf,
    /// Nothing is to be taken away.
    kept: bool,
}

impl Draft {
    fn new(target: &Path, source: &Path) -> anyhow::Result<Draft> {
        spare_input(source, target)?;
        // Devices and pipes are written to as they are.
        let device = fs::metadata(target).is_ok_and(|data| !data.is_file());
        let path = match target.file_name().filter(|_| !device) {
            Some(name) => target.with_file_name(format!(".draft-{}", name.to_string_lossy())),
            None => target.to_owned(),
        };
        Ok(Draft {
            path,
            target: target.to_owned(),
            kept: device,
        })
    }

    fn keep(mut self) -> anyhow::Result<()> {
        if self.path != self.target {
            // Through a link the file behind it is meant.
            let target = fs::canonicalize(&self.target);
            let target = target.unwrap_or_else(|_| self.target.clone());
            fs::rename(&self.path, target)
                .with_context(|| format!("cannot write {}", self.target.display()))?;
        }
        self.kept = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // It is not there if it could not be made.
            let _ = fs::remove_file(&self.path);
        }
    }
}
