//! Counts of reachable states on the small boards of `tests/perft`, each by three walks that must agree:
//! with clones, with make and undo, and with a table over the incremental hash.
//!
//! A file holds comments (`# ..`), `rules NAME`, the board (`►` or another own hero plays; rivals of the
//! board stand still), then perhaps `play ACTION..` (ticks before the count starts), and `depth N NODES` lines.
//! `LODEBOT_PERFT=print cargo test --test perft -- --nocapture` prints the lines as they are now.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use lodebot::board::{Action, Board, Element, Family};
use lodebot::sim::{Foreseen, Level, Rules, State, Unheard, Walk, perft};

/// The walk by clones is slow: it is made as far as this many nodes.
const CLONE_NODES: u64 = 20_000;

/// The walk without a table is made as far as this many nodes.
const UNDO_NODES: u64 = 300_000;

struct Position {
    state: State,
    /// Depth, expected nodes.
    counts: Vec<(u32, u64)>,
}

fn read(name: &str, text: &str) -> Position {
    let mut rules = Rules::CLASSIC;
    let mut rows = String::new();
    let mut played: Vec<Action> = Vec::new();
    let mut counts = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            _ if line.starts_with('☼') => {
                rows.push_str(line);
                rows.push('\n');
            }
            ["#", ..] | [] => {}
            ["rules", rules_name] => rules = Rules::named(rules_name).expect("known rules"),
            ["play", ..] => {
                played = words[1..]
                    .iter()
                    .map(|word| word.parse().expect("an action"))
                    .collect();
            }
            ["depth", depth, nodes] => counts.push((
                depth.parse().expect("a depth"),
                nodes.parse().expect("a number of nodes"),
            )),
            _ => panic!("{name}: what is {line:?}?"),
        }
    }
    let board =
        Board::parse(&rows, rules.alphabet).unwrap_or_else(|error| panic!("{name}: {error}"));
    let level = Level::from_board(&board).expect("few monsters");
    let mut state = State::new(terrain_under_heroes(&board, level), Arc::new(rules));
    let me = board
        .me()
        .unwrap_or_else(|| panic!("{name}: no hero on the board"));
    let hero = state.join_at(me);
    for (cell, element) in board.iter() {
        if matches!(element, Element::Hero(Family::Other, ..)) {
            state.join_at(cell);
        }
    }
    for action in played {
        state.act(hero, action);
        state.tick(&mut Foreseen, &mut Unheard);
    }
    Position { state, counts }
}

/// A hero drawn on a ladder or pipe hides it; the level is to have it.
fn terrain_under_heroes(board: &Board, level: Arc<Level>) -> Arc<Level> {
    use lodebot::board::HeroLook::{Ladder, PipeLeft, PipeRight};
    let mut plain = board.clone();
    for (cell, element) in board.iter() {
        match element {
            Element::Hero(_, Ladder, _) => plain.set(cell, Element::Ladder),
            Element::Hero(_, PipeLeft | PipeRight, _) => plain.set(cell, Element::Pipe),
            _ => {}
        }
    }
    if plain == *board {
        level
    } else {
        Level::from_board(&plain).expect("few monsters")
    }
}

fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut files: Vec<(String, String)> = fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "perft")
        })
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a text file");
            (
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                text,
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn every_walk_counts_what_the_files_say() {
    let print = std::env::var("LODEBOT_PERFT").is_ok();
    let files = files();
    assert!(files.len() >= 20, "only {} boards", files.len());
    let mut wrong = Vec::new();
    for (name, text) in &files {
        let Position { mut state, counts } = read(name, text);
        assert!(!counts.is_empty(), "{name}: no depth lines");
        for (depth, expected) in counts {
            let before = state.clone();
            let nodes = perft(&mut state, depth, Walk::Table);
            assert!(
                state == before,
                "{name}: depth {depth} left the state changed"
            );
            if print {
                println!("{name} depth {depth} {nodes}");
                continue;
            }
            let mut walks = vec![(Walk::Table, nodes)];
            if nodes <= UNDO_NODES {
                walks.push((Walk::Undo, perft(&mut state, depth, Walk::Undo)));
            }
            if nodes <= CLONE_NODES {
                walks.push((Walk::Clone, perft(&mut state, depth, Walk::Clone)));
            }
            for (walk, nodes) in walks {
                if nodes != expected {
                    wrong.push(format!(
                        "{name}: depth {depth} {nodes} by {walk:?}, not {expected}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
