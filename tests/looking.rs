//! Looking at recorded games through the binary: show, decide, fork, import.

#![cfg(feature = "tools")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod binary;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use binary::run;
use lodebot::board::Action;
use lodebot::params::Params;
use lodebot::record::{Header, TickLine, Writer};
use lodebot::replay::{Analyst, Position, Seat, pick};
use lodebot::rng::{Noted, Scripted, Seeded};
use lodebot::sim::{self, Level, PlayerNumber, Rules};
use serde_json::Value;
use tempfile::TempDir;

const LEVEL: [&str; 9] = [
    "☼☼☼☼☼☼☼☼☼",
    "☼ $   $ ☼",
    "☼H#####H☼",
    "☼H  $  H☼",
    "☼H#####H☼",
    "☼H $   H☼",
    "☼H##H##H☼",
    "☼   H»  ☼",
    "☼☼☼☼☼☼☼☼☼",
];

/// Writes a full log of a game in which one player walks to and fro, and a live log of the same.
fn logs(folder: &TempDir) -> (PathBuf, PathBuf) {
    let rules = Arc::new(Rules::CLASSIC);
    let level = Level::parse(&LEVEL.concat(), &rules).unwrap();
    let mut game = sim::Game::new(level, Arc::clone(&rules));
    let mut dice = Noted::new(Seeded::new(7));
    game.join(&mut dice).unwrap();
    let paths = (
        folder.path().join("full.jsonl"),
        folder.path().join("live.jsonl"),
    );
    let mut full = Writer::create(&paths.0).unwrap();
    let mut live = Writer::create(&paths.1).unwrap();
    let mut header = Header::new("g", "classic", LEVEL.map(str::to_owned).to_vec());
    header.players = 1;
    full.header(&header).unwrap();
    live.header(&header).unwrap();
    for t in 0..=60u64 {
        let text = ["RIGHT", "RIGHT", "ACT,LEFT", "", "LEFT", "UP"][(t % 6) as usize];
        if t > 0 {
            dice.inner().set_tick(t as u32);
            game.tick(&[sim::Command::parse(text, &rules.grammar)], &mut dice);
        }
        let player = &game.players()[0];
        let board = game.board(PlayerNumber(0)).unwrap().render(rules.alphabet);
        let cmd = if t > 0 {
            vec![Some(text.to_owned())]
        } else {
            Vec::new()
        };
        let names = player
            .events
            .iter()
            .map(|it| it.name(rules.dialect).into_owned());
        full.tick(&TickLine {
            t,
            join: if t == 0 { vec![0] } else { Vec::new() },
            cmd: cmd.clone(),
            draws: dice.take(),
            ev: vec![Some(names.collect())],
            score: vec![Some(player.score.points())],
            boards: vec![Some(board.clone())],
            ..TickLine::default()
        })
        .unwrap();
        live.tick(&TickLine {
            t,
            cmd,
            boards: vec![Some(board)],
            at: Some(t * 1000),
            why: vec!["because".to_owned()],
            ..TickLine::default()
        })
        .unwrap();
    }
    full.finish().unwrap();
    live.finish().unwrap();
    paths
}

fn lodebot(arguments: &[&str]) -> Output {
    run(arguments, b"")
}

fn stdout(arguments: &[&str]) -> String {
    binary::stdout(arguments, b"")
}

#[test]
fn the_made_logs_verify() {
    let folder = TempDir::new().unwrap();
    let (full, live) = logs(&folder);
    let text = stdout(&["replay", "verify", full.to_str().unwrap()]);
    assert_eq!(text, "verified: games=1 skipped=0 ticks=60 divergences=0\n");
    let text = stdout(&["replay", "verify", "--json", live.to_str().unwrap()]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["ticks"], 60);
    assert!(report["explained"].as_u64().unwrap() >= 58, "{text}");
    assert_eq!(report["live_games"][0]["game"], "g");
}

