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
    /// All gold of the game, in bodies' hands too, if it was counted before any was carried away: it stays the
    /// same for ever.
    total: Option<usize>,
    /// Gold goes from hand to hand and is never lost or made (classic); otherwise the field is filled up again.
    lasting: bool,
}

/// Below this nothing is believed any more.
const NEGLIGIBLE: f64 = 1e-6;
/// What is left of a doubt when the count of all gold leaves none.
const DOUBT: f64 = 0.03;

impl Treasure {
    /// The gold of a first board; `early` if it looks like the first one of its game.
    pub fn new(sight: &Sight, early: bool, lasting: bool) -> Treasure {
        Treasure {
            list: sight.gold.iter().map(|gold| visible(*gold)).collect(),
            taken: 0,
            total: (early && lasting).then_some(sight.gold.len()),
            lasting,
        }
    }

    /// All gold that is more than impossible, in the order in which it came.
    pub fn list(&self) -> &[Lying] {
        &self.list
    }

    /// Heroes take gold in their new cells, at most one each. Tells what the own hero took.
    pub fn heroes(&mut self, roster: &Roster) -> Option<GoldKind> {
        self.taken = 0;
        let me = roster.me().map(|(seat, _)| seat);
        let mut own = None;
        for (seat, body) in roster.bodies().iter().enumerate() {
            let here = self.list.iter().position(|gold| gold.cell == body.cell);
            if let Some(index) = here {
                let gold = self.list.remove(index);
                if gold.probability > 0.5 {
                    self.taken += 1;
                    if Some(seat) == me {
                        own = Some(gold.kind);
                    }
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
        if self.lasting {
            self.hide(self.taken.saturating_sub(appeared), ground, hunters);
            self.balance(hunters);
        }
    }

    /// No gold is ever lost: what does not show is carried or covered. Shifts the odds of all that is doubtful
    /// alike, so that as much is believed as must be.
    fn balance(&mut self, hunters: &mut [Hunter]) {
        let Some(total) = self.total else { return };
        let doubtful =
            |probability: f64| probability > NEGLIGIBLE && probability < 1.0 - NEGLIGIBLE;
        let loads = hunters.iter().map(|hunter| hunter.loaded);
        let all = loads.chain(self.list.iter().map(|lying| lying.probability));
        let (mut open, mut sure) = (Vec::new(), 0.0);
        for probability in all {
            if doubtful(probability) {
                open.push(probability);
            } else {
                sure += probability;
            }
        }
        let count = open.len() as f64;
        let rest = total as f64 - sure;
        if open.is_empty() {
            return;
        }
        if rest < -0.5 || rest > count + 0.5 {
            // Gold was hidden when it was counted.
            self.total = None;
            return;
        }
        // The count itself is not beyond doubt.
        let odds = odds_for(&open, rest.clamp(DOUBT * count, (1.0 - DOUBT) * count));
        for hunter in hunters {
            if doubtful(hunter.loaded) {
                hunter.loaded = shifted(hunter.loaded, odds);
            }
        }
        for lying in &mut self.list {
            if doubtful(lying.probability) {
                lying.probability = shifted(lying.probability, odds);
            }
        }
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

/// A probability with its odds multiplied.
fn shifted(probability: f64, odds: f64) -> f64 {
    probability * odds / (1.0 - probability + probability * odds)
}

/// The factor for all odds that makes the probabilities sum up to `sum`, which lies between 0 and their number.
fn odds_for(probabilities: &[f64], sum: f64) -> f64 {
    let (mut low, mut high) = (-30.0f64, 30.0f64);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let odds = middle.exp();
        if probabilities.iter().map(|&p| shifted(p, odds)).sum::<f64>() < sum {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).exp()
}

const fn visible(gold: Gold) -> Lying {
    Lying {
        cell: gold.cell,
        kind: gold.kind,
        probability: 1.0,
        covered: false,
    }
}
