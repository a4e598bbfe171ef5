//! Tests of whole tunings with made-up scores and with tiny games; those of the command are in `tests/tune.rs`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::arena::Plan;
use crate::levels;
use crate::params::Params;
use crate::sim::Rules;

/// A level as a plan without bots.
fn plans() -> Vec<Plan> {
    let plan = |level: &str| {
        let board = levels::load_board(level, &Rules::CLASSIC).expect("a shipped level");
        Plan::new(Vec::new(), Rules::CLASSIC, level, board).expect("a level")
    };
    ["first-10", "towers-16"].map(plan).to_vec()
}

fn setup(method: Method) -> Setup {
    // A bot that thinks little: these games only have to differ.
    let mut base = Params::default();
    for assignment in [
        "depth=2",
        "spare_states=0",
        "trial_golds=0",
        "survival_ticks=0",
        "strategy=nearest",
    ] {
        base.assign(assignment).expect("a parameter");
    }
    let mut task = Task::new("dp", &base, "classic", 30).expect("a bot with parameters");
    task.set_stages(&plans());
    let axes = ["inflation:0.9..1:0.01", "trap_range", "fine_exact:0..0.5"];
    Setup {
        method,
        population: 6,
        rounds: 5,
        seeds: 2,
        first_seed: 10,
        axes: axes
            .map(|axis| Axis::parse(axis, &base).expect("an axis"))
            .to_vec(),
        task,
    }
}

const METHODS: [Method; 2] = [Method::Spsa { r_end: 0.2 }, Method::CmaEs { spread: 2.0 }];

fn begin(method: Method) -> State {
    State::new(setup(method)).expect("a setup")
}

/// Scores that are best near the middle of the ranges.
fn score(candidate: &Candidate) -> Outcome {
    let distance = |name: &str, best: f64, scale: f64| {
        let value = candidate.params[name].as_f64().expect("a number");
        ((value - best) / scale).powi(2)
    };
    let loss = distance("inflation", 0.95, 0.01)
        + distance("trap_range", 9.0, 1.0)
        + distance("fine_exact", 0.2, 0.01);
    Outcome {
        tuning: candidate.tuning.clone(),
        id: candidate.id,
        scores: vec![(-100.0 * loss) as i64; 4],
    }
}

fn placed(outcome: Outcome) -> (String, Outcome) {
    ("results.jsonl, line 3".to_owned(), outcome)
}

/// The file of a tuning that was told a round at a time.
fn whole(method: Method) -> String {
    let mut state = begin(method);
    while !state.is_over() {
        let outcomes: Vec<_> = state.ask().iter().map(score).map(placed).collect();
        assert_eq!(state.tell(&outcomes).expect("results").new, 6);
    }
    state.text()
}

fn read(text: &str) -> Result<State, StateError> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("state.json");
    std::fs::write(&path, text).expect("a file");
    State::load(&path)
}

#[test]
fn order_and_interruptions_leave_no_trace() {
    for method in METHODS {
        let expected = whole(method);
        let mut state = begin(method);
        let mut round = 0;
        while !state.is_over() {
            let mut asked = state.ask();
            // Another order in every round, one result at a time, the file written and read in between.
            asked.rotate_left(round % 6);
            asked.swap(0, 5);
            round += 1;
            for candidate in &asked {
                state = read(&state.text()).expect("our own file");
                let left = state.ask();
                assert!(left.contains(candidate));
                state.tell(&[placed(score(candidate))]).expect("a result");
            }
        }
        assert_eq!(state.text(), expected);
        assert!(state.ask().is_empty());
    }
}

#[test]
fn both_methods_climb() {
    for method in METHODS {
        let mut setup = setup(method);
        setup.rounds = 60;
        let mut state = State::new(setup).expect("a setup");
        while !state.is_over() {
            let outcomes: Vec<_> = state.ask().iter().map(score).map(placed).collect();
            state.tell(&outcomes).expect("results");
        }
        let history = state.history();
        let (first, _) = mean_and_best(&history[0]);
        let (last, _) = mean_and_best(&history[59]);
        assert!(last > first / 4.0, "{method:?}: {first} {last}");
    }
}

