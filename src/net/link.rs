//! From the address a person pastes to the address of the player's socket.
//!
//! People paste the board page as their browser shows it, in the forms of every generation of the
//! server (`PROTOCOL` section 2). The access code inside is a password: no `Debug`, `Display` or
//! error of this module shows it, and [`Link::hide`] takes it out of a server's words. Not here:
//! connecting (`socket`).

use std::fmt;

use thiserror::Error;
use url::Url;

use super::query::{decode_segment, encode};

/// A player's socket address: where to connect and as whom.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// Holds the code: never printed.
    socket: Url,
    user: String,
    code: String,
}

/// Why an address is none; each a sentence for the person who pasted it, without the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Nothing but blanks and quotes.
    #[error("the address is empty: paste the address of your board page, as the browser shows it")]
    Empty,
    /// Not an address at all.
    #[error(
        "this is no address ({0}): paste the address of your board page, as the browser shows it"
    )]
    NoAddress(url::ParseError),
    /// Neither http(s) nor ws(s).
    #[error("the address must begin with http://, https://, ws:// or wss://")]
    Scheme,
    /// A page without `/board/player/`, a socket without `user=`.
    #[error(
        "the address names no player: it must look like \
         http://HOST/codenjoy-contest/board/player/ID?code=CODE"
    )]
    NoPlayer,
    /// No code, or an empty one.
    #[error(
        "the address has no code=...: without it the server lets nobody play; \
         open your own board page after logging in and copy its whole address"
    )]
    NoCode,
    /// `only=true`: a page for spectators.
    #[error(
        "this is the page of a spectator (only=true), which cannot play: \
         open your own board page after logging in and copy its address"
    )]
    Spectator,
    /// `&remove`: opening it takes the player out of the game.
    #[error(
        "this address removes the player from the game (&remove): \
         it was not opened; use the address without it"
    )]
    Remove,
}

impl Link {
    /// Reads a board page's address or a socket's, in any of the forms that servers gave out.
    ///
    /// # Errors
    /// A [`LinkError`] whose text says what is missing and never repeats the code.
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        let text = text.trim_matches(|symbol: char| {
            symbol.is_whitespace()
                || symbol.is_control()
                || "\"'`<>«»“”„‘’\u{feff}".contains(symbol)
        });
        if text.is_empty() {
            return Err(LinkError::Empty);
        }
        // Browsers hide the scheme, and so do people who copy by hand.
        let page = if text.contains("://") {
            Url::parse(text)
        } else {
            Url::parse(&format!("http://{text}"))
        };
        let page = page.map_err(LinkError::NoAddress)?;
        let scheme = match page.scheme() {
            "http" | "ws" => "ws",
            "https" | "wss" => "wss",
            _ => return Err(LinkError::Scheme),
        };
        let parameter = |name: &str| {
            page.query_pairs()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        if parameter("remove").is_some() {
            return Err(LinkError::Remove);
        }
        if parameter("only").is_some_and(|value| value != "false") {
            return Err(LinkError::Spectator);
        }
        let segments: Vec<&str> = page
            .path_segments()
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        let board = segments
            .windows(2)
            .rposition(|pair| pair == ["board", "player"]);
        let as_it_is = board.is_none() && page.scheme().starts_with("ws");
        let (context, user) = match board {
            // `/board/player/ID`, and `/board/player/id/ID` of 1.0.28: the last part is the id.
            Some(board) if segments.len() > board + 2 => (
                &segments[..board],
                decode_segment(segments[segments.len() - 1]),
            ),
            Some(_) => return Err(LinkError::NoPlayer),
            // A socket's address: `/CONTEXT/ws?user=ID`, pasted with whatever scheme.
            None => {
                let user = parameter("user").ok_or(LinkError::NoPlayer)?;
                let end = segments
                    .iter()
                    .rposition(|part| *part == "ws")
                    .unwrap_or(segments.len());
                (&segments[..end], user)
            }
        };
        let user = user.trim().to_owned();
        if user.is_empty() {
            return Err(LinkError::NoPlayer);
        }
        let code = parameter("code").filter(|code| !code.trim().is_empty());
        let code = code.ok_or(LinkError::NoCode)?.trim().to_owned();

        let mut socket = page.clone();
        // Between these four schemes the change is always allowed.
        socket.set_scheme(scheme).map_err(|()| LinkError::Scheme)?;
        socket.set_fragment(None);
        if !as_it_is {
            let mut path: Vec<&str> = context.to_vec();
            path.push("ws");
            socket.set_path(&path.join("/"));
            socket
                .query_pairs_mut()
                .clear()
                .append_pair("user", &user)
                .append_pair("code", &code);
        }
        // A name and password in front of the host would be printed with it.
        let _ = socket.set_username("");
        let _ = socket.set_password(None);
        if socket.host_str().is_none_or(str::is_empty) {
            return Err(LinkError::NoAddress(url::ParseError::EmptyHost));
        }
        Ok(Self { socket, user, code })
    }

