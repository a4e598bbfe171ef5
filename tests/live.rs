//! The real binary against servers that fail in every way met in the field. How the client treats a
//! brain that fails is tested in `turns.rs`.
#![allow(clippy::unwrap_used)]

mod faulty;
#[cfg(feature = "tools")]
mod served;

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use faulty::{BOARD, CODE, Faulty, LONG, url};
use tungstenite::Message;

/// A running `lodebot play`, killed if the test fails.
struct Play(Option<Child>);

impl Play {
    fn start(url: &str, options: &[&str]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
            .args(["play", url, "--retry-from", "0.05", "--retry-to", "0.2"])
            .args(options)
            // Boards kept for a closer look are not for the sources' folder.
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self(Some(child))
    }

    /// Waits for its end, which must be a good one; gives stdout and stderr.
    fn finish(mut self) -> (String, String) {
        let mut child = self.0.take().unwrap();
        let end = Instant::now() + LONG;
        while child.try_wait().unwrap().is_none() {
            if Instant::now() > end {
                child.kill().unwrap();
                panic!("it does not end: {:?}", child.wait_with_output().unwrap());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        let (out, err) = (
            String::from_utf8(stdout).unwrap(),
            String::from_utf8(stderr).unwrap(),
        );
        assert!(status.success(), "{status}: {err}");
        assert!(
            !out.contains(CODE) && !err.contains(CODE),
            "the code is shown: {out}{err}"
        );
        (out, err)
    }

    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let id = self.0.as_ref().unwrap().id().to_string();
        let status = Command::new("kill").args([name, &id]).status();
        assert!(status.unwrap().success());
    }

    #[cfg(unix)]
    fn terminate(&self) {
        self.signal("-TERM");
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
        }
    }
}

fn last_line(out: &str) -> &str {
    out.lines().last().unwrap_or_default()
}

#[test]
fn a_server_that_is_down_is_waited_for() {
    let server = Faulty::start();
    let port = server.port();
    drop(server);
    let play = Play::start(&url(port), &["--ticks", "3"]);
    std::thread::sleep(Duration::from_millis(500));
    let server = Faulty::at(port);
    let mut peer = server.accept();
    for _ in 0..3 {
        peer.turn();
    }
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(
        err.contains("cannot be reached") && err.contains("trying again in"),
        "{err}"
    );
    assert!(
        last_line(&out).starts_with("played: ticks=3 score="),
        "{out}"
    );
    assert!(err.contains("reconnects=0"), "{err}");
}

#[test]
fn a_refusal_is_told_in_the_server_s_words_and_asked_about_slowly() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--ticks", "1"]);
    let said = format!("Unauthorized access. Nobody has the code {CODE}.");
    server.refuse(
        "401 Unauthorized",
        &format!("<html><body><p>Reason: {said}</p></body></html>"),
    );
    let refused = Instant::now();
    server.refuse("500 Server Error", "");
    assert!(
        refused.elapsed() >= Duration::from_millis(580),
        "{:?}",
        refused.elapsed()
    );
    server.accept().turn();
    let (_, err) = play.finish();
    assert!(
        err.contains("HTTP 401: Unauthorized access. Nobody has the code ***"),
        "{err}"
    );
    assert!(err.contains("HTTP 500: Server Error"), "{err}");
}

#[test]
fn every_end_of_a_connection_is_followed_by_a_new_one() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--ticks", "14"]);
    for code in [1000, 1001, 1006, 4000] {
        let mut peer = server.accept();
        peer.turn();
        peer.turn();
        if code == 1006 {
            // Unread data makes it a reset.
            peer.board();
            std::thread::sleep(Duration::from_millis(100));
        } else {
            assert_eq!(peer.close(code), code, "the code is given back");
        }
    }
    // Without a word; in the middle of a frame; with nonsense; with a message that is too long.
    server.accept().turn();
    let mut peer = server.accept();
    peer.turn();
    std::io::Write::write_all(peer.0.get_mut(), &[0x81, 126, 15]).unwrap();
    drop(peer);
    let mut peer = server.accept();
    peer.turn();
    std::io::Write::write_all(peer.0.get_mut(), b"\xff\xff\xff\xff nonsense and nonsense").unwrap();
    assert!(peer.is_gone());
    let mut peer = server.accept();
    peer.turn();
    let _ = peer.0.send(Message::text("x".repeat((1 << 20) + 1)));
    assert!(peer.is_gone());
    let mut peer = server.accept();
    for _ in 0..20 {
        // One or none of the answers before may have been counted on a connection that was reset.
        peer.board();
        if peer.0.read().is_ok_and(|message| message.is_close()) {
            break;
        }
    }
    let (out, err) = play.finish();
    assert!(last_line(&out).starts_with("played: ticks=14 "), "{out}");
    assert!(err.contains("reconnects=8"), "{err}");
    assert!(
        err.contains("code 1000, \"bye\"") && err.contains("code 1001"),
        "{err}"
    );
}

