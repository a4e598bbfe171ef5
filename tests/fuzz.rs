//! The fuzz targets' invariants on a fixed set of inputs: samples of what really comes in, mutated by
//! seeded dice. The fuzzer itself is `make fuzz`; this keeps its targets true between two runs of it.

use lodebot::levels;
use lodebot::params::Params;
use lodebot::rng::{Dice, Purpose, Seeded};

#[path = "../fuzz/src/lib.rs"]
mod invariants;

/// Inputs of every kind that a target reads; each target gets all of them.
fn samples() -> Vec<Vec<u8>> {
    let tiny = levels::find("tiny-8").expect("a shipped level").text;
    let line: String = tiny.lines().collect();
    let mut samples: Vec<String> = [
        "",
        "ACT,LEFT",
        "act( 0 ) message('up') RIGHT,DOWN act(1,2)",
        "G..#.\nbbb#-\nMEG#.\n",
        "$  H\r\n###S-\r\n&0$HX\r\n",
        "board=null",
        "http://127.0.0.1:8080/codenjoy-contest/board/player/a@b.c?code=1234567890123456789",
        "wss://codenjoy.example/codenjoy-contest/ws?user=nobody&code=42",
        "{\"v\":1,\"kind\":\"game\",\"rules\":\"classic\"}\n{\"t\":1}\n",
    ]
    .map(str::to_owned)
    .to_vec();
    samples.push(tiny.to_owned());
    samples.extend(recordings(&line));
    samples.push(format!("board={line}"));
    samples.push(format!("board={}", serde_json::json!({ "layers": [line] })));
    samples.push(Params::default().to_toml());
    let mut samples: Vec<Vec<u8>> = samples.into_iter().map(String::into_bytes).collect();
    samples.push((0..=255).collect());
    samples
}

/// One board in every form in which recordings come, twice each.
fn recordings(board: &str) -> Vec<String> {
    let edge = board.chars().count().isqrt();
    let glyphs: Vec<char> = board.replacen(' ', "►", 1).chars().collect();
    let board: String = glyphs.iter().collect();
    let rows = |prefix: &str| -> String {
        let row = |row: &[char]| format!("{prefix}{}\n", row.iter().collect::<String>());
        glyphs.chunks(edge).map(row).collect()
    };
    let header = serde_json::json!({
        "k": "game", "v": 1, "id": "a", "rules": "classic", "size": edge, "players": 1,
        "map": vec![" ".repeat(edge); edge],
    });
    let tick = |t: u64| serde_json::json!({"t": t, "cmd": ["RIGHT"], "boards": [board], "at": t});
    let entry =
        |time: u64| serde_json::json!({"time": time, "command": "[UP]", "board": "GGGGTGGGG"});
    [
        format!("2026-11-30T03:55:34.181+0000 board={board}\nAnswer: UP\nboard={board}\n"),
        format!("{0}Answer: GO_LEFT\n{0}Sending: act(0)\n", rows("")),
        format!("{0}1:Answer: UP\n1:Scores: 5\n{0}", rows("1:")),
        serde_json::json!([entry(1), entry(1001)]).to_string(),
        format!("{header}\n{}\n{}\n{}\n", tick(0), tick(1), tick(2)),
    ]
    .to_vec()
}

/// A copy of `sample` with a few bytes changed, cut out, repeated or put in.
fn mutate(sample: &[u8], dice: &mut Seeded) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    let mut draw = |bound: usize| dice.draw(bound.max(1) as u32, Purpose::Sample) as usize;
    for _ in 0..draw(5) {
        let at = draw(bytes.len() + 1);
        let to = (at + draw(8)).min(bytes.len());
        match draw(4) {
            0 => bytes.insert(at, draw(256) as u8),
            1 => drop(bytes.drain(at..to)),
            2 => bytes.extend_from_within(at..to),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = draw(256) as u8;
                }
            }
        }
    }
    bytes
}

#[test]
fn every_invariant_holds_on_mutated_samples() {
    let mut dice = Seeded::new(20);
    for (name, invariant) in invariants::ALL {
        println!("{name}");
        for sample in samples() {
            invariant(&sample);
            let slow = name == "play" || name == "verify";
            for _ in 0..if slow { 30 } else { 500 } {
                invariant(&mutate(&sample, &mut dice));
            }
        }
    }
}

/// The seeds are where the fuzzer starts, and each must pass on its own.
#[test]
fn every_target_has_seeds_that_pass() {
    let root = env!("CARGO_MANIFEST_DIR");
    for (name, invariant) in invariants::ALL {
        let folder = format!("{root}/fuzz/seeds/{name}");
        let files = std::fs::read_dir(&folder).expect("the target has seeds");
        let mut count = 0;
        for file in files {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            invariant(&std::fs::read(path).expect("the seed can be read"));
            count += 1;
        }
        assert!(count > 0, "{folder}");
    }
}

#[test]
fn every_invariant_has_a_fuzz_target() {
    let root = env!("CARGO_MANIFEST_DIR");
    for (name, _) in invariants::ALL {
        let path = format!("{root}/fuzz/fuzz_targets/{name}.rs");
        let target = std::fs::read_to_string(&path).expect("the target is there");
        assert!(
            target.contains(&format!("lodebot_fuzz::{name}(data)")),
            "{path}"
        );
    }
}
