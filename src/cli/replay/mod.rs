//! `lodebot replay`: recorded games from the command line, one file a command. What the commands do
//! stands in `crate::replay` and `crate::record`.

mod analyse;
mod choice;
mod decide;
mod extract;
mod fork;
mod import;
mod show;
mod verify;

use super::Run;

/// Work with recorded games
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What to do with the recorded games.
#[derive(clap::Subcommand, Debug)]
enum Command {
    Verify(verify::Verify),
    Decide(decide::Decide),
    Analyse(analyse::Analyse),
    Show(show::Show),
    Extract(extract::Extract),
    Fork(fork::Fork),
    Import(import::Import),
}

impl Args {
    pub(super) fn run(self) -> Run {
        match self.command {
            Command::Verify(verify) => verify.run(),
            Command::Decide(decide) => decide.run(),
            Command::Analyse(analyse) => analyse.run(),
            Command::Show(show) => show.run(),
            Command::Extract(extract) => extract.run(),
            Command::Fork(fork) => fork.run(),
            Command::Import(import) => import.run(),
        }
    }
}
