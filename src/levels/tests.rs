//! What the shipped levels and the generator promise.

use super::*;
use crate::board::{Alphabet, Element};
use std::collections::BTreeSet;

fn plan(edge: usize, seed: u64) -> Plan {
    Plan {
        edge,
        gold: edge / 2,
        monsters: edge / 12,
        seed,
    }
}

#[test]
fn a_seed_gives_the_same_level_for_ever() {
    let board = generate(&plan(10, 1)).expect("the plan fits");
    let expected = [
        "☼☼☼☼☼☼☼☼☼☼",
        "☼~~~H~~~~☼",
        "☼   H    ☼",
        "☼ $ H    ☼",
        "☼##H#    ☼",
        "☼  H     ☼",
        "☼  H   $ ☼",
        "☼####H#☼☼☼",
        "☼  $ H$ $☼",
        "☼☼☼☼☼☼☼☼☼☼",
    ];
    let rows = board.rows(Alphabet::Classic);
    assert_eq!(rows.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn every_size_has_what_the_plan_says_inside_a_full_border() {
    for edge in 8..=70 {
        let plan = plan(edge, edge as u64);
        let board = generate(&plan).expect("the plan fits");
        let count = |wanted: fn(Element) -> bool| board.iter().filter(|(_, e)| wanted(*e)).count();
        assert_eq!(
            count(|e| matches!(e, Element::Gold(_))),
            plan.gold,
            "{edge}"
        );
        assert_eq!(
            count(|e| matches!(e, Element::Monster(_))),
            plan.monsters,
            "{edge}"
        );
        assert!(count(|e| e == Element::Ladder) > 0, "{edge}");
        let size = board.size();
        for (cell, element) in board.iter() {
            let (x, row) = (size.x(cell), size.row(cell));
            if [x, row].iter().any(|at| *at == 0 || *at == edge - 1) {
                assert_eq!(element, Element::Stone, "{edge}: border at {x}, {row}");
            }
        }
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    for edge in [0, 7, 129] {
        assert_eq!(generate(&plan(edge, 1)), Err(PlanError::Edge(edge)));
    }
    let crowded = Plan {
        edge: 8,
        gold: 60,
        monsters: 1,
        seed: 1,
    };
    assert!(matches!(
        generate(&crowded),
        Err(PlanError::Crowded { wanted: 61, .. })
    ));
}

#[test]
fn the_index_says_what_the_files_hold() {
    for level in list() {
        let board = load_board(&level.name, &Rules::CLASSIC).expect("a shipped level loads");
        let count = |wanted: fn(Element) -> bool| board.iter().filter(|(_, e)| wanted(*e)).count();
        let name = &level.name;
        assert_eq!(board.size().edge(), level.size, "{name}");
        assert_eq!(
            count(|e| matches!(e, Element::Gold(_))),
            level.gold,
            "{name}"
        );
        assert_eq!(
            count(|e| matches!(e, Element::Monster(_))),
            level.monsters,
            "{name}"
        );
        assert!(name.ends_with(&format!("-{}", level.size)), "{name}");
        assert_eq!(
            board.rows(Alphabet::Classic),
            level.text,
            "{name}: rows as the parser renders them"
        );
        let last = level.size - 1;
        for (cell, element) in board.iter() {
            let (x, row) = (board.size().x(cell), board.size().row(cell));
            if x == 0 || row == 0 || x == last || row == last {
                assert_eq!(element, Element::Stone, "{name}: border at {x}, {row}");
            }
        }
    }
}

#[test]
fn index_table_and_folder_name_the_same_levels() {
    let index: BTreeSet<String> = list().iter().map(|level| level.name.clone()).collect();
    let table: BTreeSet<String> = TEXTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let folder =
        fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/levels")).expect("the folder is there");
    let files: BTreeSet<String> = folder
        .flatten()
        .filter_map(|entry| {
            Some(
                entry
                    .file_name()
                    .to_str()?
                    .strip_suffix(".level")?
                    .to_owned(),
            )
        })
        .collect();
    assert_eq!(index, table);
    assert_eq!(index, files);
    assert!(find(DEFAULT).is_some());
}

/// The error as the command line prints it.
fn line(error: LoadError) -> String {
    format!("{:#}", anyhow::Error::from(error))
}

#[test]
fn what_cannot_be_loaded_says_why_and_where() {
    let unknown = line(load("no-such-level", &Rules::CLASSIC).expect_err("there is none"));
    assert!(
        unknown.contains("no-such-level") && unknown.contains(DEFAULT),
        "{unknown}"
    );

    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mine.level");
    fs::write(&path, "☼☼☼\n☼?☼\n☼☼☼\n").expect("the file is written");
    let name = path.to_str().expect("a plain path");
    let slip = line(load(name, &Rules::CLASSIC).expect_err("a glyph too many"));
    assert!(
        slip.contains("row 2, column 2") && slip.contains("mine.level"),
        "{slip}"
    );
    assert!(!slip.contains('\n'), "{slip}");
}
