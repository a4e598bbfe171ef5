//! The table itself: every tunable number of the bot, once.
//!
//! A row is a doc comment, `name: Kind(default, range, step), "unit", "symbol";`. The symbol is the one
//! of the algorithm's description, or empty. Order matters to nobody but readers of the listing.

use super::choice::{EngineKind, PricingKind, StrategyKind, SuicidePolicy};
use super::definition::parameters;

parameters! {
    "Profit of a step" {
        /// A gold picked up.
        gold: Real(100.0, 0.0..=10_000.0, step 5.0), "value", "G";
        /// A death. No amount of gold pays for it, unless it is set so.
        death: Real(-100_500.0, -10_000_000.0..=0.0, step 500.0), "value", "D";
        /// What a death costs that is only possible: closeness to monsters of unknown target, and what others may do.
        pricing: Choice(PricingKind::Fixed), "", "";
        /// Pricing `series`: ticks of a game from the first board on; 0: not known.
        game_ticks: Whole(0, 0..=10_000_000, step 100), "ticks", "";
        /// Pricing `series`: ticks that a series can still be used for where that is not known.
        ticks_ahead: Whole(300, 1..=10_000_000, step 50), "ticks", "";
        /// Inflation: what a profit is worth one action later.
        inflation: Real(0.99, 0.5..=1.0, step 0.005), "factor per action", "E";
        /// Reach distance up to which a monster of unknown target is fined; the fine is
        /// `death * (fine_distance + 1 - distance) / (fine_distance + 1)`. 0 fines only its very cell.
        fine_distance: Whole(3, 0..=8, step 1), "ticks", "";
        /// Share of that fine for monsters whose steps are predicted exactly.
        fine_exact: Real(0.0, 0.0..=1.0, step 0.01), "share", "";
        /// Bonus for each monster that a hole keeps off the hero; paid and taken back as it changes.
        trap: Real(0.0, 0.0..=1_000.0, step 2.0), "value", "T";
        /// Columns between hero and monster within which a hole between them counts as a trap.
        trap_range: Whole(6, 1..=32, step 1), "cells", "";
    }
    "Strategy" {
        /// Which value map leads to the gold beyond the horizon.
        strategy: Choice(StrategyKind::Chain), "", "S";
        /// Height of a gold's value field at the gold itself.
        strategy_gold: Real(100.0, 0.0..=10_000.0, step 2.0), "value", "Gs";
        /// What the value field keeps per tick of distance.
        strategy_inflation: Real(0.99, 0.5..=0.999, step 0.005), "factor per tick", "Es";
        /// What a gold's field keeps per row below the top: below 1, high gold is fetched first.
        height_inflation: Real(1.0, 0.8..=1.0, step 0.002), "factor per row", "Eh";
        /// Share of the strategy value paid at every step, so that waiting first is never as good.
        /// At `inflation - 1` the differences of the strategy value become a consistent potential; a little more, and of
        /// lines that end alike the one that is further on sooner is taken.
        potential_share: Real(-0.009, -0.5..=1.0, step 0.005), "share", "kappa";
    }
    "Pressure" {
        /// Share of the strategy value that a monster in the hero's own cell would take; 0: monsters do not
        /// lower it.
        pressure: Real(0.0, 0.0..=1.0, step 0.02), "share", "";
        /// What that keeps per step of the monster's way.
        pressure_decay: Real(0.8, 0.0..=1.0, step 0.02), "factor per step", "";
        /// Steps up to which monsters count.
        pressure_range: Whole(12, 0..=24, step 1), "steps", "";
    }
    "Chain" {
        /// Golds in a chain.
        chain_length: Whole(32, 1..=32, step 1), "golds", "";
        /// Golds that a chain may begin with, the nearest to the hero.
        chain_candidates: Whole(40, 1..=200, step 2), "golds", "";
        /// How much of a chain's worth goes with the share of all gold that can be reached from its first gold: 1: a
        /// pit that cannot be left is worth as little as it holds.
        chain_open: Real(1.0, 0.0..=1.0, step 0.05), "share", "";
        /// What a gold keeps of its worth in chains where a rival is nearer to it.
        contested: Real(1.0, 0.0..=1.0, step 0.1), "share", "";
        /// What comes after a chain, as a multiple of a gold's worth at the time when the chain ends: all of it where
        /// twice a chain's golds can be reached, nothing where a chain may hold them all.
        chain_tail: Real(3.0, 0.0..=1_000.0, step 2.0), "golds", "";
        /// Engine `dp`: the nearest golds whose way is tried out with the monsters moving; 0: none.
        trial_golds: Whole(12, 0..=14, step 1), "golds", "";
        /// Ticks for which the shortest way to each of them is followed.
        trial_ticks: Whole(40, 0..=200, step 4), "ticks", "";
        /// Ticks for which the hero must be able to live on after that.
        trial_after: Whole(16, 0..=64, step 2), "ticks", "";
        /// States visited at most to find that out.
        trial_nodes: Whole(300, 1..=1_000_000, step 50), "states", "";
        /// What a gold keeps of its worth if that trial ends in death or before it is reached.
        trial_share: Real(0.1, 0.0..=1.0, step 0.05), "share", "";
    }
    "Search" {
        /// Which search decides.
        engine: Choice(EngineKind::Beam), "", "";
        /// Beam: positions kept of each tick.
        beam_width: Whole(60, 1..=100_000, step 50), "positions", "";
        /// Beam: positions kept of each tick with the hero in the same cell and the same holes open. Chokudai: of as many
        /// expanded as the beam is wide; of fewer fewer, of more more.
        beam_crowd: Whole(3, 1..=100_000, step 2), "positions", "";
        /// The same with the hero in the same cell, whatever holes are open.
        beam_cell: Whole(6, 1..=100_000, step 2), "positions", "";
        /// Beam and chokudai: ticks to look ahead.
        beam_depth: Whole(80, 1..=200, step 4), "ticks", "";
        /// Chokudai: passes over the ticks; so many take about the time of a beam. Live play goes on until the deadline
        /// instead.
        chokudai_passes: Whole(48, 1..=100_000, step 4), "passes", "";
        /// Chokudai: positions expanded of each tick in one pass.
        chokudai_expanded: Whole(1, 1..=100_000, step 1), "positions", "";
        /// Actions the exact search looks ahead.
        depth: Whole(8, 1..=24, step 1), "actions", "N";
        /// States visited at most in one exact search; one that would need more is given up for one less deep.
        node_budget: Whole(200_000, 1_000..=100_000_000, step 10_000), "states", "";
        /// Engine `dp`, where a monster is near: a search of fewer states than a third of this is followed by one that
        /// looks two actions farther. Live play goes on until the deadline instead.
        spare_states: Whole(3_000, 0..=10_000_000, step 500), "states", "";
        /// Ticks for which a hero must be able to live on, or the action counts as a certain loss; 0: not asked.
        survival_ticks: Whole(32, 0..=64, step 2), "ticks", "";
        /// States visited at most to find that out, for each action.
        survival_nodes: Whole(4_000, 1..=10_000_000, step 500), "states", "";
        /// Steps for which the monsters' reach maps are made.
        reach_depth: Whole(12, 1..=64, step 1), "ticks", "";
    }
    "Watchdogs" {
        /// Ticks in one cell from which the bot counts as stalled.
        stall_ticks: Whole(10, 2..=500, step 1), "ticks", "";
        /// Longest cycle of positions that counts as oscillation.
        oscillation_period: Whole(6, 2..=64, step 1), "ticks", "";
        /// Times a cycle must be walked to count.
        oscillation_repeats: Whole(3, 2..=64, step 1), "cycles", "";
        /// Ticks on a maximum of S without gold, wanting to stay, from which it counts as a trap.
        local_maximum_ticks: Whole(3, 1..=500, step 1), "ticks", "";
        /// Ticks without gold from which another strategy is tried.
        no_income_ticks: Whole(100, 5..=5_000, step 5), "ticks", "";
        /// Ticks for which a watchdog's other strategy stays in force.
        remedy_ticks: Whole(20, 1..=500, step 1), "ticks", "";
        /// Ticks without a move from which a rival's cell counts as concrete.
        frozen_rival_ticks: Whole(20, 2..=500, step 1), "ticks", "";
    }
    "Rivals" {
        /// Probability from which a monster whose target is not settled is taken to hunt us; above 1: never.
        hunts_me: Real(0.3, 0.0..=1.1, step 0.05), "probability", "";
        /// Otherwise: probability from which it is taken to hunt the most probable hero; above 1: never. A monster
        /// without target stands still in a search, and closeness to it is fined.
        hunts_likely: Real(0.0, 0.0..=1.1, step 0.05), "probability", "";
        /// Probability of being killed by what others may do next above which an action is dropped while something else
        /// is left; 1: not asked.
        risk: Real(0.1, 0.0..=1.0, step 0.05), "probability", "";
        /// Ticks for which we must be able to live on after what they did, or it counts as killed.
        risk_ticks: Whole(16, 1..=64, step 2), "ticks", "";
        /// States visited at most to find that out, for each combination of what they may do.
        risk_nodes: Whole(200, 1..=1_000_000, step 50), "states", "";
        /// Combinations at most: bodies farther away are taken to do what is most probable.
        risk_cases: Whole(64, 1..=10_000, step 8), "combinations", "";
        /// Rivals in doubt: columns and rows up to which they are near.
        rival_range: Whole(3, 0..=32, step 1), "cells", "";
        /// Monsters whose target is in doubt: the same.
        hunter_range: Whole(8, 0..=32, step 1), "cells", "";
        /// Probability that a rival goes for the gold nearest to him.
        rival_greedy: Real(0.5, 0.0..=1.0, step 0.05), "probability", "";
        /// Probability that he does again what he did last. The rest is spread over all he can do.
        rival_again: Real(0.2, 0.0..=1.0, step 0.05), "probability", "";
    }
    "Suicide" {
        /// Policy `free`: probability of being killed from which a suicide is better, since it keeps the series; above 1:
        /// never.
        suicide_risk: Real(0.3, 0.0..=1.1, step 0.05), "probability", "";
        /// When the bot may kill itself. What that costs by the rules counts as ticks.
        suicide: Choice(SuicidePolicy::Stuck), "", "";
        /// Policy `stuck`: ticks for which every visible gold must have been out of reach.
        suicide_unreachable_ticks: Whole(30, 1..=5_000, step 5), "ticks", "";
        /// Policy `stuck`: ticks without gold, the other strategies having been tried.
        suicide_no_income_ticks: Whole(150, 1..=5_000, step 10), "ticks", "";
        /// Policy `free`: distance of the nearest gold beyond which a new place counts as worth more; 0: that at which
        /// another random place is expected to save as many ticks as it costs.
        suicide_distance: Whole(0, 0..=1_000, step 1), "ticks", "";
        /// Policy `free`: what a new place costs besides its tick: it may be next to a monster.
        suicide_margin: Real(2.0, -100.0..=100.0, step 0.5), "ticks", "";
    }
}
