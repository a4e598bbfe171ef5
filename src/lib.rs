//! `lodebot` plays Lode Runner on Codenjoy servers: a bot, an exact simulator of the server's rules,
//! and the tools around them (server, arena, replays, tuning, levels).
//!
//! This page is the tour. The way of the data:
//!
//! ```text
//!     frame text -> board::parse -> Board -> track::Tracker -> sim::State + beliefs
//!                                                  |                |
//!       answer <- bot <- watchdog <- tactics (make / tick / undo on State; value map, reach map)
//!                                       ^ strategy (value map) <- fields (distances to gold)
//! ```
//!
//! One simulator serves the search, the embedded server, the arena, replays and tuning; there is no
//! second copy of a rule.
//!
//! Comments name sections of the documents in `docs/`: RULES section 8 is section 8 of `docs/rules.md`, and so for
//! `dialects.md`, `protocol.md`, `gamelog.md` and `algorithm.md`.
//!
//! # Modules, bottom to top
//!
//! A module uses only what stands above it in this list (`tests/layering.rs` checks that):
//!
//! - [`board`]: what a server prints: cells, elements, glyph tables, boards and their text.
//! - [`rng`]: every random draw of a game behind one trait, so that a game can be repeated.
//! - [`params`]: every tunable number in one table; from it defaults, files, `--set` and the listing.
//! - [`stats`]: means with intervals, Elo, sequential tests, bootstrap, latency histograms.
//! - [`sim`]: the rules, a level, a state, and one tick of it.
//! - [`dialect`]: which rules a server plays by, found out from its boards.
//! - [`fields`]: the hero's move graph and his distances to each target.
//! - [`levels`]: the shipped levels, the generator of new ones, the import of foreign ones.
//! - [`reach`]: how soon monsters may stand on a cell.
//! - [`track`]: what the bot knows beyond one frame: holes' ages, targets, loads, who is who.
//! - [`strategy`]: which gold to want: value maps over cells, by the nearest gold, all of it, or chains.
//! - [`tactics`]: search engines over a state: the exact one with its bounds, the beam, chokudai, survival, crashes.
//! - [`watchdog`]: what to do when values mislead: stall, oscillation, local maximum, no income.
//! - [`bot`]: who decides what a hero does, and why; what others may do to him; decision tests; simple bots.
//! - [`drawing`]: boards as SVG, with a value map and a line of moves.
//! - [`record`]: the game log: the one format of everything recorded, its reader and its writer.
//! - [`net`]: a board page's address, the player's socket, its frames.
//! - [`client`]: live play: one answer a board, whatever server and decision do.
//! - `server`: an embedded server that speaks the Codenjoy player protocol, with a viewer (feature `tools`).
//! - `replay`: recorded games verified, analysed, decided anew, forked, shown, cut into tests (feature `tools`).
//! - `arena`: matches in the simulator, with statistics (feature `tools`).
//! - `tune`: parameters fitted on the arena's games, and judged on fresh ones (feature `tools`).
//! - `bench`: times of the hot paths and the signature of what is computed (feature `tools`).
//! - [`cli`]: the subcommands, one file each.
//!
//! # Words
//!
//! - **tick**: one step of the server. **board**: what the server prints in a tick. **frame**: a board as
//!   it came over the wire.
//! - **hero**: our figure; **rival**: another player's; **monster**: a robot of the level.
//! - **hole**: a brick that was dug and has not closed yet.
//! - **series**: golds that a hero takes in a row, each paying more than the one before, until he dies.
//! - **level**: the static terrain a game starts from. **rules**: one dialect of the game.

#[cfg(feature = "tools")]
pub mod arena;
#[cfg(feature = "tools")]
pub mod bench;
pub mod board;
pub mod bot;
pub mod cli;
pub mod client;
pub mod dialect;
pub mod drawing;
pub mod fields;
pub mod levels;
pub mod net;
pub mod params;
pub mod reach;
pub mod record;
#[cfg(feature = "tools")]
pub mod replay;
pub mod rng;
#[cfg(feature = "tools")]
pub mod server;
pub mod sim;
pub mod stats;
pub mod strategy;
pub mod tactics;
pub mod track;
#[cfg(feature = "tools")]
pub mod tune;
pub mod watchdog;
