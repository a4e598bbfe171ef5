//! Watchdogs: each watches the history of own positions, answers and gold for one kind of trouble and says so.
//! `Watchdogs` turns their verdicts into one remedy at a time. They never choose an action themselves.

mod deadline;
mod desync;
mod income;
mod maximum;
mod oscillation;
mod stall;

pub use deadline::Deadline;
pub use desync::Desync;
pub use income::Income;
pub use maximum::LocalMaximum;
pub use oscillation::Oscillation;
pub use stall::Stall;

use crate::board::{Action, Cell};
use crate::params::{Params, SuicidePolicy};

/// Ticks after a gold that figures of games do not yet call stalled (ALGORITHM section 6): the same for every bot and
/// all its parameters, so that figures can be compared. When our own bot calls it a trouble, its parameters say.
pub const PATIENCE: u64 = 50;

/// What one tick looked like to the bot, after its search and before its answer.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// The own hero's cell.
    pub cell: Cell,
    /// Whether a gold came in since the last tick.
    pub gold: bool,
    /// Whether the hero is another one than in the last tick: it died, or was replaced.
    pub reborn: bool,
    /// The best action by the search.
    pub best: Action,
    /// Whether the value map has a maximum without gold at the hero's cell.
    pub maximum: bool,
    /// Whether some visible gold can be reached from the hero's cell.
    pub reachable: bool,
    /// Distance of the nearest gold in ticks, if one can be reached.
    pub distance: Option<u16>,
    /// By how many ticks the nearest gold is farther than it is worth to go, a random place being to be had instead.
    pub elsewhere: f64,
}

/// What a watchdog saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The same cell for too long.
    Stall,
    /// The same few cells over and over.
    Oscillation,
    /// Wanting to stay where there is nothing.
    LocalMaximum,
    /// No gold for too long.
    NoIncome,
}

impl Trouble {
    /// Its name in reasons and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Trouble::Stall => "stall",
            Trouble::Oscillation => "oscillation",
            Trouble::LocalMaximum => "local maximum",
            Trouble::NoIncome => "no income",
        }
    }
}

/// What to do about it, from mild to drastic (ALGORITHM section 6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Remedy {
    /// Nothing: the search decides.
    #[default]
    None,
    /// Another value map.
    OtherStrategy,
    /// A step that the search did not choose.
    ForcedStep,
    /// `ACT(0)`, where the rules have it and the policy allows it at its price.
    Suicide,
}

impl Remedy {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Remedy::None => "none",
            Remedy::OtherStrategy => "another strategy",
            Remedy::ForcedStep => "a forced step",
            Remedy::Suicide => "suicide",
        }
    }
}

/// All watchdogs of one bot and the remedy in force.
#[derive(Clone, Debug, Default)]
pub struct Watchdogs {
    stall: Stall,
    oscillation: Oscillation,
    maximum: LocalMaximum,
    income: Income,
    /// Boards that were answered late or missed.
    pub deadline: Deadline,
    /// Frames that were not as foreseen.
    pub desync: Desync,
    remedy: Remedy,
    trouble: Option<Trouble>,
    left: u32,
    calm: u32,
    unreachable: u32,
}

impl Watchdogs {
    /// Feeds one tick and returns the remedy for this very tick.
    ///
    /// A trouble that comes back while or soon after its remedy was in force gets the next stronger one; a
    /// gold or a new hero ends all remedies. Suicide is only returned where `params.suicide` allows it; `price`
    /// is what it costs, in ticks of usual income: 0 where the rules make it free, `None` where it is impossible.
    pub fn observe(&mut self, seen: &Observation, params: &Params, price: Option<u32>) -> Remedy {
        if seen.gold || seen.reborn {
            self.reset();
        }
        let troubles = [
            self.stall.observe(seen, params).then_some(Trouble::Stall),
            self.oscillation
                .observe(seen, params)
                .then_some(Trouble::Oscillation),
            self.maximum
                .observe(seen, params)
                .then_some(Trouble::LocalMaximum),
            self.income.observe(params).then_some(Trouble::NoIncome),
        ];
        self.unreachable = if seen.reachable {
            0
        } else {
            self.unreachable + 1
        };
        if self.wants_suicide(seen, params, price) {
            self.remedy = Remedy::Suicide;
            return self.remedy;
        }
        self.left = self.left.saturating_sub(1);
        self.calm += 1;
        if self.left == 0 && self.remedy != Remedy::None && self.calm > 2 * params.remedy_ticks {
            self.remedy = Remedy::None;
            self.trouble = None;
        }
        if let Some(trouble) = troubles.into_iter().flatten().next() {
            self.calm = 0;
            if self.left == 0 {
                self.remedy = match self.remedy {
                    Remedy::OtherStrategy => Remedy::ForcedStep,
                    Remedy::None | Remedy::ForcedStep | Remedy::Suicide => Remedy::OtherStrategy,
                };
                self.trouble = Some(trouble);
                // One forced step breaks a circle; more of them would only lead astray.
                self.left = match self.remedy {
                    Remedy::ForcedStep => 1,
                    Remedy::None | Remedy::OtherStrategy | Remedy::Suicide => params.remedy_ticks,
                };
                self.stall.forget();
                self.oscillation.forget();
                self.maximum.forget();
            }
        }
        if self.left > 0 {
            self.remedy
        } else {
            Remedy::None
        }
    }

    /// The trouble behind the remedy in force.
    pub fn trouble(&self) -> Option<Trouble> {
        self.trouble
    }

