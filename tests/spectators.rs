//! The spectators' socket of the embedded server: asked first, answered once with the next tick.
#![cfg(feature = "tools")]
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use lodebot::board::Board;
use lodebot::levels;
use lodebot::server::{Options, Pace, Server, Simulated};
use lodebot::sim::{Level, Rules};
use serde_json::Value;
use tungstenite::{Message, WebSocket};

type Socket = WebSocket<TcpStream>;

fn serve(rules: Rules, pace: Pace) -> Server {
    let text = levels::find("tiny-8").unwrap().text;
    let board = Board::parse(text, Rules::CLASSIC.alphabet).unwrap();
    let level = Level::from_board(&board).unwrap();
    let game = Simulated::new("tiny-8", &board, level, rules, 5);
    let options = Options {
        pace,
        auth: false,
        ..Options::default()
    };
    Server::start(options, Box::new(game)).unwrap()
}

fn open(server: &Server, path: &str) -> Socket {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    let url = format!("ws://{}/codenjoy-contest/{path}", server.address());
    tungstenite::client(url, stream).unwrap().0
}

fn text(socket: &mut Socket) -> String {
    loop {
        if let Message::Text(text) = socket.read().unwrap() {
            return text.to_string();
        }
    }
}

fn ask(socket: &mut Socket, request: &str) -> Value {
    socket.send(Message::text(request)).unwrap();
    serde_json::from_str(&text(socket)).unwrap()
}

fn get(server: &Server, path: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let head = format!("GET /codenjoy-contest{path} HTTP/1.1\r\nHost: here\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response.split_once("\r\n\r\n").unwrap().1.to_owned()
}

const ALL: &str =
    r#"{"name":"getScreen","allPlayersScreen":true,"players":[],"gameName":"loderunner"}"#;

#[test]
fn a_picture_a_request_shows_the_board_that_the_player_sees() {
    let server = serve(Rules::CLASSIC, Pace::Lockstep);
    let mut player = open(&server, "ws?user=me&code=1");
    let mut spectator = open(&server, "screen-ws?user=anonymous");
    text(&mut player);
    // Garbage is no request, and the last of two requests counts.
    spectator.send(Message::text("hello")).unwrap();
    spectator
        .send(Message::text(
            r#"{"name":"getScreen","players":["nobody"]}"#,
        ))
        .unwrap();
    spectator.send(Message::text(ALL)).unwrap();
    // Its texts are heard before the pong.
    spectator.send(Message::Ping(vec![1].into())).unwrap();
    assert!(matches!(spectator.read().unwrap(), Message::Pong(_)));
    player.send(Message::text("left")).unwrap();
    let picture: Value = serde_json::from_str(&text(&mut spectator)).unwrap();
    let board = text(&mut player).strip_prefix("board=").unwrap().to_owned();

    let mine = &picture["me"];
    assert_eq!(
        (&mine["boardSize"], &mine["gameName"]),
        (&8.into(), &"loderunner".into())
    );
    assert_eq!(mine["scores"]["me"], mine["score"]);
    let letters = get(&server, "/rest/sprites/alphabet");
    let values = get(&server, "/rest/game/loderunner/sprites/values");
    let elements: Vec<String> = serde_json::from_str(&values).unwrap();
    let decoded: String = mine["board"]
        .as_str()
        .unwrap()
        .chars()
        .map(|letter| elements[letters.find(letter).unwrap()].as_str())
        .collect();
    assert_eq!(decoded, board);
    let (x, y) = (
        mine["heroesData"]["coordinates"]["me"]["x"]
            .as_u64()
            .unwrap(),
        mine["heroesData"]["coordinates"]["me"]["y"]
            .as_u64()
            .unwrap(),
    );
    let glyph = board.chars().nth((x + (7 - y) * 8) as usize).unwrap();
    let element = Rules::CLASSIC.alphabet.element(glyph).unwrap();
    assert!(element.is_me(), "{glyph}");

    // One picture a request: the next tick brings none.
    player.send(Message::text("")).unwrap();
    text(&mut player);
    spectator.send(Message::Ping(vec![2].into())).unwrap();
    assert!(matches!(spectator.read().unwrap(), Message::Pong(_)));
}

#[test]
fn spectators_choose_players_and_hold_nobody_up() {
    let rules = Rules::named("loderunner-2021-04").unwrap();
    let server = serve(rules, Pace::Period(Duration::from_millis(30)));
    let mut one = open(&server, "ws?user=one&code=1");
    let mut two = open(&server, "ws?user=two&code=1");
    let mut spectator = open(&server, "screen-ws?user=one");
    let mut silent = open(&server, "screen-ws/");
    text(&mut one);
    text(&mut two);
    let request = r#"{"name":"getScreen","allPlayersScreen":false,"players":["two","x"]}"#;
    for _ in 0..3 {
        let picture = ask(&mut spectator, request);
        let picture = picture.as_object().unwrap();
        assert_eq!(picture.keys().collect::<Vec<_>>(), ["two"]);
        assert_eq!(picture["two"]["game"], "loderunner");
        assert_eq!(picture["two"]["scores"].as_object().unwrap().len(), 2);
    }
    // No seat is taken by looking.
    let list = get(&server, "/rest/game/loderunner/players");
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
    silent.close(None).unwrap();
    while silent.read().is_ok() {}
    server.stop();
    let goodbye = loop {
        if let Message::Close(frame) = spectator.read().unwrap() {
            break frame.unwrap();
        }
    };
    assert_eq!(u16::from(goodbye.code), 1001);
}
