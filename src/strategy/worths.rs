//! `Worths`: what events are worth to the search, in golds: where golds differ by kind, by what the next one of
//! its kind pays. Points and series are the rules' and the tracker's.

use crate::board::GoldKind;
use crate::sim::{Gold, Item, ItemKind, Rules, State};

/// Worth of single events, in golds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worths {
    /// A gold, by kind.
    pub gold: [f64; 3],
    /// A rival's death.
    pub kill: f64,
    /// The same of another team's.
    pub kill_enemy: f64,
    /// A death that is only possible: what closeness to monsters of unknown target is fined by. `None`: as the parameters
    /// price a certain one.
    pub death: Option<f64>,
}

impl Default for Worths {
    /// Classic: only gold counts, and all alike.
    fn default() -> Worths {
        Worths {
            gold: [1.0; 3],
            kill: 0.0,
            kill_enemy: 0.0,
            death: None,
        }
    }
}

/// A rival seldom stands still to be killed.
const KILL_SHARE: f64 = 0.25;
/// A pill is worth the few ticks it keeps monsters off.
const PILL: f64 = 0.5;
/// A key is worth what may be behind its door.
const KEY: f64 = 1.0;
const AMMO: f64 = 0.5;

impl Worths {
    /// What the next events pay a hero with these series, against the mean of the golds on the field.
    pub fn new(rules: &Rules, series: [u32; 3], golds: &[Gold]) -> Worths {
        if rules.is_classic() || golds.is_empty() {
            return Worths::default();
        }
        let pays = |kind: GoldKind| {
            let paid = rules
                .points
                .gold_after(kind, i64::from(series[kind as usize]));
            paid.max(0) as f64
        };
        let sum: f64 = golds.iter().map(|gold| pays(gold.kind)).sum();
        let mean = sum / golds.len() as f64;
        if mean <= 0.0 {
            return Worths::default();
        }
        let share = |points: i64| KILL_SHARE * points.max(0) as f64 / mean;
        Worths {
            gold: GoldKind::ALL.map(|kind| pays(kind) / mean),
            kill: share(rules.points.kill),
            kill_enemy: share(rules.points.kill_enemy),
            death: None,
        }
    }

    /// What an item is worth going to; `None` for those that are in nobody's interest.
    pub fn item(&self, item: &Item, state: &State) -> Option<f64> {
        match item.kind {
            ItemKind::Pill if !state.monsters().is_empty() => Some(PILL),
            ItemKind::Key(metal) => {
                let door = ItemKind::Door(metal, false);
                state
                    .items()
                    .iter()
                    .any(|one| one.kind == door)
                    .then_some(KEY)
            }
            ItemKind::Ammo if !state.rules().gun.unlimited => Some(AMMO),
            _ => None,
        }
    }
}
