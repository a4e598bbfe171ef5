//! What boards tell of their dialect: small ones of our own, and recorded ones where they are at hand.

use super::*;

fn found(rows: &str) -> &'static str {
    Candidates::of(rows).expect("explained").rules().name
}

/// A room with this in its middle rows; 7 x 7.
fn room(rows: [&str; 3]) -> String {
    let [a, b, c] = rows;
    format!("☼☼☼☼☼☼☼\n☼     ☼\n☼{a}☼\n☼{b}☼\n☼{c}☼\n☼     ☼\n☼☼☼☼☼☼☼\n")
}

#[test]
fn glyphs_of_one_alphabet_decide() {
    for (rows, name) in [
        (["► $ «", "#####", "  H  "], "classic"),
        (["► & «", "#####", "  H  "], "loderunner-2021-09"),
        (["► ⊛  ", "#####", "  H  "], "loderunner-2021-09"),
        (["⊳  $ ", "#####", "  H  "], "loderunner-2021-09"),
        (["► $⌊ ", "#####", "  H  "], "loderunner-2021-09"),
        (["► W  ", "#####", "  H  "], "clifford"),
        (["  $  ", "##H##", "  A  "], "clifford"),
        (["► &  ", "#####", "  y  "], "clifford"),
        (["  $  ", "##H##", "{    "], "classic"),
    ] {
        assert_eq!(found(&room(rows)), name, "{rows:?}");
    }
}

#[test]
fn a_rival_in_mid_air_or_just_digging_and_drawn_plain_means_classic() {
    let mut floating = Candidates::all();
    assert!(floating.observe(&room(["► (  ", "### #", "     "])));
    let left = |candidates: &Candidates| {
        let open = candidates.list.iter().filter(|one| one.against.is_none());
        open.map(|one| one.rules.name).collect::<Vec<_>>()
    };
    assert_eq!(
        left(&floating),
        [
            "classic",
            "loderunner-2021-09",
            "loderunner-2021-04",
            "clifford"
        ]
    );
    // The first board says nothing: the rival stands on a brick. Now it hangs over a gap.
    assert!(!floating.observe(&room(["►   (", "#### ", "     "])));
    assert_eq!(left(&floating), ["classic", "clifford"]);
    let mut digging = Candidates::all();
    digging.observe(&room(["►  ) ", "##*##", "     "]));
    assert_eq!(left(&digging), ["classic", "clifford"]);
    let mut mine = Candidates::all();
    mine.observe(&room([" R ) ", "##*##", "     "]));
    assert!(left(&mine).contains(&"loderunner-2021-09"));
}

#[test]
fn a_board_shows_its_viewer_once() {
    // A second own hero in classic's reading: Y is a monster on a pipe in clifford.
    assert_eq!(found(&room(["►  Y ", "#####", "     "])), "clifford");
    assert_eq!(found(&room(["   Y ", "#####", "     "])), "classic");
}

#[test]
fn a_hero_that_waits_for_a_round_means_2021_04() {
    let mut candidates = Candidates::all();
    let board = room(["Ѡ & «", "#####", "  H  "]);
    assert!(candidates.observe(&board));
    assert_eq!(candidates.rules().name, "loderunner-2021-09");
    assert!(!candidates.observe(&board));
    assert!(candidates.observe(&board));
    assert_eq!(candidates.rules().name, "loderunner-2021-04");
    let said = candidates.to_string();
    assert!(
        said.contains("loderunner-2021-04") && said.contains("waits for a round"),
        "{said}"
    );
}

#[test]
fn what_no_dialect_explains_is_named_with_its_place() {
    let said = |rows| {
        Candidates::of(&room(rows))
            .expect_err("refused")
            .to_string()
    };
    let alien = said(["►  é ", "#####", "     "]);
    assert!(
        alien.contains("row 3, column 5") && alien.contains('é'),
        "{alien}"
    );
    // A pill of one alphabet and a portal of the other.
    let mixture = said(["► S W", "⊛####", "     "]);
    assert!(
        mixture.contains("'W'") && mixture.contains("loderunner-2021-09"),
        "{mixture}"
    );
    assert!(matches!(
        Candidates::of("☼☼☼☼☼"),
        Err(DialectError::Shape(ParseError::NotSquare(5)))
    ));
    // Live play goes on with the fewest unknown glyphs.
    let mut candidates = Candidates::all();
    assert!(candidates.observe(&room(["► S W", "⊛####", "     "])));
    assert!(candidates.is_mixed());
    assert_eq!(candidates.rules().name, "loderunner-2021-09");
}

#[test]
fn what_is_told_stays() {
    let mut candidates = Candidates::only(Arc::new(Rules::CLASSIC));
    assert!(!candidates.observe(&room(["► W  ", "#####", "     "])));
    assert_eq!(candidates.rules().name, "classic");
    assert!(candidates.to_string().contains("as told"));
}

/// Recorded boards of the original servers: none speaks against its own dialect, and whole games find theirs.
#[test]
fn recorded_games_find_their_own_alphabet() {
    for (folder, alphabet) in [
        ("classic", Alphabet::Classic),
        ("loderunner-2021-04", Alphabet::Loderunner),
        ("loderunner-2021-09", Alphabet::Loderunner),
        ("clifford", Alphabet::Clifford),
    ] {
        let path = format!(
            "{}/../shared/conformance/{folder}/scenarios.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: ../shared/conformance/{folder}/scenarios.jsonl is absent");
            continue;
        };
        let mut games = Vec::new();
        let mut candidates = Vec::new();
        for line in text.lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            if value["k"] == "game" {
                games.append(&mut candidates);
            }
            let boards = value["boards"].as_array().cloned().unwrap_or_default();
            candidates.resize_with(boards.len().max(candidates.len()), Candidates::all);
            for (player, board) in boards.iter().enumerate() {
                if let Some(board) = board.as_str() {
                    candidates[player].observe(board);
                }
            }
        }
        games.append(&mut candidates);
        let seen = games.iter().filter(|game| game.choice.is_some());
        for game in seen.clone() {
            let own = |one: &&Candidate| one.rules.alphabet == alphabet && one.against.is_none();
            assert!(game.list.iter().any(|one| own(&one)), "{folder}: {game}");
        }
        let right = seen
            .clone()
            .filter(|game| game.rules().alphabet == alphabet);
        let (right, all) = (right.count(), seen.count());
        // Scenarios are small: some show nothing but what all alphabets have.
        assert!(right * 10 >= all * 5, "{folder}: {right} of {all}");
        println!("{folder}: {right} of {all} found");
    }
}

/// Frames as they came over the wire, on full maps.
#[test]
fn recorded_frames_find_their_dialect() {
    for name in ["classic-1.0.26", "loderunner-2021-04"] {
        let path = format!("{}/../shared/frames/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("skipped: ../shared/frames/{name}.txt is absent");
            continue;
        };
        let mut candidates = Candidates::all();
        for line in text.lines() {
            candidates.observe(line);
            assert!(!candidates.is_mixed(), "{name}: {candidates}");
        }
        assert!(name.starts_with(candidates.rules().name), "{candidates}");
    }
}
