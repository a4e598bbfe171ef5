//! The live client's turns when the brain fails: late, panicking, hanging, or overtaken by the
//! connection. The networks' faults are tested in `live.rs`.
#![allow(clippy::unwrap_used)]

mod faulty;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use faulty::Faulty;
use lodebot::client::{Answer, Brain, Options, Summary, Tally, Turn, play};
use lodebot::net::link::Link;
use tungstenite::Message;

/// A brain that answers with the board's own text, so that an answer tells which board it is for. The
/// board says what is to go wrong.
struct Parrot {
    asked: u32,
    notes: Arc<Mutex<Vec<String>>>,
}

impl Brain for Parrot {
    fn decide(&mut self, turn: &Turn<'_>) -> Answer {
        let note = format!("{} missed={} sent={:?}", turn.board, turn.missed, turn.sent);
        self.notes.lock().unwrap().push(note);
        self.asked += 1;
        if let Some(milliseconds) = turn.board.strip_prefix("sleep ") {
            thread::sleep(Duration::from_millis(milliseconds.parse().unwrap()));
        }
        if turn.board.starts_with("offer") {
            turn.offer("first idea");
            thread::sleep(Duration::from_millis(400));
        }
        if turn.board == "late panic" {
            thread::sleep(Duration::from_millis(300));
        }
        assert!(!turn.board.contains("panic"), "the board says so");
        let tally = Tally {
            score: 1,
            gold: u64::from(self.asked),
            deaths: 0,
        };
        Answer {
            text: turn.board.to_owned(),
            reasons: Vec::new(),
            tally,
        }
    }
}

struct Run {
    handle: JoinHandle<Summary>,
    stop: Arc<AtomicBool>,
    notes: Arc<Mutex<Vec<String>>>,
    made: Arc<AtomicU32>,
    directory: tempfile::TempDir,
}

impl Run {
    fn start(server: &Faulty, deadline: Duration, learn: bool) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (notes, made) = (
            Arc::new(Mutex::new(Vec::new())),
            Arc::new(AtomicU32::new(0)),
        );
        let (inner, count) = (notes.clone(), made.clone());
        let parrot = move || -> Box<dyn Brain> {
            count.fetch_add(1, Ordering::SeqCst);
            Box::new(Parrot {
                asked: 0,
                notes: inner.clone(),
            })
        };
        let (link, path, flag) = (
            Link::parse(&server.url()).unwrap(),
            directory.path().to_owned(),
            stop.clone(),
        );
        // Options hold a watcher, which need not be sendable, so they are made where they are used.
        let handle = thread::spawn(move || {
            let mut options = Options::new(link);
            options.retry_from = ms(30);
            options.deadline = Some(deadline);
            options.learn = learn;
            options.fault_directory = path;
            options.stop = flag;
            play(options, parrot).unwrap()
        });
        Self {
            handle,
            stop,
            notes,
            made,
            directory,
        }
    }

    /// The boards kept for a closer look, with their numbers.
    fn kept(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.directory.path()).unwrap();
        let mut kept: Vec<String> = files
            .map(|file| {
                let file = file.unwrap();
                let name = file.file_name().into_string().unwrap();
                let number = name.strip_prefix("lodebot-fault-").unwrap();
                let number = number.strip_suffix(".board").unwrap();
                let text = std::fs::read_to_string(file.path()).unwrap();
                format!("{number}: {text}")
            })
            .collect();
        kept.sort();
        kept
    }

    fn finish(self) -> (Summary, Vec<String>) {
        self.stop.store(true, Ordering::SeqCst);
        let summary = self.handle.join().unwrap();
        let notes = self.notes.lock().unwrap().clone();
        (summary, notes)
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

#[test]
fn a_late_decision_is_replaced_in_time_and_never_sent_for_another_board() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(150), false);
    let mut peer = server.accept();
    peer.text("board=one");
    assert_eq!(peer.answer(), "one");
    let started = Instant::now();
    peer.text("board=sleep 400");
    assert_eq!(peer.answer(), "");
    assert!(
        started.elapsed() >= ms(140) && started.elapsed() < ms(390),
        "{:?}",
        started.elapsed()
    );
    // The brain is still busy with that one: this board is answered in time all the same.
    peer.text("board=two");
    assert_eq!(peer.answer(), "");
    thread::sleep(ms(300));
    peer.no_answer();
    peer.text("board=three");
    assert_eq!(peer.answer(), "three");
    peer.no_answer();
    // It took less than a tick of the usual server: late, but no fault.
    assert_eq!(run.kept(), [""; 0]);
    let (summary, notes) = run.finish();
    assert_eq!(
        (summary.ticks, summary.undecided, summary.panics),
        (4, 2, 0)
    );
    assert_eq!(summary.tally.gold, 3);
    assert_eq!(
        notes,
        [
            "one missed=0 sent=None",
            "sleep 400 missed=0 sent=Some(\"one\")",
            // It did not see "two", and learns what was sent for the one it was late with.
            "three missed=1 sent=Some(\"\")",
        ]
    );
}

