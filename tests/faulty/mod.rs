//! A server that does what a script says, right or wrong, for the tests of the live client. Not the
//! embedded server (that one behaves).
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket};

/// Long enough for a loaded machine, short enough for a test that fails.
pub const LONG: Duration = Duration::from_secs(20);

/// The code in every address given out here; no output may hold it.
pub const CODE: &str = "8642097531";

/// A small board of the classic dialect.
pub const BOARD: &str = "☼☼☼☼☼☼   ☼☼ ► ☼☼###☼☼☼☼☼☼";

pub struct Faulty {
    listener: TcpListener,
}

impl Faulty {
    pub fn start() -> Self {
        Self::at(0)
    }

    pub fn at(port: u16) -> Self {
        let end = Instant::now() + LONG;
        loop {
            match TcpListener::bind(("127.0.0.1", port)) {
                Ok(listener) => return Self { listener },
                Err(error) if Instant::now() > end => panic!("{error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    pub fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    pub fn url(&self) -> String {
        url(self.port())
    }

    /// The next connection, not upgraded.
    pub fn raw(&self) -> TcpStream {
        self.listener.set_nonblocking(true).unwrap();
        let end = Instant::now() + LONG;
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).unwrap();
                    stream.set_read_timeout(Some(LONG)).unwrap();
                    return stream;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    assert!(Instant::now() < end, "nobody connects");
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The next connection, upgraded.
    pub fn accept(&self) -> Peer {
        Peer(tungstenite::accept(self.raw()).unwrap())
    }

    /// Refuses the next connection with this status and body.
    pub fn refuse(&self, status: &str, body: &str) {
        let mut stream = self.raw();
        read_head(&mut stream);
        let length = body.len();
        let text = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(text.as_bytes()).unwrap();
    }
}

pub fn url(port: u16) -> String {
    format!("http://127.0.0.1:{port}/codenjoy-contest/board/player/me?code={CODE}")
}

pub fn read_head(stream: &mut TcpStream) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
}

/// The server's end of a player's socket.
pub struct Peer(pub WebSocket<TcpStream>);

impl Peer {
    pub fn text(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    pub fn board(&mut self) {
        self.text(&format!("board={BOARD}"));
    }

    /// The next text; pings and pongs on the way are passed over.
    pub fn answer(&mut self) -> String {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return text.to_string(),
                Ok(Message::Close(frame)) => panic!("closed: {frame:?}"),
                Ok(_) => {}
                Err(error) => panic!("no answer: {error}"),
            }
        }
    }

    /// Sends a board and takes the answer.
    pub fn turn(&mut self) -> String {
        self.board();
        self.answer()
    }

    /// Asserts that no text was sent: a ping overtakes nothing, so its pong comes first.
    pub fn no_answer(&mut self) {
        self.0.send(Message::Ping(vec![9].into())).unwrap();
        loop {
            match self.0.read().unwrap() {
                Message::Pong(data) if data[..] == [9] => return,
                Message::Text(text) => panic!("an answer that nobody waits for: {text:?}"),
                _ => {}
            }
        }
    }

    /// Closes the connection; gives the code with which the client answers.
    pub fn close(mut self, code: u16) -> u16 {
        let reason = "bye".into();
        self.0
            .close(Some(CloseFrame {
                code: CloseCode::from(code),
                reason,
            }))
            .unwrap();
        let echo = self.goodbye();
        // Until the client hangs up.
        while self.0.read().is_ok() {}
        echo
    }

    /// The code with which the client says goodbye.
    pub fn goodbye(&mut self) -> u16 {
        loop {
            match self.0.read() {
                Ok(Message::Close(frame)) => return frame.map_or(1005, |frame| frame.code.into()),
                Ok(_) => {}
                Err(error) => panic!("no goodbye: {error}"),
            }
        }
    }

    /// Whether the client has ended this connection.
    pub fn is_gone(&mut self) -> bool {
        self.0
            .get_ref()
            .set_read_timeout(Some(Duration::from_millis(300)))
            .unwrap();
        loop {
            match self.0.read() {
                Ok(_) => {}
                Err(Error::Io(error)) => {
                    return !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
                }
                Err(_) => return true,
            }
        }
    }
}
