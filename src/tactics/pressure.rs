//! `Pressure`: how much of the future monsters leave to a hero whom they follow closely. It scales the strategy
//! value, so that shaking monsters off and trapping them is worth something beyond the horizon. It is no
//! fine and no judge of death: exact monsters kill or do not, and the search sees which.

use crate::params::Params;
use crate::sim::{Chase, HeroId, State};

/// Steps that a monster in a brick cell counts as farther away than the cell is.
const PIT: u8 = 6;

/// `1 - weight * decay^steps` for each distance within the range.
#[derive(Clone, Debug)]
pub struct Pressure {
    shares: [f64; Chase::FAR as usize + 1],
    range: u8,
}

impl Pressure {
    /// The pressure that the parameters describe.
    pub fn new(params: &Params) -> Pressure {
        let mut shares = [1.0; Chase::FAR as usize + 1];
        let range = (params.pressure_range as u8).min(Chase::FAR - 1);
        let mut weight = params.pressure;
        for share in shares.iter_mut().take(usize::from(range) + 1) {
            *share = 1.0 - weight;
            weight *= params.pressure_decay;
        }
        if params.pressure <= 0.0 {
            return Pressure { shares, range: 0 };
        }
        Pressure { shares, range }
    }

    /// Whether it never changes anything.
    pub fn is_none(&self) -> bool {
        self.range == 0
    }

    /// Steps up to which monsters count.
    pub fn range(&self) -> usize {
        usize::from(self.range)
    }

    /// The share of the strategy value that is left, 0 to 1: the product over all monsters within range of the
    /// hero by their own way.
    #[inline]
    pub fn share(&self, state: &State, me: HeroId) -> f64 {
        if self.range == 0 {
            return 1.0;
        }
        let cell = state.hero(me).cell;
        let chase = state.level().chase();
        let mut share = 1.0;
        for monster in state.monsters() {
            let steps = if state.tile(monster.cell).is_brick() {
                // It will climb out straight up.
                chase
                    .distance(state.size().up(monster.cell), cell)
                    .map(|steps| steps + PIT)
            } else {
                chase.distance(monster.cell, cell)
            };
            if let Some(steps) = steps.filter(|&steps| steps <= self.range) {
                share *= self.shares[usize::from(steps)];
            }
        }
        share
    }
}
