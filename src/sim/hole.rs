//! `Hole` and `Gold`: the two small things that every field keeps lists of. How holes open and close is in `movement`;
//! what else may lie about is `Item`.

use super::HeroId;
use crate::board::{Cell, GoldKind};

/// A brick that was dug, from the tick of digging until the tick after it closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// The brick cell.
    pub cell: Cell,
    /// The tick in which it was dug. May be negative for a hole that is older than the first frame seen.
    pub opened: i32,
    /// The hero object that dug it last; `None` if that is not known.
    pub owner: Option<HeroId>,
}

impl Hole {
    /// The original's timer reaches this in the brick phase that closes the hole.
    pub const CLOSED: i32 = 13;

    /// The original's timer after the brick phase of tick `now`: 1 in the tick of digging, 2..=12 while
    /// open, 13 in the tick in which it is full again (RULES section 6).
    #[inline]
    pub const fn timer(self, now: i32) -> i32 {
        now - self.opened + 1
    }

    #[inline]
    pub(super) const fn bits(self) -> u64 {
        let owner = match self.owner {
            None => 0,
            Some(id) => 1 + id.0 as u64,
        };
        self.cell.index() as u64 | owner << 16 | (self.opened as u32 as u64) << 32
    }
}

/// One gold on the field. Several may lie in one cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gold {
    /// Where it lies.
    pub cell: Cell,
    /// Its kind; classic has only `Yellow`.
    pub kind: GoldKind,
}
