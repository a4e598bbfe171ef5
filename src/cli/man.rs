//! `lodebot man [COMMAND..]`: the manual page of the program or of one subcommand, made from the command tree.

use anyhow::bail;
use clap::CommandFactory;

use super::{Cli, Outcome, Run, print};

/// Print the manual page (roff) of lodebot or of one of its commands
#[derive(clap::Args, Debug)]
#[command(after_help = "Read it with `lodebot man | man -l -`.")]
pub struct Args {
    /// The words of a command, as in `lodebot man level show`
    command: Vec<String>,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let mut command = Cli::command();
        command.build();
        let mut name = "lodebot".to_owned();
        for word in &self.command {
            let Some(found) = command.find_subcommand(word) else {
                bail!("`{name}` has no command `{word}`; `{name} --help` lists them");
            };
            name = format!("{name} {word}");
            command = found.clone();
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .source(concat!("lodebot ", env!("CARGO_PKG_VERSION")))
            .render(&mut page)?;
        print(&String::from_utf8_lossy(&page))?;
        Ok(Outcome::Good)
    }
}
