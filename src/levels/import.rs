//! Levels written for other Lode Runner programs, made into square ones of the classic alphabet.
//! Only the two spellings that large public collections use; a Codenjoy map needs no import.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Element, GoldKind, MonsterLook, Size};

/// How a foreign level is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The Video Game Level Corpus: `.` nothing, `b` brick, `B` stone, `#` ladder, `-` pipe, `G` gold,
    /// `E` monster, `M` hero.
    Corpus,
    /// The remakes of the original 28 x 16 game: ` ` nothing, `#` brick, `@` stone, `H` ladder, `-` pipe,
    /// `$` gold, `0` monster, `&` hero, `X` trap door (nothing is there), `S` escape ladder.
    Remake,
}

impl Format {
    /// All formats, in the order in which a text is tried.
    pub const ALL: [Self; 2] = [Self::Corpus, Self::Remake];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corpus => "vglc",
            Self::Remake => "remake",
        }
    }

    /// What a glyph stands for; `None` if the format has no such glyph. The hero's cell is empty.
    pub const fn element(self, glyph: char) -> Option<Element> {
        const GOLD: Element = Element::Gold(GoldKind::Yellow);
        const MONSTER: Element = Element::Monster(MonsterLook::Left);
        Some(match (self, glyph) {
            (Self::Corpus, '.' | 'M') | (Self::Remake, ' ' | '&' | 'X') => Element::Empty,
            (Self::Corpus, 'b') | (Self::Remake, '#') => Element::Brick,
            (Self::Corpus, 'B') | (Self::Remake, '@') => Element::Stone,
            (Self::Corpus, '#') | (Self::Remake, 'H' | 'S') => Element::Ladder,
            (_, '-') => Element::Pipe,
            (Self::Corpus, 'G') | (Self::Remake, '$') => GOLD,
            (Self::Corpus, 'E') | (Self::Remake, '0') => MONSTER,
            _ => return None,
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = ImportError;

    fn from_str(text: &str) -> Result<Self, ImportError> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| ImportError::Format(text.to_owned()))
    }
}

/// Why a foreign level cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// No such format.
    #[error("{0:?} is no format of levels; known are: vglc, remake")]
    Format(String),
    /// No row that holds anything.
    #[error("the file has no rows")]
    Empty,
    /// Wider or higher than a board can be.
    #[error("the level is {width} wide and {height} high; with its border at most 128 fit")]
    TooLarge {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A glyph that the format does not have; row and column from 1.
    #[error("row {row}, column {column}: {glyph:?} is no glyph of the format {format}")]
    Glyph {
        /// The format.
        format: Format,
        /// Row from 1, top row first.
        row: usize,
        /// Column from 1.
        column: usize,
        /// The glyph.
        glyph: char,
    },
}

/// Reads a foreign level: its rows at the top, a stone border around them, stone in what is left of
/// the square. Short rows are empty at their ends.
///
/// Without a `format` the first one that has all the glyphs is taken.
///
/// # Errors
/// [`ImportError`]; without a format the one of the format that got farthest.
pub fn import(text: &str, format: Option<Format>) -> Result<Board, ImportError> {
    let Some(format) = format else {
        let tries = Format::ALL.map(|format| import(text, Some(format)));
        return tries
            .into_iter()
            .max_by_key(|result| match result {
                Ok(_) => (usize::MAX, 0),
                Err(ImportError::Glyph { row, column, .. }) => (*row, *column),
                Err(_) => (0, 0),
            })
            .unwrap_or(Err(ImportError::Empty));
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows: Vec<&str> = text.lines().map(|row| row.trim_end_matches('\r')).collect();
    while rows.last().is_some_and(|row| row.trim().is_empty()) {
        rows.pop();
    }
    let width = rows
        .iter()
        .map(|row| row.chars().count())
        .max()
        .unwrap_or(0);
    let height = rows.len();
    if width == 0 {
        return Err(ImportError::Empty);
    }
    let size = Size::new(width.max(height) + 2).ok_or(ImportError::TooLarge { width, height })?;
    let mut board = Board::empty(size);
    for cell in size.cells() {
        let (x, row) = (size.x(cell), size.row(cell));
        if x == 0 || row == 0 || x > width || row > height {
            board.set(cell, Element::Stone);
        }
    }
    for (row, glyphs) in rows.iter().enumerate() {
        for (x, glyph) in glyphs.chars().enumerate() {
            let element = format.element(glyph).ok_or(ImportError::Glyph {
                format,
                row: row + 1,
                column: x + 1,
                glyph,
            })?;
            board.set(size.cell(x + 1, row + 1), element);
        }
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Alphabet;

    #[test]
    fn the_same_room_in_both_spellings_is_the_same_level() {
        let expected = "☼☼☼☼☼☼☼\n☼$  H ☼\n☼###H~☼\n☼ «$H ☼\n☼☼☼☼☼☼☼\n☼☼☼☼☼☼☼\n☼☼☼☼☼☼☼\n";
        for (text, format) in [
            ("G..#.\nbbb#-\nMEG#.\n", Format::Corpus),
            ("$  H\r\n###S-\r\n&0$HX\r\n\r\n", Format::Remake),
        ] {
            for format in [Some(format), None] {
                let board = import(text, format).expect("a level");
                assert_eq!(board.rows(Alphabet::Classic), expected, "{format:?}");
            }
        }
    }

    #[test]
    fn what_is_no_level_says_where() {
        let error = import("G..#\nbb?#\n", None).expect_err("a strange glyph");
        assert_eq!(
            error.to_string(),
            "row 2, column 3: '?' is no glyph of the format vglc"
        );
        assert_eq!(
            import(" \n\n", Some(Format::Remake)),
            Err(ImportError::Empty)
        );
        let wide = "#".repeat(127);
        assert_eq!(
            import(&wide, Some(Format::Remake)),
            Err(ImportError::TooLarge {
                width: 127,
                height: 1
            })
        );
        assert!("dos".parse::<Format>().is_err());
    }
}