#[test]
fn show_prints_one_board_with_its_overlays() {
    let folder = TempDir::new().unwrap();
    let (_, live) = logs(&folder);
    let live = live.to_str().unwrap();
    let text = stdout(&["replay", "show", live, "--tick", "3"]);
    assert!(text.starts_with("game g, player 0, tick 3 (4 of 61)\n☼☼☼☼☼☼☼☼☼\n"));
    assert!(
        text.ends_with("answered: \"LEFT\"\nwhy: because\n"),
        "{text}"
    );
    let ascii = stdout(&["replay", "show", live, "--ascii"]);
    assert!(
        ascii.contains("\n=========\n") && ascii.is_ascii(),
        "{ascii}"
    );
    for overlay in ["value", "reach", "line", "watchdog"] {
        let text = stdout(&["replay", "show", live, "--tick", "3", "--overlay", overlay]);
        assert!(
            text.contains("\nbot: ") && text.contains("\nwatchdogs: quiet; "),
            "{text}"
        );
    }
    lodebot(&["replay", "show", live, "--tick", "900"])
        .assert()
        .code(2)
        .stderr("lodebot: game g has no board of tick 900; there are ticks 0 to 60\n");
    lodebot(&["replay", "show", live, "--game", "nope"])
        .assert()
        .code(2);
}

#[test]
fn decide_compares_with_what_was_played_and_two_parameter_sets() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    let other = folder.path().join("other.toml");
    fs::write(&other, "depth = 2\n").unwrap();
    let arguments = [
        "replay",
        "decide",
        full.to_str().unwrap(),
        "--json",
        "--set",
        "depth=4",
        "--against",
        other.to_str().unwrap(),
    ];
    let report: Value = serde_json::from_str(&stdout(&arguments)).unwrap();
    assert_eq!(report["boards"], 61);
    let compared = report["agreement"]["compared"].as_u64().unwrap();
    assert!(compared > 40 && compared <= report["decided"].as_u64().unwrap());
    assert!(report["p99_ms"].as_f64().unwrap() > 0.0);
    let tick = &report["ticks"][5];
    assert_eq!(tick["played"], "right");
    assert!(
        tick["chosen"]["values"]
            .as_object()
            .is_some_and(|values| !values.is_empty())
    );
    assert!(tick["against"]["answer"].is_string());
    assert!(report["each_other"]["percent"].as_f64().is_some());
    let text = stdout(&arguments[..3]);
    assert!(text.contains("decided: game=g boards=61 "), "{text}");
}

#[test]
fn a_fork_with_the_recorded_answer_is_the_recorded_game() {
    let folder = TempDir::new().unwrap();
    let (full, live) = logs(&folder);
    let (full, live) = (full.to_str().unwrap(), live.to_str().unwrap());
    let fork = |log: &str, action: &str| -> Value {
        let arguments = [
            "replay", "fork", log, "--tick", "10", "--action", action, "--ticks", "30", "--json",
        ];
        serde_json::from_str(&stdout(&arguments)).unwrap()
    };
    // Tick 11 was answered with the sixth text.
    let same = fork(full, "up");
    assert_eq!(same["parted"], Value::Null);
    assert_eq!(same["drawn_anew"], 0);
    assert_eq!(same["recorded"], same["changed"]);
    let other = fork(full, "suicide");
    assert_eq!(other["full"], true);
    assert_eq!(other["parted"], 11);
    let live = fork(live, "up");
    assert_eq!(live["full"], false);
    assert_eq!(live["recorded"], live["changed"]);
    let params = folder.path().join("p.toml");
    fs::write(&params, "depth = 3\n").unwrap();
    let text = stdout(&[
        "replay",
        "fork",
        full,
        "--tick",
        "5",
        "--params",
        params.to_str().unwrap(),
    ]);
    assert!(
        text.contains("points ") && text.contains("the last boards"),
        "{text}"
    );
    lodebot(&["replay", "fork", full, "--tick", "99", "--action", "up"])
        .assert()
        .stderr("lodebot: game g has no board of tick 99; there are ticks 0 to 60\n")
        .code(2);
    lodebot(&["replay", "fork", full, "--tick", "9", "--action", "fly"])
        .assert()
        .code(2);
}

