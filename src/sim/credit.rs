//! Who is credited with whose death: diggers everywhere (RULES section 9), and in clifford all hunters (DIALECTS section
//! 4): there deaths are noted in pairs of hunter and victim through the tick and paid near its end. Not who dies.

use super::{Event, HeroId, Observer, State};
use crate::board::Cell;

/// Hunters with their victims, as the original keeps them: in hash sets whose members are told apart by their
/// cells only. Two hunters in one cell are one, and so are two victims. Empty between ticks.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs(Vec<Pair>);

#[derive(Clone, Copy, Debug)]
struct Pair {
    hunter: HeroId,
    lair: Cell,
    victim: HeroId,
    place: Cell,
}

impl Pairs {
    /// A hunter's pairs stay together, in the order in which hunters were first noted.
    fn note(&mut self, (hunter, lair): (HeroId, Cell), (victim, place): (HeroId, Cell)) {
        let last = self.0.iter().rposition(|pair| pair.lair == lair);
        let hunter = last.map_or(hunter, |last| self.0[last].hunter);
        let mut same = self.0.iter().filter(|pair| pair.lair == lair);
        if same.all(|pair| pair.place != place) {
            let pair = Pair {
                hunter,
                lair,
                victim,
                place,
            };
            self.0
                .insert(last.map_or(self.0.len(), |last| last + 1), pair);
        }
    }
}

/// Who dug the brick that a dead hero lies in, if that is known; perhaps the hero itself.
fn digger(state: &State, victim: HeroId) -> Option<HeroId> {
    let hero = state.hero(victim);
    if hero.alive || !state.tile(hero.cell).is_brick() {
        return None;
    }
    state.hole_at(hero.cell)?.owner
}

/// Credits the digger of a brick in which somebody is found dead, if that is the current hero of another player, dead or
/// alive.
pub(super) fn credit_digger<O: Observer>(state: &State, victim: HeroId, observer: &mut O) {
    let digger = digger(state, victim).filter(|&digger| digger != victim);
    if let Some(digger) = digger.filter(|&digger| state.hero(digger).present) {
        observer.event(digger, Event::Kill);
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
        if let Some(hunter) = digger(state, victim) {
            note(state, hunter, victim);
        }
    }
}

/// Pays all pairs: living hunters by the victim's team; a hero that killed itself hears of its suicide.
pub(super) fn pay<O: Observer>(state: &mut State, observer: &mut O) {
    let mut pairs = std::mem::take(&mut state.pairs);
    // The room it has taken is kept for the next deaths.
    for Pair { hunter, victim, .. } in pairs.0.drain(..) {
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
    state.pairs = pairs;
}
