//! Where a replay differs from its recording, as values and as text for people.

use std::fmt::{self, Write as _};

use super::explain::Kind;
use crate::board::Size;

/// A tick line that the replay does not reproduce; of a live log perhaps one that it explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The file, as the caller named it.
    pub place: String,
    /// Number of the tick line in the file, from 1.
    pub number: u64,
    /// Id of the game.
    pub game: String,
    /// Number of the server tick.
    pub tick: u64,
    /// Always [`Kind::Diverged`] in a full log.
    pub kind: Kind,
    /// Live logs: why it is what it is; empty if there is nothing to say.
    pub reason: String,
    /// What differs, causes before consequences; of a full log never empty.
    pub differences: Vec<Difference>,
    /// The boards to look at; only kept for the first divergence of a game.
    pub views: Option<Views>,
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A random number was asked for that the recording does not have there.
    Draw(String),
    /// Recorded random numbers that nobody asked for.
    DrawsLeft(usize),
    /// Part of the hidden state.
    Hidden {
        /// Which part.
        part: String,
        /// As the line has it.
        recorded: String,
        /// As the simulator has it.
        replayed: String,
    },
    /// The players whose match is over.
    Over {
        /// As the line has it.
        recorded: Vec<u32>,
        /// As the simulator has it.
        replayed: Vec<u32>,
    },
    /// A player's events.
    Events {
        /// Player number.
        player: usize,
        /// As the line has them.
        recorded: Vec<String>,
        /// As the simulator has them.
        replayed: Vec<String>,
    },
    /// A player's score; `None` has left.
    Score {
        /// Player number.
        player: usize,
        /// As the line has it.
        recorded: Option<i64>,
        /// As the simulator has it.
        replayed: Option<i64>,
    },
    /// A board is there on one side only.
    Presence {
        /// Player number.
        player: usize,
        /// Whether the line has one.
        recorded: bool,
    },
    /// A player's board.
    Board {
        /// Player number.
        player: usize,
        /// Edge of the board.
        size: Size,
        /// The first differing character, counted from 0 in reading order.
        index: usize,
        /// What the line has there.
        recorded: char,
        /// What the simulator has there.
        replayed: char,
        /// How many characters differ.
        count: usize,
    },
}

/// One player's board on both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Views {
    /// Player number.
    pub player: usize,
    /// Edge of the board, in cells.
    pub edge: usize,
    /// As the line has it.
    pub recorded: String,
    /// As the simulator has it.
    pub replayed: String,
}

impl Difference {
    /// The player it is about, if it is about one.
    pub(super) fn player(&self) -> Option<usize> {
        match self {
            Difference::Events { player, .. }
            | Difference::Score { player, .. }
            | Difference::Presence { player, .. }
            | Difference::Board { player, .. } => Some(*player),
            _ => None,
        }
    }

    /// Compares two boards of the same number of characters.
    pub(super) fn of_boards(
        player: usize,
        size: Size,
        recorded: &str,
        replayed: &str,
    ) -> Option<Difference> {
        if recorded == replayed {
            return None;
        }
        let pairs = recorded.chars().zip(replayed.chars());
        let mut differing = pairs
            .enumerate()
            .filter(|(_, (recorded, replayed))| recorded != replayed);
        let (index, (recorded, replayed)) = differing.next()?;
        let count = 1 + differing.count();
        Some(Difference::Board {
            player,
            size,
            index,
            recorded,
            replayed,
            count,
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Draw(fault) => formatter.write_str(fault),
            Difference::DrawsLeft(count) => {
                write!(formatter, "draws: {count} recorded, not asked for")
            }
            Difference::Hidden {
                part,
                recorded,
                replayed,
            } => {
                write!(
                    formatter,
                    "hidden state, {part}: recorded {recorded}, replayed {replayed}"
                )
            }
            Difference::Over { recorded, replayed } => {
                write!(
                    formatter,
                    "match over: recorded {recorded:?}, replayed {replayed:?}"
                )
            }
            Difference::Events {
                player,
                recorded,
                replayed,
            } => write!(
                formatter,
                "player {player}, events: recorded {recorded:?}, replayed {replayed:?}"
            ),
            Difference::Score {
                player,
                recorded,
                replayed,
            } => {
                write!(formatter, "player {player}, score: recorded ")?;
                write_score(formatter, *recorded)?;
                formatter.write_str(", replayed ")?;
                write_score(formatter, *replayed)
            }
            Difference::Presence { player, recorded } => {
                let (has, lacks) = if *recorded {
                    ("recording", "replay")
                } else {
                    ("replay", "recording")
                };
                write!(
                    formatter,
                    "player {player}, board: the {has} has one, the {lacks} has none"
                )
            }
            Difference::Board {
                player,
                size,
                index,
                recorded,
                replayed,
                count,
            } => {
                let cell = size.from_wire_index(*index);
                let (x, y) = (size.x(cell), size.y(cell));
                write!(
                    formatter,
                    "player {player}, board, cell x={x} y={y} (y from the bottom): \
                     recorded {recorded:?}, replayed {replayed:?}"
                )?;
                match count - 1 {
                    0 => Ok(()),
                    1 => formatter.write_str(", and 1 cell more"),
                    more => write!(formatter, ", and {more} cells more"),
                }
            }
        }
    }
}

fn write_score(formatter: &mut fmt::Formatter<'_>, score: Option<i64>) -> fmt::Result {
    match score {
        Some(score) => write!(formatter, "{score}"),
        None => formatter.write_str("none"),
    }
}

/// Several lines, each ended: the place, what differs, and the boards.
impl fmt::Display for Divergence {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence {
            place,
            number,
            game,
            tick,
            ..
        } = self;
        let what = match self.kind {
            Kind::Diverged => "diverges",
            Kind::Explained => "is explained",
            Kind::Partly => "is explained partly",
            Kind::Missed => "follows missed boards",
        };
        write!(
            formatter,
            "{place}:{number}: game {game}, tick {tick} {what}"
        )?;
        match self.reason.as_str() {
            "" => writeln!(formatter)?,
            reason => writeln!(formatter, ": {reason}")?,
        }
        for difference in &self.differences {
            writeln!(formatter, "  {difference}")?;
        }
        self.views
            .as_ref()
            .map_or(Ok(()), |views| views.fmt(formatter))
    }
}

/// Both boards side by side; an arrow at the end of every row that differs.
impl fmt::Display for Views {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.titled("recorded", "replayed"))
    }
}

impl Views {
    /// Both boards side by side under these titles; an arrow at the end of every row that differs.
    pub fn titled(&self, left: &str, right: &str) -> String {
        let Views { player, edge, .. } = *self;
        let width = edge.max(left.chars().count());
        let mut text = format!("  player {player}:\n  {left:width$}   {right}\n");
        let recorded: Vec<char> = self.recorded.chars().collect();
        let replayed: Vec<char> = self.replayed.chars().collect();
        let rows = recorded
            .chunks(edge.max(1))
            .zip(replayed.chunks(edge.max(1)));
        for (recorded, replayed) in rows {
            let mark = if recorded == replayed { "" } else { " <" };
            let (left, right): (String, String) =
                (recorded.iter().collect(), replayed.iter().collect());
            let _ = writeln!(text, "  {left:width$}   {right}{mark}");
        }
        text
    }
}
