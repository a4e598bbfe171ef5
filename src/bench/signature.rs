//! The signature: one number for what the program computes, the same on every machine. A commit keeps it or
//! says why it changes (`benches/signature.txt` holds it).

use std::sync::Arc;

use super::Play;
use crate::levels;
use crate::sim::{Rules, State, Walk, perft};

/// The shipped levels it is computed on, with the perft depth for each.
pub const SIGNATURE_BOARDS: [(&str, u32); 5] = [
    ("tiny-8", 9),
    ("pockets-12", 8),
    ("towers-16", 8),
    ("bridges-24", 7),
    (levels::DEFAULT, 6),
];

/// Hash of node counts, of what is drawn, and of fields played on, on fixed boards.
pub fn signature() -> u64 {
    let rules = Arc::new(Rules::CLASSIC);
    let mut words = Words::default();
    for (name, depth) in SIGNATURE_BOARDS {
        // Tests hold the names to the shipped levels; a level that is not there counts as nothing.
        let Ok(level) = levels::load(name, &rules) else {
            continue;
        };
        for heroes in [1, 3] {
            let mut play = Play::new(&level, &rules, heroes);
            for _ in 0..8 {
                for _ in 0..25 {
                    play.tick();
                }
                words.add(play.state().hash());
                words.add_text(&play.state().draw(None).render(rules.alphabet));
            }
            let mut state: State = play.state().clone();
            words.add(perft(&mut state, depth, Walk::Table));
        }
    }
    words.0
}

/// FNV-1a over words and bytes: simple, and the same everywhere.
struct Words(u64);

impl Default for Words {
    fn default() -> Words {
        Words(0xcbf2_9ce4_8422_2325)
    }
}

impl Words {
    fn add(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.add_byte(byte);
        }
    }

    fn add_text(&mut self, text: &str) {
        for byte in text.bytes() {
            self.add_byte(byte);
        }
    }

    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
