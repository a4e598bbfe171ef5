//! `lodebot level ..`: the shipped levels, and new ones from the generator.

use clap::Subcommand;

use super::{Outcome, Run, print};
use crate::board::Alphabet;
use crate::levels::{self, Plan};

/// List, show and generate levels
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Generate(Generate),
}

/// Print a new level made from a seed
#[derive(clap::Args, Debug)]
struct Generate {
    /// Cells along one edge, 8 to 128
    #[arg(long, default_value_t = 30)]
    size: usize,
    /// Pieces of gold
    #[arg(long, default_value_t = 30)]
    gold: usize,
    /// Monsters
    #[arg(long, default_value_t = 3)]
    monsters: usize,
    /// The same numbers and seed give the same level
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    pub(super) fn run(self) -> Run {
        match self.action {
            Action::Generate(args) => args.run(),
        }
    }
}

impl Generate {
    fn run(self) -> Run {
        let plan = Plan {
            edge: self.size,
            gold: self.gold,
            monsters: self.monsters,
            seed: self.seed,
        };
        let board = levels::generate(&plan)?;
        print(&board.rows(Alphabet::Classic))?;
        Ok(Outcome::Good)
    }
}
