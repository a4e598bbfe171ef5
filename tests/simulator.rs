//! Properties of the simulator that hold for any level and any play.

mod random;

use lodebot::board::{Action, Alphabet, Board};
use lodebot::rng::{Dice, JavaRandom, Scripted, Seeded};
use lodebot::sim::{
    Chase, Command, Foreseen, Game, Grammar, Hole, Level, PlayerNumber, Rolled, Rules, State,
    Unheard, Walk, perft,
};
use proptest::prelude::*;
use std::sync::Arc;

/// A field with heroes and a history of random ticks, as a server has it.
fn played(seed: u64, edge: usize, heroes: usize, monsters: usize, ticks: usize) -> (State, Seeded) {
    let level = random::level(seed, edge, monsters);
    let mut state = State::new(level, Arc::new(Rules::CLASSIC));
    let mut dice = Seeded::new(seed ^ 0xA5A5);
    for _ in 0..heroes {
        state.join(&mut Rolled(&mut dice));
    }
    for _ in 0..ticks {
        step(&mut state, &mut dice);
    }
    state.commit();
    (state, dice)
}

/// One server tick of random commands.
fn step(state: &mut State, dice: &mut Seeded) {
    let ids: Vec<_> = state.seats().to_vec();
    for id in ids {
        let action = random::action(dice);
        state.act(id, action);
    }
    for seat in 0..state.seats().len() {
        state.respawn(seat, &mut Rolled(dice));
    }
    state.tick(&mut Rolled(dice), &mut Unheard);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Long enough that holes close and reopen: undo must bring old ones back (a hole lives 13 ticks).
    #[test]
    fn undo_brings_back_state_hash_and_dice(
        seed in any::<u64>(), edge in 5usize..14, heroes in 1usize..6, monsters in 0usize..6,
        before in 0usize..40, legs in prop::collection::vec(1usize..40, 1..4),
    ) {
        let (mut state, mut dice) = played(seed, edge, heroes, monsters, before);
        let mut stack = Vec::new();
        for leg in legs {
            stack.push((state.clone(), dice.save(), state.mark()));
            for _ in 0..leg {
                step(&mut state, &mut dice);
            }
            prop_assert_eq!(state.hash(), state.full_hash());
            prop_assert_eq!(state.check(), Ok(()));
        }
        while let Some((copy, dice_mark, mark)) = stack.pop() {
            state.undo(mark);
            dice.restore(&dice_mark);
            prop_assert!(state == copy);
            prop_assert_eq!(state.hash(), copy.hash());
            prop_assert_eq!(dice.save(), dice_mark);
            // The same future follows from the same state and dice.
            let (mut again, mut again_dice) = (copy, dice.clone());
            let mark = state.mark();
            let here = dice.save();
            for _ in 0..5 {
                step(&mut state, &mut dice);
                step(&mut again, &mut again_dice);
            }
            prop_assert!(state == again);
            state.undo(mark);
            dice.restore(&here);
        }
    }

    #[test]
    fn the_three_walks_of_perft_agree(seed in any::<u64>(), edge in 5usize..10, monsters in 0usize..4, before in 0usize..20) {
        let (mut state, _) = played(seed, edge, 1, monsters, before);
        let expected = perft(&mut state, 4, Walk::Clone);
        prop_assert_eq!(perft(&mut state, 4, Walk::Undo), expected);
        prop_assert_eq!(perft(&mut state, 4, Walk::Table), expected);
    }

    /// The next-step table equals the rules' own search for every pair of cells.
    #[test]
    fn chase_table_equals_plain_search(seed in any::<u64>(), edge in 4usize..14) {
        let level = random::level(seed, edge, 0);
        for &target in level.chase().passable() {
            for &from in level.chase().passable() {
                prop_assert_eq!(level.chase().step(from, target), level.search_step(from, target));
                // The distance is one more than that of the cell stepped to.
                let far = level.chase().distance(from, target);
                let next = level.chase().step(from, target).map(|dir| level.size().step(from, dir));
                let expected = match next {
                    _ if from == target => Some(0),
                    None => None,
                    Some(next) => level.chase().distance(next, target).map(|steps| (steps + 1).min(Chase::FAR)),
                };
                prop_assert_eq!(far, expected);
            }
        }
    }

    /// What is drawn can be read back and drawn again.
    #[test]
    fn drawn_boards_use_classic_glyphs_only(seed in any::<u64>(), heroes in 1usize..6) {
        let (state, _) = played(seed, 10, heroes, 3, 30);
        for viewer in [None, state.seats().first().copied()] {
            let board = state.draw(viewer);
            let text = board.render(Alphabet::Classic);
            prop_assert_eq!(Board::parse(&text, Alphabet::Classic).expect("classic"), board);
        }
    }
}

