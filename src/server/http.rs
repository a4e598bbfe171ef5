//! As much of HTTP as the server needs: one request a connection, heads and forms of bounded size,
//! bounded time. WebSocket upgrades begin as such a request too.
//!
//! Not here: what is behind which address (`routes`).

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::net::query;

const HEAD: usize = 16 * 1024;
const BODY: usize = 64 * 1024;
/// Who has not sent his request by then is hung up on.
const TIME: Duration = Duration::from_secs(10);

/// A request. Everything in it comes from outside.
#[derive(Debug, Clone, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// Not decoded, without the query.
    pub(super) path: String,
    pub(super) query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    /// The fields of a posted form.
    pub(super) form: Vec<(String, String)>,
    /// Bytes behind the head of a request without a body: a hasty WebSocket client's first frames.
    pub(super) rest: Vec<u8>,
}

impl Request {
    pub(super) fn header(&self, wanted: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| value.as_str())
    }

    /// The host as the client called it, if that can stand in an address.
    pub(super) fn host(&self) -> Option<&str> {
        let allowed = |symbol: char| symbol.is_ascii_alphanumeric() || ".-_:[]".contains(symbol);
        self.header("Host")
            .filter(|host| !host.is_empty() && host.chars().all(allowed))
    }

    pub(super) fn wants_web_socket(&self) -> bool {
        self.header("Upgrade")
            .is_some_and(|value| value.eq_ignore_ascii_case("websocket"))
    }

    /// Reads one request.
    ///
    /// # Errors
    /// A response that says what is wrong, or nothing if the client is gone or silent.
    pub(super) fn read(stream: &mut TcpStream) -> Result<Self, Option<Response>> {
        let deadline = Instant::now() + TIME;
        let mut received = Vec::new();
        let end = loop {
            if let Some(end) = received.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            if received.len() > HEAD {
                return Err(Some(Response::text(431, "The request's head is too long.")));
            }
            if read(stream, &mut received, deadline).map_err(|_| None)? == 0 {
                return Err(None);
            }
        };
        let mut rest = received.split_off(end);
        let head = String::from_utf8_lossy(&received);
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target) = (
            words.next().unwrap_or_default(),
            words.next().unwrap_or_default(),
        );
        let is_http = words
            .next()
            .is_some_and(|version| version.starts_with("HTTP/1."));
        if !is_http || !target.starts_with('/') {
            return Err(Some(Response::text(400, "This is no HTTP request.")));
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut request = Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query::pairs(query),
            headers: lines
                .filter_map(|line| line.split_once(':'))
                .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                .collect(),
            ..Self::default()
        };
        if method == "POST" {
            let length = request
                .header("Content-Length")
                .and_then(|text| text.parse().ok());
            let length: usize = length.unwrap_or(0);
            if length > BODY {
                return Err(Some(Response::text(413, "The form is too long.")));
            }
            while rest.len() < length {
                if read(stream, &mut rest, deadline).map_err(|_| None)? == 0 {
                    return Err(None);
                }
            }
            rest.truncate(length);
            request.form = query::pairs(&String::from_utf8_lossy(&rest));
        } else {
            request.rest = rest;
        }
        Ok(request)
    }
}

fn read(stream: &mut TcpStream, into: &mut Vec<u8>, deadline: Instant) -> io::Result<usize> {
    let mut chunk = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(count) => {
                into.extend_from_slice(&chunk[..count]);
                return Ok(count);
            }
            Err(error) => return Err(error),
        }
    }
}

/// A response; the connection is closed behind it.
#[derive(Debug, Clone)]
pub(super) struct Response {
    status: u16,
    kind: &'static str,
    location: Option<String>,
    body: String,
}

impl Response {
    pub(super) fn html(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            kind: "text/html",
            location: None,
            body: body.into(),
        }
    }

    pub(super) fn text(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            kind: "text/plain",
            location: None,
            body: body.into(),
        }
    }

    pub(super) fn json(body: impl Into<String>) -> Self {
        Self {
            status: 200,
            kind: "application/json",
            location: None,
            body: body.into(),
        }
    }

    /// "See other": the answer to a good form.
    pub(super) fn see(location: String) -> Self {
        Self {
            status: 303,
            kind: "text/plain",
            location: Some(location),
            body: String::new(),
        }
    }

    fn reason(&self) -> &'static str {
        match self.status {
            200 => "OK",
            303 => "See Other",
            400 => "Bad Request",
            401 => "Unauthorized",
            404 => "Not Found",
            405 => "Method Not Allowed",
            413 => "Content Too Large",
            426 => "Upgrade Required",
            431 => "Request Header Fields Too Large",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        }
    }

    /// Sends it. A client that went away is no fault.
    pub(super) fn send(&self, stream: &mut TcpStream) {
        let location = self
            .location
            .as_ref()
            .map_or(String::new(), |place| format!("Location: {place}\r\n"));
        let text = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\n{location}\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n{}",
            self.status,
            self.reason(),
            self.kind,
            self.body.len(),
            self.body
        );
        let _ = stream.set_write_timeout(Some(TIME));
        let _ = stream.write_all(text.as_bytes());
    }
}
