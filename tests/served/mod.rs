//! A game served by the real binary, ended when the test is over. Not the embedded server inside the test's own
//! process (`server.rs`), and not a server that fails (`faulty`).
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

/// A running `lodebot serve`, killed when dropped.
pub struct Served {
    child: Child,
    /// The board page of a player, with a name and a code made up by the server.
    pub address: String,
}

impl Served {
    /// Starts this `lodebot serve` and waits until players can connect.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .env_remove("LODEBOT_LOG")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let talk = child.stderr.take().expect("its talk is a pipe");
        // From here on it is killed whatever happens.
        let mut served = Self {
            child,
            address: String::new(),
        };
        let mut talk = BufReader::new(talk);
        let mut lines = talk.by_ref().lines().map_while(Result::ok);
        served.address = lines
            .find_map(|line| line.strip_prefix("a player's address: ").map(str::to_owned))
            .expect("it says where a player connects");
        // What it says later must not fill the pipe.
        std::thread::spawn(move || io::copy(&mut talk, &mut io::sink()));
        served
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
