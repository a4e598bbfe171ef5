//! The embedded server seen from outside, through plain WebSocket and HTTP clients. It does not test
//! our own client (`live.rs`) or the rules of the game (`conformance.rs`).
#![cfg(feature = "tools")]
#![allow(clippy::unwrap_used)]

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lodebot::board::{Alphabet, Board};
use lodebot::record::{Header, TickLine, Writer};
use lodebot::replay;
use lodebot::server::{Field, Options, Pace, Server, Simulated};
use lodebot::sim::{Level, Rules};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::{Error, Message, WebSocket};

const LONG: Duration = Duration::from_secs(20);

/// A game whose board says who sees it, in which tick, and what the server handed over of him.
#[derive(Default)]
struct Echo {
    tick: usize,
    heard: Vec<Vec<String>>,
    gone: Vec<usize>,
}

impl Field for Echo {
    fn alphabet(&self) -> Alphabet {
        Alphabet::Classic
    }
    fn capacity(&self) -> usize {
        4
    }
    fn join(&mut self) -> Result<usize, String> {
        self.heard.push(Vec::new());
        Ok(self.heard.len() - 1)
    }
    fn leave(&mut self, player: usize) {
        self.gone.push(player);
    }
    fn tick(&mut self, texts: &[Vec<String>]) {
        self.tick += 1;
        self.heard = texts.to_vec();
    }
    fn board(&mut self, player: usize) -> Option<String> {
        let heard = self.heard.get(player)?.join("+");
        (!self.gone.contains(&player)).then(|| format!("{player}/{}/{heard}", self.tick))
    }
    fn score(&self, player: usize) -> i64 {
        player as i64 * 10
    }
    fn header(&self) -> Header {
        Header::new("echo", "classic", vec![" ".into()])
    }
    fn line(&mut self) -> TickLine {
        TickLine::default()
    }
}

fn serve(pace: Pace) -> Server {
    serve_with(Options {
        pace,
        ..Options::default()
    })
}

fn serve_with(options: Options) -> Server {
    Server::start(options, Box::<Echo>::default()).unwrap()
}

fn period(milliseconds: u64) -> Pace {
    Pace::Period(Duration::from_millis(milliseconds))
}

/// A bare client of the player protocol.
struct Client(WebSocket<TcpStream>);

/// What a board of [`Echo`] says.
#[derive(Debug, PartialEq)]
struct Seen {
    player: usize,
    tick: usize,
    heard: String,
}

impl Client {
    fn try_open(address: SocketAddr, path: &str) -> Result<Self, (u16, String)> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        let request = format!("ws://{address}{path}")
            .into_client_request()
            .unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(HandshakeError::Failure(Error::Http(response))) => {
                let body = response.body().clone().unwrap_or_default();
                Err((
                    response.status().as_u16(),
                    String::from_utf8_lossy(&body).into_owned(),
                ))
            }
            Err(error) => panic!("{path}: {error}"),
        }
    }

    fn open(server: &Server, user: &str) -> Self {
        let path = format!("/codenjoy-contest/ws?user={user}&code=1");
        Self::try_open(server.address(), &path).unwrap()
    }

    fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    fn board(&mut self) -> String {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return text.strip_prefix("board=").unwrap().to_owned(),
                Message::Ping(_) => panic!("the server pings nobody"),
                _ => {}
            }
        }
    }

    fn seen(&mut self) -> Seen {
        let board = self.board();
        let mut parts = board.splitn(3, '/');
        let mut part = || parts.next().unwrap().to_owned();
        Seen {
            player: part().parse().unwrap(),
            tick: part().parse().unwrap(),
            heard: part(),
        }
    }

    /// Whether nothing at all arrives for so long.
    fn is_silent(&mut self, time: Duration) -> bool {
        self.0.get_ref().set_read_timeout(Some(time)).unwrap();
        let result = self.0.read();
        self.0.get_ref().set_read_timeout(Some(LONG)).unwrap();
        match result {
            Err(Error::Io(error)) => {
                matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
            }
            _ => false,
        }
    }

    /// Reads to the close frame and gives its code.
    fn close_code(&mut self) -> u16 {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map_or(1005, |frame| frame.code.into()),
                Ok(_) => {}
                Err(error) => panic!("no close frame: {error}"),
            }
        }
    }
}

