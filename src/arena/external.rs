//! External bots: a process that reads one board a line and writes one command a line.
//!
//! It is never trusted: it may die, hang, flood its output or never read, and the match goes on. Its standard
//! error is kept apart, and only the end of it is kept.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::{FaultKind, Trouble};
use super::player::{Player, View};
use crate::board::excerpt;
use crate::sim::command::words;

/// How long an external bot may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For its first answer, on top of `answer`: programs need time to start.
    pub start: Duration,
    /// For every answer.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Duration::from_secs(10),
            answer: Duration::from_secs(1),
        }
    }
}

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    program: PathBuf,
    arguments: Vec<String>,
}

/// Why a command line cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// Nothing but blanks.
    #[error("the command line is empty")]
    Empty,
    /// A quote that is not closed.
    #[error("a quote is not closed")]
    Quote,
    /// Neither a file nor found in `PATH`.
    #[error("there is no program {0:?}, neither as a file nor in PATH")]
    Missing(String),
    /// A file that is no program.
    #[error("{0:?} is not executable")]
    NotExecutable(String),
}

impl CommandLine {
    /// Splits at blanks, with single and double quotes as in a shell, and looks for the program.
    ///
    /// # Errors
    /// Every `CommandLineError`.
    pub fn parse(text: &str) -> Result<CommandLine, CommandLineError> {
        let mut parts = split(text)?.into_iter();
        let program = parts.next().ok_or(CommandLineError::Empty)?;
        Ok(CommandLine {
            program: find(&program)?,
            arguments: parts.collect(),
        })
    }
}

/// The words of a command line. A backslash is an ordinary character: paths have them on some systems.
fn split(text: &str) -> Result<Vec<String>, CommandLineError> {
    let mut parts = Vec::new();
    let mut part: Option<String> = None;
    let mut quote = None;
    for glyph in text.chars() {
        match quote {
            Some(open) if glyph == open => quote = None,
            None if glyph == '"' || glyph == '\'' => {
                quote = Some(glyph);
                part.get_or_insert_default();
            }
            None if glyph.is_whitespace() => parts.extend(part.take()),
            _ => part.get_or_insert_default().push(glyph),
        }
    }
    if quote.is_some() {
        return Err(CommandLineError::Quote);
    }
    parts.extend(part);
    Ok(parts)
}

/// The program's file: as given if it has a directory, else as the system would find it.
fn find(program: &str) -> Result<PathBuf, CommandLineError> {
    let path = Path::new(program);
    let candidates: Vec<PathBuf> = if path.components().count() > 1 {
        vec![path.to_owned()]
    } else {
        let list = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&list)
            .map(|directory| directory.join(program))
            .collect()
    };
    let mut files = candidates.into_iter().filter(|file| file.is_file());
    match files.clone().find(|file| is_executable(file)) {
        Some(file) => Ok(file),
        None if files.next().is_some() => Err(CommandLineError::NotExecutable(program.to_owned())),
        None => Err(CommandLineError::Missing(program.to_owned())),
    }
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// Longest line of an answer that is read, in bytes.
const LINE_MAX: usize = 4096;
/// How many characters of a line are quoted.
const QUOTED: usize = 120;
/// How much of the end of standard error is kept, in bytes.
const ERRORS_MAX: usize = 2048;
/// How long a process may take to end after its input or output was closed.
const FAREWELL: Duration = Duration::from_millis(500);

/// What the reading thread hands on.
enum Output {
    Line(String),
    /// A line behind which others stood already: nobody can have asked for those.
    Heap(String),
    TooLong,
    End,
}

/// A running external bot.
pub(super) struct External {
    child: Child,
    /// Gone once the process is to end: its standard input closes then.
    boards: Option<Sender<String>>,
    output: Receiver<Output>,
    errors: Arc<Mutex<Vec<u8>>>,
    /// Hangs up once standard error was read to its end.
    errors_end: Receiver<()>,
    limits: Limits,
    started: bool,
    /// Set once nothing is left to kill: the process's number may be another's from then on.
    ended: bool,
}

