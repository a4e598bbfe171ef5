//! `Score`: one player's points and the gold series behind them.

use super::{Event, Points};

/// Points so far and gold since the last death.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    points: i64,
    series: i64,
}

impl Score {
    /// The player's points, never below 0.
    pub fn points(&self) -> i64 {
        self.points
    }

    /// Gold taken since the last death: the next one pays for `series + 1` (RULES section 9).
    pub fn series(&self) -> i64 {
        self.series
    }

    /// Counts one event.
    pub fn count(&mut self, event: Event, points: &Points) {
        let change = match event {
            Event::Gold(_) => {
                let pay = points.gold + self.series * points.increment;
                self.series += 1;
                pay
            }
            Event::Kill => points.kill,
            Event::Death => {
                self.series = 0;
                -points.death_penalty
            }
        };
        self.points = (self.points + change).max(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GoldKind;
    use crate::sim::Rules;

    #[test]
    fn a_series_pays_one_more_each_time_and_ends_with_death() {
        let mut score = Score::default();
        let gold = Event::Gold(GoldKind::Yellow);
        for event in [gold, gold, gold, Event::Kill, Event::Death, gold] {
            score.count(event, &Rules::CLASSIC.points);
        }
        assert_eq!(score.points(), 1 + 2 + 3 + 10 + 1);
        assert_eq!(score.series(), 1);
    }

    #[test]
    fn every_setting_counts_and_points_stay_above_zero() {
        let mut rules = Rules::CLASSIC;
        for (key, value) in [
            ("gold_score", "5"),
            ("gold_increment", "0"),
            ("kill_score", "7"),
            ("death_penalty", "100"),
        ] {
            rules.set(key, value).expect("a known setting");
        }
        let mut score = Score::default();
        let gold = Event::Gold(GoldKind::Yellow);
        for event in [gold, gold, Event::Kill] {
            score.count(event, &rules.points);
        }
        assert_eq!(score.points(), 17);
        score.count(Event::Death, &rules.points);
        assert_eq!(score.points(), 0);
        assert!(rules.set("gold", "1").is_err() && rules.set("gold_score", "many").is_err());
    }
}
