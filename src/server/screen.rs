//! A board for the viewer's eyes: one letter a cell that says what to draw, whatever the dialect.
//!
//! The letters are known to `page.html` and nowhere else.

use crate::board::{Alphabet, Element, Family, GoldKind, HeroLook};

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
