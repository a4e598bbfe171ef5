//! Tests of whole matches in this process; those of the command and of external bots are in `tests/arena.rs`.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::levels;
use crate::params::Params;
use crate::record::Reader;
use crate::sim::Rules;
use crate::stats::{Boundaries, Verdict};

fn plan(bots: &[&str], level: &str) -> Plan {
    let entrants = bots.iter().map(|bot| {
        let mut params = Params::default();
        params.assign("suicide=free").expect("a policy");
        Entrant::parse(bot, &params).expect("a bot")
    });
    let board = levels::load_board(level, &Rules::CLASSIC).expect("a shipped level");
    let plan = Plan::new(entrants.collect(), Rules::CLASSIC, level, board);
    Plan {
        seeds: 6,
        ticks: 120,
        ..plan.expect("a level")
    }
}

fn on_threads(plan: &Plan, threads: usize) -> End {
    let options = Options {
        threads,
        ..Options::default()
    };
    run(plan, &options, &AtomicBool::new(false), |_| {}).expect("a match")
}

fn json(plan: &Plan, end: &End) -> String {
    serde_json::to_string(&Summary::of(plan, &end.results)).expect("plain values")
}

#[test]
fn results_are_the_same_for_any_number_of_threads() {
    for solo in [false, true] {
        let plan = Plan {
            solo,
            ..plan(&["greedy", "walker", "random"], "towers-16")
        };
        let (one, three) = (on_threads(&plan, 1), on_threads(&plan, 3));
        assert!(one.complete && three.complete);
        assert_eq!(one.results, three.results);
        assert_eq!(json(&plan, &one), json(&plan, &three));
        assert!(one.results.iter().any(|game| game.tallies[0].gold > 0));
    }
}

#[test]
fn every_seed_is_a_game_and_seats_rotate() {
    let plan = plan(&["greedy", "walker", "random"], "first-10");
    let end = on_threads(&plan, 2);
    let seeds: Vec<u64> = end.results.iter().map(|game| game.seed).collect();
    assert_eq!(seeds, [1, 2, 3, 4, 5, 6]);
    let seats: Vec<&[usize]> = end.results.iter().map(|game| &game.seats[..]).collect();
    assert_eq!(&seats[..3], [&[0, 1, 2], &[1, 2, 0], &[2, 0, 1]]);
    assert_eq!(Summary::of(&plan, &end.results).pairs.len(), 3);
}

#[test]
fn alone_every_bot_plays_every_seed_as_if_the_others_were_not_there() {
    let both = Plan {
        solo: true,
        ..plan(&["greedy", "walker"], "towers-16")
    };
    let greedy = plan(&["greedy"], "towers-16");
    let (both_end, greedy_end) = (on_threads(&both, 2), on_threads(&greedy, 2));
    let first: Vec<Tally> = both_end
        .results
        .iter()
        .filter(|game| game.seats == [0])
        .map(|game| game.tallies[0])
        .collect();
    let alone: Vec<Tally> = greedy_end
        .results
        .iter()
        .map(|game| game.tallies[0])
        .collect();
    assert_eq!(first, alone);
    let summary = Summary::of(&both, &both_end.results);
    assert_eq!((summary.bots[0].games, summary.pairs[0].games), (6, 6));
    let difference = summary.bots[0].score_mean - summary.bots[1].score_mean;
    assert!((summary.pairs[0].diff_mean - difference).abs() < 1e-9);
    let pair = &summary.pairs[0];
    assert_eq!(pair.wins + pair.ties + pair.losses, 6);
}

#[test]
fn without_monsters_nobody_dies_of_them() {
    let mut plan = Plan {
        solo: true,
        ..plan(&["walker", "random"], "bridges-24")
    };
    plan.remove_monsters().expect("still a level");
    assert!(plan.level.monsters().is_empty());
    let walker = &Summary::of(&plan, &on_threads(&plan, 2).results).bots[0];
    // It never digs, so nothing is left that could kill it.
    assert_eq!((walker.deaths_mean, walker.suicides_mean), (0.0, 0.0));
}

#[test]
fn stalled_ticks_are_those_later_than_fifty_after_the_last_gold() {
    // No gold at all: of 120 ticks the first 50 are not called stalled.
    let end = on_threads(&without_gold(), 1);
    assert!(end.results.iter().all(|game| game.tallies[0].stalled == 70));
}

/// Greedy in an empty room.
fn without_gold() -> Plan {
    let text = "☼☼☼☼☼\n☼   ☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼";
    let board = crate::board::Board::parse(text, Rules::CLASSIC.alphabet).expect("a board");
    let bot = Entrant::parse("greedy", &Params::default()).expect("a bot");
    Plan {
        seeds: 2,
        ticks: 120,
        ..Plan::new(vec![bot], Rules::CLASSIC, "empty", board).expect("a level")
    }
}

#[test]
fn free_suicide_is_counted_apart_from_death_and_can_be_forbidden() {
    // Without gold there is never any near: of every two ticks one is a suicide and one a dead hero's.
    let empty = Plan {
        entrants: plan(&["teleporter"], "first-10").entrants,
        ..without_gold()
    };
    let summary = Summary::of(&empty, &on_threads(&empty, 2).results);
    assert!(summary.bots[0].deaths_mean.abs() < 1e-9);
    assert!(summary.bots[0].suicides_mean > 30.0);
    let free = plan(&["teleporter"], "city-40");
    let stuck = Plan {
        entrants: vec![Entrant::parse("teleporter", &Params::default()).expect("a bot")],
        ..free
    };
    let greedy = plan(&["greedy"], "city-40");
    assert_eq!(
        on_threads(&stuck, 2).results,
        on_threads(&greedy, 2).results
    );
}

