//! The simulator against the recordings of the original engines, and the verifier against recordings
//! that were spoilt on purpose.

#![cfg(feature = "tools")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod binary;

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;

use lodebot::replay::{Difference, Divergence, Options, Report, Summary, verify};
use tempfile::TempDir;

/// A hero walks right, then digs to the left; the hole opens.
const GAME: [&str; 5] = [
    r#"{"k":"game","v":1,"id":"own","rules":"classic","engine":"hand","size":5,"players":1,"map":["☼☼☼☼☼","☼   ☼","☼   ☼","☼###☼","☼☼☼☼☼"]}"#,
    r#"{"t":0,"join":[0],"draws":[[5,1],[5,2]],"st":{"h":[[0,1,2,"R",1,0]],"e":[]},"boards":["☼☼☼☼☼☼   ☼☼►  ☼☼###☼☼☼☼☼☼"]}"#,
    r#"{"t":1,"cmd":["RIGHT"],"score":[0],"st":{"h":[[0,2,2,"R",1,0]],"e":[]},"boards":["☼☼☼☼☼☼   ☼☼ ► ☼☼###☼☼☼☼☼☼"]}"#,
    r#"{"t":2,"cmd":["ACT,LEFT"],"score":[0],"st":{"h":[[0,2,2,"L",1,1]],"e":[],"b":[[1,1,1,0]]},"boards":["☼☼☼☼☼☼   ☼☼ Я ☼☼*##☼☼☼☼☼☼"]}"#,
    r#"{"t":3,"cmd":[""],"score":[0],"st":{"h":[[0,2,2,"L",1,1]],"e":[],"b":[[1,1,2,0]]},"boards":["☼☼☼☼☼☼   ☼☼ Я ☼☼ ##☼☼☼☼☼☼"]}"#,
];

/// Everything that a verification said.
#[derive(Default)]
struct Outcome {
    summary: Summary,
    divergences: Vec<Divergence>,
    faults: Vec<String>,
    skipped: Vec<String>,
}

fn outcome(files: Vec<PathBuf>, options: Options) -> Outcome {
    let mut outcome = Outcome::default();
    let summary = verify(files, options, |report| -> Result<(), Infallible> {
        match report {
            Report::Unreadable(fault) => outcome.faults.push(fault.to_string()),
            Report::Fault(fault) => outcome.faults.push(fault.to_string()),
            Report::Skipped { game, .. } => outcome.skipped.push(game),
            Report::Diverges(divergences) => outcome.divergences.extend(divergences),
            Report::Live { .. } => {}
        }
        Ok(())
    });
    let Ok(summary) = summary;
    outcome.summary = summary;
    outcome
}

/// Verifies a log given as text.
fn of_text(text: &str, options: Options) -> Outcome {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.jsonl");
    fs::write(&path, text).unwrap();
    outcome(vec![path], options)
}

fn game() -> String {
    GAME.map(|line| line.to_owned() + "\n").concat()
}

