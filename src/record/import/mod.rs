//! Importing recordings of other programs into the game log: consoles of existing clients, raw frames,
//! the servers' recording table and its list over HTTP (PROTOCOL section 8, recorded games).
//!
//! Each format has one file here that finds boards and answers in it; [`assembly`] makes games of them.
//! What a client's log lacks (draws, events, hidden state) is not invented: an imported game is like a
//! live client's log, and an answer that the source does not tell is absent. Memory is bounded for any
//! input.

mod assembly;
mod boards;
mod browser;
mod console;
mod detect;
mod lines;
mod moment;
mod rest;
mod table;
mod terrain;

use std::fmt;
use std::io::BufRead;
use std::path::Path;
use std::str::FromStr;

use super::error::{ReadError, ReadErrorKind, WriteError};
use super::file::{self, Source};
use super::writer::Writer;
use assembly::Assembly;
pub use browser::BROWSER_LETTERS;

/// A format of recordings that is not our own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Raw frames: a line with `board=` and any prefix.
    Boards,
    /// A client's console: blocks of rows, and its answers.
    Console,
    /// The console of the engine's own local runner: every line opens with the player's number.
    Runner,
    /// The servers' recording table `player_boards` in an SQLite file.
    Table,
    /// The servers' list over HTTP: JSON with boards in the browser's letters.
    Rest,
}

impl Format {
    /// All formats, in the order of the help text.
    pub const ALL: [Format; 5] = [
        Format::Boards,
        Format::Console,
        Format::Runner,
        Format::Table,
        Format::Rest,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Boards => "boards",
            Format::Console => "console",
            Format::Runner => "runner",
            Format::Table => "table",
            Format::Rest => "rest",
        }
    }

    /// What it is, in a few words.
    pub const fn description(self) -> &'static str {
        match self {
            Format::Boards => "lines with board= and any prefix",
            Format::Console => "a client's console: blocks of rows and answers",
            Format::Runner => "the engine's local runner: every line opens with a player's number",
            Format::Table => "the server's table player_boards in an SQLite file",
            Format::Rest => "the server's list over HTTP: JSON in the browser's letters",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// The name belongs to no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no format; use boards, console, runner, table, rest, or auto to find out")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let named = |format: &Format| format.name() == name;
        Format::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// How to import.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// The format; `None` finds it out from the content.
    pub format: Option<Format>,
    /// The dialect that the headers name; `None` tells it from the glyphs.
    pub rules: Option<String>,
    /// Format `rest`: the glyphs in the order of the server's elements; without it that format is refused.
    pub elements: Option<String>,
    /// Formats `boards` and `console`: the answers to the boards, one a line, when they stand in
    /// another file.
    pub answers: Option<String>,
}

/// Something that the person who imports should know; the import goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The file, as the caller named it.
    pub place: String,
    /// Number of the line from 1 (of a table: the row's id); 0 if it concerns the whole file.
    pub line: u64,
    /// What was found, and what was done about it.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}", self.place, self.text),
            line => write!(formatter, "{}:{line}: {}", self.place, self.text),
        }
    }
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The format that was read.
    pub format: Format,
    /// Games written.
    pub games: u64,
    /// Boards in them.
    pub boards: u64,
    /// Boards whose answer is known.
    pub answers: u64,
    /// Notes given.
    pub notes: u64,
    /// Why the source could not be read to its end, if it could not: the log holds what stood before.
    pub broken: Option<String>,
}

impl fmt::Display for Imported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Imported {
            format,
            games,
            boards,
            answers,
            notes,
            ..
        } = self;
        write!(
            formatter,
            "imported: format={format} games={games} boards={boards} answers={answers} notes={notes}"
        )
    }
}

/// Why nothing, or not everything, was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The source cannot be read, or holds nothing of the format.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An option makes no sense.
    #[error("{0}")]
    Option(String),
}

