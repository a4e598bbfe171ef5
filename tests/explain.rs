//! Live clients' logs: games played in the simulator, and recordings of the original engines, are cut down
//! to what one client sees, and the verifier has to explain them.

#![cfg(feature = "tools")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

use std::convert::Infallible;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lodebot::record::{Game, Header, Reader, TickLine, Writer};
use lodebot::replay::{Divergence, Kind, Options, Report, Summary, verify};
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{self, Command, Level, PlayerNumber, Rules};
use tempfile::TempDir;

/// What a client's log of one player of a game holds: his boards and commands, and a map of blanks, so that
/// only the boards tell the terrain.
fn client_log(game: &Game, player: usize) -> Vec<TickLine> {
    let mut lines = Vec::new();
    for (_, tick) in &game.lines {
        let Some(Some(board)) = tick.boards.get(player) else {
            continue;
        };
        let first = lines.is_empty();
        lines.push(TickLine {
            t: tick.t,
            cmd: match tick.cmd.get(player) {
                Some(Some(text)) if !first => vec![Some(text.clone())],
                _ => Vec::new(),
            },
            boards: vec![Some(board.clone())],
            at: Some(tick.t * 1000),
            ..TickLine::default()
        });
    }
    lines
}

/// A client's log: the game's id, its edge, its lines.
type Log = (String, usize, Vec<TickLine>);

fn write_log(path: &Path, rules: &str, logs: &[Log]) {
    let mut writer = Writer::create(path).unwrap();
    for (id, size, lines) in logs {
        let mut header = Header::new(id.clone(), rules, vec![" ".repeat(*size); *size]);
        header.players = 1;
        writer.header(&header).unwrap();
        for line in lines {
            writer.tick(line).unwrap();
        }
    }
    writer.finish().unwrap();
}

/// Verifies client logs of classic: the counts, and everything that is not explained.
fn verified(logs: &[Log]) -> (Summary, Vec<Divergence>) {
    verified_by("classic", logs)
}

/// The same of any dialect.
fn verified_by(rules: &str, logs: &[Log]) -> (Summary, Vec<Divergence>) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("live.jsonl");
    write_log(&path, rules, logs);
    let mut divergences = Vec::new();
    let all = Options { all: true };
    let summary = verify(vec![path], all, |report| -> Result<(), Infallible> {
        match report {
            Report::Unreadable(fault) => panic!("{fault}"),
            Report::Fault(fault) => panic!("{fault}"),
            Report::Diverges(found) => {
                divergences.extend(found.into_iter().filter(|it| it.kind != Kind::Explained));
            }
            Report::Skipped { .. } | Report::Live { .. } => {}
        }
        Ok(())
    });
    let Ok(summary) = summary;
    (summary, divergences)
}

/// A level with everything: pits, ladders, pipes, gold, monsters.
const LEVEL: [&str; 16] = [
    "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼",
    "☼  $    $   $  ☼",
    "☼H#####H#####H#☼",
    "☼H  $  H  $  H ☼",
    "☼####H####H####☼",
    "☼    H ~~~H    ☼",
    "☼$«  H    H  »$☼",
    "☼#H####H####H##☼",
    "☼ H  ~~H~~  H  ☼",
    "☼ H    H    H  ☼",
    "☼####H####H####☼",
    "☼ $  H  $ H  $ ☼",
    "☼##H#####H###H#☼",
    "☼  H  «  H   H ☼",
    "☼##############☼",
    "☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼☼",
];

/// Plays a game of several players who press keys at random, and returns what the first one's client logs.
fn played(seed: u64, players: usize, ticks: u64) -> Vec<TickLine> {
    const TEXTS: [&str; 9] = [
        "",
        "LEFT",
        "RIGHT",
        "UP",
        "DOWN",
        "ACT,LEFT",
        "RIGHT,ACT",
        "ACT(0)",
        "LEFT,DOWN",
    ];
    let rules = Arc::new(Rules::CLASSIC);
    let level = Level::parse(&LEVEL.concat(), &rules).unwrap();
    let mut game = sim::Game::new(level, Arc::clone(&rules));
    let mut dice = Seeded::new(seed);
    let mut keys = Seeded::new(seed ^ 0x5eed);
    for _ in 0..players {
        game.join(&mut dice).unwrap();
    }
    let mut lines = Vec::new();
    let mut texts = vec![""; players];
    for t in 0..=ticks {
        if t > 0 {
            for text in &mut texts {
                // Keys are held for a while, as players do.
                if keys.draw(3, Purpose::Sample) == 0 {
                    let suicide = keys.draw(20, Purpose::Sample) == 0;
                    let pick = keys.draw(7, Purpose::Sample) as usize;
                    *text = if suicide { TEXTS[7] } else { TEXTS[pick] };
                } else if *text == TEXTS[7] {
                    *text = "";
                }
            }
            let commands: Vec<Command> = texts
                .iter()
                .map(|text| Command::parse(text, &rules.grammar))
                .collect();
            game.tick(&commands, &mut dice);
        }
        let board = game.board(PlayerNumber(0)).unwrap();
        lines.push(TickLine {
            t,
            cmd: if t > 0 {
                vec![Some(texts[0].to_owned())]
            } else {
                Vec::new()
            },
            boards: vec![Some(board.render(rules.alphabet))],
            at: Some(t * 1000),
            ..TickLine::default()
        });
    }
    lines
}

