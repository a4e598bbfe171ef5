//! The terrain that a series of boards shows: the map of an imported game's header.

use crate::board::{Alphabet, Element, GoldKind, MonsterLook, Size};

/// What is known of one cell, most telling first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Terrain(Element),
}

/// Terrain, and the first board's gold and monsters.
pub(super) struct Terrain {
    size: Size,
    alphabet: Alphabet,
    cells: Vec<Known>,
    /// What stands on the first board.
    first: Option<Vec<Element>>,
}

impl Terrain {
    pub(super) fn new(size: Size, alphabet: Alphabet) -> Terrain {
        Terrain {
            size,
            alphabet,
            cells: vec![Known::Nothing; size.area()],
            first: None,
        }
    }

    /// Looks at one board. What was proved first stays: terrain never changes within a game.
    pub(super) fn see(&mut self, board: &str) {
        let element = |glyph| self.alphabet.element(glyph).unwrap_or(Element::Empty);
        for (known, glyph) in self.cells.iter_mut().zip(board.chars()) {
            if *known != Known::Nothing {
                continue;
            }
            let element = element(glyph);
            if element == Element::Stone || element == Element::Portal {
                *known = Known::Terrain(element);
            } else if element.shows_brick() {
                *known = Known::Terrain(Element::Brick);
            } else if element.shows_ladder() {
                *known = Known::Terrain(Element::Ladder);
            } else if element.shows_pipe() {
                *known = Known::Terrain(Element::Pipe);
            }
        }
        if self.first.is_none() {
            self.first = Some(board.chars().map(element).collect());
        }
    }

    /// The map, row by row: terrain, and gold and monsters where the first board shows them.
    pub(super) fn rows(&self) -> Vec<String> {
        let first = self.first.as_deref().unwrap_or(&[]);
        let glyphs: Vec<char> = self
            .cells
            .iter()
            .enumerate()
            .map(|(index, known)| {
                let element = match (*known, first.get(index)) {
                    (Known::Terrain(element), _) => element,
                    (Known::Nothing, Some(&element)) if is_start(element) => element,
                    _ => Element::Empty,
                };
                self.alphabet.glyph(element).unwrap_or(' ')
            })
            .collect();
        glyphs
            .chunks(self.size.edge())
            .map(|row| row.iter().collect())
            .collect()
    }
}

/// Whether a map may hold it: gold, and monsters that stand on empty terrain.
fn is_start(element: Element) -> bool {
    matches!(
        element,
        Element::Gold(GoldKind::Yellow | GoldKind::Green | GoldKind::Red)
            | Element::Monster(MonsterLook::Left | MonsterLook::Right)
    )
}
