//! A recorded game as one player saw it: his boards in order, and what he answered to each. For everything
//! that looks at a game through a player's eyes; whether the recording is right is not asked here.

use std::path::Path;
use std::sync::Arc;

use crate::board::{Action, Board, Size};
use crate::bot::{Answer, Bot};
use crate::record::{Game, ReadError, Reader};
use crate::sim::{Act, Command, DoorOrder, Rules, Word};
use crate::track::{Picture, TrackError, Tracker};

/// One board of the player, and what belongs to it.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Number of its line in the file, from 1.
    pub number: u64,
    /// Number of the server tick.
    pub t: u64,
    /// The board as recorded.
    pub text: String,
    /// The board as read; unknown glyphs are empty cells.
    pub board: Board,
    /// What the player answered to it, if that is known.
    pub answer: Option<String>,
    /// Boards missed just before it.
    pub missed: u32,
    /// The player's events of the tick that made this board.
    pub events: Vec<String>,
    /// The player's score after that tick.
    pub score: Option<i64>,
    /// A live client's reasons for its answer.
    pub why: Vec<String>,
}

impl Turn {
    /// The answer as a decision, if it is one: `ACT` alone depends on where the hero looks and is none.
    pub fn played(&self, rules: &Rules) -> Option<Answer> {
        self.answer
            .as_deref()
            .and_then(|text| read_answer(text, rules))
    }
}

/// A game through one player's eyes.
#[derive(Debug, Clone)]
pub struct Seat {
    /// Id of the game.
    pub game: String,
    /// Player number.
    pub player: usize,
    /// The dialect with the game's settings.
    pub rules: Arc<Rules>,
    /// Edge of the boards.
    pub size: Size,
    /// The boards, in order.
    pub turns: Vec<Turn>,
}

/// Why a game cannot be seen through a player's eyes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}: {fault}")]
pub struct SeatError {
    /// Id of the game.
    pub game: String,
    /// What is wrong.
    pub fault: String,
}

/// The player has no board of a server tick.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game} has no board of tick {tick}; there are ticks {first} to {last}")]
pub struct NoSuchTick {
    /// Id of the game.
    pub game: String,
    /// What was asked for.
    pub tick: u64,
    /// The first tick there is.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

impl Seat {
    /// The boards of a player of a game; a live client's log has one player, number 0.
    ///
    /// # Errors
    /// If the rules are unknown, the player has no boards, or a board is none.
    pub fn of(game: &Game, player: usize) -> Result<Seat, SeatError> {
        let fail = |fault: String| SeatError {
            game: game.header.id.clone(),
            fault,
        };
        let rules = super::field::rules(&game.header).map_err(&fail)?;
        let size = Size::new(game.header.size).ok_or_else(|| fail("has no size".to_owned()))?;
        let mut turns: Vec<Turn> = Vec::new();
        for (number, line) in &game.lines {
            let answer = line.cmd.get(player).cloned().flatten();
            // The answer stands in the line of the tick that it made.
            if let (Some(before), Some(answer)) = (turns.last_mut(), answer) {
                before.answer = Some(answer);
            }
            let Some(Some(text)) = line.boards.get(player) else {
                continue;
            };
            let board = Board::parse_lenient(text, rules.alphabet);
            let (board, _) = board.map_err(|error| fail(format!("line {number}: {error}")))?;
            if board.size() != size {
                let edge = board.size().edge();
                return Err(fail(format!(
                    "line {number}: the board is {edge} cells wide, not {}",
                    size.edge()
                )));
            }
            let passed = turns.last().map_or(1, |before| line.t - before.t);
            turns.push(Turn {
                number: *number,
                t: line.t,
                text: text.clone(),
                board,
                answer: None,
                missed: line.late.unwrap_or(0).max((passed - 1) as u32),
                events: line.ev.get(player).cloned().flatten().unwrap_or_default(),
                score: line.score.get(player).copied().flatten(),
                why: line.why.clone(),
            });
        }
        if turns.is_empty() {
            return Err(fail(format!("has no boards of player {player}")));
        }
        Ok(Seat {
            game: game.header.id.clone(),
            player,
            rules: Arc::new(rules),
            size,
            turns,
        })
    }

    /// The pictures of a tracker that follows the boards from the first one on, each with its turn.
    pub fn pictures(&self) -> impl Iterator<Item = (&Turn, Result<Picture, TrackError>)> {
        let mut tracker = Tracker::new(Arc::clone(&self.rules));
        let mut given: Option<Answer> = None;
        self.turns.iter().map(move |turn| {
            tracker.skip(turn.missed);
            let action = given.filter(|_| turn.missed == 0).and_then(Answer::action);
            given = turn.played(&self.rules);
            (turn, tracker.observe(&turn.board, action))
        })
    }

    /// Lets a bot watch the boards before this one. Returns what was answered to the last of them.
    pub fn watch(&self, bot: &mut Bot, end: usize) -> Option<Answer> {
        let mut given = None;
        for turn in self.turns.iter().take(end) {
            bot.watch(&turn.board, given, turn.missed);
            given = turn.played(&self.rules);
        }
        given
    }

