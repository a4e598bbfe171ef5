//! Finding out the format of a recording from how it begins. Reading it is not done here.

use std::io::Read;

use super::{Format, boards, console};
use crate::board::Size;
use crate::record::error::ReadErrorKind;
use crate::record::file::Source;

/// How much of a file is looked at, in bytes.
const LOOKED_AT: u64 = 512 * 1024;

/// What an SQLite file begins with.
pub(super) const SQLITE: &[u8] = b"SQLite format 3\0";

/// Reads the beginning of a file, and what keeps it from being read further.
pub(super) fn start(source: &mut Source) -> (Vec<u8>, Option<ReadErrorKind>) {
    let mut start = Vec::new();
    let read = source.take(LOOKED_AT).read_to_end(&mut start);
    (start, read.err().map(ReadErrorKind::of_read))
}

/// The format that the beginning of a file shows.
pub(super) fn format(start: &[u8]) -> Result<Format, ReadErrorKind> {
    if start.starts_with(SQLITE) {
        return Ok(Format::Table);
    }
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Err(ReadErrorKind::Utf16);
    }
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') && text.lines().next().is_some_and(|it| it.contains("\"k\"")) {
        return Err(ReadErrorKind::OwnLog);
    }
    if text.starts_with('[') && text.contains("\"board\"") {
        return Ok(Format::Rest);
    }
    if text.lines().any(|line| boards::board_in(line).is_some()) {
        return Ok(Format::Boards);
    }
    for (format, numbered) in [(Format::Runner, true), (Format::Console, false)] {
        if has_block(text, numbered) {
            return Ok(format);
        }
    }
    Err(ReadErrorKind::UnknownFormat)
}

/// Whether a block of at least three equal rows opens somewhere, as a board in a console does.
fn has_block(text: &str, numbered: bool) -> bool {
    let (mut length, mut count) = (0, 0);
    for line in text.lines() {
        let line = if numbered {
            match console::runner_line(line) {
                Some((_, _, rest)) => rest,
                None => continue,
            }
        } else {
            line
        };
        let row = console::row_length(line).filter(|&length| length <= Size::EDGE_MAX);
        match row {
            Some(found) if found == length => count += 1,
            Some(found) => (length, count) = (found, 1),
            None => (length, count) = (0, 0),
        }
        if length > 0 && count == length {
            return true;
        }
    }
    false
}