    /// The whole socket address with the code, for the handshake and nothing else.
    pub(super) fn secret_address(&self) -> &str {
        self.socket.as_str()
    }

    /// The player's id, percent-decoded.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Host name or address, brackets of IPv6 taken off.
    pub fn host(&self) -> &str {
        self.socket
            .host_str()
            .unwrap_or_default()
            .trim_matches(['[', ']'])
    }

    /// The port, 80 or 443 where the address names none.
    pub fn port(&self) -> u16 {
        self.socket.port_or_known_default().unwrap_or(80)
    }

    /// Whether the socket goes through TLS.
    pub fn is_secure(&self) -> bool {
        self.socket.scheme() == "wss"
    }

    /// `text` without the code, for words that come from elsewhere (a server may echo it).
    pub fn hide(&self, text: &str) -> String {
        text.replace(&self.code, "***")
            .replace(&encode(&self.code), "***")
    }
}

impl fmt::Display for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{}://{}",
            self.socket.scheme(),
            self.socket.host_str().unwrap_or_default()
        )?;
        if let Some(port) = self.socket.port() {
            write!(out, ":{port}")?;
        }
        let path = self.hide(self.socket.path());
        write!(out, "{path}?user={}", self.hide(&self.user))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Link({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn socket(text: &str) -> String {
        Link::parse(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .secret_address()
            .into()
    }

    #[test]
    fn every_form_of_a_board_page() {
        let plain = "ws://localhost:8080/codenjoy-contest/ws?user=abc123&code=42";
        let rows = [
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123?code=42",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123?code=42&game=loderunner",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123?code=42&gameName=loderunner",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123?gameName=loderunner&code=42",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/id/abc123?code=42",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123/?code=42",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/board/player/abc123?code=42#top",
                plain,
            ),
            (
                "  \"http://localhost:8080/codenjoy-contest/board/player/abc123?code=42\"\n",
                plain,
            ),
            (
                "'http://localhost:8080/codenjoy-contest/board/player/abc123?code=42'",
                plain,
            ),
            (
                "<http://localhost:8080/codenjoy-contest/board/player/abc123?code=42>",
                plain,
            ),
            (
                "localhost:8080/codenjoy-contest/board/player/abc123?code=42",
                plain,
            ),
            (
                "HTTP://LOCALHOST:8080/codenjoy-contest/board/player/abc123?code=42",
                plain,
            ),
            (
                "http://localhost:8080/codenjoy-contest/ws?user=abc123&code=42",
                plain,
            ),
            (plain, plain),
            (
                "ws://localhost:8080/codenjoy-contest/board/player/abc123?code=42",
                plain,
            ),
            (
                "https://dojorena.io/codenjoy-contest/board/player/a-b-c?code=0123456789012345678&game=loderunner",
                "wss://dojorena.io/codenjoy-contest/ws?user=a-b-c&code=0123456789012345678",
            ),
            (
                "http://host/codenjoy-contest/board/player/stan.smith@mail.org?code=1",
                "ws://host/codenjoy-contest/ws?user=stan.smith%40mail.org&code=1",
            ),
            (
                "http://host/codenjoy-contest/board/player/stan.smith%40mail.org?code=1",
                "ws://host/codenjoy-contest/ws?user=stan.smith%40mail.org&code=1",
            ),
            (
                "http://host/codenjoy-contest/board/player/a+b@mail.org?code=1",
                "ws://host/codenjoy-contest/ws?user=a%2Bb%40mail.org&code=1",
            ),
            (
                "http://httpd.example.com/codenjoy-contest/board/player/http123?code=7",
                "ws://httpd.example.com/codenjoy-contest/ws?user=http123&code=7",
            ),
            (
                "http://host/other/deep/board/player/id?code=7",
                "ws://host/other/deep/ws?user=id&code=7",
            ),
            (
                "http://host/board/player/x?code=7",
                "ws://host/ws?user=x&code=7",
            ),
            (
                "http://[::1]:81/c/board/player/x?code=7",
                "ws://[::1]:81/c/ws?user=x&code=7",
            ),
            (
                "https://host:443/c/board/player/x?code=7&only=false",
                "wss://host/c/ws?user=x&code=7",
            ),
            (
                "http://host/board/player/board/player/x?code=7",
                "ws://host/board/player/ws?user=x&code=7",
            ),
        ];
        for (text, want) in rows {
            assert_eq!(socket(text), want, "{text}");
        }
    }

    #[test]
    fn socket_addresses_are_taken_as_they_are() {
        let text = "wss://host/any/ws/tail?code=5&user=me%40x.org&extra=1";
        assert_eq!(socket(text), text);
        let link = Link::parse(text).expect("a socket address");
        assert_eq!(
            (link.user(), link.host(), link.port()),
            ("me@x.org", "host", 443)
        );
        assert!(link.is_secure());
    }

    #[test]
    fn what_cannot_play_gets_one_sentence() {
        let rows = [
            ("", LinkError::Empty),
            (" '' ", LinkError::Empty),
            ("http://", LinkError::NoAddress(url::ParseError::EmptyHost)),
            ("ftp://host/board/player/x?code=1", LinkError::Scheme),
            (
                "http://host/codenjoy-contest/board/player/x",
                LinkError::NoCode,
            ),
            (
                "http://host/codenjoy-contest/board/player/x?code=",
                LinkError::NoCode,
            ),
            (
                "http://host/codenjoy-contest/board/player/x?only=true",
                LinkError::Spectator,
            ),
            (
                "http://host/codenjoy-contest/board/player/x?code=1&only=true",
                LinkError::Spectator,
            ),
            (
                "http://host/codenjoy-contest/board/player/x?code=1&remove",
                LinkError::Remove,
            ),
            (
                "http://host/codenjoy-contest/board/player/?code=1",
                LinkError::NoPlayer,
            ),
            (
                "http://host/codenjoy-contest/board/player?code=1",
                LinkError::NoPlayer,
            ),
            (
                "http://host/codenjoy-contest/register?code=1",
                LinkError::NoPlayer,
            ),
            ("ws://host/codenjoy-contest/ws?code=1", LinkError::NoPlayer),
            ("ws://host/codenjoy-contest/ws?user=x", LinkError::NoCode),
            (
                "ws://host/codenjoy-contest/ws?user=&code=1",
                LinkError::NoPlayer,
            ),
        ];
        for (text, want) in rows {
            let error = Link::parse(text).expect_err(text);
            assert_eq!(error, want, "{text}");
            assert!(!error.to_string().contains('\n'), "{text}");
        }
    }

    #[test]
    fn the_code_is_never_shown() {
        for text in [
            "http://secret9:secret9@host/c/board/player/me?code=secret9",
            "ws://host/c/ws?user=me&code=secret9",
            "http://host/secret9/board/player/me?x=secret9&code=secret9",
        ] {
            let link = Link::parse(text).expect(text);
            for shown in [
                format!("{link}"),
                format!("{link:?}"),
                link.hide("bad code secret9!"),
            ] {
                assert!(!shown.contains("secret9"), "{shown}");
            }
        }
        for text in [
            "http://host/x?code=secret9",
            "http://ho st/x?code=secret9",
            "x:secret9",
        ] {
            let error = Link::parse(text).expect_err(text);
            assert!(!format!("{error} {error:?}").contains("secret9"));
        }
    }
}
