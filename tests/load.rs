//! A hundred players at once on the embedded server: nobody loses a board that the protocol does not lose,
//! and the server does not grow. `LOAD_SECONDS` prolongs it from its few seconds; the figures are printed.
#![cfg(feature = "tools")]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lodebot::board::Alphabet;
use lodebot::record::{Header, TickLine};
use lodebot::server::{Field, Options, Pace, Server};
use tungstenite::{Error, Message, WebSocket};

const PLAYERS: usize = 100;
const PERIOD: Duration = Duration::from_millis(200);

fn duration() -> Duration {
    let seconds = std::env::var("LOAD_SECONDS").ok();
    Duration::from_secs(seconds.and_then(|text| text.parse().ok()).unwrap_or(4))
}

/// One board that a player got: its text, and when the answer to it was sent.
struct Turn {
    board: String,
    answered: Instant,
}

/// A player who answers at once, until told to stop.
fn player(
    address: SocketAddr,
    number: usize,
    stop: &Arc<AtomicBool>,
    keep: bool,
) -> JoinHandle<Vec<Turn>> {
    const WORDS: [&str; 8] = [
        "left", "right", "up", "down", "act,left", "act", "", "act(0)",
    ];
    let stop = stop.clone();
    thread::spawn(move || {
        let stream = TcpStream::connect(address).unwrap();
        let wait = Some(Duration::from_millis(100));
        let url = format!("ws://{address}/codenjoy-contest/ws?user=p{number}&code=1");
        let (mut socket, _) = tungstenite::client(url, stream).unwrap();
        socket.get_ref().set_read_timeout(wait).unwrap();
        let mut turns: Vec<Turn> = Vec::new();
        while !stop.load(Ordering::SeqCst) {
            let Some(board) = board(&mut socket) else {
                continue;
            };
            let word = WORDS[(number * 7 + turns.len() * 5) % WORDS.len()];
            let answered = Instant::now();
            socket.send(Message::text(word)).unwrap();
            let board = if keep { board } else { String::new() };
            turns.push(Turn { board, answered });
        }
        turns
    })
}

fn board(socket: &mut WebSocket<TcpStream>) -> Option<String> {
    match socket.read() {
        Ok(Message::Text(text)) => Some(text.strip_prefix("board=").unwrap().to_owned()),
        Ok(other) => panic!("no board: {other:?}"),
        Err(Error::Io(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// A game whose board is the number of the tick; notes when each was drawn.
struct Ticks {
    joined: usize,
    drawn: Arc<Mutex<Vec<Instant>>>,
}

impl Field for Ticks {
    fn alphabet(&self) -> Alphabet {
        Alphabet::Classic
    }
    fn capacity(&self) -> usize {
        PLAYERS
    }
    fn join(&mut self) -> Result<usize, String> {
        self.joined += 1;
        Ok(self.joined - 1)
    }
    fn leave(&mut self, _: usize) {}
    fn tick(&mut self, _: &[Vec<String>]) {
        self.drawn.lock().unwrap().push(Instant::now());
    }
    fn board(&mut self, _: usize) -> Option<String> {
        // The opening of the game is drawn before its first tick.
        let drawn = self.drawn.lock().unwrap().len();
        Some(drawn.saturating_sub(1).to_string())
    }
    fn score(&self, _: usize) -> i64 {
        0
    }
    fn header(&self) -> Header {
        Header::new("ticks", "classic", vec![" ".into()])
    }
    fn line(&mut self) -> TickLine {
        TickLine::default()
    }
}

/// A board is missed only by a player whose last answer came after the tick before it.
#[test]
fn a_hundred_players_lose_no_board_that_they_answered_in_time() {
    let drawn = Arc::new(Mutex::new(Vec::new()));
    let field = Ticks {
        joined: 0,
        drawn: drawn.clone(),
    };
    let options = Options {
        pace: Pace::Period(PERIOD),
        ..Options::default()
    };
    let server = Server::start(options, Box::new(field)).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..PLAYERS)
        .map(|number| player(server.address(), number, &stop, true))
        .collect();
    thread::sleep(duration());
    stop.store(true, Ordering::SeqCst);
    let (mut boards, mut late) = (0, 0);
    for player in players {
        let turns = player.join().unwrap();
        let drawn = drawn.lock().unwrap();
        assert!(!turns.is_empty(), "a player without a board");
        for pair in turns.windows(2) {
            let tick = |turn: &Turn| turn.board.parse::<usize>().unwrap();
            let (tick, next) = (tick(&pair[0]), tick(&pair[1]));
            assert!(next > tick, "a board comes once");
            for missed in tick + 1..next {
                late += 1;
                // A busy machine may take a while to carry an answer over.
                assert!(
                    pair[0].answered + PERIOD > drawn[missed],
                    "board {missed} did not come to somebody who had answered {tick} in time"
                );
            }
        }
        boards += turns.len();
    }
    println!("{boards} boards answered by {PLAYERS} players, {late} missed by late answers");
}

/// A running `lodebot serve`, killed at the end.
struct Serve(Child);

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kilobytes of memory that a process has; nothing where the system does not tell.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The real thing: one level, one field, a hundred heroes; the record of it verifies.
#[test]
fn a_hundred_heroes_share_a_field_and_the_server_does_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("hundred.jsonl.zst");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["serve", "contest-58", "--port", "0", "--period", "200"])
        .args(["--record", log.to_str().unwrap()])
        .env_remove("LODEBOT_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let server = Serve(child);
    let mut lines = lines.map_while(Result::ok);
    let page = lines.find_map(|line| Some(line.strip_prefix("page: http://")?.to_owned()));
    let address: SocketAddr = page.unwrap().trim_end_matches('/').parse().unwrap();
    let told = thread::spawn(move || lines.collect::<Vec<_>>());

    let stop = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..PLAYERS)
        .map(|number| player(address, number, &stop, false))
        .collect();
    let early = duration() / 3;
    thread::sleep(early);
    let before = memory(server.0.id());
    thread::sleep(duration().saturating_sub(early));
    let after = memory(server.0.id());
    stop.store(true, Ordering::SeqCst);
    let boards: Vec<usize> = players
        .into_iter()
        .map(|player| player.join().unwrap().len())
        .collect();
    println!(
        "boards a player {:?}",
        boards.iter().min().zip(boards.iter().max())
    );
    println!("memory after {early:?} {before:?} kB, in the end {after:?} kB");
    assert!(boards.iter().all(|count| *count > 0), "{boards:?}");
    if let Some((before, after)) = before.zip(after) {
        assert!(after < before + 16_384, "from {before} to {after} kB");
    }
    end(server);
    let told = told.join().unwrap().join("\n");
    let joined = told.matches(" plays as number ").count();
    assert_eq!(joined, PLAYERS, "{told}");
    let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["replay", "verify", log.to_str().unwrap()])
        .output()
        .unwrap();
    let verified = String::from_utf8_lossy(&output.stdout).into_owned();
    println!("{verified}{}", told.lines().last().unwrap_or_default());
    assert!(output.status.success(), "{verified}");
}

/// Ends it as a person does, so that the log is closed.
fn end(mut server: Serve) {
    if cfg!(unix) {
        let id = server.0.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(killed.success());
        assert!(server.0.wait().unwrap().success());
    }
}
