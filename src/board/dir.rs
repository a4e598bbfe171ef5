//! `Dir`: the four directions of a step or a facing. Not an order to the hero: that is `Action`.

/// A direction, in the order in which the original tries them (RULES section 10).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Dir {
    /// Towards smaller columns.
    Left,
    /// Towards larger columns.
    Right,
    /// Towards the top row.
    Up,
    /// Towards the bottom row.
    Down,
}

impl Dir {
    /// All directions in the original's order LEFT, RIGHT, UP, DOWN.
    pub const ALL: [Dir; 4] = [Dir::Left, Dir::Right, Dir::Up, Dir::Down];

    /// The opposite direction.
    #[must_use]
    pub const fn reverse(self) -> Dir {
        match self {
            Dir::Left => Dir::Right,
            Dir::Right => Dir::Left,
            Dir::Up => Dir::Down,
            Dir::Down => Dir::Up,
        }
    }

    /// The letter used in game logs: `L R U D`.
    pub const fn letter(self) -> char {
        match self {
            Dir::Left => 'L',
            Dir::Right => 'R',
            Dir::Up => 'U',
            Dir::Down => 'D',
        }
    }
}
