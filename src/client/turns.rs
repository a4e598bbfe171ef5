//! The turns of a game: a board comes, an answer goes, once, in time.
//!
//! This is the part that knows no sockets: it is told of boards and of the clock, and says what to
//! send. Not here: reading and connecting (`play`), the brain's thread (`worker`).

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::brain::{Answer, Tally};
use super::latency::Latency;
use super::live_log::{Entry, LiveLog};
use super::period::Period;
use super::worker::{Done, Job, Worker};
use crate::record::set_aside;

/// The first boards are answered within this time, whatever comes of it: how far apart they are is
/// the server's period, which an answer that is late from the start would hide for ever.
const LEARNING: Duration = Duration::from_millis(60);
const LEARNING_BOARDS: u64 = 2;
/// Boards saved a run at most.
const SAVED: u32 = 10;
/// What a decision may take before its board is worth keeping where the period is not known: the usual one.
const USUAL_PERIOD: Duration = Duration::from_secs(1);
/// A busy machine may take the brain's thread off for so long: below that nothing is said of a decision.
const STALL: Duration = Duration::from_millis(300);

/// A turn that was answered, for whoever watches.
#[derive(Debug)]
pub struct Played<'a> {
    /// Number of the board in this run, from 0.
    pub number: u64,
    /// The board's text.
    pub board: &'a str,
    /// What was sent.
    pub answer: &'a str,
    /// Why; empty if nobody decided in time.
    pub reasons: &'a [String],
    /// From the board's arrival to the answer's departure.
    pub took: Duration,
    /// Boards missed before this one.
    pub missed: u32,
    /// The hero's fortune so far.
    pub tally: Tally,
}

/// Called after every answer.
pub type Watcher = Box<dyn FnMut(&Played<'_>)>;

/// Counts of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// Boards answered.
    pub(super) ticks: u64,
    /// Boards that the server did not send because an answer was late, as far as can be told.
    pub(super) missed: u64,
    /// Boards answered without a decision: it was late, or it panicked.
    pub(super) undecided: u64,
    /// Panics among them.
    pub(super) panics: u64,
    pub(super) latency: Latency,
}

/// A board that waits for its answer.
struct Pending {
    number: u64,
    board: String,
    arrived: Instant,
    /// When an answer must go out.
    cut: Instant,
    missed: u32,
    offer: Arc<Mutex<Option<String>>>,
    /// Whether a late decision is worth a word: the first ones may be.
    learning: bool,
}

/// A board that was answered while its decision went on.
struct Overrun {
    number: u64,
    board: String,
    /// When the brain began with it.
    since: Instant,
    /// A decision that takes longer is a fault of its own; a shorter one was only late.
    limit: Duration,
}

/// What to do about the pending board.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing yet.
    Wait,
    /// Send this text, then call [`Turns::sent`].
    Send(Answer),
}

pub(super) struct Turns {
    worker: Worker,
    period: Period,
    /// The budget that was asked for, instead of one made of the period.
    fixed: Option<Duration>,
    /// Whether to learn the period from quick answers first.
    learn: bool,
    /// Whether the server waits for answers, so that no board can be missed.
    waits: bool,
    pending: Option<Pending>,
    overrun: Option<Overrun>,
    /// Arrival and answering time of the last board of this connection.
    last: Option<(Instant, Duration)>,
    number: u64,
    counts: Counts,
    log: Option<LiveLog>,
    watcher: Option<Watcher>,
    fault_directory: PathBuf,
    saved: u32,
}

