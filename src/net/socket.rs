//! A player's WebSocket with the time-outs that the library leaves to its users.
//!
//! Every call comes back: connecting within its limit, reading within the wait that is asked for,
//! sending within seconds. Pings of the server are answered while reading, our own go out every
//! [`PING`], so that a proxy keeps a paused game's connection. Not here: what a text means
//! (`frame`), when to read and to reconnect (`client`).

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode};
use tungstenite::{Message, Utf8Bytes, WebSocket};

use super::link::Link;
use super::stream::{Stream, time_left};
use super::upgrade::{is_wait, upgrade};
use crate::board::excerpt;

/// Our ping's period: proxies cut connections on which nothing flows for 60 s.
pub const PING: Duration = Duration::from_secs(20);

/// The longest message taken from a server: a 58x58 board has 4 kB, a 128x128 one under 50.
pub const LONGEST: usize = 1 << 20;

/// Why there is no connection. Each text is a sentence's end for a person, without the code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The name is unknown to the resolver. Trying again helps if the network was down.
    #[error("the host `{0}` is not known here ({1})")]
    NoHost(String, io::Error),
    /// Refused, unreachable or reset. Trying again helps when the server is back.
    #[error("the server cannot be reached ({0})")]
    Unreachable(io::Error),
    /// Nothing came in time. Trying again may help.
    #[error("the server did not answer in time")]
    TimedOut,
    /// The server answered the upgrade with another status than 101: 401 is a wrong id or code,
    /// 500 a missing user. Trying again helps only after somebody changed something there.
    #[error("the server refuses with HTTP {status}: {sentence}")]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// The server's own words, on one line, without the code.
        sentence: String,
    },
    /// Something answers there, but no WebSocket server.
    #[error("this is no game server: {0}")]
    NoWebSocket(String),
    /// The address cannot be asked for.
    #[error("the address holds characters that cannot be sent")]
    Address,
    /// Certificate or handshake failure.
    #[error("no secure connection: {0}; --insecure skips the check of the certificate")]
    Tls(String),
    /// Built without the feature `wss`.
    #[error("this build has no wss:// (feature `wss`)")]
    NoTls,
}

/// How to connect.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Limit from the first packet to the end of the handshake (the system bounds the name look-up).
    pub time_out: Duration,
    /// Accept any certificate.
    pub insecure: bool,
    /// Period of our pings.
    pub ping: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            time_out: Duration::from_secs(10),
            insecure: false,
            ping: PING,
        }
    }
}

/// What reading gave.
#[derive(Debug)]
pub enum Event {
    /// A text message.
    Text(Utf8Bytes),
    /// A binary message of so many bytes; servers of this game send none.
    Binary(usize),
    /// A pong or ping: the other end lives.
    Alive,
    /// Nothing within the wait.
    Quiet,
}

/// Why a connection ended; it can only be dropped then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Broken {
    /// The server closed it, with this code and reason.
    #[error("the server closed the connection (code {0}{1})")]
    Closed(u16, String),
    /// It ended without a close: server killed, network gone.
    #[error("the connection broke ({0})")]
    Lost(io::Error),
    /// A message longer than [`LONGEST`].
    #[error("the server sent a message of more than {LONGEST} bytes")]
    TooLong,
    /// The other end does not speak WebSocket properly.
    #[error("the server broke the WebSocket protocol ({0})")]
    Protocol(String),
}

/// A connected player's socket.
#[derive(Debug)]
pub struct Socket {
    inner: WebSocket<Stream>,
    ping: Duration,
    last_ping: Instant,
    awaited_pong: Option<Instant>,
    round_trip: Option<Duration>,
}

impl Socket {
    /// Connects and upgrades.
    ///
    /// # Errors
    /// A [`ConnectError`]; nothing stays open behind one.
    pub fn connect(link: &Link, options: &Options) -> Result<Self, ConnectError> {
        let deadline = Instant::now() + options.time_out;
        let mut stream = Stream::open(link, options.insecure, deadline)?;
        let rest = upgrade(&mut stream, link, deadline)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(16 * 1024)
            .write_buffer_size(0)
            .max_write_buffer_size(LONGEST)
            .max_message_size(Some(LONGEST))
            .max_frame_size(Some(LONGEST));
        let inner = WebSocket::from_partially_read(stream, rest, Role::Client, Some(config));
        Ok(Self {
            inner,
            ping: options.ping,
            last_ping: Instant::now(),
            awaited_pong: None,
            round_trip: None,
        })
    }

