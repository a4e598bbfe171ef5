//! What a server prints: cells, elements, glyph tables, boards. Nothing here knows a rule of motion.

mod action;
mod cell;
mod cellset;
mod dir;
mod element;
mod excerpt;
mod glyph;
mod grid;
mod parse;
mod picture;

pub use action::{Action, UnknownAction};
pub use cell::{Cell, Size};
pub use cellset::CellSet;
pub use dir::Dir;
pub use element::{Element, Family, GoldKind, HeroLook, Metal, MonsterLook};
pub use excerpt::excerpt;
pub use glyph::Alphabet;
pub use grid::Grid;
pub use parse::{ParseError, Unknown};

/// A board as one viewer sees it: an element for every cell, and nothing that is hidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    size: Size,
    elements: Vec<Element>,
}

impl Board {
    /// An empty board.
    pub fn empty(size: Size) -> Board {
        Board {
            size,
            elements: vec![Element::Empty; size.area()],
        }
    }

    /// The edge and numbering of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What is drawn in each cell, in reading order.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// What is drawn in a field cell; `Stone` for a cell outside the field.
    pub fn at(&self, cell: Cell) -> Element {
        if self.size.contains(cell) {
            self.elements[self.size.wire_index(cell)]
        } else {
            Element::Stone
        }
    }

    /// Draws an element in a field cell; a cell outside the field is left alone.
    pub fn set(&mut self, cell: Cell, element: Element) {
        if self.size.contains(cell) {
            let index = self.size.wire_index(cell);
            self.elements[index] = element;
        }
    }

    /// All cells with their elements, in reading order.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Element)> + '_ {
        self.size.cells().zip(self.elements.iter().copied())
    }

    /// The cell of the viewer's own hero, the first in reading order.
    pub fn me(&self) -> Option<Cell> {
        self.iter()
            .find(|(_, element)| element.is_me())
            .map(|(cell, _)| cell)
    }

    /// The board as on the wire after `board=`: one line of `n * n` glyphs, top row first.
    ///
    /// An element that the alphabet cannot spell becomes a blank; boards parsed in the same
    /// alphabet have none.
    pub fn render(&self, alphabet: Alphabet) -> String {
        self.elements
            .iter()
            .map(|&element| alphabet.glyph(element).unwrap_or(' '))
            .collect()
    }

    /// The board as `n` lines of `n` glyphs, top row first, each line ended.
    pub fn rows(&self, alphabet: Alphabet) -> String {
        let edge = self.size.edge();
        let mut text = String::with_capacity(self.size.area() * 2);
        for row in self.elements.chunks(edge) {
            text.extend(
                row.iter()
                    .map(|&element| alphabet.glyph(element).unwrap_or(' ')),
            );
            text.push('\n');
        }
        text
    }
}
