//! No allocation in the hot paths: a counting allocator around ticks and search nodes in steady state.
//! This is the only place of the project where `unsafe` is needed.

#![expect(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; this one only counts and passes on"
)]

use lodebot::bench::Play;
use lodebot::board::{Action, CellSet, Grid};
use lodebot::fields::Fields;
use lodebot::levels;
use lodebot::params::{Params, StrategyKind};
use lodebot::sim::{Foreseen, Rules, State, Unheard};
use lodebot::strategy::Strategy;
use lodebot::tactics::{
    Beam, BeamBudget, Budget, Choice, Chokudai, ChokudaiBudget, Crash, Doubt, Dp, Follow, Survival,
    Values,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

struct Counting;

thread_local! {
    /// Allocations of this thread so far; the test harness has threads of its own.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count_one() {
    // While a thread ends its counter may be gone already; nobody asks for it then.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations that `work` makes on this thread.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

/// A game of this many heroes that has been going on for a while.
fn warm_play(heroes: usize) -> Play {
    let rules = Arc::new(Rules::CLASSIC);
    let level = levels::load("bridges-24", &rules).expect("a shipped level");
    level.chase().fill();
    let mut play = Play::new(&level, &rules, heroes);
    for _ in 0..2_000 {
        play.tick();
    }
    play
}

#[test]
fn the_counter_counts() {
    let mut kept = Vec::new();
    assert_eq!(allocations(|| kept.push(Box::new(1))), 2);
    assert_eq!(allocations(|| drop(kept)), 0);
}

#[test]
fn a_tick_allocates_nothing() {
    for heroes in [1, 4] {
        let mut play = warm_play(heroes);
        for tick in 0..2_000 {
            let found = allocations(|| play.tick());
            assert_eq!(found, 0, "{heroes} heroes, tick {tick}");
        }
    }
}

#[test]
fn a_search_node_allocates_nothing() {
    let mut play = warm_play(1);
    for _ in 0..50 {
        for _ in 0..10 {
            play.tick();
        }
        let mut state = play.state().clone();
        // A clone's buffers have no room to spare; the first descent makes it.
        descend(&mut state, 3);
        assert_eq!(allocations(|| descend(&mut state, 3)), 0);
    }
}

/// Makes and undoes all children to this depth.
fn descend(state: &mut State, depth: u32) {
    if depth == 0 {
        return;
    }
    for action in Action::ALL {
        let mark = state.mark();
        if let Some(&id) = state.seats().first() {
            state.act(id, action);
        }
        state.tick(&mut Foreseen, &mut Unheard);
        descend(state, depth - 1);
        state.undo(mark);
    }
}

/// Every cell is worth the same: where the search goes does not matter here.
struct Flat;

impl Values for Flat {
    fn value(&self, _: lodebot::board::Cell, eaten: &[lodebot::board::Cell]) -> f64 {
        100.0 - eaten.len() as f64
    }
}

#[test]
fn a_search_allocates_nothing() {
    let mut play = warm_play(1);
    let params = Params::default();
    let reach = Grid::filled(play.state().size(), u8::MAX);
    let (mut dp, mut survival) = (Dp::default(), Survival::default());
    let (mut beam, mut chokudai) = (Beam::default(), Chokudai::default());
    let mut positions: Vec<State> = Vec::new();
    while positions.len() < 12 {
        (0..10).for_each(|_| play.tick());
        let state = play.state();
        if state.seats().iter().all(|&id| state.hero(id).alive) {
            positions.push(state.clone());
        }
    }
    let mut states = 0;
    // The first round makes the room that the buffers then keep.
    for round in 0..2 {
        for state in &mut positions {
            let me = state.seats()[0];
            let budget = Budget {
                depth: 5,
                nodes: 100_000,
                deadline: None,
            };
            let found = allocations(|| {
                let search = dp.search(state, me, &Flat, &reach, &params, budget);
                states += search.map_or(0, |search| search.states);
                survival.after(state, me, Action::Left, 12, 500);
                let budget = BeamBudget {
                    width: 30,
                    crowd: 3,
                    cell: 6,
                    depth: 20,
                    deadline: None,
                };
                let line = beam.search(state, me, &Flat, &params, budget);
                states += line.map_or(0, |line| line.states);
                let budget = ChokudaiBudget {
                    passes: 20,
                    expanded: 2,
                    width: 60,
                    crowd: 3,
                    cell: 6,
                    depth: 20,
                    deadline: None,
                };
                let line = chokudai.search(state, me, &Flat, &params, budget, |_| ());
                states += line.map_or(0, |line| line.states);
            });
            assert!(round == 0 || found == 0, "{found} allocations");
        }
    }
    assert!(states > 1_000, "{states} states are no search");
}

#[test]
fn a_map_of_chains_among_few_golds_allocates_nothing() {
    let rules = Arc::new(Rules::CLASSIC);
    let level = levels::load("ropes-16", &rules).expect("a shipped level");
    let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
    let mut play = Play::new(&level, &rules, 1);
    let mut positions: Vec<State> = Vec::new();
    while positions.len() < 12 {
        (0..10).for_each(|_| play.tick());
        // What is on the field changes from one to the next, so that all chains are found anew.
        let differs = |last: &State| last.gold() != play.state().gold();
        if positions.last().is_none_or(differs) {
            positions.push(play.state().clone());
        }
    }
    let params = Params {
        depth: 8,
        ..Params::DEFAULT
    };
    let (mut strategy, mut survival) = (Strategy::new(), Survival::default());
    for round in 0..2 {
        for state in &mut positions {
            let me = state.seats()[0];
            let found = allocations(|| {
                let chain = StrategyKind::Chain;
                strategy.prepare(chain, state, me, &fields, &params, &mut survival);
            });
            assert!(round == 0 || found == 0, "{found} allocations");
        }
    }
}

#[test]
fn judging_a_risk_allocates_nothing() {
    let mut play = warm_play(4);
    let mut crash = Crash::default();
    let mut positions: Vec<State> = Vec::new();
    for _ in 0..12 {
        (0..10).for_each(|_| play.tick());
        positions.push(play.state().clone());
    }
    let follow = Follow {
        ticks: 8,
        nodes: 200,
    };
    // The first round makes the room that the buffers then keep.
    for round in 0..2 {
        for state in &mut positions {
            let me = state.seats()[0];
            let mut doubts: Vec<Doubt> = Vec::new();
            for &id in &state.seats()[1..] {
                let acts = [Action::Left, Action::DigRight, Action::Stay];
                doubts.push(
                    acts.map(|act| (Choice::Act(id, act), 0.25))
                        .into_iter()
                        .collect(),
                );
            }
            let found = allocations(|| {
                for action in Action::ALL {
                    crash.risk(state, me, action, &doubts, follow);
                }
            });
            assert!(round == 0 || found == 0, "{found} allocations");
        }
    }
}
