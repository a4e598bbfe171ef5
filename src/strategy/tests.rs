//! Value maps against their definition, fresh and kept up to date.

use super::chain::Chains;
use super::tour::Tour;
use super::{Strategy, *};
use crate::board::{Cell, CellSet, Element, GoldKind};
use crate::levels::{Plan, generate};
use crate::sim::{Gold, Level, Rules};
use crate::tactics::Survival;
use proptest::prelude::*;
use std::sync::Arc;

const HALL: [&str; 7] = [
    "       ", //
    "$  H  $", //
    "###H###", //
    "   H   ", //
    "###H###", //
    "$  H  $", //
    "☼☼☼☼☼☼☼",
];

fn state_of(rows: &[&str], x: usize, row: usize) -> (State, HeroId, Fields) {
    let level = Level::parse(&rows.join("\n"), &Rules::CLASSIC).expect("a level");
    let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
    let mut state = State::new(level, Arc::new(Rules::CLASSIC));
    let hero = state.join_at(state.size().cell(x, row));
    (state, hero, fields)
}

/// Numbers of the article's shape, apart from what is shipped.
const PLAIN: Params = Params {
    strategy_gold: 30.0,
    strategy_inflation: 0.95,
    ..Params::DEFAULT
};

/// The definition, term by term.
fn expected(fields: &Fields, golds: &[Cell], params: &Params, cell: Cell) -> f64 {
    let mut sum = 0.0;
    for &gold in golds {
        if let Some(ticks) = fields.field(gold).ticks(cell) {
            let row = fields.graph().size().row(gold) as i32;
            sum += params.strategy_gold
                * params.strategy_inflation.powi(ticks.into())
                * params.height_inflation.powi(row);
        }
    }
    sum
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

#[test]
fn nearest_is_the_field_of_one_gold_and_the_first_of_equals() {
    let (state, hero, fields) = state_of(&HALL, 3, 3);
    let size = state.size();
    let mut map = ValueMap::new();
    build(
        StrategyKind::Nearest,
        &state,
        hero,
        &fields,
        &PLAIN,
        &mut map,
    );
    // All four are five ticks away along the ladder.
    let gold = size.cell(0, 1);
    assert_eq!(map.golds().collect::<Vec<_>>(), [gold]);
    for cell in size.cells() {
        let expected = expected(&fields, &[gold], &PLAIN, cell);
        assert!(close(map.value(cell, &[]), expected), "{cell:?}");
        assert_eq!(map.value(cell, &[gold]).to_bits(), 0f64.to_bits());
    }
    assert!(close(map.value(gold, &[]), 30.0));
}

#[test]
fn without_reachable_gold_everything_is_worth_nothing() {
    let (state, hero, fields) = state_of(&["$   ", "    ", "    ", "☼☼☼☼"], 3, 2);
    let mut map = ValueMap::new();
    build(
        StrategyKind::Nearest,
        &state,
        hero,
        &fields,
        &PLAIN,
        &mut map,
    );
    assert_eq!(map.golds().count(), 0);
    assert!(state.size().cells().all(|cell| map.value(cell, &[]) == 0.0));
}

#[test]
fn height_inflation_prefers_the_upper_of_equally_far_golds() {
    let (state, hero, fields) = state_of(&HALL, 3, 3);
    let mut params = PLAIN;
    params.height_inflation = 0.9;
    let mut map = ValueMap::new();
    build(StrategyKind::Sum, &state, hero, &fields, &params, &mut map);
    let size = state.size();
    assert!(map.value(size.cell(3, 2), &[]) > map.value(size.cell(3, 4), &[]));
    let golds: Vec<Cell> = state.gold().iter().map(|gold| gold.cell).collect();
    for cell in size.cells() {
        let value = map.value(cell, &[]);
        assert!(close(value, expected(&fields, &golds, &params, cell)));
    }
}

#[test]
fn several_golds_in_one_cell_are_eaten_one_by_one() {
    let (mut state, hero, fields) = state_of(&HALL, 3, 3);
    let gold = state.gold()[0];
    state.place_gold(gold);
    let mut map = ValueMap::new();
    let params = PLAIN;
    build(StrategyKind::Sum, &state, hero, &fields, &params, &mut map);
    let at = |eaten: &[Cell]| map.value(gold.cell, eaten);
    let one = at(&[gold.cell]);
    assert!(close(at(&[]) - one, 30.0) && close(one - at(&[gold.cell; 2]), 30.0));
    assert_eq!(at(&[gold.cell; 3]).to_bits(), at(&[gold.cell; 2]).to_bits());
    assert_eq!(at(&[state.size().cell(3, 3)]).to_bits(), at(&[]).to_bits());
}

/// The same field with other gold, in this order.
fn with_golds<'a>(state: &State, golds: impl Iterator<Item = &'a Cell>) -> State {
    let terrain = state.level().terrain().clone();
    let bare = Level::new(terrain, Vec::new(), Vec::new()).expect("no monsters");
    let mut state = State::new(bare, Arc::new(Rules::CLASSIC));
    for &cell in golds {
        let kind = GoldKind::Yellow;
        state.place_gold(Gold { cell, kind });
    }
    state.join_at(state.size().cell(3, 3));
    state
}

