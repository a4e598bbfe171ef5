//! `Monster`: a robot of the level with its facing, its load and whom it hunts. Its turns are the business of the
//! stages (`classic`, `turn`), its ways of `Chase` and `hunt`.

use super::HeroId;
use crate::board::{Cell, Dir, GoldKind};

/// Whom a monster hunts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Nobody: it chooses at its next turn.
    Nobody,
    /// Somebody, but it is not known who. Only in a bot's picture of the game: such a monster falls, sits
    /// in holes and climbs out by the rules but does not walk.
    Unknown,
    /// This hero object.
    Hero(HeroId),
}

/// One monster. It never dies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Monster {
    /// Where it is.
    pub cell: Cell,
    /// The direction of its last step that was not DOWN.
    pub facing: Dir,
    /// The gold it carries.
    pub load: Option<GoldKind>,
    /// Whom it hunts.
    pub target: Target,
    /// The hero it could not reach: not to be chosen again at once, judged by place (RULES section 8).
    pub given_up: Option<HeroId>,
    /// Where its last hunt that reached anybody ended (2021-09 and clifford); `None` in other dialects.
    pub reached: Option<Cell>,
}

impl Monster {
    /// A monster as the level starts it.
    pub const fn new(cell: Cell, facing: Dir) -> Monster {
        Monster {
            cell,
            facing,
            load: None,
            target: Target::Nobody,
            given_up: None,
            reached: None,
        }
    }

    /// Its facing after a step: climbing down it keeps the one it had.
    #[inline]
    pub(super) const fn facing_after(self, dir: Dir) -> Dir {
        match dir {
            Dir::Down => self.facing,
            _ => dir,
        }
    }

    /// Everything but place and facing in one word, different for different monsters; for hashing.
    pub(super) const fn mind_bits(self) -> u64 {
        let load = match self.load {
            None => 0,
            Some(kind) => kind as u64 + 1,
        };
        let target = match self.target {
            Target::Nobody => 0,
            Target::Unknown => 1,
            Target::Hero(id) => 2 + id.0 as u64,
        };
        let given_up = match self.given_up {
            None => 0,
            Some(id) => 1 + id.0 as u64,
        };
        let reached = match self.reached {
            None => 0,
            Some(cell) => cell.index() as u64,
        };
        load | target << 4 | given_up << 24 ^ reached << 45
    }
}
