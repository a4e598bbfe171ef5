//! The documents keep their promises, and their links lead somewhere. Of the README and the guide to tuning every
//! ```sh``` block is run as a script, in one empty folder, with the built binary on the path. Only what needs a network
//! or a whole build is checked in another way, which `offline` says.

mod served;

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use served::Served;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the document is there")
}

/// The command lines of each ```sh``` block of a document, without comments.
fn blocks(path: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<String>> = None;
    for line in document(path).lines() {
        match (line.trim_end(), &mut open) {
            ("```sh", _) => open = Some(Vec::new()),
            ("```", _) => blocks.extend(open.take()),
            (line, Some(lines)) => {
                let command = line.split(" #").next().unwrap_or_default().trim();
                lines.push(command.to_owned());
            }
            _ => {}
        }
    }
    blocks
}

/// The form in which a line can run here: a make target is only looked up, since it would build again or run
/// these tests; a server of our own is on a free port and does not wait for the clock; a server of the
/// network is `host`, where 25 boards are played; games are short and decisions get little time; a tuning is of a
/// bot that thinks little; the pager is left out.
fn offline(command: &str, host: &str, port: u16) -> String {
    if command.starts_with("make ") {
        return format!("{command} -n --silent -C '{}' >/dev/null", root().display());
    }
    if let Some((before, rest)) = command.split_once("'https://")
        && let Some((_, after)) = rest.split_once('\'')
    {
        return format!("{before}'{host}'{after} --ticks 25 --deadline 20");
    }
    command
        .replace(
            "lodebot serve ",
            &format!("lodebot serve --lockstep --port {port} "),
        )
        .replace("127.0.0.1:8080", &format!("127.0.0.1:{port}"))
        .replace(
            "lodebot tune new ",
            "lodebot tune new --set beam_width=4 --set beam_depth=10 --set trial_golds=0 ",
        )
        .replace("--seeds 4 --ticks 200", "--seeds 2 --ticks 40")
        .replace("--ticks 60", "--ticks 60 --deadline 20")
        .replace("| man -l -", ">/dev/null")
}

#[test]
fn every_command_of_the_documents_works() {
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
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a port is free").port();
    // In place of the server on the network.
    let host =
        Served::start(Command::new(&binary).args(["serve", "tiny-8", "--port", "0", "--lockstep"]));
    let readme = blocks("README.md");
    assert!(
        readme.len() >= 5,
        "the README has only {} blocks",
        readme.len()
    );
    let tuning = blocks("docs/tuning.md");
    assert!(tuning.len() >= 2, "the guide has {} blocks", tuning.len());
    for block in readme.into_iter().chain(tuning) {
        let lines: Vec<String> = block
            .iter()
            .map(|command| offline(command, &host.address, port))
            .collect();
        let script = format!("set -e\n{}", lines.join("\n"));
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("PATH", &path)
            .stdin(Stdio::null())
            .output()
            .expect("sh starts");
        assert!(
            output.status.success(),
            "{script}\n{}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn links_of_the_documents_lead_to_files() {
    let guides = fs::read_dir(root().join("docs")).expect("there are documents");
    let guides = guides.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> = guides
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    assert!(paths.len() >= 7, "{paths:?}");
    for other in ["README.md", "CONTRIBUTING.md", "replays/README.md"] {
        paths.push(root().join(other));
    }
    for path in paths {
        let text = fs::read_to_string(&path).expect("the document is there");
        let folder = path.parent().expect("a file lies in a folder");
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap_or_default();
            if !target.contains("://") {
                assert!(
                    folder.join(target).exists(),
                    "{}: {target} is not there",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_game_in_the_description_of_the_log_verifies() {
    let text = document("docs/gamelog.md");
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    let game: Vec<&str> = lines.filter(|line| line.starts_with('{')).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("game.jsonl");
    fs::write(&path, game.join("\n") + "\n").expect("the folder can be written to");
    let output = Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(["replay", "verify"])
        .arg(&path)
        .output()
        .expect("lodebot starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "verified: games=1 skipped=0 ticks=1 divergences=0\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
