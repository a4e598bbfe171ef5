//! What must hold for any input, one function an invariant. The fuzz targets call them with inputs that
//! grow along the code's branches; `tests/fuzz.rs` calls them with a fixed set of mutated samples.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use lodebot::board::{Action, Alphabet, Board, Size};
use lodebot::levels;
use lodebot::net::frame::Frame;
use lodebot::net::link::Link;
use lodebot::params::Params;
use lodebot::record::{Format, ImportOptions, Reader, Writer, import_from};
use lodebot::replay::{Options, Report, Seat};
use lodebot::rng::{Dice, Seeded};
use lodebot::sim::command::words;
use lodebot::sim::{Grammar, Level, Rolled, Rules, State, Unheard};
use lodebot::track::Tracker;

/// A check of one input: it returns, or panics with what does not hold.
pub type Invariant = fn(&[u8]);

/// Every invariant with its name, in the order of the fuzz targets.
pub const ALL: [(&str, Invariant); 10] = [
    ("board", board),
    ("commands", commands),
    ("import", import),
    ("level", level),
    ("net", net),
    ("params", params),
    ("play", play),
    ("record", record),
    ("track", track),
    ("verify", verify),
];

/// A parsed board is the same after rendering and parsing again, as a line and as rows; the lenient parser
/// takes every square text.
pub fn board(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for alphabet in Alphabet::ALL {
        if let Ok(board) = Board::parse(&text, alphabet) {
            assert_eq!(
                Board::parse(&board.render(alphabet), alphabet).as_ref(),
                Ok(&board)
            );
            assert_eq!(
                Board::parse(&board.rows(alphabet), alphabet).as_ref(),
                Ok(&board)
            );
            assert_eq!(board.picture().lines().count(), board.size().edge());
            let (lenient, unknown) = Board::parse_lenient(&text, alphabet).expect("it is square");
            assert_eq!(lenient, board);
            assert!(unknown.is_empty());
        }
    }
}

/// Words are found in any text, no more than it has room for, whatever the case of its letters.
pub fn commands(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for grammar in [Grammar::FOLD, Grammar::QUEUE, Grammar::QUEUE_SHORT] {
        let found: Vec<_> = words(&text, &grammar).collect();
        assert!(found.len() * 2 <= text.len());
        let upper: Vec<_> = words(&text.to_ascii_uppercase(), &grammar).collect();
        assert_eq!(found, upper);
    }
}

/// A level from anywhere is refused or can be played; an imported one has a closed border.
pub fn level(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(board) = levels::import(&text, None) {
        let rows = board.rows(Alphabet::Classic);
        assert!(
            rows.lines()
                .all(|row| row.starts_with('☼') && row.ends_with('☼'))
        );
        let again = Board::parse(&rows, Alphabet::Classic);
        assert_eq!(again.as_ref(), Ok(&board));
    }
    if let Ok(level) = Level::parse(&text, &Rules::CLASSIC) {
        let state = State::new(level, Arc::new(Rules::CLASSIC));
        assert_eq!(state.hash(), state.full_hash());
    }
}

/// A frame's board is part of the frame; an address never shows its code.
pub fn net(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let frame = Frame::of(&text);
    assert!(frame.board().is_none() || frame.is_turn());
    if let Ok(link) = Link::parse(&text) {
        assert!(!link.user().is_empty() && !link.host().is_empty());
        let _ = link.hide(&text);
    }
}

/// Parameters that were read are written and read as the same again.
pub fn params(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(params) = Params::from_toml(&text) {
        let again = Params::from_toml(&params.to_toml()).expect("what is written can be read");
        assert_eq!(again.content_hash(), params.content_hash());
    }
}

/// Play on a random level: the hash is always that of the state, the state is always valid, and undo
/// brings back the state from before.
pub fn play(data: &[u8]) {
    let [edge, gold, seed, actions @ ..] = data else {
        return;
    };
    let plan = levels::Plan {
        edge: 8 + usize::from(edge % 16),
        gold: usize::from(gold % 8),
        monsters: usize::from(gold / 64),
        seed: u64::from(*seed),
    };
    let Ok(board) = levels::generate(&plan) else {
        return;
    };
    let level = Level::from_board(&board).expect("few monsters");
    let mut state = State::new(level, Arc::new(Rules::CLASSIC));
    let mut dice = Seeded::new(plan.seed);
    state.join(&mut Rolled(&mut dice));
    state.join(&mut Rolled(&mut dice));
    // Longer play finds nothing that shorter play does not, and costs the fuzzer its speed.
    for leg in actions.chunks(16).take(8) {
        let (before, place) = (state.clone(), dice.save());
        let mark = state.mark();
        for byte in leg {
            turn(&mut state, *byte, &mut dice);
        }
        let after = state.clone();
        state.undo(mark);
        assert!(state == before, "undo left something behind");
        dice.restore(&place);
        for byte in leg {
            turn(&mut state, *byte, &mut dice);
        }
        assert!(state == after, "the same commands led elsewhere");
        assert_eq!(state.hash(), state.full_hash());
        assert_eq!(state.check(), Ok(()));
        state.commit();
    }
}

