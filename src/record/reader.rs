//! Reading game logs: lines one by one as they come, or game by game.
//!
//! Nothing that stands in a file can make the reader panic or take more memory than one line (or,
//! in [`Games`], one game) of limited length.

use std::io::{BufRead, Read};
use std::path::Path;

use serde::Deserialize;

use super::error::{ReadError, ReadErrorKind};
use super::file::{self, Source};
use super::format::{Header, TickLine};

/// The longest line that is read, in bytes. A tick of 64 players on a board of 128 x 128 cells
/// takes less than 4 MiB.
pub const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// The longest game that [`Games`] holds in memory, in bytes of text.
const GAME_LIMIT: usize = 1024 * 1024 * 1024;

/// What a line is reported as if it should have opened a game.
const NOT_A_HEADER: &str = "not a header line";

/// A line of a game log and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Number of the line in its file, from 1.
    pub number: u64,
    /// Length of the line in bytes.
    pub length: usize,
    /// What the line says.
    pub line: Line,
}

/// The two kinds of line.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Opens a game.
    Header(Box<Header>),
    /// Belongs to the game opened last.
    Tick(Box<TickLine>),
}

/// What the next line means, by what stood before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// No game has been opened yet.
    Start,
    /// Inside a game; the number of its last tick, if it has one.
    Inside(Option<u64>),
    /// Behind a line that is broken off.
    Torn,
    /// Behind a fault; tick lines are passed over in silence up to the next header.
    Lost,
    /// Nothing more will come.
    End,
}

/// Reads a game log line by line, in constant memory.
///
/// As an iterator it yields every line that can be used and, in its place, every fault. After a
/// fault it goes on with the next game where it can.
pub struct Reader {
    place: String,
    source: Source,
    buffer: Vec<u8>,
    number: u64,
    position: Position,
    /// Whether anything at all was yielded: a file without games is a fault too.
    yielded: bool,
}

/// Only the key that tells the kinds of line apart.
#[derive(Deserialize)]
struct Probe<'a> {
    #[serde(borrow)]
    k: Option<std::borrow::Cow<'a, str>>,
}

impl Reader {
    /// Opens a file, decompressing as its name asks for; `-` is standard input.
    ///
    /// # Errors
    /// If the file cannot be opened, is a directory, or is not packed as its name says.
    pub fn open(path: &Path) -> Result<Reader, ReadError> {
        let (place, source) = if path.as_os_str() == "-" {
            ("standard input".to_owned(), file::standard_input())
        } else {
            (path.display().to_string(), file::open(path))
        };
        match source {
            Ok(source) => Ok(Reader::over(place, source)),
            Err(kind) => Err(ReadError {
                place,
                line: 0,
                kind,
            }),
        }
    }

    /// Reads from anything that holds plain text; `place` names it in messages.
    pub fn new(place: impl Into<String>, source: impl BufRead + Send + 'static) -> Reader {
        Reader::over(place.into(), Box::new(source))
    }

    fn over(place: String, source: Source) -> Reader {
        let position = Position::Start;
        Reader {
            place,
            source,
            buffer: Vec::new(),
            number: 0,
            position,
            yielded: false,
        }
    }

    /// The name of what is read, as it stands in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Reads whole games instead of lines.
    pub fn games(self) -> Games {
        Games {
            reader: self,
            next: None,
        }
    }

    fn error(&self, kind: ReadErrorKind) -> ReadError {
        ReadError {
            place: self.place.clone(),
            line: self.number,
            kind,
        }
    }

    /// Reads the next line into the buffer, without its end; false at the end of the file.
    fn fill(&mut self) -> Result<bool, ReadErrorKind> {
        self.buffer.clear();
        self.number += 1;
        let mut limited = (&mut self.source).take(LINE_LIMIT as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.buffer);
        if let Err(error) = read {
            self.position = Position::End;
            return Err(ReadErrorKind::of_read(error));
        }
        if self.buffer.len() > LINE_LIMIT {
            // Whatever this is, its end may be far away.
            self.position = Position::End;
            return Err(ReadErrorKind::TooLong(LINE_LIMIT));
        }
        if self.buffer.is_empty() {
            return Ok(false);
        }
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        }
        Ok(true)
    }

    /// The next line or fault; `None` for a line that is passed over.
    fn step(&mut self) -> Option<Result<Entry, ReadErrorKind>> {
        match self.fill() {
            Ok(true) => {}
            Ok(false) => {
                self.position = Position::End;
                if self.yielded {
                    return None;
                }
                self.number = 0;
                return Some(Err(ReadErrorKind::Empty));
            }
            Err(kind) => return Some(Err(kind)),
        }
        let mut bytes = self.buffer.as_slice();
        if self.number == 1 {
            // A byte order mark, as some editors put it there.
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        let parsed = match std::str::from_utf8(bytes) {
            Ok(text) if text.trim_ascii().is_empty() => return None,
            Ok(text) => parse(text),
            // Cut within a character: the last line of a torn file.
            Err(error) if error.error_len().is_none() => Err(ReadErrorKind::Torn),
            Err(error) => Err(ReadErrorKind::NotText(error.valid_up_to())),
        };
        match (parsed, self.position) {
            (Ok(line @ Line::Header(_)), _) => {
                self.position = Position::Inside(None);
                Some(Ok(self.entry(line)))
            }
            // One fault a game is enough; only a header that is wrong loses one game more.
            (Ok(Line::Tick(_)), Position::Lost) | (Ok(_), Position::End) => None,
            (Err(kind), Position::Lost) if !is_header_fault(&kind) => None,
            (Err(ReadErrorKind::Torn), Position::Start) => {
                self.position = Position::Lost;
                // A file that begins with half a line is no log that a crash has cut short.
                let fault = "the line is broken off".to_owned();
                Some(Err(ReadErrorKind::Malformed {
                    what: NOT_A_HEADER,
                    fault,
                }))
            }
            (Err(kind), _) => {
                let torn = matches!(kind, ReadErrorKind::Torn);
                self.position = if torn { Position::Torn } else { Position::Lost };
                Some(Err(kind))
            }
            (Ok(Line::Tick(_)), Position::Start) => {
                self.position = Position::Lost;
                Some(Err(ReadErrorKind::NoHeader))
            }
            (Ok(Line::Tick(_)), Position::Torn) => {
                self.position = Position::Lost;
                Some(Err(ReadErrorKind::AfterTorn))
            }
            (Ok(Line::Tick(tick)), Position::Inside(last)) => {
                if let Some(last) = last.filter(|last| *last >= tick.t) {
                    self.position = Position::Lost;
                    let fault = format!("t = {} does not follow t = {last}", tick.t);
                    return Some(Err(ReadErrorKind::Malformed {
                        what: "out of order",
                        fault,
                    }));
                }
                self.position = Position::Inside(Some(tick.t));
                Some(Ok(self.entry(Line::Tick(tick))))
            }
        }
    }

    fn entry(&self, line: Line) -> Entry {
        Entry {
            number: self.number,
            length: self.buffer.len(),
            line,
        }
    }
}

