//! `Picture`: what a tracker hands out after each board: the simulator's state as believed, and how sure it is.

use super::Assumptions;
use crate::board::{Cell, CellSet, GoldKind};
use crate::sim::{HeroId, State};

/// The field after a board, as far as it is known.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The believed state, its clock at 0: heroes in the order of their turns, monsters in the order of theirs,
    /// holes with their ages. A monster's target is `Unknown` unless one hero is probable enough.
    pub state: State,
    /// The own hero; `None` if the board shows none.
    pub me: Option<HeroId>,
    /// What the state takes for granted.
    pub assumptions: Assumptions,
    /// Cells of rivals that have not moved for `Tracker::FROZEN` boards.
    pub concrete: CellSet,
    /// What is believed of each monster of the state.
    pub monsters: Vec<MonsterBelief>,
    /// Portals whose exits are known, with their exits.
    pub portals: Vec<(Cell, Cell)>,
    /// Holes whose age is not known.
    pub vague_holes: Vec<VagueHole>,
    /// Gold that a body covers.
    pub covered: Vec<CoveredGold>,
    /// The own account.
    pub own: Account,
    /// How the last board agreed with what was expected.
    pub agreement: Agreement,
    /// This board opened a new game: nothing before it counts.
    pub new_game: bool,
    /// The level is not the one of the picture before (`State::level` is another object).
    pub new_level: bool,
}

/// Whom a monster hunts and whether it carries gold, as probabilities.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MonsterBelief {
    /// Hunted heroes of the state with their probabilities, the most probable first. What is missing to 1 is
    /// that it hunts nobody at the moment, or a hero that is no longer on the field.
    pub targets: Vec<(HeroId, f64)>,
    /// Probability that it hunts nobody and will choose at its next turn.
    pub nobody: f64,
    /// Probability that it carries gold.
    pub loaded: f64,
}

/// A hole whose age is not known. The state holds it with its shortest remaining time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VagueHole {
    /// The brick.
    pub cell: Cell,
    /// Ticks until it is full again, at least.
    pub least: i32,
    /// Ticks until it is full again, at most.
    pub most: i32,
}

/// Gold under a body. The state holds it if it is more probable than not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CoveredGold {
    /// Where it lies.
    pub cell: Cell,
    /// Its kind.
    pub kind: GoldKind,
    /// Probability that it is there.
    pub probability: f64,
}

/// What the own player has done since the first board of this game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// Gold taken since the last death: the next one pays for `series + 1` (RULES section 9).
    pub series: u32,
    /// The same by kind.
    pub series_by_kind: [u32; 3],
    /// Gold taken.
    pub gold: u32,
    /// The same by kind.
    pub gold_by_kind: [u32; 3],
    /// Deaths seen.
    pub deaths: u32,
    /// Replacements without a death: `ACT(0)`, or a server that moved the player.
    pub suicides: u32,
}

/// How boards agree with predictions, for the watchdog against desync.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    /// Boards since the first one of this game.
    pub boards: u32,
    /// The own hero did what the answer said, on the last board; true if there was no prediction.
    pub own: bool,
    /// Boards on which it did not.
    pub own_missed: u32,
    /// Monsters' steps that the beliefs settled beforehand, in all boards.
    pub steps: u32,
    /// Those of them that came out otherwise.
    pub steps_missed: u32,
}
