//! `Rules`: a dialect as data. What differs between server versions stands here as a field or a small enum,
//! so that the stages of a tick ask a table and never a version number. The keys under which a server's
//! settings change these numbers are in `setting`.

use super::command::Grammar;
use crate::board::{Alphabet, GoldKind};

/// When a player who joins gets his first hero (RULES section 13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstHero {
    /// At once, outside a tick (1.0.28).
    AtJoin,
    /// Where dead heroes are replaced in the next server tick (1.0.26).
    NextTick,
}

/// The four families of rules that are simulated, oldest first. A family has its own names of events and
/// settings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// Until May 2019: RULES sections 1 to 14.
    Classic,
    /// Spring of 2021: DIALECTS sections 1.1 and 2 to 6, April.
    Loderunner2021April,
    /// September of 2021: the same, September.
    Loderunner2021September,
    /// Since November 2021: DIALECTS sections 1.2 and 2 to 6, clifford.
    Clifford,
}

/// How a monster chooses its way (DIALECTS section 3, hunt path).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brain {
    /// A random hero, hunted until it dies, by the shortest way.
    RandomPrey,
    /// Whoever the best-first search finds nearest.
    NearestPrey,
    /// The same, but heroes whom another monster hunts are left out while there are others.
    FreePrey,
}

/// What a player's points are made of (clifford, DIALECTS section 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// The sum over all events.
    Sum,
    /// The most that a single event paid.
    BestEvent,
}

/// What events pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Points {
    /// Points of the first gold of a series, by kind. Classic has only the first kind.
    pub gold: [i64; 3],
    /// How many more points each next gold of a series pays, by kind.
    pub increment: [i64; 3],
    /// Points for a rival's death in one's hole, by one's pill or bullet; in clifford for rivals of one's team.
    pub kill: i64,
    /// Clifford: the same for rivals of other teams.
    pub kill_enemy: i64,
    /// Points lost by a death.
    pub death_penalty: i64,
    /// Points lost by a suicide, beside those of the death.
    pub suicide_penalty: i64,
    /// Points for winning a round.
    pub round_win: i64,
    /// How the points of events become the score.
    pub counting: Counting,
}

impl Points {
    /// What the next gold of a kind pays after so many of its series.
    #[inline]
    pub const fn gold_after(&self, kind: GoldKind, series: i64) -> i64 {
        self.gold[kind as usize] + self.increment[kind as usize] * series
    }
}

/// How many things of each kind a tick's refill keeps on the field (DIALECTS section 3). Classic keeps what
/// the level has and asks none of this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Shadow pills.
    pub pills: i64,
    /// Gold by kind.
    pub gold: [i64; 3],
    /// Portals.
    pub portals: i64,
    /// Monsters.
    pub monsters: i64,
    /// Ammo clips.
    pub ammo: i64,
}

/// The gun of clifford.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gun {
    /// Ticks that must pass between two shots.
    pub pause: i64,
    /// Shots of a new hero and of an ammo clip.
    pub clip: i64,
    /// Shots are not counted.
    pub unlimited: bool,
}

/// Rounds of a match (DIALECTS section 6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Whether heroes wait for rounds at all.
    pub enabled: bool,
    /// Players of a room. Rooms are the server's business; a field plays with whoever is there.
    pub players_per_room: i64,
    /// Teams of a room, the server's business too.
    pub teams_per_room: i64,
    /// Ticks of a round.
    pub time: i64,
    /// Ticks that the last survivor may run on.
    pub time_for_winner: i64,
    /// Ticks of the countdown; 0: no round ever starts.
    pub time_before_start: i64,
    /// Rounds after which a player leaves for a new room.
    pub per_match: i64,
    /// Ticks below which winning a round does not count.
    pub min_ticks_for_win: i64,
}

/// One dialect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// The name used in headers and on the command line.
    pub name: &'static str,
    /// The family it belongs to.
    pub dialect: Dialect,
    /// How boards are spelt.
    pub alphabet: Alphabet,
    /// How command texts are read.
    pub grammar: Grammar,
    /// When the first hero comes.
    pub first_hero: FirstHero,
    /// What events pay.
    pub points: Points,
    /// How monsters choose their way.
    pub brain: Brain,
    /// Whoever moves goes to the end of its list, so that lists are in order of the last moves.
    pub mover_to_end: bool,
    /// A hero takes all gold of a kind in its cell, for one event; otherwise one.
    pub takes_all_equal: bool,
    /// A living player who quits dies.
    pub quit_kills: bool,
    /// What refill keeps on the field.
    pub counts: Counts,
    /// How long a pill works, in ticks after that of the pick-up.
    pub pill_ticks: i64,
    /// Portals are placed anew every this many ticks and one.
    pub portal_ticks: i64,
    /// Clifford: keys come back in every refill; otherwise when a hero dies.
    pub keys_return: bool,
    /// Clifford: the gun.
    pub gun: Gun,
    /// Rounds.
    pub rounds: Rounds,
}

/// A name or setting that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No dialect of this name.
    #[error("no rules are called {name:?}; known are: {known}")]
    UnknownName {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// No setting of this key.
    #[error("{rules} has no setting {key:?}; it has: {known}")]
    UnknownSetting {
        /// The dialect.
        rules: &'static str,
        /// The key that was given.
        key: String,
        /// The keys there are.
        known: String,
    },
    /// The value does not fit the setting.
    #[error("setting {key} = {value:?} is not {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value that was given.
        value: String,
        /// What it takes.
        expected: String,
    },
}

