//! `lodebot replay fork`: what if a tick of a recorded game had been answered otherwise.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::choice::Choice;
use crate::bot::Answer;
use crate::cli::{Outcome, Run, print};
use crate::params::Params;
use crate::replay::{Change, Course, Seat, Views, fork};

/// Go on from a tick of a recorded game with another answer, and compare
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Goes on in the simulator from a tick of a recorded game, once as recorded and once changed, \
                  and compares points, gold, deaths and the last boards.\n\n\
                  --action answers the board of that tick otherwise; the recorded answers follow. --params lets \
                  the bot play on (after --action, if both are given).\n\n\
                  A full log goes on with its own random numbers as long as they fit. A live client's log has \
                  none: both courses are then played from what the bot's tracker believes, with the same dice, \
                  and rivals stand still."
)]
pub(super) struct Fork {
    #[command(flatten)]
    choice: Choice,
    /// The tick whose board is answered otherwise
    #[arg(long, value_name = "N")]
    tick: u64,
    /// left, right, up, down, dig-left, dig-right, shoot-left, shoot-right, open-left, open-right, stay or suicide
    #[arg(long, value_name = "A", required_unless_present = "params")]
    action: Option<Answer>,
    /// The bot plays on with the parameters of this file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// How many ticks are played
    #[arg(long, default_value_t = 50, value_name = "T")]
    ticks: u64,
    /// Seed of what has to be drawn anew
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Fork {
    pub(super) fn run(self) -> Run {
        let params = match &self.params {
            Some(path) => Some(Params::load(path)?),
            None => None,
        };
        let game = self.choice.game()?;
        let seat = Seat::of(&game, self.choice.player)?;
        let change = Change {
            tick: self.tick,
            answer: self.action,
            params,
            ticks: self.ticks,
            seed: self.seed,
        };
        let fork = fork(&game, &seat, &change)?;
        if self.json {
            let report = json!({
                "game": seat.game,
                "player": seat.player,
                "tick": self.tick,
                "full": fork.full,
                "recorded": course_json(&fork.recorded),
                "changed": course_json(&fork.changed),
                "parted": fork.parted,
                "drawn_anew": fork.drawn_anew,
            });
            print(&format!("{report}\n"))?;
            return Ok(Outcome::Good);
        }
        let mut text = format!("{:<8}  {:>9}  {:>9}\n", "", "recorded", "changed");
        let mut row = |name: &str, number: fn(&Course) -> i64| {
            let _ = writeln!(
                text,
                "{name:<8}  {:>9}  {:>9}",
                number(&fork.recorded),
                number(&fork.changed)
            );
        };
        row("ticks", |course| course.ticks as i64);
        row("points", |course| course.points);
        row("gold", |course| i64::from(course.gold));
        row("kills", |course| i64::from(course.kills));
        row("deaths", |course| i64::from(course.deaths));
        for (name, course) in [("recorded", &fork.recorded), ("changed", &fork.changed)] {
            let events = course.events.iter().map(|(t, name)| format!("{t}:{name}"));
            let events: Vec<String> = events.collect();
            let _ = writeln!(text, "events, {name}: {}", events.join(" "));
        }
        let parted = match fork.parted {
            Some(t) => format!("the boards part at tick {t}"),
            None => "the boards never part".to_owned(),
        };
        let drawn = match (fork.full, fork.drawn_anew) {
            (true, 0) => "; every random number is the recorded one\n".to_owned(),
            (true, anew) => format!("; {anew} random numbers were drawn anew\n"),
            (false, _) => "; a live log: both courses are simulated\n".to_owned(),
        };
        text.push_str(&parted);
        text.push_str(&drawn);
        let views = Views {
            player: seat.player,
            edge: seat.size.edge(),
            recorded: fork.recorded.board.clone(),
            replayed: fork.changed.board.clone(),
        };
        let _ = write!(
            text,
            "the last boards\n{}",
            views.titled("recorded", "changed")
        );
        print(&text)?;
        Ok(Outcome::Good)
    }
}

fn course_json(course: &Course) -> Value {
    json!({
        "ticks": course.ticks,
        "points": course.points,
        "gold": course.gold,
        "kills": course.kills,
        "deaths": course.deaths,
        "events": course.events,
        "answers": course.answers,
        "board": course.board,
    })
}
