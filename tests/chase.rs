//! The next-step table against the monsters' way finding as RULES section 10 tells it, written down once more and
//! plainly, for every pair of cells of every shipped level and of every recorded classic map.

#![cfg(feature = "tools")]

use lodebot::board::{Board, Cell, Dir};
use lodebot::levels;
use lodebot::record::Reader;
use lodebot::sim::{Level, Rules, Tile};
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

/// Steps that a monster may take from a cell, in the rules' order.
fn exits(level: &Level, cell: Cell) -> Vec<(Dir, Cell)> {
    let (size, terrain) = (level.size(), level.terrain());
    let blocked = |cell: Cell| terrain[cell].has(Tile::BRICK | Tile::STONE);
    let bottom = size.y(cell) == 0;
    let stands = terrain[cell].holds()
        || bottom
        || terrain[size.down(cell)].has(Tile::BRICK | Tile::STONE | Tile::LADDER);
    Dir::ALL
        .into_iter()
        .filter(|&dir| dir == Dir::Down || stands)
        .filter(|&dir| dir != Dir::Up || terrain[cell].has(Tile::LADDER))
        .map(|dir| (dir, size.step(cell, dir)))
        .filter(|&(_, next)| !blocked(cell) && size.contains(next) && !blocked(next))
        .collect()
}

/// Breadth first from one cell: the first step of the way to every other, and how many there are.
fn compare(level: &Level, name: &str) {
    let size = level.size();
    let number = |cell: Cell| size.wire_index(cell);
    let steps: Vec<Vec<(Dir, Cell)>> = size.cells().map(|cell| exits(level, cell)).collect();
    for from in size.cells() {
        let mut first: Vec<Option<Dir>> = vec![None; size.area()];
        let mut reached = vec![false; size.area()];
        reached[number(from)] = true;
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            for &(dir, next) in &steps[number(cell)] {
                if !reached[number(next)] {
                    reached[number(next)] = true;
                    first[number(next)] = if cell == from {
                        Some(dir)
                    } else {
                        first[number(cell)]
                    };
                    queue.push_back(next);
                }
            }
        }
        for target in size.cells() {
            let found = level.chase().step(from, target);
            assert_eq!(
                found,
                first[number(target)],
                "{name}: from {from:?} to {target:?}"
            );
        }
    }
}

#[test]
fn every_pair_of_every_shipped_level() {
    // Monsters find their way alike in every dialect; the levels of the others have things of their own on them.
    let classic = levels::list().iter().filter(|it| it.rules == "classic");
    assert!(classic.clone().count() >= 12);
    for shipped in classic {
        let level = levels::load(&shipped.name, &Rules::CLASSIC).expect("shipped levels load");
        compare(&level, &shipped.name);
    }
}

#[test]
fn every_pair_of_every_recorded_map() {
    let folder = Path::new("../shared/conformance/classic");
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: {} is absent", folder.display());
        return;
    };
    let mut seen = BTreeSet::new();
    for file in files {
        let path = file.expect("a readable folder").path();
        for game in Reader::open(&path).expect("a readable file").games() {
            let header = game.expect("a sound recording").header;
            let text = header.map.join("\n");
            if seen.insert(text.clone()) {
                let (board, _) =
                    Board::parse_lenient(&text, Rules::CLASSIC.alphabet).expect("a square map");
                compare(&Level::from_board(&board).expect("a level"), &header.id);
            }
        }
    }
    assert!(seen.len() > 500, "only {} maps were seen", seen.len());
}