/// The game with one piece of its text replaced.
fn spoilt(from: &str, to: &str) -> String {
    let text = game();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

fn recordings(folder: &str) -> Option<Vec<PathBuf>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/conformance")
        .join(folder);
    let Ok(entries) = fs::read_dir(&path) else {
        println!("skipped: ../shared/conformance/{folder} is absent");
        return None;
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    Some(files)
}

/// Replays all recordings of a dialect, which must agree to the last character.
fn is_as_recorded(folder: &str, total: &str, skipped: &[&str]) {
    let Some(files) = recordings(folder) else {
        return;
    };
    let found = outcome(files, Options::default());
    for divergence in found.divergences.iter().take(5) {
        print!("{divergence}");
    }
    assert_eq!(found.faults, [""; 0]);
    assert_eq!(found.summary.to_string(), total);
    assert_eq!(found.skipped, skipped);
}

#[test]
fn classic_is_as_recorded() {
    is_as_recorded(
        "classic",
        "verified: games=699 skipped=1 ticks=94278 divergences=0",
        &["spawn-nowhere"],
    );
}

#[test]
fn loderunner_of_april_2021_is_as_recorded() {
    is_as_recorded(
        "loderunner-2021-04",
        "verified: games=233 skipped=0 ticks=27833 divergences=0",
        &[],
    );
}

#[test]
fn loderunner_of_september_2021_is_as_recorded() {
    is_as_recorded(
        "loderunner-2021-09",
        "verified: games=233 skipped=0 ticks=28043 divergences=0",
        &[],
    );
}

#[test]
fn clifford_is_as_recorded() {
    is_as_recorded(
        "clifford",
        "verified: games=255 skipped=0 ticks=28784 divergences=0",
        &[],
    );
}

#[test]
fn a_good_game_verifies() {
    let found = of_text(&(game() + &game()), Options::default());
    assert_eq!(found.faults, [""; 0]);
    assert_eq!(found.divergences, []);
    assert_eq!(
        found.summary.to_string(),
        "verified: games=2 skipped=0 ticks=6 divergences=0"
    );
}

#[test]
fn every_kind_of_difference_is_found_where_it_is() {
    let cases: [(&str, &str, u64, &str); 11] = [
        (
            "[[5,1],[5,2]]",
            "[[5,1],[6,2]]",
            0,
            "draw 1: asked for bound 5 (PlaceY), expected bound 6, result 2, not a monster's target",
        ),
        (
            "[[5,1],[5,2]]",
            "[[5,1],[5,2,0]]",
            0,
            "draw 1: asked for bound 5 (PlaceY), expected bound 5, result 2, target of monster 0",
        ),
        (
            "[[5,1],[5,2]]",
            "[[5,1]]",
            0,
            "draw 1: asked for bound 5 (PlaceY), but no draw is left",
        ),
        (
            "[[5,1],[5,2]]",
            "[[5,1],[5,2],[5,0]]",
            0,
            "draws: 1 recorded, not asked for",
        ),
        (
            r#"{"t":1,"#,
            r#"{"t":1,"draws":[[5,0]],"#,
            1,
            "draws: 1 recorded, not asked for",
        ),
        (
            "☼ ► ☼",
            "☼  ►☼",
            1,
            "player 0, board, cell x=2 y=2 (y from the bottom): recorded ' ', replayed '►', and 1 cell more",
        ),
        (
            "☼*##☼",
            "☼ ##☼",
            2,
            "player 0, board, cell x=1 y=1 (y from the bottom): recorded ' ', replayed '*'",
        ),
        (
            r#""score":[0]"#,
            r#""score":[1]"#,
            1,
            "player 0, score: recorded 1, replayed 0",
        ),
        (
            r#"{"t":2,"#,
            r#"{"t":2,"ev":[["GET_GOLD"]],"#,
            2,
            r#"player 0, events: recorded ["GET_GOLD"], replayed []"#,
        ),
        (
            r#"[0,2,2,"R",1,0]"#,
            r#"[0,2,2,"D",1,0]"#,
            1,
            r#"hidden state, hero 0: recorded [0,2,2,"D",1,0], replayed [0,2,2,"R",1,0]"#,
        ),
        (
            r#""b":[[1,1,2,0]]"#,
            r#""g":[]"#,
            3,
            "hidden state, bricks: recorded [], replayed [[1,1,2,0]]",
        ),
    ];
    for (from, to, tick, text) in cases {
        let found = of_text(&spoilt(from, to), Options::default());
        assert_eq!(found.faults, [""; 0]);
        assert_eq!(found.summary.divergences, 1, "{to}");
        let [divergence] = found.divergences.as_slice() else {
            panic!("{to}")
        };
        assert_eq!(
            (divergence.tick, divergence.number),
            (tick, tick + 2),
            "{to}"
        );
        assert_eq!(divergence.game, "own");
        assert_eq!(divergence.differences[0].to_string(), text);
        assert!(divergence.views.is_some());
        // A game that diverges still counts, with all its ticks.
        assert_eq!((found.summary.games, found.summary.ticks), (1, 3));
    }
}

#[test]
fn both_boards_are_shown() {
    let found = of_text(&spoilt("☼ ► ☼", "☼  ►☼"), Options::default());
    let text = found.divergences[0].to_string();
    let picture = text.split_once("player 0:\n").unwrap().1;
    assert_eq!(
        picture,
        "  recorded   replayed\n  ☼☼☼☼☼      ☼☼☼☼☼\n  ☼   ☼      ☼   ☼\n  ☼  ►☼      ☼ ► ☼ <\n  \
         ☼###☼      ☼###☼\n  ☼☼☼☼☼      ☼☼☼☼☼\n"
    );
}

#[test]
fn all_lists_every_line_and_only_the_first_with_boards() {
    // The hero starts one cell farther right, and every line after that is off.
    let text = spoilt("[[5,1],[5,2]]", "[[5,2],[5,2]]");
    let first = of_text(&text, Options::default());
    assert_eq!(first.summary.divergences, 1);
    let all = of_text(&text, Options { all: true });
    assert_eq!(all.summary.divergences, 4);
    let ticks: Vec<u64> = all
        .divergences
        .iter()
        .map(|divergence| divergence.tick)
        .collect();
    assert_eq!(ticks, [0, 1, 2, 3]);
    assert_eq!(
        first.divergences[0].differences,
        all.divergences[0].differences
    );
    assert!(all.divergences[1].views.is_none());
    let differs = |it: &Difference| matches!(it, Difference::Board { .. });
    assert!(
        all.divergences
            .iter()
            .all(|divergence| divergence.differences.iter().any(differs))
    );
}

#[test]
fn recordings_that_contradict_themselves_are_faults() {
    for (from, to, text) in [
        (
            r#""join":[0]"#,
            r#""join":[1]"#,
            "log.jsonl:2: game own: player 1 joins where number 0 is due; its rest is left out",
        ),
        (
            r#"{"t":1,"#,
            r#"{"t":1,"leave":[3],"#,
            "log.jsonl:3: game own: player 3 leaves without being there; its rest is left out",
        ),
        (
            r#"{"t":3,"#,
            r#"{"t":4,"#,
            "log.jsonl:5: game own: has t = 4 where t = 3 is due; lines are missing; its rest is left out",
        ),
        (
            r#""cmd":["RIGHT"]"#,
            r#""cmd":["RIGHT",""]"#,
            "log.jsonl:3: game own: `cmd` has 2 entries for 1 players; its rest is left out",
        ),
        (
            r#""cmd":["RIGHT"],"#,
            "",
            "log.jsonl:3: game own: `cmd` has 0 entries for 1 players; its rest is left out",
        ),
        (
            "☼☼ ► ☼☼",
            "☼☼ ►☼☼",
            "log.jsonl:3: game own: player 0's board has 24 characters, not 25; its rest is left out",
        ),
        (
            "\"classic\"",
            "\"chess\"",
            "log.jsonl:1: game own: no rules are called \"chess\"",
        ),
        (
            "\"players\":1",
            "\"settings\":{\"gold\":1}",
            "log.jsonl:1: game own: classic has no setting \"gold\"",
        ),
    ] {
        let found = of_text(&spoilt(from, to), Options::default());
        assert_eq!((found.summary.faults, found.summary.games), (1, 0), "{to}");
        assert_eq!(found.divergences, [], "{to}");
        assert!(found.faults[0].contains(text), "{}", found.faults[0]);
    }
    let header_only = of_text(GAME[0], Options::default());
    assert_eq!(
        (header_only.summary.faults, header_only.summary.games),
        (1, 0)
    );
}

#[test]
fn games_around_a_bad_one_count() {
    let text = game() + &spoilt("☼*##☼", "☼ ##☼") + &spoilt("\"t\":2", "\"t\":\"2\"") + &game();
    let found = of_text(&text, Options::default());
    // The third is good up to its malformed line.
    assert_eq!(
        found.summary.to_string(),
        "verified: games=4 skipped=0 ticks=10 divergences=1"
    );
    assert_eq!((found.faults.len(), found.summary.faults), (1, 1));
    assert!(
        found.faults[0].contains("log.jsonl:14: not a tick line"),
        "{}",
        found.faults[0]
    );
}

#[test]
fn a_torn_end_is_told_and_is_no_fault() {
    let text = game();
    let torn = &text[..text.rfind("##").unwrap()];
    let found = of_text(torn, Options::default());
    assert_eq!(
        found.summary.to_string(),
        "verified: games=1 skipped=0 ticks=2 divergences=0"
    );
    assert_eq!((found.faults.len(), found.summary.faults), (1, 0));
}

#[test]
fn failed_games_are_skipped() {
    let text = spoilt(r#"{"t":3,"#, r#"{"t":3,"err":1,"#);
    let found = of_text(&text, Options::default());
    assert_eq!(
        found.summary.to_string(),
        "verified: games=0 skipped=1 ticks=0 divergences=0"
    );
    assert_eq!(found.skipped, ["own"]);
}

#[test]
fn a_game_longer_than_a_batch_is_carried_on() {
    // 60 000 idle ticks: several batches.
    let mut text: String = GAME[..2]
        .iter()
        .map(|line| (*line).to_owned() + "\n")
        .collect();
    let board = "☼☼☼☼☼☼   ☼☼►  ☼☼###☼☼☼☼☼☼";
    for t in 1..=60_000 {
        let why = if t == 50_000 {
            "☼☼☼☼☼☼   ☼☼◄  ☼☼###☼☼☼☼☼☼"
        } else {
            board
        };
        let line = format!(
            r#"{{"t":{t},"cmd":["{}"],"boards":["{why}"]}}"#,
            " ".repeat(300)
        );
        text += &(line + "\n");
    }
    let found = of_text(&(text + &game()), Options::default());
    assert_eq!(found.faults, [""; 0]);
    assert_eq!(
        found.summary.to_string(),
        "verified: games=2 skipped=0 ticks=60003 divergences=1"
    );
    assert_eq!(
        (found.divergences[0].tick, found.divergences[0].number),
        (50_000, 50_002)
    );
}

#[test]
fn a_file_that_is_not_there_is_a_fault_and_the_others_are_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("log.jsonl");
    fs::write(&path, game()).unwrap();
    let files = vec![folder.path().join("absent"), folder.path().to_owned(), path];
    let found = outcome(files, Options::default());
    assert_eq!((found.summary.games, found.summary.faults), (1, 2));
    assert!(
        found.faults[0].contains("cannot be opened"),
        "{}",
        found.faults[0]
    );
    assert!(
        found.faults[1].contains("is a directory"),
        "{}",
        found.faults[1]
    );
}

/// Runs `lodebot replay verify` on one log given at standard input.
fn command(text: &str, options: &[&str]) -> (Option<i32>, String, String) {
    let arguments = [&["replay", "verify", "-"], options].concat();
    let output = binary::run(&arguments, text.as_bytes());
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_command_says_what_was_found_and_exits_accordingly() {
    let good = "verified: games=1 skipped=0 ticks=3 divergences=0\n";
    assert_eq!(
        command(&game(), &[]),
        (Some(0), good.to_owned(), String::new())
    );

    let (code, data, talk) = command(&spoilt("☼*##☼", "☼ ##☼"), &[]);
    assert_eq!((code, talk.as_str()), (Some(1), ""));
    assert!(
        data.starts_with("standard input:4: game own, tick 2 diverges\n"),
        "{data}"
    );
    assert!(
        data.ends_with("\nverified: games=1 skipped=0 ticks=3 divergences=1\n"),
        "{data}"
    );

    let (code, data, talk) = command("hello\n", &[]);
    assert_eq!(code, Some(2));
    assert_eq!(data, "verified: games=0 skipped=0 ticks=0 divergences=0\n");
    assert_eq!(talk.lines().count(), 1, "{talk}");
    assert!(
        talk.starts_with("lodebot: standard input:1: not a tick line"),
        "{talk}"
    );

    let (code, data, talk) = command(&game()[..game().rfind("##").unwrap()], &[]);
    assert_eq!(code, Some(0));
    assert_eq!(data, "verified: games=1 skipped=0 ticks=2 divergences=0\n");
    assert!(
        talk.starts_with("warning: ") || talk.starts_with("warn: "),
        "{talk}"
    );
}

#[test]
fn a_few_diverging_games_are_printed_unless_all_are_wanted() {
    let text = spoilt("☼*##☼", "☼ ##☼").repeat(8);
    let count = |data: &str| data.matches("diverges\n").count();
    let (_, data, talk) = command(&text, &[]);
    assert_eq!(count(&data), 5);
    assert!(
        talk.contains("3 more games diverge; --all prints them too"),
        "{talk}"
    );
    assert!(
        data.ends_with("games=8 skipped=0 ticks=24 divergences=8\n"),
        "{data}"
    );
    assert_eq!(count(&command(&text, &["--all"]).1), 8);

    let text = spoilt("classic", "chess").repeat(8);
    let (code, _, talk) = command(&text, &[]);
    assert_eq!(
        (code, talk.matches("no rules are called").count()),
        (Some(2), 5)
    );
    assert!(
        talk.ends_with("lodebot: 3 more faults; --all prints them too\n"),
        "{talk}"
    );
    assert_eq!(
        command(&text, &["--all"])
            .2
            .matches("no rules are called")
            .count(),
        8
    );
}
