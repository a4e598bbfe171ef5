//! Lines read back, mistakes told, and pictures made anew from a board and its lines.

use super::*;
use crate::board::{Alphabet, Board};
use crate::rng::Seeded;
use crate::sim::{Command, Game, Rules};
use crate::track::Tracker;

const ALL: [&str; 7] = [
    "series 4",
    "facing up",
    "rival 5,2 facing down",
    "hole 3,4 age 3 owner me",
    "gold 5,2",
    "still 5,2",
    "monster 2,2 hunts 5,2 gave-up me facing left load",
];

#[test]
fn lines_are_read_as_they_are_written() {
    let size = Size::new(6).expect("in range");
    let mut known = Known::default();
    for line in ALL {
        known.read(line, size).expect(line);
    }
    assert_eq!(known.lines(size), ALL);
    known.read("series 4 1 0", size).expect("three kinds");
    assert_eq!(known.series, Some([4, 1, 0]));
    assert_eq!(known.lines(size)[0], "series 4 1 0");
}

#[test]
fn what_is_wrong_with_a_line_is_said() {
    let size = Size::new(6).expect("in range");
    for (line, wanted) in [
        ("hole 7,1 age 3", "no place on this board"),
        ("hole 1,1 age 13", "an age from 0 to 12"),
        ("hole 1,1 age", "ends where"),
        ("monster 1,1 hunts", "ends where"),
        ("monster 1,1 sleeps", "hunts, gave-up, facing or load"),
        ("weather fine", "no fact"),
        ("series 1 2", "ends where"),
        ("series 1 2 3 4", "the end of the line"),
        ("facing 3", "left, right, up or down"),
        ("", "ends where"),
    ] {
        let error = Known::default().read(line, size).expect_err(line);
        assert!(error.to_string().contains(wanted), "{line}: {error}");
    }
}

/// A first board with what was known of a game makes the picture that the game's tracker had.
#[test]
fn a_board_with_what_was_known_is_the_whole_picture() {
    let rules = Arc::new(Rules::CLASSIC);
    let level = crate::levels::load("small-20", &rules).expect("a shipped level");
    let mut game = Game::new(level, Arc::clone(&rules));
    let mut dice = Seeded::new(3);
    let player = game.join(&mut dice).expect("room");
    let mut tracker = Tracker::new(Arc::clone(&rules));
    let mut last = None;
    for tick in 0..120 {
        dice.set_tick(tick);
        let board = game.board(player).expect("still here");
        let picture = tracker.observe(&board, last).expect("a picture");
        let known = Known::of(&picture);
        let mut read = Known::default();
        for line in known.lines(board.size()) {
            read.read(&line, board.size()).expect("its own line");
        }
        assert_eq!(read, known);
        let mut again = Tracker::new(Arc::clone(&rules))
            .observe(&board, None)
            .expect("a picture");
        known.apply(&mut again).expect("it fits");
        let parts = |state: &State| {
            let heroes: Vec<Hero> = state.seats().iter().map(|&id| *state.hero(id)).collect();
            let holes: Vec<Hole> = state.holes().copied().collect();
            let mut gold: Vec<Gold> = state.gold().to_vec();
            gold.sort_unstable();
            (heroes, state.monsters().to_vec(), holes, gold)
        };
        assert_eq!(parts(&again.state), parts(&picture.state), "tick {tick}");
        let terrain = |state: &State| -> Vec<Tile> {
            let cells = state.size().cells();
            cells.map(|cell| state.tile(cell)).collect()
        };
        // A dead hero hides what he lies on, and nobody asks for a decision then.
        if picture.me.is_some_and(|id| picture.state.hero(id).alive) {
            assert_eq!(
                terrain(&again.state),
                terrain(&picture.state),
                "tick {tick}"
            );
        }
        assert_eq!(
            (again.me, again.own.series),
            (picture.me, picture.own.series)
        );
        let actions = crate::board::Action::ALL;
        let action = actions[(tick as usize * 7 + tick as usize / 5) % actions.len()];
        last = Some(action);
        game.tick(&[Command::parse(action.wire(), &rules.grammar)], &mut dice);
    }
}

#[test]
fn a_monster_that_is_not_there_is_refused() {
    let board = Board::parse("☼☼☼☼☼►«☼☼☼☼☼☼☼☼☼", Alphabet::Classic).expect("a board");
    let mut tracker = Tracker::new(Arc::new(Rules::CLASSIC));
    let mut picture = tracker.observe(&board, None).expect("a picture");
    let mut known = Known::default();
    known
        .read("monster 2,3 hunts me", board.size())
        .expect("a fact");
    let error = known.apply(&mut picture).expect_err("it stands elsewhere");
    assert_eq!(error.to_string(), "no monster stands in column 2, row 3");
}
