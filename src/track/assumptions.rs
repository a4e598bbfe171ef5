//! `Assumptions`: what a picture takes for granted because no board has settled it yet (RULES section 11,
//! ALGORITHM section 8). How probable each thing is, is told by the beliefs in `Picture`.

use std::fmt;

/// A set of assumptions, each one bit.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumptions(u16);

impl Assumptions {
    /// No assumption: the picture is what the server has, as far as a classic board can ever tell.
    pub const NONE: Assumptions = Assumptions(0);
    /// Blank cells are taken for empty terrain; one of them may still be an open brick.
    pub const TERRAIN: Assumptions = Assumptions(1);
    /// The age of some hole is not known; the shortest remaining time is assumed.
    pub const HOLE_AGE: Assumptions = Assumptions(1 << 1);
    /// It is not known who dug some hole.
    pub const HOLE_OWNER: Assumptions = Assumptions(1 << 2);
    /// Whom some monster hunts is not certain.
    pub const TARGET: Assumptions = Assumptions(1 << 3);
    /// Whether some monster carries gold is not certain.
    pub const LOAD: Assumptions = Assumptions(1 << 4);
    /// Whether gold lies under some body is not certain.
    pub const COVERED_GOLD: Assumptions = Assumptions(1 << 5);
    /// The order of the monsters' turns is guessed.
    pub const MONSTER_ORDER: Assumptions = Assumptions(1 << 6);
    /// Monsters that share a cell all the time would be counted as one.
    pub const MONSTER_COUNT: Assumptions = Assumptions(1 << 7);
    /// The own hero is taken to face right; it may face up or down.
    pub const FACING: Assumptions = Assumptions(1 << 8);
    /// The same of some rival.
    pub const RIVAL_FACING: Assumptions = Assumptions(1 << 9);
    /// The order of the heroes' turns is guessed.
    pub const HERO_ORDER: Assumptions = Assumptions(1 << 10);
    /// The own gold series is counted from the first board seen.
    pub const SERIES: Assumptions = Assumptions(1 << 11);

    /// Names of the bits, lowest first, as `Display` prints them.
    const NAMES: [&'static str; 12] = [
        "terrain",
        "hole age",
        "hole owner",
        "target",
        "load",
        "covered gold",
        "monster order",
        "monster count",
        "facing",
        "rival facing",
        "hero order",
        "series",
    ];

    /// Whether all of these are assumed.
    pub const fn has(self, others: Assumptions) -> bool {
        self.0 & others.0 == others.0
    }

    /// Assumes these, or no longer.
    pub const fn set(&mut self, others: Assumptions, on: bool) {
        if on {
            self.0 |= others.0;
        } else {
            self.0 &= !others.0;
        }
    }

    /// Assumes these if so, and leaves the set alone otherwise.
    pub const fn add(&mut self, others: Assumptions, on: bool) {
        if on {
            self.0 |= others.0;
        }
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, others: Assumptions) -> Assumptions {
        Assumptions(self.0 | others.0)
    }
}

impl fmt::Display for Assumptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (bit, name) in Assumptions::NAMES.iter().enumerate() {
            if self.0 & 1 << bit != 0 {
                f.write_str(if first { "" } else { ", " })?;
                f.write_str(name)?;
                first = false;
            }
        }
        if first { f.write_str("none") } else { Ok(()) }
    }
}

impl fmt::Debug for Assumptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Assumptions({self})")
    }
}
