//! `lodebot replay decide`: what the bot answers today to the boards of a recorded game.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::choice::Choice;
use crate::bot::Answer;
use crate::bot::Decision;
use crate::cli::params::ParamsArgs;
use crate::cli::{Outcome, Output, Run};
use crate::params::Params;
use crate::replay::{Agreement, Comparison, Redecision, redecide, value_of};

/// Decide anew on every board of a recorded game, and compare with what was played
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Decides anew on every board of a recorded game and compares with what was played. The \
                  bot's tracker gets the boards in order, and the answers that were really given.\n\n\
                  Prints the boards on which the answers differ, and at the end how many agree and how long a \
                  decision took. The search is bounded by the parameters depth and node_budget, not by time."
)]
pub(super) struct Decide {
    #[command(flatten)]
    choice: Choice,
    /// Print every board, not only those that are answered otherwise
    #[arg(long)]
    all: bool,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
    /// A second parameter file: both are compared side by side
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    params: ParamsArgs,
}

impl Decide {
    pub(super) fn run(self) -> Run {
        let params = self.params.resolve()?;
        let against = match &self.against {
            Some(path) => Some(Params::load(path)?),
            None => None,
        };
        let seat = self.choice.seat()?;
        let mut out = BufWriter::new(Output::lock());
        let mut comparison = Comparison::default();
        let mut ticks = Vec::new();
        if !self.json {
            let second = if against.is_some() {
                "against    value  "
            } else {
                ""
            };
            writeln!(
                out,
                "{:>6}  {:<9} {:>10}  {:<9} {:>10}  {second}",
                "tick", "played", "value", "chosen", "value"
            )?;
        }
        for board in redecide(&seat, &params, against.as_ref()) {
            comparison.count(&board);
            if self.json {
                ticks.push(tick_json(&board));
            } else if self.all || differs(&board) {
                writeln!(out, "{}", tick_text(&board))?;
            }
        }
        if self.json {
            let mut report = comparison_json(&comparison, against.is_some());
            report.insert("game".to_owned(), json!(seat.game));
            report.insert("player".to_owned(), json!(seat.player));
            report.insert("ticks".to_owned(), Value::Array(ticks));
            writeln!(out, "{}", Value::Object(report))?;
        } else {
            writeln!(
                out,
                "{}",
                summary(&seat.game, &comparison, against.is_some())
            )?;
        }
        out.flush()?;
        Ok(Outcome::Good)
    }
}

fn differs(board: &Redecision) -> bool {
    let chosen = board.chosen.answer;
    let other = |answer: Option<Answer>| answer.is_some_and(|answer| answer != chosen);
    board.is_decided()
        && (other(board.played) || other(board.against.as_ref().map(|against| against.answer)))
}

fn tick_text(board: &Redecision) -> String {
    let value = |decision: &Decision, answer: Option<Answer>| {
        let value = answer.and_then(|answer| value_of(decision, answer));
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
    };
    let name = |answer: Option<Answer>| answer.map_or("?", Answer::name);
    let chosen = Some(board.chosen.answer);
    let mut text = format!(
        "{:>6}  {:<9} {:>10}  {:<9} {:>10}",
        board.t,
        name(board.played),
        value(&board.chosen, board.played),
        name(chosen),
        value(&board.chosen, chosen),
    );
    if let Some(against) = &board.against {
        let answer = Some(against.answer);
        let _ = write!(text, "  {:<9} {:>10}", name(answer), value(against, answer));
    }
    for reason in &board.chosen.reasons {
        let _ = write!(text, "  {reason}");
    }
    text
}

fn summary(game: &str, comparison: &Comparison, against: bool) -> String {
    let percent = |agreement: &Agreement| match agreement.percent() {
        Some(percent) => format!("{percent:.1} % of {}", agreement.compared),
        None => "nothing to compare".to_owned(),
    };
    let time = |share| comparison.time_ms(share).unwrap_or(0.0);
    let mut text = format!(
        "decided: game={game} boards={} decided={} p50_ms={:.2} p99_ms={:.2}\nagreement with the log: {}",
        comparison.boards,
        comparison.decided,
        time(0.5),
        time(0.99),
        percent(&comparison.with_log)
    );
    if against {
        let _ = write!(
            text,
            "\nagreement of the other parameters with the log: {}\nagreement with each other: {}",
            percent(&comparison.against_with_log),
            percent(&comparison.each_other)
        );
    }
    text
}

fn tick_json(board: &Redecision) -> Value {
    let side = |decision: &Decision| {
        let values: Map<String, Value> = decision
            .search
            .iter()
            .flat_map(|search| search.actions.iter())
            .map(|(action, value)| (action.name().to_owned(), json!(value)))
            .collect();
        json!({
            "answer": decision.answer.name(),
            "values": values,
            "reasons": decision.reasons,
        })
    };
    json!({
        "t": board.t,
        "played": board.played.map(Answer::name),
        "chosen": side(&board.chosen),
        "against": board.against.as_ref().map(side),
        "took_ms": board.took_ms,
    })
}

fn comparison_json(comparison: &Comparison, against: bool) -> Map<String, Value> {
    let agreement = |agreement: &Agreement| {
        json!({
            "compared": agreement.compared,
            "same": agreement.same,
            "percent": agreement.percent(),
        })
    };
    let mut report = Map::new();
    let mut put = |key: &str, value: Value| report.insert(key.to_owned(), value);
    put("boards", json!(comparison.boards));
    put("decided", json!(comparison.decided));
    put("agreement", agreement(&comparison.with_log));
    put("p50_ms", json!(comparison.time_ms(0.5)));
    put("p99_ms", json!(comparison.time_ms(0.99)));
    if against {
        put("against_agreement", agreement(&comparison.against_with_log));
        put("each_other", agreement(&comparison.each_other));
    }
    report
}
