//! `Crash`: how probable it is that what others do next kills the hero (ALGORITHM section 5). Every combination of
//! what bodies near him may do is played in the simulator; it counts as death if he cannot live on after it. Not
//! what they may do and how probable that is: `bot::rivals`.

use super::key::{self, Margin};
use super::survival::{Survival, Verdict};
use super::table::Table;
use crate::board::Action;
use crate::sim::{Foreseen, HeroId, Monster, State, Target, Unheard};
use arrayvec::ArrayVec;

/// Something that another body may do in the coming tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A rival's command.
    Act(HeroId, Action),
    /// A monster, by its index, hunts this hero.
    Hunt(usize, HeroId),
}

/// What one body may do, each with its probability; together 1.
pub type Doubt = ArrayVec<(Choice, f64), { Action::MOST }>;

/// How far a combination is followed.
#[derive(Clone, Copy, Debug)]
pub struct Follow {
    /// Ticks for which the hero must live, the coming one included; at least 1.
    pub ticks: usize,
    /// States visited at most to find that out, for each combination.
    pub nodes: usize,
}

/// The judge with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Crash {
    survival: Survival,
    /// Positions after the coming tick that were judged: 1 is death.
    judged: Table,
}

impl Crash {
    /// The probability, 0 to 1, that `me` is lost within the ticks asked for if he takes this action now and each of
    /// the others does one of what it may. After the coming tick rivals stand still and monsters keep whom they
    /// hunt. What is not found out within the nodes counts as living.
    pub fn risk(
        &mut self,
        state: &mut State,
        me: HeroId,
        action: Action,
        doubts: &[Doubt],
        follow: Follow,
    ) -> f64 {
        self.judged.clear();
        self.survival.forget();
        let mark = state.mark();
        state.act(me, action);
        let risk = self.combine(state, me, doubts, follow);
        state.undo(mark);
        risk
    }

    /// The share of death among all combinations of these doubts, the others being settled.
    fn combine(&mut self, state: &mut State, me: HeroId, doubts: &[Doubt], follow: Follow) -> f64 {
        let Some((doubt, rest)) = doubts.split_first() else {
            return self.judge(state, me, follow);
        };
        let mut risk = 0.0;
        for &(choice, probability) in doubt {
            let mark = state.mark();
            settle(state, choice);
            risk += probability * self.combine(state, me, rest, follow);
            state.undo(mark);
        }
        risk
    }

    /// Plays the coming tick, all commands being given: 1 if the hero is lost then, else 0. Combinations that come
    /// to the same are judged once.
    fn judge(&mut self, state: &mut State, me: HeroId, follow: Follow) -> f64 {
        let mark = state.mark();
        state.tick(&mut Foreseen, &mut Unheard);
        let left = follow.ticks.saturating_sub(1);
        let lost = if state.hero(me).alive {
            let key = key::key(state, me, left, 0, Margin::NONE);
            if let Some((lost, _)) = self.judged.get(key) {
                lost
            } else {
                let verdict = self.survival.further(state, me, left, follow.nodes);
                let lost = f64::from(u8::from(verdict == Verdict::Doomed));
                self.judged.put(key, lost, Action::Stay);
                lost
            }
        } else {
            1.0
        };
        state.undo(mark);
        lost
    }
}

/// Lets a body make its choice.
fn settle(state: &mut State, choice: Choice) {
    match choice {
        Choice::Act(id, action) => state.act(id, action),
        Choice::Hunt(index, id) => {
            let monster = state.monsters()[index];
            let target = Target::Hero(id);
            state.place_monster(index, Monster { target, ..monster });
        }
    }
}
