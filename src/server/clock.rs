//! When the server ticks: at a fixed rate, or as soon as everybody has answered.
//!
//! Not here: what a tick does (`room`).

use std::time::{Duration, Instant};

use super::Shared;

/// What makes the server tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// One tick every so long, waiting for nobody. After a stall the missed ticks follow at once,
    /// as the original servers' timers do it.
    Period(Duration),
    /// The next tick comes as soon as every player with a socket has answered: no time is lost and
    /// none is short. A player who never answers stops the game until he hangs up.
    Lockstep,
}

/// Missed ticks that are made up for; a machine that slept must not play an hour in a second.
const BURST: u32 = 50;
/// How long to wait for a wake-up before looking again.
const LOOK: Duration = Duration::from_millis(50);

/// Runs until the server stops.
pub(super) fn run(shared: &Shared, pace: Pace) {
    match pace {
        Pace::Period(period) => run_at_fixed_rate(shared, period),
        Pace::Lockstep => run_in_lockstep(shared),
    }
}

fn run_at_fixed_rate(shared: &Shared, period: Duration) {
    let mut next = Instant::now() + period;
    while !shared.is_stopping() {
        let now = Instant::now();
        if now < next {
            std::thread::sleep((next - now).min(LOOK));
            continue;
        }
        if now > next + period * BURST {
            next = now;
        }
        next += period;
        shared.room().tick();
    }
}

fn run_in_lockstep(shared: &Shared) {
    let mut room = shared.room();
    while !shared.is_stopping() {
        // A tick that reached nobody (all outboxes full) must not be repeated without a pause.
        if !room.is_ready() || room.tick() == 0 {
            room = shared.wait(room, LOOK);
        }
    }
}
