//! The search against brute force: the formula of ALGORITHM section 1 written down a second time, without
//! table, canonical keys or pruned actions.

mod random;

use lodebot::board::{Action, Cell, Grid, Size};
use lodebot::params::Params;
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{
    Event, Foreseen, HeroId, Observer, Rolled, Rules, State, Target, Tile, Unheard,
};
use lodebot::tactics::{
    Beam, BeamBudget, Budget, Chokudai, ChokudaiBudget, Dp, Ending, Exhausted, Plan, Values,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A value map without any meaning: random, so that errors cannot cancel out.
struct Noise {
    cells: Grid<f64>,
}

impl Noise {
    fn new(size: Size, seed: u64) -> Noise {
        let mut dice = Seeded::new(seed);
        let mut cells = Grid::filled(size, 0.0);
        for cell in size.cells() {
            cells[cell] = f64::from(dice.draw(3000, Purpose::Sample)) / 100.0;
        }
        Noise { cells }
    }
}

impl Noise {
    /// Values that fall off evenly around one cell, as those of a gold do: here much can be left out.
    fn hill(size: Size, top: Cell) -> Noise {
        let mut cells = Grid::filled(size, 0.0);
        for cell in size.cells() {
            let far = size.x(cell).abs_diff(size.x(top)) + size.row(cell).abs_diff(size.row(top));
            cells[cell] = 300.0 * 0.995_f64.powi(far as i32);
        }
        Noise { cells }
    }
}

impl Values for Noise {
    fn value(&self, cell: Cell, eaten: &[Cell]) -> f64 {
        eaten.iter().fold(self.cells[cell], |value, gold| {
            value - self.cells[*gold] / 3.0
        })
    }
}

struct Position {
    state: State,
    me: HeroId,
    values: Noise,
    reach: Grid<u8>,
    fines: bool,
}

/// A position out of random play, with old and young holes, loads, rivals and unknown targets.
fn position(seed: u64) -> Position {
    let mut dice = Seeded::new(seed);
    let mut pick = |bound: u32| dice.draw(bound, Purpose::Sample) as usize;
    let (edge, monsters, rivals, ticks) = (7 + pick(5), pick(4), pick(2), pick(40));
    let unknown = pick(3) == 0;
    let mut state = State::new(
        random::level(seed, edge, monsters),
        Arc::new(Rules::CLASSIC),
    );
    let me = state.join(&mut Rolled(&mut dice)).expect("room");
    for _ in 0..rivals {
        state.join(&mut Rolled(&mut dice));
    }
    for _ in 0..ticks {
        let ids = state.seats().to_vec();
        for id in ids {
            let action = random::action(&mut dice);
            state.act(id, action);
        }
        for seat in 0..state.seats().len() {
            state.respawn(seat, &mut Rolled(&mut dice));
        }
        state.tick(&mut Rolled(&mut dice), &mut Unheard);
    }
    state.respawn(0, &mut Rolled(&mut dice));
    let me = state.seats().first().copied().unwrap_or(me);
    if unknown {
        for index in 0..state.monsters().len() {
            let monster = state.monsters()[index];
            if index % 2 == 0 {
                state.place_monster(
                    index,
                    lodebot::sim::Monster {
                        target: Target::Unknown,
                        ..monster
                    },
                );
            }
        }
    }
    state.commit();
    let size = state.size();
    let values = Noise::new(size, seed ^ 0x4D);
    let mut reach = Grid::filled(size, u8::MAX);
    for cell in size.cells() {
        reach[cell] = dice.draw(14, Purpose::Sample) as u8;
    }
    let fines = state
        .monsters()
        .iter()
        .any(|monster| monster.target == Target::Unknown);
    Position {
        state,
        me,
        values,
        reach,
        fines,
    }
}

struct Count(HeroId, u32);

impl Observer for Count {
    fn event(&mut self, hero: HeroId, event: Event) {
        self.1 += u32::from(hero == self.0 && matches!(event, Event::Gold(..)));
    }
}

/// Monsters on the row, nothing solid between, an open brick in the floor between.
fn traps(state: &State, me: HeroId, params: &Params) -> f64 {
    let size = state.size();
    let here = state.hero(me).cell;
    let row = size.row(here);
    let count = state.monsters().iter().filter(|monster| {
        let (a, b) = (
            size.x(monster.cell).min(size.x(here)),
            size.x(monster.cell).max(size.x(here)),
        );
        size.row(monster.cell) == row
            && b - a <= params.trap_range as usize
            && (a + 1..b).all(|x| !state.tile(size.cell(x, row)).has(Tile::SOLID))
            && (a + 1..b).any(|x| {
                let floor = state.tile(size.cell(x, row + 1));
                floor.is_brick() && !floor.is_full_brick()
            })
    });
    count.count() as f64
}

/// What monsters close by leave of a value.
fn pressure(state: &State, me: HeroId, params: &Params) -> f64 {
    let chase = state.level().chase();
    let here = state.hero(me).cell;
    let mut share = 1.0;
    for monster in state.monsters() {
        let pit = state.tile(monster.cell).is_brick();
        let from = if pit {
            state.size().up(monster.cell)
        } else {
            monster.cell
        };
        if let Some(steps) = chase.distance(from, here) {
            let steps = i32::from(steps) + if pit { 6 } else { 0 };
            if params.pressure > 0.0 && steps <= params.pressure_range as i32 {
                share *= 1.0 - params.pressure * params.pressure_decay.powi(steps);
            }
        }
    }
    share
}

/// F of the formula, by trying everything.
fn brute(
    position: &mut Position,
    params: &Params,
    depth: usize,
    ply: usize,
    eaten: &mut Vec<Cell>,
) -> f64 {
    if ply == depth {
        return 0.0;
    }
    Action::ALL
        .into_iter()
        .map(|action| child(position, params, depth, ply, eaten, action))
        .fold(f64::NEG_INFINITY, f64::max)
}

fn child(
    position: &mut Position,
    params: &Params,
    depth: usize,
    ply: usize,
    eaten: &mut Vec<Cell>,
    action: Action,
) -> f64 {
    let me = position.me;
    let before = position.values.value(position.state.hero(me).cell, eaten)
        * pressure(&position.state, me, params);
    let trap_before = traps(&position.state, me, params);
    let mark = position.state.mark();
    let mut count = Count(me, 0);
    position.state.act(me, action);
    position.state.tick(&mut Foreseen, &mut count);
    let hero = *position.state.hero(me);
    let length = eaten.len();
    let mut value = params.gold * f64::from(count.1);
    if hero.alive {
        if count.1 > 0 {
            eaten.push(hero.cell);
        }
        let after = position.values.value(hero.cell, eaten) * pressure(&position.state, me, params);
        value += (after - before) + params.potential_share * after;
        value += params.trap * (traps(&position.state, me, params) - trap_before);
        if position.root_fines(params) {
            let distance =
                f64::from(u32::from(position.reach[hero.cell]).saturating_sub(ply as u32 + 1));
            let range = f64::from(params.fine_distance) + 1.0;
            if distance < range {
                value += params.death * (range - distance) / range;
            }
        }
        value += params.inflation * brute(position, params, depth, ply + 1, eaten);
    } else {
        // Where closeness is fined, the dead pay the largest fine of every later tick too.
        let later = if position.root_fines(params) {
            depth - ply
        } else {
            1
        };
        for tick in 0..later {
            value += params.inflation.powi(tick as i32) * params.death;
        }
    }
    eaten.truncate(length);
    position.state.undo(mark);
    value
}

impl Position {
    /// Fines are decided at the root: a target that turns unknown on the way changes nothing.
    fn root_fines(&self, params: &Params) -> bool {
        self.fines || params.fine_exact > 0.0
    }
}

/// A position whose values lead somewhere.
fn hilly(seed: u64) -> Position {
    let mut position = position(seed);
    let size = position.state.size();
    let golds = position.state.gold();
    let top = golds.get(seed as usize % golds.len().max(1));
    let top = top.map_or(size.cell(1, 1), |gold| gold.cell);
    position.values = Noise::hill(size, top);
    position
}

fn compare(seeds: std::ops::Range<u64>, depth: usize, params: &Params) {
    compare_at(seeds.map(|seed| (seed, position(seed))), depth, params);
}

fn compare_at(positions: impl Iterator<Item = (u64, Position)>, depth: usize, params: &Params) {
    let mut dp = Dp::default();
    for (seed, mut position) in positions {
        if !position.state.hero(position.me).alive {
            continue;
        }
        let before = position.state.clone();
        let budget = Budget {
            depth,
            nodes: usize::MAX,
            deadline: None,
        };
        let search = dp
            .search(
                &mut position.state,
                position.me,
                &position.values,
                &position.reach,
                params,
                budget,
            )
            .expect("no bound");
        assert!(
            position.state == before,
            "the search leaves the state as it was"
        );
        for &(action, value) in &search.actions {
            let expected = child(&mut position, params, depth, 0, &mut Vec::new(), action);
            let scale = expected.abs().max(1.0);
            assert!(
                (value - expected).abs() <= 1e-9 * scale,
                "seed {seed}, {action}: {value} instead of {expected}"
            );
        }
        // Actions that were left out are worth no more than those that were searched.
        let best = brute(&mut position, params, depth, 0, &mut Vec::new());
        assert!(
            (search.best().1 - best).abs() <= 1e-9 * best.abs().max(1.0),
            "seed {seed}"
        );
    }
}

#[test]
fn equals_brute_force_on_two_hundred_positions() {
    compare(0..190, 5, &Params::DEFAULT);
    compare(190..206, 6, &Params::DEFAULT);
}

#[test]
fn equals_brute_force_where_most_actions_are_left_out() {
    let seeds = 700..860;
    compare_at(seeds.map(|seed| (seed, hilly(seed))), 5, &Params::DEFAULT);
    let params = Params {
        inflation: 0.9,
        potential_share: 0.02,
        gold: 40.0,
        ..Params::DEFAULT
    };
    let seeds = 860..900;
    compare_at(seeds.map(|seed| (seed, hilly(seed))), 5, &params);
}

#[test]
fn bounds_leave_positions_out_and_change_no_value() {
    let bounded = Params::DEFAULT;
    // With a trap bonus nothing is bounded; one so small changes no choice.
    let unbounded = Params {
        trap: 1e-9,
        ..Params::DEFAULT
    };
    let mut dp = Dp::default();
    let mut states = [0, 0];
    for seed in 900..960 {
        let mut position = hilly(seed);
        if !position.state.hero(position.me).alive {
            continue;
        }
        let budget = Budget {
            depth: 8,
            nodes: usize::MAX,
            deadline: None,
        };
        let mut found = Vec::new();
        for (params, states) in [&bounded, &unbounded].into_iter().zip(&mut states) {
            let (state, me) = (&mut position.state, position.me);
            let search = dp.search(state, me, &position.values, &position.reach, params, budget);
            let search = search.expect("no bound");
            *states += search.states;
            found.push(search.actions);
        }
        for (one, other) in found[0].iter().zip(&found[1]) {
            assert_eq!(one.0, other.0, "seed {seed}");
            let scale = other.1.abs().max(1.0);
            assert!(
                (one.1 - other.1).abs() <= 1e-6 * scale,
                "seed {seed}: {one:?} {other:?}"
            );
        }
    }
    assert!(10 * states[0] < 9 * states[1], "{states:?}");
}

#[test]
fn equals_brute_force_without_traps_and_with_other_numbers() {
    let params = Params {
        trap: 0.0,
        fine_exact: 0.0,
        inflation: 0.9,
        gold: 7.0,
        ..Params::DEFAULT
    };
    compare(500..560, 4, &params);
    let params = Params {
        pressure: 0.4,
        fine_exact: 1.0,
        fine_distance: 1,
        ..Params::DEFAULT
    };
    compare(600..640, 4, &params);
}

#[test]
fn a_search_without_nodes_left_gives_up_and_leaves_the_state_alone() {
    let mut position = position(3);
    let before = position.state.clone();
    let budget = Budget {
        depth: 8,
        nodes: 3,
        deadline: None,
    };
    let mut dp = Dp::default();
    let params = Params::DEFAULT;
    let result = dp.search(
        &mut position.state,
        position.me,
        &position.values,
        &position.reach,
        &params,
        budget,
    );
    assert!(matches!(result, Err(Exhausted)));
    assert!(position.state == before);
}

#[test]
fn the_line_replays_to_the_value() {
    let mut dp = Dp::default();
    let params = Params::DEFAULT;
    for seed in 0..60 {
        let mut position = position(seed);
        if !position.state.hero(position.me).alive {
            continue;
        }
        let budget = Budget {
            depth: 6,
            nodes: usize::MAX,
            deadline: None,
        };
        let (values, reach) = (&position.values, &position.reach);
        let state = &mut position.state;
        let search = dp
            .search(state, position.me, values, reach, &params, budget)
            .expect("no bound");
        let (action, value) = search.best();
        let (line, terms) = dp.line(state, position.me, values, reach, &params, action, 6);
        assert_eq!(line.first(), Some(&action));
        assert!(
            (terms.sum() - value).abs() <= 1e-6 * value.abs().max(1.0),
            "seed {seed}"
        );
    }
}

/// Plays a plan's line and values it by hand: discounted gold and the discounted value of its end. `None` if it
/// kills the hero.
fn worth(position: &mut Position, line: &[Action], params: &Params) -> Option<f64> {
    let (state, me) = (&mut position.state, position.me);
    let mark = state.mark();
    let mut count = Count(me, 0);
    let (mut eaten, mut weight, mut sum) = (Vec::new(), 1.0, 0.0);
    let mut alive = true;
    for &action in line {
        let before = count.1;
        state.act(me, action);
        state.tick(&mut Foreseen, &mut count);
        alive &= state.hero(me).alive;
        if count.1 > before {
            eaten.push(state.hero(me).cell);
            sum += weight * params.gold * f64::from(count.1 - before);
        }
        weight *= params.inflation;
    }
    sum += weight * position.values.value(state.hero(me).cell, &eaten);
    state.undo(mark);
    alive.then_some(sum)
}

/// Parameters by which a line is worth its gold and the value of its end.
const PLAIN: Params = Params {
    trap: 0.0,
    pressure: 0.0,
    potential_share: Params::DEFAULT.inflation - 1.0,
    ..Params::DEFAULT
};

/// The positions whose values hang on gold and the value map alone, as searches of long lines count them.
fn plain_positions(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Position)> {
    let positions = seeds.map(|seed| (seed, position(seed)));
    positions.filter(|(_, it)| !it.fines && it.state.hero(it.me).alive)
}

#[test]
fn a_wide_beam_finds_what_the_exact_search_finds_and_a_narrow_one_says_what_it_found() {
    let params = PLAIN;
    let (mut dp, mut beam) = (Dp::default(), Beam::default());
    let (mut compared, mut equal, mut narrow_best) = (0, 0, 0);
    for (seed, mut position) in plain_positions(0..150) {
        let depth = 5 + seed as usize % 2;
        let before = position.state.clone();
        let exact = dp
            .search(
                &mut position.state,
                position.me,
                &position.values,
                &position.reach,
                &params,
                Budget {
                    depth,
                    nodes: usize::MAX,
                    deadline: None,
                },
            )
            .expect("no limit");
        let root = position
            .values
            .value(position.state.hero(position.me).cell, &[]);
        for width in [100_000, 3] {
            let budget = BeamBudget {
                width,
                crowd: width,
                cell: width,
                depth,
                deadline: None,
            };
            let plan = beam.search(
                &mut position.state,
                position.me,
                &position.values,
                &params,
                budget,
            );
            assert!(position.state == before, "seed {seed}: the state changed");
            let Some(plan) = plan.filter(|plan| plan.ending == Ending::Horizon) else {
                // What a wide beam calls death, the exact search calls death.
                assert!(
                    width == 3 || exact.best().1 < params.death / 2.0,
                    "seed {seed}"
                );
                continue;
            };
            assert_eq!(plan.line.len(), depth, "seed {seed}");
            let value = plan.terms.sum();
            let by_hand = worth(&mut position, &plan.line, &params);
            let by_hand = by_hand.expect("a plan lives to its end") - root;
            assert!(
                (value - by_hand).abs() < 1e-6,
                "seed {seed}: {value} {by_hand}"
            );
            assert!(value <= exact.best().1 + 1e-6, "seed {seed}: {value}");
            if width > 3 {
                compared += 1;
                equal += u32::from((value - exact.best().1).abs() < 1e-6);
            } else {
                narrow_best += u32::from((value - exact.best().1).abs() < 1e-6);
            }
        }
    }
    // A wide beam may miss a line only where it came back to a position that it had seen a tick earlier.
    assert!(
        compared > 80 && equal * 10 >= compared * 9,
        "{equal} of {compared}"
    );
    assert!(narrow_best < equal, "a width of 3 must cost something here");
}

#[test]
fn the_same_position_gives_the_same_plan_whatever_was_searched_before() {
    let params = Params::default();
    let budget = BeamBudget {
        width: 20,
        crowd: 2,
        cell: 4,
        depth: 20,
        deadline: None,
    };
    let mut used = Beam::default();
    for seed in 0..40 {
        let mut position = position(seed);
        let plan = |beam: &mut Beam, position: &mut Position| {
            let (me, values) = (position.me, &position.values);
            beam.search(&mut position.state, me, values, &params, budget)
                .map(|plan| {
                    (
                        plan.line,
                        plan.terms.sum().to_bits(),
                        plan.depth,
                        plan.states,
                    )
                })
        };
        let fresh = plan(&mut Beam::default(), &mut position);
        assert_eq!(plan(&mut used, &mut position), fresh, "seed {seed}");
    }
}

/// The engine's plan on a position, which it must leave as it was.
fn in_passes(
    engine: &mut Chokudai,
    position: &mut Position,
    params: &Params,
    budget: ChokudaiBudget,
) -> Option<Plan> {
    let before = position.state.clone();
    let (me, values) = (position.me, &position.values);
    let plan = engine.search(&mut position.state, me, values, params, budget, |_| ());
    assert!(position.state == before, "the state changed");
    plan
}

#[test]
fn many_passes_find_what_the_exact_search_finds_whatever_one_takes() {
    let params = PLAIN;
    let (mut dp, mut engine) = (Dp::default(), Chokudai::default());
    let mut compared = 0;
    for (seed, mut position) in plain_positions(0..150) {
        let depth = 5 + seed as usize % 2;
        let (values, reach) = (&position.values, &position.reach);
        let budget = Budget {
            depth,
            nodes: usize::MAX,
            deadline: None,
        };
        let exact = dp
            .search(
                &mut position.state,
                position.me,
                values,
                reach,
                &params,
                budget,
            )
            .expect("no limit");
        let root = values.value(position.state.hero(position.me).cell, &[]);
        for expanded in [1, 7, 10_000] {
            let budget = ChokudaiBudget {
                passes: 100_000,
                expanded,
                width: 1,
                crowd: 100_000,
                cell: 100_000,
                depth,
                deadline: None,
            };
            let Some(plan) = in_passes(&mut engine, &mut position, &params, budget)
                .filter(|plan| plan.ending == Ending::Horizon)
            else {
                assert!(exact.best().1 < params.death / 2.0, "seed {seed}");
                continue;
            };
            let value = plan.terms.sum();
            assert!(
                (value - exact.best().1).abs() < 1e-6,
                "seed {seed}: {value} instead of {:?}",
                exact.best()
            );
            let by_hand = worth(&mut position, &plan.line, &params);
            let by_hand = by_hand.expect("a plan lives to its end") - root;
            assert!(
                (value - by_hand).abs() < 1e-6,
                "seed {seed}: {value} {by_hand}"
            );
            compared += 1;
        }
    }
    assert!(compared > 240, "{compared}");
}

/// A few passes; no more positions alike than the bot's own share.
const NARROW: ChokudaiBudget = ChokudaiBudget {
    passes: 6,
    expanded: 1,
    width: 60,
    crowd: 3,
    cell: 6,
    depth: 20,
    deadline: None,
};

#[test]
fn one_pass_is_a_beam() {
    let params = Params::default();
    let (mut beam, mut engine) = (Beam::default(), Chokudai::default());
    let mut compared = 0;
    for (seed, mut position) in plain_positions(0..150) {
        let one = ChokudaiBudget {
            passes: 1,
            expanded: NARROW.width,
            ..NARROW
        };
        let budget = BeamBudget {
            width: one.width,
            crowd: one.crowd,
            cell: one.cell,
            depth: one.depth,
            deadline: None,
        };
        let (me, values) = (position.me, &position.values);
        let plan = beam.search(&mut position.state, me, values, &params, budget);
        let same = in_passes(&mut engine, &mut position, &params, one);
        // The lines may differ where keys that end at the horizon tell fewer positions apart.
        let told = |plan: Option<Plan>| {
            plan.map(|plan| (plan.ending, plan.depth, plan.terms.sum().to_bits()))
        };
        assert_eq!(told(same), told(plan), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn more_passes_never_find_less() {
    let params = Params::default();
    let mut engine = Chokudai::default();
    let (mut better, mut longer) = (0, 0);
    for (seed, mut position) in plain_positions(0..60) {
        let mut last = (0, f64::NEG_INFINITY);
        for passes in 1..30 {
            let budget = ChokudaiBudget { passes, ..NARROW };
            let plan = in_passes(&mut engine, &mut position, &params, budget);
            // None only where every action kills at once, however many passes there are.
            let found = plan.map_or(last, |plan| (plan.depth, plan.terms.sum()));
            assert!(
                found >= last,
                "seed {seed}, {passes} passes: {found:?} {last:?}"
            );
            better += u32::from(passes > 1 && found > last);
            longer += u32::from(found.0 > last.0 && last.0 > 0);
            last = found;
        }
    }
    assert!(
        better > 20 && longer > 0,
        "{better} {longer}: more passes must be worth something"
    );
}

#[test]
fn the_plan_of_many_passes_is_the_same_whatever_was_searched_before() {
    let params = Params::default();
    let mut used = Chokudai::default();
    for seed in 0..40 {
        let mut position = position(seed);
        let mut plan = |engine: &mut Chokudai| {
            let plan = in_passes(engine, &mut position, &params, NARROW)?;
            let value = plan.terms.sum().to_bits();
            Some((plan.line, value, plan.depth, plan.states))
        };
        let fresh = plan(&mut Chokudai::default());
        assert_eq!(plan(&mut used), fresh, "seed {seed}");
    }
}

#[test]
fn a_deadline_ends_the_passes_and_what_was_offered_last_is_the_plan() {
    let params = Params::default();
    let mut engine = Chokudai::default();
    let mut offers = 0;
    for (seed, mut position) in plain_positions(0..40) {
        for micros in [0, 30, 20_000] {
            let before = position.state.clone();
            let deadline = Instant::now() + Duration::from_micros(micros);
            let budget = ChokudaiBudget {
                passes: usize::MAX,
                deadline: Some(deadline),
                depth: 60,
                ..NARROW
            };
            let mut offered = None;
            let (me, values) = (position.me, &position.values);
            let plan = engine.search(&mut position.state, me, values, &params, budget, |action| {
                offered = Some(action);
            });
            assert!(position.state == before, "seed {seed}: the state changed");
            assert!(micros > 0 || plan.is_none(), "seed {seed}: {plan:?}");
            let whole = plan.filter(|plan| plan.ending == Ending::Horizon);
            assert_eq!(offered, whole.map(|plan| plan.first), "seed {seed}");
            offers += u32::from(offered.is_some());
        }
    }
    assert!(offers > 10, "{offers}");
}
