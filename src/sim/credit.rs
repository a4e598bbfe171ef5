//! Who is credited with whose death in clifford (DIALECTS section 4): deaths are noted in pairs of hunter and
//! victim through the tick and paid near its end. The 2021 dialects need no such list (`loderunner`).

use super::{Event, HeroId, Observer, State};
use crate::board::Cell;
use arrayvec::ArrayVec;

/// Hunters with their victims, as the original keeps them: in hash sets whose members are told apart by their
/// cells only. Two hunters in one cell are one, and so are two victims. Empty between ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs(ArrayVec<(HeroId, Cell, Victims), { State::HEROES_MAX }>);

type Victims = ArrayVec<(HeroId, Cell), { State::HEROES_MAX }>;

impl Pairs {
    fn note(&mut self, (hunter, lair): (HeroId, Cell), (victim, place): (HeroId, Cell)) {
        let known = self.0.iter().position(|(_, cell, _)| *cell == lair);
        let index = known.unwrap_or(self.0.len());
        if known.is_none() && self.0.try_push((hunter, lair, Victims::new())).is_err() {
            return;
        }
        let (_, _, victims) = &mut self.0[index];
        if !victims.iter().any(|&(_, cell)| cell == place) && !victims.is_full() {
            victims.push((victim, place));
        }
    }
}

/// Notes one pair.
pub(super) fn note(state: &mut State, hunter: HeroId, victim: HeroId) {
    let places = (state.hero(hunter).cell, state.hero(victim).cell);
    state.pairs.note((hunter, places.0), (victim, places.1));
}

/// Notes each shadowed hero, dead or alive, with each other hero of its cell that has no pill.
pub(super) fn note_shadows(state: &mut State) {
    for &hunter in &state.listed().to_vec() {
        if !state.hero(hunter).is_shadowed() {
            continue;
        }
        let cell = state.hero(hunter).cell;
        for &victim in &state.listed().to_vec() {
            let hero = state.hero(victim);
            if hero.cell == cell && !hero.is_shadowed() {
                note(state, hunter, victim);
            }
        }
    }
}

/// Notes each dead hero in a brick cell with the brick's digger.
pub(super) fn note_diggers(state: &mut State) {
    for seat in 0..state.seats().len() {
        let victim = state.seats()[seat];
        let hero = state.hero(victim);
        if hero.alive || !state.tile(hero.cell).is_brick() {
            continue;
        }
        if let Some(owner) = state.hole_at(hero.cell).and_then(|hole| hole.owner) {
            note(state, owner, victim);
        }
    }
}

/// Pays all pairs: living hunters by the victim's team; a hero that killed itself hears of its suicide.
pub(super) fn pay<O: Observer>(state: &mut State, observer: &mut O) {
    let pairs = std::mem::take(&mut state.pairs);
    for (hunter, _, victims) in pairs.0 {
        for (victim, _) in victims {
            let event = if hunter == victim {
                Event::Suicide
            } else if !state.hero(hunter).is_playing() {
                continue;
            } else if state.gear(hunter).team == state.gear(victim).team {
                Event::Kill
            } else {
                Event::KillEnemy
            };
            observer.event(hunter, event);
        }
    }
}
