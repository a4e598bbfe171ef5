//! `lodebot decide` through the real binary: one board in every form, explanations, drawings, streams of anything.

mod binary;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use binary::text;

const BOARD: &str = "☼☼☼☼☼☼☼\n☼     ☼\n☼ ►  $☼\n☼#####☼\n☼     ☼\n☼     ☼\n☼☼☼☼☼☼☼\n";

fn decide(arguments: &[&str], input: &[u8]) -> Output {
    binary::run(&[&["decide"], arguments].concat(), input)
}

fn stdout(arguments: &[&str], input: &[u8]) -> String {
    binary::stdout(&[&["decide"], arguments].concat(), input)
}

#[test]
fn a_board_is_taken_in_every_form() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("board.txt");
    let path = path.to_str().expect("UTF-8");
    let line = BOARD.replace('\n', "");
    for content in [
        BOARD.to_owned(),
        line.clone(),
        format!("board={line}\r\n"),
        format!("\u{feff}{}", BOARD.replace('\n', "\r\n")),
    ] {
        std::fs::write(path, &content).expect("written");
        assert_eq!(stdout(&[path], b""), "RIGHT\n");
        assert_eq!(stdout(&["-"], content.as_bytes()), "RIGHT\n");
        assert_eq!(stdout(&[], content.as_bytes()), "RIGHT\n");
    }
    assert_eq!(stdout(&[&line], b""), "RIGHT\n");
    assert_eq!(stdout(&[BOARD], b""), "RIGHT\n");
    // Nothing to do is an empty line.
    assert_eq!(stdout(&["☼☼☼☼☼☼☼☼☼"], b""), "\n");
}

#[test]
fn what_is_no_board_is_told_in_one_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().to_str().expect("UTF-8");
    let binary = Path::new(folder).join("binary");
    std::fs::write(&binary, [0xFF, 0xFE, 0x00]).expect("written");
    let binary = binary.to_str().expect("UTF-8");
    for (arguments, input, wanted) in [
        (
            &["no-such-file.txt"][..],
            &b""[..],
            "\"no-such-file.txt\": no such file",
        ),
        // Four glyphs of the alphabet, which make a board of two rows.
        (&["nope"], b"", "\"nope\": no such file"),
        (&["☼☼☼"], b"", "is no file, and no board"),
        (&[folder], b"", folder),
        (&[binary], b"", binary),
        (&[], b"", "standard input"),
        (&[], b"\xFF", "standard input"),
        (&[], b"###", "no square number"),
        (&["--rules", "chess"], b"", "chess"),
        (&["--set", "detph=3"], b"", "depth"),
        (&["--rules", "classic", "--svg", folder, BOARD], b"", folder),
    ] {
        let output = decide(arguments, input);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(wanted), "{arguments:?}: {complaint}");
    }
}

#[test]
fn the_explanation_has_every_action_and_terms_that_add_up() {
    let table = stdout(&["--explain", "--ascii"], BOARD.as_bytes());
    assert!(table.starts_with("=======\n=     =\n= @  $=\n"), "{table}");
    for wanted in [
        "strategy",
        "states visited: ",
        "depth: 8",
        "time: ",
        "answer: right",
    ] {
        assert!(table.contains(wanted), "{wanted}: {table}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["--json", "--set", "depth=6"], BOARD.as_bytes()))
            .expect("JSON");
    assert_eq!(json["answer"], "right");
    assert_eq!(json["depth"], 6);
    let actions = json["actions"].as_array().expect("an array");
    let names: Vec<&str> = actions
        .iter()
        .filter_map(|action| action["action"].as_str())
        .collect();
    assert_eq!(names, ["left", "right", "dig-left", "dig-right", "stay"]);
    for action in actions {
        let terms = action["terms"].as_object().expect("an object");
        let sum: f64 = terms.values().filter_map(serde_json::Value::as_f64).sum();
        let value = action["value"].as_f64().expect("a number");
        assert!((sum - value).abs() < 1e-6, "{action}");
        assert_eq!(action["line"][0], action["action"]);
        assert!(table.contains(action["action"].as_str().expect("a name")));
    }
}

#[test]
fn the_drawing_shows_board_map_and_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("board.svg");
    stdout(&["--svg", path.to_str().expect("UTF-8"), BOARD], b"");
    let svg = std::fs::read_to_string(path).expect("written");
    assert!(svg.starts_with("<svg ") && svg.contains("<polyline ") && svg.contains("right ("));
    // More shades than the walls and bricks alone.
    assert!(svg.matches("ff\"/>").count() > 5, "{svg}");
}

#[test]
fn a_stream_gets_one_line_a_line() {
    let line = BOARD.replace('\n', "");
    let longer = "x".repeat((1 << 20) + 5);
    let mut input = Vec::new();
    for part in [
        line.as_bytes(),
        b"garbage",
        b"",
        b"\xFF\xFE\x00",
        format!("board={line}\r").as_bytes(),
        longer.as_bytes(),
        // Another size in the middle of the stream.
        "☼☼☼☼☼☼► $☼☼####☼☼☼☼☼☼☼☼☼☼".as_bytes(),
        b"board=",
        b"null",
    ] {
        input.extend_from_slice(part);
        input.push(b'\n');
    }
    // The last line has no end.
    input.extend_from_slice(line.as_bytes());
    let output = decide(&["--stream"], &input);
    assert_eq!(output.status.code(), Some(0));
    let answers = text(&output.stdout);
    let answers: Vec<&str> = answers.split('\n').collect();
    assert_eq!(
        answers,
        [
            "RIGHT", "", "", "", "RIGHT", "", "RIGHT", "", "", "RIGHT", ""
        ]
    );
    let talk = text(&output.stderr);
    for number in [2, 3, 4, 6, 8, 9] {
        let wanted = format!("warning: line {number}: ").replace("warning", "warn");
        assert!(talk.contains(&wanted), "{wanted}: {talk}");
    }
}

/// A reader that waits for each answer before it sends the next board gets it.
#[test]
fn answers_are_flushed() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["decide", "--stream"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped"));
    for _ in 0..3 {
        writeln!(pipe, "board={}", BOARD.replace('\n', "")).expect("it listens");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("it answers");
        assert_eq!(answer, "RIGHT\n");
    }
    drop(pipe);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let board = BOARD.replace('\n', "");
    let script = format!(
        "yes '{board}' | {{ {} decide --stream; echo $? >&2; }} | head -n 2",
        env!("CARGO_BIN_EXE_lodebot")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("sh starts");
    assert_eq!(text(&output.stdout), "RIGHT\nRIGHT\n");
    assert_eq!(text(&output.stderr).lines().last(), Some("0"));
}
