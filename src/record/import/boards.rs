//! Format `boards`: raw frames, one `board=..` a line with any prefix; answers as consoles print them may
//! stand between.

use super::assembly::{Assembly, Sighting};
use super::lines::{Lines, Next};
use super::{Fault, console, moment};

/// The text after `board=` in a line and what stands before it.
pub(super) fn board_in(line: &str) -> Option<(&str, &str)> {
    let (prefix, board) = line.split_once("board=")?;
    let square = board.chars().count().isqrt();
    (square > 0).then_some((prefix, board))
}

/// Reads the whole file.
pub(super) fn read(
    mut lines: Lines,
    answers: Option<&str>,
    assembly: &mut Assembly<'_>,
) -> Result<(), Fault> {
    let mut answers = answers.map(str::lines);
    let mut player = String::new();
    loop {
        let next = lines.next();
        // The number is the one of the line just read, whatever came of it.
        let (line, whole) = match next {
            Ok(Next::Line(line, whole)) => (line.to_owned(), whole),
            Ok(Next::Unusable(why)) => {
                assembly.note(lines.number(), why);
                continue;
            }
            Ok(Next::End) => return Ok(()),
            Err(kind) => {
                assembly.breaks_off(lines.number(), kind);
                return Ok(());
            }
        };
        let number = lines.number();
        let Some((prefix, board)) = board_in(&line) else {
            if let Some(answer) = console::answer_in(&line) {
                assembly.answer(&player, number, answer);
            }
            continue;
        };
        player = player_in(prefix);
        let sighting = Sighting {
            line: number,
            board: board.trim_end_matches(['\r', '\n']).to_owned(),
            moment: moment::find(prefix).map(|found| found.0),
            ..Sighting::default()
        };
        assembly.board(&player, sighting, whole)?;
        if let Some(answer) = answers.as_mut().and_then(Iterator::next) {
            assembly.answer(&player, number, answer.trim());
        }
    }
}

/// Whose line it is: what stands before `board=`, without times and other numbers that change from line to
/// line. Only a number and a colon at the very start, as the local runner writes them, names a player.
fn player_in(prefix: &str) -> String {
    let rest = moment::find(prefix).map_or(prefix, |(_, end)| &prefix[end..]);
    if let Some((number, _)) = console::numbered(rest.trim_start()) {
        return number.to_owned();
    }
    let mut name: String = rest
        .chars()
        .filter(|glyph| !glyph.is_ascii_digit() && !glyph.is_control())
        .collect();
    name.truncate(name.trim_end_matches([' ', ':', '=', '>', '-']).len());
    let name = name.trim_start_matches([' ', ':', '.', ',', '[', ']', '(', ')', '+', '-']);
    name.chars().take(64).collect()
}
