//! Statistics of matches: pure functions of numbers and counts.
//!
//! Means and paired differences with Student intervals, rates, Elo, sequential tests, bootstrap,
//! quantiles, latency histograms. Knows nothing of games, threads or files: who plays what, and when to
//! look, is the arena's affair.

mod bootstrap;
mod distribution;
mod estimate;
mod histogram;
mod outcomes;
mod quantile;
mod sequential;

pub use bootstrap::bootstrap_interval;
pub use distribution::{fair_coin_cdf, normal_cdf, normal_quantile, student_cdf, student_quantile};
pub use estimate::{CONFIDENCE, Estimate, Paired, skewness};
pub use histogram::Histogram;
pub use outcomes::{Elo, Outcomes, elo_of_score, rate_interval, score_of_elo};
pub use quantile::{median, quantile, quantile_of_sorted};
pub use sequential::{
    BadErrorRates, Bin, Boundaries, Verdict, binned_effect_ratio, effect_ratio,
    effect_ratio_approximate, effect_ratio_of_sums, elo_ratio, mean_ratio, outcome_bins,
};
