//! A tuning and its verdicts as text for people and as JSON for machines.

use std::fmt::Write;

use serde_json::{Map, Value as Json, json};

use super::state::{Round, State};
use super::verdict::{Judgement, Verdict};
use crate::params::{Value, parameter};

/// Rounds that are listed at most; the last ones.
const LISTED: usize = 20;

/// The tuning for people: what it is, the tuned set, the rounds, the verdicts.
pub fn text(state: &State) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_state(&mut out, state);
    out
}

fn write_state(out: &mut String, state: &State) -> std::fmt::Result {
    let setup = state.setup();
    let levels: Vec<&str> = setup
        .task
        .stages
        .iter()
        .map(|stage| stage.level.as_str())
        .collect();
    writeln!(
        out,
        "{} over {} parameters of {}, tuning {}",
        setup.method.name(),
        setup.axes.len(),
        setup.task.bot,
        state.name(),
    )?;
    writeln!(
        out,
        "{} of {} rounds of {} candidates, each {} games of {} ticks: {} on {}{}{}",
        state.round(),
        setup.rounds,
        setup.population,
        setup.scores(),
        setup.task.ticks,
        setup.task.rules,
        levels.join(", "),
        if setup.task.monsters {
            ""
        } else {
            ", no monsters"
        },
        match setup.task.against.join(", ") {
            none if none.is_empty() => String::new(),
            bots => format!(", against {bots}"),
        },
    )?;
    if state.told() > 0 {
        writeln!(
            out,
            "{} candidates of the next round have results",
            state.told()
        )?;
    }
    let (middle, start) = (state.middle(), state.start());
    writeln!(
        out,
        "\n{:28} {:>12} {:>12} {:>12}  range",
        "parameter", "before", "now", "spread"
    )?;
    let rows = setup.axes.iter().zip(&start).zip(&middle);
    for (((axis, start), middle), spread) in rows.zip(state.deviations()) {
        let unit = parameter(&axis.name).map_or("", |row| row.unit);
        writeln!(
            out,
            "{:28} {:>12} {:>12} {:>12.4}  {} to {} {unit}",
            axis.name,
            start.to_string(),
            middle.to_string(),
            spread,
            axis.min,
            axis.max
        )?;
    }
    let skipped = state.history().len().saturating_sub(LISTED);
    if !state.history().is_empty() {
        writeln!(out, "\nround   mean score         best")?;
    }
    for (number, round) in state.history().iter().enumerate().skip(skipped) {
        let (mean, best) = mean_and_best(round);
        writeln!(out, "{:5} {mean:12.1} {best:12.1}", number + 1)?;
    }
    for verdict in state.verdicts() {
        out.push('\n');
        out.push_str(&verdict_text(state, verdict));
    }
    let sets: Vec<String> = state
        .assignments(&middle)
        .iter()
        .map(|assignment| format!("--set {assignment}"))
        .collect();
    writeln!(out, "\n{}", sets.join(" "))
}

/// The mean of a round's candidates and the score of the best.
pub fn mean_and_best(round: &Round) -> (f64, f64) {
    let sum: f64 = round.scores.iter().sum();
    let best = round
        .scores
        .iter()
        .copied()
        .fold(f64::NEG_INFINITY, f64::max);
    (sum / round.scores.len() as f64, best)
}

/// The tuned set as a file that `--params` reads, with what was set before tuning.
pub fn toml(state: &State) -> String {
    let axes = &state.setup().axes;
    let held = state.setup().task.base.iter().filter(|assignment| {
        let name = assignment.split('=').next().unwrap_or_default();
        axes.iter().all(|axis| axis.name != name)
    });
    let line = |assignment: &String| {
        let (name, value) = assignment.split_once('=').unwrap_or_default();
        let is_word = parameter(name).is_ok_and(|row| row.bounds().is_none());
        if is_word {
            format!("{name} = {value:?}\n")
        } else {
            format!("{name} = {value}\n")
        }
    };
    let tuned = state.assignments(&state.middle());
    let mut text = format!(
        "# {} after {} rounds, tuning {}\n",
        state.setup().method.name(),
        state.round(),
        state.name()
    );
    text.extend(tuned.iter().map(line));
    let held: String = held.map(line).collect();
    if !held.is_empty() {
        text.push_str("\n# as before tuning\n");
        text.push_str(&held);
    }
    text
}

