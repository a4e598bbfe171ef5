//! `Hero` and `HeroId`: a player's body on the field, and the object identity that monsters and holes refer to.

use crate::board::{Cell, Dir};

/// Identity of a hero *object*. A player whose hero is replaced gets another one (RULES section 8), and
/// monsters and holes keep referring to the old one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HeroId(pub u16);

impl HeroId {
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the words of this tick asked for; used up by the hero's turn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pending {
    /// A step along the facing.
    pub step: bool,
    /// Letting go of a pipe: one cell down.
    pub jump: bool,
    /// Digging diagonally below the facing.
    pub dig: bool,
}

/// One hero object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hero {
    /// Where it is, or was last if it is no longer on the field.
    pub cell: Cell,
    /// All four directions occur: UP and DOWN after ladder moves.
    pub facing: Dir,
    /// Not dead. Heroes that left keep this as it was.
    pub alive: bool,
    /// Drawn in dig pose: the last dig succeeded and no LEFT or RIGHT came since.
    pub dug: bool,
    /// On the field: the current hero of a player.
    pub present: bool,
    /// This tick's orders.
    pub pending: Pending,
}

impl Hero {
    /// A new hero as the server makes it: alive, facing right, without orders.
    pub const fn new(cell: Cell) -> Hero {
        Hero {
            cell,
            facing: Dir::Right,
            alive: true,
            dug: false,
            present: true,
            pending: Pending {
                step: false,
                jump: false,
                dig: false,
            },
        }
    }

    /// All fields in one word, different for different heroes; for hashing.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.cell.index() as u64
            | (self.facing as u64) << 16
            | (self.alive as u64) << 18
            | (self.dug as u64) << 19
            | (self.present as u64) << 20
            | (self.pending.step as u64) << 21
            | (self.pending.jump as u64) << 22
            | (self.pending.dig as u64) << 23
    }
}
