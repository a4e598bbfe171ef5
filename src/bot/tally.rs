//! What the bot counts of its own fortune, in the points of the rules, and what a suicide would cost it. Not what the
//! boards show of it: `track`.

use super::{Answer, Bot};
use crate::board::GoldKind;
use crate::sim::{Dialect, Event, Rules, Score};
use crate::track::Picture;

impl Bot {
    /// Counts the own events that the picture tells of.
    pub(super) fn count(&mut self, picture: &Picture) {
        let (own, points) = (&picture.own, &self.rules.points);
        if picture.new_game {
            (self.score, self.gold, self.deaths) = (Score::default(), 0, 0);
            self.kinds = [0; 3];
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

    /// Where a suicide costs points, a board shows nothing of it but a hero in another place.
    pub(super) fn count_suicide(&mut self, sent: Option<Answer>) {
        if sent == Some(Answer::Suicide) && !self.rules.is_classic() {
            self.score.count(Event::Death, &self.rules.points);
            self.score.count(Event::Suicide, &self.rules.points);
        }
    }
}

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
