//! `Gear`: what a hero of clifford carries, kept beside `Hero` so that heroes stay small. Classic and the
//! 2021 dialects use none of it but the depth of a fall.

use super::Rules;

/// What belongs to one hero object beside its body.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gear {
    /// Clues taken so far, by kind.
    pub clues: [u16; 3],
    /// Keys held, by metal.
    pub keys: [u16; 3],
    /// Shots left; meaningless with unlimited ammo.
    pub ammo: u16,
    /// Ticks until the gun is ready.
    pub rest: u16,
    /// Rows it has fallen below the board (2021 only, on levels without a floor).
    pub depth: u16,
    /// Its player's team.
    pub team: u8,
}

impl Gear {
    /// What a new hero has.
    pub fn new(rules: &Rules, team: u8) -> Gear {
        Gear {
            ammo: rules.gun.clip as u16,
            team,
            ..Gear::default()
        }
    }

    /// Two words that are different for different gear; for hashing.
    pub(super) const fn bits(self) -> [u64; 2] {
        let [knives, gloves, rings] = self.clues;
        let [gold, silver, bronze] = self.keys;
        [
            knives as u64 | (gloves as u64) << 16 | (rings as u64) << 32 | (self.ammo as u64) << 48,
            gold as u64
                | (silver as u64) << 10
                | (bronze as u64) << 20
                | (self.rest as u64) << 30
                | (self.depth as u64) << 44
                | (self.team as u64) << 58,
        ]
    }
}
