//! The simple bots on pictures, the greedy one against the fields it follows, and a bot that only watches.

use super::*;
use crate::board::{Action, Alphabet, Board, CellSet, GoldKind};
use crate::fields::Fields;
use crate::sim::{Foreseen, HeroId, Level, Rules, State, Unheard};
use proptest::prelude::*;
use std::sync::Arc;

/// A field with a hero where the picture has `►`.
fn state_of(rows: &[&str]) -> (State, HeroId) {
    let text = rows.join("\n");
    let board = Board::parse(&text, Alphabet::Classic).expect("a board");
    let level = Level::from_board(&board).expect("few monsters");
    let mut state = State::new(level, Arc::new(Rules::CLASSIC));
    let id = state.join_at(board.me().expect("a hero"));
    (state, id)
}

/// The actions until the first gold is taken, `limit` at most.
fn actions(
    state: &mut State,
    id: HeroId,
    limit: usize,
    mut decide: impl FnMut(&State, HeroId) -> Action,
) -> Vec<Action> {
    let golds = state.gold().len();
    let mut taken = Vec::new();
    while taken.len() < limit && state.gold().len() == golds {
        let action = decide(state, id);
        state.act(id, action);
        state.tick(&mut Foreseen, &mut Unheard);
        taken.push(action);
    }
    taken
}

#[test]
fn greedy_digs_and_drops_and_walks_on() {
    let (mut state, id) = state_of(&["     ", "  ►  ", "#####", " $   ", "☼☼☼☼☼"]);
    let mut greedy = Greedy::new();
    let line = actions(&mut state, id, 9, |state, id| greedy.decide(state, id));
    assert_eq!(
        line,
        [Action::DigLeft, Action::Left, Action::Stay, Action::Stay]
    );
    assert_eq!(state.hero(id).cell, state.size().cell(1, 3));
}

#[test]
fn greedy_drops_onto_a_ladder_and_from_a_pipe() {
    let (mut state, id) = state_of(&["     ", " ~►  ", "☼####", " H   ", "$H☼☼☼"]);
    let mut greedy = Greedy::new();
    let line = actions(&mut state, id, 9, |state, id| greedy.decide(state, id));
    let expected = [
        Action::DigLeft,
        Action::Left,
        Action::Down,
        Action::Down,
        Action::Left,
        Action::Stay,
    ];
    assert_eq!(line, expected);
}

#[test]
fn greedy_prefers_the_first_gold_in_reading_order_and_stays_without_gold() {
    let (state, id) = state_of(&["     ", "     ", "$ ► $", "☼☼☼☼☼", "☼☼☼☼☼"]);
    assert_eq!(Greedy::new().decide(&state, id), Action::Left);
    let (state, id) = state_of(&["     ", " $   ", "  ►  ", "☼☼☼☼☼", "☼☼☼☼☼"]);
    assert_eq!(Greedy::new().decide(&state, id), Action::Stay);
}

#[test]
fn greedy_does_not_step_into_a_hole_that_leads_nowhere() {
    let rows = ["     ", "►   $", "#####", "☼☼☼☼☼", "☼☼☼☼☼"];
    let (mut state, id) = state_of(&rows);
    state.act(id, Action::DigRight);
    state.tick(&mut Foreseen, &mut Unheard);
    let mut greedy = Greedy::new();
    assert_eq!(greedy.decide(&state, id), Action::Stay);
    // The brick is full again in the twelfth tick after; a step one tick before that is over it in time.
    let line = actions(&mut state, id, 20, |state, id| greedy.decide(state, id));
    assert_eq!(
        line[..12],
        [[Action::Stay; 11].as_slice(), &[Action::Right]].concat()
    );
    assert_eq!(line.len(), 15);
    assert!(state.hero(id).alive);
}

#[test]
fn greedy_uses_a_hole_as_long_as_it_can_get_out_below() {
    let rows = ["     ", "►    ", "#####", "    $", "☼☼☼☼☼"];
    for (age, first) in [(9, Action::Right), (10, Action::Stay), (11, Action::Right)] {
        let (mut state, id) = state_of(&rows);
        state.place_hole(crate::sim::Hole {
            cell: state.size().cell(1, 2),
            opened: -age,
            owner: None,
        });
        let mut greedy = Greedy::new();
        let line = actions(&mut state, id, 30, |state, id| greedy.decide(state, id));
        assert_eq!(line[0], first, "a hole {age} ticks old");
        assert!(state.hero(id).alive && state.gold().is_empty());
    }
}