proptest! {
    #[test]
    fn a_map_kept_up_to_date_is_the_map_made_anew(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), any::<bool>(), 0u8..4), 1..30)
    ) {
        let (state, hero, fields) = state_of(&HALL, 3, 3);
        let size = state.size();
        let mut kept = ValueMap::new();
        let mut strategy = Strategy::new();
        let mut golds: Vec<Cell> = state.gold().iter().map(|gold| gold.cell).collect();
        for (pick, add, nearest, knob) in changes {
            if add {
                golds.push(size.from_wire_index(pick.index(size.area())));
            } else if !golds.is_empty() {
                golds.remove(pick.index(golds.len()));
            }
            let now = with_golds(&state, golds.iter());
            let kind = if nearest { StrategyKind::Nearest } else { StrategyKind::Sum };
            let mut params = PLAIN;
            params.height_inflation = if knob == 0 { 0.9 } else { 1.0 };
            params.strategy_inflation = if knob == 1 { 0.8 } else { 0.95 };
            strategy.build(kind, &now, hero, &fields, &params, &mut kept);
            let mut fresh = ValueMap::new();
            let reversed = with_golds(&state, golds.iter().rev());
            build(kind, &reversed, hero, &fields, &params, &mut fresh);
            for cell in size.cells() {
                let eaten = &golds[..golds.len().min(2)];
                prop_assert_eq!(kept.value(cell, &[]).to_bits(), fresh.value(cell, &[]).to_bits());
                prop_assert_eq!(kept.value(cell, eaten).to_bits(), fresh.value(cell, eaten).to_bits());
            }
            if !nearest {
                for cell in size.cells() {
                    prop_assert!(close(kept.value(cell, &[]), expected(&fields, &golds, &params, cell)));
                }
            }
        }
    }

    #[test]
    fn chains_kept_up_to_date_are_the_chains_made_anew(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..3, 1u32..20), 1..40)
    ) {
        let (state, hero, fields) = state_of(&HALL, 3, 3);
        let size = state.size();
        let chain = StrategyKind::Chain;
        let (mut kept, mut trial) = (Strategy::new(), Survival::default());
        let mut golds: Vec<Cell> = state.gold().iter().map(|gold| gold.cell).collect();
        for (pick, change, length) in changes {
            if change > 0 {
                golds.push(size.from_wire_index(pick.index(size.area())));
            } else if !golds.is_empty() {
                golds.remove(pick.index(golds.len()));
            }
            let mut params = PLAIN;
            params.chain_tail = 3.0;
            // Seldom another length: then everything is made anew.
            params.chain_length = if length == 1 { 4 } else { 6 };
            let mut now = with_golds(&state, golds.iter());
            kept.prepare(chain, &mut now, hero, &fields, &params, &mut trial);
            let mut reversed = with_golds(&state, golds.iter().rev());
            let mut fresh = Strategy::new();
            fresh.prepare(chain, &mut reversed, hero, &fields, &params, &mut trial);
            for cell in size.cells() {
                let eaten = &golds[..golds.len().min(2)];
                prop_assert_eq!(kept.value(cell, &[]).to_bits(), fresh.value(cell, &[]).to_bits());
                prop_assert_eq!(kept.value(cell, eaten).to_bits(), fresh.value(cell, eaten).to_bits());
            }
        }
    }

    #[test]
    fn a_row_is_the_value_for_every_set_of_the_golds_followed(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..25),
        follows in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        kind in 0usize..3,
    ) {
        let kind = [StrategyKind::Nearest, StrategyKind::Sum, StrategyKind::Chain][kind];
        let (state, hero, fields) = state_of(&HALL, 3, 3);
        let size = state.size();
        let golds: Vec<Cell> = picks.iter().map(|pick| size.from_wire_index(pick.index(size.area()))).collect();
        let mut followed: Vec<Cell> = follows.iter().map(|pick| golds[pick.index(golds.len())]).collect();
        followed.dedup();
        followed.truncate(FOLLOWED);
        let mut now = with_golds(&state, golds.iter());
        let (mut strategy, mut taken) = (Strategy::new(), Taken::default());
        let params = Params { chain_length: 6, chain_tail: 3.0, ..PLAIN };
        strategy.prepare(kind, &mut now, hero, &fields, &params, &mut Survival::default());
        strategy.take(&followed, &mut taken);
        for cell in size.cells() {
            for (set, value) in strategy.row(cell, &taken).into_iter().enumerate() {
                let inside = followed.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                let eaten: Vec<Cell> = inside.map(|(_, &gold)| gold).collect();
                prop_assert_eq!(value.to_bits(), strategy.value(cell, &eaten).to_bits(), "{:?} {}", cell, set);
            }
        }
    }
}

