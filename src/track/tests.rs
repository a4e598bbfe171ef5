//! Tests of the tracker against simulated games, whose hidden state is known.

use super::*;
use crate::board::{Action, Board};
use crate::rng::Seeded;
use crate::sim::{Command, Game, Grammar, Level, Rules};
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

fn rules() -> Arc<Rules> {
    Arc::new(Rules::CLASSIC)
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
fn pictures_of_a_played_game_draw_the_boards() {
    let level = Level::parse(MAP, &Rules::CLASSIC).expect("a level");
    let mut game = Game::new(level, rules());
    let mut dice = Seeded::new(5);
    let me = game.join(&mut dice).expect("room");
    let mut tracker = Tracker::new(rules());
    let mut answered = None;
    for tick in 0u32..400 {
        let board = game.board(me).expect("present");
        let picture = tracker.observe(&board, answered).expect("tracked");
        assert_eq!(picture.state.draw(picture.me), board, "tick {tick}");
        assert_eq!(picture.new_game, tick == 0);
        let action = Action::ALL[(tick.wrapping_mul(2_654_435_761) >> 13) as usize % 7];
        game.tick(&[Command::parse(action.wire(), &Grammar::QUEUE)], &mut dice);
        answered = Some(action);
    }
}
