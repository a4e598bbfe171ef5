//! The command `tune` from end to end on small levels: one process or many, interrupted or not, one tuning; and what
//! is wrong is told in one line.

mod binary;

use std::fs;
use std::path::{Path, PathBuf};

use binary::{run, stdout, text};
use serde_json::Value;
use tempfile::TempDir;

/// A bot that thinks little: games only have to differ.
const QUICK: [&str; 10] = [
    "--set",
    "depth=2",
    "--set",
    "spare_states=0",
    "--set",
    "trial_golds=0",
    "--set",
    "survival_ticks=0",
    "--set",
    "strategy=nearest",
];

/// A folder for state files.
struct Folder {
    directory: TempDir,
}

impl Folder {
    fn new() -> Folder {
        Folder {
            directory: tempfile::tempdir().expect("a folder"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The path as an argument.
    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("plain letters").to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// A small tuning in the file `name`.
    fn begin(&self, name: &str, more: &[&str]) {
        let path = self.name(name);
        let mut arguments = vec!["-q", "tune", "new", &path, "--bot", "dp"];
        arguments.extend(["--param", "inflation:0.9..1:0.02", "--param", "trap_range"]);
        arguments.extend(["--level", "first-10", "--games", "2", "--rounds", "3"]);
        if !more.contains(&"--ticks") {
            arguments.extend(["--ticks", "25"]);
        }
        arguments.extend(QUICK);
        arguments.extend(more);
        stdout(&arguments, b"");
    }
}

/// Runs `tune` with these arguments, which must fail with one line that holds `part`.
fn refused(arguments: &[&str], part: &str) {
    let mut all = vec!["tune"];
    all.extend(arguments);
    let output = run(&all, b"");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    assert!(told.contains(part), "{arguments:?}: {told}");
}

#[test]
fn threads_processes_and_interruptions_make_the_same_state() {
    for more in [
        &["--population", "4"][..],
        &["--method", "spsa", "--against", "greedy"],
    ] {
        let folder = Folder::new();
        for name in ["one", "three", "rounds", "shards"] {
            folder.begin(name, more);
        }
        let (one, three) = (folder.name("one"), folder.name("three"));
        stdout(&["-q", "tune", "go", &one, "--threads", "1"], b"");
        stdout(&["-q", "tune", "go", &three, "--threads", "3"], b"");
        let expected = folder.read("one");
        assert_eq!(folder.read("three"), expected);

        let rounds = folder.name("rounds");
        for round in 1..=3 {
            stdout(&["-q", "tune", "go", &rounds, "--rounds", "1"], b"");
            assert_eq!(folder.read("rounds") == expected, round == 3);
        }

        let shards = folder.name("shards");
        let lines = folder.name("candidates.jsonl");
        let results = [folder.name("b.jsonl"), folder.name("a.jsonl")];
        let mut rounds = 0;
        loop {
            let asked = run(&["-q", "tune", "ask", &shards], b"");
            if asked.status.code() == Some(1) {
                assert!(asked.stdout.is_empty());
                break;
            }
            fs::write(&lines, &asked.stdout).expect("a file");
            for (share, file) in ["2/2", "1/2"].into_iter().zip(&results) {
                let played = stdout(&["-q", "tune", "run", &lines, "--shard", share], b"");
                fs::write(file, played).expect("a file");
            }
            stdout(
                &[
                    "-q",
                    "tune",
                    "tell",
                    &shards,
                    &results[0],
                    &results[1],
                    &results[0],
                ],
                b"",
            );
            rounds += 1;
            assert!(rounds <= 3, "it does not end");
        }
        assert_eq!(folder.read("shards"), expected);
        // All is known already, and no further round is open.
        let told = run(&["tune", "tell", &shards, &results[0]], b"");
        let told = text(&told.stderr);
        assert!(
            told.ends_with("all rounds are over\n") && !told.contains("round 4"),
            "{told}"
        );
    }
}

#[test]
fn the_set_found_can_be_shown_played_and_judged() {
    let folder = Folder::new();
    folder.begin("state", &["--spread", "6", "--population", "4"]);
    let state = folder.name("state");
    let nothing = run(&["tune", "verdict", &state], b"");
    assert_eq!(nothing.status.code(), Some(2));
    stdout(&["-q", "tune", "go", &state], b"");
    let shown: Value =
        serde_json::from_str(&stdout(&["tune", "show", &state, "--json"], b"")).expect("an object");
    assert_eq!(shown["rounds_done"], 3);
    assert_eq!(shown["history"].as_array().map(Vec::len), Some(3));
    let inflation = &shown["params"]["inflation"];
    assert_ne!(*inflation, shown["start"]["inflation"]);
    let people = stdout(&["tune", "show", &state], b"");
    assert!(
        people.contains(&format!("--set inflation={inflation}")),
        "{people}"
    );

    // The set as a file is taken by whoever takes parameters.
    let file = folder.name("tuned.toml");
    fs::write(&file, stdout(&["tune", "show", &state, "--toml"], b"")).expect("a file");
    let listed = stdout(&["params", "list", "--json", "--params", &file], b"");
    let listed: Value = serde_json::from_str(&listed).expect("an array");
    let value = |name: &str| {
        let rows = listed.as_array().expect("rows");
        let row = rows.iter().find(|row| row["name"] == name);
        row.expect("a row")["value"].clone()
    };
    assert_eq!(value("inflation"), *inflation);
    assert_eq!((value("depth"), value("engine")), (2.into(), "dp".into()));

    let output = run(
        &["-q", "tune", "verdict", &state, "--seeds", "3", "--json"],
        b"",
    );
    let verdict: Value = serde_json::from_slice(&output.stdout).expect("an object");
    let better = verdict["finding"] == "better";
    assert_eq!(output.status.code(), Some(i32::from(!better)), "{verdict}");
    assert!(verdict["first_seed"].as_u64() >= Some(1 << 32), "{verdict}");
    let told = run(&["-q", "tune", "verdict", &state, "--seeds", "3"], b"");
    assert!(text(&told.stdout).contains("the tuned set is "));
    // Its figures are those of an arena on the same seeds.
    let first = verdict["first_seed"].to_string();
    let bot = format!(
        "dp:inflation={inflation},trap_range={}",
        shown["params"]["trap_range"]
    );
    let mut arguments = vec![
        "-q", "arena", "--solo", "--bot", &bot, "--bot", "dp", "--json",
    ];
    arguments.extend(["--level", "first-10", "--ticks", "25"]);
    arguments.extend(QUICK);
    arguments.extend(["--seeds", "3", "--seed", &first]);
    let arena: Value = serde_json::from_str(&stdout(&arguments, b"")).expect("an object");
    for key in ["diff_mean", "diff_ci95"] {
        assert_eq!(arena["pairs"][0][key], verdict[key], "{verdict} {arena}");
    }
}

#[test]
fn what_cannot_be_tuned_is_refused_in_one_line() {
    let folder = Folder::new();
    let new = folder.name("new");
    for (more, part) in [
        (&["inflatoin"][..], "did you mean `inflation`?"),
        (&["suicide"], "cannot be tuned"),
        (&["trap", "--param", "trap:0..9"], "named twice"),
        (&["inflation:0.9..1.5"], "out of range"),
        (&["trap", "--bot", "greedy"], "beam, chokudai and dp can"),
        (&["trap", "--against", "cmd:cat"], "program of its own"),
        (&["trap", "--against", "gredy"], "did you mean greedy?"),
        (&["trap", "--level", "no-such"], "no-such"),
        (&["trap", "--rules", "no-such"], "no-such"),
        (&["trap", "--rounds", "0"], "--rounds must be from 1"),
        (
            &["trap", "--population", "2"],
            "--population of cma-es must be from 4",
        ),
        (
            &["trap", "--method", "spsa", "--population", "3"],
            "an even --population",
        ),
        (&["trap", "--spread", "NaN"], "--spread"),
        (
            &["trap", "--population", "9999", "--games", "9999"],
            "games of a round",
        ),
    ] {
        let mut arguments = vec!["new", new.as_str(), "--param"];
        arguments.extend(more);
        refused(&arguments, part);
        assert!(!Path::new(&new).exists());
    }

    folder.begin("state", &["--population", "4"]);
    let state = folder.name("state");
    refused(&["new", &state, "--param", "trap"], "is there already");
    refused(&["go", &folder.name("none")], "none");
    let whole = folder.read("state");
    fs::write(folder.path("torn"), &whole[..whole.len() / 2]).expect("a file");
    refused(&["go", &folder.name("torn")], "not a whole state file");

    let asked = stdout(&["tune", "ask", &state, "-n", "1"], b"");
    assert_eq!(asked.lines().count(), 1);
    let lines = folder.name("lines");
    let write = |text: &str| fs::write(&lines, text).expect("a file");
    write(&asked[..asked.len() / 2]);
    refused(&["run", &lines], "lines, line 1: ");
    write("");
    refused(&["run", &lines], "no candidates");
    write(&asked.replace("\"inflation\":", "\"inflation\":1"));
    refused(&["run", &lines], "out of range");
    write(&asked.replace("\"seeds\":2", "\"seeds\":4000000000"));
    refused(&["run", &lines], "games that no tuning has");
    write(&asked);
    refused(&["run", &lines, "--shard", "0/2"], "I from 1 to N");
    let played = stdout(&["tune", "run", &lines], b"");
    write(&format!("\n{}", played.replace("\"id\":0", "\"id\":9")));
    refused(
        &["tell", &state, &lines],
        "lines, line 2: candidate 9 has not been asked for",
    );
    folder.begin("other", &["--population", "6"]);
    write(&played);
    refused(&["tell", &folder.name("other"), &lines], "its own state");
    assert_eq!(folder.read("state"), whole);
}

/// Ctrl-C in a long round: exit code 75, what was played stays, the rest follows.
#[cfg(unix)]
#[test]
fn an_interrupted_tuning_goes_on() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    // The first candidate ends soon, all of them never.
    let long = ["--population", "200", "--ticks", "2000"];
    folder.begin("state", &long);
    let state = folder.name("state");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["tune", "go", &state, "--threads", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut talk = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    talk.read_line(&mut line).expect("a line");
    assert!(line.contains("Ctrl-C keeps what is done"), "{line}");
    // However far it comes in this time, the state must be whole and go on.
    std::thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status();
    assert!(killed.expect("kill is there").success());
    let since = Instant::now();
    assert_eq!(child.wait().expect("it ends").code(), Some(75));
    assert!(since.elapsed() < Duration::from_secs(60));
    let open = stdout(&["tune", "ask", &state], b"").lines().count();
    assert!((1..=200).contains(&open), "{open}");
    let shown = stdout(&["tune", "show", &state], b"");
    let told = format!("{} candidates of the next round have results", 200 - open);
    assert!(open == 200 || shown.contains(&told), "{shown}");
}
