//! Glyph tables: how each alphabet spells each `Element`, one table an alphabet, both ways.
//! Not which dialect a board belongs to, and not what a server shows where: only spelling.

use super::element::{Element, Family, GoldKind, HeroLook, Metal, MonsterLook};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A wire alphabet. Two dialects may share one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Alphabet {
    /// Classic, RULES section 2.
    Classic,
    /// `loderunner` of 2021-04 and 2021-09, DIALECTS section 1.1.
    Loderunner,
    /// `clifford`, DIALECTS section 1.2.
    Clifford,
}

impl Alphabet {
    /// All alphabets.
    pub const ALL: [Alphabet; 3] = [Alphabet::Classic, Alphabet::Loderunner, Alphabet::Clifford];

    /// What a glyph means here; `None` if the alphabet does not have it.
    #[inline]
    pub fn element(self, glyph: char) -> Option<Element> {
        let table = self.table();
        if glyph.is_ascii() {
            table.ascii[glyph as usize]
        } else {
            table.meaning.get(&glyph).copied()
        }
    }

    /// How an element is spelt; `None` if the alphabet cannot say it.
    pub fn glyph(self, element: Element) -> Option<char> {
        self.table().spelling.get(&element).copied()
    }

    /// All pairs of glyph and element, in table order.
    pub fn pairs(self) -> &'static [(char, Element)] {
        &self.table().pairs
    }

    fn table(self) -> &'static Table {
        static CLASSIC: LazyLock<Table> = LazyLock::new(|| Table::new(classic()));
        static LODERUNNER: LazyLock<Table> = LazyLock::new(|| Table::new(loderunner()));
        static CLIFFORD: LazyLock<Table> = LazyLock::new(|| Table::new(clifford()));
        match self {
            Alphabet::Classic => &CLASSIC,
            Alphabet::Loderunner => &LODERUNNER,
            Alphabet::Clifford => &CLIFFORD,
        }
    }
}

struct Table {
    pairs: Vec<(char, Element)>,
    ascii: [Option<Element>; 128],
    meaning: FxHashMap<char, Element>,
    spelling: FxHashMap<Element, char>,
}

impl Table {
    fn new(pairs: Vec<(char, Element)>) -> Table {
        let mut ascii = [None; 128];
        for &(glyph, element) in pairs.iter().filter(|(glyph, _)| glyph.is_ascii()) {
            ascii[glyph as usize] = Some(element);
        }
        let meaning = pairs.iter().copied().collect();
        let spelling = pairs
            .iter()
            .map(|&(glyph, element)| (element, glyph))
            .collect();
        Table {
            pairs,
            ascii,
            meaning,
            spelling,
        }
    }
}

/// What all alphabets spell alike.
fn shared() -> Vec<(char, Element)> {
    vec![
        (' ', Element::Empty),
        ('#', Element::Brick),
        ('*', Element::Dug),
        ('4', Element::Closing(4)),
        ('3', Element::Closing(3)),
        ('2', Element::Closing(2)),
        ('1', Element::Closing(1)),
        ('☼', Element::Stone),
        ('H', Element::Ladder),
        ('~', Element::Pipe),
        ('$', Element::Gold(GoldKind::Yellow)),
    ]
}

/// Spells one family from a string of glyphs in the order of `looks`.
fn family(
    pairs: &mut Vec<(char, Element)>,
    family: Family,
    pill: bool,
    looks: &[HeroLook],
    glyphs: &str,
) {
    debug_assert_eq!(looks.len(), glyphs.chars().count());
    for (glyph, &look) in glyphs.chars().zip(looks) {
        pairs.push((glyph, Element::Hero(family, look, pill)));
    }
}

fn monsters(pairs: &mut Vec<(char, Element)>, looks: &[MonsterLook], glyphs: &str) {
    for (glyph, &look) in glyphs.chars().zip(looks) {
        pairs.push((glyph, Element::Monster(look)));
    }
}

const LODERUNNER_LOOKS: [HeroLook; 10] = [
    HeroLook::Dead,
    HeroLook::DigLeft,
    HeroLook::DigRight,
    HeroLook::Ladder,
    HeroLook::Left,
    HeroLook::Right,
    HeroLook::FallLeft,
    HeroLook::FallRight,
    HeroLook::PipeLeft,
    HeroLook::PipeRight,
];

const LODERUNNER_MONSTERS: [MonsterLook; 6] = [
    MonsterLook::Left,
    MonsterLook::Right,
    MonsterLook::Ladder,
    MonsterLook::PipeLeft,
    MonsterLook::PipeRight,
    MonsterLook::Pit,
];

