//! What the bot counts of its own fortune, in the points of the rules. Not what the boards show of it:
//! `track`.

use super::{Answer, Bot};
use crate::board::GoldKind;
use crate::sim::{Dialect, Event, Score};
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
}
