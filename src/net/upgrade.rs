//! The HTTP request that turns a stream into a WebSocket, and what a server says if it refuses.
//!
//! Done here and not by the WebSocket library for two reasons: the server's reason stands in the
//! status line or the body, which the library drops, and a server that sends the head drop by drop
//! must not hold us past the deadline. Not here: frames (`socket`).

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::generate_request;
use tungstenite::handshake::derive_accept_key;

use super::link::Link;
use super::socket::ConnectError;
use super::stream::{Stream, time_left};
use crate::board::excerpt;

/// A head longer than this is no answer to an upgrade.
const HEAD: usize = 16 * 1024;
/// As much of a refusal's body as is looked at.
const BODY: usize = 64 * 1024;

/// Asks for the upgrade; gives back what arrived behind the server's head.
pub(super) fn upgrade(
    stream: &mut Stream,
    link: &Link,
    deadline: Instant,
) -> Result<Vec<u8>, ConnectError> {
    // The library's errors may quote the address, and with it the code.
    let request = link
        .secret_address()
        .into_client_request()
        .map_err(|_| ConnectError::Address)?;
    let (request, key) = generate_request(request).map_err(|_| ConnectError::Address)?;
    write(stream, &request, deadline)?;

    let mut received = Vec::new();
    let head_end = loop {
        if let Some(end) = end_of_head(&received) {
            break end;
        }
        if received.len() > HEAD {
            return Err(ConnectError::NoWebSocket(
                "the head of its answer has no end".into(),
            ));
        }
        if read(stream, &mut received, deadline)? == 0 {
            return Err(ConnectError::NoWebSocket(
                "it hung up during the handshake".into(),
            ));
        }
    };
    let rest = received.split_off(head_end);
    let head = String::from_utf8_lossy(&received).into_owned();
    let mut lines = head.lines();
    let status_line = lines.next().unwrap_or_default();
    let mut parts = status_line.splitn(3, ' ');
    let is_http = parts
        .next()
        .is_some_and(|version| version.starts_with("HTTP/"));
    let status = parts.next().and_then(|status| status.parse::<u16>().ok());
    let (true, Some(status)) = (is_http, status) else {
        return Err(ConnectError::NoWebSocket(format!(
            "it answered `{}`",
            link.hide(&excerpt(status_line, 60))
        )));
    };
    let headers: Vec<(&str, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect();
    let header = |wanted: &str| {
        headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| *value)
    };
    if status == 101 {
        return if header("Sec-WebSocket-Accept") == Some(&derive_accept_key(key.as_bytes())) {
            Ok(rest)
        } else {
            Err(ConnectError::NoWebSocket(
                "its handshake has a wrong key".into(),
            ))
        };
    }
    let length = header("Content-Length").and_then(|length| length.parse::<usize>().ok());
    let body = body(stream, rest, length, deadline);
    let reason = parts.next().unwrap_or_default().trim();
    let location = header("Location").map(|place| format!("it points to {}", excerpt(place, 120)));
    let sentence = location.unwrap_or_else(|| sentence(reason, &body));
    Err(ConnectError::Rejected {
        status,
        sentence: link.hide(&sentence),
    })
}

fn end_of_head(received: &[u8]) -> Option<usize> {
    received
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .map(|start| start + 4)
}

fn write(stream: &mut Stream, bytes: &[u8], deadline: Instant) -> Result<(), ConnectError> {
    let mut bytes = bytes;
    while !bytes.is_empty() {
        let left = time_left(deadline).ok_or(ConnectError::TimedOut)?;
        // Over TLS the first write reads the server's part of the handshake.
        stream
            .set_read_wait(left.min(STEP))
            .map_err(ConnectError::Unreachable)?;
        match stream.write(bytes) {
            Ok(0) => return Err(ConnectError::NoWebSocket("it takes no data".into())),
            Ok(written) => bytes = &bytes[written..],
            Err(error) if is_wait(&error) => {}
            Err(error) => return Err(broken(error)),
        }
    }
    loop {
        match stream.flush() {
            Ok(()) => return Ok(()),
            Err(error) if is_wait(&error) => {
                time_left(deadline).ok_or(ConnectError::TimedOut)?;
            }
            Err(error) => return Err(broken(error)),
        }
    }
}

