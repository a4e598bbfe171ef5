//! The browser's letters: letter number k of `A..Za..z0..9` stands for element number k in the server's
//! element order (PROTOCOL section 8). Which order that is depends on the server's version and is asked of the
//! server; none is built in.

use crate::board::Alphabet;

/// The letters in their order. Old servers stop after `z`.
pub const BROWSER_LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Decodes the browser's letters.
pub(super) struct Letters {
    glyphs: Vec<(char, char)>,
}

impl Letters {
    /// Letters for elements in this order, given as glyphs.
    ///
    /// An error says what is wrong with the order.
    pub(super) fn new(elements: &str) -> Result<Letters, String> {
        let elements = elements.trim_matches(['\r', '\n']);
        let count = elements.chars().count();
        if count == 0 || count > BROWSER_LETTERS.len() {
            return Err(format!(
                "the order of elements has {count} glyphs; from 1 to {} are possible",
                BROWSER_LETTERS.len()
            ));
        }
        let known = |glyph: &char| {
            Alphabet::ALL
                .iter()
                .any(|alphabet| alphabet.element(*glyph).is_some())
        };
        if let Some(glyph) = elements.chars().find(|glyph| !known(glyph)) {
            return Err(format!(
                "the order of elements holds {glyph:?}, which is no glyph of any dialect"
            ));
        }
        Ok(Letters {
            glyphs: BROWSER_LETTERS.chars().zip(elements.chars()).collect(),
        })
    }

    /// The board in glyphs; the letter that has no element, if there is one.
    pub(super) fn decode(&self, letters: &str) -> Result<String, char> {
        let glyph = |letter: char| {
            let pair = self.glyphs.iter().find(|pair| pair.0 == letter);
            pair.map(|pair| pair.1).ok_or(letter)
        };
        letters
            .chars()
            .filter(|letter| !matches!(letter, '\r' | '\n'))
            .map(glyph)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_become_glyphs_and_bad_orders_are_refused() {
        let letters = Letters::new("H☼ ►#\n").expect("an order");
        assert_eq!(letters.decode("BCEBD"), Ok("☼ #☼►".to_owned()));
        assert_eq!(letters.decode("A9"), Err('9'));
        assert!(Letters::new("").is_err());
        assert!(Letters::new("#w?").is_err());
        assert!(Letters::new(&"#".repeat(63)).is_err());
    }
}
