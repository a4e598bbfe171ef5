//! `lodebot decide`: the bot's answer to one board, and why; or to a stream of boards, one a line.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};

use super::params::ParamsArgs;
use super::{Outcome, Run, print, spare_input};
use crate::board::{Board, excerpt};
use crate::bot::fixture::Fixture;
use crate::bot::{Answer, Bot, Explanation, Limit};
use crate::dialect::{AUTO, Candidates, DialectError};
use crate::drawing::Drawing;
use crate::params::Params;
use crate::sim::Rules;
use crate::tactics::Terms;
use crate::track::Known;

/// A line of a stream that is longer is no board: 128 x 128 glyphs of three bytes are less than a tenth.
const LINE_MAX: u64 = 1 << 20;

/// What an argument must have in it to be a board rather than the name of a file that is not there.
const WALL: char = '☼';

/// Characters of an argument that are quoted.
const QUOTED: usize = 40;

/// Print the bot's answer to a board
#[derive(clap::Args, Debug)]
#[command(
    after_help = "The answer is the command for the server; an empty line is \"do nothing\".\nA board is n*n \
                  glyphs on one line or n rows of n glyphs; a file may also be a fixture of `check`."
)]
pub struct Args {
    /// A file with a board, the board's text itself, or - for standard input
    #[arg(default_value = "-", conflicts_with = "stream")]
    board: String,
    /// Read one board a line from standard input, with or without board=, and print one command a line
    #[arg(long, conflicts_with_all = ["explain", "svg", "json", "ascii"])]
    stream: bool,
    /// Print every action with its value, what the value is made of, and the line behind it
    #[arg(long)]
    explain: bool,
    /// Draw board, value map and line into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the explanation as JSON
    #[arg(long, conflicts_with = "explain")]
    json: bool,
    /// Show the board in ASCII above the explanation
    #[arg(long)]
    ascii: bool,
    /// The dialect: classic, classic-1.0.26, loderunner-2021-04, loderunner-2021-09, clifford, or auto: find it out
    /// from the board
    #[arg(long, default_value = AUTO, value_name = "RULES")]
    rules: String,
    #[command(flatten)]
    params: ParamsArgs,
}

/// What is asked about.
struct Question {
    rules: Arc<Rules>,
    fixture: Option<Fixture>,
    board: Board,
}

impl Args {
    pub(super) fn run(self) -> Run {
        let told = match self.rules.as_str() {
            AUTO => None,
            name => Some(Arc::new(Rules::named(name)?)),
        };
        let params = self.params.resolve()?;
        if self.stream {
            let candidates = told.map_or_else(Candidates::all, Candidates::only);
            return stream(&mut io::stdin().lock(), &candidates, &params);
        }
        if let Some(path) = &self.svg {
            spare_input(Path::new(&self.board), path)?;
        }
        let question = self.question(told)?;
        let started = Instant::now();
        let (board, explanation) = if let Some(fixture) = question.fixture {
            let reply = fixture.ask(params)?;
            (reply.board, reply.explanation)
        } else {
            let mut bot = Bot::new(question.rules, params);
            let explanation = bot.explain(&question.board, None, &Known::default())?;
            (question.board, explanation)
        };
        let took = started.elapsed().as_secs_f64() * 1000.0;
        if let Some(path) = &self.svg {
            let svg = drawing(&board, &explanation);
            fs::write(path, svg).with_context(|| format!("cannot write {}", path.display()))?;
        }
        for reason in &explanation.decision.reasons {
            log::warn!("{reason}");
        }
        if self.json {
            print(&format!("{:#}\n", json(&explanation, took)))?;
        } else if self.explain {
            let picture = if self.ascii {
                board.picture()
            } else {
                String::new()
            };
            print(&(picture + &text(&explanation, took)))?;
        } else {
            if self.ascii {
                log::info!("{}", board.picture());
            }
            print(&format!("{}\n", explanation.decision.answer.wire()))?;
        }
        Ok(Outcome::Good)
    }

    /// The board that the argument names or is.
    fn question(&self, told: Option<Arc<Rules>>) -> anyhow::Result<Question> {
        let (name, text) = if self.board == "-" {
            let text = io::read_to_string(io::stdin()).context("cannot read standard input")?;
            ("standard input", text)
        } else if Path::new(&self.board).exists() {
            let text = fs::read_to_string(&self.board)
                .with_context(|| format!("cannot read {}", self.board))?;
            (self.board.as_str(), text)
        } else if !self.board.contains(WALL) {
            bail!(
                "{:?}: no such file (nor is it a board: it has no wall {WALL})",
                excerpt(&self.board, QUOTED)
            );
        } else {
            let no_board = |error: &dyn std::fmt::Display| {
                let shown = excerpt(&self.board, QUOTED);
                anyhow::anyhow!("{shown:?} is no file, and no board: {error}")
            };
            let rules = find_out(&self.board, told).map_err(|error| no_board(&error))?;
            let board =
                Board::parse(&self.board, rules.alphabet).map_err(|error| no_board(&error))?;
            return Ok(Question {
                rules,
                fixture: None,
                board,
            });
        };
        if Fixture::is_fixture(&text) {
            let fixture = Fixture::parse(&text).with_context(|| name.to_owned())?;
            let board = fixture.board.clone();
            return Ok(Question {
                rules: Arc::clone(&fixture.rules),
                fixture: Some(fixture),
                board,
            });
        }
        let rules = find_out(&text, told).with_context(|| name.to_owned())?;
        let (board, unknown) =
            Board::parse_lenient(&text, rules.alphabet).with_context(|| name.to_owned())?;
        for glyph in unknown {
            log::warn!(
                "{name}: {:?} in row {}, column {} is no glyph of {}; taken for an empty cell",
                glyph.glyph,
                glyph.row,
                glyph.column,
                rules.name
            );
        }
        Ok(Question {
            rules,
            fixture: None,
            board,
        })
    }
}

