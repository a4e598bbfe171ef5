//! `lodebot params list`: the bot's tunable numbers; and the two options by which every command that
//! runs the bot takes them.

use std::path::PathBuf;

use super::{Outcome, Run, print};
use crate::params::{Params, ParamsError, list_json, list_text};

/// `--params` and `--set`, to be flattened into the arguments of any command that runs the bot.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ParamsArgs {
    /// TOML file with parameters of the bot; what it does not name keeps its default
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// A parameter of the bot, over the file; `params list` names them
    #[arg(long = "set", value_name = "NAME=VALUE")]
    assignments: Vec<String>,
}

impl ParamsArgs {
    /// Defaults, then the file, then the assignments in order.
    ///
    /// # Errors
    /// What is wrong, in one line with file and line number or the assignment.
    pub fn resolve(&self) -> Result<Params, ParamsError> {
        Params::resolve(self.params.as_deref(), &self.assignments)
    }
}

/// Show the bot's parameters
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    List(ListArgs),
}

/// Print every parameter with value, range, unit and meaning
#[derive(clap::Args, Debug)]
#[command(after_help = "A file for --params: `lodebot params list --toml > bot.toml`.")]
struct ListArgs {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
    /// Print a file that --params reads
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let Command::List(list) = self.command;
        let params = list.params.resolve()?;
        let text = if list.json {
            format!("{:#}\n", list_json(&params))
        } else if list.toml {
            params.to_toml()
        } else {
            list_text(&params)
        };
        print(&text)?;
        Ok(Outcome::Good)
    }
}
