//! The real binary's manners: exit codes, where text goes, help that lists what is built.

mod binary;

use std::process::Command;

use binary::{run, text};

#[test]
fn a_wrong_command_is_a_usage_error_on_stderr() {
    for arguments in [&["no-such-command"][..], &[], &["man", "--no-such-option"]] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_usage_error_is_one_line_that_says_what_and_where_and_what_to_do() {
    for (arguments, what, remedy) in [
        (&["no-such-command"][..], "no-such-command", "--help"),
        (&["man", "--no-such-option"], "--no-such-option", "--help"),
        (&["play", "--tick", "5"], "--tick", "--ticks"),
        (&["arena", "--solo"], "--bot <BOT>", "lodebot arena"),
        (
            &["arena", "--bot", "dp", "--seeds", "many"],
            "--seeds",
            "whole number",
        ),
        (&["completions", "nosh"], "nosh", "bash"),
        (&["params", "list", "-q", "-v"], "--quiet", "--help"),
    ] {
        let output = run(arguments, b"");
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.starts_with("lodebot: "), "{complaint}");
        assert!(
            complaint.contains(what) && complaint.contains(remedy),
            "{complaint}"
        );
    }
}

#[test]
fn an_input_error_is_one_line_and_exits_with_2() {
    let output = run(&["man", "no-such-command"], b"");
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    assert!(
        complaint.starts_with("lodebot: ") && complaint.contains("no-such-command"),
        "{complaint}"
    );
}

#[test]
fn a_negative_value_is_told_with_its_option_and_what_is_allowed() {
    for (arguments, option, allowed) in [
        (&["serve", "--port", "-1"][..], "--port", "0..=65535"),
        (&["serve", "--period", "-1"], "--period", "not negative"),
        (
            &["play", "--retry-from", "-1"],
            "--retry-from",
            "from 0.001 to 86400",
        ),
        (
            &["replay", "show", "game.jsonl", "--tick", "-1"],
            "--tick",
            "not negative",
        ),
        (
            &["replay", "show", "game.jsonl", "--player", "-1"],
            "--player",
            "not negative",
        ),
        (
            &["level", "generate", "--seed", "-1"],
            "--seed",
            "not negative",
        ),
        (
            &["tune", "new", "state", "--param", "depth", "--spread", "-1"],
            "spread",
            "",
        ),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let complaint = text(&output.stderr);
        assert!(
            complaint.contains(option) && complaint.contains(allowed),
            "{arguments:?}: {complaint}"
        );
        assert!(!complaint.contains("unexpected argument"), "{complaint}");
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell], b"");
        assert_eq!(output.status.code(), Some(0), "{shell}");
        assert!(text(&output.stdout).contains("lodebot"), "{shell}");
    }
}

#[test]
fn every_command_of_the_help_text_has_a_manual_page() {
    let help = text(&run(&["--help"], b"").stdout);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .collect();
    assert!(
        names.contains(&"man") && names.contains(&"completions"),
        "{help}"
    );
    for name in names {
        let output = run(&["man", name], b"");
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(text(&output.stdout).contains(".TH"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let script = format!(
        "{{ {} completions bash; echo $? >&2; }} | true",
        env!("CARGO_BIN_EXE_lodebot")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("sh starts");
    assert_eq!(text(&output.stderr), "0\n");
}

/// The test of a fixture fails, the recording diverges: the exit code tells it even if nobody reads.
#[cfg(all(unix, feature = "tools"))]
#[test]
fn a_closed_pipe_hides_no_negative_result() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let board = folder.path().join("wrong.board");
    std::fs::write(
        &board,
        "# The other way.\naccept: left\nboard:\n☼☼☼☼☼☼\n☼    ☼\n☼► $ ☼\n☼####☼\n☼    ☼\n☼☼☼☼☼☼\n",
    )
    .expect("written");
    let log = folder.path().join("diverging.jsonl");
    let (header, blank) = (
        r#"{"k":"game","v":1,"id":"a","rules":"classic","engine":"x 1","size":2,"players":1,"map":["HH","HH"]}"#,
        "  ",
    );
    std::fs::write(
        &log,
        format!("{header}\n{{\"t\":0,\"join\":[0],\"draws\":[[2,1],[2,0]],\"boards\":[\"{blank}{blank}\"]}}\n"),
    )
    .expect("written");
    for (command, path) in [
        ("check", &board),
        ("replay verify", &log),
        ("replay verify --json", &log),
    ] {
        // Its output is a pipe that was closed before it starts.
        let script = format!(
            "{{ sleep 0.3; '{}' {command} '{}' -q; echo $? >&2; }} | true",
            env!("CARGO_BIN_EXE_lodebot"),
            path.display()
        );
        let output = Command::new("sh").args(["-c", &script]).output();
        let complaint = text(&output.expect("sh starts").stderr);
        assert_eq!(complaint, "1\n", "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_of_standard_output() {
    let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["params", "list"])
        .stdout(std::fs::File::create("/dev/full").expect("a full device"))
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(2));
    let complaint = text(&output.stderr);
    assert!(
        complaint.starts_with("lodebot: standard output: ") && complaint.lines().count() == 1,
        "{complaint}"
    );
}
