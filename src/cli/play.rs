//! `lodebot play`: plays on a server, or on one of its own.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::bail;

#[cfg(feature = "tools")]
use super::hosting::{HostingArgs, Place};
use super::params::ParamsArgs;
use super::view::{Scene, View};
use super::{Outcome, Run, interrupt, print};
use crate::board::{Alphabet, Board};
use crate::client::{self, LiveLog, Options, Pilot, Played, Tally};
use crate::dialect::{AUTO, Candidates};
use crate::net::link::Link;
use crate::record::Writer;
use crate::sim::Rules;

/// Play on a server, given the address of the board page
#[derive(clap::Args, Debug)]
#[command(after_help = "\
URL is what the browser shows after registration, or a ws:// address. Without one a server of our own \
is started on a free port and played on. Ctrl-C leaves the game; the last line on stdout is

    played: ticks=T score=S gold=G deaths=D missed=M")]
pub struct Args {
    /// Address of the board page, with its code
    url: Option<String>,
    /// Dialect of the game: classic, classic-1.0.26, loderunner-2021-04, loderunner-2021-09, clifford, or auto: find
    /// it out from the boards (on a server of our own: what the level is made for)
    #[arg(long, value_name = "RULES", default_value = AUTO)]
    rules: String,
    /// Record boards and answers to this file (.zst and .gz are compressed)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Milliseconds for an answer [default: a good half of the server's period, at most 450]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    deadline: Option<u64>,
    /// Stop after so many boards
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Print every board in ASCII, with the answer
    #[arg(long)]
    ascii: bool,
    /// When the bot may kill itself, which only the later dialects punish: never, stuck or free
    #[arg(long, value_name = "POLICY", value_parser = ["never", "stuck", "free"])]
    suicide: Option<String>,
    #[command(flatten)]
    params: ParamsArgs,
    #[command(flatten)]
    connection: ConnectionArgs,
    /// Own server: a shipped level or a file [default: contest-58]
    #[cfg(feature = "tools")]
    #[arg(
        long,
        value_name = "LEVEL",
        conflicts_with = "url",
        help_heading = "Own server"
    )]
    level: Option<String>,
    #[cfg(feature = "tools")]
    #[command(flatten, next_help_heading = "Own server")]
    hosting: HostingArgs,
}

/// What to do when the network is bad.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Connection")]
struct ConnectionArgs {
    /// Accept any certificate of a wss:// server
    #[arg(long)]
    insecure: bool,
    /// Seconds without a board after which to connect again
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = positive)]
    silence: f64,
    /// Seconds before the first attempt to connect again
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = positive)]
    retry_from: f64,
    /// Seconds between attempts in the long run; three times that if the server refuses
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = positive)]
    retry_to: f64,
}

/// A number of seconds from a millisecond to a day.
fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.001..=86_400.0).contains(seconds))
        .ok_or_else(|| "it must be a number of seconds from 0.001 to 86400".to_owned())
}

impl Args {
    pub(super) fn run(self) -> Run {
        let candidates = self.candidates()?;
        let mut params = self.params.resolve()?;
        if let Some(policy) = &self.suicide {
            params.assign(&format!("suicide={policy}"))?;
        }
        let stop = interrupt::stop_flag()?;
        let log = match &self.record {
            Some(path) => Some(LiveLog::new(Writer::record(path)?, candidates.clone())),
            None => None,
        };
        let deadline = self.deadline.map(Duration::from_millis);
        #[cfg(feature = "tools")]
        let (address, usual, _server) = if let Some(url) = &self.url {
            if self.hosting.is_given() {
                bail!(
                    "--period, --lockstep, --seed and --setting are for a server of our own: \
                       leave them or the address out"
                );
            }
            (url.clone(), None, None)
        } else {
            let (address, usual, server) = self.own_server()?;
            (address, Some(usual), Some(server))
        };
        #[cfg(not(feature = "tools"))]
        let (address, usual) = match &self.url {
            Some(url) => (url.clone(), None::<Duration>),
            None => bail!("this build has no server of its own: give the address of a board page"),
        };
        let connection = &self.connection;
        let mut options = Options::new(Link::parse(&address)?);
        options.connect.insecure = connection.insecure;
        options.silence = Duration::from_secs_f64(connection.silence);
        options.retry_from = Duration::from_secs_f64(connection.retry_from);
        options.retry_to = Duration::from_secs_f64(connection.retry_to.max(connection.retry_from));
        options.deadline = deadline.or(usual);
        options.learn = usual.is_none();
        options.waits = self.is_waited_for();
        options.ticks = self.ticks;
        options.stop = stop;
        let broken = log.as_ref().map(LiveLog::broken);
        options.log = log;
        let ascii = self.ascii;
        // Lines of details and a picture that is drawn over itself do not go together.
        let calm = log::log_enabled!(log::Level::Info) && !log::log_enabled!(log::Level::Debug);
        let view = if calm && !ascii {
            View::on_terminal()
        } else {
            None
        };
        let seen = Arc::new(Mutex::new(candidates));
        let shown = Arc::clone(&seen);
        options.watcher = Some(Box::new(move |played| {
            let mut seen = shown.lock().unwrap_or_else(PoisonError::into_inner);
            seen.observe(played.board);
            let alphabet = seen.rules().alphabet;
            match &view {
                Some(view) => view.show(scene(played, alphabet)),
                None => watch(played, alphabet, ascii),
            }
        }));
        let timed = self.timed();
        // A brain that comes after a panic knows the dialect that its predecessor found out.
        let known = Arc::clone(&seen);
        let make = move || {
            let known = known.lock().unwrap_or_else(PoisonError::into_inner);
            Box::new(Pilot::new(known.clone(), params, timed)) as Box<_>
        };
        let summary = client::play(options, make)?;
        log::info!("{}", seen.lock().unwrap_or_else(PoisonError::into_inner));
        log::info!("{}", summary.timing());
        print(&format!("{summary}\n"))?;
        if broken.is_some_and(|broken| broken.load(Ordering::Relaxed)) {
            bail!("the game was played, but its recording is not whole: see the error above");
        }
        Ok(Outcome::Good)
    }

