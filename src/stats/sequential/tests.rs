//! Sequential tests against published figures, hand calculation and simulation.

use super::*;
use crate::rng::{Dice, Purpose, Seeded};
use proptest::prelude::*;

/// One Elo of a normalised scale, as an effect of a single game.
const NORMALISED: f64 = 0.002_878_231_366_242_557;

fn assert_near(actual: f64, expected: f64, allowed: f64) {
    assert!(
        (actual - expected).abs() <= allowed,
        "{actual} is not {expected}"
    );
}

fn outcomes(wins: u64, losses: u64, ties: u64) -> Outcomes {
    Outcomes { wins, ties, losses }
}

/// Game pairs from two losses to two wins: 0 to 1 in quarters.
fn pairs(counts: [u32; 5]) -> Vec<Bin> {
    let values = [0.0, 0.25, 0.5, 0.75, 1.0];
    values
        .into_iter()
        .zip(counts)
        .map(|(value, n)| Bin {
            value,
            count: n.into(),
        })
        .collect()
}

/// Counts and figures of fastchess's test of its sequential test.
#[test]
fn agrees_with_published_match_results() {
    assert_near(NORMALISED, 10_f64.ln() / 800.0, 1e-15);
    let effect = |outcomes, elos: [f64; 2]| {
        binned_effect_ratio(
            &outcome_bins(&outcomes),
            0.5,
            elos.map(|elo| elo * NORMALISED),
        )
    };
    assert_near(
        effect(outcomes(36_433, 36_027, 68_692), [0.0, 2.0]),
        0.92,
        0.01,
    );
    assert_near(
        effect(outcomes(10_871, 10_650, 20_431), [-1.75, 0.25]),
        2.30,
        0.01,
    );
    assert_near(
        elo_ratio(&outcomes(21_404, 21_184, 40_708), [0.5, 2.5]),
        -1.57,
        0.01,
    );
    assert_near(
        elo_ratio(&outcomes(57_433, 57_030, 106_593), [0.0, 2.0]),
        -2.59,
        0.01,
    );

    // Pairs of games: the effect of a pair is that of a game times the root of two.
    let effect = |counts, elos: [f64; 2]| {
        let effects = elos.map(|elo| elo * NORMALISED * 2_f64.sqrt());
        binned_effect_ratio(&pairs(counts), 0.5, effects)
    };
    assert_near(
        effect([365, 16_618, 36_229, 16_974, 390], [0.0, 2.0]),
        2.25,
        0.01,
    );
    assert_near(
        effect([127, 4_883, 10_712, 5_150, 104], [-1.75, 0.25]),
        3.01,
        0.01,
    );
    let elo = |counts, elos: [f64; 2]| mean_ratio(&pairs(counts), elos.map(score_of_elo));
    assert_near(
        elo([223, 9_863, 21_279, 10_037, 246], [0.5, 2.5]),
        -3.07,
        0.01,
    );
    assert_near(
        elo([871, 26_175, 55_983, 26_678, 821], [0.0, 2.0]),
        -4.98,
        0.01,
    );
}

#[test]
fn bounds_are_walds() {
    let boundaries = Boundaries::new(0.05, 0.05).unwrap();
    let [lower, upper] = boundaries.bounds();
    assert_near(lower, -2.944_438_979_166_44, 1e-12);
    assert_near(upper, 2.944_438_979_166_44, 1e-12);
    assert_eq!(boundaries.verdict(3.0), Verdict::Alternative);
    assert_eq!(boundaries.verdict(-3.0), Verdict::Null);
    assert_eq!(boundaries.verdict(0.0), Verdict::Continue);
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.0), (0.5, 0.5), (f64::NAN, 0.1)] {
        assert!(Boundaries::new(alpha, beta).is_err());
    }
    let error = Boundaries::new(0.0, 0.05).unwrap_err().to_string();
    assert_eq!(
        error,
        "error rates 0 and 0.05: both must be above 0 and their sum below 1"
    );
}

#[test]
fn equal_players_end_as_equal() {
    // Nothing but zeros: the alternative loses half its squared effect per unit.
    assert_near(effect_ratio(&[0.0; 800], [0.0, 0.1]), -4.0, 1e-12);
    // and the limit is continuous
    let mut nearly = [0.0; 800];
    nearly[0] = 1e-6;
    nearly[1] = -1e-6;
    assert_near(effect_ratio(&nearly, [0.0, 0.1]), -4.0, 1e-9);
    assert_near(effect_ratio(&[], [0.0, 0.1]), 0.0, 0.0);
}

