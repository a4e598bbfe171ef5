//! The tick of clifford (DIALECTS section 4): its stages in the server's order.

use super::{Chance, Observer, State};

pub(super) fn tick<C: Chance, O: Observer>(state: &mut State, _chance: &mut C, _observer: &mut O) {
    state.set_tick();
}
