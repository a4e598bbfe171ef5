//! `Tile`: one cell of the simulated field in sixteen bits: what is built there and who is there now.
//! Not what a server prints (`board::Element`) and not where things are listed (`State`).

use std::fmt;

/// Eight flags and, in the high byte, how many monsters stand in the cell.
///
/// The low byte is what the rules ask about; it is zero exactly for a cell where new gold or a new
/// hero may be placed in classic (RULES section 7).
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tile(u16);

impl Tile {
    /// Empty terrain, nobody there.
    pub const EMPTY: Tile = Tile(0);
    /// A brick by terrain, full or open.
    pub const BRICK: u16 = 1;
    /// Cannot be entered by a step and carries: a full brick, the border, the outside.
    pub const SOLID: u16 = 2;
    /// A ladder.
    pub const LADDER: u16 = 4;
    /// A pipe.
    pub const PIPE: u16 = 8;
    /// Border or outside: never dug.
    pub const STONE: u16 = 16;
    /// At least one gold lies here.
    pub const GOLD: u16 = 32;
    /// At least one hero is here that carries: in classic dead or alive, later a playing one.
    pub const HERO: u16 = 64;
    /// No step leads here, though nothing solid is here: a hero (later one without pill), or a closed door.
    pub const BLOCK: u16 = 128;
    /// One monster in the count.
    const MONSTER: u16 = 1 << 8;

    /// A tile with these flags and no monster.
    pub const fn of(flags: u16) -> Tile {
        Tile(flags & 0xFF)
    }

    /// Whether any of these flags is set.
    #[inline]
    pub const fn has(self, flags: u16) -> bool {
        self.0 & flags != 0
    }

    /// A brick by terrain, full or open.
    #[inline]
    pub const fn is_brick(self) -> bool {
        self.has(Tile::BRICK)
    }

    /// A brick that is full: the timer is not running, or it was dug in this very hero phase.
    #[inline]
    pub const fn is_full_brick(self) -> bool {
        self.0 & (Tile::BRICK | Tile::SOLID) == Tile::BRICK | Tile::SOLID
    }

    /// Whether the cell's own terrain holds a body: a ladder or a pipe.
    #[inline]
    pub const fn holds(self) -> bool {
        self.has(Tile::LADDER | Tile::PIPE)
    }

    /// Whether a body in the cell above stands on this one (RULES section 5).
    #[inline]
    pub const fn carries(self) -> bool {
        self.has(Tile::SOLID | Tile::LADDER | Tile::HERO) || self.monsters() > 0
    }

    /// Number of monsters in the cell.
    #[inline]
    pub const fn monsters(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Empty terrain without gold or hero; monsters do not matter (RULES section 7).
    #[inline]
    #[expect(clippy::verbose_bit_mask, reason = "says what is meant")]
    pub const fn is_free(self) -> bool {
        self.0 & 0xFF == 0
    }

    /// What never changes: the terrain flags, with bricks full.
    #[must_use]
    pub const fn terrain(self) -> Tile {
        Tile(self.0 & (Tile::BRICK | Tile::SOLID | Tile::LADDER | Tile::PIPE | Tile::STONE))
    }

    #[inline]
    pub(super) fn set(&mut self, flags: u16, on: bool) {
        if on {
            self.0 |= flags;
        } else {
            self.0 &= !flags;
        }
    }

    /// One monster more. The number of monsters of a level is at most 255, so the byte cannot overflow.
    #[inline]
    pub(super) fn add_monster(&mut self) {
        self.0 = self.0.wrapping_add(Tile::MONSTER);
    }

    #[inline]
    pub(super) fn remove_monster(&mut self) {
        self.0 = self.0.wrapping_sub(Tile::MONSTER);
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "brick", "solid", "ladder", "pipe", "stone", "gold", "hero", "block",
        ];
        let mut set = f.debug_set();
        for (bit, name) in names.iter().enumerate() {
            if self.has(1 << bit) {
                set.entry(name);
            }
        }
        if self.monsters() > 0 {
            set.entry(&self.monsters());
        }
        set.finish()
    }
}
