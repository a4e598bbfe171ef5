//! `Summary`: what the results of a match say, in numbers. Pure: the same results give the same summary.

use serde::{Serialize, Serializer};

use super::fault::Fault;
use super::game::{GameResult, Tally};
use super::plan::Plan;
use crate::stats::{Boundaries, Elo, Estimate, Paired, Verdict, effect_ratio};

/// A match in numbers; its JSON is the output of `arena --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// One entry a bot, in the order in which they were named.
    pub bots: Vec<BotSummary>,
    /// One entry for every two bots, the earlier one first.
    pub pairs: Vec<PairSummary>,
    /// Name of the rules.
    pub rules: String,
    /// Name of the level.
    pub level: String,
    /// Each bot alone.
    pub solo: bool,
    /// Ticks of a game.
    pub ticks: u64,
    /// Every seed that was played by all.
    pub seeds: Vec<u64>,
    /// The sequential test, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sequential: Option<SequentialState>,
    /// Everything that went wrong, with the game it happened in.
    pub faults: Vec<FaultSummary>,
}

/// One bot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSummary {
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: usize,
    /// Mean score of a game.
    pub score_mean: f64,
    /// 95 % interval of that mean; null where one game says nothing of it.
    #[serde(serialize_with = "finite")]
    pub score_ci95: [f64; 2],
    /// Mean gold of a game.
    pub gold_mean: f64,
    /// 95 % interval.
    #[serde(serialize_with = "finite")]
    pub gold_ci95: [f64; 2],
    /// Mean gold of a tick.
    pub gold_per_tick: f64,
    /// Mean deaths of a game, suicides not among them.
    pub deaths_mean: f64,
    /// 95 % interval.
    #[serde(serialize_with = "finite")]
    pub deaths_ci95: [f64; 2],
    /// Deaths in a thousand ticks.
    pub deaths_per_1000: f64,
    /// Mean suicides of a game.
    pub suicides_mean: f64,
    /// Mean rivals killed in a game.
    pub kills_mean: f64,
    /// Mean ticks of a game later than 50 after the last gold.
    pub stalled_mean: f64,
    /// 95 % interval.
    #[serde(serialize_with = "finite")]
    pub stalled_ci95: [f64; 2],
    /// Lowest and highest score.
    pub score_range: [i64; 2],
    /// Games in which something went wrong with it.
    pub faulty: usize,
}

/// Two bots on the same seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairSummary {
    /// The first.
    pub a: String,
    /// The second.
    pub b: String,
    /// Seeds both played.
    pub games: usize,
    /// Mean of score of `a` minus score of `b`.
    pub diff_mean: f64,
    /// 95 % interval.
    #[serde(serialize_with = "finite")]
    pub diff_ci95: [f64; 2],
    /// Mean over deviation of the differences; null if they are all the same.
    pub effect: Option<f64>,
    /// Seeds on which `a` scored more.
    pub wins: u64,
    /// Seeds on which both scored the same.
    pub ties: u64,
    /// Seeds on which `b` scored more.
    pub losses: u64,
    /// Share of seeds on which `a` scored more.
    pub win_rate: f64,
    /// 95 % interval.
    pub win_rate_ci95: [f64; 2],
    /// Elo difference of wins, ties and losses; null where all went one way.
    pub elo: Option<f64>,
    /// 95 % interval; null where it has no end.
    #[serde(serialize_with = "finite")]
    pub elo_ci95: [f64; 2],
    /// Probability that bots of equal strength differ at least so much (sign test).
    pub sign_test: f64,
}

/// A fault and where it happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultSummary {
    /// The bot's name.
    pub name: String,
    /// Number of the game, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The rest.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A sequential test of the first bot against the second: is the standardised difference of their scores
/// rather the second effect than the first?
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialTest {
    /// "No better" and "better", as mean over deviation of a seed's score difference.
    pub effects: [f64; 2],
    /// When to stop.
    pub boundaries: Boundaries,
}

/// Seeds before which no sequential test is decided: a deviation of a few differences is worth little.
const SEEDS_MIN: usize = 10;

/// What a sequential test says so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequentialState {
    /// The two effects.
    pub effects: [f64; 2],
    /// Log-likelihood ratio.
    pub llr: f64,
    /// Its bounds.
    pub bounds: [f64; 2],
    /// Seeds it has seen.
    pub seeds: usize,
    /// The decision.
    #[serde(serialize_with = "verdict_name")]
    pub verdict: Verdict,
}

impl SequentialTest {
    /// The state after these results; games of a seed that is not complete are left out.
    pub fn state(&self, plan: &Plan, results: &[GameResult]) -> SequentialState {
        let differences: Vec<f64> = scores(plan, results, 0)
            .iter()
            .zip(&scores(plan, results, 1))
            .map(|(first, second)| first - second)
            .collect();
        let llr = effect_ratio(&differences, self.effects);
        let verdict = if differences.len() < SEEDS_MIN || !llr.is_finite() {
            Verdict::Continue
        } else {
            self.boundaries.verdict(llr)
        };
        SequentialState {
            effects: self.effects,
            llr,
            bounds: self.boundaries.bounds(),
            seeds: differences.len(),
            verdict,
        }
    }
}

