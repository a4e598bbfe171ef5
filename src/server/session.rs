//! One player's or spectator's socket: a thread that reads it and a thread that writes it.
//!
//! They are two so that a client that does not read stops neither the game nor its own pongs: all
//! bytes out go through a bounded outbox, and a client whose outbox is full is cut off. Not here:
//! what a text means for the game (`room`).

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tungstenite::{Error, Message, Utf8Bytes, WebSocket};

use super::Shared;
use super::http::{Request, Response};
use super::room::{Outgoing, Refusal};
use crate::net::query;

/// The longest text a player may send, as on the original servers.
const LONGEST: usize = 65_536;
/// Frames waiting for a slow client: one board and some pongs are the usual.
const OUTBOX: usize = 64;
/// A write that takes longer ends the connection.
const WRITE: Duration = Duration::from_secs(10);
/// How often a silent socket looks whether it is idle or the server stops.
const POLL: Duration = Duration::from_millis(500);

const UNAUTHORIZED: &str = "No player has this id and code. Register, or copy the address of your \
                            board page once more.";

/// Answers an upgrade request, and serves the socket until it ends.
pub(super) fn serve(shared: &Shared, mut stream: TcpStream, request: Request) {
    let admitted = key(&request).and_then(|key| Ok((key, admit(shared, &request)?)));
    match admitted {
        Err(refusal) => refusal.send(&mut stream),
        Ok((key, user)) => {
            let open = |outbox| shared.room().open(&user, outbox);
            // A client that breaks off here only loses itself.
            if let Err(error) = talk(shared, stream, request, &key, open) {
                log::debug!("socket of {user:?}: {error}");
            }
        }
    }
}

/// Answers a spectator's upgrade request, whoever it is, and serves the socket until it ends.
pub(super) fn serve_spectator(shared: &Shared, mut stream: TcpStream, request: Request) {
    match key(&request) {
        Err(refusal) => refusal.send(&mut stream),
        Ok(key) => {
            let open = |outbox| shared.room().open_spectator(outbox);
            if let Err(error) = talk(shared, stream, request, &key, open) {
                log::debug!("socket of a spectator: {error}");
            }
        }
    }
}

/// The handshake's key.
fn key(request: &Request) -> Result<String, Response> {
    let key = request
        .header("Sec-WebSocket-Key")
        .filter(|key| !key.is_empty());
    key.map(str::to_owned)
        .ok_or_else(|| Response::text(400, "The upgrade has no Sec-WebSocket-Key."))
}

/// The user, or the refusal.
fn admit(shared: &Shared, request: &Request) -> Result<String, Response> {
    // The originals fail here with a null pointer, and clients know the status.
    let user = query::value(&request.query, "user").filter(|user| !user.is_empty());
    let Some(user) = user else {
        return Err(page(500, "The address of the socket has no user=..."));
    };
    let code = query::value(&request.query, "code").unwrap_or_default();
    if user.chars().count() > 100 || code.chars().count() > 50 {
        return Err(page(401, UNAUTHORIZED));
    }
    match shared.room().admit(user, code) {
        Ok(()) => Ok(user.to_owned()),
        Err(Refusal::Unauthorized) => Err(page(401, UNAUTHORIZED)),
        Err(Refusal::Full) => Err(page(503, "The field is full.")),
    }
}

fn page(status: u16, sentence: &str) -> Response {
    Response::html(
        status,
        format!("<!DOCTYPE html><title>{status}</title><p>{sentence}</p>\n"),
    )
}

fn talk(
    shared: &Shared,
    stream: TcpStream,
    request: Request,
    key: &str,
    open: impl FnOnce(SyncSender<Outgoing>) -> u64,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE))?;
    let (outbox, outgoing) = sync_channel(OUTBOX);
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    // First in the queue, so no board can come before it.
    let _ = outbox.try_send(Outgoing::Raw(head.into_bytes()));
    let write_half = stream.try_clone()?;
    // Before the client can know that it is in, so that it is waited for from then on.
    let session = open(outbox.clone());
    shared.wake();
    let writer = thread::Builder::new()
        .name("writer".into())
        .spawn(move || write(write_half, &outgoing));
    let writer = match writer {
        Ok(writer) => writer,
        Err(error) => {
            shared.room().close(session);
            return Err(error);
        }
    };
    let config = WebSocketConfig::default()
        .read_buffer_size(8 * 1024)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(Some(LONGEST))
        .max_frame_size(Some(LONGEST))
        .accept_unmasked_frames(true);
    let both = Both { stream, outbox };
    let mut socket = WebSocket::from_partially_read(both, request.rest, Role::Server, Some(config));
    read(shared, &mut socket, session);
    shared.room().close(session);
    shared.wake();
    // With the last outbox gone the writer sends what is left and closes its half.
    let Both { stream, outbox } = socket.into_inner();
    drop(outbox);
    let _ = writer.join();
    drain(stream);
    Ok(())
}

