//! Properties of the simulator in the dialects of 2021 and later: whole games through `Game`, and the same
//! field made and undone.

#[allow(dead_code, reason = "each test file uses its part")]
mod random;

use lodebot::board::{Action, Board, Dir, Metal};
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{
    Command, Event, Foreseen, Game, ItemKind, Level, Notice, PlayerNumber, Rolled, Rules, State,
    Unheard, Walk, perft,
};
use proptest::prelude::*;
use std::sync::Arc;

const DIALECTS: [Rules; 3] = [
    Rules::LODERUNNER_2021_04,
    Rules::LODERUNNER_2021_09,
    Rules::CLIFFORD,
];

/// A level text of a dialect: the classic one with some empty cells turned into its own things.
fn level(seed: u64, edge: usize, monsters: usize, rules: &Rules) -> Arc<Level> {
    let clifford = rules.name == "clifford";
    let things = if clifford {
        "m&@WMGsB+-!"
    } else {
        "S&@⊛S&@⊛"
    };
    let mut dice = Seeded::new(seed ^ 0x5EED);
    let text = random::level_text(seed, edge, monsters);
    let text: String = text
        .chars()
        .map(|glyph| match glyph {
            '«' if clifford => ')',
            '»' if clifford => '(',
            ' ' if dice.draw(6, Purpose::Sample) == 0 => {
                let pick = dice.draw(things.chars().count() as u32, Purpose::Sample);
                things.chars().nth(pick as usize).unwrap_or(' ')
            }
            glyph => glyph,
        })
        .collect();
    Level::parse(&text, rules).expect("a square level")
}

/// A dialect with settings that make things happen.
fn settings(which: usize, seed: u64) -> Rules {
    let mut rules = DIALECTS[which].clone();
    let mut dice = Seeded::new(seed ^ 0x5E77);
    let mut pick = |bound: u32| dice.draw(bound, Purpose::Sample);
    rules.counts.pills = i64::from(pick(4));
    rules.counts.portals = i64::from(pick(4));
    rules.counts.monsters = i64::from(pick(5));
    rules.counts.gold = [pick(4), pick(4), pick(4)].map(i64::from);
    rules.counts.ammo = i64::from(pick(3));
    rules.pill_ticks = i64::from(pick(9));
    rules.portal_ticks = i64::from(pick(9));
    rules.keys_return = pick(2) == 0;
    rules.gun.pause = i64::from(pick(3));
    rules.gun.clip = i64::from(1 + pick(4));
    rules.gun.unlimited = pick(2) == 0;
    rules.rounds.enabled = pick(3) == 0;
    rules.rounds.time = i64::from(10 + pick(20));
    rules.rounds.time_before_start = i64::from(1 + pick(3));
    rules.rounds.per_match = 1000;
    rules
}

/// What a careless client sends.
fn words(dice: &mut Seeded, rules: &Rules) -> Command {
    const TEXTS: [&str; 14] = [
        "LEFT",
        "RIGHT",
        "LEFT",
        "RIGHT",
        "UP",
        "DOWN",
        "ACT,LEFT",
        "ACT,RIGHT",
        "ACT",
        "ACT(1)",
        "ACT(1),LEFT",
        "ACT(2)",
        "ACT(3),RIGHT",
        "",
    ];
    let text = if dice.draw(60, Purpose::Sample) == 0 {
        "ACT(0)"
    } else {
        TEXTS[dice.draw(TEXTS.len() as u32, Purpose::Sample) as usize]
    };
    Command::parse(text, &rules.grammar)
}

/// A game that has been played for some ticks; every state on the way is valid.
fn played(which: usize, seed: u64, players: usize, ticks: usize) -> (Game, Seeded) {
    let rules = settings(which, seed);
    let edge = 6 + seed as usize % 8;
    let level = level(seed, edge, 4, &rules);
    let mut game = Game::new(level, Arc::new(rules.clone()));
    let mut dice = Seeded::new(seed ^ 0xD1CE);
    for player in 0..players {
        let team = (player % 2) as u8;
        game.join_team(team, &mut dice).expect("room");
    }
    for _ in 0..ticks {
        let commands: Vec<Command> = (0..players).map(|_| words(&mut dice, &rules)).collect();
        game.tick(&commands, &mut dice);
        assert_eq!(game.state().check(), Ok(()));
    }
    (game, dice)
}

