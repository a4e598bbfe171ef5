//! Tests of the tracker against simulated games, whose hidden state is known, and against boards that no game shows.

use super::*;
use crate::board::{Action, Alphabet, Board, GoldKind, Size};
use crate::rng::Seeded;
use crate::sim::{Command, Foreseen, Game, Level, Rules, State, Target, Unheard};
use proptest::prelude::*;
use std::sync::Arc;

const MAP: &str = "\
☼☼☼☼☼☼☼☼☼☼☼☼
☼    $     ☼
☼H#######H#☼
☼H   «   H ☼
☼H#####H##H☼
☼   ~~~H  H☼
☼ $    H  H☼
☼##H#####H#☼
☼  H  »  H ☼
☼H####H####☼
☼H $  H    ☼
☼☼☼☼☼☼☼☼☼☼☼☼";

/// Platforms, pipes, a shaft, four monsters: they stack, fall into holes, lose gold.
const HALLS: &str = "\
☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼
☼ $    «     $ ☼
☼####H####H####☼
☼    H    H    ☼
☼ $~~H~~~~H~~$ ☼
☼H#######H####H☼
☼H   $   H »  H☼
☼###H#########H☼
☼   H     $   H☼
☼ H####H#####H#☼
☼ H    H     H ☼
☼ H $  H  «  H ☼
☼####H######H##☼
☼$   H  »   H $☼
☼##############☼
☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼";

fn rules() -> Arc<Rules> {
    Arc::new(Rules::CLASSIC)
}

