//! The options of every command that runs the embedded server, and the server made of them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::board::Board;
use crate::levels;
use crate::record::Writer;
use crate::server::{Options, Pace, Server, Simulated};
use crate::sim::{Level, Rules};

/// What runs on the server and how fast, to be flattened into a command's arguments.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct HostingArgs {
    /// Milliseconds from one tick to the next [default: 1000]
    #[arg(long, value_name = "MS", conflicts_with = "lockstep",
          value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    period: Option<u64>,
    /// Tick as soon as every connected player has answered, instead of by the clock
    #[arg(long)]
    lockstep: bool,
    /// Seed of everything random in the game [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A setting of the game, under the server's own key; a wrong key lists the right ones
    #[arg(long = "setting", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

/// The dialect of this name with settings of the form `KEY=VALUE` applied.
///
/// On a field of one's own nobody waits for a room to fill: rounds are off unless asked for, and then a
/// match has as good as no end.
pub(super) fn rules_with(name: &str, settings: &[String]) -> anyhow::Result<Rules> {
    set(own_rules(name)?, settings)
}

/// The same on a level, whose own numbers of things the settings change.
pub(super) fn rules_on(
    level: &str,
    name: &str,
    settings: &[String],
) -> anyhow::Result<(Rules, Board)> {
    let rules = own_rules(name)?;
    let board = levels::load_board(level, &rules)?;
    let rules = set(levels::suited(level, &board, rules), settings)?;
    Ok((rules, board))
}

fn own_rules(name: &str) -> anyhow::Result<Rules> {
    let mut rules = Rules::named(name)?;
    if !rules.is_classic() {
        rules.set("ROUNDS_ENABLED", "false")?;
        rules.set("ROUNDS_PER_MATCH", "1000000")?;
    }
    Ok(rules)
}

fn set(mut rules: Rules, settings: &[String]) -> anyhow::Result<Rules> {
    for setting in settings {
        let Some((key, value)) = setting.split_once('=') else {
            bail!("--setting {setting}: it must look like KEY=VALUE");
        };
        rules.set(key.trim(), value)?;
    }
    Ok(rules)
}

/// Where and for whom a server is started.
pub(super) struct Place<'a> {
    pub(super) bind: SocketAddr,
    pub(super) context: String,
    pub(super) auth: bool,
    pub(super) record: Option<&'a Path>,
}

impl HostingArgs {
    /// Whether any of these options was given.
    pub(super) fn is_given(&self) -> bool {
        self.period.is_some() || self.lockstep || self.seed.is_some() || !self.settings.is_empty()
    }

    pub(super) fn pace(&self) -> Pace {
        if self.lockstep {
            Pace::Lockstep
        } else {
            Pace::Period(Duration::from_millis(self.period.unwrap_or(1000)))
        }
    }

    /// The dialect of this name with the settings applied.
    pub(super) fn rules(&self, name: &str) -> anyhow::Result<Rules> {
        rules_with(name, &self.settings)
    }

    /// Starts the server.
    pub(super) fn start(
        &self,
        level: &str,
        rules: &str,
        place: Place<'_>,
    ) -> anyhow::Result<Server> {
        let (rules, board) = rules_on(level, rules, &self.settings)?;
        let terrain = Level::from_board(&board).with_context(|| format!("level {level}"))?;
        let seed = self.seed.unwrap_or(1);
        let name = rules.name;
        let id = Path::new(level)
            .file_stem()
            .map_or(level.into(), |stem| stem.to_string_lossy());
        let game = Simulated::new(&id, &board, terrain, rules, seed);
        let log = place.record.map(Writer::record).transpose()?;
        let options = Options {
            bind: place.bind,
            context: place.context,
            auth: place.auth,
            pace: self.pace(),
            log,
            ..Options::default()
        };
        let server = Server::start(options, Box::new(game))
            .with_context(|| format!("cannot serve at {}", place.bind))?;
        let rhythm = match self.pace() {
            Pace::Period(period) => format!("a tick every {} ms", period.as_millis()),
            Pace::Lockstep => "a tick when everybody has answered".to_owned(),
        };
        log::info!("serving level {level}, rules {name}, seed {seed}, {rhythm}");
        Ok(server)
    }
}