impl Rules {
    /// Classic as of 1.0.28 (RULES sections 1 to 12).
    pub const CLASSIC: Rules = Rules {
        name: "classic",
        dialect: Dialect::Classic,
        alphabet: Alphabet::Classic,
        grammar: Grammar::QUEUE,
        first_hero: FirstHero::AtJoin,
        points: Points {
            gold: [1, 0, 0],
            increment: [1, 0, 0],
            kill: 10,
            kill_enemy: 10,
            death_penalty: 0,
            suicide_penalty: 0,
            round_win: 0,
            counting: Counting::Sum,
        },
        brain: Brain::RandomPrey,
        mover_to_end: false,
        takes_all_equal: false,
        quit_kills: false,
        counts: Counts {
            pills: 0,
            gold: [0; 3],
            portals: 0,
            monsters: 0,
            ammo: 0,
        },
        pill_ticks: 0,
        portal_ticks: 0,
        keys_return: false,
        gun: Gun {
            pause: 0,
            clip: 0,
            unlimited: false,
        },
        rounds: Rounds {
            enabled: false,
            players_per_room: 0,
            teams_per_room: 1,
            time: 0,
            time_for_winner: 0,
            time_before_start: 0,
            per_match: 0,
            min_ticks_for_win: 0,
        },
    };

    /// Classic as of 1.0.26: three differences, RULES section 13.
    pub const CLASSIC_1_0_26: Rules = Rules {
        name: "classic-1.0.26",
        grammar: Grammar::FOLD,
        first_hero: FirstHero::NextTick,
        ..Rules::CLASSIC
    };

    /// The contest of 2021 (DIALECTS sections 1 to 6).
    pub const LODERUNNER_2021_04: Rules = Rules {
        name: "loderunner-2021-04",
        dialect: Dialect::Loderunner2021April,
        alphabet: Alphabet::Loderunner,
        grammar: Grammar::QUEUE_SHORT,
        first_hero: FirstHero::AtJoin,
        points: Points {
            gold: [2, 1, 5],
            increment: [1, 1, 1],
            kill: 10,
            kill_enemy: 10,
            death_penalty: 1,
            suicide_penalty: 10,
            round_win: 0,
            counting: Counting::Sum,
        },
        brain: Brain::NearestPrey,
        counts: Counts {
            pills: 0,
            gold: [20, 40, 10],
            portals: 0,
            monsters: 5,
            ammo: 0,
        },
        pill_ticks: 15,
        portal_ticks: 10,
        rounds: Rounds {
            enabled: true,
            players_per_room: 5,
            teams_per_room: 1,
            time: 200,
            time_for_winner: 1,
            time_before_start: 5,
            per_match: 1,
            min_ticks_for_win: 1,
        },
        ..Rules::CLASSIC
    };

    /// The last servers under the old name (DIALECTS sections 1 to 6).
    pub const LODERUNNER_2021_09: Rules = Rules {
        name: "loderunner-2021-09",
        dialect: Dialect::Loderunner2021September,
        brain: Brain::FreePrey,
        mover_to_end: true,
        takes_all_equal: true,
        quit_kills: true,
        rounds: Rounds {
            enabled: false,
            ..Rules::LODERUNNER_2021_04.rounds
        },
        ..Rules::LODERUNNER_2021_04
    };

    /// Today's servers (DIALECTS sections 1 to 6).
    pub const CLIFFORD: Rules = Rules {
        name: "clifford",
        dialect: Dialect::Clifford,
        alphabet: Alphabet::Clifford,
        points: Points {
            kill: 20,
            kill_enemy: 50,
            round_win: 20,
            ..Rules::LODERUNNER_2021_04.points
        },
        counts: Counts {
            pills: 0,
            gold: [10, 20, 5],
            portals: 5,
            monsters: 3,
            ammo: 0,
        },
        portal_ticks: 50,
        gun: Gun {
            pause: 0,
            clip: 12,
            unlimited: true,
        },
        ..Rules::LODERUNNER_2021_09
    };

    /// All dialects, the default first.
    pub const ALL: [Rules; 5] = [
        Rules::CLASSIC,
        Rules::CLASSIC_1_0_26,
        Rules::LODERUNNER_2021_04,
        Rules::LODERUNNER_2021_09,
        Rules::CLIFFORD,
    ];

    /// The dialect of this name.
    ///
    /// # Errors
    /// `UnknownName`, which lists the names there are.
    pub fn named(name: &str) -> Result<Rules, RulesError> {
        Rules::ALL
            .into_iter()
            .find(|rules| rules.name == name)
            .ok_or_else(|| RulesError::UnknownName {
                name: name.to_owned(),
                known: Rules::ALL.map(|rules| rules.name).join(", "),
            })
    }

    /// Whether it is one of the classic versions.
    #[inline]
    pub fn is_classic(&self) -> bool {
        self.dialect == Dialect::Classic
    }

    /// Whether a dug brick is open for whoever comes later in the same tick; otherwise from the brick phase
    /// on.
    #[inline]
    pub(super) fn opens_at_once(&self) -> bool {
        self.dialect == Dialect::Clifford
    }
}
