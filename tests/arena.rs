//! The arena's command, and external bots that behave badly: each is named, and the others play on.
#![cfg(unix)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A short match on a small level with these further arguments.
fn arena(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args([
            "arena", "--level", "first-10", "--seeds", "2", "--ticks", "20", "-q",
        ])
        .args(["--move-limit", "300", "--start-limit", "5000"])
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

/// A program in a directory of its own.
struct Script {
    directory: TempDir,
}

impl Script {
    fn new(text: &str) -> Script {
        let directory = tempfile::tempdir().expect("a directory");
        let script = Script { directory };
        fs::write(script.path(), text).expect("a file");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(script.path(), executable).expect("a mode");
        script
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join("bot.sh")
    }

    fn bot(&self) -> String {
        format!("cmd:{}", self.path().display())
    }
}

/// Runs a badly behaved program beside greedy: exit code 1, its faults, and greedy played both games.
fn faults_of(text: &str) -> Vec<Value> {
    let script = Script::new(text);
    let output = arena(&["--bot", &script.bot(), "--bot", "greedy", "--json"]);
    let result = json(&output);
    assert_eq!(output.status.code(), Some(1), "{result}");
    for bot in 0..2 {
        assert_eq!(result["bots"][bot]["games"], 2, "{result}");
    }
    assert!(
        result["bots"][1]["gold_mean"].as_f64() > Some(0.0),
        "{result}"
    );
    let faults = result["faults"].as_array().expect("a list").clone();
    assert_eq!(result["bots"][0]["faulty"], faults.len(), "{result}");
    for fault in &faults {
        assert_eq!(fault["name"], script.bot().as_str());
        assert_eq!(fault["bot"], 0);
        // The last board that it was given is kept whole.
        assert_eq!(
            fault["board"].as_str().map(|board| board.chars().count()),
            Some(100)
        );
    }
    faults
}

#[test]
fn a_well_behaved_program_plays_without_faults() {
    let script = Script::new(
        "#!/bin/sh\nwhile read -r board; do case \"$board\" in board=*) echo RIGHT;; *) exit 9;; esac; done\n",
    );
    let output = arena(&["--bot", &script.bot(), "--bot", "greedy", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let result = json(&output);
    assert_eq!(result["faults"], Value::Array(Vec::new()));
    assert_eq!(result["seeds"], serde_json::json!([1, 2]));
}

#[test]
fn silence_is_an_answer() {
    let script = Script::new("#!/bin/sh\nwhile read -r board; do echo; done\n");
    let output = arena(&["--bot", &script.bot(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn a_program_that_is_not_there_never_becomes_a_result() {
    for (bot, word) in [
        ("cmd:./no-such-bot", "no-such-bot"),
        ("cmd:Cargo.toml", "Cargo.toml"),
        ("cmd:'open", "quote"),
        ("gredy", "greedy"),
    ] {
        let output = arena(&["--bot", bot, "--bot", "greedy"]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(output.stdout.is_empty());
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(word), "{complaint}");
    }
}

#[test]
fn a_program_that_cannot_be_run_is_named() {
    // Executable, but what it wants to be run by is not there.
    let script = Script::new("#!/no/such/interpreter\n");
    let output = arena(&["--bot", &script.bot(), "--bot", "greedy", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let result = json(&output);
    assert_eq!(result["faults"][0]["kind"], "not-started");
    assert_eq!(result["faults"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_program_that_ends_at_once_is_named_with_its_exit_status() {
    let faults = faults_of("#!/bin/sh\necho 'no config' >&2\nexit 3\n");
    assert_eq!(faults.len(), 2);
    assert_eq!(faults[0]["kind"], "died");
    assert_eq!(faults[0]["tick"], 1);
    assert_eq!(faults[0]["status"], "exit status: 3");
    assert_eq!(faults[0]["errors"], "no config");
}

#[test]
fn a_program_that_dies_later_is_named_with_the_tick() {
    let faults =
        faults_of("#!/bin/sh\nfor n in 1 2 3 4; do read -r b; echo UP; done\nkill -9 $$\n");
    assert_eq!(faults.len(), 2);
    assert_eq!(
        (&faults[0]["kind"], &faults[0]["tick"]),
        (&"died".into(), &5.into())
    );
    assert!(
        faults[0]["status"]
            .as_str()
            .is_some_and(|status| status.contains('9'))
    );
}

#[test]
fn a_program_that_hangs_is_ended() {
    // It reads one board, answers and then neither reads nor writes.
    let faults = faults_of("#!/bin/sh\nread -r b; echo LEFT; exec sleep 1000\n");
    assert_eq!(faults.len(), 2);
    assert_eq!(
        (&faults[0]["kind"], &faults[0]["tick"]),
        (&"hung".into(), &2.into())
    );
    assert!(
        faults[0]["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("300 ms"))
    );
}

/// Neither one that has to be ended nor one that ends by itself leaves what it started behind.
#[test]
fn what_a_program_started_ends_with_it() {
    for (rest, code) in [
        ("read -r b; sleep 1000", 1),
        ("while read -r b; do echo LEFT; done", 0),
    ] {
        let place = tempfile::tempdir().expect("a directory");
        let beats = place.path().join("beats");
        // Should it be left behind it ends after some seconds.
        let helper = format!(
            "for n in $(seq 100); do echo >> '{}'; sleep 0.05; done",
            beats.display()
        );
        // It plays once what it started runs: a short game may be over before.
        let script = Script::new(&format!(
            "#!/bin/sh\n({helper}) &\nuntil [ -s '{}' ]; do sleep 0.01; done\n{rest}\n",
            beats.display()
        ));
        let output = arena(&["--bot", &script.bot(), "--bot", "greedy"]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let length = || fs::metadata(&beats).expect("beats").len();
        let before = length();
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert_eq!(before, length(), "{rest}");
    }
}

#[test]
fn a_program_that_floods_is_ended() {
    // All at once, so that it does not depend on who is faster.
    let faults = faults_of("#!/bin/sh\nyes LEFT | head -n 50\nexec sleep 60\n");
    assert_eq!((faults.len(), &faults[0]["kind"]), (2, &"flooded".into()));
    let faults = faults_of("#!/bin/sh\nread -r b; exec head -c 100000 /dev/zero\n");
    assert_eq!((faults.len(), &faults[0]["kind"]), (2, &"flooded".into()));
    assert!(
        faults[0]["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("4096"))
    );
}

#[test]
fn a_program_that_shouts_on_standard_error_is_kept_short_and_plays_on() {
    let script = Script::new(
        "#!/bin/sh\nyes 'a long complaint' | head -n 20000 >&2\nwhile read -r b; do echo LEFT; done\n",
    );
    let output = arena(&["--bot", &script.bot(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn nonsense_is_named_once_a_game_and_the_program_plays_on() {
    let faults = faults_of("#!/bin/sh\nwhile read -r b; do echo HELLO; done\n");
    assert_eq!(faults.len(), 2);
    assert_eq!(
        (&faults[0]["kind"], &faults[0]["tick"]),
        (&"nonsense".into(), &1.into())
    );
    assert!(
        faults[0]["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("HELLO"))
    );
}

#[test]
fn two_programs_of_one_name_are_two_bots() {
    let script = Script::new("#!/bin/sh\nread -r b; exit 0\n");
    let output = arena(&["--bot", &script.bot(), "--bot", &script.bot(), "--json"]);
    let result = json(&output);
    assert_eq!(
        result["bots"][1]["name"],
        format!("{} #2", script.bot()).as_str()
    );
    assert_eq!(result["faults"].as_array().map(Vec::len), Some(4));
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_after_an_interruption() {
    let run = |extra: &[&str]| {
        let mut arguments = vec![
            "--bot", "greedy", "--bot", "walker", "--bot", "random", "--seeds", "7",
        ];
        arguments.extend(extra);
        let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
            .args([
                "arena", "--level", "first-10", "--ticks", "60", "-q", "--json",
            ])
            .args(arguments)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let plain = run(&["--threads", "1"]);
    assert_eq!(run(&["--threads", "4"]), plain);
    // No more threads than games, whatever is asked for.
    assert_eq!(run(&["--threads", "99999"]), plain);
    let place = tempfile::tempdir().expect("a directory");
    let directory = place.path().join("match");
    let out = directory.to_str().expect("UTF-8");
    assert_eq!(run(&["--out", out]), plain);
    // As after a kill: some games, the last one half written.
    let games = directory.join("games.jsonl");
    let text = fs::read_to_string(&games).expect("results");
    fs::write(&games, &text[..text.len() / 2]).expect("a torn file");
    fs::remove_file(directory.join("result.json")).expect("a result");
    assert_eq!(run(&["--out", out]), plain);
    assert_eq!(fs::read_to_string(&games).expect("results"), text);
    assert_eq!(
        fs::read_to_string(directory.join("result.json")).expect("a result"),
        plain
    );
}

#[test]
fn the_output_has_the_keys_that_others_rely_on() {
    let output = arena(&["--bot", "greedy", "--bot", "walker", "--solo", "--json"]);
    let result = json(&output);
    for key in [
        "name",
        "games",
        "score_mean",
        "score_ci95",
        "gold_mean",
        "deaths_mean",
        "suicides_mean",
        "stalled_mean",
    ] {
        assert!(!result["bots"][0][key].is_null(), "{key}: {result}");
    }
    for key in ["a", "b", "games", "diff_mean", "diff_ci95"] {
        assert!(!result["pairs"][0][key].is_null(), "{key}: {result}");
    }
    assert_eq!(
        result["bots"][0]["score_ci95"].as_array().map(Vec::len),
        Some(2)
    );
    // No clock may be in a result.
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("ms") && !text.contains("latency"), "{text}");
}

/// No output depends on another one being asked for.
#[test]
fn all_pairs_of_outputs_go_together() {
    let place = tempfile::tempdir().expect("a directory");
    let file = |name: &str| place.path().join(name).to_str().expect("UTF-8").to_owned();
    let mut outputs = Vec::new();
    for choice in 0..8 {
        let (out, record) = (
            file(&format!("match-{choice}")),
            file(&format!("{choice}.jsonl")),
        );
        let mut arguments = vec!["--bot", "greedy", "--bot", "random", "--json"];
        if choice & 1 > 0 {
            arguments.extend(["--out", &out]);
        }
        if choice & 2 > 0 {
            arguments.extend(["--record", &record]);
        }
        if choice & 4 > 0 {
            arguments.push("--latency");
        }
        let output = arena(&arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        outputs.push(output.stdout);
    }
    assert!(outputs.iter().all(|output| *output == outputs[0]));
    let records = ["2.jsonl", "3.jsonl", "6.jsonl", "7.jsonl"];
    let texts = records.map(|name| fs::read(file(name)).expect("a log"));
    assert!(
        texts
            .iter()
            .all(|text| *text == texts[0] && !text.is_empty())
    );
}

#[test]
fn a_recorded_match_replays_without_divergence() {
    let place = tempfile::tempdir().expect("a directory");
    let record = place.path().join("games.jsonl.zst");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let output = arena(&[
        "--bot",
        "greedy",
        "--bot",
        "random",
        "--record",
        &path(&record),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let verified = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["replay", "verify", &path(&record)])
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&verified.stdout);
    assert!(
        text.contains("verified: games=2 skipped=0 ticks=40 divergences=0"),
        "{text}"
    );
}
