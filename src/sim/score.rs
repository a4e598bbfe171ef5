//! `Score`: one player's points and the gold series behind them. What happens to him is told by `Event`.

use super::rules::Counting;
use super::{Event, Points};
use crate::board::GoldKind;

/// Points so far and gold since the last death.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Score {
    points: i64,
    series: [i64; 3],
}

impl Score {
    /// The player's points, never below 0.
    pub fn points(&self) -> i64 {
        self.points
    }

    /// Gold of a kind taken since the last death (RULES section 9, DIALECTS section 5).
    pub fn series(&self, kind: GoldKind) -> i64 {
        self.series[kind as usize]
    }

    /// Counts one event.
    pub fn count(&mut self, event: Event, points: &Points) {
        let change = match event {
            Event::Gold(kind, number) => {
                let series = &mut self.series[kind as usize];
                // Where heroes number their gold, the first one already counts as one of a series.
                let before = if number > 0 {
                    i64::from(number)
                } else {
                    *series
                };
                *series = if number > 0 { before } else { before + 1 };
                points.gold_after(kind, before)
            }
            Event::Kill => points.kill,
            Event::KillEnemy => points.kill_enemy,
            Event::Death => {
                self.series = [0; 3];
                -points.death_penalty
            }
            Event::Suicide => {
                self.series = [0; 3];
                -points.suicide_penalty
            }
            Event::RoundWin => points.round_win,
            Event::RoundStart | Event::Message(_) => 0,
        };
        self.points = match points.counting {
            Counting::Sum => (self.points + change).max(0),
            Counting::BestEvent => self.points.max(change),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Rules;

    const GOLD: Event = Event::Gold(GoldKind::Yellow, 0);

    #[test]
    fn a_series_pays_one_more_each_time_and_ends_with_death() {
        let mut score = Score::default();
        for event in [GOLD, GOLD, GOLD, Event::Kill, Event::Death, GOLD] {
            score.count(event, &Rules::CLASSIC.points);
        }
        assert_eq!(score.points(), 1 + 2 + 3 + 10 + 1);
        assert_eq!(score.series(GoldKind::Yellow), 1);
    }

    #[test]
    fn kinds_have_their_own_series_in_2021() {
        let mut score = Score::default();
        let red = Event::Gold(GoldKind::Red, 0);
        for event in [GOLD, red, GOLD, red, Event::Suicide, red] {
            score.count(event, &Rules::LODERUNNER_2021_04.points);
        }
        assert_eq!(score.points(), 2 + 5 + 3 + 6 - 10 + 5);
    }

    #[test]
    fn clifford_counts_the_gold_itself_into_its_series() {
        let mut score = Score::default();
        for event in [
            Event::Gold(GoldKind::Yellow, 1),
            Event::Gold(GoldKind::Green, 1),
            Event::Gold(GoldKind::Red, 1),
            Event::KillEnemy,
            Event::Kill,
            Event::Death,
        ] {
            score.count(event, &Rules::CLIFFORD.points);
        }
        assert_eq!(score.points(), 3 + 2 + 6 + 50 + 20 - 1);
        let mut rules = Rules::CLIFFORD;
        rules
            .set("SCORE_COUNTING_TYPE", "Maximum points from the event")
            .expect("known");
        let mut best = Score::default();
        for number in 1..4 {
            best.count(Event::Gold(GoldKind::Yellow, number), &rules.points);
        }
        assert_eq!(best.points(), 5);
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
        for event in [GOLD, GOLD, Event::Kill] {
            score.count(event, &rules.points);
        }
        assert_eq!(score.points(), 17);
        score.count(Event::Death, &rules.points);
        assert_eq!(score.points(), 0);
        assert!(rules.set("gold", "1").is_err() && rules.set("gold_score", "many").is_err());
    }
}
