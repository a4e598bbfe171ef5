//! The normal and Student distributions, and the binomial tail: what intervals and tests need.
//!
//! Accurate to about 1e-12; written out here because a statistics crate would triple the tree.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Iterations after which a series or continued fraction is taken as it is. They converge in a few
/// dozen steps for everything but degrees of freedom in the millions.
const ITERATIONS: u32 = 10_000;

/// Standard normal distribution function: the probability of a value below `x`.
pub fn normal_cdf(x: f64) -> f64 {
    if x == 0.0 {
        return 0.5;
    }
    let z = x.abs() * FRAC_1_SQRT_2;
    let upper_tail = if z < 2.0 {
        0.5 - 0.5 * error_function(z)
    } else {
        0.5 * upper_error(z)
    };
    if x < 0.0 {
        upper_tail
    } else {
        1.0 - upper_tail
    }
}

/// Standard normal quantile: the value below which a share `p` lies. Infinite at 0 and 1, not a number
/// outside.
pub fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    if p == 0.0 {
        return f64::NEG_INFINITY;
    }
    // In the lower tail the distribution function keeps its relative accuracy, so Newton's method on
    // its logarithm converges from any start below the centre.
    let mut x = -(-2.0 * p.ln()).sqrt() * 0.9;
    for _ in 0..100 {
        let below = normal_cdf(x);
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        let step = (below.ln() - p.ln()) * below / density;
        x = (x - step).min(0.0);
        if step.abs() < 1e-14 * (1.0 + x.abs()) {
            break;
        }
    }
    x
}