#[test]
fn a_panic_costs_one_decision_and_its_board_is_kept() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(150), false);
    let mut peer = server.accept();
    peer.text("board=one");
    assert_eq!(peer.answer(), "one");
    let started = Instant::now();
    peer.text("board=panic now");
    assert_eq!(peer.answer(), "");
    assert!(
        started.elapsed() < ms(140),
        "a panic need not wait for the deadline"
    );
    peer.text("board=two");
    assert_eq!(peer.answer(), "two");
    assert_eq!(run.made.load(Ordering::SeqCst), 2);
    assert_eq!(run.kept(), ["1: board=panic now\n"]);
    let (summary, _) = run.finish();
    assert_eq!(
        (summary.ticks, summary.undecided, summary.panics),
        (3, 1, 1)
    );
    // What the brain that panicked had counted is not lost.
    assert_eq!((summary.tally.score, summary.tally.gold), (2, 2));
}

#[test]
fn a_panic_behind_the_answer_is_told_and_kept_too() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(100), false);
    let mut peer = server.accept();
    peer.text("board=late panic");
    assert_eq!(peer.answer(), "");
    thread::sleep(ms(400));
    assert_eq!(run.kept(), [""; 0]);
    peer.text("board=two");
    assert_eq!(peer.answer(), "two");
    assert_eq!(run.kept(), ["0: board=late panic\n"]);
    let (summary, _) = run.finish();
    assert_eq!(
        (summary.ticks, summary.undecided, summary.panics),
        (2, 1, 1)
    );
}

/// On a busy machine decisions are late through no fault of theirs; one that takes more than a tick is a fault.
#[test]
fn a_board_is_kept_if_its_decision_took_longer_than_a_tick() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(100), false);
    let mut peer = server.accept();
    for board in ["one", "two", "three", "four"] {
        peer.text(&format!("board={board}"));
        assert_eq!(peer.answer(), board);
        thread::sleep(ms(300));
    }
    for (board, pause) in [("sleep 150", 300), ("sleep 900", 1000)] {
        peer.text(&format!("board={board}"));
        assert_eq!(peer.answer(), "");
        thread::sleep(ms(pause));
        peer.text("board=next");
        assert_eq!(peer.answer(), "next");
    }
    assert_eq!(run.kept(), ["6: board=sleep 900\n"]);
    run.finish();
}

#[test]
fn the_best_answer_so_far_is_sent_when_time_is_up() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(150), false);
    let mut peer = server.accept();
    peer.text("board=offer");
    assert_eq!(peer.answer(), "first idea");
    peer.no_answer();
    run.finish();
}

/// A server that drops those who do not answer its pings while they think.
#[test]
fn pings_are_answered_while_the_brain_thinks() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(900), false);
    let mut peer = server.accept();
    peer.text("board=sleep 500");
    for _ in 0..5 {
        let sent = Instant::now();
        peer.0.send(Message::Ping(vec![1].into())).unwrap();
        assert!(matches!(peer.0.read().unwrap(), Message::Pong(_)));
        assert!(sent.elapsed() < ms(90), "{:?}", sent.elapsed());
    }
    assert_eq!(peer.answer(), "sleep 500");
    run.finish();
}

/// The old connection's decision must not be sent on the new one.
#[test]
fn a_connection_that_ends_while_the_brain_thinks_leaves_no_answer_behind() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(600), false);
    let mut peer = server.accept();
    peer.text("board=sleep 300");
    thread::sleep(ms(50));
    drop(peer);
    let mut peer = server.accept();
    peer.text("board=new");
    assert_eq!(peer.answer(), "new");
    thread::sleep(ms(100));
    peer.no_answer();
    let (summary, _) = run.finish();
    assert_eq!((summary.ticks, summary.reconnects), (1, 1));
}

/// Two boards at once (a server without the turn rule): one answer, for the newer one.
#[test]
fn a_board_that_overtakes_another_gets_the_only_answer() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(150), false);
    let mut peer = server.accept();
    peer.text("board=sleep 60");
    thread::sleep(ms(10));
    peer.text("board=second");
    assert_eq!(peer.answer(), "second");
    peer.no_answer();
    let (summary, _) = run.finish();
    assert_eq!((summary.ticks, summary.missed), (1, 1));
}

/// 100 ms a tick and answers after 130: every second board is missed, and the client says so.
#[test]
fn boards_missed_by_late_answers_are_counted() {
    let server = Faulty::start();
    let run = Run::start(&server, ms(130), true);
    let mut peer = server.accept();
    let answered = AtomicUsize::new(0);
    let mut next = Instant::now();
    let mut free = true;
    peer.0.get_ref().set_read_timeout(Some(ms(5))).unwrap();
    for tick in 0..20 {
        if free {
            // Learning goes undisturbed, then the brain is always late.
            peer.text(if tick < 3 {
                "board=quick"
            } else {
                "board=sleep 300"
            });
            free = false;
        }
        next += ms(100);
        while Instant::now() < next {
            if let Ok(Message::Text(_)) = peer.0.read() {
                answered.fetch_add(1, Ordering::SeqCst);
                free = true;
            }
        }
    }
    let (summary, _) = run.finish();
    let missed = summary.missed;
    assert!((6..=9).contains(&missed), "{summary:?}");
}
