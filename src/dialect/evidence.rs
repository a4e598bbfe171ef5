//! `Evidence`: what one board says for and against each alphabet. No memory: that is `Candidates`.

use crate::board::{Alphabet, Board, Cell, Element, HeroLook, ParseError};

/// A glyph with its row and column, from 1.
pub(super) type Place = (char, usize, usize);

/// A board as one alphabet reads it.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The first glyph that the alphabet lacks.
    pub unknown: Option<Place>,
    /// Cells with such glyphs.
    pub count: u64,
    /// How many own heroes it shows.
    pub heroes: usize,
    /// Row and column of a rival drawn as if it stood, though it falls or has just dug.
    pub plain: Option<(usize, usize)>,
}

/// What a board says.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// Cells along one edge.
    pub edge: usize,
    /// One for each alphabet, in the order of `Alphabet::ALL`.
    readings: [Reading; Alphabet::ALL.len()],
    /// The first glyph that no alphabet has.
    pub alien: Option<Place>,
    /// Where the own hero lies dead, if some alphabet reads that.
    pub dead: Option<usize>,
}

impl Evidence {
    /// Reads a board with every alphabet.
    ///
    /// # Errors
    /// If the text has no square shape.
    pub fn of(text: &str) -> Result<Evidence, ParseError> {
        let mut boards = Vec::with_capacity(Alphabet::ALL.len());
        for alphabet in Alphabet::ALL {
            boards.push(Board::parse_lenient(text, alphabet)?);
        }
        let known = |glyph| {
            let mut alphabets = Alphabet::ALL.iter();
            alphabets.any(|alphabet| alphabet.element(glyph).is_some())
        };
        let alien = boards[0].1.iter().find(|unknown| !known(unknown.glyph));
        let alien = alien.map(|unknown| (unknown.glyph, unknown.row, unknown.column));
        let dead = boards.iter().find_map(|(board, _)| {
            let cell = board.me()?;
            matches!(board.at(cell), Element::Hero(_, HeroLook::Dead, _)).then(|| cell.index())
        });
        let readings = std::array::from_fn(|index| {
            let (board, unknown) = &boards[index];
            let first = unknown.iter().min_by_key(|one| (one.row, one.column));
            Reading {
                unknown: first.map(|one| (one.glyph, one.row, one.column)),
                count: unknown.iter().map(|one| one.count as u64).sum(),
                heroes: board.elements().iter().filter(|one| one.is_me()).count(),
                plain: plain(board),
            }
        });
        Ok(Evidence {
            edge: boards[0].0.size().edge(),
            readings,
            alien,
            dead,
        })
    }

    pub fn reading(&self, alphabet: Alphabet) -> &Reading {
        &self.readings[alphabet as usize]
    }
}

/// A rival that is drawn standing where it must fall, or beside a brick that nobody else can have dug. Classic
/// draws both so; the dialects of 2021 have pictures for them (DIALECTS section 1.1).
fn plain(board: &Board) -> Option<(usize, usize)> {
    let size = board.size();
    let stands = |element| {
        matches!(
            element,
            Element::Hero(_, HeroLook::Left | HeroLook::Right, _)
        )
    };
    let rivals = board
        .iter()
        .filter(|&(_, element)| element.is_rival() && stands(element));
    // Where a portal is, a hero may stand in mid-air for reasons of its own.
    if board.elements().contains(&Element::Portal) {
        return None;
    }
    rivals
        .map(|(cell, _)| cell)
        .find(|&cell| falls(board, cell) || digs(board, cell))
        .map(|cell| (size.row(cell) + 1, size.x(cell) + 1))
}

/// Nothing can carry a body here: the cell below shows that it is open.
fn falls(board: &Board, cell: Cell) -> bool {
    let below = board.size().down(cell);
    board.size().contains(below)
        && matches!(
            board.at(below),
            Element::Empty | Element::Pipe | Element::Dug | Element::Closing(_)
        )
}

/// It stands beside the cell above a brick dug in this very tick, and no other hero is near enough.
fn digs(board: &Board, cell: Cell) -> bool {
    let size = board.size();
    [cell.left(), cell.right()].into_iter().any(|above| {
        let dug = board.at(size.down(above)) == Element::Dug;
        // A hero on a ladder may have dug downwards.
        let near = [above.left(), above.right(), above, size.up(above)];
        let others = near
            .into_iter()
            .filter(|&other| other != cell && board.at(other).is_hero());
        dug && others.count() == 0
    })
}
