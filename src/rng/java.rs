//! `java.util.Random`, bit for bit: a linear congruential generator of 48 bits. The original servers
//! draw from it, so a known seed replays their games.
//!
//! Also what a level or test generator needs to repeat one written in Java: ints, longs, doubles,
//! booleans and `Collections.shuffle`.

use super::{Dice, DiceMark, Purpose};

const MULTIPLIER: u64 = 0x5_deec_e66d;
const MASK: u64 = (1 << 48) - 1;

/// The generator of the Java class library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaRandom {
    /// 48 bits.
    state: u64,
}

impl JavaRandom {
    /// `new Random(seed)`.
    pub const fn new(seed: i64) -> Self {
        Self {
            state: (seed as u64 ^ MULTIPLIER) & MASK,
        }
    }

    /// The next `bits` (1..=32) high bits of the state, as Java's protected `next`.
    const fn next(&mut self, bits: u32) -> i32 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(0xb) & MASK;
        (self.state >> (48 - bits)) as i32
    }

    /// `nextInt()`.
    pub const fn next_int(&mut self) -> i32 {
        self.next(32)
    }

    /// `nextInt(bound)`: uniform in `0..bound`. Java refuses a bound below 1; here it gives 0 and draws
    /// nothing.
    pub const fn next_int_below(&mut self, bound: i32) -> i32 {
        if bound < 1 {
            return 0;
        }
        let mut bits = self.next(31);
        let last = bound - 1;
        if bound & last == 0 {
            return ((bound as i64 * bits as i64) >> 31) as i32;
        }
        loop {
            let result = bits % bound;
            // Java looks for the overflow of a signed addition: the incomplete last block is drawn again.
            if bits.wrapping_sub(result).wrapping_add(last) >= 0 {
                return result;
            }
            bits = self.next(31);
        }
    }

    /// `nextLong()`.
    pub const fn next_long(&mut self) -> i64 {
        let high = (self.next(32) as i64) << 32;
        high.wrapping_add(self.next(32) as i64)
    }

    /// `nextDouble()`: uniform in `0.0..1.0`, 53 bits.
    pub const fn next_double(&mut self) -> f64 {
        let high = (self.next(26) as i64) << 27;
        (high + self.next(27) as i64) as f64 / (1_i64 << 53) as f64
    }

    /// `nextBoolean()`.
    pub const fn next_boolean(&mut self) -> bool {
        self.next(1) != 0
    }

    /// `Collections.shuffle(list, random)`. Beyond `i32::MAX` items, which Java cannot hold, the rest
    /// stays in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let length = i32::try_from(items.len()).unwrap_or(i32::MAX);
        for left in (2..=length).rev() {
            let other = self.next_int_below(left);
            items.swap((left - 1) as usize, other as usize);
        }
    }
}

impl Dice for JavaRandom {
    /// `nextInt(bound)`; the purpose does not matter. Bounds above `i32::MAX` are unknown to Java and
    /// answered by scaling 32 bits.
    fn draw(&mut self, bound: u32, _purpose: Purpose) -> u32 {
        match i32::try_from(bound) {
            Ok(bound) => self.next_int_below(bound) as u32,
            Err(_) => ((u64::from(self.next(32) as u32) * u64::from(bound)) >> 32) as u32,
        }
    }

    fn save(&self) -> DiceMark {
        DiceMark {
            words: [self.state, 0],
        }
    }

    fn restore(&mut self, mark: &DiceMark) {
        self.state = mark.words[0] & MASK;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Vector {
        seed: i64,
        ints: [i32; 4],
        below: [i32; 4],
        long: i64,
        double: f64,
        boolean: bool,
    }

    /// From the original class (Java 17), in this order of calls on one generator.
    const VECTORS: [Vector; 4] = [
        Vector {
            seed: 0,
            ints: [-1_155_484_576, -723_955_400, 1_033_096_058, -1_690_734_402],
            below: [5, 0, 8, 761],
            long: -7_423_979_211_207_825_555,
            double: 0.333_218_399_476_649_8,
            boolean: false,
        },
        Vector {
            seed: 42,
            ints: [-1_170_105_035, 234_785_527, -1_360_544_799, 205_897_768],
            below: [0, 4, 4, 918],
            long: -6_169_532_649_852_302_182,
            double: 0.903_372_264_672_178_2,
            boolean: false,
        },
        Vector {
            seed: -1,
            ints: [1_155_099_827, 1_887_904_451, 52_699_159, -1_941_176_418],
            below: [4, 4, 6, 478],
            long: -3_206_673_117_535_979_274,
            double: 0.806_037_251_796_833_3,
            boolean: false,
        },
        Vector {
            seed: 123_456_789_012_345,
            ints: [-1_421_006_947, -2_071_311_287, -583_755_257, -1_678_701_992],
            below: [5, 0, 1, 989],
            long: -3_427_823_434_576_640_183,
            double: 0.856_206_664_685_806_8,
            boolean: true,
        },
    ];

    #[test]
    #[expect(clippy::float_cmp, reason = "bit-exact is the point")]
    fn agrees_with_the_original_class() {
        for vector in VECTORS {
            let mut random = JavaRandom::new(vector.seed);
            assert_eq!(vector.ints.map(|_| random.next_int()), vector.ints);
            let bounds = [10, 7, 16, 1000];
            assert_eq!(
                bounds.map(|bound| random.next_int_below(bound)),
                vector.below
            );
            assert_eq!(random.next_long(), vector.long);
            assert_eq!(random.next_double(), vector.double);
            assert_eq!(random.next_boolean(), vector.boolean);
        }
    }

    #[test]
    fn draws_are_next_int() {
        for vector in VECTORS {
            let mut random = JavaRandom::new(vector.seed);
            for _ in vector.ints {
                random.next_int();
            }
            let bounds = [10, 7, 16, 1000];
            let drawn = bounds.map(|bound| random.draw(bound, Purpose::PlaceX) as i32);
            assert_eq!(drawn, vector.below);
        }
    }

    #[test]
    fn shuffles_as_the_original_collections() {
        let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
        JavaRandom::new(42).shuffle(&mut items);
        assert_eq!(items, [2, 6, 3, 1, 4, 0, 7, 5]);
    }

    #[test]
    fn large_bounds_stay_in_range() {
        let mut random = JavaRandom::new(5);
        for bound in [1 << 30, (1 << 30) + 1, i32::MAX as u32, 1 << 31, u32::MAX] {
            for _ in 0..100 {
                assert!(random.draw(bound, Purpose::Sample) < bound);
            }
        }
    }
}