/// The dialect as told, or the one that the board's glyphs tell, which is said.
fn find_out(text: &str, told: Option<Arc<Rules>>) -> Result<Arc<Rules>, DialectError> {
    if let Some(rules) = told {
        return Ok(rules);
    }
    let found = Candidates::of(text)?;
    log::info!("{found}");
    Ok(Arc::clone(found.rules()))
}

/// The explanation for people.
fn text(explanation: &Explanation, took: f64) -> String {
    let mut text = explanation.table();
    let decision = &explanation.decision;
    if let Some(search) = &decision.search {
        let _ = writeln!(
            text,
            "depth: {}   states visited: {}   time: {took:.2} ms",
            search.depth, search.states
        );
    }
    if let Some(picture) = &explanation.picture {
        let _ = writeln!(text, "assumed: {}", picture.assumptions);
    }
    for reason in &decision.reasons {
        let _ = writeln!(text, "reason: {reason}");
    }
    let _ = writeln!(
        text,
        "answer: {} ({:?})",
        decision.answer.name(),
        decision.answer.wire()
    );
    text
}

/// The explanation for machines.
fn json(explanation: &Explanation, took: f64) -> serde_json::Value {
    let terms = |terms: &Terms| {
        serde_json::json!({
            "gold": terms.gold, "death": terms.death, "fine": terms.fine, "trap": terms.trap,
            "strategy": terms.strategy,
        })
    };
    let names =
        |line: &[crate::board::Action]| line.iter().map(|action| action.name()).collect::<Vec<_>>();
    let actions: Vec<_> = explanation
        .considered
        .iter()
        .map(|one| {
            serde_json::json!({
                "action": one.action.name(), "value": one.value, "terms": terms(&one.terms),
                "line": names(&one.line),
            })
        })
        .collect();
    let decision = &explanation.decision;
    let search = decision.search.as_ref();
    serde_json::json!({
        "answer": decision.answer.name(),
        "command": decision.answer.wire(),
        "line": names(&decision.line),
        "actions": actions,
        "depth": search.map(|search| search.depth),
        "states": search.map(|search| search.states),
        "took_ms": took,
        "assumed": explanation.picture.as_ref().map(|picture| picture.assumptions.to_string()),
        "reasons": decision.reasons,
    })
}

fn drawing(board: &Board, explanation: &Explanation) -> String {
    let decision = &explanation.decision;
    let chosen = explanation
        .considered
        .iter()
        .find(|one| Answer::Act(one.action) == decision.answer);
    let caption = match chosen {
        Some(one) => format!("{} ({:.2})", one.action, one.value),
        None => decision.answer.name().to_owned(),
    };
    Drawing {
        board,
        values: &explanation.map,
        path: &explanation.path,
        caption: &caption,
    }
    .svg()
}

/// Answers every line of the input with one line, whatever stands in it.
fn stream(input: &mut impl BufRead, candidates: &Candidates, params: &Params) -> Run {
    let mut bot = Bot::among(candidates.clone(), *params);
    let mut sent = None;
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        if input
            .by_ref()
            .take(LINE_MAX)
            .read_until(b'\n', &mut line)
            .context("cannot read standard input")?
            == 0
        {
            return Ok(Outcome::Good);
        }
        number += 1;
        let whole = line.ends_with(b"\n") || (line.len() as u64) < LINE_MAX;
        if !whole {
            skip_line(input).context("cannot read standard input")?;
        }
        let decided = readable(&line, whole).map(|board| {
            catch_unwind(AssertUnwindSafe(|| {
                bot.decide(board, sent, Limit::default())
            }))
        });
        sent = match decided {
            Ok(Ok(decision)) => {
                for reason in &decision.reasons {
                    if decision.search.is_none() {
                        log::warn!("line {number}: {reason}");
                    } else {
                        log::info!("line {number}: {reason}");
                    }
                }
                Some(decision.answer)
            }
            // The panic itself has been told on stderr.
            Ok(Err(_)) => {
                log::warn!("line {number}: the decision failed; a new bot goes on");
                bot = Bot::among(candidates.clone(), *params);
                None
            }
            Err(error) => {
                log::warn!("line {number}: {error}");
                None
            }
        };
        print(&format!("{}\n", sent.map_or("", Answer::wire)))?;
    }
}

/// The text of a line without its end.
fn readable(line: &[u8], whole: bool) -> anyhow::Result<&str> {
    if !whole {
        bail!("longer than {LINE_MAX} bytes, so it is no board");
    }
    let text = std::str::from_utf8(line).context("not UTF-8")?;
    Ok(text.trim_end_matches(['\r', '\n']))
}

/// Reads on to the end of the line, keeping nothing.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}
