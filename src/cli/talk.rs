//! Talk that never holds up a game: a terminal that takes no more (Ctrl-S, a selection with the mouse, a
//! pager) must not keep answers from the server. Lines go to a thread of their own, and those that find its
//! queue full are left out, which is told as soon as there is room again. Not here: what is said.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that wait for the terminal.
const QUEUE: usize = 256;
/// How long the end of the program waits for the last lines.
const LAST_LINES: Duration = Duration::from_millis(500);

enum Said {
    Line(Vec<u8>),
    /// Everything before this is out.
    End(Sender<()>),
}

/// Where a logger writes its lines.
pub(super) struct Talk {
    lines: SyncSender<Said>,
    left_out: u64,
}

/// The other end, for the end of the program.
pub(super) struct Talker {
    lines: SyncSender<Said>,
}

/// A writer to `out` that never waits; nothing if the system gives no thread.
pub(super) fn start(out: impl Write + Send + 'static) -> Option<(Talk, Talker)> {
    let (lines, inbox) = sync_channel(QUEUE);
    let started = thread::Builder::new()
        .name("talk".into())
        .spawn(move || write(out, &inbox));
    let talker = Talker {
        lines: lines.clone(),
    };
    started.ok().map(|_| (Talk { lines, left_out: 0 }, talker))
}

fn write(mut out: impl Write, inbox: &Receiver<Said>) {
    for said in inbox {
        match said {
            // If nobody listens any more the lines are of no use, but the game goes on.
            Said::Line(line) => {
                let _ = out.write_all(&line);
            }
            Said::End(done) => {
                let _ = done.send(());
            }
        }
    }
}

impl Write for Talk {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut text = Vec::new();
        if self.left_out > 0 {
            writeln!(text, "warn: {} lines are left out here", self.left_out)?;
        }
        text.extend_from_slice(line);
        match self.lines.try_send(Said::Line(text)) {
            Ok(()) => self.left_out = 0,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.left_out += 1,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Talker {
    /// Waits until everything said so far is out, but not for long.
    pub(super) fn finish(&self) {
        let deadline = Instant::now() + LAST_LINES;
        let (done, wait) = channel();
        let mut end = Said::End(done);
        while let Err(TrySendError::Full(back)) = self.lines.try_send(end) {
            if Instant::now() >= deadline {
                return;
            }
            end = back;
            thread::sleep(Duration::from_millis(5));
        }
        let _ = wait.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, MutexGuard};

    use super::*;

    /// A terminal that takes nothing while somebody holds it.
    #[derive(Clone, Default)]
    struct Terminal(Arc<Mutex<Vec<u8>>>);

    impl Terminal {
        fn hold(&self) -> MutexGuard<'_, Vec<u8>> {
            self.0.lock().unwrap()
        }
    }

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.hold().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// As a logger does it: one call a line.
    fn say(talk: &mut Talk, line: &str) {
        talk.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    #[test]
    fn nobody_waits_for_a_terminal_and_what_is_left_out_is_told() {
        let terminal = Terminal::default();
        let (mut talk, talker) = start(terminal.clone()).unwrap();
        let held = terminal.hold();
        // One line more than the queue may be in the thread's hands already.
        for number in 0..QUEUE + 10 {
            say(&mut talk, &format!("line {number}"));
        }
        drop(held);
        talker.finish();
        say(&mut talk, "the last");
        talker.finish();
        let text = String::from_utf8(terminal.hold().clone()).unwrap();
        assert!(text.starts_with("line 0\nline 1\n"), "{text}");
        assert!(
            text.ends_with(" lines are left out here\nthe last\n"),
            "{text}"
        );
        let lines = text.lines().count();
        assert!((QUEUE + 2..=QUEUE + 3).contains(&lines), "{lines}");
    }

    #[test]
    fn the_end_waits_for_the_lines_but_not_for_ever() {
        let terminal = Terminal::default();
        let (mut talk, talker) = start(terminal.clone()).unwrap();
        for number in 0..20 {
            say(&mut talk, &format!("line {number}"));
        }
        talker.finish();
        assert!(terminal.hold().ends_with(b"line 19\n"));
        let held = terminal.hold();
        say(&mut talk, "lost");
        talker.finish();
        assert!(held.ends_with(b"line 19\n"));
    }
}