#[test]
fn bad_input_of_an_import_is_one_sentence_and_exit_2() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let frame = format!("board={}\n", LEVEL.concat()).repeat(2000);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(frame.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    fs::write(path("whole.txt.gz"), &packed).unwrap();
    fs::write(path("torn.txt.gz"), &packed[..packed.len() / 2]).unwrap();
    fs::write(path("head.txt.gz"), &packed[..8]).unwrap();
    fs::write(path("garbage.bin"), vec![0xa5; 3_000_000]).unwrap();
    fs::write(path("not.db"), "no database").unwrap();
    let log = path("log.jsonl");
    for (format, file) in [
        ("auto", path("")),
        ("auto", path("missing.txt")),
        ("csv", path("whole.txt.gz")),
        ("auto", path("head.txt.gz")),
        ("auto", path("garbage.bin")),
        ("console", path("garbage.bin")),
        ("boards", path("garbage.bin")),
        ("table", path("not.db")),
        ("rest", path("garbage.bin")),
    ] {
        let output = lodebot(&["replay", "import", format, &file, "-o", &log, "-q"]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{format} {file}: {errors}");
        let sentences = errors.lines().filter(|line| !line.trim().is_empty());
        let sentences =
            sentences.filter(|line| line.starts_with("lodebot: ") || line.starts_with("error: "));
        assert_eq!(sentences.count(), 1, "{format} {file}: {errors}");
        assert!(errors.matches("os error").count() <= 1, "{errors}");
    }
    // What stands before the break is kept.
    lodebot(&["replay", "import", "auto", &path("torn.txt.gz"), "-o", &log])
        .assert()
        .code(2);
    let kept = fs::read_to_string(&log).unwrap().lines().count();
    assert!((800..2001).contains(&kept), "{kept}");
    lodebot(&[
        "replay",
        "import",
        "auto",
        &path("whole.txt.gz"),
        "-o",
        &log,
    ])
    .assert()
    .success();
    assert_eq!(fs::read_to_string(&log).unwrap().lines().count(), 2001);
}

/// What cannot be imported, or is to be imported, is no reason to lose what is there.
#[test]
fn a_failed_import_leaves_every_file_as_it_was() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let frames = format!("board={}\n", LEVEL.concat()).repeat(20);
    fs::write(path("frames.txt"), &frames).unwrap();
    fs::write(path("nonsense.txt"), "neither boards nor anything else\n").unwrap();
    fs::write(path("log.jsonl"), "precious\n").unwrap();
    let mut cases = vec![
        (path("missing.txt"), path("log.jsonl"), "classic"),
        (path("nonsense.txt"), path("log.jsonl"), "classic"),
        (path("frames.txt"), path("log.jsonl"), "nope"),
        (path("frames.txt"), path("frames.txt"), "classic"),
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(path("frames.txt"), path("link.txt")).unwrap();
        cases.push((path("frames.txt"), path("link.txt"), "classic"));
    }
    for (file, log, rules) in cases {
        lodebot(&[
            "replay", "import", "boards", &file, "-o", &log, "--rules", rules,
        ])
        .assert()
        .code(2);
        let left = |name: &str| fs::read_to_string(path(name)).unwrap();
        assert_eq!(left("log.jsonl"), "precious\n", "{file} to {log}");
        assert_eq!(left("frames.txt"), frames, "{file} to {log}");
        let drafts = fs::read_dir(folder.path()).unwrap().flatten();
        let drafts = drafts.filter(|entry| entry.file_name().to_string_lossy().contains("draft"));
        assert_eq!(drafts.count(), 0, "{file} to {log}");
    }
}

/// A slip of the pen must not cost the log.
#[test]
fn no_page_or_drawing_is_written_over_what_it_is_made_of() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    let board = folder.path().join("a.board");
    fs::write(&board, format!("board={}\n", LEVEL.concat())).unwrap();
    for (input, arguments) in [
        (&full, &["replay", "analyse", "--html"][..]),
        (&board, &["decide", "--svg"]),
    ] {
        let before = fs::read(input).unwrap();
        let path = input.to_str().unwrap();
        let arguments = [arguments, &[path, path]].concat();
        let output = lodebot(&arguments);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(path), "{complaint}");
        assert_eq!(fs::read(input).unwrap(), before);
    }
}

