//! Bootstrap intervals: for small or skewed samples, and for figures that are no plain mean.

use super::quantile::quantile_of_sorted;
use crate::rng::{Dice, Purpose, Seeded};

/// Percentile interval of `statistic` over `resamples` samples drawn with replacement; the same for the
/// same seed. `None` without values or resamples. The statistic must be defined for every sample of the
/// values' number.
pub fn bootstrap_interval(
    values: &[f64],
    statistic: impl Fn(&[f64]) -> f64,
    resamples: u32,
    confidence: f64,
    seed: u64,
) -> Option<[f64; 2]> {
    let count = u32::try_from(values.len())
        .ok()
        .filter(|&count| count > 0)?;
    let mut dice = Seeded::new(seed);
    let mut sample = values.to_vec();
    let mut results: Vec<f64> = (0..resamples)
        .map(|resample| {
            // One tick a resample: each could be drawn alone.
            dice.set_tick(resample);
            for value in &mut sample {
                *value = values[dice.draw(count, Purpose::Sample) as usize];
            }
            statistic(&sample)
        })
        .collect();
    results.sort_by(f64::total_cmp);
    let tail = 0.5 - 0.5 * confidence;
    Some([
        quantile_of_sorted(&results, tail)?,
        quantile_of_sorted(&results, 1.0 - tail)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    /// Nearly normal numbers about 10 with deviation 1.
    fn sample(seed: u64, count: usize) -> Vec<f64> {
        let mut dice = Seeded::new(seed);
        let mut uniform = || f64::from(dice.draw(1 << 20, Purpose::Sample)) / 1_048_576.0;
        (0..count)
            .map(|_| (0..12).map(|_| uniform()).sum::<f64>() + 4.0)
            .collect()
    }

    #[test]
    fn agrees_with_student_where_student_is_right() {
        let values = sample(1, 400);
        let [low, high] = bootstrap_interval(&values, mean, 4_000, 0.95, 7).unwrap();
        let [student_low, student_high] = Estimate::of(&values).unwrap().interval();
        assert!((low - student_low).abs() < 0.02, "{low} {student_low}");
        assert!((high - student_high).abs() < 0.02, "{high} {student_high}");
    }

    #[test]
    fn covers_the_truth_about_as_often_as_promised() {
        let covered = (0..200)
            .filter(|&seed| {
                let values = sample(seed, 40);
                let [low, high] = bootstrap_interval(&values, mean, 300, 0.95, seed).unwrap();
                (low..=high).contains(&10.0)
            })
            .count();
        assert!((178..=199).contains(&covered), "{covered} of 200");
    }

    #[test]
    fn the_seed_decides() {
        let values = sample(3, 25);
        let interval = |seed| bootstrap_interval(&values, mean, 500, 0.9, seed);
        assert_eq!(interval(1), interval(1));
        assert_ne!(interval(1), interval(2));
    }

    #[test]
    fn nothing_to_draw_from() {
        assert_eq!(bootstrap_interval(&[], mean, 10, 0.95, 1), None);
        assert_eq!(bootstrap_interval(&[1.0], mean, 0, 0.95, 1), None);
        assert_eq!(
            bootstrap_interval(&[2.0], mean, 5, 0.95, 1),
            Some([2.0, 2.0])
        );
    }
}