/// One tick of the field as the server makes it, but without rounds.
fn step(state: &mut State, dice: &mut Seeded) {
    let rules = Arc::clone(state.rules());
    for id in state.seats().to_vec() {
        let command = words(dice, &rules);
        state.command(id, &command);
    }
    for seat in 0..state.seats().len() {
        state.respawn(seat, &mut Rolled(dice));
    }
    state.tick(&mut Rolled(dice), &mut Unheard);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn undo_brings_back_state_hash_and_dice(
        which in 0usize..3, seed in any::<u64>(), players in 1usize..6, before in 0usize..30,
        legs in prop::collection::vec(1usize..30, 1..4),
    ) {
        let (game, mut dice) = played(which, seed, players, before);
        let mut state = game.state().clone();
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
            prop_assert_eq!(state.full_hash(), copy.hash());
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
    fn the_three_walks_of_perft_agree(
        which in 0usize..3, seed in any::<u64>(), players in 1usize..4, before in 0usize..20,
    ) {
        let (game, _) = played(which, seed, players, before);
        let mut state = game.state().clone();
        let expected = perft(&mut state, 3, Walk::Clone);
        prop_assert_eq!(perft(&mut state, 3, Walk::Undo), expected);
        prop_assert_eq!(perft(&mut state, 3, Walk::Table), expected);
    }

    /// What is drawn can be spelt, read back and spelt again.
    #[test]
    fn drawn_boards_use_the_dialects_glyphs_only(
        which in 0usize..3, seed in any::<u64>(), players in 1usize..5, ticks in 0usize..40,
    ) {
        let (game, _) = played(which, seed, players, ticks);
        let alphabet = game.state().rules().alphabet;
        for player in 0..players {
            let board = game.board(PlayerNumber(player)).expect("is there");
            let text = board.render(alphabet);
            prop_assert_eq!(Board::parse(&text, alphabet).expect("its own glyphs"), board);
        }
    }

    /// With full refills the field holds what the settings say, or less where there is no room.
    #[test]
    fn refill_never_leaves_more_than_the_settings(which in 0usize..3, seed in any::<u64>()) {
        let (game, _) = played(which, seed, 2, 12);
        let state = game.state();
        let counts = state.rules().counts;
        if game.clock().is_none() {
            let of = |kind| state.items().iter().filter(|item| item.kind == kind).count() as i64;
            prop_assert!(of(ItemKind::Pill) <= counts.pills);
            prop_assert!(of(ItemKind::Portal) <= counts.portals);
            prop_assert!(state.monsters().len() as i64 <= counts.monsters);
            prop_assert!(state.gold().len() as i64 <= counts.gold.iter().sum());
        }
    }
}

fn room(text: &str, rules: &Rules) -> State {
    let level = Level::parse(text, rules).expect("a square level");
    State::new(level, Arc::new(rules.clone()))
}

/// DIALECTS section 2: one `act`, four meanings, by dialect.
#[test]
fn act_means_what_the_dialect_says() {
    for rules in DIALECTS {
        let clifford = rules.name == "clifford";
        for (text, digs) in [
            ("ACT", true),
            ("ACT(7)", !clifford),
            ("ACT(0,1)", !clifford),
        ] {
            let mut state = room("☼☼☼☼☼\n☼   ☼\n☼###☼\n☼###☼\n☼☼☼☼☼", &rules);
            let hero = state.join_at(state.size().cell(1, 1));
            state.command(hero, &Command::parse(text, &rules.grammar));
            state.tick(&mut Foreseen, &mut Unheard);
            assert_eq!(state.holes().len() == 1, digs, "{} {text}", rules.name);
        }
    }
}

/// DIALECTS section 5: a key opens one door, and a closed door stops a step.
#[test]
fn a_key_opens_a_door() {
    let mut state = room("☼☼☼☼☼\n☼ +G☼\n☼###☼\n☼###☼\n☼☼☼☼☼", &Rules::CLIFFORD);
    let hero = state.join_at(state.size().cell(1, 1));
    let door = state.size().cell(3, 1);
    let mut say = |text: &str| {
        state.command(hero, &Command::parse(text, &Rules::CLIFFORD.grammar));
        state.tick(&mut Foreseen, &mut Unheard);
        (
            state.hero(hero).cell,
            state.gear(hero).keys[Metal::Gold as usize],
        )
    };
    assert_eq!(say("RIGHT").1, 1);
    assert_ne!(say("RIGHT").0, door);
    assert_eq!(say("ACT(2)").1, 0);
    assert_eq!(say("RIGHT").0, door);
}

/// DIALECTS section 5: a bullet starts with one cell, flies two a tick, is turned back once, and then hits
/// its shooter.
#[test]
fn a_bullet_comes_back() {
    let mut state = room(
        "☼☼☼☼☼☼☼\n☼     ☼\n☼#####☼\n☼#####☼\n☼#####☼\n☼#####☼\n☼☼☼☼☼☼☼",
        &Rules::CLIFFORD,
    );
    let size = state.size();
    let hero = state.join_at(size.cell(1, 1));
    state.command(hero, &Command::parse("ACT(1)", &Rules::CLIFFORD.grammar));
    let mut events: Vec<_> = Vec::new();
    let mut places = Vec::new();
    while state.hero(hero).alive {
        state.tick(&mut Foreseen, &mut events);
        places.extend(state.items().iter().map(|bullet| size.x(bullet.cell)));
    }
    assert_eq!(places, [2, 4, 6, 4, 2]);
    assert_eq!(events, [(hero, Event::Death), (hero, Event::Suicide)]);
}

/// DIALECTS section 3: pills kill, and portals lead round.
#[test]
fn a_pill_kills_and_a_portal_leads_on() {
    for rules in [Rules::LODERUNNER_2021_04, Rules::LODERUNNER_2021_09] {
        let mut state = room("☼☼☼☼☼☼\n☼ ⊛ ⊛☼\n☼####☼\n☼ S  ☼\n☼####☼\n☼☼☼☼☼☼", &rules);
        let size = state.size();
        let hunter = state.join_at(size.cell(1, 3));
        let victim = state.join_at(size.cell(3, 3));
        let mut events: Vec<_> = Vec::new();
        for _ in 0..2 {
            state.act(hunter, Action::Right);
            state.tick(&mut Foreseen, &mut events);
        }
        assert_eq!(state.hero(hunter).cell, state.hero(victim).cell);
        assert_eq!(events, [(victim, Event::Death), (hunter, Event::Kill)]);
        let traveller = state.join_at(size.cell(1, 1));
        state.act(traveller, Action::Right);
        state.tick(&mut Foreseen, &mut events);
        assert_eq!(state.hero(traveller).cell, size.cell(4, 1));
        assert_eq!(state.portal_exit(size.cell(4, 1)), Some(size.cell(2, 1)));
    }
}

/// DIALECTS section 6: the messages and events of a short match.
#[test]
fn a_round_is_counted_down_and_won() {
    let mut rules = Rules::LODERUNNER_2021_04;
    for (key, value) in [
        ("ENEMIES_COUNT", "0"),
        ("GOLD_COUNT_GREEN", "0"),
        ("GOLD_COUNT_YELLOW", "0"),
        ("GOLD_COUNT_RED", "0"),
        ("ROUNDS_TIME", "4"),
        ("ROUNDS_TIME_BEFORE_START", "2"),
    ] {
        rules.set(key, value).expect("a setting");
    }
    let level = Level::parse("☼☼☼☼☼\n☼   ☼\n☼   ☼\n☼###☼\n☼☼☼☼☼", &rules).expect("square");
    let mut game = Game::new(level, Arc::new(rules));
    let mut dice = Seeded::new(3);
    for _ in 0..2 {
        game.join(&mut dice).expect("room");
    }
    let mut told = Vec::new();
    while game.over().is_empty() {
        game.tick(&[], &mut dice);
        told.extend_from_slice(&game.players()[0].events);
    }
    let expected = [
        Event::Message(Notice::Countdown(1)),
        Event::RoundStart,
        Event::Message(Notice::Round(1)),
        Event::RoundWin,
    ];
    assert_eq!(told, expected);
    assert_eq!(game.over().len(), 2);
    assert_eq!(Notice::Countdown(3).text(), "...3...");
}

/// Facing matters for the shot; the four directions are drawn as two.
#[test]
fn a_bullet_opens_a_brick() {
    let mut state = room("☼☼☼☼☼\n☼ # ☼\n☼###☼\n☼###☼\n☼☼☼☼☼", &Rules::CLIFFORD);
    let size = state.size();
    let hero = state.join_at(size.cell(1, 1));
    assert_eq!(state.hero(hero).facing, Dir::Right);
    state.command(hero, &Command::parse("ACT(1)", &Rules::CLIFFORD.grammar));
    state.tick(&mut Foreseen, &mut Unheard);
    assert!(!state.tile(size.cell(2, 1)).is_full_brick());
    assert!(state.items().is_empty());
    assert_eq!(
        state.hole_at(size.cell(2, 1)).and_then(|hole| hole.owner),
        Some(hero)
    );
}
