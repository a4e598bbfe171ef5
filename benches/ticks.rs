//! Criterion benches of the simulator: a full tick, a search node, one row of the chase table.
//! `lodebot bench` measures the same in one go; these are for comparing two versions closely.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lodebot::bench::Play;
use lodebot::board::Action;
use lodebot::levels;
use lodebot::sim::{Foreseen, Level, Monster, Rules, State, Target, Unheard};
use std::hint::black_box;
use std::sync::Arc;

fn contest() -> (Arc<Level>, Arc<Rules>) {
    let rules = Arc::new(Rules::CLASSIC);
    let level = levels::load(levels::DEFAULT, &rules).expect("a shipped level");
    level.chase().fill();
    (level, rules)
}

fn tick(criterion: &mut Criterion) {
    let (level, rules) = contest();
    for heroes in [1, 4] {
        let mut play = Play::new(&level, &rules, heroes);
        criterion.bench_function(&format!("tick/heroes_{heroes}"), |bencher| {
            bencher.iter(|| play.tick());
        });
    }
}

fn node(criterion: &mut Criterion) {
    let (level, rules) = contest();
    let mut play = Play::new(&level, &rules, 1);
    for _ in 0..300 {
        play.tick();
    }
    for hunting in [false, true] {
        let mut state = play.state().clone();
        let hero = state.seats().first().copied();
        for index in 0..state.monsters().len() {
            let monster = Monster {
                target: hero
                    .filter(|_| hunting)
                    .map_or(Target::Unknown, Target::Hero),
                given_up: None,
                ..state.monsters()[index]
            };
            state.place_monster(index, monster);
        }
        state.commit();
        let name = if hunting { "exact" } else { "static" };
        criterion.bench_function(&format!("node/{name}"), |bencher| {
            bencher.iter(|| {
                for action in Action::ALL {
                    black_box(child(&mut state, action));
                }
            });
        });
    }
}

fn child(state: &mut State, action: Action) -> u64 {
    let mark = state.mark();
    if let Some(&id) = state.seats().first() {
        state.act(id, action);
    }
    state.tick(&mut Foreseen, &mut Unheard);
    let hash = state.hash();
    state.undo(mark);
    hash
}

fn chase_row(criterion: &mut Criterion) {
    let (level, _) = contest();
    let (Some(&target), Some(&from)) = (
        level.chase().passable().first(),
        level.chase().passable().last(),
    ) else {
        return;
    };
    let fresh =
        || Level::new(level.terrain().clone(), Vec::new(), Vec::new()).expect("the same terrain");
    criterion.bench_function("chase/row", |bencher| {
        bencher.iter_batched(
            fresh,
            |level| black_box(level.chase().step(from, target)),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, tick, node, chase_row);
criterion_main!(benches);
