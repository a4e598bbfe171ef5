//! `Action`: what a hero can decide in one tick, and the text that says so on the wire.
//! Not the server's command grammar (several words a tick): that is `sim::command`.

use std::fmt;
use std::str::FromStr;

/// One decision of a hero, in the fixed order that also breaks ties (ALGORITHM section 1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Action {
    /// Step (or turn) left.
    Left,
    /// Step (or turn) right.
    Right,
    /// Climb.
    Up,
    /// Climb down, or let go of a pipe.
    Down,
    /// Turn left and dig the brick diagonally below.
    DigLeft,
    /// Turn right and dig the brick diagonally below.
    DigRight,
    /// Do nothing.
    Stay,
    /// Turn left and shoot (clifford).
    ShootLeft,
    /// Turn right and shoot (clifford).
    ShootRight,
    /// Open the door to the left and step into it (clifford).
    OpenLeft,
    /// Open the door to the right and step into it (clifford).
    OpenRight,
}

impl Action {
    /// The actions of every dialect in tie-breaking order: standing still comes last.
    pub const ALL: [Action; 7] = [
        Action::Left,
        Action::Right,
        Action::Up,
        Action::Down,
        Action::DigLeft,
        Action::DigRight,
        Action::Stay,
    ];
    /// How many those are.
    pub const COUNT: usize = 7;
    /// What only clifford has besides.
    pub const CLIFFORD: [Action; 4] = [
        Action::ShootLeft,
        Action::ShootRight,
        Action::OpenLeft,
        Action::OpenRight,
    ];
    /// How many there are in all dialects.
    pub const MOST: usize = 11;

    /// All actions of all dialects.
    pub fn all() -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().chain(Action::CLIFFORD)
    }

    /// The text sent to the server; `Stay` is the empty text, which is a valid answer.
    pub const fn wire(self) -> &'static str {
        match self {
            Action::Left => "LEFT",
            Action::Right => "RIGHT",
            Action::Up => "UP",
            Action::Down => "DOWN",
            Action::DigLeft => "ACT,LEFT",
            Action::DigRight => "ACT,RIGHT",
            Action::Stay => "",
            Action::ShootLeft => "ACT(1),LEFT",
            Action::ShootRight => "ACT(1),RIGHT",
            Action::OpenLeft => "ACT(2),LEFT",
            Action::OpenRight => "ACT(2),RIGHT",
        }
    }

    /// A name for people and for files: `left`, `dig-left`, `stay`.
    pub const fn name(self) -> &'static str {
        match self {
            Action::Left => "left",
            Action::Right => "right",
            Action::Up => "up",
            Action::Down => "down",
            Action::DigLeft => "dig-left",
            Action::DigRight => "dig-right",
            Action::Stay => "stay",
            Action::ShootLeft => "shoot-left",
            Action::ShootRight => "shoot-right",
            Action::OpenLeft => "open-left",
            Action::OpenRight => "open-right",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The text is no action's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no action; use left, right, up, down, dig-left, dig-right or stay, in \
         clifford also shoot-left, shoot-right, open-left or open-right"
)]
pub struct UnknownAction(pub String);

impl FromStr for Action {
    type Err = UnknownAction;

    fn from_str(text: &str) -> Result<Action, UnknownAction> {
        Action::all()
            .find(|action| action.name() == text)
            .ok_or_else(|| UnknownAction(text.to_owned()))
    }
}