fn classic() -> Vec<(char, Element)> {
    use HeroLook::{Dead, Ladder, Left, PipeLeft, PipeRight, Right};
    let mut pairs = shared();
    monsters(&mut pairs, &LODERUNNER_MONSTERS, "«»Q<>X");
    family(
        &mut pairs,
        Family::Me,
        false,
        &LODERUNNER_LOOKS,
        "ѠЯRY◄►][{}",
    );
    let rival = [Dead, Ladder, Left, Right, PipeLeft, PipeRight];
    family(&mut pairs, Family::Other, false, &rival, "ZU)(ЭЄ");
    pairs
}

fn loderunner() -> Vec<(char, Element)> {
    let mut pairs = shared();
    pairs.push(('&', Element::Gold(GoldKind::Green)));
    pairs.push(('@', Element::Gold(GoldKind::Red)));
    pairs.push(('⊛', Element::Portal));
    pairs.push(('S', Element::Pill));
    monsters(&mut pairs, &LODERUNNER_MONSTERS, "«»Q<>X");
    let looks = &LODERUNNER_LOOKS;
    family(&mut pairs, Family::Me, false, looks, "ѠЯRY◄►][{}");
    family(&mut pairs, Family::Me, true, looks, "x⊰⊱⍬⊲⊳⊅⊄⋜⋝");
    family(&mut pairs, Family::Other, false, looks, "Z⌋⌊U)(⊐⊏ЭЄ");
    family(&mut pairs, Family::Other, true, looks, "⋈⋰⋱⋕⋊⋉⋣⋢⊣⊢");
    family(&mut pairs, Family::Enemy, false, looks, "Ž⟧⟦Ǔ❫❪⋥⋤ǮĚ");
    family(&mut pairs, Family::Enemy, true, looks, "⧓⇢⇠⧒⧑≠⌫⌦❵❴");
    pairs
}

fn clifford() -> Vec<(char, Element)> {
    use HeroLook::{Dead, Fall, Ladder, Left, Pipe, Pit, Right};
    let mut pairs = shared();
    pairs.push(('&', Element::Gold(GoldKind::Green)));
    pairs.push(('@', Element::Gold(GoldKind::Red)));
    pairs.push(('W', Element::Portal));
    pairs.push(('m', Element::Pill));
    pairs.push(('•', Element::Bullet));
    pairs.push(('M', Element::Ammo));
    for (metal, open, closed, key) in [
        (Metal::Gold, 'g', 'G', '+'),
        (Metal::Silver, 's', 'S', '-'),
        (Metal::Bronze, 'b', 'B', '!'),
    ] {
        pairs.push((open, Element::Door(metal, true)));
        pairs.push((closed, Element::Door(metal, false)));
        pairs.push((key, Element::Key(metal)));
    }
    let looks = [
        MonsterLook::Left,
        MonsterLook::Right,
        MonsterLook::Ladder,
        MonsterLook::Fall,
        MonsterLook::Pipe,
        MonsterLook::Pit,
    ];
    monsters(&mut pairs, &looks, ")(XxYy");
    let looks = &[Dead, Ladder, Left, Right, Fall, Pipe, Pit];
    family(&mut pairs, Family::Me, false, looks, "OA◄►UIE");
    family(&mut pairs, Family::Me, true, looks, "oahwuie");
    family(&mut pairs, Family::Other, false, looks, "CD«»FJK");
    family(&mut pairs, Family::Other, true, looks, "cdZzfjk");
    family(&mut pairs, Family::Enemy, false, looks, "LNPQRTV");
    family(&mut pairs, Family::Enemy, true, looks, "lnpqrtv");
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_a_bijection() {
        for alphabet in Alphabet::ALL {
            for &(glyph, element) in alphabet.pairs() {
                assert_eq!(
                    alphabet.element(glyph),
                    Some(element),
                    "{alphabet:?} {glyph:?}"
                );
                assert_eq!(
                    alphabet.glyph(element),
                    Some(glyph),
                    "{alphabet:?} {element:?}"
                );
            }
        }
    }

    #[test]
    fn tables_have_the_documented_number_of_glyphs() {
        assert_eq!(Alphabet::Classic.pairs().len(), 33);
        assert_eq!(Alphabet::Loderunner.pairs().len(), 81);
        assert_eq!(Alphabet::Clifford.pairs().len(), 74);
    }

    #[test]
    fn left_and_right_of_classic_rivals_are_not_mixed_up() {
        let rival = |look| Element::Hero(Family::Other, look, false);
        assert_eq!(Alphabet::Classic.element(')'), Some(rival(HeroLook::Left)));
        assert_eq!(Alphabet::Classic.element('('), Some(rival(HeroLook::Right)));
        assert_eq!(
            Alphabet::Classic.element('Я'),
            Alphabet::Loderunner.element('Я')
        );
        assert_eq!(
            Alphabet::Clifford.element(')'),
            Some(Element::Monster(MonsterLook::Left))
        );
    }
}
