//! The real binary, run to its end with an input, for the tests of the commands. Not for a program that goes on
//! while the test talks to it: those of a server are in `served`, and what is asked line by line is in its test.
#![allow(dead_code, reason = "each test file uses its part of it")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the binary with these arguments and this standard input, which may be of any size.
pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(arguments)
        .env_remove("LODEBOT_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    let input = input.to_vec();
    // From another thread: answers may fill their pipe while we still write.
    let writer = std::thread::spawn(move || {
        // The command need not read what it is given.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("no panic");
    output
}

/// What a run that must end well writes to its standard output.
pub fn stdout(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    let (said, complaint) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(
        output.status.code(),
        Some(0),
        "{arguments:?}: {said}{complaint}"
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text of an output; what is no UTF-8 is replaced.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
