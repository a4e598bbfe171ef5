//! The game log, version 1: the one format for everything that is recorded and replayed.
//!
//! A log is UTF-8 text with one JSON object a line: a [`Header`] opens a game, [`TickLine`]s follow,
//! and any number of games stand one after the other. A file name ending in `.zst` or `.gz` is
//! compressed. The recordings of the original engines, the embedded server's and the arena's
//! `--record`, and the live client's own log are all this format; the live log has less in it and a
//! few timings more.
//!
//! [`Reader`] is the only parser and [`Writer`] the only writer; `import` reads what other programs
//! recorded. This module knows the shape of the lines and nothing of the game's rules: whether a recording
//! is *right* is the business of [`crate::replay`].

mod error;
mod file;
mod format;
mod hidden;
#[cfg(feature = "tools")]
mod import;
mod reader;
mod writer;

pub use crate::rng::Draw;
pub use error::{ReadError, ReadErrorKind, WriteError};
pub use file::set_aside;
pub use format::{Header, TickLine, VERSION};
pub use hidden::{
    ClassicBrick, ClassicHero, ClassicMonster, ClassicState, HiddenState, ModernHero,
    ModernMonster, ModernState,
};
#[cfg(feature = "tools")]
pub use import::{
    BROWSER_LETTERS, Format, ImportError, ImportOptions, Imported, Note, UnknownFormat, import,
    import_from,
};
pub use reader::{Entry, Game, Games, LINE_LIMIT, Line, Reader};
pub use writer::Writer;