#[test]
fn walker_goes_round_by_foot_and_waits_behind_walls() {
    let rows = ["H~~~H", "H►# H", "###☼H", "$   H", "☼☼☼☼☼"];
    let (mut state, id) = state_of(&rows);
    let mut walker = Walker::new();
    let line = actions(&mut state, id, 20, |state, id| walker.decide(state, id));
    assert!(!line.contains(&Action::DigLeft) && !line.contains(&Action::DigRight));
    assert_eq!(state.hero(id).cell, state.size().cell(0, 3));
    let (state, id) = state_of(&["     ", "     ", "►« $ ", "☼☼☼☼☼", "☼☼☼☼☼"]);
    assert_eq!(walker.decide(&state, id), Action::Stay);
    let (mut state, id) = state_of(&["     ", "     ", "► $  ", "☼☼☼☼☼", "☼☼☼☼☼"]);
    assert_eq!(walker.decide(&state, id), Action::Right);
    state.join_at(state.size().cell(1, 2));
    assert_eq!(walker.decide(&state, id), Action::Stay);
}

#[test]
fn random_is_a_function_of_its_seed_and_knows_every_action() {
    let (state, id) = state_of(&["►"]);
    let line = |seed| -> Vec<Action> {
        let mut random = Random::new(seed);
        (0..200).map(|_| random.decide(&state, id)).collect()
    };
    assert_eq!(line(1), line(1));
    assert_ne!(line(1), line(2));
    assert!(Action::ALL.iter().all(|action| line(1).contains(action)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn alone_greedy_takes_the_only_gold_within_the_ticks_of_its_field(
        glyphs in prop::collection::vec(
            prop_oneof![6 => Just(' '), 5 => Just('#'), 1 => Just('☼'), 2 => Just('H'), 1 => Just('~')], 100
        ),
        pick in any::<prop::sample::Index>(),
        start in any::<prop::sample::Index>(),
    ) {
        let text: String = glyphs.into_iter().collect();
        let board = Board::parse(&text, Alphabet::Classic).expect("square");
        let level = Level::from_board(&board).expect("no monsters");
        let free: Vec<_> = level.size().cells().filter(|&cell| level.terrain()[cell].is_free()).collect();
        prop_assume!(free.len() > 1);
        let target = free[pick.index(free.len())];
        let fields = Fields::new(Arc::clone(&level), &CellSet::new(level.size()));
        let field = fields.field(target);
        let from: Vec<_> = free.into_iter().filter(|&cell| field.ticks(cell).is_some_and(|ticks| ticks > 0)).collect();
        prop_assume!(!from.is_empty());
        let from = from[start.index(from.len())];
        let mut state = State::new(level, Arc::new(Rules::CLASSIC));
        state.place_gold(crate::sim::Gold { cell: target, kind: GoldKind::Yellow });
        let id = state.join_at(from);
        let mut greedy = Greedy::new();
        let line = actions(&mut state, id, 300, |state, id| greedy.decide(state, id));
        prop_assert!(state.gold().is_empty(), "{}{:?} to {:?}: {:?}", board.picture(), from, target, line);
        let ticks = Some(line.len() as u16);
        prop_assert!(ticks <= field.ticks(from), "{line:?}");
        // Fields lead through a hole straight down (ALGORITHM section 2); greedy may also leave it sideways.
        let digs = line.iter().filter(|action| matches!(action, Action::DigLeft | Action::DigRight));
        if digs.count() == 0 {
            prop_assert_eq!(ticks, field.ticks(from), "{}{:?} to {:?}: {:?}", board.picture(), from, target, line);
        }
    }
}

/// A closed door without its key bars the way: greedy takes the gold that it can get to.
#[test]
fn greedy_does_not_stand_before_a_door_that_it_cannot_open() {
    let rules = Arc::new(Rules::CLIFFORD);
    let text = [
        "☼☼☼☼☼☼☼☼",
        "☼      ☼",
        "☼      ☼",
        "☼      ☼",
        "☼      ☼",
        "☼      ☼",
        "☼      ☼",
        "☼☼☼☼☼☼☼☼",
    ]
    .concat();
    let level = Level::parse(&text, &rules).expect("a level");
    let mut state = State::new(level, rules);
    let size = state.size();
    let door = crate::sim::ItemKind::Door(crate::board::Metal::Gold, false);
    state.place_item(crate::sim::Item {
        cell: size.cell(5, 6),
        kind: door,
    });
    let kind = GoldKind::Yellow;
    state.place_gold(crate::sim::Gold {
        cell: size.cell(6, 6),
        kind,
    });
    state.place_gold(crate::sim::Gold {
        cell: size.cell(1, 6),
        kind,
    });
    let id = state.join_at(size.cell(4, 6));
    let mut greedy = Greedy::new();
    let line = actions(&mut state, id, 3, |state, id| greedy.decide(state, id));
    assert_eq!(line, [Action::Left; 3]);
}

/// Who watches a game with a gap knows as much as who decided on it.
#[test]
fn a_watcher_is_told_of_missed_boards() {
    let rows = [
        "☼☼☼☼☼☼☼",
        "☼     ☼",
        "☼  Я  ☼",
        "☼#*###☼",
        "☼     ☼",
        "☼#####☼",
        "☼☼☼☼☼☼☼",
    ]
    .concat();
    let later = rows.replace('Я', "◄").replace('*', " ");
    let read = |text: &str| Board::parse(text, Alphabet::Classic).expect("a board");
    let ages = |missed: u32| {
        let mut bot = Bot::new(Arc::new(Rules::CLASSIC), Params::DEFAULT);
        bot.watch(&read(&rows), None, 0);
        bot.watch(&read(&later), Some(Answer::Act(Action::Stay)), missed);
        let known = crate::track::Known::default();
        let told = bot.explain(&read(&later), None, &known).expect("it fits");
        let state = told.picture.expect("tracked").state;
        let ages: Vec<i32> = state.holes().map(|hole| hole.timer(state.now())).collect();
        ages
    };
    assert_eq!(ages(3)[0], ages(0)[0] + 3);
}

/// A gold in a dead end, a ladder the other way, and a monster that hunts us with a probability of 0.4.
#[test]
fn a_possible_death_is_weighed_against_what_is_forgone() {
    use crate::tactics::{Choice, Search};
    let (mut state, me) = state_of(&[
        "☼☼☼☼☼☼☼☼☼",
        "☼       ☼",
        "☼☼☼H☼☼☼H☼",
        "☼$►H « H☼",
        "☼☼☼☼☼☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼",
        "☼☼☼☼☼☼☼☼☼",
    ]);
    let rival = state.join_at(state.size().cell(1, 1));
    let doubt = [(Choice::Hunt(0, me), 0.4), (Choice::Hunt(0, rival), 0.6)];
    let doubts = [doubt.into_iter().collect()];
    // To go right forgoes a gold.
    let search = Search {
        actions: [(Action::Left, 130.0), (Action::Right, 30.0)]
            .into_iter()
            .collect(),
        depth: 8,
        states: 9,
    };
    for (death, chosen, expected) in [
        (Some(0.0), Action::Left, 0.4),
        (Some(2.4), Action::Left, 0.4),
        (Some(2.6), Action::Right, 0.0),
        (None, Action::Right, 0.0),
    ] {
        let mut bot = Bot::new(Arc::new(Rules::CLASSIC), Params::DEFAULT);
        let (action, risk) = bot.least_risk(&mut state, me, &search, Action::Left, &doubts, death);
        assert_eq!(action, chosen, "{death:?}");
        assert!((risk - expected).abs() < 1e-9, "{death:?}: {risk}");
    }
}

#[test]
fn missed_boards_shorten_the_time_of_decisions_until_boards_come_in_time() {
    use std::time::{Duration, Instant};
    let mut bot = Bot::new(Arc::new(Rules::CLASSIC), Params::DEFAULT);
    let hour = Duration::from_secs(3600);
    let mut minutes = |missed| {
        let begin = Instant::now();
        let limit = Limit {
            deadline: Some(begin + hour),
            missed,
            ..Limit::default()
        };
        let end = bot.shortened(limit).deadline.expect("a deadline");
        end.duration_since(begin).as_secs_f64() / 60.0
    };
    let (whole, half, quarter) = (minutes(0), minutes(1), minutes(3));
    assert!((59.0..=60.0).contains(&whole), "{whole}");
    assert!((29.0..=31.0).contains(&half), "{half}");
    assert!((14.0..=16.0).contains(&quarter), "{quarter}");
    for _ in 0..60 {
        minutes(0);
    }
    assert!(minutes(0) > 59.0);
    assert!(bot.shortened(Limit::default()).deadline.is_none());
}