/// An action that depends on the numbers only, with digs as often as steps.
fn pick(seed: u64, tick: u32) -> Action {
    let mixed = (seed << 32 | u64::from(tick)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // Several ticks of the same action carry a hero across the field.
    let mixed = if mixed >> 61 == 0 {
        mixed
    } else {
        (seed << 32 | u64::from(tick / 4)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    };
    Action::ALL[(mixed >> 40) as usize % Action::COUNT]
}

/// Plays a game with one hero and hands every board's picture, the true state and the answer to `look`.
fn play(map: &str, seed: u64, ticks: u32, mut look: impl FnMut(u32, &Picture, &State, Action)) {
    let level = Level::parse(map, &Rules::CLASSIC).expect("a level");
    let mut game = Game::new(level, rules());
    let mut dice = Seeded::new(seed);
    let me = game.join(&mut dice).expect("room");
    let mut tracker = Tracker::new(rules());
    let mut answered = None;
    for tick in 0..ticks {
        let board = game.board(me).expect("present");
        let picture = tracker.observe(&board, answered).expect("tracked");
        assert_eq!(
            picture.state.draw(picture.me),
            board,
            "seed {seed} tick {tick}"
        );
        picture.state.check().expect("valid");
        let action = pick(seed, tick);
        look(tick, &picture, game.state(), action);
        let command = Command::parse(action.wire(), &Rules::CLASSIC.grammar);
        game.tick(&[command], &mut dice);
        answered = Some(action);
    }
    let score = game.players()[me.0].score;
    let board = game.board(me).expect("present");
    let last = tracker.observe(&board, answered).expect("tracked");
    assert_eq!(
        i64::from(last.own.series),
        score.series(GoldKind::Yellow),
        "seed {seed}"
    );
    assert_eq!(last.agreement.own_missed, 0, "seed {seed}");
}

#[test]
fn a_single_frame_gives_a_state_that_draws_the_same_board() {
    let board = Board::parse(MAP, Rules::CLASSIC.alphabet).expect("a board");
    let picture = Tracker::new(rules())
        .observe(&board, None)
        .expect("tracked");
    assert!(picture.new_game && picture.me.is_none());
    assert_eq!(picture.state.draw(None), board);
    picture.state.check().expect("valid");
}

#[test]
fn with_one_hero_every_step_of_a_monster_is_foreseen_from_its_first_seen_step_on() {
    let (mut steps, mut checked) = (0, 0);
    for (map, seed) in [MAP, HALLS]
        .into_iter()
        .flat_map(|map| (0..6).map(move |seed| (map, seed)))
    {
        let mut stepped: Vec<bool> = Vec::new();
        let mut foreseen: Option<State> = None;
        let mut cells = Vec::new();
        play(map, seed, 500, |tick, picture, truth, action| {
            let now: Vec<_> = truth
                .monsters()
                .iter()
                .map(|monster| monster.cell)
                .collect();
            stepped.resize(now.len(), false);
            if let Some(foreseen) = foreseen.take() {
                for (index, monster) in foreseen.monsters().iter().enumerate() {
                    if stepped[index] {
                        assert_eq!(
                            monster.cell, now[index],
                            "seed {seed} tick {tick} monster {index}"
                        );
                        checked += 1;
                    }
                }
            }
            for (index, cell) in now.iter().enumerate() {
                let moved = cells.get(index).is_some_and(|before| before != cell);
                steps += u32::from(moved);
                stepped[index] |= moved;
            }
            cells = now;
            let me = picture.me.expect("drawn");
            if picture.state.hero(me).alive {
                let mut next = picture.state.clone();
                next.act(me, action);
                next.tick(&mut Foreseen, &mut Unheard);
                foreseen = Some(next);
            }
        });
    }
    assert!(steps > 10_000 && checked > 10_000, "{steps} {checked}");
}

#[test]
fn with_one_hero_the_picture_is_the_hidden_state() {
    for (map, seed) in [MAP, HALLS]
        .into_iter()
        .flat_map(|map| (10..16).map(move |seed| (map, seed)))
    {
        let (mut doubtful, mut hidden) = (0, false);
        play(map, seed, 500, |tick, picture, truth, _| {
            let me = picture.me.expect("drawn");
            let place = format!("seed {seed} tick {tick}");
            let (own, real) = (picture.state.hero(me), truth.hero(truth.seats()[0]));
            assert_eq!(
                (own.cell, own.alive, own.dug),
                (real.cell, real.alive, real.dug),
                "{place}"
            );
            assert_eq!(own.facing, real.facing, "{place}");
            let ages = |state: &State| -> Vec<_> {
                let now = state.now();
                let mut list: Vec<_> = state
                    .holes()
                    .map(|hole| (hole.cell, hole.timer(now)))
                    .collect();
                list.sort_unstable();
                list
            };
            assert_eq!(ages(&picture.state), ages(truth), "{place}");
            // The first hero may stand on a monster that nothing shows.
            hidden |= picture.monsters.len() < truth.monsters().len();
            if hidden {
                return;
            }
            for (index, (believed, real)) in picture
                .state
                .monsters()
                .iter()
                .zip(truth.monsters())
                .enumerate()
            {
                assert_eq!(believed.cell, real.cell, "{place} monster {index}");
                assert_eq!(believed.facing, real.facing, "{place} monster {index}");
                let belief = &picture.monsters[index];
                // A load is settled by boards alone unless a new gold fell under a monster.
                if belief.loaded > 0.99 || belief.loaded < 0.01 {
                    assert_eq!(
                        belief.loaded > 0.5,
                        real.load.is_some(),
                        "{place} monster {index}"
                    );
                } else {
                    doubtful += 1;
                }
                if let Some(&(_, probability)) = belief.targets.first().filter(|_| tick > 0)
                    && probability > 0.999
                    && real.target != Target::Nobody
                {
                    assert_eq!(real.target, Target::Hero(truth.seats()[0]), "{place}");
                }
            }
        });
        println!("seed {seed}: {doubtful} doubtful loads");
    }
}

#[test]
fn boards_that_were_missed_make_holes_older_and_change_nobody() {
    for seed in 0..8 {
        let level = Level::parse(HALLS, &Rules::CLASSIC).expect("a level");
        let mut game = Game::new(level, rules());
        let mut dice = Seeded::new(seed);
        let me = game.join(&mut dice).expect("room");
        let mut tracker = Tracker::new(rules());
        let (mut missed, mut answered, mut deaths) = (0, None, 0);
        for tick in 0..300u32 {
            let board = game.board(me).expect("present");
            // Every seventh board is missed, and now and then three in a row.
            if tick > 0 && (tick % 7 == 3 || tick % 50 < 3) {
                missed += 1;
            } else {
                tracker.skip(missed);
                let sent = answered.filter(|_| missed == 0);
                let picture = tracker.observe(&board, sent).expect("tracked");
                assert_eq!(
                    picture.state.draw(picture.me),
                    board,
                    "seed {seed} tick {tick}"
                );
                let truth = game.state();
                for hole in picture.state.holes() {
                    if picture
                        .vague_holes
                        .iter()
                        .all(|vague| vague.cell != hole.cell)
                    {
                        let real = truth.hole_at(hole.cell).map(|real| real.timer(truth.now()));
                        let timer = hole.timer(picture.state.now());
                        assert_eq!(Some(timer), real, "seed {seed} tick {tick}");
                    }
                }
                // A death that nobody saw looks like a replacement out of the blue.
                assert!(picture.own.suicides <= deaths, "seed {seed} tick {tick}");
                missed = 0;
            }
            let action = pick(seed, tick);
            let command = Command::parse(action.wire(), &Rules::CLASSIC.grammar);
            game.tick(&[command], &mut dice);
            answered = Some(action);
            deaths += u32::from(!game.state().hero(game.state().seats()[0]).alive);
        }
    }
}

#[test]
fn another_level_in_mid_stream_is_a_new_game() {
    let mut tracker = Tracker::new(rules());
    let first = Board::parse(MAP, Alphabet::Classic).expect("a board");
    let other = Board::parse(HALLS, Alphabet::Classic).expect("a board");
    let mirrored: String = MAP
        .lines()
        .map(|row| row.chars().rev().chain(['\n']).collect::<String>())
        .collect();
    let mirrored = Board::parse(&mirrored, Alphabet::Classic).expect("a board");
    for (board, fresh) in [
        (&first, true),
        (&first, false),
        (&mirrored, true),
        (&other, true),
        (&other, false),
    ] {
        let picture = tracker.observe(board, None).expect("tracked");
        assert_eq!(picture.new_game, fresh);
        assert_eq!(picture.state.draw(None), *board);
    }
}

#[test]
fn a_blank_cell_that_closes_was_a_brick_all_along() {
    let rows = |hole: char| {
        let text = format!("☼☼☼☼☼☼☼   ☼☼ ►  ☼☼#{hole}# ☼☼####☼☼☼☼☼☼☼")
            .replace("☼☼☼☼☼☼☼   ☼", "☼☼☼☼☼☼☼    ☼");
        Board::parse(&text, Alphabet::Classic).expect("a board")
    };
    let mut tracker = Tracker::new(rules());
    let blank = tracker.observe(&rows(' '), None).expect("tracked");
    assert_eq!(blank.state.holes().len(), 0);
    assert!(blank.assumptions.has(Assumptions::TERRAIN));
    let closing = tracker.observe(&rows('4'), None).expect("tracked");
    assert!(closing.new_level && !closing.new_game);
    let hole = *closing.state.holes().next().expect("a hole");
    assert_eq!(hole.timer(closing.state.now()), 9);
    assert!(!closing.assumptions.has(Assumptions::HOLE_AGE));
    assert!(closing.assumptions.has(Assumptions::HOLE_OWNER));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No sequence of boards, however absurd, makes it panic or hand out an invalid state, in any dialect.
    #[test]
    fn any_boards_are_taken(
        edge in 1usize..8,
        boards in prop::collection::vec((prop::collection::vec(0usize..128, 64), 0usize..12, any::<bool>()), 1..12),
    ) {
        for rules in Rules::ALL {
            let pairs = rules.alphabet.pairs();
            let mut tracker = Tracker::new(Arc::new(rules));
            let size = Size::new(edge).expect("in range");
            let mut board = Board::empty(size);
            for (cells, action, change) in &boards {
                // Half of the boards differ from the one before in a few cells only.
                for (index, cell) in size.cells().enumerate() {
                    let pick = cells[index % 64];
                    if *change || pick < 12 {
                        board.set(cell, pairs[(pick + index) % pairs.len()].1);
                    }
                }
                let answered = Action::ALL.get(*action).copied();
                let picture = tracker.observe(&board, answered).expect("few monsters");
                prop_assert!(picture.state.check().is_ok(), "{:?}", picture.state.check());
                for belief in &picture.monsters {
                    let named: f64 = belief.targets.iter().map(|pair| pair.1).sum();
                    prop_assert!(named + belief.nobody < 1.0 + 1e-9);
                    prop_assert!((0.0..=1.0).contains(&belief.loaded));
                }
            }
        }
    }
}
