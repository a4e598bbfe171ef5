//! The game log's reader and writer: what is read is written again unchanged, and every fault is
//! named with its place. What the recordings *mean* is checked in `conformance.rs`.

#![cfg(feature = "tools")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use lodebot::record::{
    ClassicState, Draw, Game, Header, HiddenState, Line, ReadError, ReadErrorKind, Reader,
    TickLine, Writer,
};
use serde_json::{Value, json};
use tempfile::tempdir;

const HEADER: &str = r#"{"k":"game","v":1,"id":"a","rules":"classic","engine":"x 1","size":2,"players":1,"map":["HH","HH"]}"#;
const TICKS: [&str; 3] = [
    r#"{"t":0,"join":[0],"draws":[[2,1],[2,0]],"boards":["HHHH"]}"#,
    r#"{"t":1,"cmd":["LEFT"],"draws":[[3,2,0]],"ev":[["GET_GOLD"]],"score":[1],"st":{"h":[[0,1,-1,"U",1,0]],"e":[[0,0,"L",1,-2,-1]],"g":[[1,1]],"b":[[0,1,12,-2]]},"boards":["HH H"]}"#,
    r#"{"t":2,"leave":[0],"cmd":[null],"score":[null],"boards":[null]}"#,
];

/// A game of the other dialects, and one tick of a live log.
const OTHERS: [&str; 4] = [
    r#"{"k":"game","v":1,"id":"b","group":"g","rules":"clifford","engine":"y","size":1,"players":2,"seed":18446744073709551615,"map":[" "],"teams":[0,1],"settings":{"A":1,"B":true},"desc":"d","later":{"x":[1]}}"#,
    r#"{"t":0,"join":[0,1],"score":[0,-5],"st":{"h":[[0,0,1,1,-1],null],"e":[[0,0,3]],"timer":50},"boards":[" "," "]}"#,
    r#"{"t":5,"cmd":["",null],"score":[0,0],"st":{"h":[null,null],"e":[],"timer":49},"over":[0]}"#,
    r#"{"t":6,"cmd":["ACT"],"boards":[" "],"at":1234,"took":5,"late":1,"why":["nearest","gold"]}"#,
];

fn text(lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{line}");
        text
    })
}

fn sample() -> String {
    text(&[&[HEADER], TICKS.as_slice(), OTHERS.as_slice()].concat())
}

fn reader(text: impl Into<Vec<u8>>) -> Reader {
    Reader::new("sample", Cursor::new(text.into()))
}

/// Every game and, apart from them, every fault.
fn read(reader: Reader) -> (Vec<Game>, Vec<ReadError>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for item in reader.games() {
        match item {
            Ok(game) => games.push(game),
            Err(fault) => faults.push(fault),
        }
    }
    (games, faults)
}

fn messages(faults: &[ReadError]) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

/// Reads `path`, writes every line to `copy`, and returns how many lines there were.
fn copy(path: &Path, copy: &Path) -> usize {
    let mut writer = Writer::create(copy).unwrap();
    let mut lines = 0;
    for entry in Reader::open(path).unwrap() {
        match entry.unwrap().line {
            Line::Header(header) => writer.header(&header).unwrap(),
            Line::Tick(tick) => writer.tick(&tick).unwrap(),
        }
        lines += 1;
    }
    writer.finish().unwrap();
    lines
}

/// The lines of a log as JSON values. Empty gold and brick lists mean the same as absent ones, and
/// the recordings have both.
fn json(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for line in &mut lines {
        if let Some(Value::Object(state)) = line.get_mut("st") {
            state.retain(|key, value| !matches!(key.as_str(), "g" | "b") || *value != json!([]));
        }
    }
    lines
}

fn unpacked(path: &Path) -> String {
    let bytes = fs::read(path).unwrap();
    if path.extension().is_some_and(|ending| ending == "zst") {
        String::from_utf8(zstd::decode_all(bytes.as_slice()).unwrap()).unwrap()
    } else {
        String::from_utf8(bytes).unwrap()
    }
}

