//! The simplified ASCII picture of a board for people and plain terminals (`--ascii`). It exists once and
//! is used wherever text shows a board without the wire's glyphs. It cannot be read back.

use super::{Board, Element, Family, GoldKind, HeroLook};

impl Element {
    /// One ASCII character for people: `@` me, `o` a rival, `M` a monster, `$` gold, `=` stone.
    pub const fn ascii(self) -> char {
        match self {
            Element::Empty => ' ',
            Element::Brick => '#',
            Element::Dug | Element::Closing(_) => '_',
            Element::Stone => '=',
            Element::Ladder => 'H',
            Element::Pipe => '~',
            Element::Gold(GoldKind::Yellow) => '$',
            Element::Gold(GoldKind::Green) => '%',
            Element::Gold(GoldKind::Red) => '&',
            Element::Portal => '0',
            Element::Pill => '+',
            Element::Door(_, false) => 'D',
            Element::Door(_, true) => 'd',
            Element::Key(_) => 'k',
            Element::Bullet => '*',
            Element::Ammo => 'a',
            Element::Monster(_) => 'M',
            Element::Hero(_, HeroLook::Dead, _) => 'x',
            Element::Hero(Family::Me, ..) => '@',
            Element::Hero(..) => 'o',
        }
    }
}

impl Board {
    /// The ASCII picture: `n` lines of `n` characters, top row first, each line ended.
    pub fn picture(&self) -> String {
        let edge = self.size.edge();
        let mut text = String::with_capacity(edge * (edge + 1));
        for row in self.elements.chunks(edge) {
            text.extend(row.iter().map(|element| element.ascii()));
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Alphabet, Board};

    #[test]
    fn the_picture_is_plain_ascii_with_the_board_s_shape() {
        for alphabet in Alphabet::ALL {
            let glyphs: String = alphabet
                .pairs()
                .iter()
                .map(|pair| pair.0)
                .take(25)
                .collect();
            let picture = Board::parse(&glyphs, alphabet)
                .expect("25 glyphs")
                .picture();
            assert!(picture.is_ascii());
            assert!(picture.lines().count() == 5 && picture.lines().all(|line| line.len() == 5));
        }
    }

    #[test]
    fn a_small_board_looks_as_documented() {
        let board = Board::parse("☼►$H~«#) ", Alphabet::Classic).expect("a board");
        assert_eq!(board.picture(), "=@$\nH~M\n#o \n");
    }
}
