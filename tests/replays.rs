//! The recorded games in `replays/`: the index names each of them and tells the truth, and every one verifies.

#![cfg(feature = "tools")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use lodebot::record::Reader;
use lodebot::replay::{Options, Report, Summary, verify};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("replays")
}

/// The rows of the index, cell by cell.
fn index() -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder().join("README.md")).unwrap();
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(".jsonl"));
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

fn verified(file: &str) -> Summary {
    let files = vec![folder().join(file)];
    let result = verify(
        files,
        Options::default(),
        |report| -> Result<(), Infallible> {
            match report {
                Report::Diverges(found) => println!("{}", found[0]),
                Report::Unreadable(fault) => println!("{fault}"),
                Report::Fault(fault) => println!("{fault}"),
                Report::Skipped { .. } | Report::Live { .. } => {}
            }
            Ok(())
        },
    );
    result.unwrap()
}

#[test]
fn the_index_names_every_game_and_no_other() {
    let named: BTreeSet<String> = index().into_iter().map(|row| row[0].clone()).collect();
    let there: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".jsonl"))
        .collect();
    assert_eq!(named, there);
    assert!(named.len() >= 6);
}

#[test]
fn every_game_verifies_and_is_as_the_index_says() {
    for row in index() {
        let [file, rules, _, players, ticks, log, _] = &row[..] else {
            panic!("a row of the index has {} cells: {row:?}", row.len());
        };
        let games = Reader::open(&folder().join(file)).unwrap().games();
        let games: Vec<_> = games.map(Result::unwrap).collect();
        assert_eq!(games.len(), 1, "{file}");
        let header = &games[0].header;
        assert_eq!(
            (&header.rules, log == "live"),
            (
                rules,
                games[0].lines[0].1.join.is_empty() && header.players == 1
            ),
            "{file}"
        );
        let most = games[0]
            .lines
            .iter()
            .map(|(_, line)| line.boards.len())
            .max();
        assert_eq!(most, players.parse().ok(), "{file}");
        let summary = verified(file);
        assert_eq!((summary.games, summary.faults), (1, 0), "{file}");
        assert_eq!(Some(summary.ticks), ticks.parse().ok(), "{file}");
        assert_eq!(summary.divergences, 0, "{file}");
        assert_eq!(summary.live, u64::from(log == "live"), "{file}");
        if log == "live" {
            assert!(
                summary.explained * 100 >= summary.ticks * 95,
                "{file}: {summary}"
            );
        }
    }
}
