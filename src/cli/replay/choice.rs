//! The options by which the commands that look at single games take file, game and player.

use std::path::PathBuf;

use crate::record::Game;
use crate::replay::{Seat, pick};

/// A game log, one of its games, and whose eyes it is looked at through.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct Choice {
    /// Game log (.jsonl, packed: .jsonl.zst, .jsonl.gz); - is standard input
    #[arg(value_name = "LOG")]
    pub(super) file: PathBuf,
    /// Id of the game, or its number from 1 (default: the first)
    #[arg(long, value_name = "ID")]
    pub(super) game: Option<String>,
    /// Number of the player, from 0
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(super) player: usize,
}

impl Choice {
    /// The game that is asked for.
    pub(super) fn game(&self) -> anyhow::Result<Game> {
        let game = pick(&self.file, self.game.as_deref())?;
        if let Some(fault) = &game.fault {
            log::warn!("{fault}");
        }
        Ok(game)
    }

    /// The game through the player's eyes.
    pub(super) fn seat(&self) -> anyhow::Result<Seat> {
        Ok(Seat::of(&self.game()?, self.player)?)
    }
}
