//! Imports of small made-up recordings in every format, whole and spoilt.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::board::Alphabet;
use crate::record::{Game, Reader, TickLine, Writer};

const BOARDS: [&str; 3] = [
    "☼☼☼☼☼☼►  ☼☼###☼☼###☼☼☼☼☼☼",
    "☼☼☼☼☼☼ ► ☼☼###☼☼###☼☼☼☼☼☼",
    "☼☼☼☼☼☼ Я ☼☼*##☼☼###☼☼☼☼☼☼",
];

/// What an import gave.
struct Outcome {
    imported: Result<Imported, ImportError>,
    games: Vec<Game>,
    notes: Vec<String>,
}

fn outcome(name: &str, content: &[u8], options: &ImportOptions) -> Outcome {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    of_file(&path, &folder.path().join("log.jsonl"), options)
}

fn of_file(path: &Path, log: &Path, options: &ImportOptions) -> Outcome {
    let mut writer = Writer::create(log).unwrap();
    let mut notes = Vec::new();
    let imported = import(path, options, &mut writer, &mut |note| {
        notes.push(format!("{}: {}", note.line, note.text));
    });
    writer.finish().unwrap();
    let games = Reader::open(log).unwrap().games();
    let games = games.filter_map(Result::ok).collect();
    Outcome {
        imported,
        games,
        notes,
    }
}

fn auto(content: &str) -> Outcome {
    outcome("a.txt", content.as_bytes(), &ImportOptions::default())
}

fn rows(board: &str) -> String {
    let glyphs: Vec<char> = board.chars().collect();
    let mut text = String::new();
    for row in glyphs.chunks(glyphs.len().isqrt()) {
        let _ = writeln!(text, "{}", row.iter().collect::<String>());
    }
    text
}

/// Boards and answers of a game as they went in.
fn played(game: &Game) -> Vec<(u64, Option<String>, String)> {
    let line = |line: &TickLine| {
        let answer = line.cmd.first().cloned().flatten();
        (line.t, answer, line.boards[0].clone().unwrap_or_default())
    };
    game.lines.iter().map(|(_, it)| line(it)).collect()
}

fn expected(answers: [Option<&str>; 3]) -> Vec<(u64, Option<String>, String)> {
    let line = |(tick, board): (usize, &&str)| {
        let answer = answers[tick].map(str::to_owned);
        (tick as u64, answer, (*board).to_owned())
    };
    BOARDS.iter().enumerate().map(line).collect()
}

#[test]
fn raw_frames_with_any_prefix() {
    let text = format!(
        "starting\n2026-11-30 03:55:34.000 Data from server: board={}\nAnswer: RIGHT\n\
         2026-11-30 03:55:35.000 Data from server: board={}\r\nSending: act,left\n\
         2026-11-30 03:55:36.010 Data from server: board={}\n",
        BOARDS[0], BOARDS[1], BOARDS[2]
    );
    let outcome = auto(&text);
    let imported = outcome.imported.unwrap();
    assert_eq!((imported.format, imported.games), (Format::Boards, 1));
    assert_eq!((imported.boards, imported.answers), (3, 2));
    assert_eq!(outcome.notes, Vec::<String>::new());
    let game = &outcome.games[0];
    assert_eq!(
        played(game),
        expected([None, Some("RIGHT"), Some("act,left")])
    );
    assert_eq!(game.lines[2].1.at, Some(2010));
    assert_eq!(game.header.rules, "classic");
    assert_eq!(game.header.map[2], "☼###☼");
    assert_eq!(game.header.map[1], "☼   ☼");
}

#[test]
fn a_missing_tick_a_torn_line_and_other_words_are_told_of() {
    let line =
        |second: u32, board: &str| format!("2026-11-30T03:55:{second:02}.0Z board={board}\n");
    let mut text = String::new();
    for (second, board) in [(1, 0), (2, 1), (3, 2), (5, 2), (6, 2)] {
        text += &line(second, BOARDS[board]);
        text += "Answer: UP\n";
    }
    text += "board=null\n";
    text += "2026-11-30T03:55:08.0Z board=☼☼☼☼☼☼►  ☼☼";
    let outcome = auto(&text);
    assert_eq!(
        outcome.notes,
        [
            "11: the server could not draw this board; left out",
            "12: the last line is broken off (the board has 11 glyphs, no square number); left out",
            "7: 1 board is missing before this one, by its time",
        ]
    );
    let game = &outcome.games[0];
    let ticks: Vec<(u64, Option<u32>)> = game.lines.iter().map(|it| (it.1.t, it.1.late)).collect();
    assert_eq!(
        ticks,
        [(0, None), (1, None), (2, None), (4, Some(1)), (5, None)]
    );
    assert!(
        game.lines[3].1.cmd.is_empty(),
        "the answer belongs to a missing board"
    );
}

