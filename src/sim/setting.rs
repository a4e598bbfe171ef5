//! Settings: the numbers of `Rules` under the keys of the server, one table a dialect (DIALECTS section 5;
//! classic has no wire keys, its four are the game log's). Not the bot's parameters: `params`.

use super::rules::{Counting, Dialect, Rules, RulesError};
use std::fmt;

/// The value of a setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingValue {
    /// A whole number.
    Number(i64),
    /// On or off.
    Switch(bool),
    /// One of a few texts.
    Text(&'static str),
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Number(number) => number.fmt(f),
            SettingValue::Switch(on) => on.fmt(f),
            SettingValue::Text(text) => f.write_str(text),
        }
    }
}

impl From<SettingValue> for serde_json::Value {
    fn from(value: SettingValue) -> serde_json::Value {
        match value {
            SettingValue::Number(number) => number.into(),
            SettingValue::Switch(on) => on.into(),
            SettingValue::Text(text) => text.into(),
        }
    }
}

/// Where a setting stands in the rules, and what it takes.
enum Place<'a> {
    /// Points won: any number.
    Points(&'a mut i64),
    /// Points lost, written as a negative number (clifford).
    Loss(&'a mut i64),
    /// A number of ticks or things, from 0 to the limit.
    Count(&'a mut i64, i64),
    Switch(&'a mut bool),
    Counting(&'a mut Counting),
}

/// Points beyond this are no setting but a slip.
const POINTS_MAX: i64 = 1_000_000;
/// More things than the largest board has cells.
const THINGS_MAX: i64 = 16_384;
/// A tile counts monsters in a byte.
const MONSTERS_MAX: i64 = 255;
const TICKS_MAX: i64 = 1_000_000;
/// A hero's pill is counted in sixteen bits and may add up.
const PILL_MAX: i64 = 10_000;

const SUM: &str = "Accumulate points consistently";
const BEST_EVENT: &str = "Maximum points from the event";

/// One key and its place.
type Setting = (&'static str, fn(&mut Rules) -> Place<'_>);

const CLASSIC: [Setting; 4] = [
    ("gold_score", |r| Place::Points(&mut r.points.gold[0])),
    ("gold_increment", |r| {
        Place::Points(&mut r.points.increment[0])
    }),
    ("kill_score", |r| Place::Points(&mut r.points.kill)),
    ("death_penalty", |r| {
        Place::Points(&mut r.points.death_penalty)
    }),
];

const LODERUNNER_2021_04: [Setting; 17] = [
    ("SHADOW_PILLS_COUNT", |r| {
        Place::Count(&mut r.counts.pills, THINGS_MAX)
    }),
    ("SHADOW_TICKS", |r| {
        Place::Count(&mut r.pill_ticks, PILL_MAX)
    }),
    ("PORTALS_COUNT", |r| {
        Place::Count(&mut r.counts.portals, THINGS_MAX)
    }),
    ("PORTAL_TICKS", |r| {
        Place::Count(&mut r.portal_ticks, TICKS_MAX)
    }),
    ("ENEMIES_COUNT", |r| {
        Place::Count(&mut r.counts.monsters, MONSTERS_MAX)
    }),
    ("GOLD_COUNT_GREEN", |r| {
        Place::Count(&mut r.counts.gold[1], THINGS_MAX)
    }),
    ("GOLD_SCORE_GREEN", |r| Place::Points(&mut r.points.gold[1])),
    ("GOLD_SCORE_GREEN_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[1])
    }),
    ("GOLD_COUNT_YELLOW", |r| {
        Place::Count(&mut r.counts.gold[0], THINGS_MAX)
    }),
    ("GOLD_SCORE_YELLOW", |r| {
        Place::Points(&mut r.points.gold[0])
    }),
    ("GOLD_SCORE_YELLOW_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[0])
    }),
    ("GOLD_COUNT_RED", |r| {
        Place::Count(&mut r.counts.gold[2], THINGS_MAX)
    }),
    ("GOLD_SCORE_RED", |r| Place::Points(&mut r.points.gold[2])),
    ("GOLD_SCORE_RED_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[2])
    }),
    ("KILL_HERO_PENALTY", |r| {
        Place::Points(&mut r.points.death_penalty)
    }),
    ("KILL_ENEMY_SCORE", |r| Place::Points(&mut r.points.kill)),
    ("SUICIDE_PENALTY", |r| {
        Place::Points(&mut r.points.suicide_penalty)
    }),
];

/// What 2021-09 and clifford call alike.
const CLUES: [Setting; 14] = [
    ("MASK_POTIONS_COUNT", |r| {
        Place::Count(&mut r.counts.pills, THINGS_MAX)
    }),
    ("MASK_TICKS", |r| Place::Count(&mut r.pill_ticks, PILL_MAX)),
    ("BACKWAYS_COUNT", |r| {
        Place::Count(&mut r.counts.portals, THINGS_MAX)
    }),
    ("BACKWAY_TICKS", |r| {
        Place::Count(&mut r.portal_ticks, TICKS_MAX)
    }),
    ("ROBBERS_COUNT", |r| {
        Place::Count(&mut r.counts.monsters, MONSTERS_MAX)
    }),
    ("CLUE_COUNT_GLOVE", |r| {
        Place::Count(&mut r.counts.gold[1], THINGS_MAX)
    }),
    ("CLUE_SCORE_GLOVE", |r| Place::Points(&mut r.points.gold[1])),
    ("CLUE_SCORE_GLOVE_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[1])
    }),
    ("CLUE_COUNT_KNIFE", |r| {
        Place::Count(&mut r.counts.gold[0], THINGS_MAX)
    }),
    ("CLUE_SCORE_KNIFE", |r| Place::Points(&mut r.points.gold[0])),
    ("CLUE_SCORE_KNIFE_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[0])
    }),
    ("CLUE_COUNT_RING", |r| {
        Place::Count(&mut r.counts.gold[2], THINGS_MAX)
    }),
    ("CLUE_SCORE_RING", |r| Place::Points(&mut r.points.gold[2])),
    ("CLUE_SCORE_RING_INCREMENT", |r| {
        Place::Points(&mut r.points.increment[2])
    }),
];

