//! The live client's own game log: the boards it saw and what it answered, in the one format of all
//! recordings (`GAMELOG` section 6).
//!
//! A new game begins with the first board and whenever the size changes. Not here: the format.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::board::{Board, Element};
use crate::dialect::Candidates;
use crate::record::{Header, TickLine, Writer};

/// See the module.
pub struct LiveLog {
    writer: Option<Writer>,
    candidates: Candidates,
    start: Instant,
    /// Edge of the boards of the game that is being written.
    size: Option<usize>,
    games: u32,
    next: u64,
    /// The answer to the last board: the command of the next line.
    answer: Option<String>,
    broken: Arc<AtomicBool>,
}

/// One answered board.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) board: &'a str,
    pub(super) arrived: Instant,
    pub(super) took: Duration,
    pub(super) missed: u32,
    pub(super) answer: &'a str,
    pub(super) reasons: &'a [String],
}

impl LiveLog {
    /// Writes to `writer`; the candidates tell the dialect. A game begins anew when another one is found out.
    pub fn new(writer: Writer, candidates: Candidates) -> Self {
        Self {
            writer: Some(writer),
            candidates,
            start: Instant::now(),
            size: None,
            games: 0,
            next: 0,
            answer: None,
            broken: Arc::default(),
        }
    }

    /// Set once something could not be written: the game goes on, but not all of it is recorded.
    pub fn broken(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.broken)
    }

    /// Adds a board with its answer. Boards that cannot be read are left out: no game has them.
    pub(super) fn add(&mut self, entry: &Entry<'_>) {
        let Some(writer) = &mut self.writer else {
            return;
        };
        if self.candidates.observe(entry.board) {
            self.size = None;
        }
        let rules = self.candidates.rules();
        let Ok((board, _)) = Board::parse_lenient(entry.board, rules.alphabet) else {
            return;
        };
        let size = board.size().edge();
        let mut result = Ok(());
        if self.size != Some(size) {
            let map = terrain(&board).rows(rules.alphabet);
            let map = map.lines().map(str::to_owned).collect();
            let mut header = Header::new(format!("live-{}", self.games), rules.name, map);
            header.players = 1;
            result = writer.header(&header);
            self.size = Some(size);
            self.games += 1;
            self.next = 0;
            self.answer = None;
        }
        // The very text, unless it came with line ends.
        let text = if entry.board.chars().count() == size * size {
            entry.board.to_owned()
        } else {
            board.render(rules.alphabet)
        };
        let line = TickLine {
            t: self.next,
            cmd: self.answer.take().map(Some).into_iter().collect(),
            boards: vec![Some(text)],
            at: Some(milliseconds(
                entry.arrived.saturating_duration_since(self.start),
            )),
            took: Some(milliseconds(entry.took)),
            late: (entry.missed > 0).then_some(entry.missed),
            why: entry.reasons.to_vec(),
            ..TickLine::default()
        };
        if let Err(error) = result.and_then(|()| writer.tick(&line)) {
            log::error!("{error}: the game is not recorded any further");
            self.writer = None;
            self.broken.store(true, Ordering::Relaxed);
        }
        self.next += 1;
        self.answer = Some(entry.answer.to_owned());
    }

    /// Closes the file.
    pub(super) fn finish(self) {
        if let Some(writer) = self.writer
            && let Err(error) = writer.finish()
        {
            log::error!("{error}");
            self.broken.store(true, Ordering::Relaxed);
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The level as far as a board shows it: what is under a figure if its picture tells, monsters and
/// heroes as marks of their starts otherwise.
fn terrain(board: &Board) -> Board {
    let mut map = board.clone();
    for (cell, element) in board.iter() {
        let under = if element.shows_brick() {
            Element::Brick
        } else if element.shows_ladder() {
            Element::Ladder
        } else if element.shows_pipe() {
            Element::Pipe
        } else {
            continue;
        };
        map.set(cell, under);
    }
    map
}
