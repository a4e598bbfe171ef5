//! `Ledger`: a directory that holds a match while it is played, so that it can be gone on with after any
//! interruption. Results are added in the order of the games; a torn last line is played again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::game::{GameResult, Log};
use super::plan::Plan;
use crate::record::{WriteError, Writer, set_aside};

/// A match on disk.
#[derive(Debug)]
pub struct Ledger {
    directory: PathBuf,
    games: File,
    results: Vec<GameResult>,
}

/// A directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The system refuses.
    #[error("{path}: cannot be used for results")]
    File {
        /// What it was about.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another match is in there.
    #[error(
        "{0} holds the results of another match (see plan.txt there); choose another directory, or the same \
         bots, level, seeds and ticks"
    )]
    OtherMatch(String),
    /// A line that is no result and not the last one.
    #[error("{path}, line {line}: {fault}; this is not what an arena wrote")]
    Line {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A log of a game cannot be written.
    #[error(transparent)]
    Log(#[from] WriteError),
}

impl Ledger {
    /// Opens the directory, made if it is not there, and reads the results it holds.
    ///
    /// # Errors
    /// Every `LedgerError`.
    pub fn open(directory: &Path, plan: &Plan) -> Result<Ledger, LedgerError> {
        fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
        let described = directory.join("plan.txt");
        let fingerprint = plan.fingerprint();
        match fs::read_to_string(&described) {
            Ok(text) if text == fingerprint => {}
            Ok(_) => return Err(LedgerError::OtherMatch(directory.display().to_string())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                write_whole(&described, &fingerprint)?;
            }
            Err(source) => return Err(failed(&described, source)),
        }
        let path = directory.join("games.jsonl");
        let (results, length) = read(&path)?;
        let games = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let mut games = games.map_err(|source| failed(&path, source))?;
        let placed = games
            .set_len(length)
            .and_then(|()| io::Seek::seek(&mut games, io::SeekFrom::End(0)));
        placed.map_err(|source| failed(&path, source))?;
        Ok(Ledger {
            directory: directory.to_owned(),
            games,
            results,
        })
    }

    /// The results so far, in the order of the games and without a gap.
    pub fn results(&self) -> &[GameResult] {
        &self.results
    }

    /// Adds the next game; its log first, so that a game that counts has one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(
        &mut self,
        result: &GameResult,
        log: Option<(&Log, &str)>,
    ) -> Result<(), LedgerError> {
        if let Some((log, ending)) = log {
            let path = self.log_path(result.game, ending);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|source| failed(parent, source))?;
            }
            let mut writer = Writer::create(&path)?;
            write_log(&mut writer, log)?;
            writer.finish()?;
        }
        let path = self.directory.join("games.jsonl");
        let line = serde_json::to_string(result).map_err(io::Error::from);
        line.and_then(|line| self.games.write_all((line + "\n").as_bytes()))
            .map_err(|source| failed(&path, source))?;
        self.results.push(result.clone());
        Ok(())
    }

    /// Puts the logs of all games behind each other into one file. Packed files stay packed: several packed
    /// pieces behind each other are one packed file.
    ///
    /// # Errors
    /// If a log is missing or cannot be copied.
    pub fn collect_logs(&self, ending: &str, target: &Path) -> Result<(), LedgerError> {
        set_aside(target).map_err(|source| failed(target, source))?;
        let mut out = File::create(target).map_err(|source| failed(target, source))?;
        for result in &self.results {
            let path = self.log_path(result.game, ending);
            let mut log = File::open(&path).map_err(|source| failed(&path, source))?;
            io::copy(&mut log, &mut out).map_err(|source| failed(target, source))?;
        }
        Ok(())
    }

    /// Writes a file of the finished match.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), LedgerError> {
        write_whole(&self.directory.join(name), text)
    }

    fn log_path(&self, game: u64, ending: &str) -> PathBuf {
        self.directory
            .join("logs")
            .join(format!("{game:06}{ending}"))
    }
}

/// Writes one game's log.
pub(super) fn write_log(writer: &mut Writer, (header, lines): &Log) -> Result<(), WriteError> {
    writer.header(header)?;
    lines.iter().try_for_each(|line| writer.tick(line))
}

/// Never leaves half a file behind.
fn write_whole(path: &Path, text: &str) -> Result<(), LedgerError> {
    let draft = path.with_extension("draft");
    fs::write(&draft, text)
        .and_then(|()| fs::rename(&draft, path))
        .map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> LedgerError {
    LedgerError::File {
        path: path.display().to_string(),
        source,
    }
}

/// The results of a file and the length of the whole lines, in bytes.
fn read(path: &Path) -> Result<(Vec<GameResult>, u64), LedgerError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(source) => return Err(failed(path, source)),
    };
    let whole = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let mut results: Vec<GameResult> = Vec::new();
    for line in text[..whole].split_inclusive(|&byte| byte == b'\n') {
        let number = results.len() as u64;
        let result = serde_json::from_slice(line)
            .map_err(|error| error.to_string())
            .and_then(|result: GameResult| match result.game {
                game if game == number => Ok(result),
                game => Err(format!("game {game} where game {number} should stand")),
            });
        results.push(result.map_err(|fault| LedgerError::Line {
            path: path.display().to_string(),
            line: results.len() + 1,
            fault,
        })?);
    }
    Ok((results, whole as u64))
}
