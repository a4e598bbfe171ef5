//! What the tracker knows of games in the later dialects, against the true state: things, portals, pill, keys, gun,
//! series by kind, deaths and rounds. And that the bot counts its own score as the server does.

use lodebot::board::{Action, Element, GoldKind};
use lodebot::bot::{Answer, Bot, Limit};
use lodebot::levels;
use lodebot::params::Params;
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{Command, Game, HeroId, ItemKind, Level, Rules, State};
use lodebot::track::{Picture, Tracker};
use std::sync::Arc;

/// A shipped level's game with the things it has, portals renewed now and then.
fn game(level: &str, rules: Rules) -> (Game, Arc<Rules>) {
    let board = levels::load_board(level, &rules).expect("a shipped level");
    let mut rules = levels::suited(level, &board, rules);
    rules.rounds.enabled = false;
    rules.portal_ticks = 40;
    rules.counts.pills = rules.counts.pills.max(2);
    let level = Level::from_board(&board).expect("few monsters");
    let rules = Arc::new(rules);
    (Game::new(level, Arc::clone(&rules)), rules)
}

/// Mostly the action before, so that the hero gets about.
fn pick(dice: &mut Seeded, before: Action, clifford: bool) -> Action {
    if dice.draw(3, Purpose::Sample) > 0 {
        return before;
    }
    let count = if clifford {
        Action::MOST
    } else {
        Action::COUNT
    };
    let pick = dice.draw(count as u32, Purpose::Sample) as usize;
    Action::all().nth(pick).unwrap_or(Action::Stay)
}

/// What lies about, the portals' order apart. Bullets whose shot was not seen are not known.
fn lying(state: &State) -> Vec<(usize, String)> {
    let items = state.items().iter();
    let mut things: Vec<_> = items
        .filter(|item| !matches!(item.kind, ItemKind::Bullet { .. }))
        .map(|item| (item.cell.index(), format!("{:?}", item.kind)))
        .collect();
    things.sort();
    things
}

struct Seen {
    boards: u32,
    same_things: u32,
    exits: u32,
    pills: u32,
    keys: u32,
}

fn compare(picture: &Picture, truth: &State, hero: HeroId, seen: &mut Seen) {
    let me = picture.me.expect("drawn");
    let (believed, real) = (picture.state.hero(me), truth.hero(hero));
    assert_eq!(believed.cell, real.cell);
    assert_eq!(believed.alive, real.alive);
    seen.boards += 1;
    seen.same_things += u32::from(lying(&picture.state) == lying(truth));
    for &(portal, exit) in &picture.portals {
        assert_eq!(
            truth.portal_exit(portal),
            Some(exit),
            "a known exit is right"
        );
        seen.exits += 1;
    }
    if real.alive {
        assert_eq!(believed.pill, real.pill, "the own pill");
        let (gear, own) = (picture.state.gear(me), truth.gear(hero));
        assert_eq!((gear.keys, gear.rest), (own.keys, own.rest), "keys and gun");
        seen.pills += u32::from(real.pill >= 0);
        seen.keys += u32::from(own.keys != [0; 3]);
    }
}

#[test]
fn one_hero_knows_what_lies_about_where_portals_lead_and_what_it_carries() {
    let mut seen = Seen {
        boards: 0,
        same_things: 0,
        exits: 0,
        pills: 0,
        keys: 0,
    };
    for (level, rules) in [
        ("lattice-26", Rules::LODERUNNER_2021_04),
        ("wells-20", Rules::LODERUNNER_2021_09),
        ("manor-26", Rules::CLIFFORD),
        ("backways-20", Rules::CLIFFORD),
    ] {
        for seed in 0..2 {
            let (mut game, rules) = game(level, rules.clone());
            let mut dice = Seeded::new(seed);
            let mut choice = Seeded::new(seed ^ 0xAC7);
            let me = game.join(&mut dice).expect("room");
            let mut tracker = Tracker::new(Arc::clone(&rules));
            let (mut action, mut answered) = (Action::Stay, None);
            for _ in 0..200 {
                let board = game.board(me).expect("present");
                let picture = tracker.observe(&board, answered).expect("tracked");
                picture.state.check().expect("valid");
                // A bullet whose way is not known is left out.
                let drawn = picture.state.draw(picture.me);
                for (cell, element) in board.iter() {
                    let same = drawn.at(cell) == element || element == Element::Bullet;
                    assert!(same, "{level} seed {seed}: {element:?}");
                }
                let hero = game.players()[me.0].hero.expect("present");
                compare(&picture, game.state(), hero, &mut seen);
                action = pick(&mut choice, action, rules.name == "clifford");
                let command = Command::parse(action.wire(), &rules.grammar);
                game.tick(&[command], &mut dice);
                answered = Some(action);
            }
        }
    }
    assert!(
        seen.same_things * 100 >= seen.boards * 95,
        "{} of {}",
        seen.same_things,
        seen.boards
    );
    assert!(seen.exits > 50 && seen.pills > 20 && seen.keys > 5);
}

#[test]
fn the_bot_counts_its_score_as_the_server_does() {
    for (level, rules) in [
        ("colours-18", Rules::LODERUNNER_2021_04),
        ("shadows-22", Rules::LODERUNNER_2021_09),
        ("doors-18", Rules::CLIFFORD),
    ] {
        let (mut game, rules) = game(level, rules);
        let mut dice = Seeded::new(5);
        let me = game.join(&mut dice).expect("room");
        let mut params = Params::DEFAULT;
        params.assign("depth=3").expect("a parameter");
        let mut bot = Bot::new(Arc::clone(&rules), params);
        let mut sent = None;
        for tick in 0..90 {
            let board = game.board(me).expect("present").render(rules.alphabet);
            let mut answer = bot.decide(&board, sent, Limit::default()).answer;
            let real = &game.players()[me.0].score;
            assert_eq!(bot.score().points(), real.points(), "{level} tick {tick}");
            for kind in GoldKind::ALL {
                assert_eq!(
                    bot.score().series(kind),
                    real.series(kind),
                    "{level} tick {tick}"
                );
            }
            if tick == 60 {
                answer = Answer::Suicide;
            }
            game.tick(&[Command::parse(answer.wire(), &rules.grammar)], &mut dice);
            sent = Some(answer);
        }
        assert!(bot.tally().0 > 3, "{level}: gold {}", bot.tally().0);
    }
}

#[test]
fn waiting_for_a_round_is_no_death() {
    let mut rules = Rules::LODERUNNER_2021_04;
    rules.rounds.time_before_start = 8;
    let board = levels::load_board("colours-18", &rules).expect("a shipped level");
    let level = Level::from_board(&board).expect("few monsters");
    let rules = Arc::new(rules);
    let mut game = Game::new(level, Arc::clone(&rules));
    let mut dice = Seeded::new(1);
    let me = game.join(&mut dice).expect("room");
    let mut bot = Bot::new(Arc::clone(&rules), Params::DEFAULT);
    let mut sent = None;
    let mut idle = 0;
    for _ in 0..12 {
        let board = game.board(me).expect("present").render(rules.alphabet);
        let decision = bot.decide(&board, sent, Limit::default());
        idle += u32::from(decision.search.is_none());
        sent = Some(decision.answer);
        let command = Command::parse(decision.answer.wire(), &rules.grammar);
        game.tick(&[command], &mut dice);
    }
    assert!(idle >= 7, "{idle}");
    assert!(bot.tally().1 <= 1, "deaths {}", bot.tally().1);
}
