//! Spectators' sockets: each asks for one picture of the game and gets it with the next tick, the turn rule
//! reversed (PROTOCOL section 8). Not here: what a picture shows (`screen`), bytes (`session`).

use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use serde_json::Value;

use super::room::Outgoing;

/// Whose boards a spectator asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Everybody's.
    All,
    /// Those of these ids; ids of nobody are passed over.
    These(Vec<String>),
}

impl Wanted {
    /// Reads `{"name":"getScreen","allPlayersScreen":..,"players":[..]}`; other keys are for servers of many
    /// games. Nothing for any other text.
    fn read(text: &str) -> Option<Self> {
        let request: Value = serde_json::from_str(text).ok()?;
        if request.get("name")? != "getScreen" {
            return None;
        }
        if request.get("allPlayersScreen").and_then(Value::as_bool) == Some(true) {
            return Some(Self::All);
        }
        let players = request.get("players").and_then(Value::as_array)?;
        let ids = players.iter().filter_map(Value::as_str).map(str::to_owned);
        Some(Self::These(ids.collect()))
    }

    pub(super) fn has(&self, id: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(ids) => ids.iter().any(|wanted| wanted == id),
        }
    }
}

#[derive(Debug)]
struct Spectator {
    outbox: SyncSender<Outgoing>,
    wanted: Option<Wanted>,
    last_sent: Instant,
}

/// All spectators, by the numbers of their sockets.
#[derive(Debug, Default)]
pub(super) struct Spectators {
    by_session: BTreeMap<u64, Spectator>,
}

impl Spectators {
    pub(super) fn open(&mut self, session: u64, outbox: SyncSender<Outgoing>) {
        let spectator = Spectator {
            outbox,
            wanted: None,
            last_sent: Instant::now(),
        };
        self.by_session.insert(session, spectator);
    }

    pub(super) fn close(&mut self, session: u64) {
        self.by_session.remove(&session);
    }

    /// A text from a socket, if it is a spectator's: the latest request counts.
    pub(super) fn hear(&mut self, session: u64, text: &str) {
        if let Some(spectator) = self.by_session.get_mut(&session) {
            spectator.wanted = Wanted::read(text).or(spectator.wanted.take());
        }
    }

    pub(super) fn last_sent(&self, session: u64) -> Option<Instant> {
        Some(self.by_session.get(&session)?.last_sent)
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.by_session
            .values()
            .any(|spectator| spectator.wanted.is_some())
    }

    /// Answers everybody who asked.
    pub(super) fn show(&mut self, picture: impl Fn(&Wanted) -> String) {
        for spectator in self.by_session.values_mut() {
            if let Some(wanted) = spectator.wanted.take() {
                // A full outbox belongs to a spectator who does not read: he may ask again.
                let _ = spectator.outbox.try_send(Outgoing::Text(picture(&wanted)));
                spectator.last_sent = Instant::now();
            }
        }
    }

    pub(super) fn outboxes(&self) -> impl Iterator<Item = &SyncSender<Outgoing>> {
        self.by_session.values().map(|spectator| &spectator.outbox)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_all_generations_are_read_and_others_ignored() {
        let one = |ids: &[&str]| {
            let ids = ids.iter().map(ToString::to_string).collect();
            Some(Wanted::These(ids))
        };
        for (text, wanted) in [
            (
                r#"{"name":"getScreen","allPlayersScreen":true,"players":[],"gameName":"loderunner"}"#,
                Some(Wanted::All),
            ),
            (
                r#"{"name":"getScreen","allPlayersScreen":false,"players":["me",7],"room":"r"}"#,
                one(&["me"]),
            ),
            (r#"{"name":"getScreen","players":[]}"#, one(&[])),
            (r#"{"name":"getScreen"}"#, None),
            (r#"{"name":"other","allPlayersScreen":true}"#, None),
            ("left", None),
            ("[]", None),
            ("", None),
        ] {
            assert_eq!(Wanted::read(text), wanted, "{text}");
        }
    }
}