    /// Whether a clock bounds decisions. A server of our own in lock-step waits, so that games repeat exactly.
    fn timed(&self) -> bool {
        self.deadline.is_some() || !self.is_waited_for()
    }

    /// Whether the server is our own and in lock-step.
    fn is_waited_for(&self) -> bool {
        #[cfg(feature = "tools")]
        return self.url.is_none() && matches!(self.hosting.pace(), crate::server::Pace::Lockstep);
        #[cfg(not(feature = "tools"))]
        return false;
    }

    /// The dialects that the server may speak. One of our own speaks the one it is told.
    fn candidates(&self) -> anyhow::Result<Candidates> {
        if self.url.is_some() && self.rules == AUTO {
            return Ok(Candidates::all());
        }
        #[cfg(feature = "tools")]
        let rules = self.hosting.rules(self.own_rules())?;
        #[cfg(not(feature = "tools"))]
        let rules = Rules::named(self.own_rules())?;
        Ok(Candidates::only(Arc::new(rules)))
    }

    /// The dialect of a server of our own.
    fn own_rules(&self) -> &str {
        if self.rules != AUTO {
            return &self.rules;
        }
        #[cfg(feature = "tools")]
        if let Some(level) = self.level.as_deref().and_then(crate::levels::find) {
            return &level.rules;
        }
        Rules::CLASSIC.name
    }

    /// A server on a free port of this machine, the address of a player on it, and the time that an
    /// answer may take there.
    #[cfg(feature = "tools")]
    fn own_server(&self) -> anyhow::Result<(String, Duration, crate::server::Server)> {
        use crate::server::{self, Pace};

        let place = Place {
            bind: ([127, 0, 0, 1], 0).into(),
            context: server::CONTEXT.to_owned(),
            auth: false,
            record: None,
        };
        let level = self.level.as_deref().unwrap_or(crate::levels::DEFAULT);
        let server = self.hosting.start(level, self.own_rules(), place)?;
        let usual = match self.hosting.pace() {
            Pace::Period(period) => (period * 9 / 20).max(Duration::from_millis(1)),
            // It waits, so time must not decide anything.
            Pace::Lockstep => Duration::from_secs(60),
        };
        log::info!("watch at {}", server.page());
        Ok((server.board_page("lodebot", "1"), usual, server))
    }
}

/// A turn as the view shows it.
fn scene(played: &Played<'_>, alphabet: Alphabet) -> Scene {
    let Tally {
        score,
        gold,
        deaths,
    } = played.tally;
    let answer = if played.answer.is_empty() {
        "-"
    } else {
        played.answer
    };
    let took = played.took.as_secs_f64() * 1000.0;
    Scene {
        board: played.board.to_owned(),
        alphabet,
        status: vec![
            format!(
                "board {}  score {score}  gold {gold}  deaths {deaths}",
                played.number
            ),
            format!("{answer} after {took:.1} ms  {}", played.reasons.join("; ")),
        ],
    }
}

/// Shows a turn to the person at the terminal.
fn watch(played: &Played<'_>, alphabet: Alphabet, ascii: bool) {
    if ascii {
        match Board::parse_lenient(played.board, alphabet) {
            Ok((board, _)) => log::info!("{}", board.picture()),
            Err(error) => log::warn!("{error}"),
        }
    }
    let line = format!(
        "board {}: {:?} after {:.1} ms {}",
        played.number,
        played.answer,
        played.took.as_secs_f64() * 1000.0,
        played.reasons.join("; ")
    );
    if ascii {
        log::info!("{}", line.trim_end());
    } else {
        log::debug!("{}", line.trim_end());
    }
}