impl External {
    /// Starts the process.
    pub(super) fn start(line: &CommandLine, limits: Limits) -> Result<External, Trouble> {
        let mut command = Command::new(&line.program);
        lead_group(&mut command);
        let mut child = command
            .args(&line.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Trouble {
                kind: FaultKind::NotStarted,
                detail: error.to_string(),
                status: None,
                errors: String::new(),
            })?;
        // The threads end by themselves when the pipes close; nobody waits for them, since a grandchild may hold
        // a pipe open.
        let (boards, boards_end) = channel();
        if let Some(pipe) = child.stdin.take() {
            thread::spawn(move || write_boards(pipe, &boards_end));
        }
        let (output_end, output) = sync_channel(16);
        if let Some(pipe) = child.stdout.take() {
            thread::spawn(move || read_lines(pipe, &output_end));
        }
        let errors = Arc::new(Mutex::new(Vec::new()));
        let (reading, errors_end) = channel();
        if let Some(pipe) = child.stderr.take() {
            let kept = Arc::clone(&errors);
            thread::spawn(move || {
                keep_errors(pipe, &kept);
                drop(reading);
            });
        }
        Ok(External {
            child,
            boards: Some(boards),
            output,
            errors,
            errors_end,
            limits,
            started: false,
            ended: false,
        })
    }

    fn ask(&mut self, board: &str, view: &View<'_>) -> Result<String, Trouble> {
        match self.output.try_recv() {
            Ok(Output::Line(line) | Output::Heap(line)) => {
                let detail = format!("a line nobody asked for: {:?}", excerpt(&line, QUOTED));
                return Err(self.expel(FaultKind::Flooded, detail));
            }
            Ok(other) => return Err(self.broken(&other)),
            Err(_) => {}
        }
        if let Some(boards) = &self.boards {
            // If the writing thread is gone the process does not read; its output will say why.
            let _ = boards.send(format!("board={board}\n"));
        }
        let allowance = if self.started {
            self.limits.answer
        } else {
            self.limits.start + self.limits.answer
        };
        match self.output.recv_timeout(allowance) {
            Ok(Output::Line(line)) => {
                self.started = true;
                if !line.trim().is_empty() && words(&line, &view.rules().grammar).next().is_none() {
                    let detail = format!("{:?}", excerpt(&line, QUOTED));
                    return Err(self.trouble(FaultKind::Nonsense, detail, None));
                }
                Ok(line)
            }
            Ok(other) => Err(self.broken(&other)),
            Err(RecvTimeoutError::Disconnected) => Err(self.broken(&Output::End)),
            Err(RecvTimeoutError::Timeout) => {
                let detail = format!("no answer within {} ms", allowance.as_millis());
                Err(self.expel(FaultKind::Hung, detail))
            }
        }
    }

    fn broken(&mut self, output: &Output) -> Trouble {
        match output {
            Output::Heap(line) => {
                let detail = format!("more lines at once, the first {:?}", excerpt(line, QUOTED));
                self.expel(FaultKind::Flooded, detail)
            }
            Output::TooLong => {
                let detail = format!("a line of more than {LINE_MAX} bytes");
                self.expel(FaultKind::Flooded, detail)
            }
            Output::End | Output::Line(_) => match self.farewell() {
                Some(status) => {
                    self.last_words();
                    self.end();
                    self.trouble(FaultKind::Died, "it ended".to_owned(), Some(status))
                }
                None => self.expel(FaultKind::Died, "it closed its output".to_owned()),
            },
        }
    }

    /// Ends the process and says why.
    fn expel(&mut self, kind: FaultKind, detail: String) -> Trouble {
        self.end();
        self.last_words();
        self.trouble(kind, detail, None)
    }