/// Reads what a client still sends: closing over unread data would reset the connection, and the
/// client would not see the goodbye.
fn drain(mut stream: TcpStream) {
    let mut chunk = [0; 4096];
    let deadline = Instant::now() + POLL;
    if stream.set_read_timeout(Some(POLL)).is_ok() {
        while Instant::now() < deadline && matches!(stream.read(&mut chunk), Ok(1..)) {}
    }
}

fn read(shared: &Shared, socket: &mut WebSocket<Both>, session: u64) {
    let mut last_read = Instant::now();
    loop {
        if shared.is_stopping() {
            return;
        }
        if socket
            .get_ref()
            .stream
            .set_read_timeout(Some(POLL))
            .is_err()
        {
            return;
        }
        match socket.read() {
            Ok(message) => {
                last_read = Instant::now();
                match message {
                    Message::Text(text) => {
                        shared.room().answer(session, text.as_str());
                        shared.wake();
                    }
                    Message::Ping(_) => {
                        if socket.flush().is_err() {
                            return;
                        }
                    }
                    // Like the originals: whatever code the client gave.
                    Message::Close(_) => {
                        let goodbye = Outgoing::Close(CloseCode::Normal.into(), "");
                        let _ = socket.get_ref().outbox.try_send(goodbye);
                        return;
                    }
                    // Ignored, in particular no answers.
                    Message::Binary(_) | Message::Pong(_) | Message::Frame(_) => {}
                }
            }
            Err(Error::Io(error)) if is_wait(&error) => {
                let last_sent = shared.room().last_sent(session);
                let last = last_sent.map_or(last_read, |sent| sent.max(last_read));
                if last.elapsed() >= shared.idle {
                    log::info!("a silent socket is closed");
                    let _ = socket.close(Some(goodbye(CloseCode::Normal, "")));
                    return;
                }
            }
            Err(Error::Capacity(_)) => {
                let reason = "a text of more than 65536 bytes";
                let _ = socket.close(Some(goodbye(CloseCode::Size, reason)));
                return;
            }
            Err(Error::Utf8(_)) => {
                let _ = socket.close(Some(goodbye(CloseCode::Invalid, "text that is no UTF-8")));
                return;
            }
            Err(_) => return,
        }
    }
}

fn goodbye(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame {
        code,
        reason: Utf8Bytes::from_static(reason),
    }
}

fn is_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

/// The writer's thread: sends frames until nobody can add any, or the client does not take them.
fn write(mut stream: TcpStream, outgoing: &Receiver<Outgoing>) {
    for item in outgoing {
        let mut bytes = Vec::new();
        let (frame, last) = match item {
            Outgoing::Raw(raw) => {
                bytes = raw;
                (None, false)
            }
            Outgoing::Text(text) => (
                Some(Frame::message(text, OpCode::Data(Data::Text), true)),
                false,
            ),
            Outgoing::Close(code, reason) => {
                (Some(Frame::close(Some(goodbye(code.into(), reason)))), true)
            }
        };
        // Writing to memory does not fail.
        let made = frame.map_or(Ok(()), |frame| frame.format(&mut bytes));
        if made.is_err() || stream.write_all(&bytes).is_err() {
            // Wakes the reader too.
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
        if last {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Write);
}

/// What the WebSocket library reads from and writes to: the stream inwards, the outbox outwards.
struct Both {
    stream: TcpStream,
    outbox: SyncSender<Outgoing>,
}

impl Read for Both {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

impl Write for Both {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.outbox.try_send(Outgoing::Raw(buffer.to_vec())) {
            Ok(()) => Ok(buffer.len()),
            // Somebody who sends pings and never reads.
            Err(_) => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
