//! The signature: two numbers for what the program computes, the same on every machine: what the simulator does
//! and what the bot decides. A commit keeps them or says why they change (`benches/signature.txt` holds them).

use std::sync::Arc;

use super::{Play, SelfPlay};
use crate::levels;
use crate::params::Params;
use crate::sim::{Rules, State, Walk, perft};

/// The shipped levels it is computed on, with the perft depth for each.
pub const SIGNATURE_BOARDS: [(&str, u32); 5] = [
    ("tiny-8", 9),
    ("pockets-12", 8),
    ("towers-16", 8),
    ("bridges-24", 7),
    (levels::DEFAULT, 6),
];

/// Decisions on each board; few, and none on the largest, since debug builds check themselves at every step.
const DECISIONS: usize = 8;

/// Hash of node counts and of what is drawn on fixed boards, a hyphen, and hash of decisions there, each with
/// the number of positions it took.
pub fn signature() -> String {
    let rules = Arc::new(Rules::CLASSIC);
    let (mut simulated, mut decided) = (Words::default(), Words::default());
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
                simulated.add_text(&play.state().draw(None).render(rules.alphabet));
            }
            let mut state: State = play.state().clone();
            simulated.add(perft(&mut state, depth, Walk::Table));
        }
        if name == levels::DEFAULT {
            continue;
        }
        let mut play = SelfPlay::new(&level, &rules, Params::default());
        for _ in 0..DECISIONS {
            let decision = play.tick();
            decided.add_text(decision.answer.wire());
            decided.add(decision.search.map_or(0, |search| search.states as u64));
        }
    }
    format!("{:016x}-{:016x}", simulated.0, decided.0)
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
        self.add_byte(0xff);
    }

    fn add_byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
