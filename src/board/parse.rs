//! Reading a board from text: one line as on the wire, or rows as in files and consoles.
//! Not the frames around it beyond a leading `board=`: those are `net::frame`.

use super::{Alphabet, Board, Element, Size};

/// Why a text is no board. Rows and columns count from 1, as editors show them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No character is left after prefix and line ends are taken off.
    #[error("the board is empty; expected n*n glyphs, n from 1 to 128")]
    Empty,
    /// One line whose length is no square number.
    #[error("the board has {0} glyphs, which is no square number; is it cut off?")]
    NotSquare(usize),
    /// The edge is over 128 cells.
    #[error("the board is {0} cells wide; at most 128 are read")]
    TooLarge(usize),
    /// Rows of unequal length.
    #[error("row {row} has {found} glyphs, but the board has {expected} rows")]
    Ragged {
        /// Row from 1.
        row: usize,
        /// Glyphs in it.
        found: usize,
        /// Number of rows, which every row's length must equal.
        expected: usize,
    },
    /// A glyph that the alphabet does not have.
    #[error("row {row}, column {column}: {glyph:?} is no glyph of the {alphabet:?} alphabet")]
    Glyph {
        /// Row from 1, top row first.
        row: usize,
        /// Column from 1.
        column: usize,
        /// The glyph.
        glyph: char,
        /// The alphabet it was looked up in.
        alphabet: Alphabet,
    },
}

/// A glyph that was taken for an empty cell, with its first place (from 1) and how often it stood there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unknown {
    /// The glyph.
    pub glyph: char,
    /// Row of its first place, from 1.
    pub row: usize,
    /// Column of its first place, from 1.
    pub column: usize,
    /// In how many cells it stands.
    pub count: usize,
}

impl Board {
    /// Reads a board and refuses glyphs that the alphabet does not have.
    ///
    /// Takes one line or rows; a byte order mark, `board=`, CR LF and trailing line ends are taken off.
    ///
    /// # Errors
    /// Every `ParseError`; the text is no board of this alphabet.
    pub fn parse(text: &str, alphabet: Alphabet) -> Result<Board, ParseError> {
        let mut first = None;
        let board = read(text, alphabet, |glyph, row, column| {
            first.get_or_insert(ParseError::Glyph {
                row,
                column,
                glyph,
                alphabet,
            });
        })?;
        first.map_or(Ok(board), Err)
    }

    /// Reads a board as live play does: an unknown glyph is an empty cell and is told of once.
    ///
    /// # Errors
    /// `ParseError` for texts that have no square shape; never `ParseError::Glyph`.
    pub fn parse_lenient(
        text: &str,
        alphabet: Alphabet,
    ) -> Result<(Board, Vec<Unknown>), ParseError> {
        let mut unknown: Vec<Unknown> = Vec::new();
        let board = read(text, alphabet, |glyph, row, column| {
            match unknown.iter_mut().find(|known| known.glyph == glyph) {
                Some(known) => known.count += 1,
                None => unknown.push(Unknown {
                    glyph,
                    row,
                    column,
                    count: 1,
                }),
            }
        })?;
        Ok((board, unknown))
    }
}

