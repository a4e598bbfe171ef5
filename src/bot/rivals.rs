//! What bodies near the hero may do in the coming tick, and how probable each thing is: rivals, of whom only cells and
//! facings are seen, and monsters whose targets are not settled. What it may do to the hero: `tactics::Crash`.

use super::Bot;
use super::targets::chances;
use crate::board::{Action, Dir};
use crate::fields::{Fields, Way};
use crate::params::Params;
use crate::sim::{HeroId, State};
use crate::tactics::{Choice, Doubt, Follow, Search, moves};
use crate::track::MonsterBelief;
use arrayvec::ArrayVec;

/// Bodies in doubt at once, at most.
const BODIES: usize = 8;
/// Heroes whom a monster in doubt may hunt, the most probable ones.
const TARGETS: usize = 3;
/// Probability from which a monster's target is no matter of doubt.
const SETTLED: f64 = 0.999;

/// All doubts of one tick, those about the nearest bodies first.
pub(super) type Doubts = ArrayVec<Doubt, BODIES>;

/// The doubts about all near bodies, as many as their combinations allow. In the later dialects there are none: a
/// rival's pill or gun is not seen.
pub(super) fn doubts(
    state: &State,
    me: HeroId,
    fields: &Fields,
    beliefs: &[MonsterBelief],
    params: &Params,
) -> Doubts {
    let mut doubts = Doubts::new();
    if !state.is_classic() || params.risk >= 1.0 {
        return doubts;
    }
    let (size, here) = (state.size(), state.hero(me).cell);
    let mut near: ArrayVec<(usize, Body), { 2 * BODIES }> = ArrayVec::new();
    // Equally near ones keep their order: rivals first, each kind in the order of its turns.
    let mut add = |far: usize, body: Body| {
        let place = near.partition_point(|&(other, _)| other <= far);
        if near.is_full() && place < near.len() {
            near.pop();
        }
        // Too many are nearer.
        let _ = near.try_insert(place, (far, body));
    };
    for &id in state.seats() {
        let rival = state.hero(id);
        let far = size.spread(rival.cell, here);
        if id != me && rival.alive && far <= params.rival_range as usize {
            add(far, Body::Rival(id));
        }
    }
    for index in 0..state.monsters().len().min(beliefs.len()) {
        let far = size.spread(state.monsters()[index].cell, here);
        if far <= params.hunter_range as usize {
            add(far, Body::Monster(index));
        }
    }
    let mut cases = 1;
    for (_, body) in near {
        let doubt = match body {
            Body::Rival(id) => commands(state, id, fields, params),
            Body::Monster(index) => targets(state, me, index, &beliefs[index]),
        };
        if doubt.len() < 2 || cases * doubt.len() > params.risk_cases as usize {
            continue;
        }
        cases *= doubt.len();
        if doubts.try_push(doubt).is_err() {
            break;
        }
    }
    doubts
}

#[derive(Clone, Copy)]
enum Body {
    Rival(HeroId),
    Monster(usize),
}

/// What a rival may do: go for the nearest gold, do again what he did, or anything else that is possible, what would
/// kill us and nothing at all included.
fn commands(state: &State, id: HeroId, fields: &Fields, params: &Params) -> Doubt {
    let moves = moves(state, id);
    let mut doubt = Doubt::new();
    let hero = state.hero(id);
    let golds = state.gold().iter();
    let nearest = golds
        .filter_map(|gold| {
            let field = fields.field(gold.cell);
            Some((field.ticks(hero.cell)?, field))
        })
        .min_by_key(|&(ticks, _)| ticks);
    let greedy = nearest.map(|(_, field)| Way::new(state, &field).action(id));
    let again = match (hero.dug, hero.facing) {
        (true, Dir::Left) => Action::DigLeft,
        (true, _) => Action::DigRight,
        (false, Dir::Left) => Action::Left,
        (false, Dir::Right) => Action::Right,
        (false, Dir::Up) => Action::Up,
        (false, Dir::Down) => Action::Down,
    };
    let share = |wanted: Option<Action>, share: f64| match wanted {
        Some(action) if moves.contains(&action) => (action, share),
        _ => (Action::Stay, 0.0),
    };
    let likely = [
        share(greedy, params.rival_greedy),
        share(Some(again), params.rival_again),
    ];
    let total: f64 = likely.iter().map(|&(_, share)| share).sum();
    let (scale, rest) = if total > 1.0 {
        (1.0 / total, 0.0)
    } else {
        (1.0, 1.0 - total)
    };
    let each = rest / moves.len().max(1) as f64;
    for &action in &moves {
        let mine = likely.iter().filter(|&&(wanted, _)| wanted == action);
        let probability = each + scale * mine.map(|&(_, share)| share).sum::<f64>();
        if probability > 0.0 {
            doubt.push((Choice::Act(id, action), probability));
        }
    }
    doubt
}

/// Whom a monster may hunt: the most probable heroes, as if there were no others.
fn targets(state: &State, me: HeroId, index: usize, belief: &MonsterBelief) -> Doubt {
    let mut doubt = Doubt::new();
    let mut chances = chances(belief, state.seats());
    // Of equally probable ones we come first.
    chances.sort_unstable_by(|a, b| {
        let chance = b.1.total_cmp(&a.1);
        chance.then_with(|| (a.0 != me, a.0).cmp(&(b.0 != me, b.0)))
    });
    if chances.first().is_none_or(|&(_, chance)| chance >= SETTLED) {
        return doubt;
    }
    chances.truncate(TARGETS);
    let total: f64 = chances.iter().map(|&(_, chance)| chance).sum();
    for (id, chance) in chances {
        if chance > 0.0 {
            doubt.push((Choice::Hunt(index, id), chance / total));
        }
    }
    doubt
}

impl Bot {
    /// The action wanted unless others may kill us after it; and the risk of what is chosen. If `death` has no price, then
    /// the best of those whose risk is below the threshold, or that of least risk if there are none; else the one that
    /// costs least, in golds: what it is worth less than the one wanted, and its risk times that price.
    pub(super) fn least_risk(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        wanted: Action,
        doubts: &[Doubt],
        death: Option<f64>,
    ) -> (Action, f64) {
        let params = &self.params;
        let follow = Follow {
            ticks: params.risk_ticks as usize,
            nodes: params.risk_nodes as usize,
        };
        if doubts.is_empty() {
            return (wanted, 0.0);
        }
        // Without a price only the risk counts.
        let (price, gold, enough) = match death {
            None => (1.0, f64::INFINITY, params.risk),
            Some(price) => (price, params.gold.max(f64::MIN_POSITIVE), 0.0),
        };
        let ranked = search.ranked();
        let worth = |action| {
            let known = ranked.iter().find(|&&(known, _)| known == action);
            known.map_or(f64::NEG_INFINITY, |&(_, value)| value)
        };
        let others = ranked.iter().map(|&(action, _)| action);
        let mut least = (wanted, f64::INFINITY);
        let mut cost = f64::INFINITY;
        for action in std::iter::once(wanted).chain(others.filter(|&other| other != wanted)) {
            let forgone = (worth(wanted) - worth(action)).max(0.0) / gold;
            if forgone >= cost {
                break;
            }
            let risk = self.crash.risk(state, me, action, doubts, follow);
            if forgone + risk * price < cost {
                cost = forgone + risk * price;
                least = (action, risk);
            }
            if risk <= enough {
                break;
            }
        }
        least
    }
}