/// The tuning for machines.
pub fn json(state: &State) -> Json {
    let set = |values: &[Value]| -> Json {
        let axes = state.setup().axes.iter().zip(values);
        let object: Map<_, _> = axes
            .map(|(axis, value)| (axis.name.clone(), Json::from(*value)))
            .collect();
        object.into()
    };
    let spreads = state.setup().axes.iter().zip(state.deviations());
    let spreads: Map<_, _> = spreads
        .map(|(axis, spread)| (axis.name.clone(), json!(spread)))
        .collect();
    let round = |(number, round): (usize, &Round)| {
        let (mean, best) = mean_and_best(round);
        json!({"round": number + 1, "score_mean": mean, "score_best": best,
               "best": set(&round.best), "params": set(&round.middle)})
    };
    let verdicts = state.verdicts().iter();
    json!({
        "tuning": state.name(),
        "method": state.setup().method.name(),
        "rounds": state.setup().rounds,
        "rounds_done": state.round(),
        "population": state.setup().population,
        "games": state.setup().scores(),
        "start": set(&state.start()),
        "params": set(&state.middle()),
        "spread": spreads,
        "history": state.history().iter().enumerate().map(round).collect::<Vec<_>>(),
        "verdicts": verdicts.map(|verdict| verdict_json(state, verdict)).collect::<Vec<_>>(),
    })
}

/// A verdict for machines; without figures while it is not finished.
pub fn verdict_json(state: &State, verdict: &Verdict) -> Json {
    let levels = state.setup().task.stages.len();
    let mut object = json!({
        "round": verdict.round, "tuned": verdict.tuned, "first_seed": verdict.first_seed,
        "seeds": verdict.seeds, "complete": verdict.is_over(levels),
    });
    if let Some(judged) = verdict.judge(levels).filter(|_| verdict.is_over(levels)) {
        let Judgement {
            pair, tuned, old, ..
        } = judged;
        // JSON has no infinity: an interval that there is not is null.
        let ends = pair.difference.interval();
        object["finding"] = json!(judged.finding);
        object["tuned_mean"] = json!(tuned.mean);
        object["old_mean"] = json!(old.mean);
        object["diff_mean"] = json!(pair.difference.mean);
        object["diff_ci95"] = json!(ends.map(|end| Some(end).filter(|end| end.is_finite())));
        object["wins"] = json!(pair.outcomes.wins);
        object["ties"] = json!(pair.outcomes.ties);
        object["losses"] = json!(pair.outcomes.losses);
    }
    object
}

/// A verdict for people.
pub fn verdict_text(state: &State, verdict: &Verdict) -> String {
    let mut out = String::new();
    let _ = write_verdict(&mut out, state, verdict);
    out
}

fn write_verdict(out: &mut String, state: &State, verdict: &Verdict) -> std::fmt::Result {
    let stages = &state.setup().task.stages;
    writeln!(
        out,
        "verdict after {} rounds on seeds {} to {}: {}",
        verdict.round,
        verdict.first_seed,
        verdict.end().saturating_sub(1),
        verdict.tuned.join(" ")
    )?;
    let judged = verdict.judge(stages.len());
    let Some(judged) = judged.filter(|_| verdict.is_over(stages.len())) else {
        return writeln!(
            out,
            "  not finished: {} of {} games",
            2 * verdict.scores.len(),
            2 * verdict.seeds as usize * stages.len()
        );
    };
    let estimate = judged.pair.difference;
    writeln!(
        out,
        "  tuned {:.1}, before {:.1}, difference {:+.1} +- {:.1} (95 %), {} games each: {} won, {} tied, {} lost",
        judged.tuned.mean,
        judged.old.mean,
        estimate.mean,
        estimate.half_width,
        estimate.count,
        judged.pair.outcomes.wins,
        judged.pair.outcomes.ties,
        judged.pair.outcomes.losses,
    )?;
    if stages.len() > 1 {
        for (stage, pair) in stages.iter().zip(&judged.levels) {
            let estimate = pair.difference;
            writeln!(
                out,
                "  {}: {:+.1} +- {:.1}",
                stage.level, estimate.mean, estimate.half_width
            )?;
        }
    }
    writeln!(
        out,
        "  the tuned set is {}",
        match judged.finding {
            super::verdict::Finding::NotToldApart => "not told apart from the old one".to_owned(),
            finding => format!("{} than the old one", finding.words()),
        }
    )
}
