//! `lodebot completions SHELL`: the completion script of a shell, made from the command tree.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome, Run, print};

/// Print the completion script for a shell
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell to write for
    shell: Shell,
}

impl Args {
    pub(super) fn run(self) -> Run {
        // Into memory first: the generator panics if its writer fails, and a closed pipe is no error.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lodebot", &mut script);
        print(&String::from_utf8_lossy(&script))?;
        Ok(Outcome::Good)
    }
}
