//! From single boards and answers to games: one game a player, cut where the size or the dialect changes,
//! with tick numbers, missing boards and the terrain that the boards show. Which file they come from is
//! not known here.

use std::collections::BTreeMap;

use super::terrain::Terrain;
use super::{Format, Imported, Note};
use crate::board::{Alphabet, Size};
use crate::record::error::{ReadError, ReadErrorKind, WriteError};
use crate::record::format::{Header, TickLine};
use crate::record::writer::Writer;

/// Text of boards held at once, in bytes. Beyond it the games are written as they are, and go on as games
/// of their own.
const HELD: usize = 64 * 1024 * 1024;

/// Players of one source; more are no players.
const PLAYERS_MAX: usize = 4096;

/// Notes passed on; the rest is only counted.
const NOTES_MAX: u64 = 1000;

/// One board as a source has it.
#[derive(Debug, Clone, Default)]
pub(super) struct Sighting {
    /// Number of its (first) line.
    pub line: u64,
    /// The glyphs, top row first, without line ends.
    pub board: String,
    /// When it was seen, in milliseconds.
    pub moment: Option<i64>,
    /// The answer to it, as far as known by now.
    pub answer: Option<String>,
    /// The player's score.
    pub score: Option<i64>,
    /// Events since the board before.
    pub events: Vec<String>,
    /// Boards missed just before it, for another reason than its time.
    pub missed: u32,
}

/// One player's game so far.
#[derive(Default)]
struct Course {
    /// Number of the game among this player's.
    piece: u32,
    size: Option<Size>,
    /// Alphabets that spell every board so far.
    alphabets: Vec<Alphabet>,
    boards: Vec<Sighting>,
    /// Boards missed since the last one.
    missed: u32,
    /// The last board missed its right to an answer: the answer is that of a board left out.
    left_out: bool,
}