#[test]
fn a_silent_socket_is_given_up_and_closed_before_the_next_one() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--ticks", "3", "--silence", "1.8"]);
    let mut first = server.accept();
    first.turn();
    let mut second = server.accept();
    assert!(first.is_gone(), "two connections at once");
    second.turn();
    // The turn is over and pings are answered, so it is the boards that are missed.
    let started = Instant::now();
    let mut third = server.accept();
    assert!(
        started.elapsed() >= Duration::from_millis(1500),
        "{:?}",
        started.elapsed()
    );
    assert!(second.is_gone(), "two connections at once");
    third.turn();
    let (_, err) = play.finish();
    assert!(err.contains("no board for 0.6 s"), "{err}");
    assert!(
        err.contains("silent for 1.8 s") && err.contains("reconnects=2"),
        "{err}"
    );
}

#[test]
fn odd_frames_get_no_answer_and_odd_boards_exactly_one() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--deadline", "2000"]);
    let mut peer = server.accept();
    peer.turn();
    for text in [
        "",
        "hello",
        "boar",
        "Board=",
        "{\"x\":1}",
        &"y".repeat(1 << 20),
    ] {
        peer.text(text);
        peer.no_answer();
    }
    peer.0.send(Message::Binary(vec![7; 100].into())).unwrap();
    peer.no_answer();
    let big = format!("board={}", "☼".repeat(100 * 100));
    let long = format!("board={}", "z".repeat((1 << 20) - 6));
    for text in [
        "board=",
        "board=null",
        "board=abc",
        "board=☼",
        "board={\"layers\":[\"☼☼☼☼\"]}",
        "board={\"layers\":[]}",
        "board=\u{0}\u{1}\n\r\t",
        &big,
        &long,
    ] {
        peer.text(text);
        peer.answer();
        peer.no_answer();
    }
    peer.turn();
    peer.no_answer();
    drop(peer);
    #[cfg(unix)]
    {
        play.terminate();
        let (_, err) = play.finish();
        assert!(err.contains("a frame that is no board: \"hello\""), "{err}");
        assert!(err.contains("a binary message of 100 bytes"), "{err}");
        assert!(err.lines().count() < 40, "it says too much: {err}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_cleanly_wherever_it_is() {
    // In the middle of a game.
    let server = Faulty::start();
    let play = Play::start(&server.url(), &[]);
    let mut peer = server.accept();
    peer.turn();
    peer.turn();
    play.terminate();
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(
        out.starts_with("played: ticks=2 score=0 gold=0 deaths=0 missed=0\n"),
        "{out}"
    );
    assert!(
        err.contains("p50=") && err.contains("p99=") && err.contains("max="),
        "{err}"
    );

    let figures = err.lines().last().unwrap_or_default();
    assert!(
        figures.starts_with("answered in ms: p50=")
            && figures.contains("; undecided=")
            && figures.ends_with(" panics=0 reconnects=0"),
        "{err}"
    );

    // Ctrl-C, while nothing comes and after a connection that broke.
    let play = Play::start(&server.url(), &[]);
    let mut peer = server.accept();
    peer.turn();
    drop(peer);
    let mut peer = server.accept();
    peer.turn();
    peer.turn();
    play.signal("-INT");
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(out.starts_with("played: ticks=3 "), "{out}");
    assert!(err.contains("reconnects=1"), "{err}");

    // While a server neither accepts nor refuses the upgrade, and while nobody is there.
    let play = Play::start(&server.url(), &[]);
    let held = server.raw();
    play.terminate();
    let started = Instant::now();
    play.finish();
    assert!(started.elapsed() < Duration::from_secs(3));
    drop(held);
    let port = server.port();
    drop(server);
    let play = Play::start(&url(port), &[]);
    std::thread::sleep(Duration::from_millis(300));
    play.terminate();
    let (out, _) = play.finish();
    assert!(out.starts_with("played: ticks=0 "), "{out}");
}

/// How brains that are late or panic are treated is tested in `turns.rs`; this is the bot itself, with less time
/// than its first decision takes.
#[test]
fn a_bot_without_time_answers_every_board_once() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--deadline", "1", "--ticks", "20"]);
    let mut peer = server.accept();
    let row = format!("☼{}☼", " $##H~~###".repeat(5));
    let border = "☼".repeat(52);
    let mut board = border.clone() + &row.repeat(50).replacen(' ', "►", 1) + &border;
    for tick in 0..20 {
        peer.text(&format!("board={board}"));
        is_an_answer(&peer.answer());
        if tick < 19 {
            peer.no_answer();
        }
        board = board.replacen('#', "*", 1);
    }
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(last_line(&out).starts_with("played: ticks=20 "), "{out}");
    assert!(
        !err.contains("undecided=0") && err.contains("panics=0"),
        "{err}"
    );
}

