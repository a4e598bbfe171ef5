//! The README keeps its promises: every line of its `sh` blocks is run as it stands, in one empty
//! folder, with the built binary on the path. Only what needs a network or a whole build is checked in
//! another way, which [`offline`] says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command lines of the README's `sh` blocks, without comments.
fn commands() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let mut commands = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line.trim_end() {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside => {
                let command = line.split(" #").next().unwrap_or_default().trim();
                if !command.is_empty() {
                    commands.push(command.to_owned());
                }
            }
            _ => {}
        }
    }
    commands
}

/// The form in which a line can run here: a make target is only looked up, since it would build again or run
/// these tests; the pager is left out.
fn offline(command: &str) -> String {
    if command.starts_with("make ") {
        return format!("{command} -n --silent -C '{}' >/dev/null", root().display());
    }
    command.replace("| man -l -", ">/dev/null")
}

#[test]
fn every_command_of_the_readme_works() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_lodebot"));
    let path = format!(
        "{}:{}",
        binary
            .parent()
            .expect("the binary lies in a folder")
            .display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let commands = commands();
    assert!(
        commands.len() >= 5,
        "the README has only {} commands",
        commands.len()
    );
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", &offline(&command)])
            .current_dir(folder.path())
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .expect("sh starts");
        assert!(
            output.status.success(),
            "{command}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn links_of_the_readme_lead_to_files() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README is there");
    for (at, _) in readme.match_indices("](") {
        let target = readme[at + 2..].split(')').next().unwrap_or_default();
        if !target.contains("://") {
            assert!(root().join(target).exists(), "{target} is not there");
        }
    }
}