/// Collects boards and writes games.
pub(super) struct Assembly<'a> {
    place: &'a str,
    name: &'a str,
    rules: Option<&'a str>,
    writer: &'a mut Writer,
    notes: &'a mut dyn FnMut(Note),
    courses: BTreeMap<String, Course>,
    /// Players in the order of their first boards.
    order: Vec<String>,
    held: usize,
    games: u64,
    boards: u64,
    answers: u64,
    told: u64,
    broken: Option<String>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(
        place: &'a str,
        name: &'a str,
        rules: Option<&'a str>,
        writer: &'a mut Writer,
        notes: &'a mut dyn FnMut(Note),
    ) -> Assembly<'a> {
        Assembly {
            place,
            name,
            rules,
            writer,
            notes,
            courses: BTreeMap::new(),
            order: Vec::new(),
            held: 0,
            games: 0,
            boards: 0,
            answers: 0,
            told: 0,
            broken: None,
        }
    }

    /// Tells the person who imports about a line.
    pub(super) fn note(&mut self, line: u64, text: &str) {
        self.told += 1;
        if self.told <= NOTES_MAX {
            (self.notes)(Note {
                place: self.place.to_owned(),
                line,
                text: text.to_owned(),
            });
        }
    }

    /// The source cannot be read beyond this line.
    pub(super) fn breaks_off(&mut self, line: u64, kind: ReadErrorKind) {
        let place = self.place.to_owned();
        self.broken = Some(ReadError { place, line, kind }.to_string());
    }

    /// A board of this player was there and cannot be used.
    pub(super) fn missing(&mut self, player: &str) {
        if let Some(course) = self.courses.get_mut(player) {
            course.missed += 1;
            course.left_out = true;
        }
    }

    /// Adds a board; `whole` is false if the source ends in the middle of its line.
    pub(super) fn board(
        &mut self,
        player: &str,
        mut sighting: Sighting,
        whole: bool,
    ) -> Result<(), WriteError> {
        let checked = check(&sighting.board);
        let (size, alphabets) = match checked {
            Ok(checked) => checked,
            Err(fault) => {
                let fault = if whole {
                    format!("{fault}; left out")
                } else {
                    format!("the last line is broken off ({fault}); left out")
                };
                self.note(sighting.line, &fault);
                self.missing(player);
                return Ok(());
            }
        };
        if !self.courses.contains_key(player) {
            if self.courses.len() >= PLAYERS_MAX {
                self.note(sighting.line, "more than 4096 players; left out");
                return Ok(());
            }
            self.order.push(player.to_owned());
        }
        let course = self.courses.entry(player.to_owned()).or_default();
        let common: Vec<Alphabet> = course
            .alphabets
            .iter()
            .copied()
            .filter(|alphabet| alphabets.contains(alphabet))
            .collect();
        let cut = match course.size {
            Some(before) if before != size => Some(format!(
                "the size changes from {} to {}; a new game begins",
                before.edge(),
                size.edge()
            )),
            Some(_) if common.is_empty() => {
                Some("the dialect of the glyphs changes; a new game begins".to_owned())
            }
            _ => None,
        };
        if let Some(text) = cut {
            self.note(sighting.line, &text);
            self.close(player)?;
        }
        let course = self.courses.entry(player.to_owned()).or_default();
        if course.size.is_none() {
            course.size = Some(size);
            course.alphabets = alphabets;
            course.missed = 0;
        } else {
            course.alphabets = common;
        }
        sighting.missed += std::mem::take(&mut course.missed);
        course.left_out = false;
        self.held += sighting.board.len();
        course.boards.push(sighting);
        if self.held > HELD {
            let line = course.boards.last().map_or(0, |sighting| sighting.line);
            self.note(
                line,
                "64 MiB of boards are held; they are written, and what follows becomes new games",
            );
            for player in self.order.clone() {
                self.close(&player)?;
            }
        }
        Ok(())
    }

    /// The answer to this player's last board; of several only the first counts, as on the server.
    pub(super) fn answer(&mut self, player: &str, line: u64, text: &str) {
        let Some(course) = self.courses.get_mut(player) else {
            return;
        };
        let left_out = course.left_out;
        let Some(sighting) = course.boards.last_mut().filter(|_| !left_out) else {
            return;
        };
        match &sighting.answer {
            None => sighting.answer = Some(text.to_owned()),
            Some(first) if first.eq_ignore_ascii_case(text) => {}
            Some(_) => self.note(line, "a second answer to one board; the first counts"),
        }
    }

    /// The score printed with this player's last board.
    pub(super) fn score(&mut self, player: &str, score: i64) {
        let course = self.courses.get_mut(player);
        if let Some(sighting) = course.and_then(|course| course.boards.last_mut()) {
            sighting.score.get_or_insert(score);
        }
    }

    /// Ends this player's game: what follows is another one.
    pub(super) fn close(&mut self, player: &str) -> Result<(), WriteError> {
        let Some(course) = self.courses.get_mut(player) else {
            return Ok(());
        };
        course.piece += 1;
        let game = std::mem::replace(
            course,
            Course {
                piece: course.piece,
                ..Course::default()
            },
        );
        let Some(size) = game.size else {
            return Ok(());
        };
        self.held -= game.boards.iter().map(|it| it.board.len()).sum::<usize>();
        let mut id = self.name.to_owned();
        if !player.is_empty() {
            id = format!("{id}/{player}");
        }
        if game.piece > 1 {
            id = format!("{id}#{}", game.piece);
        }
        self.write(&id, size, game)
    }

    fn write(&mut self, id: &str, size: Size, game: Course) -> Result<(), WriteError> {
        let alphabet = game.alphabets.first().copied().unwrap_or(Alphabet::Classic);
        let rules = self.rules.map_or_else(
            || {
                match alphabet {
                    Alphabet::Classic => "classic",
                    Alphabet::Loderunner => "loderunner-2021-04",
                    Alphabet::Clifford => "clifford",
                }
                .to_owned()
            },
            ToOwned::to_owned,
        );
        let mut terrain = Terrain::new(size, alphabet);
        for sighting in &game.boards {
            terrain.see(&sighting.board);
        }
        let mut header = Header::new(id, rules, terrain.rows());
        header.players = 1;
        header.ticks = Some(game.boards.len() as u64 - 1);
        header.desc = Some(format!("imported from {}", self.name));
        self.writer.header(&header)?;
        let missed = self.missed_by_time(&game.boards);
        let start = game.boards[0].moment;
        let (mut tick, mut answer) = (0, None);
        for (index, (sighting, by_time)) in game.boards.into_iter().zip(missed).enumerate() {
            let late = sighting.missed.max(by_time);
            if index > 0 {
                tick += 1 + u64::from(late);
            }
            let known = |answer: Option<String>| answer.map(Some).into_iter().collect();
            let line = TickLine {
                t: tick,
                cmd: if index == 0 || late > 0 {
                    Vec::new()
                } else {
                    known(answer.take())
                },
                ev: if sighting.events.is_empty() {
                    Vec::new()
                } else {
                    vec![Some(sighting.events)]
                },
                score: sighting.score.map(Some).into_iter().collect(),
                boards: vec![Some(sighting.board)],
                at: sighting
                    .moment
                    .zip(start)
                    .map(|(moment, start)| (moment - start).max(0) as u64),
                late: (late > 0 && index > 0).then_some(late),
                ..TickLine::default()
            };
            self.boards += 1;
            self.answers += u64::from(sighting.answer.is_some());
            answer = sighting.answer;
            self.writer.tick(&line)?;
        }
        self.games += 1;
        Ok(())
    }

    /// Per board how many are missing before it by its time, as far as the boards have times.
    fn missed_by_time(&mut self, boards: &[Sighting]) -> Vec<u32> {
        let mut missed = vec![0; boards.len()];
        let steps: Vec<Option<i64>> = boards
            .windows(2)
            .map(|pair| Some(pair[1].moment? - pair[0].moment?))
            .collect();
        let mut sorted: Vec<i64> = steps
            .iter()
            .flatten()
            .copied()
            .filter(|it| *it > 0)
            .collect();
        sorted.sort_unstable();
        let Some(&period) = sorted.get(sorted.len() / 2).filter(|_| sorted.len() >= 3) else {
            return missed;
        };
        for (index, step) in steps.iter().enumerate() {
            let Some(step) = *step else { continue };
            // More than half a period too late; ticks that follow back to back were only delayed.
            let mut gap = (step * 2 / period - 1) / 2;
            let hurried = steps[index + 1..]
                .iter()
                .take_while(|next| next.is_some_and(|next| next * 2 < period));
            gap -= hurried.count() as i64;
            if gap > 0 {
                missed[index + 1] = u32::try_from(gap).unwrap_or(u32::MAX);
                let text = format!(
                    "{gap} {} missing before this one, by its time",
                    if gap == 1 { "board is" } else { "boards are" }
                );
                self.note(boards[index + 1].line, &text);
            }
        }
        missed
    }

    /// Writes what is left and counts.
    pub(super) fn finish(mut self, format: Format) -> Result<Imported, WriteError> {
        for player in std::mem::take(&mut self.order) {
            self.close(&player)?;
        }
        if self.told > NOTES_MAX {
            let text = format!("{} more notes are left out", self.told - NOTES_MAX);
            (self.notes)(Note {
                place: self.place.to_owned(),
                line: 0,
                text,
            });
        }
        Ok(Imported {
            format,
            games: self.games,
            boards: self.boards,
            answers: self.answers,
            notes: self.told,
            broken: self.broken,
        })
    }
}

/// The size of a board and the alphabets that can spell it.
fn check(board: &str) -> Result<(Size, Vec<Alphabet>), String> {
    if board == "null" {
        return Err("the server could not draw this board".to_owned());
    }
    if board.starts_with('{') && board.contains("\"layers\"") {
        return Err("a board in layers, of another game".to_owned());
    }
    let length = board.chars().count();
    let edge = length.isqrt();
    if edge * edge != length {
        return Err(format!("the board has {length} glyphs, no square number"));
    }
    let size = Size::new(edge).ok_or_else(|| format!("the board is {edge} cells wide"))?;
    let alphabets: Vec<Alphabet> = Alphabet::ALL
        .into_iter()
        .filter(|alphabet| board.chars().all(|glyph| alphabet.element(glyph).is_some()))
        .collect();
    if alphabets.is_empty() {
        let unknown = |glyph: &char| {
            Alphabet::ALL
                .iter()
                .all(|alphabet| alphabet.element(*glyph).is_none())
        };
        return Err(match board.chars().find(unknown) {
            Some(glyph) => format!("{glyph:?} is no glyph of any dialect"),
            None => "the board mixes glyphs of several dialects".to_owned(),
        });
    }
    Ok((size, alphabets))
}