const LODERUNNER_2021_09: [Setting; 3] = [
    ("KILL_HERO_PENALTY", |r| {
        Place::Points(&mut r.points.death_penalty)
    }),
    ("KILL_ROBBER_SCORE", |r| Place::Points(&mut r.points.kill)),
    ("SUICIDE_PENALTY", |r| {
        Place::Points(&mut r.points.suicide_penalty)
    }),
];

const CLIFFORD: [Setting; 11] = [
    ("GENERATE_KEYS", |r| Place::Switch(&mut r.keys_return)),
    ("HANDGUN_TICKS_PER_SHOOT", |r| {
        Place::Count(&mut r.gun.pause, PILL_MAX)
    }),
    ("HANDGUN_CLIP_SIZE", |r| {
        Place::Count(&mut r.gun.clip, PILL_MAX)
    }),
    ("HANDGUN_UNLIMITED_AMMO", |r| {
        Place::Switch(&mut r.gun.unlimited)
    }),
    ("AMMO_CLIP_COUNT", |r| {
        Place::Count(&mut r.counts.ammo, THINGS_MAX)
    }),
    ("ROUND_WIN_SCORE", |r| {
        Place::Points(&mut r.points.round_win)
    }),
    ("KILL_OTHER_HERO_SCORE", |r| {
        Place::Points(&mut r.points.kill)
    }),
    ("KILL_ENEMY_HERO_SCORE", |r| {
        Place::Points(&mut r.points.kill_enemy)
    }),
    ("HERO_DIED_PENALTY", |r| {
        Place::Loss(&mut r.points.death_penalty)
    }),
    ("SUICIDE_PENALTY", |r| {
        Place::Loss(&mut r.points.suicide_penalty)
    }),
    ("SCORE_COUNTING_TYPE", |r| {
        Place::Counting(&mut r.points.counting)
    }),
];

const TEAMS: [Setting; 1] = [("ROUNDS_TEAMS_PER_ROOM", |r| {
    Place::Count(&mut r.rounds.teams_per_room, TICKS_MAX)
})];

const ROUNDS: [Setting; 7] = [
    ("ROUNDS_ENABLED", |r| Place::Switch(&mut r.rounds.enabled)),
    ("ROUNDS_PLAYERS_PER_ROOM", |r| {
        Place::Count(&mut r.rounds.players_per_room, TICKS_MAX)
    }),
    ("ROUNDS_TIME", |r| {
        Place::Count(&mut r.rounds.time, TICKS_MAX)
    }),
    ("ROUNDS_TIME_FOR_WINNER", |r| {
        Place::Count(&mut r.rounds.time_for_winner, TICKS_MAX)
    }),
    ("ROUNDS_TIME_BEFORE_START", |r| {
        Place::Count(&mut r.rounds.time_before_start, PILL_MAX)
    }),
    ("ROUNDS_PER_MATCH", |r| {
        Place::Count(&mut r.rounds.per_match, TICKS_MAX)
    }),
    ("ROUNDS_MIN_TICKS_FOR_WIN", |r| {
        Place::Count(&mut r.rounds.min_ticks_for_win, TICKS_MAX)
    }),
];

