//! Opening and making the files of game logs: the compression that the name's ending asks for.
//!
//! This is the only place that knows the two compressions; the lines inside are not its business.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::error::{ReadErrorKind, WriteError};

/// Bytes read from a file at once; also what a decompressor is fed with.
const BUFFER: usize = 64 * 1024;

/// A source of lines that may be handed to another thread.
pub(super) type Source = Box<dyn BufRead + Send>;

/// How the content of a file is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Zstd,
    Gzip,
}

impl Compression {
    fn of_name(path: &Path) -> Option<Compression> {
        let extension = path.extension()?;
        if extension.eq_ignore_ascii_case("zst") {
            Some(Compression::Zstd)
        } else if extension.eq_ignore_ascii_case("gz") {
            Some(Compression::Gzip)
        } else {
            None
        }
    }

    fn of_content(start: &[u8]) -> Option<Compression> {
        if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            Some(Compression::Zstd)
        } else if start.starts_with(&[0x1f, 0x8b]) {
            Some(Compression::Gzip)
        } else {
            None
        }
    }

    fn name(self) -> &'static str {
        match self {
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Compression::Zstd => ".zst",
            Compression::Gzip => ".gz",
        }
    }
}

/// Opens a file for reading.
///
/// The name says how it is packed; a content that contradicts the name is an error, since one of
/// the two is a mistake that the owner of the file should know about.
pub(super) fn open(path: &Path) -> Result<Source, ReadErrorKind> {
    let file = File::open(path).map_err(ReadErrorKind::Open)?;
    // A directory can be opened; only reading it fails, with a message nobody understands.
    if file.metadata().is_ok_and(|data| data.is_dir()) {
        return Err(ReadErrorKind::Directory);
    }
    let mut file = BufReader::with_capacity(BUFFER, file);
    let start = file.fill_buf().map_err(ReadErrorKind::Open)?;
    let (named, found) = (Compression::of_name(path), Compression::of_content(start));
    match (named, found) {
        _ if start.is_empty() => Ok(Box::new(file)),
        (None, None) => Ok(Box::new(file)),
        (None, Some(found)) => Err(ReadErrorKind::Misnamed(found.name(), found.ending())),
        (Some(named), found) if found != Some(named) => {
            Err(ReadErrorKind::NotCompressed(named.name()))
        }
        (Some(named), _) => unpack(file, named),
    }
}

/// Standard input; it has no name, so its first bytes say how it is packed.
pub(super) fn standard_input() -> Result<Source, ReadErrorKind> {
    let mut input = BufReader::with_capacity(BUFFER, io::stdin());
    let start = input.fill_buf().map_err(ReadErrorKind::Open)?;
    match Compression::of_content(start) {
        None => Ok(Box::new(input)),
        Some(found) => unpack(input, found),
    }
}

#[cfg(feature = "tools")]
fn unpack<R: Read + Send + 'static>(
    packed: BufReader<R>,
    compression: Compression,
) -> Result<Source, ReadErrorKind> {
    // Both decoders go on after the end of a frame: packed files may be appended to each other.
    Ok(match compression {
        Compression::Zstd => {
            let decoder = zstd::Decoder::with_buffer(packed).map_err(ReadErrorKind::Open)?;
            Box::new(BufReader::with_capacity(BUFFER, decoder))
        }
        Compression::Gzip => {
            let decoder = flate2::bufread::MultiGzDecoder::new(packed);
            Box::new(BufReader::with_capacity(BUFFER, decoder))
        }
    })
}

#[cfg(not(feature = "tools"))]
fn unpack<R: Read + Send + 'static>(
    _packed: BufReader<R>,
    _compression: Compression,
) -> Result<Source, ReadErrorKind> {
    Err(ReadErrorKind::Unsupported)
}

/// Gives a file that has something in it the next free name, `game-1.jsonl.zst` for `game.jsonl.zst`, so that what is
/// written next to its old name takes nothing away. `None` where there is nothing to keep: no file, an empty one, or a
/// device.
///
/// # Errors
/// If it cannot be renamed.
pub fn set_aside(path: &Path) -> io::Result<Option<PathBuf>> {
    let there = path
        .metadata()
        .is_ok_and(|data| data.is_file() && data.len() > 0);
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let Some(name) = name.filter(|_| there) else {
        return Ok(None);
    };
    // The first dot that does not make the file a hidden one begins the ending.
    let dot = name
        .char_indices()
        .skip(1)
        .find(|&(_, letter)| letter == '.');
    let (stem, ending) = name.split_at(dot.map_or(name.len(), |(place, _)| place));
    let free = (1..=u32::MAX)
        .map(|number| path.with_file_name(format!("{stem}-{number}{ending}")))
        .find(|other| other.symlink_metadata().is_err());
    if let Some(free) = &free {
        std::fs::rename(path, free)?;
    }
    Ok(free)
}

/// Where the lines of a [`super::Writer`] go.
pub(super) enum Sink {
    Plain(Box<dyn Write + Send>),
    #[cfg(feature = "tools")]
    Zstd(zstd::Encoder<'static, File>),
    #[cfg(feature = "tools")]
    Gzip(flate2::write::GzEncoder<File>),
    /// Finished; nothing can be written any more.
    Closed,
}

impl Sink {
    /// Makes a file, or empties it, packed as its name asks for.
    pub(super) fn create(path: &Path) -> Result<Sink, WriteError> {
        let fault = |fault: &str, source: Option<io::Error>| WriteError {
            place: path.display().to_string(),
            fault: match &source {
                Some(source) => format!("{fault}: {source}"),
                None => fault.to_owned(),
            },
            source,
        };
        let compression = Compression::of_name(path);
        if compression.is_some() && cfg!(not(feature = "tools")) {
            return Err(fault(
                "this build writes no compressed files; leave the name's ending out",
                None,
            ));
        }
        let file = File::create(path).map_err(|error| fault("cannot be made", Some(error)))?;
        match compression {
            None => Ok(Sink::Plain(Box::new(file))),
            Some(compression) => {
                pack(file, compression).map_err(|error| fault("cannot be made", Some(error)))
            }
        }
    }

    /// Writes one line and pushes it out to the system, so that a crash costs at most this line.
    pub(super) fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        let writer: &mut dyn Write = match self {
            Sink::Plain(writer) => writer,
            #[cfg(feature = "tools")]
            Sink::Zstd(encoder) => encoder,
            #[cfg(feature = "tools")]
            Sink::Gzip(encoder) => encoder,
            Sink::Closed => return Err(io::Error::other("the log is finished")),
        };
        writer.write_all(line)?;
        writer.flush()
    }

    /// Writes what a compressor still holds back.
    pub(super) fn close(&mut self) -> io::Result<()> {
        match std::mem::replace(self, Sink::Closed) {
            Sink::Plain(mut writer) => writer.flush(),
            #[cfg(feature = "tools")]
            Sink::Zstd(encoder) => encoder.finish().map(drop),
            #[cfg(feature = "tools")]
            Sink::Gzip(encoder) => encoder.finish().map(drop),
            Sink::Closed => Ok(()),
        }
    }
}

#[cfg(feature = "tools")]
fn pack(file: File, compression: Compression) -> io::Result<Sink> {
    Ok(match compression {
        Compression::Zstd => Sink::Zstd(zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?),
        Compression::Gzip => Sink::Gzip(flate2::write::GzEncoder::new(
            file,
            flate2::Compression::default(),
        )),
    })
}

#[cfg(not(feature = "tools"))]
fn pack(_file: File, _compression: Compression) -> io::Result<Sink> {
    Err(io::ErrorKind::Unsupported.into())
}
