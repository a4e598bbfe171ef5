//! Formats `console` and `runner`: what existing clients print: blocks of n rows of n glyphs, and between
//! them answers in several wordings. The local runner puts the player's number before every line.

use std::collections::BTreeMap;

use super::assembly::{Assembly, Sighting};
use super::lines::{Lines, Next};
use super::{Fault, moment};
use crate::board::{Alphabet, Size};

/// Smallest board that is recognised as a block of rows; smaller ones look like words.
const EDGE_MIN: usize = 3;

/// Players of a runner's console; more are garbage that looks like numbers.
const PLAYERS_MAX: usize = 1024;

/// What one player's console shows at the moment.
#[derive(Default)]
struct Block {
    /// Rows so far, without ends.
    rows: String,
    /// Glyphs a row.
    length: usize,
    /// Number of rows so far.
    count: usize,
    /// Time of the first row.
    moment: Option<i64>,
    /// Events since the last board.
    events: Vec<String>,
}

/// Reads the whole file; `numbered` is the local runner's way.
pub(super) fn read(
    mut lines: Lines,
    numbered: bool,
    answers: Option<&str>,
    assembly: &mut Assembly<'_>,
) -> Result<(), Fault> {
    let mut answers = answers.map(str::lines);
    let mut blocks: BTreeMap<String, Block> = BTreeMap::new();
    loop {
        let line = match lines.next() {
            Ok(Next::Line(line, _)) => line.to_owned(),
            Ok(Next::Unusable(why)) => {
                assembly.note(lines.number(), why);
                continue;
            }
            Ok(Next::End) => break,
            Err(kind) => {
                assembly.breaks_off(lines.number(), kind);
                break;
            }
        };
        let number = lines.number();
        let (player, moment, rest) = if numbered {
            let (moment, rest) = match moment::find(&line) {
                Some((moment, end)) if line[..end].starts_with(|c: char| c.is_ascii_digit()) => (
                    Some(moment),
                    line[end..].trim_start_matches([':', '\t', ' ']),
                ),
                _ => (None, line.as_str()),
            };
            match self::numbered(rest) {
                Some((player, rest)) => (player, moment, rest),
                None => continue,
            }
        } else {
            ("", None, line.as_str())
        };
        if blocks.len() >= PLAYERS_MAX && !blocks.contains_key(player) {
            continue;
        }
        let block = blocks.entry(player.to_owned()).or_default();
        if let Some(board) = block.row(rest, moment, player, number, assembly) {
            assembly.board(player, board, true)?;
            if let Some(answer) = answers.as_mut().and_then(Iterator::next) {
                assembly.answer(player, number, answer.trim());
            }
        }
    }
    for (player, block) in &blocks {
        if block.is_torn() {
            block.tell_torn(player, lines.number(), "the end of the file", assembly);
        }
    }
    Ok(())
}

impl Block {
    /// Takes one line; a board if it completes one.
    fn row(
        &mut self,
        line: &str,
        moment: Option<i64>,
        player: &str,
        number: u64,
        assembly: &mut Assembly<'_>,
    ) -> Option<Sighting> {
        let length = row_length(line);
        if length.is_none() || (self.count > 0 && length != Some(self.length)) {
            if self.is_torn() {
                self.tell_torn(player, number, "here", assembly);
            }
            self.rows.clear();
            self.count = 0;
        }
        let Some(length) = length else {
            self.words(line, player, number, assembly);
            return None;
        };
        if self.count == 0 {
            self.length = length;
            self.moment = moment;
        }
        self.rows.push_str(line);
        self.count += 1;
        if self.count < self.length {
            return None;
        }
        self.count = 0;
        Some(Sighting {
            line: number + 1 - length as u64,
            board: std::mem::take(&mut self.rows),
            moment: self.moment.take(),
            events: std::mem::take(&mut self.events),
            ..Sighting::default()
        })
    }

    /// A line that is no row.
    fn words(&mut self, line: &str, player: &str, number: u64, assembly: &mut Assembly<'_>) {
        if let Some(answer) = answer_in(line) {
            assembly.answer(player, number, answer);
        } else if let Some((_, event)) = line.split_once("Fire Event:") {
            let event = event.trim();
            let named = |glyph: char| glyph.is_ascii_uppercase() || "_:0123456789".contains(glyph);
            if !event.is_empty() && event.chars().all(named) && self.events.len() < 64 {
                self.events.push(event.to_owned());
            }
        } else if let Some((_, score)) = line.split_once("Scores:")
            && let Ok(score) = score.trim().parse()
        {
            assembly.score(player, score);
        }
    }

    /// Whether the rows so far are the beginning of a board and not a few words of equal length.
    fn is_torn(&self) -> bool {
        self.count >= EDGE_MIN && self.length >= 2 * EDGE_MIN
    }

    fn tell_torn(&self, player: &str, number: u64, at: &str, assembly: &mut Assembly<'_>) {
        let text = format!(
            "a board breaks off at {at} after {} of {} rows; left out",
            self.count, self.length
        );
        assembly.note(number, &text);
        assembly.missing(player);
    }
}

/// Player, time and the rest of a line of the local runner: `k:..` or `TIME:<tab>k:..`.
pub(super) fn runner_line(line: &str) -> Option<(&str, Option<i64>, &str)> {
    let (moment, rest) = match moment::find(line) {
        Some((moment, end)) if line.starts_with(|glyph: char| glyph.is_ascii_digit()) => {
            let rest = line[end..].trim_start_matches([':', '\t', ' ']);
            (Some(moment), rest)
        }
        _ => (None, line),
    };
    let (player, rest) = numbered(rest)?;
    Some((player, moment, rest))
}

/// The player's number and the rest of a line `k:..`.
pub(super) fn numbered(line: &str) -> Option<(&str, &str)> {
    let (number, rest) = line.split_once(':')?;
    let digits =
        (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    digits.then_some((number, rest))
}

/// How many glyphs a line has if it can be a row of a board.
pub(super) fn row_length(line: &str) -> Option<usize> {
    let mut length = 0;
    let mut all_dashes = true;
    for glyph in line.chars() {
        let known = Alphabet::ALL
            .iter()
            .any(|alphabet| alphabet.element(glyph).is_some());
        if !known || length == Size::EDGE_MAX {
            return None;
        }
        all_dashes &= glyph == '-';
        length += 1;
    }
    (length >= EDGE_MIN && !all_dashes).then_some(length)
}

/// The answer that a line of a client's console tells.
pub(super) fn answer_in(line: &str) -> Option<&str> {
    for mark in ["Answer:", "Sending:", "Sending ->", "Sent:"] {
        if let Some((_, answer)) = line.split_once(mark) {
            return Some(action(answer.trim().trim_matches('"')));
        }
    }
    let word = line.trim();
    let named = action(word);
    (named != word).then_some(named)
}

/// The text that stands behind the names of actions in the contest's clients.
fn action(name: &str) -> &str {
    match name {
        "GO_LEFT" => "LEFT",
        "GO_RIGHT" => "RIGHT",
        "GO_UP" => "UP",
        "GO_DOWN" => "DOWN",
        "DRILL_LEFT" => "ACT,LEFT",
        "DRILL_RIGHT" => "ACT,RIGHT",
        "DO_NOTHING" => "",
        "SUICIDE" => "ACT(0)",
        other => other,
    }
}
