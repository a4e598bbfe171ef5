//! `lodebot check`: decision regressions: fixed boards with the answers that a strong player would accept.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::params::ParamsArgs;
use super::{Outcome, Run, conclude};
use crate::bot::Answer;
use crate::bot::fixture::{Fixture, Reply};

/// Check the bot's decisions on fixed boards against the accepted ones
#[derive(clap::Args, Debug)]
#[command(
    after_help = "A fixture (*.board) is a text file: # the reason in words, `accept: right, dig-right`, `board:` \
                  and the rows.\nSee tests/decisions for examples; `decide FILE --explain` shows one in detail."
)]
pub struct Args {
    /// Fixtures, and folders in which all *.board files count
    #[arg(default_value = "tests/decisions", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Rewrite the stored values of every fixture; accepted answers are never changed
    #[arg(long)]
    update: bool,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let params = self.params.resolve()?;
        let files = files(&self.paths)?;
        let mut fixtures = Vec::new();
        for path in files {
            let name = path.display().to_string();
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
            let fixture = Fixture::parse(&text).with_context(|| name.clone())?;
            fixtures.push((path, name, text, fixture));
        }
        let (mut failed, mut changed, mut bare) = (0, 0, 0);
        for (path, name, text, fixture) in &fixtures {
            let reply = fixture.ask(params).with_context(|| name.clone())?;
            if !reply.accepted {
                failed += 1;
                conclude(&failure(name, fixture, &reply))?;
            }
            let stored = fixture.stored.as_ref();
            match stored {
                None => bare += 1,
                Some(stored) => changed += usize::from(!stored.changes(&reply.values).is_empty()),
            }
            if self.update && stored != Some(&reply.values) {
                fs::write(path, Fixture::with_stored(text, &reply.values))
                    .with_context(|| format!("cannot write {name}"))?;
            }
        }
        let (told, advice) = if self.update {
            ("had no stored values", "; stored values rewritten")
        } else {
            (
                "have no stored values",
                "; --update rewrites the stored values",
            )
        };
        for (number, what) in [(changed, "are valued otherwise than stored"), (bare, told)] {
            if number > 0 {
                log::info!("{number} of {} boards {what}{advice}", fixtures.len());
            }
        }
        conclude(&format!(
            "checked: boards={} failed={failed}\n",
            fixtures.len()
        ))?;
        Ok(Outcome::of(failed == 0))
    }
}

/// The fixtures that the paths name, in order, each once.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        collect(path, &mut files)?;
        if files.len() == before {
            bail!("{}: no *.board file in this folder", path.display());
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let fail = || format!("cannot read {}", path.display());
    for entry in fs::read_dir(path).with_context(fail)? {
        let entry = entry.with_context(fail)?;
        let inner = entry.path();
        // Links are not followed: one that leads upward would never end.
        let kind = entry.file_type().with_context(fail)?;
        if kind.is_dir() {
            collect(&inner, files)?;
        } else if inner.extension().is_some_and(|name| name == "board") {
            files.push(inner);
        }
    }
    Ok(())
}

/// All that is needed to judge a failure without running anything.
fn failure(name: &str, fixture: &Fixture, reply: &Reply) -> String {
    let mut text = format!("FAILED {name}\n");
    for line in &fixture.reason {
        let _ = writeln!(text, "  {line}");
    }
    text.push_str(&reply.board.rows(fixture.rules.alphabet));
    let _ = writeln!(text, "in ASCII:\n{}", reply.board.picture());
    let accepted: Vec<&str> = fixture.accept.iter().copied().map(Answer::name).collect();
    let decision = &reply.explanation.decision;
    let _ = writeln!(
        text,
        "accepted: {}\ndecided:  {}",
        accepted.join(", "),
        decision.answer.name()
    );
    text.push_str(&reply.explanation.table());
    for reason in &decision.reasons {
        let _ = writeln!(text, "reason: {reason}");
    }
    match &fixture.stored {
        None => text.push_str("no values are stored\n"),
        Some(stored) => {
            let changes = stored.changes(&reply.values);
            if changes.is_empty() {
                text.push_str("nothing changed since the stored values\n");
            }
            for change in changes {
                let _ = writeln!(text, "changed: {change}");
            }
        }
    }
    text.push('\n');
    text
}
