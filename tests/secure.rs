//! `wss://` against a server with a self-signed certificate: refused, unless its check is waived. The
//! certificate and key in `tests/tls` are made for this test and guard nothing.
#![cfg(feature = "wss")]
#![allow(clippy::unwrap_used)]

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use lodebot::net::link::Link;
use lodebot::net::socket::{ConnectError, Event, Options, Socket};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tungstenite::{Message, WebSocket};

type Secure = WebSocket<StreamOwned<ServerConnection, TcpStream>>;

/// A secure server for one connection; gives what came of its handshake.
fn serve(act: impl FnOnce(Secure) + Send + 'static) -> (Link, JoinHandle<bool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let handle = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        let certificate = CertificateDer::from(&include_bytes!("tls/certificate.der")[..]);
        let key = PrivatePkcs8KeyDer::from(&include_bytes!("tls/key.der")[..]);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key.into())
            .unwrap();
        let connection = ServerConnection::new(Arc::new(config)).unwrap();
        match tungstenite::accept(StreamOwned::new(connection, stream)) {
            Ok(socket) => {
                act(socket);
                true
            }
            Err(_) => false,
        }
    });
    let page = format!("https://localhost:{port}/codenjoy-contest/board/player/me?code=123");
    (Link::parse(&page).unwrap(), handle)
}

#[test]
fn an_unknown_certificate_is_refused_with_a_way_out() {
    let (link, handle) = serve(|_| {});
    let error = Socket::connect(&link, &Options::default()).unwrap_err();
    assert!(matches!(error, ConnectError::Tls(_)), "{error}");
    assert!(error.to_string().contains("--insecure"), "{error}");
    assert!(!handle.join().unwrap());
}

#[test]
fn a_game_goes_through_tls_when_the_check_is_waived() {
    let (link, handle) = serve(|mut socket| {
        let board = format!("board={}", "☼".repeat(58 * 58));
        for _ in 0..20 {
            socket.send(Message::text(board.clone())).unwrap();
            socket.send(Message::Ping(vec![1].into())).unwrap();
            let mut answers = 0;
            while answers < 2 {
                match socket.read().unwrap() {
                    Message::Pong(_) => answers += 1,
                    Message::Text(text) => {
                        assert_eq!(text, "left");
                        answers += 1;
                    }
                    other => panic!("{other}"),
                }
            }
        }
        // The client's goodbye.
        while socket.read().is_ok() {}
    });
    let options = Options {
        insecure: true,
        ..Options::default()
    };
    let mut socket = Socket::connect(&link, &options).unwrap();
    let (mut boards, mut quiet) = (0, 0);
    while boards < 20 {
        // Short waits end in the middle of records, which must lose nothing.
        match socket.read(Duration::from_millis(2)).unwrap() {
            Event::Text(text) => {
                assert_eq!(text.chars().count(), 6 + 58 * 58);
                socket.send("left").unwrap();
                boards += 1;
                quiet = 0;
            }
            Event::Quiet => quiet += 1,
            _ => {}
        }
        assert!(quiet < 2000, "nothing comes any more");
    }
    // Reads until the last ping is answered.
    let _ = socket.read(Duration::from_millis(100));
    socket.close(Duration::from_secs(2));
    assert!(handle.join().unwrap());
}