/// The whole response to a raw request.
fn http(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LONG)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

fn get(address: SocketAddr, path: &str) -> String {
    http(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: here\r\n\r\n"),
    )
}

fn post(address: SocketAddr, path: &str, form: &str) -> String {
    let length = form.len();
    let head = format!("POST {path} HTTP/1.1\r\nHost: here:81\r\nContent-Length: {length}\r\n\r\n");
    http(address, &(head + form))
}

#[test]
fn a_board_waits_for_the_answer_to_the_last_one() {
    let server = serve(period(40));
    let mut client = Client::open(&server, "one");
    let first = client.seen();
    assert_eq!((first.player, first.heard.as_str()), (0, ""));
    // The flag is up: ticks go by, nothing comes and nothing is queued.
    assert!(client.is_silent(Duration::from_millis(200)));
    // Binary is no answer.
    client.0.send(Message::Binary(vec![1, 2].into())).unwrap();
    assert!(client.is_silent(Duration::from_millis(120)));
    // The first text is the answer, the second is thrown away.
    client.send("left");
    client.send("right");
    let second = client.seen();
    assert_eq!(second.heard, "left");
    assert!(second.tick > first.tick + 5);
    // The empty text is an answer.
    client.send("");
    let third = client.seen();
    // As a rule in the very next tick, but a busy machine may take longer.
    assert!(
        third.tick > second.tick && third.heard.is_empty(),
        "{third:?}"
    );
}

#[test]
fn nothing_comes_before_the_first_tick_and_early_texts_are_ignored() {
    let server = serve(period(300));
    let started = Instant::now();
    let mut client = Client::open(&server, "one");
    client.send("NULL");
    assert_eq!(client.seen().heard, "");
    assert!(started.elapsed() > Duration::from_millis(150));
    client.send("up");
    assert_eq!(client.seen().heard, "up");
}

#[test]
fn the_socket_s_path_is_matched_by_prefix_and_the_query_decoded() {
    let server = serve(Pace::Lockstep);
    for (path, user) in [
        (
            "/codenjoy-contest/ws?user=a%40b.cd&code=1&game=loderunner",
            "a@b.cd",
        ),
        (
            "/codenjoy-contest/ws/?x=y&code=2&user=two%20words",
            "two words",
        ),
        (
            "/codenjoy-contest/ws/any/thing?code=3&user=%D0%98%D0%BC%D1%8F%7C",
            "Имя|",
        ),
    ] {
        let mut client = Client::try_open(server.address(), path).unwrap();
        client.board();
        let list = get(
            server.address(),
            "/codenjoy-contest/rest/game/loderunner/players",
        );
        assert!(list.contains(&format!("\"id\":\"{user}\"")), "{list}");
    }
    let wrong = Client::try_open(server.address(), "/codenjoy-contest/wsx?user=a&code=1");
    assert_eq!(wrong.err().map(|error| error.0), Some(404));
    let other = Client::try_open(server.address(), "/other/ws?user=a&code=1");
    assert_eq!(other.err().map(|error| error.0), Some(404));
}

#[test]
fn sockets_of_one_user_have_turns_of_their_own_and_one_hero() {
    let server = serve(period(40));
    let (mut one, mut two) = (Client::open(&server, "me"), Client::open(&server, "me"));
    let mut rival = Client::open(&server, "rival");
    let (first, second) = (one.seen(), two.seen());
    assert_eq!(first.player, second.player);
    assert_ne!(rival.seen().player, first.player);
    // One of them is silent: the other goes on.
    one.send("left");
    assert_eq!(one.seen().heard, "left");
    one.send("up");
    two.send("down");
    let mut heard = one.seen().heard;
    let other = two.seen().heard;
    if heard == "up" {
        // The two answers fell into different ticks.
        heard = format!("{heard}+{other}");
    }
    assert!(
        heard.contains("up") && (heard.contains("down") || other == "down"),
        "{heard} {other}"
    );
}