    /// The remedy in force and for how many ticks more; without one `None` and 0.
    pub fn remedy(&self) -> (Remedy, u32) {
        match self.remedy {
            Remedy::Suicide => (Remedy::Suicide, 0),
            remedy if self.left > 0 => (remedy, self.left),
            _ => (Remedy::None, 0),
        }
    }

    /// Ticks in one cell.
    pub fn in_one_cell(&self) -> u32 {
        self.stall.ticks()
    }

    /// Ticks for which no gold could be reached.
    pub fn out_of_reach(&self) -> u32 {
        self.unreachable
    }

    /// Ticks without gold.
    pub fn without_income(&self) -> u32 {
        self.income.ticks()
    }

    fn wants_suicide(&self, seen: &Observation, params: &Params, price: Option<u32>) -> bool {
        let Some(price) = price else {
            return false;
        };
        match params.suicide {
            SuicidePolicy::Never => false,
            SuicidePolicy::Stuck => {
                self.unreachable >= params.suicide_unreachable_ticks.saturating_add(price)
                    || (self.income.ticks() >= params.suicide_no_income_ticks.saturating_add(price)
                        && self.remedy >= Remedy::OtherStrategy)
            }
            SuicidePolicy::Free if params.suicide_distance == 0 => seen.elsewhere > 0.0,
            SuicidePolicy::Free => seen.distance.is_none_or(|ticks| {
                u32::from(ticks) > params.suicide_distance.saturating_add(price)
            }),
        }
    }

    fn reset(&mut self) {
        self.stall.forget();
        self.oscillation.forget();
        self.maximum.forget();
        self.income.forget();
        self.remedy = Remedy::None;
        self.trouble = None;
        self.left = 0;
        self.calm = 0;
        self.unreachable = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn at(x: usize) -> Observation {
        let size = Size::new(20).expect("in range");
        Observation {
            cell: size.cell(x, 5),
            gold: false,
            reborn: false,
            best: Action::Left,
            maximum: false,
            reachable: true,
            distance: Some(4),
            elsewhere: f64::NEG_INFINITY,
        }
    }

    fn run(cells: impl Iterator<Item = usize>, params: &Params) -> Vec<(Remedy, Option<Trouble>)> {
        let mut dogs = Watchdogs::default();
        cells
            .map(|x| (dogs.observe(&at(x), params, Some(0)), dogs.trouble()))
            .collect()
    }

    #[test]
    fn standing_still_is_a_stall_and_remedies_grow_stronger() {
        let params = Params {
            suicide: SuicidePolicy::Never,
            ..Params::DEFAULT
        };
        let seen = run(std::iter::repeat_n(3, 200), &params);
        let first = seen
            .iter()
            .position(|one| one.0 != Remedy::None)
            .expect("a remedy");
        assert_eq!(first, params.stall_ticks as usize - 1);
        assert_eq!(seen[first], (Remedy::OtherStrategy, Some(Trouble::Stall)));
        assert!(seen.iter().any(|one| one.0 == Remedy::ForcedStep));
        assert!(seen.iter().all(|one| one.0 != Remedy::Suicide));
    }

    #[test]
    fn loops_of_every_period_are_seen() {
        for period in 2..=8 {
            let params = Params {
                oscillation_period: 8,
                suicide: SuicidePolicy::Never,
                ..Params::DEFAULT
            };
            let walk = (0..80).map(|tick| {
                let place = tick % period;
                1 + place.min(period - place)
            });
            let seen = run(walk, &params);
            let found = seen
                .iter()
                .find(|one| one.0 != Remedy::None)
                .expect("a remedy");
            assert_eq!(found.1, Some(Trouble::Oscillation), "period {period}");
        }
    }

    #[test]
    fn walking_on_is_no_trouble_until_income_is_missing() {
        let params = Params {
            no_income_ticks: 12,
            ..Params::DEFAULT
        };
        let seen = run(1..19, &params);
        let first = seen
            .iter()
            .position(|one| one.0 != Remedy::None)
            .expect("a remedy");
        assert_eq!((first, seen[first].1), (11, Some(Trouble::NoIncome)));
    }

    #[test]
    fn suicide_follows_the_policy() {
        for (policy, price, expected) in [
            (SuicidePolicy::Never, Some(0), false),
            (SuicidePolicy::Stuck, Some(0), true),
            (SuicidePolicy::Stuck, Some(20), false),
            (SuicidePolicy::Stuck, None, false),
            (SuicidePolicy::Free, None, false),
            (SuicidePolicy::Free, Some(0), true),
        ] {
            let params = Params {
                suicide: policy,
                ..Params::DEFAULT
            };
            let mut dogs = Watchdogs::default();
            let mut killed = false;
            for tick in 0..40 {
                let mut seen = at(1 + tick % 18);
                seen.reachable = false;
                seen.distance = None;
                seen.elsewhere = f64::INFINITY;
                killed |= dogs.observe(&seen, &params, price) == Remedy::Suicide;
            }
            assert_eq!(killed, expected, "{policy:?} {price:?}");
        }
    }

    #[test]
    fn gold_ends_every_remedy() {
        let params = Params {
            suicide: SuicidePolicy::Never,
            ..Params::DEFAULT
        };
        let mut dogs = Watchdogs::default();
        for _ in 0..params.stall_ticks {
            dogs.observe(&at(3), &params, None);
        }
        assert!(dogs.trouble().is_some());
        let paid = Observation {
            gold: true,
            ..at(3)
        };
        assert_eq!(dogs.observe(&paid, &params, None), Remedy::None);
        assert_eq!((dogs.trouble(), dogs.without_income()), (None, 1));
    }
}