/// One wait of a read; the deadline is looked at in between.
const STEP: Duration = Duration::from_millis(200);

/// Adds what arrives next to `into`; 0 is the end of the stream.
fn read(stream: &mut Stream, into: &mut Vec<u8>, deadline: Instant) -> Result<usize, ConnectError> {
    let mut chunk = [0; 4096];
    loop {
        let left = time_left(deadline).ok_or(ConnectError::TimedOut)?;
        stream
            .set_read_wait(left.min(STEP))
            .map_err(ConnectError::Unreachable)?;
        match stream.read(&mut chunk) {
            Ok(count) => {
                into.extend_from_slice(&chunk[..count]);
                return Ok(count);
            }
            Err(error) if is_wait(&error) => {}
            Err(error) => return Err(broken(error)),
        }
    }
}

/// The body of a refusal as far as it comes within a second; without it the status must do.
fn body(stream: &mut Stream, rest: Vec<u8>, length: Option<usize>, deadline: Instant) -> String {
    let mut body = rest;
    let wanted = length.unwrap_or(BODY).min(BODY);
    let deadline = deadline.min(Instant::now() + Duration::from_secs(1));
    while body.len() < wanted && matches!(read(stream, &mut body, deadline), Ok(1..)) {}
    String::from_utf8_lossy(&body).into_owned()
}

pub(super) fn is_wait(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

fn broken(error: io::Error) -> ConnectError {
    if error.kind() == ErrorKind::InvalidData {
        // What the TLS library calls a failed handshake.
        ConnectError::Tls(error.to_string())
    } else {
        ConnectError::Unreachable(error)
    }
}

/// The server's own words out of a status line and an HTML body, on one line.
///
/// Status lines carry the whole sentence on the older servers; error pages carry it behind
/// `Reason:`; else the page's visible text must do.
fn sentence(reason: &str, body: &str) -> String {
    let words = visible_text(body);
    let behind_reason = words.split_once("Reason:").map(|(_, behind)| behind.trim());
    let best = match behind_reason {
        Some(behind) if !behind.is_empty() => behind,
        // "Unauthorized" alone says less than any body.
        _ if reason.contains(' ') || words.is_empty() => reason,
        _ => words.as_str(),
    };
    excerpt(best, 200)
}

/// The text of an HTML page without tags, scripts and styles, blanks made single.
fn visible_text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        let silent = ["script", "style", "title"].into_iter().find(|name| {
            tag.get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        });
        rest = match silent.and_then(|name| tag.split_once(&format!("</{name}"))) {
            Some((_, behind)) => behind,
            None => tag,
        };
        rest = rest.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_s_sentence_is_found_in_line_or_page() {
        let said = "Unauthorized access. Please register user and/or write valid EMAIL/CODE in the client.";
        assert_eq!(sentence(said, ""), said);
        let page = format!(
            "<html><head><title>Error 401</title><style>p {{}}</style></head><body>\n<h2>HTTP ERROR \
             401</h2><p>Problem accessing /ws. Reason:\n<pre>    {said}</pre></p></body></html>"
        );
        assert_eq!(sentence("Unauthorized", &page), said);
        assert_eq!(sentence("Unauthorized", "no such player"), "no such player");
        assert_eq!(sentence("Server Error", ""), "Server Error");
        assert!(sentence("x", &"long ".repeat(1000)).len() < 220);
    }

    #[test]
    fn broken_pages_are_read_to_their_end() {
        for page in [
            "<",
            "<script",
            "<style>x",
            "a<b",
            "ä<é>ö</script",
            "<scripté",
        ] {
            let _ = visible_text(page);
        }
        assert_eq!(visible_text("a<br>b"), "a b");
    }
}
