//! `Quarry`: what a hunt finds, and the memory of a level's hunts (`Found`): a search over states asks for the same few
//! again and again. Nothing here knows how they are found: that is `Hunt`.

use super::{Chase, HeroId, State};
use crate::board::{Cell, Dir};
use arrayvec::ArrayVec;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// Heroes whom a monster may hunt, with their cells, in list order.
pub(super) type Prey = ArrayVec<(HeroId, Cell), { State::HEROES_MAX }>;

/// What a hunt found: the first step, and the prey at which the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Quarry {
    pub step: Option<Dir>,
    pub reached: Option<Cell>,
}

/// A hunt as it is remembered. What it finds depends on the terrain, the monster's cell and the cells of its prey only.
#[derive(Clone, Copy, Debug)]
pub(super) enum Question {
    /// One prey: its cell, and the place of the answer among those of all pairs of passable cells.
    Pair {
        place: usize,
        pairs: usize,
        prey: Cell,
    },
    /// Any: the monster's cell and those of its prey, in list order, in two words.
    Any([u64; 2]),
}

impl Question {
    /// Nothing if there are too many prey to be told apart in two words.
    pub(super) fn new(chase: &Chase, from: Cell, prey: &[(HeroId, Cell)]) -> Option<Question> {
        if let [(_, prey)] = *prey
            && let (Some(here), Some(there)) = (chase.number(from), chase.number(prey))
        {
            let cells = chase.passable().len();
            let (place, pairs) = (here * cells + there, cells * cells);
            if pairs <= Found::PAIRS_MAX {
                return Some(Question::Pair { place, pairs, prey });
            }
        }
        if prey.len() > 7 {
            return None;
        }
        let cells = prey.iter().map(|&(_, cell)| cell.index() as u128);
        let word = cells.fold(from.index() as u128, |word, cell| word << 16 | cell);
        Some(Question::Any([word as u64, (word >> 64) as u64]))
    }
}

/// Hunts of a level that were searched before, shared by all its games. Whoever asks first writes; every writer writes
/// the same.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// One prey: a byte for each pair of cells.
    pairs: OnceLock<Box<[AtomicU8]>>,
    /// Several: a table in which later answers take the places of earlier ones.
    slots: OnceLock<Box<[[AtomicU64; 3]]>>,
}

impl Found {
    /// At most so many bytes for pairs.
    const PAIRS_MAX: usize = 32 << 20;
    /// In the byte of a pair, above the bits of the step: it is written.
    const PAIR_WRITTEN: u8 = 1 << 7;
    /// In the same byte: the prey was reached.
    const PAIR_REACHED: u8 = 1 << 6;
    /// 32 768 hunts, three quarters of a megabyte a level.
    const BITS: u32 = 15;
    /// In the answer's word, above the cell that was reached and the step: it is written.
    const WRITTEN: u64 = 1 << 63;
    /// In place of a direction's number: no step.
    const NO_STEP: u8 = 4;
    const STEP_BITS: u8 = 7;

    /// What is known of a hunt.
    pub(super) fn get(&self, question: Question) -> Option<Quarry> {
        match question {
            Question::Pair { place, prey, .. } => {
                let byte = self.pairs.get()?.get(place)?.load(Ordering::Relaxed);
                (byte & Found::PAIR_WRITTEN != 0).then(|| Quarry {
                    step: step_of(byte),
                    reached: (byte & Found::PAIR_REACHED != 0).then_some(prey),
                })
            }
            Question::Any(words) => self.slot(words),
        }
    }

    /// Remembers what a hunt has found.
    pub(super) fn put(&self, question: Question, quarry: Quarry) {
        let step = quarry.step.map_or(Found::NO_STEP, |dir| dir as u8);
        match question {
            Question::Pair { place, pairs, .. } => {
                let pairs = self
                    .pairs
                    .get_or_init(|| (0..pairs).map(|_| AtomicU8::new(0)).collect());
                let reached = quarry.reached.map_or(0, |_| Found::PAIR_REACHED);
                if let Some(byte) = pairs.get(place) {
                    byte.store(Found::PAIR_WRITTEN | reached | step, Ordering::Relaxed);
                }
            }
            Question::Any(words) => {
                let reached = quarry.reached.map_or(0, |cell| cell.index() as u64);
                let word = Found::WRITTEN | u64::from(step) << 16 | reached;
                self.fill_slot(words, word);
            }
        }
    }