fn read(
    text: &str,
    alphabet: Alphabet,
    mut unknown: impl FnMut(char, usize, usize),
) -> Result<Board, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.strip_prefix("board=").unwrap_or(text);
    let text = text
        .trim_end_matches(['\r', '\n'])
        .trim_start_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(ParseError::Empty);
    }
    let rows: Vec<&str> = text
        .split('\n')
        .map(|row| row.strip_suffix('\r').unwrap_or(row))
        .collect();
    let edge = if let [line] = rows[..] {
        let length = line.chars().count();
        let edge = length.isqrt();
        if edge * edge != length {
            return Err(ParseError::NotSquare(length));
        }
        edge
    } else {
        for (index, row) in rows.iter().enumerate() {
            let found = row.chars().count();
            if found != rows.len() {
                return Err(ParseError::Ragged {
                    row: index + 1,
                    found,
                    expected: rows.len(),
                });
            }
        }
        rows.len()
    };
    let size = Size::new(edge).ok_or(ParseError::TooLarge(edge))?;
    let elements = rows
        .iter()
        .flat_map(|row| row.chars())
        .enumerate()
        .map(|(index, glyph)| {
            alphabet.element(glyph).unwrap_or_else(|| {
                unknown(glyph, index / edge + 1, index % edge + 1);
                Element::Empty
            })
        })
        .collect();
    Ok(Board { size, elements })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_every_outer_form() {
        let plain = Board::parse("☼☼☼☼►☼☼☼☼", Alphabet::Classic).expect("a board");
        for text in [
            "board=☼☼☼☼►☼☼☼☼",
            "\u{feff}board=☼☼☼☼►☼☼☼☼\r\n",
            "☼☼☼\n☼►☼\n☼☼☼",
            "☼☼☼\r\n☼►☼\r\n☼☼☼\r\n",
            "\n☼☼☼\n☼►☼\n☼☼☼\n\n",
        ] {
            assert_eq!(
                Board::parse(text, Alphabet::Classic).as_ref(),
                Ok(&plain),
                "{text:?}"
            );
        }
    }

    #[test]
    fn every_classic_glyph_alone_survives_parse_and_print() {
        for alphabet in Alphabet::ALL {
            for &(glyph, element) in alphabet.pairs() {
                let text: String = "    "
                    .chars()
                    .chain([glyph])
                    .chain("    ".chars())
                    .collect();
                let board = Board::parse(&text, alphabet).expect("a board");
                assert_eq!(board.render(alphabet), text);
                assert!(board.iter().any(|(_, e)| e == element));
            }
        }
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text| Board::parse(text, Alphabet::Classic).expect_err("no board");
        assert_eq!(error(""), ParseError::Empty);
        assert_eq!(error("board=\r\n"), ParseError::Empty);
        assert_eq!(error("☼☼☼☼☼"), ParseError::NotSquare(5));
        assert_eq!(
            error("☼☼\n☼"),
            ParseError::Ragged {
                row: 2,
                found: 1,
                expected: 2
            }
        );
        assert_eq!(
            error("☼☼☼\n☼w☼\n☼☼☼"),
            ParseError::Glyph {
                row: 2,
                column: 2,
                glyph: 'w',
                alphabet: Alphabet::Classic
            }
        );
        assert_eq!(error(&"#".repeat(129 * 129)), ParseError::TooLarge(129));
    }

    #[test]
    fn live_reading_counts_each_unknown_glyph_once() {
        let (board, unknown) =
            Board::parse_lenient("☼w☼☼w☼☼?☼", Alphabet::Classic).expect("square");
        assert_eq!(unknown.len(), 2);
        assert_eq!(
            unknown[0],
            Unknown {
                glyph: 'w',
                row: 1,
                column: 2,
                count: 2
            }
        );
        assert_eq!(board.at(board.size().cell(1, 1)), Element::Empty);
    }

    proptest! {
        #[test]
        fn parse_and_render_are_inverse(edge in 1usize..=128, seed in any::<u64>(), pick in 0usize..3) {
            let alphabet = Alphabet::ALL[pick];
            let pairs = alphabet.pairs();
            let mut mix = seed | 1;
            let text: String = (0..edge * edge).map(|_| {
                mix = mix.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                pairs[(mix >> 33) as usize % pairs.len()].0
            }).collect();
            let board = Board::parse(&text, alphabet).expect("all glyphs are known");
            prop_assert_eq!(board.render(alphabet), text.clone());
            prop_assert_eq!(Board::parse(&board.rows(alphabet), alphabet).expect("rows"), board);
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,300}") {
            for alphabet in Alphabet::ALL {
                let _ = Board::parse(&text, alphabet);
                let _ = Board::parse_lenient(&text, alphabet);
            }
        }
    }
}
