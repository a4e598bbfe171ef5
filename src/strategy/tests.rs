//! Value maps against their definition, fresh and kept up to date.

use super::{Strategy, *};
use crate::board::{Cell, CellSet, GoldKind};
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
