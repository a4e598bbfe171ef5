//! The two kinds of line of a game log as plain values, and their JSON shape.
//!
//! Only the shape is checked here; that a replay agrees with them is not.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use super::hidden::HiddenState;
use crate::board::Size;
use crate::rng::Draw;

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// The value of the key `k` of a header line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Game,
}

/// The line that opens a game: everything needed to build its field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    k: Kind,
    v: u32,
    /// Unique within its file.
    pub id: String,
    /// What the game belongs to (`duel`, `scenario`), free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The dialect: `classic`, `loderunner-2021-04`, `loderunner-2021-09` or `clifford`.
    pub rules: String,
    /// What produced the recording: a version of the original, or a name and version.
    #[serde(default)]
    pub engine: String,
    /// Edge of the square board, in cells.
    pub size: usize,
    /// How many players join at `t` = 0.
    #[serde(default)]
    pub players: usize,
    /// Number of the tick lines that follow; a label, not needed to replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
    /// Whatever the recording was seeded with; a label, not needed to replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Number>,
    /// `size` rows of `size` characters, top row first, in the glyphs of the wire.
    pub map: Vec<String>,
    /// Team number of each player; empty if nobody cares (only clifford looks at it).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<i32>,
    /// Game and round settings under the server's own keys; empty means the dialect's defaults.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub settings: Map<String, Value>,
    /// Scenarios: what is being looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desc: Option<String>,
    /// Keys this version does not know, kept so that copying a game loses nothing.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Header {
    /// A header of this version, produced by this program, with nothing optional in it.
    ///
    /// `map` is given top row first; its number of rows is the size.
    pub fn new(id: impl Into<String>, rules: impl Into<String>, map: Vec<String>) -> Header {
        Header {
            k: Kind::Game,
            v: VERSION,
            id: id.into(),
            group: None,
            rules: rules.into(),
            engine: format!("{} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            size: map.len(),
            players: 0,
            ticks: None,
            seed: None,
            map,
            teams: Vec::new(),
            settings: Map::new(),
            desc: None,
            other: Map::new(),
        }
    }

    /// The map as one text of `size` * `size` characters, as a board comes over the wire.
    pub fn map_text(&self) -> String {
        self.map.concat()
    }

    /// What is wrong with the header though its JSON has the right types, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        if self.v != VERSION {
            return Some(format!(
                "version {} of the format (this program reads version {VERSION})",
                self.v
            ));
        }
        if Size::new(self.size).is_none() {
            return Some(format!(
                "the size is {}, not in 1..={}",
                self.size,
                Size::EDGE_MAX
            ));
        }
        if self.map.len() != self.size {
            return Some(format!(
                "the map has {} rows, not {}",
                self.map.len(),
                self.size
            ));
        }
        let mut lengths = self.map.iter().map(|row| row.chars().count());
        if let Some(row) = lengths.position(|length| length != self.size) {
            let length = self.map[row].chars().count();
            return Some(format!(
                "row {} of the map has {length} characters, not {}",
                row + 1,
                self.size
            ));
        }
        None
    }
}

/// The JSON shape of `draws`: rows `[bound, result]` or `[bound, result, monster]`.
mod draws {
    use std::fmt;

    use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
    use serde::ser::{SerializeSeq, Serializer};
    use serde::{Deserialize, Serialize};

    use crate::rng::Draw;

    struct Row(Draw);

    impl Serialize for Row {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let Draw {
                bound,
                result,
                monster,
            } = self.0;
            match monster {
                None => (bound, result).serialize(serializer),
                Some(monster) => (bound, result, monster).serialize(serializer),
            }
        }
    }

    impl<'de> Deserialize<'de> for Row {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
            struct RowVisitor;

            impl<'de> Visitor<'de> for RowVisitor {
                type Value = Row;

                fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                    formatter.write_str("a draw: [bound, result] or [bound, result, monster]")
                }

                fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<Row, A::Error> {
                    let missing = |length| Error::invalid_length(length, &self);
                    let bound = row.next_element()?.ok_or_else(|| missing(0))?;
                    let result = row.next_element()?.ok_or_else(|| missing(1))?;
                    let monster = row.next_element()?;
                    if row.next_element::<IgnoredAny>()?.is_some() {
                        return Err(missing(4));
                    }
                    Ok(Row(Draw {
                        bound,
                        result,
                        monster,
                    }))
                }
            }

            deserializer.deserialize_seq(RowVisitor)
        }
    }

    pub(super) fn serialize<S: Serializer>(
        draws: &[Draw],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut rows = serializer.serialize_seq(Some(draws.len()))?;
        for &draw in draws {
            rows.serialize_element(&Row(draw))?;
        }
        rows.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Draw>, D::Error> {
        let rows: Vec<Row> = Deserialize::deserialize(deserializer)?;
        Ok(rows.into_iter().map(|Row(draw)| draw).collect())
    }
}

/// One server tick. An empty list stands for an absent key, and is not written.
///
/// Where a list goes by player, its index is the player's join number and `None` says that this
/// player has left.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TickLine {
    /// Number of the server tick; 0 is the state after the first players have joined.
    pub t: u64,
    /// Players taken off before this tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leave: Vec<u32>,
    /// Players who join before this tick, after the leaves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub join: Vec<u32>,
    /// Per player the text received for this tick, verbatim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cmd: Vec<Option<String>>,
    /// Every random number since the line before, in order.
    #[serde(default, with = "draws", skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<Draw>,
    /// Per player his events, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ev: Vec<Option<Vec<String>>>,
    /// Per player the score after the tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub score: Vec<Option<i64>>,
    /// The hidden state after the tick.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub st: Option<HiddenState>,
    /// Per player the board as he sees it: `size` * `size` characters, top row first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<Option<String>>,
    /// Rounds: players whose match is over; the field was not ticked and the game ends here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<u32>,
    /// 1: the original aborted this field tick with an exception.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub err: Option<u32>,
    /// Live log: milliseconds from the start to the arrival of this board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// Live log: milliseconds from the arrival of this board until its answer was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    /// Live log: boards missed just before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<u32>,
    /// Live log: the reasons of the decision on this board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

impl TickLine {
    /// Whether the live client wrote this line: only its own log has arrival times.
    pub fn is_live(&self) -> bool {
        self.at.is_some()
    }
}