/// A level of its own for each seed, with few golds; some rungs are gone, so that ways lead down that do not lead up
/// and some golds cannot be reached from others.
fn generated(gold: usize, seed: u64) -> (State, Fields) {
    let plan = Plan {
        edge: 14,
        gold,
        monsters: 0,
        seed,
    };
    let mut board = generate(&plan).expect("room for few golds");
    for cell in board.size().cells() {
        if board.at(cell) == Element::Ladder && (cell.index() + seed as usize % 7).is_multiple_of(7)
        {
            board.set(cell, Element::Empty);
        }
    }
    let level = Level::from_board(&board).expect("no monsters");
    let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
    (State::new(level, Arc::new(Rules::CLASSIC)), fields)
}

/// What the best of all ways on is worth after the gold `here`, of at most `length` more golds out of `left`.
fn best_of_all(
    here: usize,
    left: &[usize],
    length: usize,
    tail: f64,
    share: &impl Fn(usize, usize) -> f64,
) -> f64 {
    if length == 0 {
        return tail;
    }
    let through = |&next: &usize| {
        let others: Vec<usize> = left
            .iter()
            .copied()
            .filter(|&other| other != next)
            .collect();
        share(here, next) * (1.0 + best_of_all(next, &others, length - 1, tail, share))
    };
    left.iter().map(through).fold(tail, f64::max)
}

