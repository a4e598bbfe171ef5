//! Cutting game logs into pieces of work that fit in memory and can be done side by side.
//!
//! A batch holds whole games as long as they fit; a game of any length goes through in several
//! pieces, its unfinished check being carried from one batch into the next.

use std::path::PathBuf;

use super::check::GameCheck;
use crate::board::Size;
use crate::record::{Entry, Line, ReadError, Reader, TickLine};

/// Text held at once, in bytes; the parsed lines take a small multiple of it.
const BATCH_LIMIT: usize = 8 * 1024 * 1024;

/// What a batch is made of, in the order of the files.
pub(super) enum Item {
    /// Lines of a game.
    Piece(Piece),
    /// A fault of a file.
    Fault(ReadError),
}

/// Consecutive lines of one game.
pub(super) struct Piece {
    /// The check they belong to; `None` until the check of the piece before is handed over.
    pub check: Option<Box<GameCheck>>,
    /// The lines with their numbers.
    pub lines: Vec<(u64, TickLine)>,
    /// Whether the game ends with this piece.
    pub last: bool,
}

/// Reads batch after batch from a list of files.
pub(super) struct Batches {
    files: std::vec::IntoIter<PathBuf>,
    reader: Option<Reader>,
    all: bool,
    /// Whether a game is open, of which more lines may come.
    open: bool,
}

impl Batches {
    pub(super) fn new(files: Vec<PathBuf>, all: bool) -> Batches {
        Batches {
            files: files.into_iter(),
            reader: None,
            all,
            open: false,
        }
    }

    /// The next batch; empty when everything has been read. Its first piece goes on with the last
    /// game of the batch before if that was not finished.
    pub(super) fn next_batch(&mut self) -> Vec<Item> {
        let mut batch = Vec::new();
        if self.open {
            batch.push(Item::Piece(Piece {
                check: None,
                lines: Vec::new(),
                last: false,
            }));
        }
        let mut length = 0;
        while length < BATCH_LIMIT {
            let Some(reader) = &mut self.reader else {
                match self.files.next().map(|file| Reader::open(&file)) {
                    None => return batch,
                    Some(Ok(reader)) => self.reader = Some(reader),
                    Some(Err(fault)) => batch.push(Item::Fault(fault)),
                }
                continue;
            };
            match reader.next() {
                None => {
                    self.reader = None;
                    self.close(&mut batch);
                }
                Some(Err(fault)) => {
                    self.close(&mut batch);
                    batch.push(Item::Fault(fault));
                }
                Some(Ok(Entry {
                    number,
                    length: bytes,
                    line: Line::Header(header),
                })) => {
                    length += bytes;
                    // The reader takes no header of another size.
                    let Some(size) = Size::new(header.size) else {
                        continue;
                    };
                    let check = GameCheck::new(reader.place(), number, *header, size, self.all);
                    self.close(&mut batch);
                    self.open = true;
                    let (check, lines) = (Some(Box::new(check)), Vec::new());
                    batch.push(Item::Piece(Piece {
                        check,
                        lines,
                        last: false,
                    }));
                }
                Some(Ok(Entry {
                    number,
                    length: bytes,
                    line: Line::Tick(tick),
                })) => {
                    length += bytes;
                    if let Some(Item::Piece(piece)) = batch.last_mut() {
                        piece.lines.push((number, *tick));
                    }
                }
            }
        }
        batch
    }

    /// Ends the open game, whose piece is the last of the batch.
    fn close(&mut self, batch: &mut [Item]) {
        if let (true, Some(Item::Piece(piece))) = (self.open, batch.last_mut()) {
            piece.last = true;
        }
        self.open = false;
    }
}
