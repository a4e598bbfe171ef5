//! Boards for spectators: one letter a cell that says what to draw, whatever the dialect, for the page of our
//! own; the browser's letters and figures of the original servers for sockets.
//!
//! The former letters are known to `page.html` and nowhere else. Not here: who gets what when (`spectators`).

use serde_json::{Map, Value, json};

use super::spectators::Wanted;
use crate::board::{Alphabet, Element, Family, GoldKind, HeroLook};
use crate::record::{BROWSER_LETTERS, Header};

/// A player as spectators see him.
pub(super) struct Player<'a> {
    pub(super) id: String,
    /// In the game's glyphs.
    pub(super) board: &'a str,
    pub(super) score: i64,
    /// What happened to him in the last tick.
    pub(super) info: String,
}

/// The answer to a spectator: one JSON object with an entry a player (PROTOCOL section 8).
pub(super) fn pictures(
    players: &[Player<'_>],
    wanted: &Wanted,
    header: &Header,
    alphabet: Alphabet,
) -> String {
    let scores: Map<String, Value> = players
        .iter()
        .map(|player| (player.id.clone(), player.score.into()))
        .collect();
    let coordinates: Map<String, Value> = players
        .iter()
        .filter_map(|player| {
            let place = place(player.board, header.size, alphabet)?;
            Some((player.id.clone(), place))
        })
        .collect();
    let group: Vec<&str> = players.iter().map(|player| player.id.as_str()).collect();
    // The key changed with the servers of 2021.
    let key = if header.rules == "classic" {
        "gameName"
    } else {
        "game"
    };
    let pictures: Map<String, Value> = players
        .iter()
        .filter(|player| wanted.has(&player.id))
        .map(|player| {
            let picture = json!({
                "boardSize": header.size,
                "board": letters(player.board, alphabet),
                key: game_name(&header.rules),
                "score": player.score,
                "info": player.info,
                "scores": scores,
                "heroesData": { "coordinates": coordinates, "group": group },
            });
            (player.id.clone(), picture)
        })
        .collect();
    Value::Object(pictures).to_string()
}

/// Where the hero of his own board is, `y` growing upwards.
fn place(board: &str, edge: usize, alphabet: Alphabet) -> Option<Value> {
    let is_me = |glyph| alphabet.element(glyph).is_some_and(Element::is_me);
    let index = board.chars().position(is_me)?;
    let row = index.checked_div(edge)?;
    Some(json!({ "x": index % edge, "y": edge.checked_sub(row + 1)? }))
}

/// The board in the browser's letters; as it is if there are more elements than letters.
fn letters(board: &str, alphabet: Alphabet) -> String {
    let elements = alphabet.pairs();
    if elements.len() > BROWSER_LETTERS.len() {
        return board.to_owned();
    }
    let letter = |glyph| {
        let number = elements.iter().position(|pair| pair.0 == glyph);
        number.and_then(|number| BROWSER_LETTERS.chars().nth(number))
    };
    board
        .chars()
        .map(|glyph| letter(glyph).unwrap_or('?'))
        .collect()
}

/// The glyphs of all elements as a JSON list, in the order in which the browser's letters stand for them.
pub(super) fn elements_json(alphabet: Alphabet) -> String {
    let glyphs: Vec<String> = alphabet
        .pairs()
        .iter()
        .map(|pair| pair.0.to_string())
        .collect();
    json!(glyphs).to_string()
}

/// The letter of every cell, in reading order. Text that is no board gives blanks.
pub(super) fn kinds(board: &str, alphabet: Alphabet) -> String {
    board
        .chars()
        .map(|glyph| alphabet.element(glyph).map_or(' ', kind))
        .collect()
}

fn kind(element: Element) -> char {
    match element {
        Element::Empty => ' ',
        Element::Brick => '#',
        Element::Dug => '*',
        Element::Closing(left) => char::from_digit(u32::from(left), 10).unwrap_or('*'),
        Element::Stone => 'W',
        Element::Ladder => 'H',
        Element::Pipe => '~',
        Element::Gold(GoldKind::Yellow) => '$',
        Element::Gold(GoldKind::Green) => '&',
        Element::Gold(GoldKind::Red) => '@',
        Element::Portal => 'O',
        Element::Pill => 'S',
        Element::Monster(_) => 'm',
        Element::Hero(_, HeroLook::Dead, _) => 'x',
        Element::Hero(Family::Me, ..) => 'h',
        Element::Hero(..) => 'r',
        // Doors, keys, bullets and clips.
        _ => '?',
    }
}

/// The game's name on the wire, from the name of its rules.
pub(super) fn game_name(rules: &str) -> &'static str {
    if rules.starts_with("clifford") {
        "clifford"
    } else {
        "loderunner"
    }
}
