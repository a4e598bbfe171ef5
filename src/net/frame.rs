//! What one text frame from a server is.
//!
//! A turn is opened by the six characters `board=` alone, so everything that begins so wants an
//! answer, however broken the rest is; everything else wants none. Not here: whether the text is a
//! board of a known size and alphabet (`board` decides that).

use serde_json::Value;

/// A text frame, by what the client has to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame<'a> {
    /// `board=` and some text: a turn.
    Board(&'a str),
    /// `board=` and a JSON object with `layers` (games of several layers): a turn. Holds the first
    /// layer, which is where such a game draws its terrain.
    Layers(String),
    /// `board=` alone or `board=null`: the server failed to draw. A turn all the same, to be
    /// answered with the empty text, or the socket stays silent for ever.
    NoBoard,
    /// An empty frame. No turn.
    Empty,
    /// Text without `board=`. No turn.
    Other(&'a str),
}

impl<'a> Frame<'a> {
    /// Tells the kinds of frames apart. Never fails.
    pub fn of(text: &'a str) -> Self {
        // Logs saved by editors begin with a byte order mark, and some relays end lines.
        let text = text
            .trim_start_matches('\u{feff}')
            .trim_end_matches(['\r', '\n']);
        let Some(body) = text.strip_prefix("board=") else {
            return if text.is_empty() {
                Self::Empty
            } else {
                Self::Other(text)
            };
        };
        if body.is_empty() || body == "null" {
            return Self::NoBoard;
        }
        if body.starts_with('{') && body.ends_with('}') {
            // A pipe glyph is `{` as well, so only a real object with layers is one.
            if let Ok(Value::Object(object)) = serde_json::from_str::<Value>(body)
                && let Some(Value::Array(layers)) = object.get("layers")
            {
                return match layers.first().and_then(Value::as_str) {
                    Some(layer) if !layer.is_empty() => Self::Layers(layer.to_owned()),
                    _ => Self::NoBoard,
                };
            }
        }
        Self::Board(body)
    }

    /// Whether the server now waits for exactly one answer.
    pub const fn is_turn(&self) -> bool {
        matches!(self, Self::Board(_) | Self::Layers(_) | Self::NoBoard)
    }

    /// The board's text, if there is one.
    pub fn board(&self) -> Option<&str> {
        match self {
            Self::Board(text) => Some(text),
            Self::Layers(text) => Some(text),
            Self::NoBoard | Self::Empty | Self::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_begins_with_board_and_only_with_it() {
        let board = Frame::of("board=\u{263c}# \u{25ba}");
        assert_eq!(board, Frame::Board("\u{263c}# \u{25ba}"));
        assert!(board.is_turn());
        assert_eq!(Frame::of("board=#\r\n"), Frame::Board("#"));
        assert_eq!(Frame::of("\u{feff}board=#"), Frame::Board("#"));
        for text in [
            "board=",
            "board=null",
            "board={\"layers\":[]}",
            "board={\"layers\":[7]}",
        ] {
            assert_eq!(Frame::of(text), Frame::NoBoard, "{text}");
            assert!(Frame::of(text).is_turn(), "{text}");
        }
        assert_eq!(Frame::of(""), Frame::Empty);
        for text in ["hello", "Board=#", "boar", " board=#"] {
            assert_eq!(Frame::of(text), Frame::Other(text), "{text}");
            assert!(!Frame::of(text).is_turn(), "{text}");
        }
    }

    #[test]
    fn layers_give_their_first_layer() {
        let frame = Frame::of(r##"board={"layers":["#☼","  "],"x":1}"##);
        assert_eq!(frame, Frame::Layers("#☼".to_owned()));
        assert_eq!(frame.board(), Some("#☼"));
    }

    /// A prefix cut by characters would eat these; a hero on a pipe looks like JSON.
    #[test]
    fn a_board_of_odd_first_letters_stays_whole() {
        assert_eq!(Frame::of("board=board="), Frame::Board("board="));
        assert_eq!(Frame::of("board={ # }"), Frame::Board("{ # }"));
    }
}
