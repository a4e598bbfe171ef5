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
        let rules = Rules::named(&level.rules).expect("known rules");
        let board = load_board(&level.name, &rules).expect("a shipped level loads");
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
            board.rows(level.alphabet()),
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

#[test]
fn in_a_shipped_level_everything_can_be_reached_from_everywhere() {
    for shipped in list() {
        let rules = Rules::named(&shipped.rules).expect("known rules");
        let level = load(&shipped.name, &rules).expect("a shipped level loads");
        assert_eq!(stranded(&level), [], "{}", shipped.name);
        let gold = level.gold()[0].cell;
        assert_eq!(out_of_reach(&level, gold), [], "{}", shipped.name);
    }
}

#[test]
fn in_a_generated_level_everything_can_be_reached_from_everywhere() {
    for seed in 0..12 {
        for edge in [8, 11, 16, 23, 34] {
            let board = generate(&plan(edge, seed)).expect("the plan fits");
            let level = sim::Level::from_board(&board).expect("few monsters");
            assert_eq!(stranded(&level), [], "size {edge}, seed {seed}");
            let gold = level.gold()[0].cell;
            assert_eq!(out_of_reach(&level, gold), [], "size {edge}, seed {seed}");
        }
    }
}

#[test]
fn a_trap_is_told_with_the_cells_it_holds() {
    // A stone shaft: whoever drops into it never gets up to the gold again.
    let rows = "☼☼☼☼☼\n☼$  ☼\n☼☼☼ ☼\n☼☼☼ ☼\n☼☼☼☼☼\n";
    let level = sim::Level::parse(rows, &Rules::CLASSIC).expect("a level");
    let size = level.size();
    let told = stranded(&level);
    // In the air above the shaft he falls before he can step to the gold.
    let from = [(3, 1), (3, 2), (3, 3)]
        .map(|(x, row)| size.cell(x, row))
        .to_vec();
    assert_eq!(
        told,
        [Stranded {
            gold: size.cell(1, 1),
            from
        }]
    );
    assert_eq!(out_of_reach(&level, size.cell(1, 1)), []);
    let lost = [(1, 1), (2, 1), (3, 1), (3, 2)].map(|(x, row)| size.cell(x, row));
    assert_eq!(out_of_reach(&level, size.cell(3, 3)), lost);
}