#[test]
fn only_the_right_code_opens_a_socket_where_codes_count() {
    let server = serve_with(Options {
        auth: true,
        pace: period(30),
        ..Options::default()
    });
    let address = server.address();
    let refused = |path: &str| match Client::try_open(address, path) {
        Ok(_) => panic!("{path} was let in"),
        Err(refusal) => refusal,
    };
    for path in [
        "/codenjoy-contest/ws?user=me%40x.org&code=1",
        "/codenjoy-contest/ws?user=me%40x.org",
        "/codenjoy-contest/ws?user=me%40x.org&code=",
    ] {
        let (status, body) = refused(path);
        assert_eq!(status, 401, "{path}");
        assert!(body.contains("No player has this id and code"), "{body}");
    }
    assert_eq!(refused("/codenjoy-contest/ws?code=1").0, 500);

    let form = "name=me%40x.org&password=secret&gameName=loderunner&data=";
    let answer = post(address, "/codenjoy-contest/register", form);
    assert!(answer.starts_with("HTTP/1.1 303 "), "{answer}");
    let start = "Location: http://here:81/codenjoy-contest/board/player/me%40x.org?code=";
    let code = answer
        .lines()
        .find_map(|line| line.strip_prefix(start))
        .unwrap();
    assert!(!code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit()));
    // Logging in again gives the same code, a wrong password the form once more.
    assert!(
        post(address, "/codenjoy-contest/register", form).contains(&format!("code={code}\r\n"))
    );
    let wrong = post(
        address,
        "/codenjoy-contest/register",
        &form.replace("secret", "guess"),
    );
    assert!(wrong.starts_with("HTTP/1.1 200 ") && wrong.contains("This name is taken"));

    let path = format!("/codenjoy-contest/ws?user=me%40x.org&code={code}");
    Client::try_open(address, &path).unwrap().board();
    assert_eq!(refused(&format!("{path}0")).0, 401);
    // Whoever registers is in the game, and no list tells codes.
    let list = get(address, "/codenjoy-contest/rest/game/loderunner/players");
    assert!(list.contains("me@x.org") && !list.contains(code), "{list}");
}

#[test]
fn a_removed_player_s_socket_stays_open_and_silent() {
    let server = serve(period(30));
    let mut client = Client::open(&server, "me");
    client.board();
    client.send("");
    get(
        server.address(),
        "/codenjoy-contest/board/player/me?code=1&remove",
    );
    // At most one more board was on its way.
    client
        .0
        .get_ref()
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let _ = client.0.read();
    client.0.send(Message::Ping(vec![7].into())).unwrap();
    client.send("");
    client.0.get_ref().set_read_timeout(Some(LONG)).unwrap();
    assert_eq!(client.0.read().unwrap(), Message::Pong(vec![7].into()));
    assert!(client.is_silent(Duration::from_millis(200)));
}

#[test]
fn texts_may_have_64_kib_and_no_more() {
    let server = serve(period(30));
    let (mut client, mut other) = (Client::open(&server, "big"), Client::open(&server, "other"));
    client.board();
    client.send(&"x".repeat(65_536));
    assert_eq!(client.seen().heard.len(), 65_536);
    client.send(&"x".repeat(65_537));
    assert_eq!(client.close_code(), 1009);
    other.board();
    other.send("act");
    assert_eq!(other.seen().heard, "act");
}

#[test]
fn fragments_are_one_text_and_content_never_closes() {
    use tungstenite::protocol::frame::Frame;
    use tungstenite::protocol::frame::coding::{Data, OpCode};
    let server = serve(period(30));
    let mut client = Client::open(&server, "one");
    client.board();
    let part = |text: &str, code, last| {
        Message::Frame(Frame::message(text.to_owned(), OpCode::Data(code), last))
    };
    client.0.send(part("le", Data::Text, false)).unwrap();
    client.0.send(part("ft", Data::Continue, true)).unwrap();
    assert_eq!(client.seen().heard, "left");
    for text in [
        "act(",
        "act(1111111111111111111111111x",
        "message('",
        "\u{0}\u{1}",
        "лефт{}[]",
    ] {
        client.send(text);
        assert_eq!(client.seen().heard, text);
    }
}

