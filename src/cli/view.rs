//! The running game on a terminal: the board drawn over itself, tick by tick, with a line about the
//! score and one about the last decision. It never holds up the game: frames are drawn in a thread of
//! their own, and one that comes while the terminal is still busy is dropped.

use std::env;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use terminal_size::{Height, Width, terminal_size_of};

use crate::board::{Alphabet, Board, Cell, Element};

/// How long the end of the program waits for the last frame.
const LAST_FRAME: Duration = Duration::from_millis(300);

/// What is drawn in one tick.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// The board's text.
    pub(super) board: String,
    /// How to read it.
    pub(super) alphabet: Alphabet,
    /// Lines below the board; they are cut at the terminal's edge.
    pub(super) status: Vec<String>,
}

/// A view on stderr.
pub(super) struct View {
    scenes: Option<SyncSender<Scene>>,
    done: Receiver<()>,
}

impl View {
    /// A view, if stderr is a terminal.
    pub(super) fn on_terminal() -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let colored = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let (scenes, inbox) = sync_channel::<Scene>(1);
        let (end, done) = channel();
        let painter = move || {
            let mut drawn = 0;
            for scene in inbox {
                let (columns, rows) = terminal_size_of(io::stderr())
                    .map_or((80, 24), |(Width(width), Height(height))| (width, height));
                let lines = paint(&scene, usize::from(columns), usize::from(rows), colored);
                let mut text = String::new();
                if drawn > 0 {
                    // Back to where the last frame began.
                    let _ = write!(text, "\x1b[{drawn}A\r");
                }
                for line in &lines {
                    let _ = writeln!(text, "{line}\x1b[K");
                }
                text.push_str("\x1b[J");
                drawn = lines.len();
                if io::stderr().write_all(text.as_bytes()).is_err() {
                    break;
                }
            }
            let _ = end.send(());
        };
        let started = thread::Builder::new().name("view".into()).spawn(painter);
        started.ok().map(|_| Self {
            scenes: Some(scenes),
            done,
        })
    }

    /// Shows a scene, unless the terminal is still busy with an earlier one.
    pub(super) fn show(&self, scene: Scene) {
        if let Some(scenes) = &self.scenes {
            let _ = scenes.try_send(scene);
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.scenes = None;
        let _ = self.done.recv_timeout(LAST_FRAME);
    }
}

/// The lines of a frame that fits a terminal: the part of the board around the own hero, then the status.
fn paint(scene: &Scene, columns: usize, rows: usize, colored: bool) -> Vec<String> {
    let mut lines = Vec::new();
    // The cursor stands in a line of its own below the frame.
    let room = rows.saturating_sub(scene.status.len() + 1);
    match Board::parse_lenient(&scene.board, scene.alphabet) {
        Ok((board, _)) => {
            let size = board.size();
            let center = board.me().unwrap_or_else(|| size.cell(0, 0));
            let (left, top) = (
                start(size.x(center), columns, size.edge()),
                start(size.row(center), room, size.edge()),
            );
            for row in top..(top + room).min(size.edge()) {
                let across = left..(left + columns).min(size.edge());
                let cells = across.map(|x| size.cell(x, row));
                lines.push(row_text(&board, cells, scene.alphabet, colored));
            }
        }
        Err(error) => lines.push(error.to_string().chars().take(columns).collect()),
    }
    for status in &scene.status {
        lines.push(status.chars().take(columns).collect());
    }
    lines
}

/// Where a window of `length` begins so that `center` is in its middle, as far as `edge` allows.
fn start(center: usize, length: usize, edge: usize) -> usize {
    center
        .saturating_sub(length / 2)
        .min(edge.saturating_sub(length))
}

fn row_text(
    board: &Board,
    cells: impl Iterator<Item = Cell>,
    alphabet: Alphabet,
    colored: bool,
) -> String {
    let mut text = String::new();
    let mut now = "";
    for cell in cells {
        let element = board.at(cell);
        let color = if colored { color(element) } else { "" };
        if color != now {
            text.push_str("\x1b[0m");
            text.push_str(color);
            now = color;
        }
        text.push(alphabet.glyph(element).unwrap_or(' '));
    }
    if !now.is_empty() {
        text.push_str("\x1b[0m");
    }
    text
}

/// The escape sequence of an element's colour; nothing for the terminal's own.
fn color(element: Element) -> &'static str {
    match element {
        Element::Hero(..) if element.is_me() => "\x1b[1;32m",
        Element::Hero(..) => "\x1b[36m",
        Element::Monster(_) => "\x1b[1;31m",
        Element::Gold(_) => "\x1b[33m",
        Element::Stone | Element::Dug | Element::Closing(_) => "\x1b[2m",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let mut board = "☼".repeat(10);
        board += "☼#$      ☼☼########☼";
        board += &"☼        ☼".repeat(5);
        board += "☼      ► ☼";
        board += &"☼".repeat(10);
        Scene {
            board,
            alphabet: Alphabet::Classic,
            status: vec!["a status that is longer than narrow".into()],
        }
    }

    #[test]
    fn a_large_terminal_shows_everything() {
        let lines = paint(&scene(), 80, 24, false);
        assert_eq!(lines.len(), 11);
        assert!(
            lines[..10].iter().all(|line| line.chars().count() == 10),
            "{lines:?}"
        );
        assert_eq!(lines[10], "a status that is longer than narrow");
    }

    #[test]
    fn a_small_terminal_shows_the_part_around_the_hero() {
        let lines = paint(&scene(), 6, 5, false);
        assert_eq!(lines.len(), 4);
        assert!(
            lines.iter().all(|line| line.chars().count() == 6),
            "{lines:?}"
        );
        assert!(
            lines[..3].iter().any(|line| line.contains('►')),
            "{lines:?}"
        );
        assert_eq!(lines[3], "a stat");
        // However small it is, there is no panic.
        for (columns, rows) in [(0, 0), (1, 1), (1, 2), (3, 300)] {
            paint(&scene(), columns, rows, true);
        }
    }

    #[test]
    fn colours_end_where_they_began() {
        for line in paint(&scene(), 80, 24, true) {
            assert!(
                !line.contains('\x1b') || line.ends_with("\x1b[0m"),
                "{line:?}"
            );
        }
        let broken = Scene {
            board: "☼☼☼".into(),
            ..scene()
        };
        assert_eq!(paint(&broken, 80, 24, true).len(), 2);
    }
}
