//! Format `rest`: the server's list of recorded boards over HTTP, JSON with boards in the browser's letters.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Cursor, Read};

use serde::Deserialize;
use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;

use super::assembly::{Assembly, Sighting};
use super::browser::Letters;
use super::{Fault, moment, table};
use crate::record::error::ReadErrorKind;
use crate::record::file::Source;

/// Most text that is read; a list of the server's has about 200 boards.
const LIMIT: u64 = 64 * 1024 * 1024;

/// Letters mean nothing without the order of the server's elements.
const NO_ORDER: &str = "boards in the browser's letters need the order of the server's elements: \
    save its glyphs in a file and give it with --elements (the server tells it under /rest/sprites)";

/// One entry of the list; fields that nobody needs are left out.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(default)]
    time: Value,
    #[serde(default, alias = "playerId", alias = "id")]
    player_name: Value,
    #[serde(default, alias = "game")]
    game_type: Value,
    #[serde(default)]
    score: Value,
    #[serde(default)]
    command: Value,
    #[serde(default)]
    board: Value,
}

/// The rows of a list that may break off.
#[derive(Default)]
struct Rows(Vec<Row>);

impl<'de> Visitor<'de> for &mut Rows {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of boards")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(row) = list.next_element()? {
            self.0.push(row);
        }
        Ok(())
    }
}

/// Reads the whole list.
pub(super) fn read(
    start: Vec<u8>,
    source: Source,
    elements: Option<&str>,
    assembly: &mut Assembly<'_>,
) -> Result<(), Fault> {
    let Some(elements) = elements else {
        return Err(Fault::Option(NO_ORDER.to_owned()));
    };
    let letters = Letters::new(elements).map_err(Fault::Option)?;
    let mut text = Vec::new();
    let mut limited = Cursor::new(start).chain(source).take(LIMIT + 1);
    if let Err(error) = limited.read_to_end(&mut text) {
        assembly.breaks_off(0, ReadErrorKind::of_read(error));
    }
    if text.len() as u64 > LIMIT {
        return Err(Fault::Read(0, ReadErrorKind::TooLong(LIMIT as usize)));
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let mut rows = Rows::default();
    let mut json = serde_json::Deserializer::from_slice(text);
    if let Err(error) = json.deserialize_seq(&mut rows) {
        if rows.0.is_empty() {
            let fault = error.to_string();
            let what = "not a server's list of boards";
            return Err(Fault::Read(0, ReadErrorKind::Foreign(what, fault)));
        }
        let text = format!(
            "the list breaks off ({error}); its first {} boards are kept",
            rows.0.len()
        );
        assembly.note(error.line() as u64, &text);
    }
    // The list may come newest first, and its players mixed.
    let mut players: BTreeMap<String, Vec<(i64, usize, Row)>> = BTreeMap::new();
    for (index, row) in rows.0.into_iter().enumerate() {
        let game = word(&row.game_type);
        if !game.is_empty() && !table::is_ours(&game) {
            assembly.note(
                index as u64 + 1,
                &format!("a board of the game {game}; left out"),
            );
            continue;
        }
        let time = moment_of(&row.time).unwrap_or(0);
        let player = word(&row.player_name);
        players.entry(player).or_default().push((time, index, row));
    }
    for (player, mut rows) in players {
        rows.sort_by_key(|row| (row.0, row.1));
        for (time, index, row) in rows {
            let line = index as u64 + 1;
            let board = match letters.decode(row.board.as_str().unwrap_or_default()) {
                Ok(board) => board,
                Err(letter) => {
                    assembly.note(
                        line,
                        &format!(
                            "the letter {letter:?} has no element; give the server's own order with --elements"
                        ),
                    );
                    assembly.missing(&player);
                    continue;
                }
            };
            let sighting = Sighting {
                line,
                board,
                moment: moment_of(&row.time).map(|_| time),
                answer: row.command.as_str().map(table::answer),
                score: word(&row.score).trim().parse().ok(),
                ..Sighting::default()
            };
            assembly.board(&player, sighting, true)?;
        }
    }
    Ok(())
}

fn moment_of(time: &Value) -> Option<i64> {
    match time {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => moment::find(text)
            .map(|found| found.0)
            .or_else(|| text.trim().parse().ok()),
        _ => None,
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