/// A terminal that takes no more of what it says (Ctrl-S, a selection, a pager) is no reason not to answer.
#[test]
fn a_terminal_that_takes_nothing_does_not_hold_up_the_game() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--ascii", "--ticks", "120"]);
    let mut peer = server.accept();
    let big = "☼".repeat(60 * 60);
    // Nobody reads its stderr meanwhile.
    for _ in 0..120 {
        peer.text(&format!("board={big}"));
        peer.answer();
    }
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(out.starts_with("played: ticks=120 "), "{out}");
    assert!(err.len() > 50_000, "it was never full");
}

/// Whatever holds the first one up: here whoever reads its stdout does not.
#[cfg(target_os = "linux")]
#[test]
fn a_second_ctrl_c_ends_it_at_once() {
    let server = Faulty::start();
    let (_reader, mut full) = std::io::pipe().unwrap();
    std::io::Write::write_all(&mut full, &vec![b' '; 65_536]).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["play", &server.url()])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut play = Play(Some(child));
    let mut peer = server.accept();
    peer.turn();
    play.signal("-INT");
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    std::thread::sleep(Duration::from_millis(400));
    let child = play.0.as_mut().unwrap();
    assert!(child.try_wait().unwrap().is_none(), "it was not held up");
    play.signal("-INT");
    let mut child = play.0.take().unwrap();
    let end = Instant::now() + LONG;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the second Ctrl-C does not end it");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn a_late_server_is_waited_for_on_the_same_connection() {
    let server = Faulty::start();
    let play = Play::start(&server.url(), &["--ticks", "3", "--silence", "6"]);
    let mut peer = server.accept();
    std::thread::sleep(Duration::from_millis(2500));
    peer.turn();
    std::thread::sleep(Duration::from_millis(2500));
    peer.turn();
    peer.turn();
    assert_eq!(peer.goodbye(), 1000);
    drop(peer);
    let (out, err) = play.finish();
    assert!(last_line(&out).ends_with(" missed=0"), "{out}");
    assert_eq!(err.matches("no board for 2 s").count(), 2, "{err}");
    assert!(err.contains("reconnects=0"), "{err}");
}

#[test]
fn a_board_of_another_size_is_another_game() {
    let server = Faulty::start();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.jsonl");
    let play = Play::start(
        &server.url(),
        &["--ticks", "7", "--record", path.to_str().unwrap()],
    );
    let wide = "☼☼☼☼☼☼☼    ☼☼ $► ☼☼####☼☼####☼☼☼☼☼☼☼";
    let mut peer = server.accept();
    for board in [BOARD, BOARD, wide, wide, wide, BOARD, BOARD] {
        peer.text(&format!("board={board}"));
        let answer = peer.answer();
        is_an_answer(&answer);
    }
    play.finish();
    let text = std::fs::read_to_string(path).unwrap();
    let headers: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &serde_json::Value| line["k"] == "game")
        .collect();
    let sizes: Vec<_> = headers.iter().map(|game| game["size"].as_u64()).collect();
    assert_eq!(sizes, [Some(5), Some(6), Some(5)], "{text}");
}

