//! Reach maps on pictures, and against monsters that the simulator sends after random targets.

use super::*;
use crate::board::{Action, Alphabet, Board};
use crate::rng::Seeded;
use crate::sim::{HeroId, Level, Rolled, Rules, Target, Unheard};
use proptest::prelude::*;
use std::sync::Arc;

fn state_of(rows: &[&str]) -> State {
    let level = Level::parse(&rows.join("\n"), &Rules::CLASSIC).expect("a level");
    State::new(level, Arc::new(Rules::CLASSIC))
}

/// Ticks of every cell within `horizon`, one digit a cell, `.` never.
fn picture(state: &State, horizon: u8) -> Vec<String> {
    let mut reach = Reach::new(state.size());
    reach.compute(state, horizon);
    let edge = state.size().edge();
    let row = |row| {
        (0..edge)
            .map(|x| match reach.ticks(state.size().cell(x, row)) {
                Reach::NEVER => '.',
                ticks => char::from_digit(ticks.into(), 36).unwrap_or('?'),
            })
            .collect()
    };
    (0..edge).map(row).collect()
}

fn hole(state: &mut State, x: usize, row: usize, age: i32) {
    state.place_hole(Hole {
        cell: state.size().cell(x, row),
        opened: state.now() - age,
        owner: None,
    });
}

#[test]
fn a_monster_walks_climbs_and_falls_but_does_not_jump() {
    let state = state_of(&["     ~", "  «H ~", "###H##", "   H  ", "      ", "☼☼☼☼☼☼"]);
    assert_eq!(
        picture(&state, 5),
        ["..323.", "210123", "...2..", "..434.", "..545.", "......"]
    );
}

#[test]
fn a_hero_on_a_pipe_over_a_monster_is_out_of_its_reach() {
    let state = state_of(&["~~~~~", "     ", "  «  ", "#####", "☼☼☼☼☼"]);
    assert_eq!(
        picture(&state, 9),
        [".....", ".....", "21012", ".....", "....."]
    );
}

#[test]
fn a_lone_monster_does_not_pass_an_open_hole() {
    let mut state = state_of(&["      ", "«     ", "######", "######", "☼☼☼☼☼☼", "☼☼☼☼☼☼"]);
    hole(&mut state, 2, 2, 0);
    // Falls in at tick 3, finds the brick full in tick 13 and is on top of it again; or waits beside it.
    assert_eq!(picture(&state, 20)[1..3], ["012def", "..3..."]);
}

#[test]
fn two_monsters_pass_a_hole_on_each_other() {
    let mut state = state_of(&["      ", "««    ", "######", "######", "☼☼☼☼☼☼", "☼☼☼☼☼☼"]);
    hole(&mut state, 2, 2, 0);
    assert_eq!(picture(&state, 20)[1..3], ["001345", "..2..."]);
}

#[test]
fn a_monster_in_a_hole_climbs_out_when_the_brick_is_full() {
    let mut state = state_of(&["     ", "     ", "##«##", "☼☼☼☼☼", "☼☼☼☼☼"]);
    // Readers of boards know the brick under a monster; a map does not.
    let mut terrain = state.level().terrain().clone();
    terrain[state.size().cell(2, 2)] = Tile::of(Tile::BRICK | Tile::SOLID);
    let level = Level::new(terrain, Vec::new(), state.level().monsters().to_vec());
    state = State::new(level.expect("one monster"), Arc::new(Rules::CLASSIC));
    hole(&mut state, 2, 2, 9);
    assert_eq!(
        picture(&state, 6),
        [".....", "65456", "..0..", ".....", "....."]
    );
}

/// Random framed boards with a few monsters; the draws of targets come from the seed.
fn boards() -> impl Strategy<Value = Board> {
    let glyph = prop_oneof![
        12 => Just(' '), 9 => Just('#'), 1 => Just('☼'), 4 => Just('H'), 2 => Just('~'), 1 => Just('«'), 1 => Just('$')
    ];
    (5usize..=9)
        .prop_flat_map(move |edge| {
            (
                Just(edge),
                prop::collection::vec(glyph.clone(), edge * edge),
            )
        })
        .prop_map(|(edge, mut glyphs)| {
            for (index, glyph) in glyphs.iter_mut().enumerate() {
                let (x, row) = (index % edge, index / edge);
                if x == 0 || row == 0 || x + 1 == edge || row + 1 == edge {
                    *glyph = '☼';
                }
            }
            let text: String = glyphs.into_iter().collect();
            Board::parse(&text, Alphabet::Classic).expect("square")
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_simulated_monster_is_anywhere_sooner(
        board in boards(),
        seed in any::<u64>(),
        heroes in 1usize..4,
        before in prop::collection::vec(0usize..7, 0..40),
        after in prop::collection::vec((0usize..5, any::<prop::sample::Index>()), 20),
    ) {
        let level = Level::from_board(&board).expect("few monsters");
        prop_assume!(level.size().cells().filter(|&cell| level.terrain()[cell].is_free()).count() > 8);
        let mut state = State::new(level, Arc::new(Rules::CLASSIC));
        let mut dice = Seeded::new(seed);
        for _ in 0..heroes {
            state.join(&mut Rolled(&mut dice));
        }
        for (tick, &pick) in before.iter().enumerate() {
            dice.set_tick(tick as u32);
            respawn(&mut state, &mut dice);
            act(&mut state, |seat| Action::ALL[(pick + 3 * seat) % 7]);
            state.tick(&mut Rolled(&mut dice), &mut Unheard);
        }
        let mut reach = Reach::new(state.size());
        reach.compute(&state, 18);
        let seen = state.clone();
        for (ticks, (pick, target)) in after.iter().enumerate().take(18) {
            // Any target, changed at any time, and targets that are dead or gone.
            for (index, mut monster) in state.monsters().to_vec().into_iter().enumerate() {
                let seat = (target.index(97) + index) % (state.seats().len() + 1);
                let hunted = state.seats().get(seat).map_or(HeroId(0), |&id| id);
                monster.target = Target::Hero(hunted);
                state.place_monster(index, monster);
            }
            // As the server has it: else a monster falls onto whoever was closed in, into a full brick.
            respawn(&mut state, &mut dice);
            // No digging: holes dug later are not foreseen.
            act(&mut state, |seat| [Action::Left, Action::Right, Action::Up, Action::Down, Action::Stay][(pick + seat) % 5]);
            state.tick(&mut Rolled(&mut dice), &mut Unheard);
            for monster in state.monsters() {
                prop_assert!(
                    u16::from(reach.ticks(monster.cell)) <= ticks as u16 + 1,
                    "{}then\n{}{:?} in tick {}, said {}",
                    seen.draw(None).picture(), state.draw(None).picture(), monster.cell, ticks + 1, reach.ticks(monster.cell)
                );
            }
        }
    }
}

fn respawn(state: &mut State, dice: &mut Seeded) {
    for seat in 0..state.seats().len() {
        state.respawn(seat, &mut Rolled(&mut *dice));
    }
}

fn act(state: &mut State, choose: impl Fn(usize) -> Action) {
    for (seat, id) in state.seats().to_vec().into_iter().enumerate() {
        state.act(id, choose(seat));
    }
}
