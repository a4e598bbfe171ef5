//! `lodebot perft LEVEL DEPTH`: counts the states that one hero can reach, by walks that must agree.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;

use super::{Outcome, Run, conclude};
use crate::board::{Board, Cell};
use crate::levels;
use crate::sim::{Level, Rules, State, Walk, perft};

/// Count the states reachable in DEPTH ticks of one hero
///
/// Prints a line `depth N NODES` for each depth. The count is made with a table over the incremental hash and
/// by plain make and undo; if they differ, both are printed and the exit code is 1.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A shipped level or a file; the hero starts where the file has an own hero, else on the first floor cell
    level: String,
    /// Ticks to look ahead; 23 could overflow the count
    #[arg(value_parser = clap::value_parser!(u32).range(1..=22))]
    depth: u32,
    /// The dialect
    #[arg(long, default_value = "classic")]
    rules: String,
    /// Only the walk with the table: much deeper in the same time
    #[arg(long)]
    fast: bool,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let rules = Rules::named(&self.rules)?;
        let board = levels::load_board(&self.level, &rules)?;
        let level = Level::from_board(&board)?;
        let mut state = State::new(level, Arc::new(rules));
        let start = board
            .me()
            .or_else(|| first_floor(&board, &state))
            .with_context(|| {
                format!(
                    "level {:?} has no empty cell with a floor for a hero",
                    self.level
                )
            })?;
        state.join_at(start);

        let mut agree = true;
        for depth in 1..=self.depth {
            let clock = Instant::now();
            let nodes = perft(&mut state, depth, Walk::Table);
            let seconds = clock.elapsed().as_secs_f64();
            log::debug!("depth {depth}: {seconds:.3} s with the table");
            let mut line = format!("depth {depth} {nodes}");
            if !self.fast {
                let plain = perft(&mut state, depth, Walk::Undo);
                if plain != nodes {
                    agree = false;
                    write!(line, " by the table, {plain} by make and undo")?;
                }
            }
            conclude(&format!("{line}\n"))?;
        }
        Ok(Outcome::of(agree))
    }
}

/// The first cell in reading order where a new hero would stand and not fall.
fn first_floor(board: &Board, state: &State) -> Option<Cell> {
    board
        .size()
        .cells()
        .find(|&cell| state.tile(cell).is_free() && !state.unsupported(cell))
}