/// Whether a text is one of the bot's answers.
fn is_an_answer(answer: &str) {
    const WORDS: [&str; 8] = [
        "",
        "left",
        "right",
        "up",
        "down",
        "act,left",
        "act,right",
        "act(0)",
    ];
    let answer = answer.to_ascii_lowercase();
    assert!(WORDS.contains(&answer.as_str()), "{answer:?}");
}

#[test]
fn the_live_log_holds_every_answered_board() {
    let server = Faulty::start();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("live.jsonl");
    let play = Play::start(
        &server.url(),
        &["--ticks", "4", "--record", path.to_str().unwrap()],
    );
    let mut peer = server.accept();
    peer.turn();
    peer.turn();
    peer.text("board=short");
    peer.answer();
    peer.turn();
    play.finish();
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["k"], "game");
    assert_eq!(
        (&lines[0]["size"], &lines[0]["players"]),
        (&5.into(), &1.into())
    );
    assert_eq!(lines.len(), 4, "{text}");
    for (tick, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["t"], tick);
        assert_eq!(line["boards"][0], BOARD);
        assert!(line["at"].is_u64() && line["took"].is_u64());
        assert_eq!(line.get("cmd").is_some(), tick > 0);
    }
}

/// Every line is pushed out at once, packed or not: only the last one can be lost.
#[cfg(feature = "tools")]
#[test]
fn a_client_that_is_killed_leaves_its_log_whole() {
    use lodebot::record::{Line, Reader};
    for name in ["live.jsonl", "live.jsonl.zst", "live.jsonl.gz"] {
        let server = Faulty::start();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut play = Play::start(&server.url(), &["--record", path.to_str().unwrap()]);
        let mut peer = server.accept();
        for _ in 0..6 {
            peer.turn();
        }
        let mut child = play.0.take().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let entries = Reader::open(&path).unwrap().map_while(Result::ok);
        let boards = entries.filter(|entry| matches!(entry.line, Line::Tick(_)));
        assert!(boards.count() >= 5, "{name}");
    }
}

#[cfg(feature = "tools")]
#[test]
fn a_server_that_is_killed_and_started_again_is_played_on() {
    let place = Faulty::start();
    let port = place.port();
    drop(place);
    let port_text = port.to_string();
    let serve = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lodebot"));
        command.args(["serve", "tiny-8", "--period", "30", "--port", &port_text]);
        served::Served::start(&mut command)
    };
    let killed = serve();
    let play = Play::start(&url(port), &["--ticks", "60"]);
    std::thread::sleep(Duration::from_millis(700));
    drop(killed);
    let _again = serve();
    let (out, err) = play.finish();
    assert!(last_line(&out).starts_with("played: ticks=60 "), "{out}");
    assert!(err.contains("reconnects=1"), "{err}");
}

#[cfg(feature = "tools")]
#[test]
fn without_an_address_it_plays_on_a_server_of_its_own() {
    let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["play", "--level", "tiny-8", "--lockstep", "--ticks", "50"])
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(last_line(&out).starts_with("played: ticks=50 "), "{out}");
    assert!(out.ends_with(" missed=0\n"), "{out}");
}

#[test]
fn a_bad_address_is_one_clear_line_and_exit_code_2() {
    for address in [
        "http://host/codenjoy-contest/board/player/me",
        "http://host/codenjoy-contest/board/player/me?code=8642097531&only=true",
        "http://host/codenjoy-contest/board/player/me?code=8642097531&remove",
        "ftp://host/board/player/me?code=8642097531",
        "",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
            .args(["play", address])
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.starts_with("lodebot: ") && !err.contains(CODE), "{err}");
    }
}

/// The game is worth more than its recording, but nobody is told that all is well.
#[cfg(all(feature = "tools", target_os = "linux"))]
#[test]
fn a_recording_that_cannot_be_written_ends_in_exit_code_2_after_the_game() {
    let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["play", "--level", "tiny-8", "--lockstep", "--ticks", "3"])
        .args(["--record", "/dev/full"])
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        err.contains("/dev/full") && err.contains("not whole"),
        "{err}"
    );
    assert!(last_line(&out).contains("ticks=3"), "{out}");
}