/// One server tick; the byte says what both heroes do.
fn turn(state: &mut State, byte: u8, dice: &mut Seeded) {
    let ids: Vec<_> = state.seats().to_vec();
    for (id, pick) in ids.into_iter().zip([byte % 16, byte / 16]) {
        if let Some(action) = Action::ALL.get(usize::from(pick)) {
            state.act(id, *action);
        }
    }
    for seat in 0..state.seats().len() {
        state.respawn(seat, &mut Rolled(dice));
    }
    state.tick(&mut Rolled(dice), &mut Unheard);
}

/// A log of any content is read to its end, and what cannot be read is told of with a line number.
pub fn record(data: &[u8]) {
    let lines = data.split(|byte| *byte == b'\n').count();
    let mut entries = 0;
    for entry in Reader::new("fuzz", Cursor::new(data.to_vec())) {
        if let Err(error) = entry {
            assert!(
                !error.to_string().contains('\n'),
                "more than a line: {error}"
            );
        }
        entries += 1;
        assert!(
            entries <= 2 * lines + 4,
            "the reader does not come to an end"
        );
    }
}

/// The tracker takes any sequence of boards, in any dialect, and what it hands out is a valid state. Of each
/// board the first byte is the answer; a byte below 64 leaves the cell as it was on the board before.
pub fn track(data: &[u8]) {
    let Some((&first, data)) = data.split_first() else {
        return;
    };
    let size = Size::new(1 + first as usize % 10).expect("in range");
    for rules in Rules::ALL {
        let alphabet = rules.alphabet;
        let mut tracker = Tracker::new(Arc::new(rules));
        let mut board = Board::empty(size);
        for bytes in data.chunks(size.area() + 1).take(24) {
            for (cell, &byte) in size.cells().zip(&bytes[1..]) {
                if let Some(pick) = byte.checked_sub(64) {
                    let pairs = alphabet.pairs();
                    board.set(cell, pairs[pick as usize % pairs.len()].1);
                }
            }
            let answered = Action::ALL.get(bytes[0] as usize % 8).copied();
            let picture = tracker.observe(&board, answered).expect("few monsters");
            assert_eq!(picture.state.check(), Ok(()));
        }
    }
}

/// What an import writes is a game log that reads back, whatever format the input is taken for; what it says
/// is one line each.
pub fn import(data: &[u8]) {
    let formats = Format::ALL
        .into_iter()
        .filter(|format| *format != Format::Table);
    for format in formats.map(Some).chain([None]) {
        let options = ImportOptions {
            format,
            ..ImportOptions::default()
        };
        let written = Written::default();
        let mut writer = Writer::new("fuzz", written.clone());
        let mut notes = Vec::new();
        let source = Cursor::new(data.to_vec());
        let imported = import_from("fuzz", source, &options, &mut writer, &mut |note| {
            notes.push(note.to_string());
        });
        writer.finish().expect("memory takes everything");
        assert!(notes.iter().all(|note| !note.contains('\n')), "{notes:?}");
        match imported {
            Ok(imported) => {
                let log = Cursor::new(written.take());
                let games: Vec<_> = Reader::new("fuzz", log).games().collect();
                assert_eq!(games.len() as u64, imported.games);
                for game in games {
                    let game = game.expect("what is written can be read");
                    let seat = Seat::of(&game, 0);
                    assert!(seat.is_ok() || game.header.rules != "classic");
                }
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
}

/// Bytes that a writer wrote.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().expect("nobody panics while writing"))
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().expect("nobody panics while writing");
        written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Verifying any text comes to an end without a panic, and counts no more ticks than there are lines.
pub fn verify(data: &[u8]) {
    let name = format!("lodebot-fuzz-{}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, data).expect("the temporary folder can be written to");
    let lines = data.split(|byte| *byte == b'\n').count() as u64;
    let options = Options { all: true };
    let summary = lodebot::replay::verify(vec![path.clone()], options, |report| {
        if let Report::Fault(fault) = report {
            assert!(!fault.to_string().contains('\n'), "{fault}");
        }
        Ok::<(), std::convert::Infallible>(())
    });
    let _ = std::fs::remove_file(path);
    let Ok(summary) = summary;
    assert!(
        summary.ticks <= lines && summary.divergences <= lines,
        "{summary}"
    );
}
