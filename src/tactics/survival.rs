//! `Survival`: whether a hero can live on for so many ticks at all. It looks much farther than the values do,
//! because it asks for one line only, and lines are few exactly where it matters: in dead ends. It finds
//! certain losses (ALGORITHM section 4) before values are compared; it prices nothing.

use super::key::{self, Margin};
use super::moves::moves;
use super::table::Table;
use crate::board::{Action, Cell, Dir};
use crate::fields::{Field, Way};
use crate::sim::{Foreseen, HeroId, State, Unheard};
use crate::strategy::Trial;
use arrayvec::ArrayVec;

/// What is known of a hero's future.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A line was found on which the hero lives through all ticks asked for.
    Alive,
    /// Every line ends in death before, as far as monsters' moves are known.
    Doomed,
    /// The nodes ran out first.
    Unknown,
}

/// The search with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Survival {
    doomed: Table,
    nodes: usize,
}

impl Survival {
    /// Whether `me` can live through the next `ticks` ticks, visiting at most `nodes` states.
    pub fn verdict(
        &mut self,
        state: &mut State,
        me: HeroId,
        ticks: usize,
        nodes: usize,
    ) -> Verdict {
        self.forget();
        self.further(state, me, ticks, nodes)
    }

    /// Forgets what was found out about other positions.
    pub(super) fn forget(&mut self) {
        self.doomed.clear();
    }

    /// As `verdict`, with what was found out before in mind: of positions of the same game.
    pub(super) fn further(
        &mut self,
        state: &mut State,
        me: HeroId,
        ticks: usize,
        nodes: usize,
    ) -> Verdict {
        self.nodes = nodes;
        self.live(state, me, ticks)
    }

    /// Whether `me` can live through `ticks` ticks that begin with this action.
    pub fn after(
        &mut self,
        state: &mut State,
        me: HeroId,
        action: Action,
        ticks: usize,
        nodes: usize,
    ) -> Verdict {
        self.forget();
        self.nodes = nodes;
        self.step(state, me, action, ticks.saturating_sub(1))
    }

    /// Whether `me` can live through the tick of this action and `left` more.
    fn step(&mut self, state: &mut State, me: HeroId, action: Action, left: usize) -> Verdict {
        let mark = state.mark();
        state.act(me, action);
        state.tick(&mut Foreseen, &mut Unheard);
        let verdict = if state.hero(me).alive {
            self.live(state, me, left)
        } else {
            Verdict::Doomed
        };
        state.undo(mark);
        verdict
    }

    fn live(&mut self, state: &mut State, me: HeroId, left: usize) -> Verdict {
        if left == 0 {
            return Verdict::Alive;
        }
        let key = key::key(state, me, left, 0, Margin::NONE);
        if self.doomed.get(key).is_some() {
            return Verdict::Doomed;
        }
        if self.nodes == 0 {
            return Verdict::Unknown;
        }
        self.nodes -= 1;
        let mut all = Verdict::Doomed;
        for action in flight(state, me) {
            match self.step(state, me, action, left - 1) {
                Verdict::Alive => return Verdict::Alive,
                Verdict::Unknown => {
                    all = Verdict::Unknown;
                    break;
                }
                Verdict::Doomed => {}
            }
        }
        if all == Verdict::Doomed {
            self.doomed.put(key, 0.0, Action::Stay);
        }
        all
    }
}

/// The hero's actions, those that lead away from the nearest monster first.
fn flight(state: &State, me: HeroId) -> ArrayVec<Action, { Action::MOST }> {
    let mut actions = moves(state, me);
    let (size, here) = (state.size(), state.hero(me).cell);
    let far = |cell: Cell| {
        state
            .monsters()
            .iter()
            .map(|monster| {
                size.x(cell).abs_diff(size.x(monster.cell))
                    + size.row(cell).abs_diff(size.row(monster.cell))
            })
            .min()
            .unwrap_or(0)
    };
    let order = |action: Action| {
        let cell = match action {
            Action::Left | Action::OpenLeft => here.left(),
            Action::Right | Action::OpenRight => here.right(),
            Action::Up => size.step(here, Dir::Up),
            Action::Down => size.step(here, Dir::Down),
            Action::DigLeft
            | Action::DigRight
            | Action::Stay
            | Action::ShootLeft
            | Action::ShootRight => here,
        };
        std::cmp::Reverse(far(cell))
    };
    actions.sort_by_key(|&action| order(action));
    actions
}

impl Trial for Survival {
    /// Follows the shortest way for at most `limit` ticks, then asks whether the hero can live on.
    fn passes(
        &mut self,
        state: &mut State,
        me: HeroId,
        field: &Field,
        limit: u32,
        after: u32,
        nodes: u32,
    ) -> bool {
        let mark = state.mark();
        let mut passes = true;
        for _ in 0..limit {
            if state.hero(me).cell == field.target() {
                break;
            }
            let action = Way::new(state, field).action(me);
            state.act(me, action);
            state.tick(&mut Foreseen, &mut Unheard);
            if !state.hero(me).alive {
                passes = false;
                break;
            }
        }
        if passes {
            passes = self.verdict(state, me, after as usize, nodes as usize) != Verdict::Doomed;
        }
        state.undo(mark);
        passes
    }
}