    /// Waits a moment for the rest of what an ended process wrote to standard error; a grandchild may hold the
    /// pipe open for longer.
    fn last_words(&self) {
        let _ = self.errors_end.recv_timeout(FAREWELL);
    }

    fn trouble(&self, kind: FaultKind, detail: String, status: Option<String>) -> Trouble {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        Trouble {
            kind,
            detail,
            status,
            errors: String::from_utf8_lossy(&errors).trim_end().to_owned(),
        }
    }

    /// Closes the input and waits a moment for the process to end by itself; how it ended.
    fn farewell(&mut self) -> Option<String> {
        self.boards = None;
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Ends the process and all that it started, whether or not it has ended by itself.
    fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.boards = None;
        kill_group(&self.child);
        // Either it has ended by itself or it ends now; both are fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Player for External {
    fn decide(&mut self, view: &View<'_>) -> Result<Cow<'static, str>, Trouble> {
        self.ask(&view.text(), view).map(Cow::Owned)
    }
}

impl Drop for External {
    fn drop(&mut self) {
        // Also after it has ended by itself: what it started may have stayed.
        self.farewell();
        self.end();
    }
}

/// Has the process lead a group of its own, to which all that it starts belongs.
#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

/// Kills all of the process's group. To be called before the process has been waited for, or soon after: its number
/// is not given away while one of its group lives, but may be later.
#[cfg(unix)]
fn kill_group(leader: &Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(number) = i32::try_from(leader.id()) {
        // An error says that nobody is left.
        let _ = killpg(Pid::from_raw(number), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

fn write_boards(mut pipe: ChildStdin, boards: &Receiver<String>) {
    for board in boards {
        if pipe
            .write_all(board.as_bytes())
            .and_then(|()| pipe.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read_lines(pipe: ChildStdout, output: &SyncSender<Output>) {
    let mut reader = BufReader::new(pipe);
    loop {
        let mut line = Vec::new();
        let read = (&mut reader)
            .take(LINE_MAX as u64 + 1)
            .read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) | Err(_) => Output::End,
            Ok(_) if line.ends_with(b"\n") => {
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_end_matches(['\r', '\n']).to_owned();
                if reader.buffer().contains(&b'\n') {
                    Output::Heap(text)
                } else {
                    Output::Line(text)
                }
            }
            Ok(length) if length > LINE_MAX => Output::TooLong,
            // The last line may lack its end.
            Ok(_) => Output::Line(String::from_utf8_lossy(&line).into_owned()),
        };
        let last = !matches!(message, Output::Line(_) | Output::Heap(_));
        if output.send(message).is_err() || last {
            return;
        }
    }
}

/// Reads everything, so that the process never waits for us, and keeps the end.
fn keep_errors(mut pipe: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    loop {
        let length = match pipe.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(length) => length,
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..length]);
        let surplus = kept.len().saturating_sub(ERRORS_MAX);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_split_like_a_shell_s() {
        let parts = |text| split(text).expect("closed quotes");
        assert_eq!(
            parts("  a b\t'c d' \"e 'f'\" g\"h i\"j "),
            ["a", "b", "c d", "e 'f'", "gh ij"]
        );
        assert_eq!(parts("a ''"), ["a", ""]);
        assert_eq!(split("a 'b"), Err(CommandLineError::Quote));
        assert_eq!(CommandLine::parse("  "), Err(CommandLineError::Empty));
    }

    #[test]
    fn programs_that_are_not_there_are_told_from_files_that_are_none() {
        let missing = CommandLine::parse("no-such-program-anywhere --flag");
        assert!(matches!(missing, Err(CommandLineError::Missing(_))));
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        #[cfg(unix)]
        assert_eq!(
            CommandLine::parse(&format!("'{file}' x")),
            Err(CommandLineError::NotExecutable(file.to_owned()))
        );
        assert!(file.ends_with("Cargo.toml"));
    }
}