#[test]
fn a_live_log_with_rivals_and_monsters_is_explained() {
    let logs: Vec<_> = (0..6)
        .map(|seed| {
            let players = 1 + seed % 4;
            (
                format!("game-{seed}"),
                16,
                played(seed as u64, players, 300),
            )
        })
        .collect();
    let (summary, divergences) = verified(&logs);
    assert_eq!(summary.live, 6);
    assert_eq!(
        summary.explained + summary.partly + summary.divergences,
        6 * 300
    );
    for divergence in divergences.iter().take(3) {
        println!("{divergence}");
    }
    assert!(
        summary.explained * 100 >= 95 * 6 * 300,
        "{summary} partly={}",
        summary.partly
    );
}

#[test]
fn the_originals_recordings_are_explained_from_every_seat() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance/classic");
    for name in ["duel", "platform", "holes", "crowded"] {
        let path = folder.join(format!("{name}.jsonl.zst"));
        if !path.exists() {
            println!("skipped: ../shared/conformance/classic is absent");
            return;
        }
        let mut logs = Vec::new();
        for game in Reader::open(&path).unwrap().games().take(4) {
            let game = game.unwrap();
            for player in 0..game.header.players.min(2) {
                let lines = client_log(&game, player);
                logs.push((
                    format!("{}-{player}", game.header.id),
                    game.header.size,
                    lines,
                ));
            }
        }
        let (summary, divergences) = verified(&logs);
        println!("{name}: {summary} partly={}", summary.partly);
        for divergence in divergences
            .iter()
            .filter(|it| it.kind == Kind::Diverged)
            .take(3)
        {
            println!("{divergence}");
        }
        let boards = summary.explained + summary.partly + summary.divergences;
        assert!(summary.explained * 100 >= boards * 95, "{name}: {summary}");
    }
}

#[test]
fn one_altered_cell_diverges_at_that_cell() {
    let lines = played(3, 3, 120);
    let before = verified(&[("g".to_owned(), 16, lines.clone())])
        .0
        .divergences;
    for (t, from, to) in [(60usize, '#', 'H'), (80, 'H', ' '), (100, '#', '$')] {
        let mut spoilt = lines.clone();
        let board: Vec<char> = spoilt[t].boards[0].clone().unwrap().chars().collect();
        let index = board.iter().position(|glyph| *glyph == from).unwrap();
        let mut altered = board.clone();
        altered[index] = to;
        spoilt[t].boards[0] = Some(altered.into_iter().collect());
        let (summary, divergences) = verified(&[("g".to_owned(), 16, spoilt)]);
        assert!(summary.divergences > before, "{from:?} to {to:?}");
        let found = divergences
            .iter()
            .find(|it| it.kind == Kind::Diverged && it.tick == t as u64)
            .unwrap();
        let (x, y) = (index % 16, 15 - index / 16);
        let text = found.to_string();
        assert!(text.contains(&format!("cell x={x} y={y} ")), "{text}");
    }
}

/// Recorded games of the later dialects as each of their players' clients would have logged them.
fn later_games() -> Vec<Game> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("replays");
    let names = ["loderunner-2021-04", "loderunner-2021-09", "clifford"];
    let games = names.map(|name| {
        let reader = Reader::open(&folder.join(format!("{name}.jsonl.zst"))).unwrap();
        reader.games().next().unwrap().unwrap()
    });
    games.into()
}

#[test]
fn live_logs_of_the_later_dialects_are_explained_from_every_seat() {
    for game in later_games() {
        let log = |player| {
            let lines = client_log(&game, player);
            (format!("seat-{player}"), game.header.size, lines)
        };
        let logs: Vec<Log> = (0..game.header.players).map(log).collect();
        let (summary, divergences) = verified_by(&game.header.rules, &logs);
        for divergence in divergences.iter().take(3) {
            println!("{divergence}");
        }
        let name = &game.header.rules;
        assert_eq!(summary.faults, 0, "{name}");
        assert!(
            summary.explained * 100 >= summary.ticks * 97,
            "{name}: {summary}"
        );
    }
}

