//! The bot as a whole: boards in, answers out, in games of the simulator.

use lodebot::board::{Action, Alphabet};
use lodebot::bot::{Answer, Bot, Limit};
use lodebot::levels;
use lodebot::params::{EngineKind, Params};
use lodebot::rng::Seeded;
use lodebot::sim::{Command, Game, Rules};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The defaults without the deeper searches near monsters, which debug builds check at every tick.
const QUICK: Params = Params {
    spare_states: 0,
    beam_width: 8,
    beam_depth: 24,
    ..Params::DEFAULT
};

/// Plays alone and tells the answers, the gold and the deaths.
fn solo(level: &str, seed: u64, ticks: u32, params: &Params) -> (Vec<Answer>, u64, u64) {
    let rules = Arc::new(Rules::CLASSIC);
    let level = levels::load(level, &rules).expect("a shipped level");
    let mut game = Game::new(level, Arc::clone(&rules));
    let mut dice = Seeded::new(seed);
    let player = game.join(&mut dice).expect("room");
    let mut bot = Bot::new(Arc::clone(&rules), *params);
    let (mut answers, mut gold, mut deaths, mut last) = (Vec::new(), 0, 0, None);
    for tick in 0..ticks {
        dice.set_tick(tick);
        let board = game
            .board(player)
            .expect("still here")
            .render(Alphabet::Classic);
        let decision = bot.decide(&board, last, Limit::default());
        let command = Command::parse(decision.answer.wire(), &rules.grammar);
        game.tick(&[command], &mut dice);
        for event in &game.players()[player.0].events {
            match event {
                lodebot::sim::Event::Gold(..) => gold += 1,
                lodebot::sim::Event::Death => deaths += 1,
                _ => {}
            }
        }
        last = Some(decision.answer);
        answers.push(decision.answer);
    }
    (answers, gold, deaths)
}

#[test]
fn takes_gold_and_lives_on_the_contest_level() {
    let (_, gold, deaths) = solo("contest-58", 5, 120, &QUICK);
    assert!(gold >= 5, "only {gold} gold in 120 ticks");
    assert!(deaths <= 1, "{deaths} deaths in 120 ticks");
}

#[test]
fn the_same_boards_get_the_same_answers() {
    for engine in [EngineKind::Beam, EngineKind::Chokudai] {
        let params = Params {
            engine,
            chokudai_passes: 8,
            ..QUICK
        };
        let run = move || solo("small-20", 11, 80, &params).0;
        let first = run();
        assert_eq!(std::thread::spawn(run).join().expect("no panic"), first);
        assert!(
            first
                .iter()
                .any(|answer| *answer != Answer::Act(Action::Stay))
        );
    }
}

#[test]
fn a_deadline_is_kept_from_the_first_board_on() {
    let rules = Arc::new(Rules::CLASSIC);
    let board = levels::load_board("contest-58", &rules).expect("shipped");
    let text = board.rows(Alphabet::Classic).replacen(' ', "►", 1);
    for engine in [EngineKind::Dp, EngineKind::Beam, EngineKind::Chokudai] {
        let params = Params {
            engine,
            ..Params::DEFAULT
        };
        let mut bot = Bot::new(Arc::clone(&rules), params);
        // Long enough for a loaded machine; what matters is that there is an answer with a search behind it.
        let deadline = Some(Instant::now() + Duration::from_millis(200));
        let decision = bot.decide(
            &text,
            None,
            Limit {
                deadline,
                missed: 0,
                offer: None,
            },
        );
        assert!(
            decision.search.is_some_and(|search| search.depth >= 1),
            "{engine:?}"
        );
    }
}

#[test]
fn unreadable_boards_are_answered_with_a_reason() {
    let mut bot = Bot::new(Arc::new(Rules::CLASSIC), Params::DEFAULT);
    for text in ["", "board=", "☼☼", "board=null", "☼☼☼☼", "ѠѠѠѠ", "►"] {
        let decision = bot.decide(text, None, Limit::default());
        assert_eq!(
            decision.answer.wire().len().min(20),
            decision.answer.wire().len()
        );
        if decision.search.is_none() {
            assert!(!decision.reasons.is_empty(), "{text:?} got no reason");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// No sequence of boards of classic glyphs makes the bot fail, whatever was sent between them.
    #[test]
    fn no_sequence_of_boards_panics(
        edge in 1usize..9,
        boards in prop::collection::vec(prop::collection::vec(0usize..33, 64), 1..6),
    ) {
        let pairs = Alphabet::Classic.pairs();
        let params = Params { depth: 4, ..Params::DEFAULT };
        let mut bot = Bot::new(Arc::new(Rules::CLASSIC), params);
        let mut last = None;
        for board in boards {
            let text: String = board.iter().take(edge * edge).map(|&pick| pairs[pick].0).collect();
            let decision = bot.decide(&text, last, Limit::default());
            last = Some(decision.answer);
        }
    }
}