    /// Waits at most `wait` for the next event.
    ///
    /// # Errors
    /// [`Broken`]: the connection is over.
    pub fn read(&mut self, wait: Duration) -> Result<Event, Broken> {
        if self.last_ping.elapsed() >= self.ping {
            self.last_ping = Instant::now();
            self.awaited_pong = Some(self.last_ping);
            self.inner
                .send(Message::Ping(Vec::new().into()))
                .map_err(broken)?;
        }
        self.inner
            .get_ref()
            .set_read_wait(wait)
            .map_err(Broken::Lost)?;
        match self.inner.read() {
            Ok(Message::Text(text)) => Ok(Event::Text(text)),
            Ok(Message::Binary(bytes)) => Ok(Event::Binary(bytes.len())),
            Ok(Message::Ping(_)) => {
                // The pong is queued; it must not wait for our next read.
                self.inner.flush().map_err(broken)?;
                Ok(Event::Alive)
            }
            Ok(Message::Pong(_)) => {
                if let Some(sent) = self.awaited_pong.take() {
                    self.round_trip = Some(sent.elapsed());
                }
                Ok(Event::Alive)
            }
            Ok(Message::Close(frame)) => {
                // Sends our half of the goodbye; the stream is dropped next anyway.
                let _ = self.inner.flush();
                let (code, reason) = frame.map_or((1005, String::new()), |frame| {
                    (u16::from(frame.code), excerpt(&frame.reason, 120))
                });
                let reason = if reason.is_empty() {
                    reason
                } else {
                    format!(", \"{reason}\"")
                };
                Err(Broken::Closed(code, reason))
            }
            Ok(Message::Frame(_)) => Ok(Event::Quiet),
            Err(tungstenite::Error::Io(error)) if is_wait(&error) => Ok(Event::Quiet),
            Err(error) => Err(broken(error)),
        }
    }

    /// Sends one text message, now.
    ///
    /// # Errors
    /// [`Broken`]: the connection is over; whether the text arrived is unknown.
    pub fn send(&mut self, text: &str) -> Result<(), Broken> {
        self.inner.send(Message::text(text)).map_err(broken)
    }

    /// The last measured time from a ping to its pong.
    pub fn round_trip(&self) -> Option<Duration> {
        self.round_trip
    }

    /// Says goodbye, waits at most `wait` for the server's, and ends the connection.
    pub fn close(mut self, wait: Duration) {
        let deadline = Instant::now() + wait;
        let goodbye = CloseFrame {
            code: CloseCode::Normal,
            reason: Utf8Bytes::default(),
        };
        if self.inner.close(Some(goodbye)).is_err() {
            return;
        }
        // What still arrives is of no use; the end of the stream is what is waited for.
        while let Some(left) = time_left(deadline) {
            if self.inner.get_ref().set_read_wait(left).is_err() {
                break;
            }
            match self.inner.read() {
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if is_wait(&error) => {}
                Err(_) => break,
            }
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.inner.get_ref().shut_down();
    }
}

fn broken(error: tungstenite::Error) -> Broken {
    use tungstenite::Error;
    use tungstenite::error::ProtocolError;
    match error {
        Error::ConnectionClosed | Error::AlreadyClosed => Broken::Closed(1006, String::new()),
        Error::Io(error) => Broken::Lost(error),
        // What the library calls a stream that ends without a close.
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
            Broken::Lost(io::ErrorKind::ConnectionReset.into())
        }
        Error::Capacity(_) => Broken::TooLong,
        other => Broken::Protocol(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::thread::{self, JoinHandle};

    use super::*;

    /// A server for one connection: reads the request's head, then does as told.
    fn server(act: impl FnOnce(TcpStream) + Send + 'static) -> (Link, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let link = format!("http://127.0.0.1:{port}/game/board/player/me?code=9977");
        let handle = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            assert!(head.starts_with(b"GET /game/ws?user=me&code=9977 HTTP/1.1\r\n"));
            act(stream);
        });
        (Link::parse(&link).unwrap(), handle)
    }

    fn quick() -> Options {
        Options {
            time_out: Duration::from_millis(300),
            ..Options::default()
        }
    }

