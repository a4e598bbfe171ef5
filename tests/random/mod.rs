//! Random levels and play for property tests: closed border, every kind of terrain, several monsters.

use lodebot::board::{Action, Alphabet};
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{Level, Rules};
use std::sync::Arc;

/// A level text of this edge: brick, ladders, pipes, gold and at most `monsters` monsters in a stone frame.
pub fn level_text(seed: u64, edge: usize, monsters: usize) -> String {
    let mut dice = Seeded::new(seed);
    let mut left = monsters;
    let mut text = String::new();
    for row in 0..edge {
        for x in 0..edge {
            let frame = row == 0 || x == 0 || row + 1 == edge || x + 1 == edge;
            let glyph = if frame {
                '☼'
            } else {
                match dice.draw(24, Purpose::Sample) {
                    0..=6 => '#',
                    7..=9 => 'H',
                    10..=11 => '~',
                    12 => '$',
                    13 if left > 0 => {
                        left -= 1;
                        if dice.draw(2, Purpose::Sample) == 0 {
                            '«'
                        } else {
                            '»'
                        }
                    }
                    14 => '☼',
                    _ => ' ',
                }
            };
            text.push(glyph);
        }
        text.push('\n');
    }
    text
}

/// The same as a level of classic.
pub fn level(seed: u64, edge: usize, monsters: usize) -> Arc<Level> {
    let text = level_text(seed, edge, monsters);
    debug_assert!(
        text.chars()
            .all(|glyph| glyph == '\n' || Alphabet::Classic.element(glyph).is_some())
    );
    Level::parse(&text, &Rules::CLASSIC).expect("a square level")
}

/// One of the seven actions, digging more often than the others.
pub fn action(dice: &mut Seeded) -> Action {
    let pick = dice.draw(10, Purpose::Sample) as usize;
    *Action::ALL.get(pick).unwrap_or(if pick == 7 {
        &Action::DigLeft
    } else {
        &Action::DigRight
    })
}
