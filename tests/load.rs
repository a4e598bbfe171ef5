//! A hundred players at once on the embedded server: nobody loses a board that the protocol does not lose,
//! and the server does not grow. `LOAD_SECONDS` prolongs it from its few seconds; the figures are printed.
#![cfg(all(feature = "tools", unix))]
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lodebot::board::Alphabet;
use lodebot::record::{Header, TickLine};
use lodebot::server::{Field, Options, Pace, Server};
use tungstenite::Message;

const PLAYERS: usize = 100;

fn duration() -> Duration {
    let seconds = std::env::var("LOAD_SECONDS").ok();
    Duration::from_secs(seconds.and_then(|text| text.parse().ok()).unwrap_or(3))
}

/// What the players and the test tell each other.
#[derive(Default)]
struct Crowd {
    /// Players who have got a board.
    playing: AtomicUsize,
    stop: AtomicBool,
}

impl Crowd {
    /// Waits until everybody plays.
    fn gather(&self, players: usize) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.playing.load(Ordering::SeqCst) < players {
            assert!(Instant::now() < end, "somebody gets no board");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A player who answers at once until told to stop, and then reads what still comes until the server closes.
/// Gives the boards.
fn player(address: SocketAddr, number: usize, crowd: &Arc<Crowd>) -> JoinHandle<Vec<String>> {
    const WORDS: [&str; 8] = [
        "left", "right", "up", "down", "act,left", "act", "", "act(0)",
    ];
    let crowd = crowd.clone();
    thread::spawn(move || {
        let stream = TcpStream::connect(address).unwrap();
        let url = format!("ws://{address}/codenjoy-contest/ws?user=p{number}&code=1");
        let (mut socket, _) = tungstenite::client(url, stream).unwrap();
        let mut boards: Vec<String> = Vec::new();
        loop {
            let Ok(Message::Text(text)) = socket.read() else {
                return boards;
            };
            boards.push(text.strip_prefix("board=").unwrap().to_owned());
            if boards.len() == 1 {
                crowd.playing.fetch_add(1, Ordering::SeqCst);
            }
            if !crowd.stop.load(Ordering::SeqCst) {
                let word = WORDS[(number * 7 + boards.len() * 5) % WORDS.len()];
                // The server may have said goodbye already.
                let _ = socket.send(Message::text(word));
            }
        }
    })
}

/// For each tick, whose answers had come by then, by player number.
type Heard = Arc<Mutex<Vec<Vec<bool>>>>;

/// A game whose board is the number of the player and of the tick; notes what it hears.
struct Ticks {
    joined: usize,
    heard: Heard,
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
    fn tick(&mut self, texts: &[Vec<String>]) {
        let heard = texts.iter().map(|texts| !texts.is_empty()).collect();
        self.heard.lock().unwrap().push(heard);
    }
    fn board(&mut self, player: usize) -> Option<String> {
        // The opening of the game is drawn before its first tick.
        let ticks = self.heard.lock().unwrap().len();
        Some(format!("{player}/{}", ticks.saturating_sub(1)))
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

/// After the first board there is one for every tick before which the last one was answered, and no other.
#[test]
fn a_hundred_players_lose_no_board_that_they_answered_in_time() {
    let heard = Heard::default();
    let field = Ticks {
        joined: 0,
        heard: heard.clone(),
    };
    let options = Options {
        pace: Pace::Period(Duration::from_millis(200)),
        ..Options::default()
    };
    let server = Server::start(options, Box::new(field)).unwrap();
    let crowd = Arc::new(Crowd::default());
    let players: Vec<_> = (0..PLAYERS)
        .map(|number| player(server.address(), number, &crowd))
        .collect();
    crowd.gather(PLAYERS);
    thread::sleep(duration());
    crowd.stop.store(true, Ordering::SeqCst);
    server.stop();
    let heard = heard.lock().unwrap();
    let mut count = 0;
    for player in players {
        let boards = player.join().unwrap();
        let parse = |board: &String| {
            let (player, tick) = board.split_once('/').unwrap();
            (
                player.parse::<usize>().unwrap(),
                tick.parse::<usize>().unwrap(),
            )
        };
        let seen: Vec<(usize, usize)> = boards.iter().map(parse).collect();
        let &(player, first) = seen.first().expect("a player without a board");
        let answered = heard.iter().enumerate().skip(first + 1);
        let due = answered.filter(|(_, heard)| heard.get(player) == Some(&true));
        let due: Vec<(usize, usize)> = due.map(|(tick, _)| (player, tick)).collect();
        assert_eq!(seen[1..], due, "player {player}");
        count += seen.len();
    }
    let ticks = heard.len();
    println!("{ticks} ticks, {count} boards to {PLAYERS} players");
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
    let (server, address, told) = serve("contest-58", "200", &log);

    let crowd = Arc::new(Crowd::default());
    let players: Vec<_> = (0..PLAYERS)
        .map(|number| player(address, number, &crowd))
        .collect();
    crowd.gather(PLAYERS);
    let early = duration() / 3;
    thread::sleep(early);
    let before = memory(server.0.id());
    thread::sleep(duration().saturating_sub(early));
    let after = memory(server.0.id());
    crowd.stop.store(true, Ordering::SeqCst);
    assert_eq!(end(server), Some(0));
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
    let told = told.join().unwrap();
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

/// Who plays is not disturbed by a full disk, but nobody is told that all is well.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_that_cannot_be_written_ends_in_exit_code_2_after_serving() {
    let (server, address, told) = serve("tiny-8", "50", Path::new("/dev/full"));
    let crowd = Arc::new(Crowd::default());
    let player = player(address, 0, &crowd);
    crowd.gather(1);
    thread::sleep(Duration::from_millis(500));
    crowd.stop.store(true, Ordering::SeqCst);
    let code = end(server);
    assert!(!player.join().unwrap().is_empty());
    let told = told.join().unwrap();
    assert_eq!(code, Some(2), "{told}");
    let last = told.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("lodebot: ") && last.contains("not whole"),
        "{told}"
    );
    assert!(told.contains("/dev/full"), "{told}");
}

/// Starts `lodebot serve` with a recording; what it says on stderr comes at its end.
fn serve(level: &str, period: &str, record: &Path) -> (Serve, SocketAddr, JoinHandle<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["serve", level, "--port", "0", "--period", period])
        .args(["--record", record.to_str().unwrap()])
        .env_remove("LODEBOT_LOG")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let server = Serve(child);
    let mut lines = lines.map_while(Result::ok);
    let page = lines.find_map(|line| Some(line.strip_prefix("page: http://")?.to_owned()));
    let address = page.unwrap().trim_end_matches('/').parse().unwrap();
    let told = thread::spawn(move || lines.collect::<Vec<_>>().join("\n"));
    (server, address, told)
}

/// Ends it as a person does, so that the players hear of it and the log is closed; its exit code.
fn end(mut server: Serve) -> Option<i32> {
    let id = server.0.id().to_string();
    let killed = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
    server.0.wait().unwrap().code()
}