/// Whether a line that was meant to open a game does not.
fn is_header_fault(kind: &ReadErrorKind) -> bool {
    matches!(
        kind,
        ReadErrorKind::Malformed {
            what: NOT_A_HEADER,
            ..
        }
    )
}

/// Reads one line of either kind.
fn parse(text: &str) -> Result<Line, ReadErrorKind> {
    let fault = |what: &'static str| {
        move |error: serde_json::Error| {
            if error.is_eof() {
                return ReadErrorKind::Torn;
            }
            // The parser counts lines inside this one line; only its column says something.
            let full = error.to_string();
            let reason = full.split(" at line ").next().unwrap_or(&full);
            let fault = format!("{reason} (column {})", error.column());
            ReadErrorKind::Malformed { what, fault }
        }
    };
    // A tick line has no key `k`, and reading every line twice would be a waste.
    if text.contains("\"k\"") {
        let probe: Probe = serde_json::from_str(text).map_err(fault("not a line of a game log"))?;
        if let Some(kind) = probe.k {
            let what = NOT_A_HEADER;
            if kind != "game" {
                let fault = format!("unknown kind of line {kind:?}");
                return Err(ReadErrorKind::Malformed { what, fault });
            }
            let header: Box<Header> = serde_json::from_str(text).map_err(fault(what))?;
            return match header.fault() {
                Some(fault) => Err(ReadErrorKind::Malformed { what, fault }),
                None => Ok(Line::Header(header)),
            };
        }
    }
    serde_json::from_str(text)
        .map(Line::Tick)
        .map_err(fault("not a tick line"))
}

impl Iterator for Reader {
    type Item = Result<Entry, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.position != Position::End {
            if let Some(item) = self.step() {
                self.yielded = true;
                return Some(item.map_err(|kind| self.error(kind)));
            }
        }
        None
    }
}

/// A whole game of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The opening line.
    pub header: Header,
    /// Number of the header's line in its file, from 1.
    pub number: u64,
    /// The tick lines, each with the number of its line.
    pub lines: Vec<(u64, TickLine)>,
    /// The fault that cut the game short, if one did; `lines` holds what stood before it.
    pub fault: Option<String>,
}

/// Reads a game log game by game, holding one game at a time.
///
/// A fault inside a game comes before the game, which is still yielded as far as it goes.
pub struct Games {
    reader: Reader,
    next: Option<Game>,
}

impl Iterator for Games {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut length = 0;
        loop {
            match self.reader.next() {
                None => return self.next.take().map(Ok),
                Some(Err(error)) => {
                    if let Some(game) = &mut self.next {
                        game.fault.get_or_insert_with(|| error.to_string());
                    }
                    return Some(Err(error));
                }
                Some(Ok(Entry {
                    number,
                    line: Line::Header(header),
                    ..
                })) => {
                    let opened = Game {
                        header: *header,
                        number,
                        lines: Vec::new(),
                        fault: None,
                    };
                    if let Some(finished) = self.next.replace(opened) {
                        return Some(Ok(finished));
                    }
                }
                Some(Ok(Entry {
                    number,
                    length: bytes,
                    line: Line::Tick(tick),
                })) => {
                    length += bytes;
                    if length > GAME_LIMIT {
                        self.next = None;
                        self.reader.position = Position::Lost;
                        return Some(Err(self
                            .reader
                            .error(ReadErrorKind::GameTooLong(GAME_LIMIT))));
                    }
                    if let Some(game) = &mut self.next {
                        game.lines.push((number, *tick));
                    }
                }
            }
        }
    }
}
