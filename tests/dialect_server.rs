//! The embedded server in every dialect, with the real binary on both sides: several players who are told nothing
//! find out what is played, settings under the server's own keys, rounds and teams; and the recorded game
//! verifies.

mod binary;
mod served;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use binary::{run, text};
use served::Served;

const BINARY: &str = env!("CARGO_BIN_EXE_lodebot");

/// Serves a game and records it.
fn serve(level: &str, rules: &str, settings: &[&str], log: &Path) -> Served {
    let mut command = Command::new(BINARY);
    command.args(["serve", level, "--rules", rules]);
    command.args(["--port", "0", "--lockstep"]);
    command.arg("--record").arg(log);
    for setting in settings {
        command.args(["--setting", setting]);
    }
    Served::start(&mut command)
}

/// Starts a player of this name.
fn player(served: &Served, name: &str, ticks: &str, folder: &Path) -> Child {
    // The address ends with the player's name and code.
    let (host, _) = served.address.rsplit_once('/').expect("a path");
    Command::new(BINARY)
        .args(["play", &format!("{host}/{name}?code=1"), "--ticks", ticks])
        .args(["--deadline", "40"])
        .current_dir(folder)
        .env_remove("LODEBOT_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the player starts")
}

fn texts(output: &Output) -> (String, String) {
    (text(&output.stdout), text(&output.stderr))
}

/// Plays a game of some players and verifies its record; what each player said at the end.
fn play(level: &str, rules: &str, settings: &[&str], players: usize, ticks: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("served.jsonl");
    let served = serve(level, rules, settings, &log);
    let names = ["ann", "bob", "cid", "dan"];
    let started: Vec<Child> = names[..players]
        .iter()
        .map(|name| player(&served, name, ticks, folder.path()))
        .collect();
    let mut said = Vec::new();
    for player in started {
        let output = player.wait_with_output().expect("it ends");
        let (stdout, stderr) = texts(&output);
        assert!(output.status.success(), "{rules}: {stdout}{stderr}");
        let played = format!("played: ticks={ticks} ");
        assert!(stdout.contains(&played), "{rules}: {stdout}{stderr}");
        said.push(stderr);
    }
    drop(served);
    let verified = run(&["replay", "verify", log.to_str().expect("UTF-8")], b"");
    let (stdout, stderr) = texts(&verified);
    assert!(
        stdout.contains("divergences=0"),
        "{rules}: {stdout}{stderr}"
    );
    said
}

fn assert_took(said: &[String], rules: &str) {
    for one in said {
        assert!(one.contains(&format!("rules: {rules}")), "{rules}: {one}");
    }
}

#[test]
fn classic_is_found_out() {
    assert_took(&play("tiny-8", "classic", &[], 2, "12"), "classic");
}

#[test]
fn loderunner_2021_09_is_found_out_with_settings() {
    let settings = [
        "MASK_POTIONS_COUNT=2",
        "BACKWAYS_COUNT=3",
        "ROBBERS_COUNT=1",
    ];
    let said = play("colours-18", "loderunner-2021-09", &settings, 2, "12");
    assert_took(&said, "loderunner-2021-09");
}

#[test]
fn rounds_of_2021_04_are_waited_for_and_tell_the_dialect() {
    let settings = [
        "ROUNDS_ENABLED=true",
        "ROUNDS_TIME_BEFORE_START=5",
        "ROUNDS_TIME=12",
        "SHADOW_PILLS_COUNT=1",
    ];
    let said = play("colours-18", "loderunner-2021-04", &settings, 2, "24");
    assert_took(&said, "loderunner-2021-04");
    assert!(said[0].contains("waits for a round"), "{}", said[0]);
}

#[test]
fn clifford_is_found_out_with_teams_and_rounds() {
    let settings = [
        "ROUNDS_ENABLED=true",
        "ROUNDS_TEAMS_PER_ROOM=2",
        "ROUNDS_TIME_BEFORE_START=3",
        "GENERATE_KEYS=true",
    ];
    assert_took(
        &play("doors-18", "clifford", &settings, 3, "16"),
        "clifford",
    );
}

#[test]
fn a_key_of_another_dialect_is_refused_with_those_there_are() {
    let output = run(
        &[
            "serve",
            "tiny-8",
            "--rules",
            "clifford",
            "--setting",
            "SHADOW_TICKS=3",
        ],
        b"",
    );
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("MASK_TICKS"), "{stderr}");
    let output = run(&["serve", "doors-18", "--port", "0"], b"");
    let (_, stderr) = texts(&output);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("clifford"), "{stderr}");
}
