//! What can go wrong with a game log, each with its place and with what to do about it.

use std::fmt;
use std::io;

/// A fault of a game log that was read: `file:line: what; what to do`.
#[derive(Debug)]
pub struct ReadError {
    /// The file as the caller named it, or `standard input`.
    pub place: String,
    /// Number of the line, from 1; 0 if the fault is the whole file's.
    pub line: u64,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// The kinds of fault of a game log.
#[derive(Debug, thiserror::Error)]
pub enum ReadErrorKind {
    /// The file cannot be opened: check the name and the permissions.
    #[error("cannot be opened: {0}")]
    Open(#[source] io::Error),
    /// The name is a directory's: name the files in it.
    #[error("is a directory; name the game logs in it (for instance DIR/*.jsonl.zst)")]
    Directory,
    /// The program was built without the decompressors: decompress the file first.
    #[error("is compressed, and this build reads no compressed files; decompress it first")]
    Unsupported,
    /// The name says compressed (`.zst`, `.gz`) and the content is not.
    #[error("is not {0}-compressed although its name says so; rename it")]
    NotCompressed(&'static str),
    /// The content is compressed and the name does not say so.
    #[error("is {0}-compressed; its name must end in {1}")]
    Misnamed(&'static str, &'static str),
    /// Reading failed in the middle.
    #[error("cannot be read further: {0}; what stands before it was read")]
    Read(#[source] io::Error),
    /// The compressed data end too early: a crash, or an unfinished copy.
    #[error("the compressed data are broken off here; what stands before it was read")]
    BrokenStream,
    /// The compressed data are damaged.
    #[error("the compressed data are damaged here ({0}); get a fresh copy of the file")]
    DamagedStream(#[source] io::Error),
    /// A line without an end: this is no game log, or two files have run together.
    #[error("the line is longer than {0} bytes; this is no game log")]
    TooLong(usize),
    /// The bytes are not UTF-8.
    #[error("not UTF-8 text (byte {0} of the line); convert the file")]
    NotText(usize),
    /// The line ends in the middle of its JSON, as after a crash or an unfinished copy.
    #[error("the line is broken off; the game's earlier lines are kept")]
    Torn,
    /// Not JSON, or not of the shape of a header or tick line.
    #[error("{what}: {fault}; the rest of this game is left out")]
    Malformed {
        /// What the line should have been.
        what: &'static str,
        /// What is wrong with it.
        fault: String,
    },
    /// A tick line that belongs to no game.
    #[error("a tick line before any header line; the file must begin with {{\"k\":\"game\",..}}")]
    NoHeader,
    /// The game goes on after a line that is broken off.
    #[error("the game goes on after a broken line; its rest is left out")]
    AfterTorn,
    /// A game longer than what is held in memory at once.
    #[error("the game is longer than {0} bytes; split the file")]
    GameTooLong(usize),
    /// An import: nothing shows what it is.
    #[error(
        "is of no known format; name it (boards, console, runner, table or rest) if you know it"
    )]
    UnknownFormat,
    /// An import: two bytes a character, as some shells redirect output.
    #[error("is UTF-16 text; convert it to UTF-8 first")]
    Utf16,
    /// An import: there is nothing to do.
    #[error("is a game log already; use it as it is")]
    OwnLog,
    /// An import: the file holds nothing of the format.
    #[error("holds no board of this format ({0})")]
    NoBoard(&'static str),
    /// An import: what the file was taken for, and what contradicts it.
    #[error("{0}: {1}")]
    Foreign(&'static str, String),
    /// An import of a table by a program without SQLite.
    #[error("is an SQLite file, and this build reads none; build with --features sqlite")]
    NoSqlite,
    /// Nothing in it.
    #[error("holds no game; a game log begins with a line {{\"k\":\"game\",\"v\":1,..}}")]
    Empty,
}

impl ReadErrorKind {
    /// What an error in the middle of reading means.
    pub(super) fn of_read(error: io::Error) -> ReadErrorKind {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadErrorKind::BrokenStream,
            // What the decompressors report of a bad stream.
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
                ReadErrorKind::DamagedStream(error)
            }
            _ => ReadErrorKind::Read(error),
        }
    }
}

impl ReadError {
    /// Whether the log merely ends in the middle of a line, as it does after a crash: all that was read
    /// before is good. A packed file that is cut off is bad input: it may be half of anything.
    pub fn is_torn(&self) -> bool {
        matches!(self.kind, ReadErrorKind::Torn)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(formatter, "{}: {}", self.place, self.kind)
        } else {
            write!(formatter, "{}:{}: {}", self.place, self.line, self.kind)
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(&self.kind)
    }
}

/// A game log that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct WriteError {
    /// The file as the caller named it.
    pub place: String,
    /// What is wrong, and what to do.
    pub fault: String,
    /// The system's reason, if it has one.
    #[source]
    pub source: Option<io::Error>,
}
