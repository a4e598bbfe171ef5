//! `lodebot serve`: the embedded server for any client of the Codenjoy player protocol.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use anyhow::bail;

use super::hosting::{HostingArgs, Place};
use super::{Outcome, Run, interrupt};
use crate::levels;
use crate::server;

/// Serve a level to players, as a Codenjoy server does
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Open the printed page to register, to get an address for a client, and to watch. Without --auth any \
user and code are let in, so a client can also be given an address made up by hand:

    lodebot serve small-20 --port 8080
    lodebot play 'http://127.0.0.1:8080/codenjoy-contest/board/player/me?code=1'

It ends with Ctrl-C.")]
pub struct Args {
    /// A shipped level or a file
    #[arg(default_value = levels::DEFAULT)]
    level: String,
    /// Dialect of the game: classic, classic-1.0.26, loderunner-2021-04, loderunner-2021-09 or clifford
    #[arg(long, value_name = "RULES", default_value = "classic")]
    rules: String,
    /// Port to listen at; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// First part of all paths
    #[arg(long, value_name = "PATH", default_value = server::CONTEXT)]
    context: String,
    /// Let in only registered players with the right code
    #[arg(long)]
    auth: bool,
    /// Record the game to this file (.zst and .gz are compressed)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    hosting: HostingArgs,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let place = Place {
            bind: SocketAddr::new(self.bind, self.port),
            context: context(&self.context)?,
            auth: self.auth,
            record: self.record.as_deref(),
        };
        let stop = interrupt::stop_flag()?;
        let server = self.hosting.start(&self.level, &self.rules, place)?;
        log::info!("page: {}", server.page());
        if !self.auth {
            log::info!("a player's address: {}", server.board_page("me", "1"));
        }
        while !stop.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(50));
        }
        log::info!("served {} ticks", server.ticks());
        if !server.stop() {
            bail!("the game was served, but its recording is not whole: see the error above");
        }
        Ok(Outcome::Good)
    }
}

/// The context with one slash in front and none behind.
fn context(text: &str) -> anyhow::Result<String> {
    let inner = text.trim_matches('/');
    let allowed = |symbol: char| symbol.is_ascii_alphanumeric() || "-_./".contains(symbol);
    if !inner.chars().all(allowed) || inner.contains("//") {
        bail!("--context {text}: only letters, digits and - _ . / may stand in it");
    }
    Ok(if inner.is_empty() {
        String::new()
    } else {
        format!("/{inner}")
    })
}

#[cfg(test)]
mod tests {
    use super::context;

    #[test]
    fn contexts_have_one_slash_in_front() {
        for (given, made) in [
            ("/a-b/", "/a-b"),
            ("a", "/a"),
            ("", ""),
            ("/", ""),
            ("/a/b", "/a/b"),
        ] {
            assert_eq!(context(given).unwrap(), made);
        }
        for bad in ["a b", "a//b", "a?b", "ü", "{context}"] {
            assert!(context(bad).is_err(), "{bad}");
        }
    }
}