#[test]
fn several_players_sizes_and_dialects_become_several_games() {
    let mut text = String::new();
    for board in BOARDS {
        let _ = writeln!(text, "alice: board={board}\nbob: board={board}");
    }
    let _ = writeln!(text, "alice: board=☼☼☼☼Я☼☼☼☼");
    let _ = writeln!(text, "alice: board=☼☼☼☼A☼☼M☼");
    let outcome = auto(&text);
    let ids: Vec<&str> = outcome
        .games
        .iter()
        .map(|it| it.header.id.as_str())
        .collect();
    assert_eq!(ids, ["a/alice", "a/alice#2", "a/alice#3", "a/bob"]);
    let dialects: Vec<&str> = outcome
        .games
        .iter()
        .map(|it| it.header.rules.as_str())
        .collect();
    assert_eq!(dialects, ["classic", "classic", "clifford", "classic"]);
    assert_eq!(
        outcome.notes,
        [
            "7: the size changes from 5 to 3; a new game begins",
            "8: the dialect of the glyphs changes; a new game begins",
        ]
    );
}

#[test]
fn consoles_of_clients() {
    let dashes = "-".repeat(61);
    let text = format!(
        "Board:\n{}\u{1b}[32mAnswer: RIGHT\u{1b}[0m\n{dashes}\n{}DRILL_LEFT\n{dashes}\n{}Answer: \n{}",
        rows(BOARDS[0]),
        rows(BOARDS[1]),
        rows(BOARDS[2]),
        "☼☼☼☼☼☼☼☼\n".repeat(4),
    );
    let outcome = auto(&text);
    let imported = outcome.imported.unwrap();
    assert_eq!((imported.format, imported.answers), (Format::Console, 3));
    let game = &outcome.games[0];
    assert_eq!(
        played(game),
        expected([None, Some("RIGHT"), Some("ACT,LEFT")])
    );
    assert_eq!(
        outcome.notes,
        ["26: a board breaks off at the end of the file after 4 of 8 rows; left out"]
    );
}

#[test]
fn the_local_runner_s_console() {
    let mut text = String::new();
    for (tick, board) in BOARDS.iter().enumerate() {
        for player in 1..=2 {
            for row in rows(board).lines() {
                let _ = writeln!(text, "2026-11-30T03:55:3{tick}.000:\t{player}:{row}");
            }
            let _ = writeln!(text, "{player}:Scores: {tick}");
            let _ = writeln!(text, "{player}:Answer: LEFT");
            let _ = writeln!(text, "{player}:Fire Event: GET_GOLD");
            let _ = writeln!(text, "{player}:[..2..]");
        }
        let _ = writeln!(text, "{}", "-".repeat(42));
    }
    let outcome = auto(&text);
    assert_eq!(outcome.imported.unwrap().format, Format::Runner);
    assert_eq!(outcome.games.len(), 2);
    for game in &outcome.games {
        assert_eq!(played(game), expected([None, Some("LEFT"), Some("LEFT")]));
        let line = &game.lines[1].1;
        assert_eq!(line.score, [Some(1)]);
        assert_eq!(line.ev, [Some(vec!["GET_GOLD".to_owned()])]);
        assert_eq!(line.at, Some(1000));
    }
    assert_eq!(outcome.notes, Vec::<String>::new());
}

#[test]
fn the_server_s_list_in_the_browser_s_letters() {
    // Any order will do as long as the reader is told: a server's own is not ours to know.
    let order: String = Alphabet::Classic.pairs().iter().map(|it| it.0).collect();
    let letter = |glyph: char| {
        let place = order.chars().position(|it| it == glyph);
        let letters = ('A'..='Z').chain('a'..='z');
        letters.clone().nth(place.unwrap()).unwrap()
    };
    let row = |tick: usize| {
        let board: String = BOARDS[tick].chars().map(letter).collect();
        format!(
            r#"{{"time":{},"playerName":"p","gameType":"loderunner","score":"{tick}","command":"[ACT[], LEFT]","message":null,"board":"{board}"}}"#,
            1_000_000 + tick * 1000
        )
    };
    // Newest first, as the server gives it.
    let text = format!("[{},{},{}]", row(2), row(1), row(0));
    let options = ImportOptions {
        elements: Some(order.clone()),
        ..ImportOptions::default()
    };
    let read = |text: &str| outcome("a.txt", text.as_bytes(), &options);
    let outcome = read(&text);
    assert_eq!(outcome.imported.unwrap().format, Format::Rest);
    let game = &outcome.games[0];
    assert_eq!(
        played(game),
        expected([None, Some("ACT,LEFT"), Some("ACT,LEFT")])
    );
    assert_eq!(game.lines[2].1.score, [Some(2)]);

    let torn = format!("[{},{},", row(0), row(1));
    let outcome = read(&torn);
    assert_eq!(outcome.games[0].lines.len(), 2);
    assert!(
        outcome.notes[0].contains("breaks off"),
        "{:?}",
        outcome.notes
    );
    let refused = auto(&text).imported.unwrap_err().to_string();
    assert!(refused.contains("--elements"), "{refused}");
}