#[test]
fn an_interrupted_match_goes_on_to_the_same_bytes() {
    let plan = plan(&["greedy", "walker"], "first-10");
    let whole = tempfile::tempdir().expect("a directory");
    let broken = tempfile::tempdir().expect("a directory");
    let options = |directory: &tempfile::TempDir| Options {
        threads: 2,
        directory: Some(directory.path().join("match")),
        record: Some(directory.path().join("games.jsonl.gz")),
    };
    let never = AtomicBool::new(false);
    run(&plan, &options(&whole), &never, |_| {}).expect("a match");

    let stop = AtomicBool::new(false);
    let told = |games: u64| stop.store(games >= 2, Ordering::Relaxed);
    // Games of the batch that were done before the flag may count too; stop again until it is over.
    let first = run(&plan, &options(&broken), &stop, told).expect("a match");
    assert!(first.results.len() >= 2);
    let torn = broken.path().join("match/games.jsonl");
    let mut text = std::fs::read_to_string(&torn).expect("results");
    text.truncate(text.len() - 7);
    std::fs::write(&torn, text).expect("torn");
    let last = run(&plan, &options(&broken), &never, |_| {}).expect("a match");
    assert!(last.complete);

    for file in ["match/games.jsonl", "match/plan.txt", "games.jsonl.gz"] {
        let bytes = |directory: &tempfile::TempDir| std::fs::read(directory.path().join(file));
        assert_eq!(
            bytes(&whole).expect("a file"),
            bytes(&broken).expect("a file"),
            "{file}"
        );
    }
    let other = Plan { ticks: 121, ..plan };
    let error = run(&other, &options(&broken), &never, |_| {}).expect_err("another match");
    assert!(matches!(error, LedgerError::OtherMatch(_)), "{error}");
}

#[test]
fn a_record_can_be_read_and_is_the_same_with_and_without_a_directory() {
    let plan = plan(&["greedy", "random"], "first-10");
    let place = tempfile::tempdir().expect("a directory");
    let mut texts = Vec::new();
    for directory in [None, Some(place.path().join("match"))] {
        let path = place.path().join(format!("games-{}.jsonl", texts.len()));
        let options = Options {
            threads: 2,
            directory,
            record: Some(path.clone()),
        };
        run(&plan, &options, &AtomicBool::new(false), |_| {}).expect("a match");
        let games = Reader::open(&path).expect("a log").games();
        let games: Vec<_> = games.collect::<Result<_, _>>().expect("whole games");
        assert_eq!(games.len(), 6);
        texts.push(std::fs::read_to_string(path).expect("a text"));
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_sequential_test_ends_after_the_same_game_on_any_number_of_threads() {
    let test = SequentialTest {
        effects: [0.0, 0.5],
        boundaries: Boundaries::new(0.05, 0.05).expect("error rates"),
    };
    let plan = Plan {
        solo: true,
        seeds: 100,
        ticks: 60,
        sequential: Some(test),
        ..plan(&["greedy", "random"], "first-10")
    };
    let (one, four) = (on_threads(&plan, 1), on_threads(&plan, 4));
    assert_eq!(one.results, four.results);
    assert!(one.complete && one.results.len() < 200);
    let state = Summary::of(&plan, &one.results).sequential.expect("a test");
    assert_eq!(state.verdict, Verdict::Alternative);
    assert_eq!(state.seeds * 2, one.results.len());
}

#[test]
fn bots_of_the_same_name_are_told_apart() {
    let plan = plan(&["greedy", "greedy", "dp:depth=3", "greedy"], "first-10");
    let names: Vec<&str> = plan.entrants.iter().map(|bot| bot.name.as_str()).collect();
    assert_eq!(names, ["greedy", "greedy #2", "dp:depth=3", "greedy #3"]);
}

#[test]
fn wrong_bots_and_matches_are_refused_in_one_sentence() {
    let message = |bot: &str| {
        let error = Entrant::parse(bot, &Params::default()).expect_err("no bot");
        format!("{:#}", anyhow::Error::from(error))
    };
    assert!(message("gredy").contains("did you mean greedy?"));
    assert!(message("greedy:depth=3").contains("takes no parameters"));
    assert!(message("dp:dept=3").contains("dept"));
    assert!(message("cmd:no-such-program-anywhere").contains("no-such-program-anywhere"));
    assert!(message("cmd:").contains("empty"));
    let refused = |change: fn(&mut Plan)| {
        let mut plan = plan(&["greedy"], "first-10");
        change(&mut plan);
        plan.check().expect_err("no match").to_string()
    };
    assert!(refused(|plan| plan.seeds = 0).contains("at least one seed"));
    assert!(refused(|plan| plan.first_seed = u64::MAX).contains("below 2^64"));
    assert!(refused(|plan| plan.entrants.clear()).contains("at least one bot"));
    let crowd = refused(|plan| plan.entrants = vec![plan.entrants[0].clone(); 129]);
    assert!(crowd.contains("129"), "{crowd}");
}

#[test]
fn dp_plays_a_whole_game_from_boards_alone() {
    let plan = Plan {
        seeds: 1,
        ticks: 60,
        ..plan(&["dp:depth=4"], "first-10")
    };
    let end = on_threads(&plan, 1);
    assert!(end.results[0].tallies[0].gold > 0, "{:?}", end.results[0]);
}
