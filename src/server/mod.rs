//! An embedded server that speaks the Codenjoy player protocol, so that a bot can be played and
//! tested without one of the originals.
//!
//! One port serves players' sockets, registration, a list of players and a page that shows the
//! game. It serves any game behind the [`Field`] trait. Everything is threads and blocking sockets:
//! one clock, one reader and one writer a player. Not here: any rule of the game, and no bot.

mod accounts;
mod clock;
mod field;
mod game;
mod http;
mod room;
mod routes;
mod screen;
mod session;
mod spectators;

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub use clock::Pace;
pub use field::Field;
pub use game::Simulated;

use crate::net::query;
use crate::record::Writer;
use room::Room;

/// The name of the application in all addresses, as the original servers have it by default.
pub const CONTEXT: &str = "/codenjoy-contest";

/// Connections at a time; further ones are hung up on.
const CONNECTIONS: usize = 512;

/// How to serve.
pub struct Options {
    /// Address to listen at; port 0 takes a free one.
    pub bind: SocketAddr,
    /// First part of all paths: `/` and letters, digits, `-`, `_`, `.`, `/`; or empty.
    pub context: String,
    /// Let in only players with the right code.
    pub auth: bool,
    /// What makes it tick.
    pub pace: Pace,
    /// A socket on which nothing goes either way for so long is closed.
    pub idle: Duration,
    /// A player without a socket leaves the game after this time.
    pub patience: Duration,
    /// Where the game is recorded.
    pub log: Option<Writer>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bind: SocketAddr::from(([127, 0, 0, 1], 0)),
            context: CONTEXT.to_owned(),
            auth: false,
            pace: Pace::Period(Duration::from_secs(1)),
            idle: Duration::from_secs(300),
            patience: Duration::from_secs(60),
            log: None,
        }
    }
}

/// What all threads of a server share.
struct Shared {
    room: Mutex<Room>,
    changed: Condvar,
    stopping: AtomicBool,
    connections: AtomicUsize,
    address: SocketAddr,
    context: String,
    idle: Duration,
}

impl Shared {
    /// The room. A thread that panicked with it in hand has told so; the others go on.
    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the clock that somebody answered, came or went.
    fn wake(&self) {
        self.changed.notify_all();
    }

    fn wait<'a>(&self, room: MutexGuard<'a, Room>, time: Duration) -> MutexGuard<'a, Room> {
        self.changed
            .wait_timeout(room, time)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }
}

/// A running server; it stops when dropped.
pub struct Server {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Starts to listen and to tick.
    ///
    /// # Errors
    /// If the address cannot be bound (another server on this port, a foreign address).
    pub fn start(options: Options, field: Box<dyn Field>) -> io::Result<Self> {
        let listener = TcpListener::bind(options.bind)?;
        let room = Room::new(field, options.auth, options.patience, options.log);
        let shared = Arc::new(Shared {
            room: Mutex::new(room),
            changed: Condvar::new(),
            stopping: AtomicBool::new(false),
            connections: AtomicUsize::new(0),
            address: listener.local_addr()?,
            context: options.context,
            idle: options.idle,
        });
        let (for_clock, for_door) = (shared.clone(), shared.clone());
        let clock = thread::Builder::new()
            .name("clock".into())
            .spawn(move || clock::run(&for_clock, options.pace))?;
        let door = thread::Builder::new()
            .name("door".into())
            .spawn(move || accept(&for_door, &listener))?;
        Ok(Self {
            shared,
            threads: vec![clock, door],
        })
    }

    /// Where it listens, with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// The address of the page about this server.
    pub fn page(&self) -> String {
        format!("http://{}/", self.reachable())
    }

    /// The address of a player's board page: what a client is given. Without `--auth` any user and
    /// code will do.
    pub fn board_page(&self, user: &str, code: &str) -> String {
        let (user, code) = (query::encode(user), query::encode(code));
        format!(
            "http://{}{}/board/player/{user}?code={code}",
            self.reachable(),
            self.shared.context
        )
    }

    /// The address by which this machine reaches it.
    fn reachable(&self) -> SocketAddr {
        let mut address = self.shared.address;
        if address.ip().is_unspecified() {
            let loopback: SocketAddr = if address.is_ipv4() {
                ([127, 0, 0, 1], 0).into()
            } else {
                ([0, 0, 0, 0, 0, 0, 0, 1], 0).into()
            };
            address.set_ip(loopback.ip());
        }
        address
    }

    /// Ticks since the start.
    pub fn ticks(&self) -> u64 {
        self.shared.room().ticks()
    }

    /// Says goodbye to all sockets, closes the log, and waits for the clock to end. False if the game was to be recorded
    /// and the recording is not whole.
    pub fn stop(mut self) -> bool {
        self.end();
        self.shared.room().is_recorded()
    }

    fn end(&mut self) {
        if self.shared.stopping.swap(true, Ordering::SeqCst) {
            return;
        }
        self.shared.wake();
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect_timeout(&self.reachable(), Duration::from_secs(1));
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        self.shared.room().shut_down();
        // The goodbyes go out in the sockets' own threads; who does not take his is left behind.
        let deadline = Instant::now() + Duration::from_secs(1);
        while self.shared.connections.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn accept(shared: &Arc<Shared>, listener: &TcpListener) {
    loop {
        let accepted = listener.accept();
        if shared.is_stopping() {
            return;
        }
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file handles, mostly: the others go on, and some will end.
                log::warn!("a connection could not be taken: {error}");
                thread::sleep(Duration::from_millis(100));
                continue;
            }
        };
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        let inner = shared.clone();
        let spawned = thread::Builder::new()
            .name("connection".into())
            .spawn(move || {
                routes::serve(&inner, stream);
                inner.connections.fetch_sub(1, Ordering::SeqCst);
            });
        if let Err(error) = spawned {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            log::warn!("a connection could not be served: {error}");
        }
    }
}