#[test]
fn frames_of_the_original_servers_are_imported_and_explained() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/frames");
    let target = TempDir::new().unwrap();
    let log = target.path().join("frames.jsonl.zst");
    let log = log.to_str().unwrap();
    for name in ["classic-1.0.26", "loderunner-2021-04"] {
        let frames = folder.join(format!("{name}.txt"));
        if !frames.exists() {
            println!("skipped: ../shared/frames is absent");
            return;
        }
        let answers = folder.join(format!("{name}.answers.txt"));
        let (frames, answers) = (frames.to_str().unwrap(), answers.to_str().unwrap());
        let import = ["replay", "import", "auto", frames, "--answers", answers];
        stdout(&[&import[..], &["-o", log]].concat());
        let report = stdout(&["replay", "verify", "--json", log]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let (explained, ticks) = (&report["explained"], &report["ticks"]);
        println!("{name}: explained {explained} of {ticks}");
        assert!(
            explained.as_u64().unwrap() * 100 >= ticks.as_u64().unwrap() * 95,
            "{report}"
        );
    }
}

#[test]
fn an_analysis_tells_losses_and_goes_on_where_it_was_stopped() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    let seat = Seat::of(&pick(&full, None).unwrap(), 0).unwrap();
    let mut params = Params::default();
    params.assign("depth=4").unwrap();
    let analyst = Analyst {
        seat: &seat,
        params: &params,
    };
    let stop = AtomicBool::new(false);
    let whole = analyst.positions(Vec::new(), &stop, |_| {});
    assert_eq!(whole.len(), 61);
    // Half a chunk more than one chunk: the half is worked on again.
    let resumed = analyst.positions(whole[..37].to_vec(), &stop, |done| assert!(done.len() > 25));
    assert_eq!(whole, resumed);
    // What an interrupted run leaves is read back as it was, to the last bit.
    let written = serde_json::to_string(&whole).unwrap();
    let read: Vec<Position> = serde_json::from_str(&written).unwrap();
    assert_eq!(whole, read);
    let value: f64 = serde_json::from_str("190.96463993678879").unwrap();
    assert_eq!(value.to_bits(), 190.964_639_936_788_79_f64.to_bits());
    let stopped = analyst.positions(whole[..25].to_vec(), &AtomicBool::new(true), |_| {});
    assert_eq!(stopped.len(), 25);
    for position in &whole {
        let best = position.best_value.unwrap_or(0.0);
        assert!(
            position.loss().is_none_or(
                |loss| loss >= 0.0 && loss <= best - position.played_value.unwrap() + 1e-9
            )
        );
    }

    let page = folder.path().join("page.html");
    let full = full.to_str().unwrap();
    let arguments = ["replay", "analyse", full, "--depth", "4"];
    let report: Value =
        serde_json::from_str(&stdout(&[&arguments[..], &["--json"]].concat())).unwrap();
    assert_eq!(report["boards"], 61);
    assert_eq!(report["positions"].as_array().unwrap().len(), 61);
    let losses = report["positions"].as_array().unwrap().iter();
    let losses =
        losses.filter_map(|it| Some(it["best_value"].as_f64()? - it["played_value"].as_f64()?));
    let small: f64 = losses.filter(|loss| *loss > 0.0 && *loss < 50_000.0).sum();
    assert!((small - report["total_loss"].as_f64().unwrap()).abs() < 1e-6);
    let text = stdout(&[&arguments[..], &["--html", page.to_str().unwrap()]].concat());
    assert!(
        text.starts_with("analysed: game=g player=0 boards=61 depth=4 "),
        "{text}"
    );
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<svg ") && html.contains("</html>"));
    assert!(!html.contains("src=") && !html.contains("href=") && !html.contains("<script"));
}

/// Killed while it writes its page, into a pipe that nobody reads: all its positions are there by then.
#[cfg(unix)]
#[test]
fn an_analysis_that_is_killed_goes_on_and_leaves_another_s_work_alone() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    let full = full.to_str().unwrap();
    let pipe = folder.path().join("page.html");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let arguments = ["replay", "analyse", full, "--depth", "4", "--json"];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lodebot"))
        .args(arguments)
        .arg("--html")
        .arg(&pipe)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let left = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let mut left = paths.filter(|path| path.to_string_lossy().ends_with(".analysis.jsonl"));
        left.next().and_then(|path| fs::read_to_string(path).ok())
    };
    let begun = Instant::now();
    // The first line is the key.
    while left().is_none_or(|text| text.lines().count() < 62) {
        assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", left());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = left();
    stdout(&["replay", "analyse", full, "--depth", "3"]);
    assert_eq!(left(), kept);
    let output = lodebot(&arguments);
    let talk = binary::text(&output.stderr);
    assert!(talk.contains("going on after 61 boards"), "{talk}");
    assert_eq!(left(), None);
    // The same as from the beginning.
    assert_eq!(binary::text(&output.stdout), stdout(&arguments));
}