impl Summary {
    /// Counts the results of a match, whole seeds only.
    pub fn of(plan: &Plan, results: &[GameResult]) -> Summary {
        let results = whole_seeds(plan, results);
        let bots = (0..plan.entrants.len()).map(|bot| summarise(plan, results, bot));
        let mut pairs = Vec::new();
        for first in 0..plan.entrants.len() {
            for second in first + 1..plan.entrants.len() {
                pairs.extend(compare(plan, results, first, second));
            }
        }
        let faults = results.iter().flat_map(|result| {
            result.faults.iter().map(|fault| FaultSummary {
                name: plan.entrants[fault.bot].name.clone(),
                game: result.game,
                seed: result.seed,
                fault: fault.clone(),
            })
        });
        let seeds = results.len() as u64 / plan.games_per_seed();
        Summary {
            bots: bots.collect(),
            pairs,
            rules: plan.rules.name.to_owned(),
            level: plan.level_name.clone(),
            solo: plan.solo,
            ticks: plan.ticks,
            seeds: (plan.first_seed..plan.first_seed + seeds).collect(),
            sequential: plan
                .sequential
                .as_ref()
                .map(|test| test.state(plan, results)),
            faults: faults.collect(),
        }
    }
}

/// The results of seeds that all their games have been played of.
fn whole_seeds<'a>(plan: &Plan, results: &'a [GameResult]) -> &'a [GameResult] {
    let rest = results.len() % plan.games_per_seed() as usize;
    &results[..results.len() - rest]
}

/// What one bot did in its games, in the order of the seeds.
fn tallies(results: &[GameResult], bot: usize) -> impl Iterator<Item = &Tally> + '_ {
    results.iter().flat_map(move |result| {
        let seats = result.seats.iter().zip(&result.tallies);
        seats
            .filter(move |(seat, _)| **seat == bot)
            .map(|(_, tally)| tally)
    })
}

/// One bot's scores, one a seed.
fn scores(plan: &Plan, results: &[GameResult], bot: usize) -> Vec<f64> {
    tallies(whole_seeds(plan, results), bot)
        .map(|tally| tally.score as f64)
        .collect()
}

fn summarise(plan: &Plan, results: &[GameResult], bot: usize) -> BotSummary {
    let estimate = |value: fn(&Tally) -> f64| {
        let values: Vec<f64> = tallies(results, bot).map(value).collect();
        Estimate::of(&values).unwrap_or(Estimate {
            count: 0,
            mean: 0.0,
            deviation: 0.0,
            half_width: f64::INFINITY,
        })
    };
    let score = estimate(|tally| tally.score as f64);
    let gold = estimate(|tally| tally.gold as f64);
    let deaths = estimate(|tally| tally.deaths as f64);
    let stalled = estimate(|tally| tally.stalled as f64);
    let ticks: u64 = results
        .iter()
        .filter(|result| result.seats.contains(&bot))
        .map(|result| result.ticks)
        .sum();
    let per_tick = |mean: f64| mean * score.count as f64 / (ticks.max(1) as f64);
    let lowest = tallies(results, bot).map(|tally| tally.score).min();
    let highest = tallies(results, bot).map(|tally| tally.score).max();
    BotSummary {
        name: plan.entrants[bot].name.clone(),
        games: score.count,
        score_mean: score.mean,
        score_ci95: score.interval(),
        gold_mean: gold.mean,
        gold_ci95: gold.interval(),
        gold_per_tick: per_tick(gold.mean),
        deaths_mean: deaths.mean,
        deaths_ci95: deaths.interval(),
        deaths_per_1000: 1000.0 * per_tick(deaths.mean),
        suicides_mean: estimate(|tally| tally.suicides as f64).mean,
        kills_mean: estimate(|tally| tally.kills as f64).mean,
        stalled_mean: stalled.mean,
        stalled_ci95: stalled.interval(),
        score_range: [lowest.unwrap_or(0), highest.unwrap_or(0)],
        faulty: results
            .iter()
            .filter(|result| result.faults.iter().any(|fault| fault.bot == bot))
            .count(),
    }
}

/// `None` before the first seed.
fn compare(
    plan: &Plan,
    results: &[GameResult],
    first: usize,
    second: usize,
) -> Option<PairSummary> {
    let paired = Paired::of(
        &scores(plan, results, first),
        &scores(plan, results, second),
    )?;
    let outcomes = paired.outcomes;
    let elo = outcomes.elo().unwrap_or(Elo {
        difference: 0.0,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
    });
    let (win_rate, win_rate_ci95) = outcomes.win_rate().unwrap_or((0.0, [0.0, 1.0]));
    Some(PairSummary {
        a: plan.entrants[first].name.clone(),
        b: plan.entrants[second].name.clone(),
        games: paired.difference.count,
        diff_mean: paired.difference.mean,
        diff_ci95: paired.difference.interval(),
        effect: Some(paired.effect).filter(|effect| effect.is_finite()),
        wins: outcomes.wins,
        ties: outcomes.ties,
        losses: outcomes.losses,
        win_rate,
        win_rate_ci95,
        elo: Some(elo.difference).filter(|elo| elo.is_finite()),
        elo_ci95: [elo.low, elo.high],
        sign_test: outcomes.sign_test(),
    })
}

/// JSON has no infinity: an end that there is not is null.
fn finite<S: Serializer>(ends: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
    ends.map(|end| Some(end).filter(|end| end.is_finite()))
        .serialize(serializer)
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde calls"
)]
fn verdict_name<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match verdict {
        Verdict::Continue => "open",
        Verdict::Null => "no better",
        Verdict::Alternative => "better",
    })
}