#[test]
fn one_altered_cell_of_a_later_dialect_diverges_at_that_cell() {
    for game in later_games() {
        let size = game.header.size;
        let lines = client_log(&game, 0);
        let name = &game.header.rules;
        let before = verified_by(name, &[("g".to_owned(), size, lines.clone())]).1;
        let calm = (40..100).find(|t| before.iter().all(|it| it.tick.abs_diff(*t) > 2));
        let t = calm.unwrap() as usize;
        for (from, to) in [('#', 'H'), ('H', ' '), ('#', '$'), ('$', ' '), ('~', '#')] {
            let mut spoilt = lines.clone();
            let mut board: Vec<char> = spoilt[t].boards[0].as_ref().unwrap().chars().collect();
            // Far from everybody: the last such cell with nothing but terrain or gold around.
            let calm = |at: usize| {
                let around = [at - 1, at + 1, at - size, at + size];
                around.iter().all(|it| " #H~$☼".contains(board[*it]))
            };
            let found = (size..size * (size - 1)).rfind(|at| board[*at] == from && calm(*at));
            let Some(index) = found else { continue };
            board[index] = to;
            spoilt[t].boards[0] = Some(board.into_iter().collect());
            let (_, divergences) = verified_by(name, &[("g".to_owned(), size, spoilt)]);
            let cell = format!("cell x={} y={} ", index % size, size - 1 - index / size);
            let told = divergences.iter().any(|it| {
                it.kind == Kind::Diverged && it.tick == lines[t].t && it.to_string().contains(&cell)
            });
            assert!(
                told,
                "{name}: {from:?} to {to:?} in {cell}: {divergences:?}"
            );
        }
    }
}

#[test]
fn a_board_that_only_came_late_is_not_missed() {
    let mut lines = played(1, 2, 60);
    for line in &mut lines[20..40] {
        line.late = Some(2);
    }
    let (summary, _) = verified(&[("g".to_owned(), 16, lines)]);
    assert_eq!(summary.missed, 0, "{summary}");
}

#[test]
fn missed_boards_and_late_joins_are_counted_apart() {
    let mut lines = played(1, 2, 60);
    lines.remove(30);
    lines[40].late = Some(2);
    for line in &mut lines[40..] {
        line.t += 2;
    }
    let (summary, _) = verified(&[("g".to_owned(), 16, lines)]);
    assert_eq!(summary.missed, 2);
    assert!(
        summary
            .to_string()
            .ends_with(&format!("explained={} missed=2", summary.explained))
    );
    assert!(summary.explained >= 54, "{summary}");
}

#[test]
fn a_recording_without_answers_is_explained_too() {
    let mut lines = played(2, 2, 100);
    for line in &mut lines {
        line.cmd.clear();
    }
    let (summary, _) = verified(&[("g".to_owned(), 16, lines)]);
    assert!(summary.explained >= 95, "{summary}");
}

#[test]
fn boards_with_more_bodies_than_are_simulated_are_no_panic() {
    for (rules, monster, rival) in [("classic", '«', ')'), ("clifford", ')', '»')] {
        let board = |glyph: char| Some(format!("►{}", glyph.to_string().repeat(19 * 19 - 1)));
        let boards = [board(monster), board(rival), board(monster), board(monster)];
        let line = |(t, board): (usize, &Option<String>)| TickLine {
            t: t as u64,
            boards: vec![board.clone()],
            at: Some(0),
            ..TickLine::default()
        };
        let lines: Vec<TickLine> = boards.iter().enumerate().map(line).collect();
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("live.jsonl");
        write_log(&path, rules, &[("g".to_owned(), 19, lines)]);
        let read = verify(vec![path], Options::default(), |_| Ok::<(), Infallible>(()));
        let summary = read.unwrap();
        assert_eq!(summary.explained, 0, "{rules}: {summary}");
    }
}

#[test]
fn another_answer_than_the_logged_one_diverges() {
    for game in later_games() {
        let (size, name) = (game.header.size, &game.header.rules);
        let lines = client_log(&game, 0);
        let mut caught = 0;
        for t in (20..lines.len()).step_by(10) {
            let mut spoilt = lines[t - 15..=t].to_vec();
            spoilt[15].cmd = match lines[t].cmd.first() {
                Some(Some(text)) if text == "LEFT" => vec![Some("RIGHT".to_owned())],
                Some(Some(text)) if text == "RIGHT" => vec![Some("LEFT".to_owned())],
                _ => continue,
            };
            let (_, divergences) = verified_by(name, &[("g".to_owned(), size, spoilt)]);
            let told = |it: &Divergence| {
                it.tick == lines[t].t && it.reason.ends_with("our command leads us elsewhere")
            };
            caught += usize::from(divergences.iter().any(told));
        }
        assert!(caught >= 2, "{name}: {caught}");
    }
}

#[test]
fn a_torn_board_is_a_fault() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("live.jsonl");
    let mut lines = played(2, 1, 3);
    lines[2].boards[0] = Some("☼☼".to_owned());
    write_log(&path, "classic", &[("g".to_owned(), 16, lines)]);
    let mut faults = Vec::new();
    let read = verify(
        vec![path.clone()],
        Options::default(),
        |report| -> Result<(), Infallible> {
            if let Report::Fault(fault) = report {
                faults.push(fault.to_string());
            }
            Ok(())
        },
    );
    assert_eq!(read.unwrap().faults, 1);
    assert!(
        faults[0].contains("the board has 2 characters, not 256"),
        "{faults:?}"
    );
    drop(fs::remove_file(path));
}
