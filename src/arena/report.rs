//! The summary of a match as a text for people. The numbers are those of `Summary`.

use std::fmt::Write;

use super::summary::{BotSummary, PairSummary, Summary};
use crate::stats::Verdict;

/// Tables of bots and of pairs, and everything that went wrong.
pub fn text(summary: &Summary) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut out, summary);
    out
}

fn write(out: &mut String, summary: &Summary) -> std::fmt::Result {
    writeln!(
        out,
        "{} on {}, {} ticks, {}, seeds {}",
        summary.rules,
        summary.level,
        summary.ticks,
        if summary.solo {
            "each bot alone"
        } else {
            "on one field"
        },
        match (summary.seeds.first(), summary.seeds.last()) {
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => "none".to_owned(),
        },
    )?;
    let width = |names: &mut dyn Iterator<Item = &str>| {
        names
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .clamp(3, 40)
    };
    let column = width(&mut summary.bots.iter().map(|bot| bot.name.as_str()));
    writeln!(
        out,
        "\n{:column$} games        score            gold  gold/tick  deaths/1000  suicides  kills        stalled",
        "bot"
    )?;
    for bot in &summary.bots {
        write_bot(out, bot, column)?;
    }
    if !summary.pairs.is_empty() {
        writeln!(
            out,
            "\n{:column$} {:column$} seeds   difference         wins ties losses    Elo",
            "bot", "against"
        )?;
    }
    for pair in &summary.pairs {
        write_pair(out, pair, column)?;
    }
    if let Some(test) = &summary.sequential {
        writeln!(
            out,
            "\nsequential test of effect {} against {}: ratio {:.2}, bounds {:.2} and {:.2}, {} seeds: {}",
            test.effects[1],
            test.effects[0],
            test.llr,
            test.bounds[0],
            test.bounds[1],
            test.seeds,
            match test.verdict {
                Verdict::Continue => "not decided",
                Verdict::Null => "the first bot is no better",
                Verdict::Alternative => "the first bot is better",
            }
        )?;
    }
    if !summary.faults.is_empty() {
        writeln!(out, "\nwhat went wrong:")?;
    }
    for fault in &summary.faults {
        write!(
            out,
            "  game {}, seed {}, tick {}: {} {}: {}",
            fault.game,
            fault.seed,
            fault.fault.tick,
            fault.name,
            fault.fault.kind,
            fault.fault.detail
        )?;
        if let Some(status) = &fault.fault.status {
            write!(out, " ({status})")?;
        }
        if let Some(line) = fault.fault.errors.lines().last() {
            write!(out, "; it said: {line}")?;
        }
        out.push('\n');
    }
    Ok(())
}

fn write_bot(out: &mut String, bot: &BotSummary, column: usize) -> std::fmt::Result {
    write!(
        out,
        "{:column$} {:5} {} {} {:10.4} {:12.2} {:9.1} {:6.1} {}",
        bot.name,
        bot.games,
        plus_minus(bot.score_mean, bot.score_ci95),
        plus_minus(bot.gold_mean, bot.gold_ci95),
        bot.gold_per_tick,
        bot.deaths_per_1000,
        bot.suicides_mean,
        bot.kills_mean,
        plus_minus(bot.stalled_mean, bot.stalled_ci95),
    )?;
    if bot.faulty > 0 {
        write!(out, "  faults in {} of {} games", bot.faulty, bot.games)?;
    }
    out.push('\n');
    Ok(())
}

fn write_pair(out: &mut String, pair: &PairSummary, column: usize) -> std::fmt::Result {
    let elo = match pair.elo {
        // Not "-0".
        Some(elo) => format!("{:+.0}", elo + 0.0),
        None if pair.wins > pair.losses => "all won".to_owned(),
        None => "all lost".to_owned(),
    };
    let error = (pair.elo_ci95[1] - pair.elo_ci95[0]) / 2.0;
    writeln!(
        out,
        "{:column$} {:column$} {:5} {} {:8} {:4} {:6} {:>8}{}",
        pair.a,
        pair.b,
        pair.games,
        plus_minus(pair.diff_mean, pair.diff_ci95),
        pair.wins,
        pair.ties,
        pair.losses,
        elo,
        if error.is_finite() {
            format!(" +- {error:.0}")
        } else {
            String::new()
        },
    )
}

/// A mean and half its interval, in a fixed width.
fn plus_minus(mean: f64, [low, high]: [f64; 2]) -> String {
    let half = (high - low) / 2.0;
    if half.is_finite() {
        format!("{mean:9.1} +- {half:<6.1}")
    } else {
        format!("{mean:9.1} +- ?     ")
    }
}
