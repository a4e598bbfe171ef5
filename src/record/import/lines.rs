//! Lines of a foreign text file, in bounded memory: over-long lines are passed over, bytes that are no
//! text are told of.

use std::io::{BufRead, Cursor, Read};

use crate::record::error::ReadErrorKind;
use crate::record::file::Source;

/// Longest line that is read, in bytes; a board of 128 x 128 cells takes 48 KiB.
const LINE_LIMIT: usize = 1024 * 1024;

/// Lines with their numbers, without line ends, byte order mark and terminal colours.
pub(super) struct Lines {
    source: Box<dyn BufRead>,
    buffer: Vec<u8>,
    text: String,
    number: u64,
    ended: bool,
}

/// What the next line is.
pub(super) enum Next<'a> {
    /// A line; whether a line end follows.
    Line(&'a str, bool),
    /// The line is too long or no UTF-8 text and is left out; why.
    Unusable(&'static str),
    /// The end of the file.
    End,
}

impl Lines {
    /// Reads on from `source`, of which `start` has been read already.
    pub(super) fn new(start: Vec<u8>, source: Source) -> Lines {
        Lines {
            source: Box::new(Cursor::new(start).chain(source)),
            buffer: Vec::new(),
            text: String::new(),
            number: 0,
            ended: false,
        }
    }

    /// Number of the line read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Result<Next<'_>, ReadErrorKind> {
        if self.ended {
            return Ok(Next::End);
        }
        self.buffer.clear();
        self.number += 1;
        let mut limited = (&mut self.source).take(LINE_LIMIT as u64 + 1);
        limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(ReadErrorKind::of_read)?;
        if self.buffer.len() > LINE_LIMIT {
            self.ended = !skip_line(&mut *self.source)?;
            return Ok(Next::Unusable("the line is longer than 1 MiB; left out"));
        }
        if self.buffer.is_empty() {
            self.ended = true;
            return Ok(Next::End);
        }
        let whole = self.buffer.last() == Some(&b'\n');
        while matches!(self.buffer.last(), Some(b'\n' | b'\r')) {
            self.buffer.pop();
        }
        let mut bytes = self.buffer.as_slice();
        if self.number == 1 {
            bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Ok(Next::Unusable("not UTF-8 text; left out"));
        };
        if !text.contains('\u{1b}') {
            return Ok(Next::Line(text, whole));
        }
        self.text.clear();
        without_colours(text, &mut self.text);
        Ok(Next::Line(&self.text, whole))
    }
}

/// Reads over the rest of a line without keeping it; false at the end of the file.
fn skip_line(source: &mut dyn BufRead) -> Result<bool, ReadErrorKind> {
    loop {
        let buffer = source.fill_buf().map_err(ReadErrorKind::of_read)?;
        if buffer.is_empty() {
            return Ok(false);
        }
        if let Some(end) = buffer.iter().position(|&byte| byte == b'\n') {
            source.consume(end + 1);
            return Ok(true);
        }
        let length = buffer.len();
        source.consume(length);
    }
}

/// Takes out `ESC [ .. letter`.
fn without_colours(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let Some(sequence) = after.strip_prefix('[') else {
            rest = after;
            continue;
        };
        let letter = sequence.find(|glyph: char| glyph.is_ascii_alphabetic());
        rest = letter.map_or("", |end| &sequence[end + 1..]);
    }
    out.push_str(rest);
}
