//! Our own stream: every number is a pure function of seed, tick, purpose and a count, so any tick of
//! a game can be recomputed alone, and one more draw for a new gold leaves a monster's choice as it was.
//!
//! The values are part of the file formats (a seed names a game): they never change.

use super::{Dice, DiceMark, Purpose};

/// The odd constant of the `SplitMix64` sequence, 2^64 / golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The `SplitMix64` finaliser: a bijection that spreads every bit of `z`.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seed of part number `index` (a game of a match, a resample) of something seeded with `seed`.
pub const fn derive_seed(seed: u64, index: u64) -> u64 {
    mix(mix(seed ^ STEP).wrapping_add(STEP.wrapping_mul(index)))
}

/// The counter-based stream of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeded {
    seed: u64,
    /// `derive_seed(seed, tick)`, kept because most draws share their tick.
    base: u64,
    tick: u32,
    /// Draws made in this tick: for cells, for targets, for the rest.
    counts: [u32; 3],
}

impl Seeded {
    /// The stream of `seed`, at tick 0.
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            base: derive_seed(seed, 0),
            tick: 0,
            counts: [0; 3],
        }
    }

    /// Starts the draws of a tick. Naming the present tick again continues it, so draws outside the
    /// tick proper (a player joins) do not come twice.
    pub const fn set_tick(&mut self, tick: u32) {
        if tick != self.tick {
            self.tick = tick;
            self.base = derive_seed(self.seed, tick as u64);
            self.counts = [0; 3];
        }
    }

    /// The tick whose numbers are drawn.
    pub const fn tick(&self) -> u32 {
        self.tick
    }

    /// The seed of the whole stream.
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

/// Index of the purpose's counter, and a number of 32 bits that no other purpose has.
const fn stream(purpose: Purpose) -> (usize, u32) {
    match purpose {
        Purpose::PlaceX => (0, 0),
        Purpose::PlaceY => (0, 1),
        Purpose::Target { monster } => (1, 0x1_0000 | monster as u32),
        Purpose::Level => (2, 2),
        Purpose::Sample => (2, 3),
    }
}