#[test]
fn a_command_list_becomes_a_text() {
    for (list, text) in [
        ("[]", ""),
        ("[LEFT, ACT[], ACT[1, 2]]", "LEFT,ACT,ACT(1,2)"),
        ("[MESSAGE('hi, [you]'), UP]", "MESSAGE('hi, [you]'),UP"),
        ("[", "("),
        ("", ""),
    ] {
        assert_eq!(table::answer(list), text, "{list}");
    }
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;
    use rusqlite::Connection;

    fn table(columns: &str, rows: &[&str]) -> Outcome {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("logs.db");
        let base = Connection::open(&path).unwrap();
        base.execute(&format!("CREATE TABLE player_boards ({columns})"), [])
            .unwrap();
        for row in rows {
            base.execute(&format!("INSERT INTO player_boards VALUES ({row})"), [])
                .unwrap();
        }
        drop(base);
        let log = folder.path().join("log.jsonl");
        of_file(&path, &log, &ImportOptions::default())
    }

    fn time(second: usize) -> String {
        format!("2026-11-30T03:55:{second:02}.181+0000")
    }

    #[test]
    fn of_1_0_28_with_several_players_and_games() {
        let mut text = Vec::new();
        for player in ["p", "q"] {
            for (second, board) in BOARDS.iter().enumerate() {
                text.push(format!(
                    "'{}','{player}','loderunner','{second}','{}','[LEFT, ACT[]]'",
                    time(second),
                    rows(board)
                ));
            }
        }
        text.push(format!("'{}','p','snake','1','☼','[]'", time(1)));
        let texts: Vec<&str> = text.iter().map(String::as_str).collect();
        let outcome = table(
            "time, player_name, game_type, score, board, command",
            &texts,
        );
        assert_eq!(outcome.imported.unwrap().format, Format::Table);
        assert_eq!(outcome.games.len(), 2);
        // The first row's command is everything since the server started.
        assert_eq!(
            played(&outcome.games[0]),
            expected([None, None, Some("LEFT,ACT")])
        );
        assert_eq!(outcome.games[0].lines[1].1.score, [Some(1)]);
        assert_eq!(outcome.notes, ["0: 1 rows of other games are left out"]);
    }

    #[test]
    fn of_1_0_26_without_commands_and_of_the_newest_with_rooms() {
        let row = format!("'{}','p','loderunner','0','{}'", time(1), rows(BOARDS[0]));
        let outcome = table("time, player_name, game_type, score, board", &[&row]);
        assert_eq!(outcome.games[0].header.id, "logs/p");
        assert_eq!(outcome.games[0].lines.len(), 1);
        let row = format!(
            "'{}','p','clifford','room7','0','[]','','☼☼☼☼A☼☼m☼'",
            time(1)
        );
        let columns = "time, player_id, game_type, room_name, score, command, message, board";
        let outcome = table(columns, &[&row]);
        assert_eq!(outcome.games[0].header.id, "logs/p@room7");
        assert_eq!(outcome.games[0].header.rules, "clifford");
    }

    #[test]
    fn damaged_files_and_other_tables_are_refused_in_one_sentence() {
        let mut content = b"SQLite format 3\0".to_vec();
        content.extend([7; 5000]);
        let outcome = outcome("x.db", &content, &ImportOptions::default());
        let error = outcome.imported.unwrap_err().to_string();
        assert!(error.contains("SQLite"), "{error}");
        let outcome = table("a, b", &[]);
        let error = outcome.imported.unwrap_err().to_string();
        assert!(error.contains("no table player_boards"), "{error}");
    }
}

#[test]
fn what_is_no_recording_is_refused_in_one_sentence() {
    for (content, part) in [
        (&b""[..], "no known format"),
        (b"\xff\xfea\0", "UTF-16"),
        (b"{\"k\":\"game\",\"v\":1}\n", "game log already"),
        (b"hello\nworld\n", "no known format"),
        (b"[{\"board\":7}]", "no board"),
        (&[0u8; 7000], "no known format"),
    ] {
        let options = ImportOptions {
            elements: Some("☼ #".to_owned()),
            ..ImportOptions::default()
        };
        let outcome = outcome("x.txt", content, &options);
        let error = outcome.imported.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
        assert!(!error.contains('\n'));
    }
    let format = |format| ImportOptions {
        format: Some(format),
        ..ImportOptions::default()
    };
    for kind in Format::ALL {
        let outcome = outcome("x.txt", b"garbage\n\xffmore\0\n", &format(kind));
        assert!(outcome.imported.is_err(), "{kind}");
    }
    assert!("csv".parse::<Format>().is_err());
}

#[test]
fn answers_from_another_file() {
    let text: String = BOARDS.map(|it| format!("board={it}\n")).concat();
    let options = ImportOptions {
        answers: Some("right\nact,left\n\n".to_owned()),
        ..ImportOptions::default()
    };
    let outcome = outcome("a.txt", text.as_bytes(), &options);
    assert_eq!(
        played(&outcome.games[0]),
        expected([None, Some("right"), Some("act,left")])
    );
}
