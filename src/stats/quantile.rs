//! Quantiles of samples.

/// The value below which a share `p` (0 to 1) of the values lies, interpolated between neighbours (the
/// default of most statistics programs); `None` without values. The slice need not be sorted; not-a-number sorts last.
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile_of_sorted(&sorted, p)
}

/// [`quantile`] of values in rising order.
pub fn quantile_of_sorted(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let share = place - below as f64;
    Some(sorted[below] + share * (sorted[above] - sorted[below]))
}

/// The middle value; `None` without values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_other_programs() {
        let values = [7.0, 1.0, 3.0, 10.0, 4.0];
        for (p, expected) in [(0.0, 1.0), (0.25, 3.0), (0.5, 4.0), (0.9, 8.8), (1.0, 10.0)] {
            let actual = quantile(&values, p).unwrap();
            assert!((actual - expected).abs() < 1e-12, "{p}: {actual}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(median(&[4.0]), Some(4.0));
        assert_eq!(median(&[1.0, 2.0]), Some(1.5));
    }

    proptest! {
        #[test]
        fn quantiles_rise_and_stay_within(
            values in prop::collection::vec(-1e6..1e6_f64, 1..50),
            p in 0.0..1.0_f64, q in 0.0..1.0_f64,
        ) {
            let (low, high) = (quantile(&values, p.min(q)).unwrap(), quantile(&values, p.max(q)).unwrap());
            prop_assert!(low <= high + 1e-9);
            prop_assert!(quantile(&values, 0.0).unwrap() <= low + 1e-9);
            prop_assert!(high <= quantile(&values, 1.0).unwrap() + 1e-9);
        }
    }
}