/// Checks a tour's chains against all orders.
fn check_tour(
    count: usize,
    length: usize,
    tail: f64,
    share: &impl Fn(usize, usize) -> f64,
) -> Result<(), TestCaseError> {
    let mut tour = Tour::default();
    tour.set(&vec![1.0; count], length, share);
    for first in 0..count {
        let chain: Vec<usize> = tour.after(first, tail).collect();
        let (mut here, mut factor, mut value) = (first, 1.0, 0.0);
        for (place, &next) in chain.iter().enumerate() {
            prop_assert!(next != first && !chain[..place].contains(&next));
            factor *= share(here, next);
            prop_assert!(factor > 0.0, "no way from {} to {}", here, next);
            value += factor;
            here = next;
        }
        prop_assert!(chain.len() < length);
        let others: Vec<usize> = (0..count).filter(|&other| other != first).collect();
        let best = best_of_all(first, &others, length - 1, tail, share);
        prop_assert!(
            close(value + tail * factor, best),
            "{} of {}",
            value + tail * factor,
            best
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Factors as they come, to and fro not alike, every fourth way missing.
    #[test]
    fn a_tour_is_the_best_of_all_orders(
        count in 1usize..8, length in 1usize..9, tail in 0.0..4.0, factors in prop::collection::vec(-0.3..1.0, 64),
    ) {
        let share = |from: usize, to: usize| f64::max(factors[8 * from + to], 0.0);
        check_tour(count, length, tail, &share)?;
    }

    #[test]
    fn a_cell_of_a_level_with_few_golds_is_worth_the_best_of_all_orders_from_it(
        gold in 1usize..7, seed in any::<u64>(), length in 1u32..8, tail in 0.0..4.0,
    ) {
        let (mut state, fields) = generated(gold, seed);
        let hero = state.join_at(state.size().cell(1, 12));
        let golds: Vec<Cell> = state.gold().iter().map(|gold| gold.cell).collect();
        let params = Params { chain_length: length, chain_tail: tail, chain_open: 0.0, chain_candidates: 200, ..PLAIN };
        let mut strategy = Strategy::new();
        strategy.prepare(StrategyKind::Chain, &mut state, hero, &fields, &params, &mut Survival::default());
        let share = |from: Cell, to: Cell| {
            let ticks = fields.field(to).ticks(from);
            ticks.map_or(0.0, |ticks| params.strategy_inflation.powi(ticks.into()))
        };
        let hero = state.hero(hero).cell;
        for cell in state.size().cells() {
            let mut best = 0.0;
            // Only what the hero can get at may begin a chain.
            for (first, &gold) in golds.iter().enumerate().filter(|&(_, &gold)| share(hero, gold) > 0.0) {
                let between = |from: usize, to: usize| share(golds[from], golds[to]);
                let others: Vec<usize> = (0..golds.len()).filter(|&other| other != first).collect();
                let open = 1 + others.iter().filter(|&&other| between(first, other) > 0.0).count();
                let after = tail * (open as f64 / f64::from(length) - 1.0).clamp(0.0, 1.0);
                let chain = 1.0 + best_of_all(first, &others, length as usize - 1, after, &between);
                best = f64::max(best, params.strategy_gold * chain * share(cell, gold));
            }
            prop_assert!(close(strategy.value(cell, &[]), best), "{:?}: {} and {}", cell, strategy.value(cell, &[]), best);
        }
    }
}

#[test]
fn equally_good_orders_go_by_number_and_every_first_gold_keeps_its_own() {
    let mut tour = Tour::default();
    tour.set(&[1.0; 5], 4, |_, _| 0.5);
    let after = |tour: &mut Tour, first| tour.after(first, 0.0).collect::<Vec<_>>();
    assert_eq!(after(&mut tour, 0), [1, 2, 3]);
    assert_eq!(after(&mut tour, 1), [0, 2, 3]);
    assert_eq!(after(&mut tour, 4), [0, 1, 2]);
    // Going on for as much as comes after a chain anyway is no reason to go on.
    assert_eq!(tour.after(2, 1.0).count(), 0);
    // In the hall all four golds are alike from the middle, and each of them leads there as well as another.
    let (mut state, hero, fields) = state_of(&HALL, 3, 3);
    let golds: Vec<Cell> = state.gold().iter().map(|gold| gold.cell).collect();
    let mut strategy = Strategy::new();
    let chain = StrategyKind::Chain;
    strategy.prepare(
        chain,
        &mut state,
        hero,
        &fields,
        &PLAIN,
        &mut Survival::default(),
    );
    for &gold in &golds {
        let others: Vec<Cell> = golds
            .iter()
            .copied()
            .filter(|&other| other != gold)
            .collect();
        let alone = strategy.value(gold, &others);
        assert!(
            close(alone, PLAIN.strategy_gold),
            "{gold:?} begins no chain"
        );
    }
}

#[test]
fn a_beam_promises_no_more_than_the_best_of_all_orders() {
    let (mut compared, mut less, mut uneven, mut cut_off) = (0, 0, 0, 0);
    for seed in 0..40 {
        let gold = 5 + seed as usize % 8;
        let (state, fields) = generated(gold, seed);
        let params = Params {
            chain_length: 4 + seed as u32 % 9,
            ..PLAIN
        };
        let mut chains = Chains::default();
        chains.follow(&state, HeroId(0), &fields, &params, Worths::default());
        for index in 0..gold {
            let (first, tail) = chains.single(index);
            let (beam, all) = (
                chains.beamed(first, tail).value,
                chains.toured(first, tail).value,
            );
            assert!(
                beam <= all || close(beam, all),
                "seed {seed}: {beam} > {all}"
            );
            compared += 1;
            for other in 0..gold {
                let ticks = |from: usize, to: usize| {
                    let from = state.gold()[from].cell;
                    fields.field(state.gold()[to].cell).ticks(from)
                };
                cut_off += usize::from(ticks(index, other).is_none());
                uneven += usize::from(ticks(index, other) != ticks(other, index));
            }
            less += usize::from(beam < all && !close(beam, all));
        }
    }
    // Or else both would be one and the same, and the levels of these tests too simple.
    assert!(less * 20 > compared, "{less} of {compared}");
    assert!(
        uneven > compared && cut_off > compared,
        "{uneven}, {cut_off}"
    );
}

/// The value of each of two golds at the ends of a corridor to a hero in its middle, with a rival in this column.
fn ends(rival: Option<usize>, contested: f64) -> [f64; 2] {
    let corridor = ["$       $", "☼☼☼☼☼☼☼☼☼"];
    let blank = ["         "; 7];
    let (mut state, me, fields) = state_of(&[&blank[..], &corridor].concat(), 4, 7);
    let size = state.size();
    if let Some(column) = rival {
        state.join_at(size.cell(column, 7));
    }
    let params = Params { contested, ..PLAIN };
    let mut strategy = Strategy::new();
    let mut trial = Survival::default();
    strategy.prepare(
        StrategyKind::Chain,
        &mut state,
        me,
        &fields,
        &params,
        &mut trial,
    );
    let golds = [size.cell(0, 7), size.cell(8, 7)];
    golds.map(|gold| strategy.value(gold, &[]))
}

#[test]
fn gold_that_a_rival_comes_to_sooner_keeps_the_share_asked_for_of_its_worth() {
    let [left, right] = ends(None, 0.2);
    assert!(close(left, right));
    // One who is as near as we are comes no sooner.
    for (rival, contested) in [(Some(6), 1.0), (Some(4), 0.2), (None, 0.2)] {
        assert_eq!(
            ends(rival, contested).map(f64::to_bits),
            [left, right].map(f64::to_bits)
        );
    }
    let [far, near] = ends(Some(6), 0.2);
    let later = PLAIN.strategy_inflation.powi(8);
    let gold = PLAIN.strategy_gold;
    assert!(close(left, gold * (1.0 + later)), "{left}");
    assert!(close(far, gold * (1.0 + 0.2 * later)), "{far}");
    assert!(close(near, gold * (0.2 + later)), "{near}");
}
