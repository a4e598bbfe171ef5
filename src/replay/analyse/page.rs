//! An analysis as one HTML page that needs nothing else: charts as inline SVG, boards of the ticks that
//! matter.

use std::fmt::Write as _;

use super::{Analysis, Position};
use crate::drawing::{Drawing, escape};
use crate::replay::seat::Seat;

/// Width and height of the charts.
const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 160.0;

const STYLE: &str = "body{font-family:sans-serif;margin:2em auto;max-width:62em;color:#222}\
table{border-collapse:collapse}td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}\
td.w,th.w{text-align:left}\
svg{display:block;margin:.5em 0;max-width:100%}summary{cursor:pointer}";

/// The page of a game.
pub fn page(analysis: &Analysis, seat: &Seat) -> String {
    let found = &analysis.findings;
    let title = format!("{}, player {}", analysis.game, analysis.player);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escape(&title)
    );
    html.push_str("<table>");
    let mut row = |name: &str, value: String| {
        let _ = write!(html, "<tr><td class=\"w\">{name}</td><td>{value}</td></tr>");
    };
    row("boards", found.boards.to_string());
    row("depth of the searches", analysis.depth.to_string());
    row("total loss", format!("{:.2}", found.total_loss));
    row(
        "best answer played",
        format!("{} of {}", found.best_played, found.compared),
    );
    row("answers that lost the hero", found.fatal.to_string());
    row("deaths", found.deaths.len().to_string());
    row("suicides", found.suicides.to_string());
    row("gold taken", found.gold.to_string());
    row(
        "gold near us that rivals took",
        found.missed_gold.len().to_string(),
    );
    row("ticks stalled", found.stalled.to_string());
    html.push_str("</table>\n<h2>Loss of every answer</h2>\n");
    html.push_str(&loss_chart(analysis));
    if seat.turns.iter().any(|turn| turn.score.is_some()) {
        html.push_str("<h2>Score</h2>\n");
        html.push_str(&score_chart(seat));
    }
    html.push_str("<h2>Worst ticks</h2>\n");
    for &index in &found.worst {
        if let Some(position) = analysis.positions.get(index) {
            worst(&mut html, position, index, seat);
        }
    }
    if !found.deaths.is_empty() {
        html.push_str("<h2>Deaths</h2>\n<table><tr><th>tick</th><th class=\"w\">way out</th></tr>");
        for death in &found.deaths {
            let way = match &death.rescue {
                Some(rescue) => format!(
                    "until tick {}: {} instead of {}",
                    rescue.t,
                    rescue.action,
                    rescue.played.as_deref().unwrap_or("?")
                ),
                None => "none was seen".to_owned(),
            };
            let way = escape(&way);
            let _ = write!(
                html,
                "<tr><td>{}</td><td class=\"w\">{way}</td></tr>",
                death.t
            );
        }
        html.push_str("</table>\n");
    }
    missed(&mut html, analysis);
    all(&mut html, &analysis.positions);
    html.push_str("</body></html>\n");
    html
}

/// One of the worst ticks with its board.
fn worst(html: &mut String, position: &Position, index: usize, seat: &Seat) {
    let _ = writeln!(
        html,
        "<details><summary>tick {}: lost {:.2} by {} instead of {}</summary>",
        position.t,
        position.loss().unwrap_or(0.0),
        escape(position.played.as_deref().unwrap_or("?")),
        escape(position.best.as_deref().unwrap_or("?"))
    );
    html.push_str("<table><tr><th class=\"w\">action</th><th>value</th></tr>");
    for (action, value) in &position.values {
        let _ = write!(
            html,
            "<tr><td class=\"w\">{action}</td><td>{value:.3}</td></tr>"
        );
    }
    let line = escape(&position.line.join(" "));
    let _ = write!(html, "</table><p>line: {line}</p>");
    for reason in &position.reasons {
        let _ = write!(html, "<p>{}</p>", escape(reason));
    }
    if let Some(turn) = seat.turns.get(index) {
        let drawing = Drawing {
            board: &turn.board,
            values: &[],
            path: &[],
            caption: "",
        };
        html.push_str(&drawing.svg());
    }
    html.push_str("</details>\n");
}

/// Gold near us that rivals took.
fn missed(html: &mut String, analysis: &Analysis) {
    let missed = &analysis.findings.missed_gold;
    if missed.is_empty() {
        return;
    }
    html.push_str(
        "<h2>Gold that rivals took</h2>\n<table><tr><th>tick</th><th>column</th><th>row from below</th>\
         <th>ticks from us</th></tr>",
    );
    for gold in missed {
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            gold.t, gold.x, gold.y, gold.distance
        );
    }
    html.push_str("</table>\n");
}

/// Every position in one long table, folded away.
fn all(html: &mut String, positions: &[Position]) {
    html.push_str(
        "<details><summary>All boards</summary><table><tr><th>tick</th><th class=\"w\">played</th>\
         <th>value</th><th class=\"w\">best</th><th>value</th><th>loss</th></tr>\n",
    );
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    for position in positions.iter().filter(|position| position.best.is_some()) {
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"w\">{}</td><td>{}</td><td class=\"w\">{}</td><td>{}</td><td>{}</td></tr>",
            position.t,
            escape(position.played.as_deref().unwrap_or("?")),
            number(position.played_value),
            escape(position.best.as_deref().unwrap_or("?")),
            number(position.best_value),
            number(position.loss())
        );
    }
    html.push_str("</table></details>\n");
}

/// Bars of the losses; deaths are marked. Losses differ by orders of magnitude, so their roots are drawn.
fn loss_chart(analysis: &Analysis) -> String {
    let positions = &analysis.positions;
    let height = |position: &Position| position.loss().unwrap_or(0.0).min(10_000.0).sqrt();
    let most = positions.iter().map(height).fold(1.0, f64::max);
    let step = WIDTH / positions.len().max(1) as f64;
    let mut svg = open_chart();
    for (index, position) in positions.iter().enumerate() {
        let tall = height(position) / most * (HEIGHT - 20.0);
        if tall > 0.0 {
            let _ = write!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"#c33\">\
                 <title>tick {}: {:.2}</title></rect>",
                index as f64 * step,
                HEIGHT - tall,
                step.max(1.0),
                position.t,
                position.loss().unwrap_or(0.0)
            );
        }
    }
    for death in &analysis.findings.deaths {
        if let Some(index) = positions.iter().position(|position| position.t == death.t) {
            let x = index as f64 * step;
            let _ = write!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"0\" x2=\"{x:.1}\" y2=\"{HEIGHT}\" stroke=\"#000\" stroke-dasharray=\"3\">\
                 <title>death in tick {}</title></line>",
                death.t
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn score_chart(seat: &Seat) -> String {
    let scores: Vec<f64> = seat
        .turns
        .iter()
        .map(|turn| turn.score.unwrap_or(0) as f64)
        .collect();
    let most = scores.iter().copied().fold(1.0, f64::max);
    let step = WIDTH / scores.len().max(1) as f64;
    let mut points = String::new();
    for (index, score) in scores.iter().enumerate() {
        let y = HEIGHT - score / most * (HEIGHT - 20.0);
        let _ = write!(points, "{:.1},{y:.1} ", index as f64 * step);
    }
    let last = scores.last().copied().unwrap_or(0.0);
    format!(
        "{}<polyline points=\"{}\" fill=\"none\" stroke=\"#36c\" stroke-width=\"2\"/>\
         <text x=\"4\" y=\"14\" font-size=\"12\">{last}</text></svg>\n",
        open_chart(),
        points.trim_end()
    )
}

fn open_chart() -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f6f6f6\"/>"
    )
}
