//! What a suicide costs and what it brings: where the rules make it cheap it is a teleport to a random place, and the
//! question is how far gold may be before another place is worth more. Not whether the policy allows it: `watchdog`.

use super::Bot;
use crate::board::Cell;
use crate::fields::Fields;
use crate::params::SuicidePolicy;
use crate::sim::{HeroId, Rules, State};

/// Places at which a new hero is priced, about.
const PLACES: usize = 96;
/// Ticks as which gold that cannot be reached counts.
const FAR: u16 = u16::MAX;
/// A gold in so many ticks is usual.
const TICKS_PER_GOLD: i64 = 15;

impl Bot {
    /// By how many ticks the nearest gold is farther than it is worth to go, if a new place costs a tick, what the
    /// parameters add to that, and `price`; minus infinity where the parameters do not ask.
    pub(super) fn elsewhere(
        &mut self,
        state: &State,
        me: HeroId,
        fields: &Fields,
        price: Option<u32>,
    ) -> f64 {
        let asks = self.params.suicide == SuicidePolicy::Free && self.params.suicide_distance == 0;
        let Some(price) = price.filter(|_| asks) else {
            return f64::NEG_INFINITY;
        };
        let terrain = state.level().terrain();
        let free = state.size().cells().filter(|&cell| terrain[cell].is_free());
        let step = free.clone().count() / PLACES + 1;
        self.places.clear();
        self.places
            .extend(free.step_by(step).map(|cell| (cell, FAR)));
        self.places.push((state.hero(me).cell, FAR));
        let rivals = state.seats().iter().filter(|&&id| id != me);
        for gold in state.gold() {
            let field = fields.field(gold.cell);
            let soonest = rivals
                .clone()
                .filter_map(|&id| field.ticks(state.hero(id).cell))
                .min();
            for (cell, least) in &mut self.places {
                if let Some(ticks) = field.ticks(*cell)
                    && soonest.is_none_or(|soonest| ticks <= soonest)
                {
                    *least = ticks.min(*least);
                }
            }
        }
        let here = self.places.pop().map_or(FAR, |(_, ticks)| ticks);
        let cost = 1.0 + self.params.suicide_margin + f64::from(price);
        let worth = worth_going(&mut self.places, cost.max(0.0));
        if here == FAR {
            f64::INFINITY
        } else {
            f64::from(here) - worth
        }
    }
}

/// The distance up to which gold is worth going to when a random place costs `cost` ticks: another place is then
/// expected to save as many ticks as it costs. Places are sorted by their distance.
fn worth_going(places: &mut [(Cell, u16)], cost: f64) -> f64 {
    places.sort_unstable_by_key(|&(_, ticks)| ticks);
    let all = cost * places.len() as f64;
    let (mut sum, mut worth) = (0.0, f64::INFINITY);
    for (index, &(_, ticks)) in places.iter().enumerate() {
        if ticks == FAR || worth <= f64::from(ticks) {
            break;
        }
        sum += f64::from(ticks);
        worth = (all + sum) / (index + 1) as f64;
    }
    worth
}

/// What a suicide costs, in ticks of usual income: nothing in classic (RULES section 12, point 2), points and the
/// golds of all series in the later dialects.
pub(super) fn suicide_price(rules: &Rules, series: u32) -> Option<u32> {
    if rules.is_classic() {
        return Some(0);
    }
    let points = &rules.points;
    let price = (points.death_penalty + points.suicide_penalty).max(0);
    let kinds = points.gold.iter().filter(|&&gold| gold > 0);
    let (sum, count) = kinds.fold((0, 0), |(sum, count), gold| (sum + gold, count + 1));
    let golds = price * count / sum.max(1) + i64::from(series);
    u32::try_from(golds * TICKS_PER_GOLD).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ticks: &[u16]) -> Vec<(Cell, u16)> {
        ticks
            .iter()
            .map(|&ticks| (Cell::from_index(0), ticks))
            .collect()
    }

    #[test]
    fn another_place_saves_what_it_costs_from_the_distance_worth_going() {
        for (ticks, cost) in [
            (&[3, 9, 20, FAR][..], 1.0),
            (&[FAR, 40, 7, 7, 12, 1, FAR], 2.5),
            (&[5], 1.0),
            (&[2, 2, 2, 30], 8.0),
        ] {
            let mut all = places(ticks);
            let worth = worth_going(&mut all, cost);
            let saved = |ticks: &u16| (worth - f64::from(*ticks)).max(0.0);
            let near = ticks.iter().filter(|&&ticks| ticks != FAR);
            let mean = near.map(saved).sum::<f64>() / ticks.len() as f64;
            assert!((mean - cost).abs() < 1e-9, "{ticks:?}: {worth}");
        }
    }

    #[test]
    fn nothing_is_too_far_where_no_place_is_better() {
        assert!(worth_going(&mut places(&[FAR, FAR]), 1.0).is_infinite());
        assert!(worth_going(&mut [], 1.0).is_infinite());
    }
}