    /// Index of the board of a server tick.
    ///
    /// # Errors
    /// If there is none.
    pub fn index_of(&self, t: u64) -> Result<usize, NoSuchTick> {
        let edge = |turn: Option<&Turn>| turn.map_or(0, |turn| turn.t);
        let found = self.turns.iter().position(|turn| turn.t == t);
        found.ok_or_else(|| NoSuchTick {
            game: self.game.clone(),
            tick: t,
            first: edge(self.turns.first()),
            last: edge(self.turns.last()),
        })
    }
}

/// What a text makes a hero do, as a decision; `None` if it is none of them.
pub fn read_answer(text: &str, rules: &Rules) -> Option<Answer> {
    let command = Command::parse(text, &rules.grammar);
    if rules.is_suicide(&command) {
        return Some(Answer::Suicide);
    }
    let (mut act, mut last) = (None, None);
    for word in command.iter() {
        match word {
            Word::Act(arguments) => act = Some(rules.act(arguments)),
            direction => last = Some(direction),
        }
    }
    let action = match (act, last) {
        (None, None) => Action::Stay,
        (None, Some(Word::Left)) => Action::Left,
        (None, Some(Word::Right)) => Action::Right,
        (None, Some(Word::Up)) => Action::Up,
        (None, Some(Word::Down)) => Action::Down,
        (Some(Act::Dig), Some(Word::Left)) => Action::DigLeft,
        (Some(Act::Dig), Some(Word::Right)) => Action::DigRight,
        (Some(Act::Shoot), Some(Word::Left)) => Action::ShootLeft,
        (Some(Act::Shoot), Some(Word::Right)) => Action::ShootRight,
        (Some(Act::Door(DoorOrder::Open)), Some(Word::Left)) => Action::OpenLeft,
        (Some(Act::Door(DoorOrder::Open)), Some(Word::Right)) => Action::OpenRight,
        _ => return None,
    };
    Some(Answer::Act(action))
}

/// Why no game of a file can be had.
#[derive(Debug, thiserror::Error)]
pub enum PickError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file has no such game.
    #[error("{place}: has no game {wanted:?}; it has {known}")]
    NoSuchGame {
        /// The file.
        place: String,
        /// What was asked for.
        wanted: String,
        /// Games there are.
        known: String,
    },
}

/// One game of a file: by its id, or by its number from 1; without a wish the first one.
///
/// # Errors
/// If the file cannot be read as far as the game, or has no such game.
pub fn pick(path: &Path, wanted: Option<&str>) -> Result<Game, PickError> {
    let reader = Reader::open(path)?;
    let place = reader.place().to_owned();
    let number: Option<usize> = wanted.and_then(|wanted| wanted.parse().ok());
    let (mut count, mut by_number, mut ids, mut fault) = (0, None, Vec::new(), None);
    for game in reader.games() {
        match game {
            Ok(game) => {
                count += 1;
                if wanted.is_none_or(|wanted| game.header.id == wanted) {
                    return Ok(game);
                }
                if ids.len() < 5 {
                    ids.push(game.header.id.clone());
                }
                if number == Some(count) {
                    by_number = Some(game);
                }
            }
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    if let Some(game) = by_number {
        return Ok(game);
    }
    match (fault, wanted) {
        (Some(fault), _) => Err(fault.into()),
        (None, wanted) => Err(PickError::NoSuchGame {
            place,
            wanted: wanted.unwrap_or_default().to_owned(),
            known: match count {
                0 => "none".to_owned(),
                count if count > ids.len() => format!("{count}: {} ..", ids.join(", ")),
                _ => ids.join(", "),
            },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_the_server_reads_them() {
        let rules = Rules::CLASSIC;
        for (text, answer) in [
            ("", Some(Answer::Act(Action::Stay))),
            ("stop", Some(Answer::Act(Action::Stay))),
            ("RIGHT,LEFT", Some(Answer::Act(Action::Left))),
            ("act,right", Some(Answer::Act(Action::DigRight))),
            ("left act", Some(Answer::Act(Action::DigLeft))),
            ("ACT(0)", Some(Answer::Suicide)),
            ("act", None),
            ("act,up", None),
            ("ACT(1),LEFT", Some(Answer::Act(Action::DigLeft))),
            ("ACT(0,1)", None),
        ] {
            assert_eq!(read_answer(text, &rules), answer, "{text:?}");
        }
        let rules = Rules::CLIFFORD;
        for (text, answer) in [
            ("ACT,LEFT", Some(Answer::Act(Action::DigLeft))),
            ("ACT(1),LEFT", Some(Answer::Act(Action::ShootLeft))),
            ("ACT(2),RIGHT", Some(Answer::Act(Action::OpenRight))),
            ("ACT(3),RIGHT", None),
            ("ACT(0,1)", Some(Answer::Suicide)),
        ] {
            assert_eq!(read_answer(text, &rules), answer, "{text:?}");
        }
    }
}
