//! `Item`: the things that lie or fly on a field beside gold: pills, portals, keys, ammo clips, doors and
//! bullets. Classic has none of them. What they do is in `portal`, `door` and `bullet`, and for pills,
//! which differ by dialect, in `loderunner` and `clifford`.

use super::HeroId;
use crate::board::{Cell, Dir, Metal};

/// One thing on the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// Where it is.
    pub cell: Cell,
    /// What it is.
    pub kind: ItemKind,
}

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A shadow pill.
    Pill,
    /// A portal. The order of portals is their cycle.
    Portal,
    /// An ammo clip.
    Ammo,
    /// A key.
    Key(Metal),
    /// A door, open or closed.
    Door(Metal, bool),
    /// A bullet in flight.
    Bullet {
        /// Where it flies.
        dir: Dir,
        /// Whether it was turned back by a stone: then it hits its shooter too.
        bounced: bool,
        /// Who shot it.
        owner: HeroId,
    },
}

impl Item {
    /// Who shot it, if it is a bullet.
    pub const fn owner(self) -> Option<HeroId> {
        match self.kind {
            ItemKind::Bullet { owner, .. } => Some(owner),
            _ => None,
        }
    }

    /// All fields in one word, different for different items; for hashing.
    pub(super) const fn bits(self) -> u64 {
        let kind = match self.kind {
            ItemKind::Pill => 0,
            ItemKind::Portal => 1,
            ItemKind::Ammo => 2,
            ItemKind::Key(metal) => 3 | (metal as u64) << 3,
            ItemKind::Door(metal, open) => 4 | (metal as u64) << 3 | (open as u64) << 5,
            ItemKind::Bullet {
                dir,
                bounced,
                owner,
            } => 5 | (dir as u64) << 3 | (bounced as u64) << 5 | (owner.0 as u64) << 6,
        };
        self.cell.index() as u64 | kind << 16
    }
}
