//! `lodebot level` and `lodebot perft` as a user meets them.

mod binary;

use binary::{run, text};

#[test]
fn every_listed_level_is_shown_as_a_square() {
    let list = text(&run(&["level", "list"], b"").stdout);
    let names: Vec<&str> = list
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert!(names.len() >= 12, "{list}");
    let json: serde_json::Value =
        serde_json::from_slice(&run(&["level", "list", "--json"], b"").stdout).expect("JSON");
    assert_eq!(json.as_array().map(Vec::len), Some(names.len()));
    for name in names {
        for ascii in [false, true] {
            let arguments = ["level", "show", name, "--ascii"];
            let output = run(&arguments[..if ascii { 4 } else { 3 }], b"");
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
    let output = run(&arguments, b"");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        output.stdout,
        run(&arguments, b"").stdout,
        "the seed decides everything"
    );
    assert_eq!(text(&output.stdout).matches('$').count(), 11);
    std::fs::write(&path, &output.stdout).expect("the file is written");
    let name = path.to_str().expect("a plain path");
    assert_eq!(run(&["level", "show", name], b"").stdout, output.stdout);
    let counts = run(&["perft", name, "3"], b"");
    assert_eq!(counts.status.code(), Some(0));
    assert!(
        text(&counts.stdout).starts_with("depth 1 "),
        "{}",
        text(&counts.stdout)
    );
}

#[test]
fn foreign_levels_come_in_through_standard_input() {
    let output = run(&["level", "import", "-"], b"G..#.\nbbb#-\nMEG#.\n");
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
        let output = run(arguments, input.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{arguments:?}: {complaint}");
        assert!(complaint.contains(place), "{arguments:?}: {complaint}");
    }
}