/// Reads a recording and writes it as a game log; `-` is standard input.
///
/// # Errors
/// `Read` if the file cannot be read, is of no known format, or holds no board; `Write` if the log cannot be
/// written. What merely is incomplete goes to `notes` and the rest is kept.
pub fn import(
    path: &Path,
    options: &ImportOptions,
    writer: &mut Writer,
    notes: &mut dyn FnMut(Note),
) -> Result<Imported, ImportError> {
    let standard_input = path.as_os_str() == "-";
    let place = if standard_input {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    };
    let error = |kind| ReadError {
        place: place.clone(),
        line: 0,
        kind,
    };
    let source = if standard_input {
        file::standard_input()
    } else {
        file::open(path)
    };
    let name = path.file_stem().map(|stem| stem.to_string_lossy());
    let name = name.as_ref().and_then(|stem| stem.split('.').next());
    let name = name.filter(|name| !standard_input && !name.is_empty());
    let origin = Origin {
        place: &place,
        name: name.unwrap_or("game"),
        path: (!standard_input).then_some(path),
    };
    import_source(&origin, source.map_err(error)?, options, writer, notes)
}

/// Imports what is read from `source`, as [`import`] does; `place` names it in messages. Tables can only be
/// read from files.
///
/// # Errors
/// As for [`import`].
pub fn import_from(
    place: &str,
    source: impl BufRead + Send + 'static,
    options: &ImportOptions,
    writer: &mut Writer,
    notes: &mut dyn FnMut(Note),
) -> Result<Imported, ImportError> {
    let origin = Origin {
        place,
        name: "game",
        path: None,
    };
    import_source(&origin, Box::new(source), options, writer, notes)
}

/// Where a recording comes from.
struct Origin<'a> {
    /// For messages.
    place: &'a str,
    /// What the games are named after.
    name: &'a str,
    /// The file, if it is one.
    path: Option<&'a Path>,
}

fn import_source(
    origin: &Origin<'_>,
    mut source: Source,
    options: &ImportOptions,
    writer: &mut Writer,
    notes: &mut dyn FnMut(Note),
) -> Result<Imported, ImportError> {
    let Origin { place, name, path } = *origin;
    let mut broken = None;
    let error = |kind| ReadError {
        place: place.to_owned(),
        line: 0,
        kind,
    };
    let (start, cut) = detect::start(&mut source);
    if let Some(kind) = cut {
        if start.is_empty() {
            return Err(error(kind).into());
        }
        // The decompressor is not to be asked again.
        source = Box::new(std::io::Cursor::new(Vec::new()));
        broken = Some(error(kind).to_string());
    }
    let format = match options.format {
        Some(format) => format,
        None => detect::format(&start).map_err(error)?,
    };
    let mut assembly = Assembly::new(place, name, options.rules.as_deref(), writer, notes);
    let answers = options.answers.as_deref();
    if answers.is_some() && !matches!(format, Format::Boards | Format::Console) {
        return Err(ImportError::Option(format!(
            "answers in another file belong to the formats boards and console, not to {format}"
        )));
    }
    match format {
        Format::Boards => boards::read(lines::Lines::new(start, source), answers, &mut assembly),
        Format::Console => console::read(
            lines::Lines::new(start, source),
            false,
            answers,
            &mut assembly,
        ),
        Format::Runner => {
            console::read(lines::Lines::new(start, source), true, None, &mut assembly)
        }
        Format::Table => {
            drop(source);
            table::read(path, &start, &mut assembly)
        }
        Format::Rest => rest::read(start, source, options.elements.as_deref(), &mut assembly),
    }
    .map_err(|fault| match fault {
        Fault::Read(line, kind) => ImportError::Read(ReadError {
            place: place.to_owned(),
            line,
            kind,
        }),
        Fault::Write(error) => ImportError::Write(error),
        Fault::Option(text) => ImportError::Option(text),
    })?;
    let mut imported = assembly.finish(format)?;
    imported.broken = broken.or(imported.broken);
    if imported.games == 0 {
        return Err(error(ReadErrorKind::NoBoard(format.description())).into());
    }
    Ok(imported)
}

/// What ends an import early.
enum Fault {
    /// The source, with the number of the line.
    Read(u64, ReadErrorKind),
    /// The log.
    Write(WriteError),
    /// An option that does not fit the source.
    Option(String),
}

impl From<WriteError> for Fault {
    fn from(error: WriteError) -> Fault {
        Fault::Write(error)
    }
}

#[cfg(test)]
mod tests;
