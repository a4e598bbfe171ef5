//! `Treasure`: the gold on the field, bodies on it or not, and with it who carries some: what boards show of both is
//! the gold that vanishes and the gold that appears (RULES sections 5, 7, 8 and 11).

use super::ground::Ground;
use super::hunters::Hunter;
use super::roster::Roster;
use super::sight::Sight;
use crate::board::{Cell, GoldKind};
use crate::sim::Gold;

/// One gold and the probability that it is there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Lying {
    pub cell: Cell,
    pub kind: GoldKind,
    pub probability: f64,
    /// A body covers it on the present board.
    pub covered: bool,
}

/// All gold that lies on the field or may do so.
#[derive(Clone, Default, Debug)]
pub(super) struct Treasure {
    list: Vec<Lying>,
    /// Gold that heroes took in the present tick.
    taken: usize,
}

/// Below this nothing is believed any more.
const NEGLIGIBLE: f64 = 1e-6;

impl Treasure {
    /// The gold of a first board.
    pub fn new(sight: &Sight) -> Treasure {
        let list = sight.gold.iter().map(|gold| visible(*gold)).collect();
        Treasure { list, taken: 0 }
    }

    /// All gold that is more than impossible, in the order in which it came.
    pub fn list(&self) -> &[Lying] {
        &self.list
    }

    /// Heroes take gold in their new cells, at most one each. Tells whether the own hero took one.
    pub fn heroes(&mut self, roster: &Roster) -> bool {
        self.taken = 0;
        let me = roster.me().map(|(seat, _)| seat);
        let mut own = false;
        for (seat, body) in roster.bodies().iter().enumerate() {
            let here = self.list.iter().position(|gold| gold.cell == body.cell);
            if let Some(index) = here {
                let gold = self.list.remove(index);
                if gold.probability > 0.5 {
                    self.taken += 1;
                    own |= Some(seat) == me;
                }
            }
        }
        own
    }

    /// Monsters in order, moved already: each leaves its load above a hole it fell into, and an unloaded one
    /// takes what lies in its cell.
    pub fn monsters(&mut self, hunters: &mut [Hunter], sight: &Sight) {
        let shown = |cell: Cell| sight.gold.iter().any(|gold| gold.cell == cell);
        for index in 0..hunters.len() {
            let from = hunters[index].from;
            // What another one has just dropped there tells nothing.
            let dropped = |other: &Hunter| other.dropped && other.from == from;
            if hunters[index].cell != from && !hunters.iter().any(dropped) {
                learn(&mut hunters[index], sight, shown(from));
            }
        }
        for hunter in hunters {
            if hunter.dropped {
                if hunter.loaded > NEGLIGIBLE {
                    self.list.push(Lying {
                        cell: hunter.from,
                        kind: hunter.kind,
                        probability: hunter.loaded,
                        covered: false,
                    });
                }
                hunter.loaded = 0.0;
            }
            self.take(hunter);
        }
    }

    /// The monster is loaded afterwards if there was gold; it is still there if the monster was loaded before.
    fn take(&mut self, hunter: &mut Hunter) {
        hunter.under = 0.0;
        let here = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, gold)| gold.cell == hunter.cell);
        let best = here.max_by(|a, b| a.1.probability.total_cmp(&b.1.probability));
        if let Some((index, gold)) = best.map(|(index, gold)| (index, *gold)) {
            let before = hunter.loaded;
            hunter.loaded = before + (1.0 - before) * gold.probability;
            if before < 0.5 {
                hunter.kind = gold.kind;
            }
            hunter.under = gold.probability * before;
            self.list[index].probability = hunter.under;
        }
    }

    /// The board shows which gold lies open; what bodies cover stays as probable as it was.
    pub fn settle(&mut self, sight: &Sight, ground: &Ground, hunters: &mut [Hunter]) {
        let shown = |cell: Cell| sight.gold.iter().any(|gold| gold.cell == cell);
        let mut appeared = 0;
        for gold in &sight.gold {
            let best = self
                .list
                .iter_mut()
                .filter(|lying| lying.cell == gold.cell)
                .max_by(|a, b| a.probability.total_cmp(&b.probability));
            if let Some(lying) = best {
                lying.probability = 1.0;
                lying.kind = gold.kind;
            } else {
                self.list.push(visible(*gold));
                appeared += usize::from(!self.uncover(gold.cell, hunters));
            }
        }
        for lying in &mut self.list {
            lying.covered = sight.covers(lying.cell);
        }
        self.list
            .retain(|lying| lying.probability > NEGLIGIBLE && (lying.covered || shown(lying.cell)));
        self.hide(self.taken.saturating_sub(appeared), ground, hunters);
    }

    /// Gold shows where none was believed. If a monster just left the cell, it may have covered it since before
    /// the first board, or, when no hero took gold, in any case: then it carries gold already.
    fn uncover(&self, cell: Cell, hunters: &mut [Hunter]) -> bool {
        let mut uncovered = false;
        for hunter in hunters {
            let left = hunter.from == cell && hunter.cell != cell && !hunter.dropped;
            if left && (hunter.fresh || self.taken == 0) {
                hunter.loaded = 1.0;
                uncovered = true;
            }
        }
        uncovered
    }

    /// Gold that was taken always comes back somewhere. What does not show lies under a monster, or an unloaded
    /// monster has it already: each one's cell is as probable as another's.
    fn hide(&mut self, count: usize, ground: &Ground, hunters: &mut [Hunter]) {
        if count == 0 {
            return;
        }
        if std::env::var_os("TRACK_VERBOSE").is_some() {
            println!("HIDE {count} taken {}", self.taken);
        }
        let mut cells: Vec<Cell> = hunters
            .iter()
            .map(|hunter| hunter.cell)
            .filter(|&cell| ground.is_empty(cell))
            .collect();
        cells.sort_unstable();
        cells.dedup();
        let share = (count as f64 / cells.len().max(1) as f64).min(1.0);
        for cell in cells {
            let mut there = share;
            for hunter in hunters.iter_mut().filter(|hunter| hunter.cell == cell) {
                let before = hunter.loaded;
                hunter.loaded = before + (1.0 - before) * there;
                there *= before;
                hunter.under = hunter.under.max(there);
            }
            if there > NEGLIGIBLE {
                self.list.push(Lying {
                    cell,
                    kind: GoldKind::Yellow,
                    probability: there,
                    covered: true,
                });
            }
        }
    }
}

/// A monster left its cell: what it left open there tells whether it carries gold.
fn learn(hunter: &mut Hunter, sight: &Sight, shown: bool) {
    let under = hunter.under;
    if shown && under > 0.0 {
        // It stood on gold and did not take it.
        hunter.loaded = 1.0;
    } else if !shown && under < 1.0 && !sight.covers(hunter.from) {
        hunter.loaded = ((hunter.loaded - under) / (1.0 - under)).clamp(0.0, 1.0);
    }
}

const fn visible(gold: Gold) -> Lying {
    Lying {
        cell: gold.cell,
        kind: gold.kind,
        probability: 1.0,
        covered: false,
    }
}
