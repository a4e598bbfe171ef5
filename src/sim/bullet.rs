//! The gun and its bullets (clifford, DIALECTS section 5).

use super::{Chance, HeroId, Observer, State};

pub(super) fn shoot<C: Chance, O: Observer>(
    _state: &mut State,
    _id: HeroId,
    _chance: &mut C,
    _observer: &mut O,
) {
}
