//! What the game log calls the events of a tick.

use crate::sim::Event;

/// The name of an event in the logs of games with these rules.
pub fn event_name(_rules: &str, event: Event) -> &'static str {
    match event {
        Event::Gold(_) => "GET_GOLD",
        Event::Kill => "KILL_ENEMY",
        Event::Death => "KILL_HERO",
    }
}
