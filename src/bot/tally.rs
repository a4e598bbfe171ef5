//! What the bot counts of its own fortune, in the points of the rules, and what a suicide would cost it. Not what the
//! boards show of it: `track`.

use super::{Answer, Bot};
use crate::board::GoldKind;
use crate::fields::Fields;
use crate::params::SuicidePolicy;
use crate::sim::{Dialect, Event, Rules, Score, State};
use crate::track::Picture;

impl Bot {
    /// Counts the own events that the picture tells of.
    /// Where a suicide costs points a board shows nothing of it but a hero in another place, so `sent`, the answer to
    /// the board before, tells of it. It comes first: gold of the same tick is the new hero's.
    pub(super) fn count(&mut self, picture: &Picture, sent: Option<Answer>) {
        let (own, points) = (&picture.own, &self.rules.points);
        if picture.new_game {
            (self.score, self.gold, self.deaths) = (Score::default(), 0, 0);
            self.kinds = [0; 3];
        }
        if sent == Some(Answer::Suicide) && !self.rules.is_classic() {
            self.score.count(Event::Death, points);
            self.score.count(Event::Suicide, points);
        }
        for kind in GoldKind::ALL {
            let index = kind as usize;
            let taken = own.gold_by_kind[index].saturating_sub(self.kinds[index]);
            for left in (0..taken).rev() {
                // Heroes of clifford number their gold.
                let number = own.series_by_kind[index].saturating_sub(left).max(1);
                let number = if self.rules.dialect == Dialect::Clifford {
                    number
                } else {
                    0
                };
                self.score.count(Event::Gold(kind, number), points);
            }
        }
        self.kinds = own.gold_by_kind;
        for _ in self.deaths..own.deaths {
            self.score.count(Event::Death, points);
        }
        (self.gold, self.deaths) = (own.gold, own.deaths);
    }

    /// By how many ticks gold is nearer from a new place than from here, on average; minus infinity where the
    /// policy does not ask.
    pub(super) fn elsewhere(
        &mut self,
        state: &State,
        fields: &Fields,
        distance: Option<u16>,
    ) -> f64 {
        if self.params.suicide != SuicidePolicy::Free {
            return f64::NEG_INFINITY;
        }
        let terrain = state.level().terrain();
        let free = state.size().cells().filter(|&cell| terrain[cell].is_free());
        let step = free.clone().count() / PLACES + 1;
        self.places.clear();
        self.places
            .extend(free.step_by(step).map(|cell| (cell, FAR)));
        for gold in state.gold() {
            let field = fields.field(gold.cell);
            for (cell, least) in &mut self.places {
                if let Some(ticks) = field.ticks(*cell) {
                    *least = ticks.min(*least);
                }
            }
        }
        let sum: u32 = self.places.iter().map(|&(_, ticks)| u32::from(ticks)).sum();
        let mean = f64::from(sum) / self.places.len().max(1) as f64 + self.params.suicide_margin;
        distance.map_or(f64::INFINITY, |ticks| f64::from(ticks) - mean)
    }
}

/// Places at which a new hero is priced, about.
const PLACES: usize = 96;
/// Ticks as which gold counts at most when distances are averaged.
const FAR: u16 = 64;
/// A gold in so many ticks is usual.
const TICKS_PER_GOLD: i64 = 15;

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