fn level(text: &str) -> Arc<Level> {
    Level::parse(text, &Rules::CLASSIC).expect("a square level")
}

const ROOM: &str = "☼☼☼☼☼☼\n☼    ☼\n☼    ☼\n☼ ~  ☼\n☼####☼\n☼☼☼☼☼☼";

fn words(text: &str, rules: &Rules) -> Command {
    Command::parse(text, &rules.grammar)
}

/// RULES section 13, point 1: 1.0.26 keeps the last direction only.
#[test]
fn classic_1_0_26_folds_directions() {
    for (rules, expected) in [(Rules::CLASSIC, 2), (Rules::CLASSIC_1_0_26, 3)] {
        // Plain floor: a step left in 1.0.28; the last direction alone means nothing there.
        let mut state = State::new(level(ROOM), Arc::new(rules.clone()));
        let hero = state.join_at(state.size().cell(3, 3));
        state.command(hero, &words("LEFT,DOWN", &rules));
        state.tick(&mut Foreseen, &mut Unheard);
        assert_eq!(
            state.size().x(state.hero(hero).cell),
            expected,
            "{}",
            rules.name
        );
    }
}

/// RULES section 13, point 2: empty brackets.
#[test]
fn classic_1_0_26_drops_act_with_empty_brackets() {
    assert!(!Command::parse("ACT()", &Grammar::QUEUE).is_empty());
    assert!(Command::parse("ACT()", &Grammar::FOLD).is_empty());
}

/// RULES section 13, point 3: the first hero.
#[test]
fn classic_1_0_26_seats_the_first_hero_in_the_next_tick() {
    for (rules, at_once) in [(Rules::CLASSIC, true), (Rules::CLASSIC_1_0_26, false)] {
        let mut game = Game::new(level(ROOM), Arc::new(rules));
        let mut dice = Scripted::new([2, 3]);
        let player = game.join(&mut dice).expect("room for one");
        assert_eq!(game.players()[player.0].hero.is_some(), at_once);
        game.tick(&[Command::new()], &mut dice);
        assert!(game.players()[player.0].hero.is_some());
        assert_eq!(game.state().seats().len(), 1);
    }
}

#[test]
fn one_player_too_many_is_refused_and_a_leaver_makes_room() {
    let mut game = Game::new(random::level(1, 14, 0), Arc::new(Rules::CLASSIC));
    let mut dice = JavaRandom::new(7);
    for _ in 0..State::HEROES_MAX {
        game.join(&mut dice).expect("room");
    }
    assert!(game.join(&mut dice).is_err());
    game.leave(PlayerNumber(3), &mut dice);
    game.leave(PlayerNumber(3), &mut dice);
    game.leave(PlayerNumber(99), &mut dice);
    assert_eq!(
        game.join(&mut dice).map(|player| player.0),
        Ok(State::HEROES_MAX)
    );
    assert!(game.board(PlayerNumber(3)).is_none());
    for _ in 0..30 {
        game.tick(&[], &mut dice);
    }
}

/// RULES section 6: the pictures of a hole from digging to closing.
#[test]
fn a_hole_is_drawn_as_the_rules_say() {
    let mut state = State::new(level(ROOM), Arc::new(Rules::CLASSIC));
    let hero = state.join_at(state.size().cell(3, 3));
    let brick = state.size().cell(4, 4);
    state.act(hero, Action::DigRight);
    let mut seen = String::new();
    for _ in 0..14 {
        state.tick(&mut Foreseen, &mut Unheard);
        seen.push(
            Alphabet::Classic
                .glyph(state.draw(None).at(brick))
                .expect("classic"),
        );
    }
    assert_eq!(seen, "*       4321##");
    assert_eq!(state.holes().len(), 0);
    assert_eq!(Hole::CLOSED, 13);
}

/// Same seed, same bytes: the final hash of a long game is a constant of the program.
#[test]
fn a_long_game_has_one_outcome() {
    let run = || {
        let (state, _) = played(2026, 13, 4, 4, 400);
        state.hash()
    };
    let hash = run();
    assert_eq!(run(), hash);
    let other = std::thread::spawn(run).join().expect("no panic");
    assert_eq!(other, hash);
}