/// The tables of a dialect, in the order in which its settings are listed.
const fn tables(dialect: Dialect) -> &'static [&'static [Setting]] {
    match dialect {
        Dialect::Classic => &[&CLASSIC],
        Dialect::Loderunner2021April => &[&LODERUNNER_2021_04, &ROUNDS],
        Dialect::Loderunner2021September => &[&CLUES, &LODERUNNER_2021_09, &ROUNDS, &TEAMS],
        Dialect::Clifford => &[&CLUES, &CLIFFORD, &ROUNDS, &TEAMS],
    }
}

impl Rules {
    /// The settings with their present values, under the server's own keys.
    pub fn settings(&self) -> Vec<(&'static str, SettingValue)> {
        let mut rules = self.clone();
        let settings = tables(self.dialect).iter().copied().flatten();
        settings
            .map(|(key, place)| (*key, place(&mut rules).value()))
            .collect()
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// `UnknownSetting` names the keys there are; `Value` says what the setting takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RulesError> {
        let mut settings = tables(self.dialect).iter().copied().flatten();
        let Some((_, place)) = settings.find(|(known, _)| *known == key) else {
            let known = self.settings();
            return Err(RulesError::UnknownSetting {
                rules: self.name,
                key: key.to_owned(),
                known: known
                    .iter()
                    .map(|pair| pair.0)
                    .collect::<Vec<_>>()
                    .join(", "),
            });
        };
        place(self)
            .set(value.trim())
            .map_err(|expected| RulesError::Value {
                key: key.to_owned(),
                value: value.to_owned(),
                expected,
            })
    }
}

impl Place<'_> {
    fn value(&self) -> SettingValue {
        match self {
            Place::Points(number) | Place::Count(number, _) => SettingValue::Number(**number),
            Place::Loss(number) => SettingValue::Number(-**number),
            Place::Switch(on) => SettingValue::Switch(**on),
            Place::Counting(Counting::Sum) => SettingValue::Text(SUM),
            Place::Counting(Counting::BestEvent) => SettingValue::Text(BEST_EVENT),
        }
    }

    /// Writes the value; an error says what would be one.
    fn set(self, text: &str) -> Result<(), String> {
        let number = |low: i64, high: i64| {
            let parsed = text.parse().ok();
            parsed
                .filter(|number| (low..=high).contains(number))
                .ok_or_else(|| format!("a whole number from {low} to {high}"))
        };
        match self {
            Place::Points(place) => *place = number(-POINTS_MAX, POINTS_MAX)?,
            Place::Loss(place) => *place = -number(-POINTS_MAX, POINTS_MAX)?,
            Place::Count(place, high) => *place = number(0, high)?,
            Place::Switch(place) => {
                *place = text
                    .parse()
                    .map_err(|_| "either true or false".to_owned())?;
            }
            Place::Counting(place) => {
                *place = match text {
                    SUM => Counting::Sum,
                    BEST_EVENT => Counting::BestEvent,
                    _ => return Err(format!("{SUM:?} or {BEST_EVENT:?}")),
                };
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_every_dialect_reads_what_it_writes() {
        for rules in Rules::ALL {
            let settings = rules.settings();
            assert!(!settings.is_empty());
            for (key, value) in settings {
                let mut again = rules.clone();
                again.set(key, &value.to_string()).expect("its own value");
                assert_eq!(again, rules, "{key}");
                let other = match value {
                    SettingValue::Number(number) => (2 * number).to_string(),
                    SettingValue::Switch(on) => (!on).to_string(),
                    SettingValue::Text(_) => BEST_EVENT.to_owned(),
                };
                again.set(key, &other).expect("another value");
                let shown = again.settings().into_iter().find(|pair| pair.0 == key);
                assert_eq!(shown.map(|pair| pair.1.to_string()), Some(other), "{key}");
            }
        }
    }

    #[test]
    fn wrong_settings_are_refused_in_one_sentence() {
        let mut rules = Rules::CLIFFORD;
        for (key, value, part) in [
            ("gold_score", "1", "clifford has no setting \"gold_score\""),
            ("ROBBERS_COUNT", "256", "a whole number from 0 to 255"),
            ("ROBBERS_COUNT", "many", "is not a whole number"),
            ("GENERATE_KEYS", "1", "either true or false"),
            ("SCORE_COUNTING_TYPE", "sum", "Accumulate points"),
        ] {
            let error = rules.set(key, value).expect_err("refused").to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
        assert_eq!(rules, Rules::CLIFFORD);
    }
}
