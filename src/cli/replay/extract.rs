//! `lodebot replay extract`: a tick of a recorded game becomes a decision test.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use super::choice::Choice;
use crate::bot::Answer;
use crate::cli::params::ParamsArgs;
use crate::cli::{Outcome, Run, print};
use crate::record::set_aside;
use crate::replay::{Extract as Wish, extract};

/// Turn a tick of a recorded game into a fixed board for check
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Turns a tick of a recorded game into a fixed board for `lodebot check`: one readable text file \
                  with the board, what the tracker knew then (ages of holes, beliefs, the gold series), the \
                  rules, the accepted answers, and the value of every action with the parameters' hash.\n\n\
                  Without --accept the bot's present answer is the accepted one; say in the file why."
)]
pub(super) struct Extract {
    #[command(flatten)]
    choice: Choice,
    /// The tick
    #[arg(long, value_name = "N")]
    tick: u64,
    /// Answers that pass, with commas between: left, right, up, down, dig-left, dig-right, shoot-left, shoot-right,
    /// open-left, open-right, stay, suicide
    #[arg(long, value_name = "A,..", value_delimiter = ',')]
    accept: Vec<Answer>,
    /// Why these answers and no others, in words
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// The file to write (*.board); without it standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Extract {
    pub(super) fn run(self) -> Run {
        let params = self.params.resolve()?;
        let seat = self.choice.seat()?;
        let reason = self.reason.as_deref().unwrap_or_default();
        let wish = Wish {
            tick: self.tick,
            accept: self.accept,
            reason: reason.lines().map(str::to_owned).collect(),
        };
        let text = extract(&seat, params, &wish)?.to_text();
        match self.output.filter(|path| path.as_os_str() != "-") {
            Some(path) => {
                // It may be the log itself, or a board with reasons that somebody wrote by hand.
                set_aside(&path)
                    .and_then(|_| fs::write(&path, text))
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            None => print(&text)?,
        }
        Ok(Outcome::Good)
    }
}
