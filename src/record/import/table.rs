//! Format `table`: the table `player_boards` that the servers fill while recording is on, in an SQLite file
//! (PROTOCOL section 8, recorded games).
//!
//! Its traps: three sets of columns by version; a line end after every row of a board; rows of 1.0.26 stand
//! after the tick and have no command, later ones before it; the first row holds every command since the
//! server started; the score is text; other games share the table.

use std::path::Path;

use super::Fault;
use super::assembly::Assembly;

/// Whether a game's name is one of ours.
pub(super) fn is_ours(game: &str) -> bool {
    let game = game.to_ascii_lowercase();
    game.contains("loderunner") || game.contains("clifford")
}

/// The text of a command list such as `[LEFT, ACT[], ACT[1, 2], MESSAGE('hi')]`.
pub(super) fn answer(list: &str) -> String {
    let list = list.trim();
    let inner = list
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'))
        .unwrap_or(list);
    let mut text = String::with_capacity(inner.len());
    // Blanks inside brackets would end the list for the servers' grammar.
    let mut quoted = false;
    let mut glyphs = inner.chars().peekable();
    while let Some(glyph) = glyphs.next() {
        match glyph {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '[' if glyphs.peek() == Some(&']') => {
                glyphs.next();
                continue;
            }
            '[' => {
                text.push('(');
                continue;
            }
            ']' => {
                text.push(')');
                continue;
            }
            ' ' => continue,
            _ => {}
        }
        text.push(glyph);
    }
    text
}

/// Reads the whole table.
#[cfg(not(feature = "sqlite"))]
pub(super) fn read(
    _path: Option<&Path>,
    _start: &[u8],
    _assembly: &mut Assembly<'_>,
) -> Result<(), Fault> {
    Err(Fault::Read(0, crate::record::ReadErrorKind::NoSqlite))
}

/// Reads the whole table.
#[cfg(feature = "sqlite")]
pub(super) fn read(
    path: Option<&Path>,
    start: &[u8],
    assembly: &mut Assembly<'_>,
) -> Result<(), Fault> {
    sqlite::read(path, start, assembly)
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use std::path::Path;

    use rusqlite::types::ValueRef;
    use rusqlite::{Connection, OpenFlags, Row};

    use super::{answer, is_ours};
    use crate::record::error::ReadErrorKind;
    use crate::record::import::assembly::{Assembly, Sighting};
    use crate::record::import::detect::SQLITE;
    use crate::record::import::{Fault, moment};

    const TABLE: &str = "player_boards";

    fn fault(error: &rusqlite::Error) -> Fault {
        let what = "cannot be read as an SQLite file";
        Fault::Read(0, ReadErrorKind::Foreign(what, error.to_string()))
    }

    pub(in crate::record::import) fn read(
        path: Option<&Path>,
        start: &[u8],
        assembly: &mut Assembly<'_>,
    ) -> Result<(), Fault> {
        let Some(path) = path else {
            let text = "a table is read from a file only, not from standard input";
            return Err(Fault::Option(text.to_owned()));
        };
        if !start.starts_with(SQLITE)
            || path.extension().is_some_and(|it| it == "gz" || it == "zst")
        {
            let text = "does not begin as an uncompressed SQLite file does".to_owned();
            return Err(Fault::Read(0, ReadErrorKind::Foreign("no table", text)));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let base = Connection::open_with_flags(path, flags).map_err(|error| fault(&error))?;
        let columns = columns(&base)?;
        let find = |names: &[&str]| -> Option<&'static str> {
            KNOWN
                .iter()
                .copied()
                .find(|known| names.contains(known) && columns.iter().any(|it| it == known))
        };
        let (Some(time), Some(player), Some(board)) = (
            find(&["time"]),
            find(&["player_id", "player_name"]),
            find(&["board"]),
        ) else {
            let text = format!("has no table {TABLE} with time, player and board");
            return Err(Fault::Read(0, ReadErrorKind::Foreign("no recording", text)));
        };
        let or_null = |names: &[&str]| find(names).unwrap_or("NULL");
        let game = or_null(&["game_type"]);
        let room = or_null(&["room_name"]);
        let command = or_null(&["command"]);
        let score = or_null(&["score"]);
        let query = format!(
            "SELECT rowid, {player}, {game}, {room}, {time}, {command}, {score}, {board} FROM {TABLE} \
             ORDER BY {player}, {game}, {room}, {time}, rowid"
        );
        let mut statement = base.prepare(&query).map_err(|error| fault(&error))?;
        let mut rows = statement.query([]).map_err(|error| fault(&error))?;
        let mut open: Option<String> = None;
        let mut foreign = 0u64;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    if open.is_none() {
                        return Err(fault(&error));
                    }
                    let text = format!("the file is damaged here ({error}); the rest is left out");
                    assembly.note(0, &text);
                    break;
                }
            };
            let game = text(row, 2);
            if !game.is_empty() && !is_ours(&game) {
                foreign += 1;
                continue;
            }
            let mut key = text(row, 1);
            let room = text(row, 3);
            if !room.is_empty() && room != game {
                key = format!("{key}@{room}");
            }
            if open.as_ref() != Some(&key)
                && let Some(before) = open.take()
            {
                assembly.close(&before)?;
            }
            let first = open.is_none();
            let command = command_of(row);
            let sighting = Sighting {
                line: row.get(0).unwrap_or(0u64),
                board: text(row, 7).replace(['\r', '\n'], ""),
                moment: moment::find(&text(row, 4)).map(|found| found.0),
                // Everything since the server started, not the answer to this board.
                answer: command.filter(|_| !first),
                score: text(row, 6).trim().parse().ok(),
                ..Sighting::default()
            };
            assembly.board(&key, sighting, true)?;
            open = Some(key);
        }
        if foreign > 0 {
            assembly.note(0, &format!("{foreign} rows of other games are left out"));
        }
        Ok(())
    }

    /// Columns that some version of the servers has.
    const KNOWN: [&str; 9] = [
        "time",
        "player_id",
        "player_name",
        "game_type",
        "room_name",
        "score",
        "command",
        "message",
        "board",
    ];

    fn columns(base: &Connection) -> Result<Vec<String>, Fault> {
        let mut statement = base
            .prepare("SELECT name FROM pragma_table_info('player_boards')")
            .map_err(|error| fault(&error))?;
        let names = statement.query_map([], |row| row.get::<_, String>(0));
        let names = names.map_err(|error| fault(&error))?;
        names
            .collect::<Result<Vec<String>, _>>()
            .map_err(|error| fault(&error))
    }

    /// A column as text, whatever it is stored as.
    fn text(row: &Row<'_>, index: usize) -> String {
        match row.get_ref(index) {
            Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => {
                String::from_utf8_lossy(bytes).into_owned()
            }
            Ok(ValueRef::Integer(number)) => number.to_string(),
            Ok(ValueRef::Real(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    fn command_of(row: &Row<'_>) -> Option<String> {
        let known = !matches!(row.get_ref(5), Ok(ValueRef::Null) | Err(_));
        known.then(|| answer(&text(row, 5)))
    }
}