#[test]
fn idle_sockets_are_closed_and_pings_keep_them() {
    let idle = Duration::from_millis(700);
    let server = serve_with(Options {
        idle,
        pace: Pace::Lockstep,
        ..Options::default()
    });
    let mut silent = Client::open(&server, "silent");
    let mut pinging = Client::open(&server, "pinging");
    silent.board();
    pinging
        .0
        .get_ref()
        .set_read_timeout(Some(Duration::from_millis(200)))
        .unwrap();
    let started = Instant::now();
    while started.elapsed() < idle * 3 {
        let _ = pinging.0.send(Message::Ping(vec![].into()));
        match pinging.0.read() {
            Ok(Message::Close(_)) => panic!("closed in spite of pings"),
            Err(Error::Io(_)) | Ok(_) => {}
            Err(error) => panic!("{error}"),
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(silent.close_code(), 1000);
}

#[test]
fn a_client_that_does_not_read_stops_nobody() {
    let server = serve(period(20));
    let mut dead = Client::open(&server, "dead");
    let mut alive = Client::open(&server, "alive");
    dead.board();
    // Pings without ever reading the pongs, until the server has enough of it.
    dead.0
        .get_ref()
        .set_write_timeout(Some(Duration::from_millis(50)))
        .unwrap();
    for _ in 0..20_000 {
        if dead.0.send(Message::Ping(vec![0; 125].into())).is_err() {
            break;
        }
    }
    alive.board();
    for _ in 0..25 {
        let asked = Instant::now();
        alive.send("");
        alive.board();
        // A write to the dead one gives up after ten seconds: nobody waited for that.
        assert!(asked.elapsed() < Duration::from_secs(9));
    }
}

#[test]
fn lockstep_waits_for_everybody_and_loses_no_time() {
    let server = serve(Pace::Lockstep);
    let (mut one, mut two) = (Client::open(&server, "one"), Client::open(&server, "two"));
    one.board();
    one.send("");
    let mut last = two.seen().tick;
    if last == 2 {
        // The first tick came before the second player.
        one.board();
        one.send("");
    }
    two.send("");
    // From here on both are in, and each tick needs both answers.
    last += 1;
    assert_eq!((one.seen().tick, two.seen().tick), (last, last));
    one.send("left");
    assert!(
        one.is_silent(Duration::from_millis(150)),
        "the other has not answered"
    );
    two.send("right");
    let started = Instant::now();
    for round in 0..300 {
        let (seen, other) = (one.seen(), two.seen());
        assert_eq!(seen.tick, other.tick);
        assert_eq!(seen.tick, last + 1);
        if round > 0 {
            assert_eq!((seen.heard.as_str(), other.heard.as_str()), ("up", "down"));
        }
        last = seen.tick;
        one.send("up");
        two.send("down");
    }
    assert!(started.elapsed() < LONG);
    // Who hangs up is not waited for.
    one.board();
    two.board();
    drop(two);
    one.send("");
    one.board();
}

#[test]
fn players_leave_when_they_stay_away_and_seats_are_limited() {
    let patience = Duration::from_millis(200);
    let server = serve_with(Options {
        patience,
        pace: period(20),
        ..Options::default()
    });
    let mut clients: Vec<Client> = ["a", "b", "c", "d"]
        .iter()
        .map(|user| Client::open(&server, user))
        .collect();
    let path = "/codenjoy-contest/ws?user=e&code=1";
    let full = Client::try_open(server.address(), path);
    assert_eq!(full.err().map(|error| error.0), Some(503));
    clients.pop();
    // A short absence keeps the seat and the number.
    let number = clients[2].seen().player;
    clients.pop();
    let mut back = Client::open(&server, "c");
    assert_eq!(back.seen().player, number);
    std::thread::sleep(patience * 2);
    let mut late = Client::try_open(server.address(), path).unwrap_or_else(|_| panic!("no seat"));
    assert_eq!(late.seen().player, 4, "numbers are never used again");
}

#[test]
fn every_page_answers_and_garbage_gets_a_sentence() {
    let server = serve(period(50));
    let address = server.address();
    for path in [
        "/",
        "/codenjoy-contest",
        "/codenjoy-contest/",
        "/codenjoy-contest/register",
    ] {
        let page = get(address, path);
        assert!(
            page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<canvas"),
            "{path}"
        );
        assert!(!page.contains("{context}"), "{path}");
    }
    let own = get(address, "/codenjoy-contest/board/player/me?code=1");
    assert!(own.contains("<canvas"));
    let _client = Client::open(&server, "me%3Cscript%3E");
    std::thread::sleep(Duration::from_millis(120));
    let screen = get(address, "/codenjoy-contest/screen?player=nobody");
    let body = screen.split_once("\r\n\r\n").unwrap().1;
    let json: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(json["players"][0]["name"], "me<script>");
    assert_eq!(json["players"][0]["connected"], true);
    assert!(json["tick"].as_u64().unwrap() >= 1);
    for (request, status) in [
        ("GET /nothing HTTP/1.1\r\n\r\n", "404"),
        ("DELETE / HTTP/1.1\r\n\r\n", "405"),
        (
            "GET /codenjoy-contest/ws?user=a&code=1 HTTP/1.1\r\n\r\n",
            "426",
        ),
        ("hello\r\n\r\n", "400"),
        (
            "POST /codenjoy-contest/register HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
            "413",
        ),
        (
            "GET /codenjoy-contest/ws?user=a HTTP/1.1\r\nUpgrade: websocket\r\n\r\n",
            "400",
        ),
    ] {
        let answer = http(address, request);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request}: {answer}"
        );
    }
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(15_900));
    assert!(http(address, &long).starts_with("HTTP/1.1 200 "));
}