#[test]
fn what_an_analysis_cannot_search_by_is_told_with_its_option() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    for (option, value) in [("--nodes", "300"), ("--depth", "0")] {
        let output = lodebot(&["replay", "analyse", full.to_str().unwrap(), option, value]);
        let complaint = binary::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(
            complaint.starts_with(&format!("lodebot: {option}: ")),
            "{complaint}"
        );
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
    }
}

#[test]
fn a_death_is_told_with_the_way_out() {
    // A hero walks into a monster; he could have run the other way.
    let rules = Arc::new(Rules::CLASSIC);
    let mut map = vec![format!("☼{}☼", " ".repeat(18)); 20];
    map[0] = "☼".repeat(20);
    map[19] = "☼".repeat(20);
    map[18] = format!("☼{}»  ☼", " ".repeat(15));
    let level = Level::parse(&map.concat(), &rules).unwrap();
    let mut game = sim::Game::new(level, Arc::clone(&rules));
    // Column 11, row 1 from the bottom.
    game.join(&mut Scripted::new([11, 1])).unwrap();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("death.jsonl");
    let mut log = Writer::create(&path).unwrap();
    log.header(&Header::new("d", "classic", map)).unwrap();
    for t in 0..6u64 {
        if t > 0 {
            game.tick(
                &[sim::Command::parse("RIGHT", &rules.grammar)],
                &mut Seeded::new(1),
            );
        }
        let board = game.board(PlayerNumber(0)).unwrap();
        log.tick(&TickLine {
            t,
            cmd: if t > 0 {
                vec![Some("RIGHT".to_owned())]
            } else {
                Vec::new()
            },
            boards: vec![Some(board.render(rules.alphabet))],
            at: Some(t),
            ..TickLine::default()
        })
        .unwrap();
    }
    log.finish().unwrap();
    let text = stdout(&[
        "replay",
        "analyse",
        path.to_str().unwrap(),
        "--depth",
        "6",
        "--json",
    ]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let death = &report["deaths"][0];
    let rescue = &death["rescue"];
    assert!(
        death["t"].as_u64().unwrap() > rescue["t"].as_u64().unwrap(),
        "{text}"
    );
    assert_eq!(rescue["played"], "right");
    assert_ne!(rescue["action"], "right");
}

#[test]
fn the_help_names_every_answer() {
    for command in ["fork", "extract"] {
        let help = stdout(&["replay", command, "--help"]);
        for action in Action::all() {
            assert!(help.contains(action.name()), "{action}: {help}");
        }
    }
}

#[test]
fn an_extracted_tick_is_a_decision_test() {
    let folder = TempDir::new().unwrap();
    let (full, _) = logs(&folder);
    let full = full.to_str().unwrap();
    let board = folder.path().join("tick.board");
    let board = board.to_str().unwrap();
    let extract = |more: &[&str]| {
        let arguments = ["replay", "extract", full, "--tick", "21", "-o", board];
        stdout(&[&arguments[..], more].concat());
        fs::read_to_string(board).unwrap()
    };
    let text = extract(&[]);
    assert!(
        text.starts_with("# From game g, tick 21.\n# Played was \"LEFT\"."),
        "{text}"
    );
    assert!(
        text.contains("\nvalues: depth=") && text.contains(" params="),
        "{text}"
    );
    let checked = stdout(&["check", board]);
    assert_eq!(checked, "checked: boards=1 failed=0\n");
    let text = extract(&["--accept", "suicide,up", "--reason", "Because.\nReally."]);
    assert!(text.starts_with("# Because.\n# Really.\n") && text.contains("accept: suicide, up\n"));
    // Somebody may have written reasons into the first one.
    let earlier = fs::read_to_string(folder.path().join("tick-1.board")).unwrap();
    assert!(earlier.starts_with("# From game g, tick 21."), "{earlier}");
    lodebot(&["replay", "extract", full, "--tick", "21", "--accept", "fly"])
        .assert()
        .code(2);
    lodebot(&["replay", "extract", full, "--tick", "99"])
        .assert()
        .code(2)
        .stderr("lodebot: game g has no board of tick 99; there are ticks 0 to 60\n");
}
