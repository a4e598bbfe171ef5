//! `lodebot check`: our own boards pass, and what it says and does when one does not.

mod binary;

use std::path::Path;
use std::process::Output;

use binary::text;

const GOOD: &str = "# The gold is two steps off and nobody else is there.\nrules: classic\naccept: right\nboard:\n\
                    ☼☼☼☼☼☼\n☼    ☼\n☼► $ ☼\n☼####☼\n☼    ☼\n☼☼☼☼☼☼\n";

fn check(arguments: &[&str]) -> Output {
    binary::run(&[&["check"], arguments].concat(), b"")
}

fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn our_own_boards_pass() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decisions");
    let said = binary::stdout(&["check", folder.to_str().expect("UTF-8")], b"");
    let last = said.lines().last().expect("a last line");
    let boards = last
        .strip_prefix("checked: boards=")
        .and_then(|rest| rest.strip_suffix(" failed=0"))
        .and_then(|number| number.parse::<usize>().ok());
    assert!(boards.is_some_and(|boards| boards >= 80), "{last}");
}

/// Boards on which the bot is known to be wrong stand apart. Whoever mends one moves its board to the others.
#[test]
fn a_failure_shows_all_that_is_needed_to_judge_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(folder.path(), "one.board", GOOD);
    assert_eq!(check(&[&path, "--update"]).status.code(), Some(0));
    let stored = std::fs::read_to_string(&path).expect("there");
    let wrong = stored.replace("accept: right", "accept: left, dig-left");
    let value = stored
        .lines()
        .find(|line| line.starts_with("value: right "))
        .expect("a stored value");
    let wrong = wrong.replace(value, "value: right 1.000 right stay");
    write(folder.path(), "one.board", &wrong);
    let output = check(&[folder.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    for wanted in [
        "The gold is two steps off",
        "☼► $ ☼\n",
        "=@ $ =\n",
        "accepted: left, dig-left\n",
        "decided:  right\n",
        "\nstay ",
        "changed: right was 1.000, is ",
        "changed: right's line was right stay, is right",
    ] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert!(said.ends_with("checked: boards=1 failed=1\n"), "{said}");
    // Values are rewritten, what is accepted is not, and it fails as before.
    assert_eq!(check(&[&path, "--update"]).status.code(), Some(1));
    let again = std::fs::read_to_string(&path).expect("there");
    assert_eq!(
        again,
        stored.replace("accept: right", "accept: left, dig-left")
    );
}

#[test]
fn other_values_alone_are_no_failure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = write(folder.path(), "one.board", GOOD);
    let output = check(&[&path]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "checked: boards=1 failed=0\n");
    assert_eq!(
        text(&output.stderr),
        "1 of 1 boards have no stored values; --update rewrites the stored values\n"
    );
    assert_eq!(std::fs::read_to_string(&path).expect("there"), GOOD);
    assert_eq!(check(&[&path, "--update"]).status.code(), Some(0));
    assert!(check(&[&path]).stderr.is_empty());
    let stored = std::fs::read_to_string(&path).expect("there");
    std::fs::write(&path, stored.replace("value: stay ", "value: stay 1")).expect("written");
    let said = text(&check(&[&path]).stderr);
    assert!(
        said.starts_with("1 of 1 boards are valued otherwise than stored; "),
        "{said}"
    );
    assert_eq!(check(&[&path, "--update"]).status.code(), Some(0));
    // An update without a change writes nothing.
    let before = std::fs::metadata(&path).and_then(|data| data.modified());
    assert_eq!(check(&[&path, "--update"]).status.code(), Some(0));
    let after = std::fs::metadata(&path).and_then(|data| data.modified());
    assert_eq!(before.expect("a time"), after.expect("a time"));
}

/// Whole files of something else are one line, one key or one answer.
#[test]
fn what_is_wrong_is_quoted_shortly() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let long = "x".repeat(100_000);
    for content in [
        long.clone(),
        format!("{long}: right\n"),
        GOOD.replace("accept: right", &format!("accept: {long}")),
    ] {
        let path = write(folder.path(), "long.board", &content);
        let output = check(&[&path]);
        assert_eq!(output.status.code(), Some(2));
        let complaint = text(&output.stderr);
        let shown = format!("\"{}...\"", "x".repeat(40));
        assert!(complaint.contains(&shown), "{complaint}");
    }
}

#[test]
fn bad_input_is_told_with_file_and_line_and_exits_with_2() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).expect("made");
    let empty = empty.to_str().expect("UTF-8");
    let broken = write(
        folder.path(),
        "broken.board",
        &GOOD.replace("☼► $ ☼", "☼► $"),
    );
    let lost = write(
        folder.path(),
        "lost.board",
        &GOOD.replace("board:", "known: monster 2,2 hunts me\nboard:"),
    );
    for (arguments, wanted) in [
        (&[broken.as_str()][..], "broken.board: line 7: "),
        (&[&lost], "no monster stands in column 2, row 2"),
        (&["absent.board"], "absent.board"),
        (&[empty], "no *.board file"),
        (&[&broken, "--set", "depth=0"], "out of range"),
    ] {
        let output = check(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(wanted), "{arguments:?}: {complaint}");
    }
}