/// The maximum over the deviation, found by trying all of them.
#[test]
fn the_closed_form_is_the_maximum() {
    let differences = [3.0, -1.0, 4.0, 1.5, -2.0, 6.0];
    let best = |effect: f64| {
        (1..20_000)
            .map(|i| f64::from(i) * 0.001)
            .map(|deviation| {
                let errors: f64 = differences
                    .iter()
                    .map(|d| (d / deviation - effect).powi(2))
                    .sum();
                -0.5 * errors - 6.0 * deviation.ln()
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };
    for effects in [[0.0, 0.5], [-0.3, 0.2], [0.4, 0.8]] {
        let expected = best(effects[1]) - best(effects[0]);
        assert_near(effect_ratio(&differences, effects), expected, 1e-5);
    }
}

#[test]
fn impossible_means_say_nothing() {
    let bins = pairs([10, 10, 10, 10, 10]);
    assert_near(mean_ratio(&bins, [0.5, 1.0]), 0.0, 0.0);
    assert_near(mean_ratio(&[], [0.4, 0.6]), 0.0, 0.0);
    assert_near(binned_effect_ratio(&bins, 2.0, [0.0, 0.1]), 0.0, 0.0);
}

#[test]
fn one_sided_outcomes_go_the_right_way() {
    assert!(elo_ratio(&outcomes(50, 0, 0), [0.0, 50.0]) > 3.0);
    assert!(elo_ratio(&outcomes(0, 50, 0), [0.0, 50.0]) < -3.0);
    assert!(effect_ratio(&[5.0; 50], [0.0, 0.3]) > 3.0);
}

/// How often each side is accepted in 400 simulated tests at a true effect.
fn simulate(effect: f64, seed: u64) -> (u32, u32) {
    let boundaries = Boundaries::new(0.05, 0.05).unwrap();
    let (mut null, mut alternative) = (0, 0);
    for run in 0..400 {
        let mut dice = Seeded::new(seed);
        dice.set_tick(run);
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        loop {
            // The sum of twelve uniform numbers: nearly normal, deviation 1.
            let uniform =
                |dice: &mut Seeded| f64::from(dice.draw(1 << 20, Purpose::Sample)) / 1_048_576.0;
            let value: f64 = (0..12).map(|_| uniform(&mut dice)).sum::<f64>() - 6.0 + effect;
            count += 1.0;
            sum += value;
            squares += value * value;
            match boundaries.verdict(effect_ratio_of_sums(count, sum, squares, [0.0, 0.3])) {
                Verdict::Continue => {}
                Verdict::Null => break null += 1,
                Verdict::Alternative => break alternative += 1,
            }
        }
    }
    (null, alternative)
}

#[test]
fn error_rates_are_kept() {
    let (null, alternative) = simulate(0.0, 1);
    assert!(
        null + alternative == 400 && alternative <= 30,
        "{alternative} false alarms"
    );
    let (null, alternative) = simulate(0.3, 2);
    assert!(null + alternative == 400 && null <= 30, "{null} misses");
}

proptest! {
    #[test]
    fn small_effects_agree_with_the_approximation(
        values in prop::collection::vec(-10.0..10.0_f64, 200..400),
    ) {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
        let effects = [0.0, 0.05];
        let exact = effect_ratio(&values, effects);
        let approximate = effect_ratio_approximate(count, mean / variance.sqrt(), effects);
        prop_assert!((exact - approximate).abs() < 0.05 + 0.05 * exact.abs(), "{exact} {approximate}");
    }

    #[test]
    fn exchanging_the_hypotheses_changes_the_sign(
        wins in 1_u64..300, losses in 1_u64..300, ties in 0_u64..300,
        first in -50.0..50.0_f64, second in -50.0..50.0_f64,
    ) {
        let outcomes = outcomes(wins, losses, ties);
        let there = elo_ratio(&outcomes, [first, second]);
        let back = elo_ratio(&outcomes, [second, first]);
        prop_assert!((there + back).abs() < 1e-6);
    }
}