#[test]
fn lines_are_read_as_they_stand() {
    let (games, faults) = read(reader(sample()));
    assert_eq!(messages(&faults), [""; 0]);
    assert_eq!(games.len(), 2);
    let [first, second] = games.as_slice() else {
        unreachable!()
    };
    assert_eq!((first.number, first.lines.len()), (1, 3));
    assert_eq!(first.header.map_text(), "HHHH");
    let tick = &first.lines[1].1;
    assert_eq!(
        tick.draws,
        [Draw {
            bound: 3,
            result: 2,
            monster: Some(0)
        }]
    );
    assert_eq!(tick.ev, [Some(vec!["GET_GOLD".to_owned()])]);
    let Some(HiddenState::Classic(state)) = &tick.st else {
        panic!("{tick:?}")
    };
    assert_eq!((state.heroes[0].y, state.monsters[0].target), (-1, -2));
    assert_eq!((state.gold[0], state.bricks[0].timer), ((1, 1), 12));
    assert_eq!(first.lines[2].1.boards, [None]);
    assert_eq!(second.lines[1].1.over, [0]);
    let Some(HiddenState::Modern(state)) = &second.lines[0].1.st else {
        panic!()
    };
    assert_eq!(
        (state.timer, state.monsters[0].load, state.heroes[1]),
        (50, 3, None)
    );
    assert!(second.lines[2].1.is_live() && !second.lines[1].1.is_live());
}

#[test]
fn what_is_written_is_what_was_read() {
    let folder = tempdir().unwrap();
    let original = folder.path().join("original.jsonl");
    fs::write(&original, sample()).unwrap();
    for name in ["copy.jsonl", "copy.jsonl.zst", "copy.jsonl.gz"] {
        let copied = folder.path().join(name);
        assert_eq!(copy(&original, &copied), 8, "{name}");
        let again = folder.path().join("again.jsonl");
        copy(&copied, &again);
        assert_eq!(json(&unpacked(&again)), json(&sample()), "{name}");
    }
}

#[test]
fn a_header_made_here_is_read_back() {
    let header = Header::new("g", "classic", vec!["# ".into(), "##".into()]);
    let state = HiddenState::Classic(ClassicState::default());
    let tick = TickLine {
        t: 0,
        st: Some(state),
        ..TickLine::default()
    };
    let folder = tempdir().unwrap();
    let path = folder.path().join("made.jsonl.gz");
    let mut writer = Writer::create(&path).unwrap();
    writer.header(&header).unwrap();
    writer.tick(&tick).unwrap();
    drop(writer);
    let (games, faults) = read(Reader::open(&path).unwrap());
    assert_eq!(messages(&faults), [""; 0]);
    assert_eq!(games[0].header, header);
    assert_eq!(games[0].lines, [(2, tick)]);
    assert!(header.engine.starts_with("lodebot "));
}

#[test]
fn recordings_of_the_originals_survive_a_copy() {
    let shared = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    if !shared.is_dir() {
        println!("skipped: ../shared/conformance is absent");
        return;
    }
    let folder = tempdir().unwrap();
    let copied = folder.path().join("copy.jsonl");
    for name in [
        "classic/scenarios.jsonl",
        "classic/crowded.jsonl.zst",
        "loderunner-2021-04/scenarios.jsonl",
        "loderunner-2021-09/defaults.jsonl.zst",
        "clifford/scenarios.jsonl",
    ] {
        let original = shared.join(name);
        let lines = copy(&original, &copied);
        let (expected, got) = (json(&unpacked(&original)), json(&unpacked(&copied)));
        assert_eq!(lines, expected.len(), "{name}");
        for (number, (expected, got)) in expected.iter().zip(&got).enumerate() {
            assert_eq!(expected, got, "{name}:{}", number + 1);
        }
    }
}

#[test]
fn every_line_is_on_disk_at_once() {
    let folder = tempdir().unwrap();
    for name in ["log.jsonl", "log.jsonl.zst", "log.jsonl.gz"] {
        let path = folder.path().join(name);
        let mut writer = Writer::create(&path).unwrap();
        writer
            .header(&Header::new("g", "classic", vec!["#".into()]))
            .unwrap();
        writer
            .tick(&TickLine {
                cmd: vec![Some("ACT".into())],
                ..TickLine::default()
            })
            .unwrap();
        // The process dies here: nobody closes the file.
        let (games, faults) = read(Reader::open(&path).unwrap());
        assert_eq!(games[0].lines.len(), 1, "{name}");
        assert!(
            faults
                .iter()
                .all(|fault| fault.to_string().contains("broken off")),
            "{name}: {:?}",
            messages(&faults)
        );
        assert_eq!(faults.len(), usize::from(name != "log.jsonl"), "{name}");
        drop(writer);
        let (_, faults) = read(Reader::open(&path).unwrap());
        assert_eq!(messages(&faults), [""; 0], "{name}");
    }
}