#[test]
fn results_may_come_twice_but_not_contradict() {
    let mut state = begin(METHODS[1]);
    let outcomes: Vec<_> = state.ask().iter().map(score).map(placed).collect();
    state.tell(&outcomes[..2]).expect("results");
    let told = state.tell(&outcomes).expect("results");
    assert_eq!(told, Told { new: 4, known: 2 });
    assert_eq!(state.round(), 1);
    let told = state.tell(&outcomes).expect("results");
    assert_eq!(told, Told { new: 0, known: 6 });
    let before = state.text();
    let mut refused = |change: fn(&mut Outcome), part: &str| {
        let mut wrong = outcomes[1].1.clone();
        change(&mut wrong);
        // A right one before it is not taken either.
        let right = score(&state.ask()[0]);
        let error = state.tell(&[placed(right), placed(wrong)]);
        let error = error.expect_err("a wrong result").to_string();
        assert!(error.starts_with("results.jsonl, line 3: "), "{error}");
        assert!(error.contains(part) && !error.contains('\n'), "{error}");
        assert_eq!(state.text(), before);
    };
    refused(|wrong| wrong.scores[0] += 1, "other scores already");
    refused(|wrong| wrong.id = 12, "has not been asked for");
    refused(|wrong| wrong.id = u64::MAX, "has not been asked for");
    refused(|wrong| wrong.tuning = "0".repeat(16), "its own state");
    refused(
        |wrong| {
            wrong.id = 7;
            wrong.scores.pop();
        },
        "3 scores where 4 games",
    );
}