    /// The slot holds the question xor the mixed answer beside the answer, so that two halves of different
    /// writers do not fit.
    fn slot(&self, [low, high]: [u64; 2]) -> Option<Quarry> {
        let [first, second, answer] = self.slots.get()?.get(place([low, high]))?;
        let answer = answer.load(Ordering::Relaxed);
        if answer & Found::WRITTEN == 0
            || first.load(Ordering::Relaxed) ^ mixed(answer) != low
            || second.load(Ordering::Relaxed) ^ mixed(!answer) != high
        {
            return None;
        }
        let reached = (answer & 0xFFFF) as u16;
        Some(Quarry {
            step: step_of((answer >> 16) as u8),
            reached: (reached != 0).then(|| Cell::from_index(reached)),
        })
    }

    fn fill_slot(&self, [low, high]: [u64; 2], word: u64) {
        let slots = self.slots.get_or_init(|| {
            let empty = || [const { AtomicU64::new(0) }; 3];
            (0..1 << Found::BITS).map(|_| empty()).collect()
        });
        if let Some([first, second, answer]) = slots.get(place([low, high])) {
            answer.store(word, Ordering::Relaxed);
            first.store(low ^ mixed(word), Ordering::Relaxed);
            second.store(high ^ mixed(!word), Ordering::Relaxed);
        }
    }
}

fn step_of(bits: u8) -> Option<Dir> {
    Dir::ALL.get((bits & Found::STEP_BITS) as usize).copied()
}

/// Where the slot of a question is.
fn place([low, high]: [u64; 2]) -> usize {
    let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - Found::BITS)) as usize
}

/// The mixed bits of an answer.
const fn mixed(answer: u64) -> u64 {
    let word = (answer ^ answer >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Level, Rules};

    #[test]
    fn what_was_remembered_is_what_is_told_and_nothing_else_is() {
        let level = Level::parse("    \n $# \n    \n☼☼☼☼", &Rules::CLASSIC).expect("a level");
        let (found, chase) = (Found::default(), level.chase());
        let cells: Vec<Cell> = level.size().cells().collect();
        let mut asked = Vec::new();
        for (number, &from) in cells.iter().enumerate() {
            for &to in &cells {
                // One prey, in brick cells too, and two.
                for prey in [&[to][..], &[to, from]] {
                    let heroes = prey.iter().enumerate();
                    let prey: Prey = heroes
                        .map(|(id, &cell)| (HeroId(id as u16), cell))
                        .collect();
                    let question = Question::new(chase, from, &prey).expect("few prey");
                    if let Question::Pair { .. } = question {
                        assert_eq!(found.get(question), None);
                    }
                    let quarry = Quarry {
                        step: Dir::ALL.get(number % 5).copied(),
                        reached: (number % 2 == 0).then_some(to),
                    };
                    found.put(question, quarry);
                    assert_eq!(found.get(question), Some(quarry));
                    asked.push((question, quarry));
                }
            }
        }
        for (question, quarry) in asked {
            let known = found.get(question);
            // A slot may have been taken by another question; a pair has its own.
            let own = matches!(question, Question::Pair { .. });
            assert!(known == Some(quarry) || !own && known.is_none());
        }
    }

    #[test]
    fn more_prey_than_two_words_hold_are_not_asked_about() {
        let level = Level::parse("  \n☼☼", &Rules::CLASSIC).expect("a level");
        let cell = level.size().cell(0, 0);
        let prey: Prey = (0..8).map(|id| (HeroId(id), cell)).collect();
        assert!(Question::new(level.chase(), cell, &prey).is_none());
        assert!(Question::new(level.chase(), cell, &prey[..7]).is_some());
    }
}