/// Student's distribution function with `degrees` of freedom (above 0).
pub fn student_cdf(t: f64, degrees: f64) -> f64 {
    let tail = student_tail(t.abs(), degrees);
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// Probability of a value above `t >= 0`.
fn student_tail(t: f64, degrees: f64) -> f64 {
    if t == f64::INFINITY {
        return 0.0;
    }
    let square = t * t;
    let sum = degrees + square;
    0.5 * incomplete_beta(0.5 * degrees, 0.5, degrees / sum, square / sum)
}

/// Student's quantile with `degrees` of freedom: the value below which a share `p` lies. Infinite at 0
/// and 1; not a number outside, or if `degrees` is not above 0.
pub fn student_quantile(p: f64, degrees: f64) -> f64 {
    if p.is_nan() || degrees.is_nan() || !(0.0..=1.0).contains(&p) || degrees <= 0.0 {
        return f64::NAN;
    }
    if p < 0.5 {
        return -student_quantile(1.0 - p, degrees);
    }
    if p >= 1.0 {
        return f64::INFINITY;
    }
    if degrees > 1e7 {
        // The next term of the expansion is below the accuracy promised.
        let z = normal_quantile(p);
        return z + (z * z * z + z) / (4.0 * degrees);
    }
    let tail = 1.0 - p;
    let (mut low, mut high) = (0.0, 1.0);
    while student_tail(high, degrees) > tail {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if student_tail(middle, degrees) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Probability of at most `successes` out of `trials` fair coins.
pub fn fair_coin_cdf(successes: u64, trials: u64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    incomplete_beta(
        (trials - successes) as f64,
        successes as f64 + 1.0,
        0.5,
        0.5,
    )
}

/// The error function of `z >= 0` by its series without cancellation; for small `z`.
fn error_function(z: f64) -> f64 {
    let mut term = z;
    let mut sum = z;
    for n in 1..ITERATIONS {
        term *= 2.0 * z * z / f64::from(2 * n + 1);
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    2.0 / PI.sqrt() * (-z * z).exp() * sum
}

/// One minus the error function of `z >= 2`, by its continued fraction, evaluated from below.
fn upper_error(z: f64) -> f64 {
    let mut fraction = z;
    for n in (1..=100).rev() {
        fraction = z + 0.5 * f64::from(n) / fraction;
    }
    (-z * z).exp() / (PI.sqrt() * fraction)
}

/// The regularised incomplete beta function at `x`, with `rest` = 1 - x: the caller may know the small
/// one of the two better than a subtraction would tell.
fn incomplete_beta(a: f64, b: f64, x: f64, rest: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    // The fraction converges fast on one side of the mean; the other side follows by symmetry.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, rest, x);
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * rest.ln();
    front.exp() / (a * beta_fraction(a, b, x))
}

/// Denominator of the continued fraction of the incomplete beta function (modified Lentz method).
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let keep = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut value, mut upper, mut lower) = (1.0, 1.0, 0.0);
    for n in 1..ITERATIONS {
        let m = f64::from(n / 2);
        let coefficient = if n % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        lower = 1.0 / keep(1.0 + coefficient * lower);
        upper = keep(1.0 + coefficient / upper);
        let change = upper * lower;
        value *= change;
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// Logarithm of the gamma function for `x > 0`: Stirling's series, after shifting small arguments up.
fn ln_gamma(x: f64) -> f64 {
    let mut shifted = x;
    let mut product = 1.0;
    while shifted < 15.0 {
        product *= shifted;
        shifted += 1.0;
    }
    let inverse = 1.0 / shifted;
    let square = inverse * inverse;
    let series = inverse
        * (1.0 / 12.0
            - square
                * (1.0 / 360.0
                    - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))));
    (shifted - 0.5) * shifted.ln() - shifted + 0.5 * (2.0 * PI).ln() + series - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_near(actual: f64, expected: f64, relative: f64) {
        assert!(
            (actual - expected).abs() <= relative * expected.abs().max(1e-300),
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn normal_distribution_as_in_tables() {
        for (x, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_05),
            (2.0, 0.977_249_868_051_820_8),
            (-3.0, 1.349_898_031_630_094_6e-3),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_527e-24),
        ] {
            assert_near(normal_cdf(x), below, 1e-12);
        }
        for (p, x) in [
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_901),
            (0.9, 1.281_551_565_544_600_4),
            (0.6, 0.253_347_103_135_799_8),
            (0.025, -1.959_963_984_540_054),
            (1e-10, -6.361_340_902_404_056),
        ] {
            assert_near(normal_quantile(p), x, 1e-12);
        }
        assert!(normal_quantile(0.5).abs() < 1e-15);
        let ends = [normal_quantile(0.0), normal_quantile(1.0)];
        assert_eq!(format!("{ends:?}"), "[-inf, inf]");
        assert!(normal_quantile(1.5).is_nan() && normal_quantile(f64::NAN).is_nan());
    }

    #[test]
    fn student_quantiles_as_in_tables() {
        for (p, degrees, t) in [
            (0.975, 1.0, 12.706_204_736_432_1),
            (0.975, 2.0, 4.302_652_729_911_27),
            (0.975, 5.0, 2.570_581_835_636_31),
            (0.975, 10.0, 2.228_138_851_964_94),
            (0.975, 30.0, 2.042_272_456_301_24),
            (0.975, 120.0, 1.979_930_405_052_77),
            (0.95, 10.0, 1.812_461_122_811_68),
            (0.995, 5.0, 4.032_142_983_557_54),
            (0.9995, 3.0, 12.923_978_636_687_9),
            (0.025, 10.0, -2.228_138_851_964_94),
        ] {
            assert_near(student_quantile(p, degrees), t, 1e-10);
        }
        // Beyond any table it is the normal distribution, and the two branches meet.
        assert_near(student_quantile(0.975, 1e9), normal_quantile(0.975), 1e-8);
        assert_near(
            student_quantile(0.975, 0.99e7),
            student_quantile(0.975, 1.01e7),
            1e-8,
        );
        assert!(student_quantile(0.975, 0.0).is_nan() && student_quantile(2.0, 5.0).is_nan());
        assert!(student_quantile(1.0, 5.0).is_infinite());
    }

    #[test]
    fn fair_coins_as_counted() {
        // 21 700 of the 2^20 rows of twenty coins have at most five heads.
        assert_near(fair_coin_cdf(5, 20), 21_700.0 / 1_048_576.0, 1e-12);
        assert_near(fair_coin_cdf(0, 10), 1.0 / 1024.0, 1e-12);
        assert_near(fair_coin_cdf(10, 10), 1.0, 0.0);
        assert_near(fair_coin_cdf(0, 0), 1.0, 0.0);
    }

    proptest! {
        #[test]
        fn normal_quantile_inverts_the_distribution(x in -8.0..8.0_f64) {
            // Near 1 a probability itself has few digits left.
            let allowed = if x < 1.0 { 1e-11 } else { 1e-14 / (-0.5 * x * x).exp() };
            prop_assert!((normal_quantile(normal_cdf(x)) - x).abs() < allowed.max(1e-11));
        }

        #[test]
        fn student_agrees_with_closed_forms(t in -50.0..50.0_f64) {
            let one = 0.5 + t.atan() / PI;
            let two = 0.5 + 0.5 * t / (2.0 + t * t).sqrt();
            prop_assert!((student_cdf(t, 1.0) - one).abs() < 1e-13);
            prop_assert!((student_cdf(t, 2.0) - two).abs() < 1e-13);
        }

        #[test]
        fn student_quantile_inverts_the_distribution(
            p in 0.001..0.999_f64,
            degrees in 1_u32..2_000,
        ) {
            let degrees = f64::from(degrees);
            prop_assert!((student_cdf(student_quantile(p, degrees), degrees) - p).abs() < 1e-11);
        }

        #[test]
        fn student_approaches_normal(p in 0.01..0.99_f64) {
            let gap = student_quantile(p, 1e6) - normal_quantile(p);
            prop_assert!(gap.abs() < 1e-5);
        }
    }
}
