//! Connecting, reading, sending, connecting again: the loop of a live game.
//!
//! There is never more than one connection: the old one is shut down before the next is opened.
//! Nothing here waits longer than [`LOOK`] without looking whether to stop. Not here: what to
//! answer and when (`turns`).

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::brain::{Brain, Tally};
use super::latency::Latency;
use super::live_log::LiveLog;
use super::turns::{Step, Turns, Watcher};
use super::worker::Worker;
use crate::board::excerpt;
use crate::net::frame::Frame;
use crate::net::link::Link;
use crate::net::socket;
use crate::net::socket::{Broken, ConnectError, Event, Socket};

/// The longest wait before looking at the stop flag.
const LOOK: Duration = Duration::from_millis(50);
/// The longest wait for a decision before the socket is read again: a server's ping is answered then.
const SLICE: Duration = Duration::from_millis(20);
/// How long the goodbye may take.
const GOODBYE: Duration = Duration::from_millis(500);
/// A refusal (wrong code, unknown address) is asked about this many times slower than an outage.
const SLOWER: u32 = 3;

/// How to play.
pub struct Options {
    /// Whom to play as, and where.
    pub link: Link,
    /// How to connect.
    pub connect: socket::Options,
    /// Without a board for so long the connection is given up and made anew.
    pub silence: Duration,
    /// The wait before the first attempt to connect again; it doubles up to `retry_to`.
    pub retry_from: Duration,
    /// The longest wait between attempts; three times that after a refusal.
    pub retry_to: Duration,
    /// Time for an answer; nothing: a good half of the period seen, at most 450 ms.
    pub deadline: Option<Duration>,
    /// Answer the first two boards at once to learn the server's period. Of no use where the server
    /// waits, or where the period is known.
    pub learn: bool,
    /// The server is known to wait for answers: no board can be missed.
    pub waits: bool,
    /// Stop after so many boards.
    pub ticks: Option<u64>,
    /// Where boards are saved whose decision failed.
    pub fault_directory: PathBuf,
    /// Set from outside (Ctrl-C) to leave.
    pub stop: Arc<AtomicBool>,
    /// Where the game is recorded.
    pub log: Option<LiveLog>,
    /// Called after every answer.
    pub watcher: Option<Watcher>,
}

impl Options {
    /// The usual, for this address.
    pub fn new(link: Link) -> Self {
        Self {
            link,
            connect: socket::Options::default(),
            silence: Duration::from_secs(30),
            retry_from: Duration::from_secs(1),
            retry_to: Duration::from_secs(10),
            deadline: None,
            learn: true,
            waits: false,
            ticks: None,
            fault_directory: PathBuf::from("."),
            stop: Arc::new(AtomicBool::new(false)),
            log: None,
            watcher: None,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Boards answered.
    pub ticks: u64,
    /// Boards missed, as far as can be told.
    pub missed: u64,
    /// Boards answered without a decision.
    pub undecided: u64,
    /// Panics of the decision among them.
    pub panics: u64,
    /// What is known about the hero's fortune.
    pub tally: Tally,
    /// Connections made after the first.
    pub reconnects: u64,
    /// From a board's arrival to its answer's departure.
    pub latency: Latency,
}

impl fmt::Display for Summary {
    /// The line that `play` ends with.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "played: ticks={} score={} gold={} deaths={} missed={}",
            self.ticks, self.tally.score, self.tally.gold, self.tally.deaths, self.missed
        )
    }
}

impl Summary {
    /// The second line: how fast, how steady.
    pub fn timing(&self) -> String {
        format!(
            "answered in ms: {}; undecided={} panics={} reconnects={}",
            self.latency, self.undecided, self.panics, self.reconnects
        )
    }
}

/// Why a connection is over.
enum End {
    /// We leave.
    Stopped,
    /// Try again.
    Broken(Broken),
    /// No board for too long; whether the socket still lived.
    Silent(bool),
}

/// Plays until `options.stop` is set or `options.ticks` boards are answered.
///
/// # Errors
/// Only if the system gives no thread: everything else is waited for.
pub fn play(
    options: Options,
    make: impl Fn() -> Box<dyn Brain> + Send + Sync + 'static,
) -> io::Result<Summary> {
    let worker = Worker::start(Arc::new(make))?;
    let turns = Turns::new(
        worker,
        options.deadline,
        options.learn,
        options.waits,
        options.fault_directory,
        options.log,
        options.watcher,
    );
    let mut game = Game {
        turns,
        link: options.link,
        connect: options.connect,
        silence: options.silence,
        ticks: options.ticks,
        stop: options.stop,
        connections: 0,
        odd_frames: 0,
    };
    let mut wait = options.retry_from;
    while !game.is_over() {
        let answered = game.turns.counts().ticks;
        let pause = match game.connect() {
            None => break,
            Some(Err(error)) => {
                let refused = matches!(error, ConnectError::Rejected { .. });
                let pause = if refused {
                    options.retry_to * SLOWER
                } else {
                    wait
                };
                log::warn!("no connection: {error}; trying again in {}", seconds(pause));
                pause
            }
            Some(Ok(socket)) => {
                let end = game.converse(socket);
                game.turns.disconnected();
                if game.turns.counts().ticks > answered {
                    wait = options.retry_from;
                }
                match end {
                    End::Stopped => break,
                    End::Broken(why) => {
                        let why = game.link.hide(&why.to_string());
                        log::warn!("{why}; connecting again in {}", seconds(wait));
                    }
                    End::Silent(alive) => {
                        let state = if alive { "is alive but" } else { "is" };
                        let silence = seconds(game.silence);
                        log::warn!("the server {state} silent for {silence}; connecting again");
                    }
                }
                wait
            }
        };
        wait = (wait * 2).min(options.retry_to);
        game.sleep(pause);
    }
    game.turns.finish();
    Ok(game.summary())
}

fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

/// A run: its turns, over any number of connections.
struct Game {
    turns: Turns,
    link: Link,
    connect: socket::Options,
    silence: Duration,
    ticks: Option<u64>,
    stop: Arc<AtomicBool>,
    connections: u64,
    odd_frames: u32,
}

impl Game {
    fn is_over(&self) -> bool {
        let played = self.turns.counts().ticks;
        self.stop.load(Ordering::SeqCst) || self.ticks.is_some_and(|ticks| played >= ticks)
    }

    /// Sleeps, unless told to stop.
    fn sleep(&self, time: Duration) {
        let end = Instant::now() + time;
        while !self.is_over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(LOOK));
        }
    }

    /// Connects in a thread of its own, so that a stop need not wait for resolver and network. Nothing
    /// comes back if told to stop; what the thread still opens is shut at once.
    fn connect(&mut self) -> Option<Result<Socket, ConnectError>> {
        let (sender, receiver) = mpsc::channel();
        let (link, options) = (self.link.clone(), self.connect);
        let spawned = thread::Builder::new()
            .name("connect".into())
            .spawn(move || {
                // A socket that nobody takes is dropped here, and so closed.
                let _ = sender.send(Socket::connect(&link, &options));
            });
        if let Err(error) = spawned {
            return Some(Err(ConnectError::Unreachable(error)));
        }
        loop {
            if self.is_over() {
                return None;
            }
            match receiver.recv_timeout(LOOK) {
                Ok(Ok(socket)) => {
                    self.connections += 1;
                    log::info!("connected to {}", self.link);
                    return Some(Ok(socket));
                }
                Ok(Err(error)) => return Some(Err(error)),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    return Some(Err(ConnectError::TimedOut));
                }
            }
        }
    }

    /// Talks over one connection until it ends. The socket is shut when this returns.
    fn converse(&mut self, mut socket: Socket) -> End {
        let mut last_board = Instant::now();
        let mut last_life = Instant::now();
        let mut warned = false;
        loop {
            if self.is_over() {
                socket.close(GOODBYE);
                return End::Stopped;
            }
            let mut wait = LOOK;
            if self.turns.has_pending() {
                if let Step::Send(answer) = self.turns.step(SLICE) {
                    if let Err(broken) = socket.send(&answer.text) {
                        return End::Broken(broken);
                    }
                    self.turns.sent(&answer);
                    continue;
                }
                wait = Duration::from_millis(1);
            }
            match socket.read(wait) {
                Ok(Event::Text(text)) => {
                    last_life = Instant::now();
                    let frame = Frame::of(text.as_str());
                    if frame.is_turn() {
                        last_board = last_life;
                        warned = false;
                    }
                    if let Err(broken) = self.receive(&mut socket, &frame) {
                        return End::Broken(broken);
                    }
                }
                Ok(Event::Binary(bytes)) => {
                    last_life = Instant::now();
                    self.tell_odd(&format!("a binary message of {bytes} bytes"));
                }
                Ok(Event::Alive) => last_life = Instant::now(),
                Ok(Event::Quiet) => {}
                Err(broken) => return End::Broken(broken),
            }
            let silent = last_board.elapsed();
            if silent >= self.silence {
                return End::Silent(last_life.elapsed() < self.silence);
            }
            if silent >= self.silence / 3 && !warned {
                warned = true;
                log::warn!(
                    "no board for {}: paused, removed from the game, or not registered?",
                    seconds(self.silence / 3)
                );
            }
        }
    }

    fn receive(&mut self, socket: &mut Socket, frame: &Frame<'_>) -> Result<(), Broken> {
        match frame {
            Frame::Board(text) => self.turns.board(text, socket.round_trip()),
            Frame::Layers(text) => self.turns.board(text, socket.round_trip()),
            Frame::NoBoard => {
                self.tell_odd("a turn without a board");
                socket.send("")?;
                self.turns.sent_nothing();
            }
            Frame::Empty => self.tell_odd("an empty frame"),
            Frame::Other(text) => {
                let shown = self.link.hide(&excerpt(text, 120));
                self.tell_odd(&format!("a frame that is no board: {shown:?}"));
            }
        }
        Ok(())
    }

    /// Says that something odd came; not more than a few times, in case it never ends.
    fn tell_odd(&mut self, what: &str) {
        self.odd_frames += 1;
        if self.odd_frames <= 8 {
            log::warn!("the server sent {what}; ignored");
        }
    }

    fn summary(&self) -> Summary {
        let counts = self.turns.counts();
        Summary {
            ticks: counts.ticks,
            missed: counts.missed,
            undecided: counts.undecided,
            panics: counts.panics,
            tally: self.turns.tally(),
            reconnects: self.connections.saturating_sub(1),
            latency: counts.latency.clone(),
        }
    }
}
