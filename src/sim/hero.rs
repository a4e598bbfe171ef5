//! `Hero` and `HeroId`: a player's body on the field, and the object identity that monsters and holes refer to.
//! What it carries is `Gear`; who sends it commands and gets its points is `Player`.

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
    /// Shooting (clifford).
    pub shoot: bool,
    /// What to do with the door in the facing cell (clifford).
    pub door: DoorOrder,
}

/// An order about a door.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DoorOrder {
    /// None.
    #[default]
    Leave,
    /// Open it.
    Open,
    /// Close it.
    Close,
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
    /// Takes part: not waiting for a round. Always so in classic.
    pub active: bool,
    /// Ticks that its pill still works after this one; -1 without pill.
    pub pill: i16,
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
            active: true,
            pill: -1,
            pending: Pending {
                step: false,
                jump: false,
                dig: false,
                shoot: false,
                door: DoorOrder::Leave,
            },
        }
    }

    /// Whether a pill works: monsters neither see nor kill it, and nobody is blocked by it.
    #[inline]
    pub const fn is_shadowed(&self) -> bool {
        self.pill >= 0
    }

    /// On the field, alive and taking part.
    #[inline]
    pub const fn is_playing(&self) -> bool {
        self.present && self.alive && self.active
    }

    /// Playing without a pill: seen, blocking, mortal.
    #[inline]
    pub const fn is_regular(&self) -> bool {
        self.is_playing() && !self.is_shadowed()
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
            | (self.pending.shoot as u64) << 24
            | (self.pending.door as u64) << 25
            | (!self.active as u64) << 27
            | ((self.pill + 1) as u64) << 32
    }
}
