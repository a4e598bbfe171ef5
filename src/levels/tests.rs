//! What the shipped levels and the generator promise.

use super::*;
use crate::board::{Alphabet, Element};

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