impl Turns {
    pub(super) fn new(
        worker: Worker,
        fixed: Option<Duration>,
        learn: bool,
        waits: bool,
        fault_directory: PathBuf,
        log: Option<LiveLog>,
        watcher: Option<Watcher>,
    ) -> Self {
        Self {
            worker,
            period: Period::default(),
            fixed,
            learn,
            waits,
            pending: None,
            overrun: None,
            last: None,
            number: 0,
            counts: Counts::default(),
            log,
            watcher,
            fault_directory,
            saved: 0,
        }
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    pub(super) fn tally(&self) -> Tally {
        self.worker.tally()
    }

    pub(super) fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// A connection ended: the board it brought can be answered no more.
    pub(super) fn disconnected(&mut self) {
        self.pending = None;
        self.last = None;
    }

    /// A board came. One that still waited gives way: the server wants an answer to the new one.
    pub(super) fn board(&mut self, text: &str, round_trip: Option<Duration>) {
        let arrived = Instant::now();
        let mut missed = match self.last {
            Some((last, took)) if !self.waits => {
                let interval = arrived.saturating_duration_since(last);
                self.period.observe(interval, took)
            }
            _ => 0,
        };
        if self.pending.take().is_some() {
            log::warn!("a board came before the last one was answered");
            missed += 1;
        }
        if missed > 0 {
            log::warn!("{missed} boards missed: the answer before was too late");
        }
        self.counts.missed += u64::from(missed);
        let number = self.number;
        self.number += 1;
        let learning = self.learn && number < LEARNING_BOARDS;
        let usual = self.fixed.unwrap_or_else(|| self.period.budget(round_trip));
        let budget = if learning { usual.min(LEARNING) } else { usual };
        // What the brain may use: its answer has to get from its thread to the socket.
        let margin = (budget / 8).min(Duration::from_millis(15));
        let offer = Arc::new(Mutex::new(None));
        self.worker.submit(Job {
            number,
            board: text.to_owned(),
            missed,
            deadline: arrived + budget.saturating_sub(margin),
            offer: offer.clone(),
        });
        self.pending = Some(Pending {
            number,
            board: text.to_owned(),
            arrived,
            cut: arrived + budget,
            missed,
            offer,
            learning,
        });
    }

    /// Waits at most `time` for the decision, or for the time to be up.
    pub(super) fn step(&mut self, time: Duration) -> Step {
        let Some(pending) = &self.pending else {
            return Step::Wait;
        };
        let left = pending.cut.saturating_duration_since(Instant::now());
        match self.worker.wait(left.min(time)) {
            Some(done) if done.number == pending.number => match done.result {
                Ok(answer) => Step::Send(answer),
                Err(message) => {
                    let (number, board) = (pending.number, pending.board.clone());
                    let step = self.undecided(&format!("the decision panicked: {message}"), true);
                    self.counts.panics += 1;
                    self.save(number, &board);
                    step
                }
            },
            // A decision about a board that was answered without it: of no use any more.
            Some(done) => {
                self.settle(Some(done));
                Step::Wait
            }
            None => {
                self.settle(None);
                self.cut_off()
            }
        }
    }

    /// Answers the pending board without its decision if its time is up.
    fn cut_off(&mut self) -> Step {
        let Some(pending) = self
            .pending
            .as_ref()
            .filter(|pending| Instant::now() >= pending.cut)
        else {
            return Step::Wait;
        };
        let budget = pending.cut.saturating_duration_since(pending.arrived);
        let period = self.period.estimate().unwrap_or(USUAL_PERIOD);
        // A board that waited for the brain says nothing of its own decision.
        if let Some(since) = self.worker.busy_with(pending.number) {
            self.overrun = Some(Overrun {
                number: pending.number,
                board: pending.board.clone(),
                since,
                limit: period.max(budget).max(STALL),
            });
        }
        let tell = !pending.learning;
        self.undecided("the decision was not ready in time", tell)
    }

    /// Looks at the decision that went on behind its board's answer: `done` if it has come to an end,
    /// nothing if it still goes on. Its board is kept if it panicked or took more than a tick; on a busy
    /// machine a decision that is merely late is nobody's fault.
    fn settle(&mut self, done: Option<Done>) {
        let Some(overrun) = &self.overrun else {
            return;
        };
        let (took, panic) = match done {
            Some(done) if done.number != overrun.number => return,
            Some(done) => (done.took, done.result.err()),
            None => (overrun.since.elapsed(), None),
        };
        let over = took > overrun.limit;
        if panic.is_none() && !over && self.worker.busy_with(overrun.number).is_some() {
            return;
        }
        let Some(Overrun { number, board, .. }) = self.overrun.take() else {
            return;
        };
        if let Some(message) = panic {
            self.counts.panics += 1;
            log::warn!("board {number}: the late decision panicked: {message}");
            self.save(number, &board);
        } else if over {
            let took = took.as_millis();
            log::warn!("board {number}: the decision took {took} ms, more than a tick");
            self.save(number, &board);
        }
    }

    /// The answer to a board that nobody decided in time.
    fn undecided(&mut self, why: &str, tell: bool) -> Step {
        self.counts.undecided += 1;
        let Some(pending) = &self.pending else {
            return Step::Wait;
        };
        let offered = pending.offer.lock().ok().and_then(|mut offer| offer.take());
        if tell {
            let answer = offered.as_deref().unwrap_or_default();
            log::warn!("board {}: {why}; answered {answer:?}", pending.number);
        }
        Step::Send(Answer {
            text: offered.unwrap_or_default(),
            ..Answer::default()
        })
    }

    /// Keeps a board that went wrong, with the command that decides it again.
    fn save(&mut self, number: u64, board: &str) {
        if self.saved >= SAVED {
            return;
        }
        self.saved += 1;
        let path = self
            .fault_directory
            .join(format!("lodebot-fault-{number}.board"));
        // An earlier run may have had trouble with a board of the same number.
        let written = set_aside(&path).and_then(|_| fs::write(&path, format!("board={board}\n")));
        match written {
            Ok(()) => log::warn!("replay it with: lodebot decide {}", path.display()),
            Err(error) => log::warn!("the board is not saved: {}: {error}", path.display()),
        }
    }

    /// The answer is on its way.
    pub(super) fn sent(&mut self, answer: &Answer) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let took = pending.arrived.elapsed();
        self.worker.note_sent(pending.number, &answer.text);
        self.last = Some((pending.arrived, took));
        self.counts.ticks += 1;
        self.counts.latency.add(took);
        if let Some(log) = &mut self.log {
            log.add(&Entry {
                board: &pending.board,
                arrived: pending.arrived,
                took,
                missed: pending.missed,
                answer: &answer.text,
                reasons: &answer.reasons,
            });
        }
        let tally = self.worker.tally();
        if let Some(watcher) = &mut self.watcher {
            watcher(&Played {
                tally,
                number: pending.number,
                board: &pending.board,
                answer: &answer.text,
                reasons: &answer.reasons,
                took,
                missed: pending.missed,
            });
        }
    }

    /// A turn without a board was answered with nothing.
    pub(super) fn sent_nothing(&mut self) {
        self.last = None;
    }

    /// Closes the log; the counts stay.
    pub(super) fn finish(&mut self) {
        if self.overrun.is_some() {
            let done = self.worker.wait(Duration::ZERO);
            self.settle(done);
        }
        if let Some(log) = self.log.take() {
            log.finish();
        }
    }
}