    #[test]
    fn a_refusal_carries_the_server_s_sentence_without_the_code() {
        let (link, handle) = server(|mut stream| {
            let body = "<html><p>Reason:<pre> No player has code 9977</pre></html>";
            let head = format!("HTTP/1.1 401 No\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).unwrap();
            // The body comes in a packet of its own.
            thread::sleep(Duration::from_millis(30));
            stream.write_all(body.as_bytes()).unwrap();
        });
        let error = Socket::connect(&link, &quick()).unwrap_err();
        assert!(
            matches!(error, ConnectError::Rejected { status: 401, .. }),
            "{error}"
        );
        assert!(
            error.to_string().ends_with("No player has code ***"),
            "{error}"
        );
        handle.join().unwrap();
    }

    #[test]
    fn a_server_that_trickles_or_babbles_is_given_up_in_time() {
        let (link, handle) = server(|mut stream| {
            while stream.write_all(b"H").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let started = Instant::now();
        let error = Socket::connect(&link, &quick()).unwrap_err();
        assert!(matches!(error, ConnectError::TimedOut), "{error}");
        assert!(started.elapsed() < Duration::from_secs(2));
        handle.join().unwrap();

        let (link, handle) = server(|mut stream| {
            let _ = stream.write_all(b"220 mail.example.org ready\r\n\r\n");
        });
        let error = Socket::connect(&link, &quick()).unwrap_err();
        assert!(matches!(error, ConnectError::NoWebSocket(_)), "{error}");
        handle.join().unwrap();
    }

    #[test]
    fn nobody_there_is_said_so() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let link =
            Link::parse(&format!("http://127.0.0.1:{port}/c/board/player/me?code=1")).unwrap();
        let error = Socket::connect(&link, &quick()).unwrap_err();
        assert!(matches!(error, ConnectError::Unreachable(_)), "{error}");
    }

    #[cfg(feature = "wss")]
    #[test]
    fn a_plain_server_behind_a_secure_address_is_an_error_and_no_panic() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        });
        let link = Link::parse(&format!("wss://localhost:{port}/ws?user=me&code=1")).unwrap();
        let error = Socket::connect(&link, &quick()).unwrap_err();
        assert!(
            matches!(error, ConnectError::Tls(_) | ConnectError::Unreachable(_)),
            "{error}"
        );
        handle.join().unwrap();
    }

    /// A proxy cuts connections on which nothing flows.
    #[test]
    fn a_silent_connection_is_pinged_and_its_round_trip_measured() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut server = tungstenite::accept(stream).unwrap();
            for _ in 0..3 {
                // Reading on sends the pong.
                assert!(matches!(server.read().unwrap(), Message::Ping(_)));
            }
        });
        let link = Link::parse(&format!("ws://127.0.0.1:{port}/ws?user=me&code=1")).unwrap();
        let options = Options {
            ping: Duration::from_millis(20),
            ..Options::default()
        };
        let mut socket = Socket::connect(&link, &options).unwrap();
        assert_eq!(socket.round_trip(), None);
        let mut alive = false;
        while let Ok(event) = socket.read(Duration::from_millis(5)) {
            alive |= matches!(event, Event::Alive);
        }
        assert!(alive && socket.round_trip().is_some());
        handle.join().unwrap();
    }

    #[test]
    fn texts_pings_and_ends_are_told_apart() {
        let (link, handle) = server(|stream| {
            // The key does not matter to what is tested here; the library makes the answer.
            drop(stream);
        });
        assert!(matches!(
            Socket::connect(&link, &quick()).unwrap_err(),
            ConnectError::NoWebSocket(_) | ConnectError::Unreachable(_)
        ));
        handle.join().unwrap();

        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let handle = thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut server = tungstenite::accept(stream).unwrap();
            server.send(Message::text("board=#")).unwrap();
            server.send(Message::Ping(vec![1].into())).unwrap();
            assert!(matches!(server.read().unwrap(), Message::Pong(_)));
            assert_eq!(server.read().unwrap(), Message::text(""));
            server.send(Message::Binary(vec![0; 3].into())).unwrap();
            // The client hangs up as soon as it has read the length: the rest may find nobody.
            let _ = server.send(Message::text("x".repeat(LONGEST + 1)));
        });
        let link = Link::parse(&format!("ws://127.0.0.1:{port}/ws?user=me&code=1")).unwrap();
        let mut socket = Socket::connect(&link, &quick()).unwrap();
        let wait = Duration::from_secs(2);
        assert!(matches!(socket.read(wait), Ok(Event::Text(text)) if text == "board=#"));
        assert!(matches!(socket.read(wait), Ok(Event::Alive)));
        assert!(matches!(
            socket.read(Duration::from_millis(5)),
            Ok(Event::Quiet)
        ));
        socket.send("").unwrap();
        assert!(matches!(socket.read(wait), Ok(Event::Binary(3))));
        assert!(matches!(socket.read(wait), Err(Broken::TooLong)));
        drop(socket);
        handle.join().unwrap();
    }
}
