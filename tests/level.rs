//! `lodebot level` and `lodebot perft` as a user meets them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn lodebot(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(arguments)
        .env_remove("LODEBOT_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    // A command that reads nothing may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_listed_level_is_shown_as_a_square() {
    let list = text(&lodebot(&["level", "list"], "").stdout);
    let names: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(names.len() >= 12, "{list}");
    let json: serde_json::Value =
        serde_json::from_slice(&lodebot(&["level", "list", "--json"], "").stdout).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(names.len()));
    for name in names {
        for ascii in [false, true] {
            let arguments = ["level", "show", name, "--ascii"];
            let output = lodebot(&arguments[..if ascii { 4 } else { 3 }], "");
            assert_eq!(output.status.code(), Some(0), "{name}");
            let rows = text(&output.stdout);
            let edge = rows.lines().count();
            assert!(
                rows.lines().all(|row| row.chars().count() == edge),
                "{name}\n{rows}"
            );
            assert_eq!(rows.is_ascii(), ascii, "{name}");
        }
    }
}

#[test]
fn a_generated_level_can_be_read_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("new.level");
    let arguments = [
        "level", "generate", "--size", "19", "--gold", "11", "--seed", "5",
    ];
    let output = lodebot(&arguments, "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        output.stdout,
        lodebot(&arguments, "").stdout,
        "the seed decides everything"
    );
    assert_eq!(text(&output.stdout).matches('$').count(), 11);
    std::fs::write(&path, &output.stdout).expect("the file is written");
    let name = path.to_str().expect("a plain path");
    assert_eq!(lodebot(&["level", "show", name], "").stdout, output.stdout);
    let counts = lodebot(&["perft", name, "3"], "");
    assert_eq!(counts.status.code(), Some(0));
    assert!(
        text(&counts.stdout).starts_with("depth 1 "),
        "{}",
        text(&counts.stdout)
    );
}

#[test]
fn foreign_levels_come_in_through_standard_input() {
    let output = lodebot(&["level", "import", "-"], "G..#.\nbbb#-\nMEG#.\n");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().nth(1), Some("☼$  H ☼"));
}

#[test]
fn bad_input_is_told_in_one_line() {
    for (arguments, input, place) in [
        (&["level", "show", "no-such-level"][..], "", "contest-58"),
        (&["level", "generate", "--size", "7"], "", "8 to 128"),
        (
            &["level", "generate", "--size", "8", "--gold", "99"],
            "",
            "few",
        ),
        (&["level", "import", "-"], "G?\n", "row 1, column 2"),
        (&["level", "import", "no-such-file"], "", "no-such-file"),
        (&["perft", "no-such-level", "3"], "", "no-such-level"),
        (&["perft", "tiny-8", "3", "--rules", "chess"], "", "chess"),
    ] {
        let output = lodebot(arguments, input);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
        assert!(complaint.contains(place), "{arguments:?}: {complaint}");
    }
}
