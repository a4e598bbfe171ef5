//! Writing game logs: one writer for the embedded server, the arena and the live client.
//!
//! Every line is pushed out as soon as it is whole, so that a crash costs at most the line being
//! written; the reader keeps everything before it.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::error::WriteError;
use super::file::{Sink, set_aside};
use super::format::{Header, TickLine};

/// Writes a game log. Closing it is best done with [`Writer::finish`]; dropping it closes it too,
/// but then nobody hears of a full disk.
pub struct Writer {
    place: String,
    sink: Sink,
    line: Vec<u8>,
}

impl Writer {
    /// Makes a file, or empties the one that is there; a name ending in `.zst` or `.gz` is
    /// compressed.
    ///
    /// # Errors
    /// If the file cannot be made, or this build cannot compress.
    pub fn create(path: &Path) -> Result<Writer, WriteError> {
        let place = path.display().to_string();
        Ok(Writer {
            place,
            sink: Sink::create(path)?,
            line: Vec::new(),
        })
    }

    /// The same for a new recording: what was recorded there before is kept under another name, see
    /// [`set_aside`](super::set_aside).
    ///
    /// # Errors
    /// As `create`; and if the earlier file cannot be renamed.
    pub fn record(path: &Path) -> Result<Writer, WriteError> {
        let aside = set_aside(path).map_err(|source| WriteError {
            place: path.display().to_string(),
            fault: format!("the earlier recording cannot be renamed: {source}"),
            source: Some(source),
        })?;
        if let Some(aside) = aside {
            log::info!("the earlier {} is {} now", path.display(), aside.display());
        }
        Writer::create(path)
    }

    /// Writes plain text to anything; `place` names it in messages.
    pub fn new(place: impl Into<String>, sink: impl Write + Send + 'static) -> Writer {
        Writer {
            place: place.into(),
            sink: Sink::Plain(Box::new(sink)),
            line: Vec::new(),
        }
    }

    /// Opens a game.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn header(&mut self, header: &Header) -> Result<(), WriteError> {
        self.write(header)
    }

    /// Adds a tick to the game opened last.
    ///
    /// # Errors
    /// If the line cannot be written.
    pub fn tick(&mut self, tick: &TickLine) -> Result<(), WriteError> {
        self.write(tick)
    }

    /// Closes the log.
    ///
    /// # Errors
    /// If what a compressor still holds back cannot be written.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.sink.close().map_err(|error| self.error(error))
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), WriteError> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line).map_err(|error| self.error(error.into()))?;
        self.line.push(b'\n');
        self.sink
            .write_line(&self.line)
            .map_err(|error| self.error(error))
    }

    fn error(&self, source: std::io::Error) -> WriteError {
        let fault = format!("cannot be written: {source}");
        WriteError {
            place: self.place.clone(),
            fault,
            source: Some(source),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Err(error) = self.sink.close() {
            log::error!("{}: cannot be finished: {error}", self.place);
        }
    }
}