#[test]
fn damaged_files_are_refused_in_one_sentence() {
    let text = whole(METHODS[1]);
    // Cut anywhere but behind the last brace.
    for end in (0..text.len() - 2).step_by(7) {
        let error = read(&text[..end]).expect_err("half a file").to_string();
        assert!(error.contains("not a whole state file"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let changed = |from: &str, to: &str, part: &str| {
        assert!(text.contains(from), "{from}");
        let error = read(&text.replacen(from, to, 1)).expect_err("a damaged file");
        let error = format!("{:#}", anyhow::Error::from(error));
        assert!(
            error.contains(part) && !error.contains('\n'),
            "{from}: {error}"
        );
    };
    changed("\"format\":1", "\"format\":2", "its format is 2");
    changed("\"seeds\":2", "\"seeds\":3", "changed after it was begun");
    changed("\"population\":6", "\"population\":0", "--population");
    changed("\"rounds\":5", "\"rounds\":4000000000", "--rounds");
    changed("\"first_seed\":10", "\"first_seed\":1e30", "expected u64");
    changed("\"min\":0.9", "\"min\":null", "not a whole state file");
    changed("\"min\":0.9", "\"min\":-3.5", "out of range");
    changed(
        "\"trap_range\"",
        "\"trap_rango\"",
        "did you mean `trap_range`?",
    );
    changed("\"trap_range\"", "\"engine\"", "cannot be tuned");
    changed(
        "\"open\":{}",
        "\"open\":{\"3\":[1,2,3,4]}",
        "not of the present round",
    );
    changed("[[", "[[1,2,3,4],[", "round 1 has not 6 candidates");
    changed(
        "\"verdicts\":[]",
        "\"verdicts\":[{\"round\":1,\"tuned\":[],\"first_seed\":5,\"seeds\":3,\"scores\":[]}]",
        "seeds that are its turn",
    );
    // The first seed of all verdicts, and half of a seed's two levels.
    changed(
        "\"verdicts\":[]",
        "\"verdicts\":[{\"round\":1,\"tuned\":[],\"first_seed\":4294967296,\"seeds\":3,\"scores\":[[1,2]]}]",
        "games that it does not ask for",
    );
}

#[test]
fn another_program_or_level_does_not_go_on() {
    let task = setup(METHODS[0]).task;
    let refused = |task: &Task, plans: Vec<Plan>| {
        Stages::new(task, plans)
            .expect_err("another game")
            .to_string()
    };
    let older = Task {
        version: "0.0.1".to_owned(),
        ..task.clone()
    };
    assert!(refused(&older, plans()).contains("0.0.1"));
    let other = Task {
        base_hash: "0".repeat(16),
        ..task.clone()
    };
    assert!(refused(&other, plans()).contains("default parameters"));
    let mut changed = plans();
    changed[1].remove_monsters().expect("a level");
    assert!(refused(&task, changed).contains("towers-16"));
    let external = Task {
        against: vec!["cmd:cat".to_owned()],
        ..task
    };
    assert!(refused(&external, plans()).contains("program of its own"));
}

#[test]
fn games_are_the_same_for_any_number_of_threads_and_pair_by_seed() {
    for against in [vec![], vec!["greedy".to_owned()]] {
        let mut task = setup(METHODS[1]).task;
        task.against = against;
        let stages = Stages::new(&task, plans()).expect("levels");
        let job = |first_seed, seeds| Job {
            assignments: vec!["inflation=0.97".to_owned()],
            first_seed,
            seeds,
        };
        let play = |jobs: &[Job], threads| {
            let never = AtomicBool::new(false);
            let scores = stages.play(jobs, threads, &never, || {});
            let scores = scores.expect("games").into_iter();
            scores
                .map(|scores| scores.expect("whole"))
                .collect::<Vec<_>>()
        };
        let jobs = [job(5, 3), job(6, 1)];
        let scores = play(&jobs, 1);
        assert_eq!(scores, play(&jobs, 3));
        assert_eq!((scores[0].len(), scores[1].len()), (6, 2));
        // Seed 6 is the same game wherever it stands.
        assert_eq!([scores[0][1], scores[0][4]], scores[1][..]);
        assert!(scores[0].iter().any(|score| *score > 0));
        let stopped = stages.play(&jobs, 2, &AtomicBool::new(true), || {});
        assert_eq!(stopped.expect("no fault"), [None, None]);
    }
}

#[test]
fn a_verdict_sees_only_seeds_that_nothing_has_seen() {
    let mut state = begin(METHODS[1]);
    assert!(state.open_verdict(3).is_err());
    let mut used = BTreeSet::new();
    while !state.is_over() {
        let asked = state.ask();
        for candidate in &asked {
            used.extend(candidate.first_seed..candidate.first_seed + u64::from(candidate.seeds));
        }
        let outcomes: Vec<_> = asked.iter().map(score).map(placed).collect();
        state.tell(&outcomes).expect("results");
    }
    assert_eq!(used.len(), 10);
    let stages = Stages::new(&state.setup().task, plans()).expect("levels");
    let never = AtomicBool::new(false);
    let mut texts = Vec::new();
    for threads in [1, 3] {
        let mut state = read(&state.text()).expect("our own file");
        for _ in 0..2 {
            let number = state.open_verdict(3).expect("a tuned set");
            while !state.verdicts()[number].is_over(2) {
                // Another number of seeds does not begin another verdict.
                assert_eq!(state.open_verdict(5).expect("the same"), number);
                let whole = state.play_verdict(number, &stages, 2, threads, &never, || {});
                assert!(whole.expect("games"));
                state = read(&state.text()).expect("our own file");
            }
        }
        texts.push(state.text());
        for verdict in state.verdicts() {
            let seeds = verdict.first_seed..verdict.end();
            assert_eq!((seeds.clone().count(), verdict.scores.len()), (3, 6));
            for seed in seeds {
                assert!(used.insert(seed) || threads == 3, "seed {seed}");
            }
        }
    }
    assert_eq!(texts[0], texts[1]);
    // What tuning may use at most stays below what a verdict begins with.
    let mut largest = setup(METHODS[1]);
    (largest.first_seed, largest.seeds, largest.rounds) = (1 << 30, 1 << 16, 1 << 14);
    largest.check().expect("the largest");
    assert!(largest.round_seed(largest.rounds) < Setup::FRESH);
    largest.rounds += 1;
    assert!(largest.check().is_err());
}

#[test]
fn a_verdict_says_what_its_interval_says() {
    let verdict = |scores: &[[i64; 2]]| Verdict {
        round: 1,
        tuned: Vec::new(),
        first_seed: Setup::FRESH,
        seeds: scores.len() as u32,
        scores: scores.to_vec(),
    };
    let finding = |scores: &[[i64; 2]]| verdict(scores).judge(1).expect("scores").finding;
    let better = [[110, 100], [95, 80], [130, 118]];
    assert_eq!(finding(&better), Finding::Better);
    assert_eq!(finding(&better.map(|[a, b]| [b, a])), Finding::Worse);
    assert_eq!(
        finding(&[[110, 100], [80, 95], [130, 118]]),
        Finding::NotToldApart
    );
    // One game says nothing, however clear it looks.
    assert_eq!(finding(&better[..1]), Finding::NotToldApart);
    assert!(verdict(&[]).judge(1).is_none());
    let judged = verdict(&better).judge(1).expect("scores");
    assert!((judged.pair.difference.mean - 37.0 / 3.0).abs() < 1e-9);
}

#[test]
fn the_file_is_never_written_over_or_half() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("state.json");
    let state = begin(METHODS[0]);
    state.create(&path).expect("a new file");
    let error = state.create(&path).expect_err("it is there").to_string();
    assert!(error.contains("is there already") && error.contains("tune go"));
    let names = std::fs::read_dir(directory.path()).expect("a directory");
    assert_eq!(names.count(), 1);
    assert!(State::load(Path::new("no/such/file.json")).is_err());
    assert!(state.save(Path::new("no/such/file.json")).is_err());
}