#[test]
fn a_torn_last_line_costs_only_itself() {
    let whole = text(&[HEADER, TICKS[0], TICKS[1]]);
    // Cut anywhere within the last line, in the middle of a character too.
    let start = text(&[HEADER, TICKS[0]]).len();
    for cut in start + 1..whole.len() - 1 {
        let (games, faults) = read(reader(&whole.as_bytes()[..cut]));
        assert_eq!(games[0].lines.len(), 1, "cut at {cut}");
        assert_eq!(faults.len(), 1, "cut at {cut}");
        assert!(faults[0].is_torn(), "cut at {cut}: {}", faults[0]);
        assert_eq!(faults[0].line, 3);
    }
    // Only the end of the line is missing: nothing is lost.
    let (games, faults) = read(reader(whole.trim_end()));
    assert_eq!((games[0].lines.len(), faults.len()), (2, 0));
}

#[test]
fn a_game_after_a_torn_one_is_read() {
    let torn = text(&[HEADER, TICKS[0], &TICKS[1][..40], OTHERS[0], OTHERS[1]]);
    let (games, faults) = read(reader(torn));
    assert_eq!(
        games
            .iter()
            .map(|game| game.lines.len())
            .collect::<Vec<_>>(),
        [1, 1]
    );
    assert_eq!(faults.len(), 1);
    assert!(faults[0].is_torn() && faults[0].line == 3);
    assert!(games[0].fault.is_some() && games[1].fault.is_none());
}

#[test]
fn a_game_that_goes_on_after_a_torn_line_is_a_fault() {
    let (games, faults) = read(reader(text(&[HEADER, TICKS[0], &TICKS[1][..40], TICKS[2]])));
    assert_eq!(games[0].lines.len(), 1);
    assert!(
        matches!(faults[1].kind, ReadErrorKind::AfterTorn),
        "{}",
        faults[1]
    );
    assert_eq!(faults[1].line, 4);
}

