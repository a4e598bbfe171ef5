//! An analysis as text for a terminal.

use std::fmt::Write as _;

use super::{Analysis, Position};

/// The report of a game.
pub fn text(analysis: &Analysis) -> String {
    let found = &analysis.findings;
    let mut text = format!(
        "analysed: game={} player={} boards={} depth={} loss={:.2} fatal={} deaths={} gold={} stalled={}\n",
        analysis.game,
        analysis.player,
        found.boards,
        analysis.depth,
        found.total_loss,
        found.fatal,
        found.deaths.len(),
        found.gold,
        found.stalled
    );
    let _ = writeln!(
        text,
        "best answer played on {} of {} boards; {} suicides",
        found.best_played, found.compared, found.suicides
    );
    if !found.worst.is_empty() {
        text.push_str("\nworst ticks      loss  played     best       line\n");
    }
    let positions = found
        .worst
        .iter()
        .filter_map(|&index| analysis.positions.get(index));
    for position in positions {
        let _ = writeln!(
            text,
            "{:>6}  {:>12.2}  {:<9}  {:<9}  {}",
            position.t,
            position.loss().unwrap_or(0.0),
            name(position.played.as_deref()),
            name(position.best.as_deref()),
            line(position)
        );
    }
    if !found.deaths.is_empty() {
        text.push_str("\ndeaths\n");
    }
    for death in &found.deaths {
        let _ = match &death.rescue {
            Some(rescue) => writeln!(
                text,
                "{:>6}  avoidable until tick {}: {} instead of {}",
                death.t,
                rescue.t,
                rescue.action,
                name(rescue.played.as_deref())
            ),
            None => writeln!(text, "{:>6}  no way out was seen", death.t),
        };
    }
    if !found.missed_gold.is_empty() {
        text.push_str("\ngold near us that a rival took\n");
    }
    for gold in &found.missed_gold {
        let _ = writeln!(
            text,
            "{:>6}  x={} y={} (y from the bottom), {} ticks away",
            gold.t, gold.x, gold.y, gold.distance
        );
    }
    text
}

fn name(answer: Option<&str>) -> &str {
    answer.unwrap_or("?")
}

fn line(position: &Position) -> String {
    position.line.join(" ")
}