impl Dice for Seeded {
    #[inline]
    fn draw(&mut self, bound: u32, purpose: Purpose) -> u32 {
        let (counter, code) = stream(purpose);
        loop {
            let count = self.counts[counter];
            self.counts[counter] = count.wrapping_add(1);
            let position = (u64::from(code) << 32) | u64::from(count);
            let bits = mix(self.base.wrapping_add(STEP.wrapping_mul(position))) >> 32;
            // Multiply and shift; the few low products that would make some results likelier by one
            // in 2^32 are drawn again.
            let product = bits * u64::from(bound);
            let low = product as u32;
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 32) as u32;
            }
        }
    }

    fn save(&self) -> DiceMark {
        let [places, targets, others] = self.counts.map(u64::from);
        DiceMark {
            words: [
                (u64::from(self.tick) << 32) | places,
                (targets << 32) | others,
            ],
        }
    }

    fn restore(&mut self, mark: &DiceMark) {
        let [first, second] = mark.words;
        self.set_tick((first >> 32) as u32);
        self.counts = [first as u32, (second >> 32) as u32, second as u32];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_change() {
        let mut dice = Seeded::new(42);
        let mut rolled = vec![];
        for tick in [0, 1, 1000] {
            dice.set_tick(tick);
            rolled.push(dice.draw(58, Purpose::PlaceX));
            rolled.push(dice.draw(58, Purpose::PlaceY));
            rolled.push(dice.draw(4, Purpose::Target { monster: 3 }));
            rolled.push(dice.draw(u32::MAX, Purpose::Level));
            rolled.push(dice.draw(1_000_000, Purpose::Sample));
        }
        // Computed by an independent program from the description above.
        assert_eq!(rolled, EXPECTED);
    }

    const EXPECTED: [u32; 15] = [
        24,
        40,
        2,
        3_739_039_471,
        147_675,
        48,
        26,
        0,
        2_749_373_357,
        890_476,
        19,
        42,
        0,
        1_431_187_045,
        215_908,
    ];

    #[test]
    fn a_tick_can_be_recomputed_alone() {
        let mut whole = Seeded::new(7);
        for tick in 0..50 {
            whole.set_tick(tick);
            let mut alone = Seeded::new(7);
            alone.set_tick(tick);
            for _ in 0..tick % 5 {
                assert_eq!(
                    whole.draw(100, Purpose::PlaceX),
                    alone.draw(100, Purpose::PlaceX)
                );
            }
        }
    }

    #[test]
    fn naming_the_same_tick_again_continues_it() {
        let (mut plain, mut renamed) = (Seeded::new(7), Seeded::new(7));
        plain.set_tick(3);
        renamed.set_tick(3);
        assert_eq!(
            plain.draw(1000, Purpose::PlaceX),
            renamed.draw(1000, Purpose::PlaceX)
        );
        renamed.set_tick(3);
        assert_eq!(
            plain.draw(1000, Purpose::PlaceX),
            renamed.draw(1000, Purpose::PlaceX)
        );
    }

    #[test]
    fn purposes_do_not_disturb_each_other() {
        let (mut few, mut many) = (Seeded::new(9), Seeded::new(9));
        for _ in 0..10 {
            many.draw(58, Purpose::PlaceX);
            many.draw(58, Purpose::PlaceY);
        }
        let purpose = Purpose::Target { monster: 2 };
        assert_eq!(few.draw(1 << 20, purpose), many.draw(1 << 20, purpose));
    }

    #[test]
    fn restoring_goes_back_over_ticks() {
        let mut dice = Seeded::new(11);
        dice.set_tick(5);
        dice.draw(10, Purpose::PlaceX);
        let before = dice.clone();
        let mark = dice.save();
        dice.set_tick(6);
        dice.draw(10, Purpose::Target { monster: 1 });
        dice.restore(&mark);
        assert_eq!(dice, before);
    }

    /// Pearson's statistic of `counts` against equal expectations.
    fn chi_square(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        counts
            .iter()
            .map(|&count| (f64::from(count) - expected).powi(2) / expected)
            .sum()
    }

    #[test]
    fn numbers_are_uniform_over_counts_ticks_and_seeds() {
        // 29 bins, 28 degrees of freedom: 56.9 is exceeded by chance once in a thousand.
        let mut by_count = [0; 29];
        let mut by_tick = [0; 29];
        let mut by_seed = [0; 29];
        let mut dice = Seeded::new(1);
        for _ in 0..29_000 {
            by_count[dice.draw(29, Purpose::PlaceX) as usize] += 1;
        }
        for i in 0..29_000 {
            dice.set_tick(i + 1);
            by_tick[dice.draw(29, Purpose::PlaceX) as usize] += 1;
            by_seed[Seeded::new(u64::from(i)).draw(29, Purpose::PlaceX) as usize] += 1;
        }
        for counts in [by_count, by_tick, by_seed] {
            assert!(chi_square(&counts) < 56.9, "{counts:?}");
        }
    }

    #[test]
    fn neighbouring_draws_are_independent() {
        // 8 x 8 pairs, 63 degrees of freedom: 103.4 is exceeded once in a thousand.
        let mut pairs = [0; 64];
        let mut monsters = [0; 64];
        let mut dice = Seeded::new(3);
        for tick in 1..20_000 {
            dice.set_tick(tick);
            let (x, y) = (dice.draw(8, Purpose::PlaceX), dice.draw(8, Purpose::PlaceY));
            pairs[(x * 8 + y) as usize] += 1;
            let first = dice.draw(8, Purpose::Target { monster: 0 });
            let second = dice.draw(8, Purpose::Target { monster: 1 });
            monsters[(first * 8 + second) as usize] += 1;
        }
        assert!(chi_square(&pairs) < 103.4, "{pairs:?}");
        assert!(chi_square(&monsters) < 103.4, "{monsters:?}");
    }
}