#[test]
fn every_malformed_line_is_named() {
    let header = |from: &str, to: &str| HEADER.replace(from, to);
    let cases = [
        (
            text(&["hello"]),
            "sample:1: not a tick line: expected value (column 1); the rest of this game is left out",
        ),
        (
            text(&[TICKS[0]]),
            "sample:1: a tick line before any header line; the file must begin with {\"k\":\"game\",..}",
        ),
        (
            text(&[HEADER, r#"{"t":"0"}"#]),
            "sample:2: not a tick line: invalid type: string \"0\", expected u64 (column 8); the rest of this game is left out",
        ),
        (
            text(&[HEADER, r#"{"cmd":[]}"#]),
            "sample:2: not a tick line: missing field `t` (column 10); the rest of this game is left out",
        ),
        (
            text(&[HEADER, r#"{"t":-1}"#]),
            "sample:2: not a tick line: invalid value: integer `-1`, expected u64 (column 7); the rest of this game is left out",
        ),
        (
            text(&[HEADER, TICKS[0], TICKS[0]]),
            "sample:3: out of order: t = 0 does not follow t = 0; the rest of this game is left out",
        ),
        (
            text(&[&header("\"v\":1", "\"v\":2")]),
            "sample:1: not a header line: version 2 of the format (this program reads version 1); the rest of this game is left out",
        ),
        (
            text(&[&header("game", "note")]),
            "sample:1: not a header line: unknown kind of line \"note\"; the rest of this game is left out",
        ),
        (
            text(&[&header("\"size\":2", "\"size\":3")]),
            "sample:1: not a header line: the map has 2 rows, not 3; the rest of this game is left out",
        ),
        (
            text(&[&header("\"HH\"]", "\"H\"]")]),
            "sample:1: not a header line: row 2 of the map has 1 characters, not 2; the rest of this game is left out",
        ),
        (
            text(&[&header("\"size\":2", "\"size\":0")]),
            "sample:1: not a header line: the size is 0, not in 1..=128; the rest of this game is left out",
        ),
        (
            text(&[&HEADER[..50]]),
            "sample:1: not a header line: the line is broken off; the rest of this game is left out",
        ),
    ];
    for (log, message) in cases {
        let (_, faults) = read(reader(log.as_str()));
        assert_eq!(messages(&faults), [message], "{log}");
        assert!(!faults[0].is_torn());
    }
}

#[test]
fn rows_of_the_wrong_shape_are_named() {
    for (st, part) in [
        (
            r#"{"h":[[0,1,1,"X",1,0]],"e":[]}"#,
            "expected a number of 32 bits or one of",
        ),
        (
            r#"{"h":[[0,1,1,"L",1]],"e":[]}"#,
            "a hero of classic is [id,x,y,facing,alive,pose]",
        ),
        (r#"{"h":[null],"e":[]}"#, "a hero of classic cannot be null"),
        (r#"{"h":[],"e":[[1,1,0]]}"#, "a monster of classic is"),
        (
            r#"{"h":[],"e":[[1,1]],"timer":1}"#,
            "a monster beside a portal timer is [x,y,load]",
        ),
        (
            r#"{"h":[],"e":[],"g":[[1,1]],"timer":1}"#,
            "cannot stand beside a portal timer",
        ),
        (r#"{"h":[[1,1,1,1,1,1,1]],"e":[]}"#, "invalid length 7"),
        (
            r#"{"h":[[99999999999,1,1,1,1]],"e":[],"timer":1}"#,
            "integer `99999999999`",
        ),
    ] {
        let (_, faults) = read(reader(text(&[HEADER, &format!(r#"{{"t":0,"st":{st}}}"#)])));
        assert_eq!(faults.len(), 1, "{st}");
        assert!(faults[0].to_string().contains(part), "{}", faults[0]);
    }
    for draws in ["[[1]]", "[[1,0,0,0]]", "[[]]", "[[-1,0]]", "[1,0]"] {
        let (_, faults) = read(reader(text(&[
            HEADER,
            &format!(r#"{{"t":0,"draws":{draws}}}"#),
        ])));
        assert_eq!(faults.len(), 1, "{draws}");
    }
}

#[test]
fn the_games_around_a_malformed_one_are_kept() {
    let log = text(&[&[HEADER, TICKS[0], "nonsense", TICKS[2]], OTHERS.as_slice()].concat());
    let (games, faults) = read(reader(log));
    assert_eq!(
        games
            .iter()
            .map(|game| game.lines.len())
            .collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].line, 3);
}

#[test]
fn byte_order_mark_carriage_returns_and_blank_lines_do_no_harm() {
    let log = format!("\u{feff}{}\r\n\n", sample().replace('\n', "\r\n"));
    let (games, faults) = read(reader(log));
    assert_eq!(messages(&faults), [""; 0]);
    assert_eq!(games, read(reader(sample())).0);
}

#[test]
fn an_empty_file_is_a_fault() {
    for empty in ["", "\n", "\u{feff}", " \n\n"] {
        let (games, faults) = read(reader(empty));
        assert!(games.is_empty());
        assert!(
            matches!(
                faults[..],
                [ReadError {
                    kind: ReadErrorKind::Empty,
                    ..
                }]
            ),
            "{empty:?}"
        );
        assert!(faults[0].to_string().starts_with("sample: holds no game"));
    }
}

#[test]
fn garbage_is_one_fault_and_no_panic() {
    // A fixed stream of bytes of every value, with line ends in it.
    let mut state = 1_u32;
    let garbage: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(100_000)
    .collect();
    let (games, faults) = read(reader(garbage));
    assert_eq!(
        (games.len(), faults.len()),
        (0, 1),
        "{:?}",
        messages(&faults)
    );
    assert!(!faults[0].is_torn());
}

#[test]
fn an_endless_line_is_given_up() {
    let endless = std::io::BufReader::new(std::io::repeat(b'7'));
    let (games, faults) = read(Reader::new("endless", endless));
    assert_eq!(games.len(), 0);
    assert!(matches!(
        faults[..],
        [ReadError {
            kind: ReadErrorKind::TooLong(_),
            line: 1,
            ..
        }]
    ));
}

#[test]
fn deep_nesting_is_a_fault_and_no_overflow() {
    let deep = format!(r#"{{"t":0,"later":{}}}"#, "[".repeat(200_000));
    let (_, faults) = read(reader(text(&[HEADER, &deep])));
    assert_eq!(faults.len(), 1);
}

#[test]
fn names_that_cannot_be_read_are_named() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let fault = |name: &str| match Reader::open(&path(name)) {
        Ok(reader) => read(reader).1.remove(0),
        Err(fault) => fault,
    };
    assert!(matches!(fault("absent.jsonl").kind, ReadErrorKind::Open(_)));
    assert!(matches!(fault(".").kind, ReadErrorKind::Directory));
    fs::write(path("plain.jsonl.zst"), sample()).unwrap();
    assert!(matches!(
        fault("plain.jsonl.zst").kind,
        ReadErrorKind::NotCompressed("zstd")
    ));
    fs::write(path("plain.jsonl.gz"), sample()).unwrap();
    assert!(matches!(
        fault("plain.jsonl.gz").kind,
        ReadErrorKind::NotCompressed("gzip")
    ));
    let packed = zstd::encode_all(sample().as_bytes(), 3).unwrap();
    fs::write(path("packed.jsonl"), &packed).unwrap();
    assert!(matches!(
        fault("packed.jsonl").kind,
        ReadErrorKind::Misnamed("zstd", ".zst")
    ));
    fs::write(path("packed.jsonl.gz"), &packed).unwrap();
    assert!(matches!(
        fault("packed.jsonl.gz").kind,
        ReadErrorKind::NotCompressed("gzip")
    ));
    fs::write(path("empty.jsonl.zst"), "").unwrap();
    assert!(matches!(
        fault("empty.jsonl.zst").kind,
        ReadErrorKind::Empty
    ));
    let message = fault("plain.jsonl.zst").to_string();
    assert!(message.ends_with("is not zstd-compressed although its name says so; rename it"));
}

#[test]
fn damaged_and_broken_streams_keep_what_stood_before() {
    let folder = tempdir().unwrap();
    let long: String = (0..2000_u64).fold(text(&[HEADER]), |mut text, t| {
        // Numbers that do not compress, so that there is something to cut.
        let _ = writeln!(
            text,
            r#"{{"t":{t},"score":[{}]}}"#,
            t * t * 7919 % 1_000_003
        );
        text
    });
    let zst = zstd::encode_all(long.as_bytes(), 3).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(long.as_bytes()).unwrap();
    for (name, packed) in [("a.jsonl.zst", zst), ("a.jsonl.gz", gz.finish().unwrap())] {
        let path = folder.path().join(name);
        fs::write(&path, &packed[..packed.len() - 10]).unwrap();
        let (_, faults) = read(Reader::open(&path).unwrap());
        assert!(
            matches!(
                faults[..],
                [ReadError {
                    kind: ReadErrorKind::BrokenStream,
                    ..
                }]
            ),
            "{name}: {:?}",
            messages(&faults)
        );
        let mut damaged = packed.clone();
        let middle = packed.len() / 2;
        for byte in &mut damaged[middle..middle + 8] {
            *byte ^= 0x5a;
        }
        fs::write(&path, &damaged).unwrap();
        let (_, faults) = read(Reader::open(&path).unwrap());
        // Gzip may hand out nonsense before it notices.
        assert!(
            faults.iter().any(|fault| !fault.is_torn()),
            "{name}: {:?}",
            messages(&faults)
        );
    }
    // Packed files appended to each other are one log.
    let both =
        [HEADER, OTHERS[0]].map(|line| zstd::encode_all(text(&[line]).as_bytes(), 3).unwrap());
    let path = folder.path().join("both.jsonl.zst");
    fs::write(&path, both.concat()).unwrap();
    assert_eq!(read(Reader::open(&path).unwrap()).0.len(), 2);
}

#[test]
fn a_file_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    let fault = Writer::create(folder.path())
        .err()
        .map(|fault| fault.to_string());
    assert!(fault.is_some_and(|fault| fault.contains("cannot be made")));
}

/// The same command run twice, or by something that restarts it, takes no recording away.
#[test]
fn an_earlier_recording_is_kept_under_another_name() {
    let folder = tempdir().unwrap();
    for name in ["game.jsonl", "game.jsonl.zst", ".hidden", "plain"] {
        let path = folder.path().join(name);
        for id in ["first", "second", "third"] {
            let map = vec!["HH".to_owned(), "HH".to_owned()];
            let mut writer = Writer::record(&path).unwrap();
            writer.header(&Header::new(id, "classic", map)).unwrap();
            writer.finish().unwrap();
        }
        let (stem, ending) = match name.split_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem, format!(".{ending}")),
            _ => (name, String::new()),
        };
        let aside = |number: u32| folder.path().join(format!("{stem}-{number}{ending}"));
        for (path, id) in [
            (aside(1), "first"),
            (aside(2), "second"),
            (path.clone(), "third"),
        ] {
            assert!(unpacked(&path).contains(id), "{name}: {}", path.display());
        }
        // Nothing is kept of an empty one.
        fs::write(&path, "").unwrap();
        Writer::record(&path).unwrap().finish().unwrap();
        assert!(!aside(3).exists());
    }
}
