//! `Price`: what a death costs, in golds as they pay now: every gold that is still to come pays less once the series
//! is gone (ALGORITHM section 3, streak-aware). Not how probable a death is (`rivals`, `tactics::Crash`), and not the
//! price of a certain one, which no gold pays for while anything else is left.

use crate::board::GoldKind;
use crate::params::{Params, PricingKind};
use crate::sim::Points;
use crate::track::Account;

/// Golds a tick before any income is seen, and for how many ticks that counts.
const PACE: (f64, f64) = (0.08, 50.0);

/// What a death that is only possible costs, in golds, never negative; `None` where the parameters do not ask for the
/// series (`pricing=fixed`).
///
/// `ticks` are those since the first board. A death takes from each gold to come what the series adds to it, and the penalty
/// of the rules: `(increment * series * pace * left + penalty) / next`, the means of all kinds that pay.
pub(super) fn death_price(
    points: &Points,
    own: &Account,
    ticks: u32,
    params: &Params,
) -> Option<f64> {
    if params.pricing == PricingKind::Fixed {
        return None;
    }
    let left = match params.game_ticks {
        0 => params.ticks_ahead,
        all => all.saturating_sub(ticks),
    };
    let (golds, over) = PACE;
    let pace = (f64::from(own.gold) + golds * over) / (f64::from(ticks) + over);
    let (mut next, mut added, mut kinds) = (0.0, 0.0, 0.0);
    for kind in GoldKind::ALL {
        let series = i64::from(own.series_by_kind[kind as usize]);
        let pays = points.gold_after(kind, series).max(0) as f64;
        if pays > 0.0 {
            next += pays;
            added += (pays - points.gold_after(kind, 0).max(0) as f64).max(0.0);
            kinds += 1.0;
        }
    }
    if next <= 0.0 {
        return Some(0.0);
    }
    let penalty = points.death_penalty.max(0) as f64;
    Some((added * pace * f64::from(left) + kinds * penalty) / next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Rules;

    const SERIES: Params = Params {
        pricing: PricingKind::Series,
        game_ticks: 1_000,
        ..Params::DEFAULT
    };

    fn after(golds: u32, ticks: u32, params: &Params) -> f64 {
        let own = Account {
            gold: golds,
            series: golds,
            series_by_kind: [golds, 0, 0],
            ..Account::default()
        };
        death_price(&Rules::CLASSIC.points, &own, ticks, params).expect("a price by the series")
    }

    #[test]
    fn a_death_costs_what_the_series_would_have_added_to_the_golds_to_come() {
        // 96 golds in 950 ticks and the four of the 50 before: one in ten ticks.
        let price = after(96, 950, &SERIES);
        assert!((price - 96.0 * 5.0 / 97.0).abs() < 1e-9, "{price}");
    }

    #[test]
    fn nothing_is_lost_without_a_series_or_without_ticks_to_use_it() {
        assert!(after(0, 0, &SERIES).abs() < 1e-9);
        assert!(after(50, 1_000, &SERIES).abs() < 1e-9);
        assert!(after(50, 2_000, &SERIES).abs() < 1e-9);
        assert!(after(50, 500, &SERIES) > after(50, 900, &SERIES));
        assert!(after(50, 500, &SERIES) > after(5, 500, &SERIES));
    }

    #[test]
    fn without_a_known_end_there_are_always_as_many_ticks_ahead() {
        let params = Params {
            game_ticks: 0,
            ticks_ahead: 300,
            ..SERIES
        };
        let known = Params {
            game_ticks: 700,
            ..SERIES
        };
        assert!((after(40, 400, &params) - after(40, 400, &known)).abs() < 1e-9);
        assert!(after(400, 4_000, &params) > 1.0);
    }

    #[test]
    fn the_later_dialects_count_every_kind_and_the_penalty() {
        let rules = Rules::LODERUNNER_2021_04;
        let own = Account::default();
        let penalty = rules.points.death_penalty as f64;
        let kinds: Vec<f64> = rules.points.gold.iter().map(|&gold| gold as f64).collect();
        let mean = kinds.iter().sum::<f64>() / kinds.len() as f64;
        let price = death_price(&rules.points, &own, 0, &SERIES);
        assert!(
            price.is_some_and(|price| (price - penalty / mean).abs() < 1e-9),
            "{price:?}"
        );
    }

    #[test]
    fn nothing_is_priced_where_the_parameters_do_not_ask_for_it() {
        let own = Account::default();
        let price = death_price(&Rules::CLASSIC.points, &own, 0, &Params::DEFAULT);
        assert_eq!(price, None);
    }
}