#[test]
fn a_client_s_goodbye_is_answered_with_1000_whatever_its_code() {
    let server = serve(period(30));
    let mut client = Client::open(&server, "one");
    client.board();
    let frame = tungstenite::protocol::CloseFrame {
        code: 4321.into(),
        reason: "".into(),
    };
    client.0.close(Some(frame)).unwrap();
    assert_eq!(client.close_code(), 1000);
}

#[test]
fn stopping_says_goodbye() {
    let server = serve(period(30));
    let address = server.address();
    let mut client = Client::open(&server, "one");
    client.board();
    let started = Instant::now();
    let stopper = std::thread::spawn(move || server.stop());
    assert_eq!(client.close_code(), 1001);
    drop(client);
    stopper.join().unwrap();
    assert!(started.elapsed() < LONG);
    assert!(TcpStream::connect(address).is_err());
}

/// A recording of the real game, made over sockets by players who come and go, verifies.
#[test]
fn a_recorded_game_replays_without_a_difference() {
    let map = "\
☼☼☼☼☼☼☼☼☼☼\
☼   $    ☼\
☼ H###H  ☼\
☼ H $ H« ☼\
☼###H####☼\
☼$  H  $ ☼\
☼~~~H### ☼\
☼   H  $ ☼\
☼########☼\
☼☼☼☼☼☼☼☼☼☼";
    let rules = Rules::CLASSIC;
    let board = Board::parse(map, rules.alphabet).unwrap();
    let level = Level::from_board(&board).unwrap();
    let game = Simulated::new("test", &board, level, rules, 5);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("game.jsonl");
    let options = Options {
        pace: Pace::Lockstep,
        patience: Duration::from_millis(1),
        log: Some(Writer::create(&path).unwrap()),
        ..Options::default()
    };
    let server = Server::start(options, Box::new(game)).unwrap();
    let words = [
        "left",
        "right",
        "up",
        "down",
        "act,left",
        "act,right",
        "",
        "act(0)",
        "xyz",
    ];
    let mut clients = vec![Client::open(&server, "p0")];
    let mut said = 0;
    for round in 0..300 {
        if round % 40 == 20 {
            clients.push(Client::open(&server, &format!("p{round}")));
        }
        if round % 90 == 89 {
            clients.remove(0);
        }
        for client in &mut clients {
            assert_eq!(client.board().chars().count(), 100);
            said = (said * 5 + 7) % 101;
            client.send(words[said % words.len()]);
        }
    }
    server.stop();

    let faults = Arc::new(Mutex::new(Vec::new()));
    let seen = faults.clone();
    let summary = replay::verify(vec![path], replay::Options::default(), move |report| {
        seen.lock().unwrap().push(format!("{report:?}"));
        Ok::<(), ()>(())
    });
    let summary = summary.unwrap();
    assert_eq!(*faults.lock().unwrap(), [""; 0]);
    assert_eq!(
        (summary.games, summary.divergences, summary.faults),
        (1, 0, 0)
    );
    assert!(summary.ticks >= 290, "{}", summary.ticks);
}
