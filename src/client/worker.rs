//! The brain's thread: takes boards, gives decisions, and may panic or hang without harm.
//!
//! While it is busy the newest board waits (older ones it never sees). Not here: what to send when
//! nothing comes in time (`turns`).

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use super::brain::{Answer, Brain, Tally, Turn};

/// Makes a brain: at the start, and after each panic.
pub(super) type Maker = Arc<dyn Fn() -> Box<dyn Brain> + Send + Sync>;

/// The name of the brain's thread; the panic hook knows it by that.
const NAME: &str = "brain";
/// A brain busy for so long is left alone for ever, and a new one made. Doubles each time.
const PATIENCE: Duration = Duration::from_secs(10);

/// One board for the brain.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) board: String,
    pub(super) missed: u32,
    pub(super) deadline: Instant,
    /// The best answer so far, readable while the brain works.
    pub(super) offer: Arc<Mutex<Option<String>>>,
}

/// What became of a job.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) number: u64,
    /// How long it took.
    pub(super) took: Duration,
    /// The decision, or the panic's message.
    pub(super) result: Result<Answer, String>,
}

#[derive(Debug)]
struct Order {
    job: Job,
    sent: Option<String>,
}

/// The handle of the brain's thread.
pub(super) struct Worker {
    make: Maker,
    orders: Sender<Order>,
    results: Receiver<Done>,
    busy: Option<(u64, Instant)>,
    waiting: Option<Job>,
    /// Boards since the last one the brain saw.
    unseen: u32,
    /// Number of the last board the brain saw, and what was sent for it.
    seen: Option<u64>,
    sent: Option<String>,
    patience: Duration,
    /// Counts of brains that are gone.
    past: Tally,
    present: Tally,
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(super) fn start(make: Maker) -> std::io::Result<Self> {
        quiet_panics();
        let (orders, results) = spawn(make.clone())?;
        Ok(Self {
            make,
            orders,
            results,
            busy: None,
            waiting: None,
            unseen: 0,
            seen: None,
            sent: None,
            patience: PATIENCE,
            past: Tally::default(),
            present: Tally::default(),
        })
    }

    /// Hands a board over, at once or as soon as the brain is free.
    pub(super) fn submit(&mut self, mut job: Job) {
        self.pass_over();
        job.missed += std::mem::take(&mut self.unseen);
        let stuck = self
            .busy
            .is_some_and(|(_, since)| since.elapsed() >= self.patience);
        if stuck {
            self.replace();
        }
        if self.busy.is_some() {
            self.waiting = Some(job);
        } else {
            self.order(job);
        }
    }

    /// The board that waits is one that the brain will not see.
    fn pass_over(&mut self) {
        if let Some(job) = self.waiting.take() {
            self.unseen += job.missed + 1;
        }
    }

    fn order(&mut self, job: Job) {
        self.busy = Some((job.number, Instant::now()));
        self.seen = Some(job.number);
        let sent = self.sent.take();
        if self.orders.send(Order { job, sent }).is_err() {
            self.replace();
        }
    }

    /// Gives up on a thread that hangs or is gone.
    fn replace(&mut self) {
        log::error!("the decision hangs; starting afresh");
        self.patience *= 2;
        match spawn(self.make.clone()) {
            Ok((orders, results)) => {
                (self.orders, self.results) = (orders, results);
                self.busy = None;
                self.seen = None;
                self.sent = None;
                self.retire();
            }
            Err(error) => log::error!("no thread for a new brain: {error}"),
        }
    }

    /// Since when the brain has been busy with this board, if it is.
    pub(super) fn busy_with(&self, number: u64) -> Option<Instant> {
        let (busy, since) = self.busy?;
        (busy == number).then_some(since)
    }

    fn retire(&mut self) {
        self.past = self.past.plus(self.present);
        self.present = Tally::default();
    }

    /// Tells what was really sent for a board.
    pub(super) fn note_sent(&mut self, number: u64, text: &str) {
        // Boards that the brain never sees are answered with nothing; it is told of the last it saw.
        if self.seen == Some(number) {
            self.sent = Some(text.to_owned());
        }
    }

    /// Waits at most `time` for the next thing done.
    pub(super) fn wait(&mut self, time: Duration) -> Option<Done> {
        match self.results.recv_timeout(time) {
            Ok(done) => {
                self.busy = None;
                if let Ok(answer) = &done.result {
                    self.present = answer.tally;
                } else {
                    self.retire();
                    self.seen = None;
                    self.sent = None;
                }
                match self.waiting.take() {
                    Some(job) if job.deadline > Instant::now() => self.order(job),
                    late => {
                        self.waiting = late;
                        self.pass_over();
                    }
                }
                Some(done)
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.replace();
                None
            }
        }
    }

    /// The running count over all brains.
    pub(super) fn tally(&self) -> Tally {
        self.past.plus(self.present)
    }
}

fn spawn(make: Maker) -> std::io::Result<(Sender<Order>, Receiver<Done>)> {
    let (orders, order) = channel::<Order>();
    let (done, results) = channel();
    thread::Builder::new().name(NAME.into()).spawn(move || {
        let mut brain: Option<Box<dyn Brain>> = None;
        for Order { job, sent } in order {
            let since = Instant::now();
            // Whatever state a panic leaves behind is thrown away with the brain.
            let result = panic::catch_unwind(AssertUnwindSafe(|| {
                let brain = brain.get_or_insert_with(|| make());
                brain.decide(&Turn {
                    board: &job.board,
                    number: job.number,
                    missed: job.missed,
                    sent: sent.as_deref(),
                    deadline: job.deadline,
                    offer: &job.offer,
                })
            }));
            let result = result.map_err(|payload| {
                brain = None;
                message(payload.as_ref())
            });
            if done
                .send(Done {
                    number: job.number,
                    took: since.elapsed(),
                    result,
                })
                .is_err()
            {
                return;
            }
        }
    })?;
    Ok((orders, results))
}

thread_local! {
    /// Where the last panic of this thread happened.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    let place = PLACE.with(RefCell::take);
    format!("{text} ({place})")
}

/// A panic of the brain is told in one line by the loop, not in a trace by the runtime.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() == Some(NAME) {
                let place = info
                    .location()
                    .map_or_else(String::new, ToString::to_string);
                PLACE.with(|kept| *kept.borrow_mut() = place);
            } else {
                usual(info);
            }
        }));
    });
}
