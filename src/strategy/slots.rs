//! `Slots`: the golds of the field, and other things worth fetching, with the ticks between them and those nearest to each,
//! brought up to every board from what was known on the one before. Not in which order to fetch them: `Chains`.

use super::Worths;
use crate::board::Cell;
use crate::fields::{Field, Fields, Graph};
use crate::sim::{HeroId, State};
use arrayvec::ArrayVec;
use std::sync::Arc;

/// Golds that may follow a gold in a chain, the nearest to it.
const NEAR: usize = 6;
/// The nearest other golds, as slot numbers with their ticks.
type Near = ArrayVec<(u16, u16), NEAR>;
/// No way leads there, or no such slot.
pub(super) const FAR: u16 = u16::MAX;

/// A gold on the map, or another thing worth fetching, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub cell: Cell,
    /// What it is worth, in golds.
    pub gain: f64,
    pub field: Arc<Field>,
    /// The nearest other golds, as slot numbers with their ticks.
    pub near: Near,
    /// Golds that can be reached from here, this one among them.
    pub open: u32,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    graph: Option<Arc<Graph>>,
    /// In the order of their cells.
    list: Vec<Slot>,
    /// Ticks from each slot's cell to each other's, row by row; `FAR` to itself.
    between: Vec<u16>,
    /// What each slot is worth, by number: the innermost loop of the chains asks for nothing else.
    gains: Vec<f64>,
    /// The slots of the board before, while the new ones are made.
    before: Vec<Slot>,
    between_before: Vec<u16>,
    /// For each slot the number it had before, `FAR` for a new one.
    known: Vec<u16>,
    /// For each slot of before the number it has now, `FAR` for one that is gone.
    numbers: Vec<u16>,
    /// New slots, by number.
    fresh: Vec<u16>,
    wanted: Vec<(Cell, f64)>,
}

impl Slots {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.list.clear();
        self.between.clear();
        self.gains.clear();
    }

    /// All slots, in the order of their cells.
    pub fn list(&self) -> &[Slot] {
        &self.list
    }

    /// What each slot is worth, in golds, by number.
    pub fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// Brings the slots up to the gold of the state; whether anything has changed. What a rival is nearer to than `me`
    /// keeps this share of its worth.
    pub fn follow(
        &mut self,
        state: &State,
        me: HeroId,
        fields: &Fields,
        worths: Worths,
        contested: f64,
    ) -> bool {
        let graph = fields.graph();
        let same = self.graph.as_ref();
        if !same.is_some_and(|same| Arc::ptr_eq(same, graph)) {
            self.graph = Some(Arc::clone(graph));
            self.clear();
        }
        self.wanted.clear();
        let golds = state.gold().iter();
        self.wanted
            .extend(golds.map(|gold| (gold.cell, worths.gold[gold.kind as usize])));
        for item in state.items() {
            if let Some(gain) = worths.item(item, state) {
                self.wanted.push((item.cell, gain));
            }
        }
        // Of several things in one cell the first counts, as it is the first to be taken.
        self.wanted.sort_by_key(|&(cell, _)| cell);
        self.wanted.dedup_by_key(|&mut (cell, _)| cell);
        if contested < 1.0 && state.seats().len() > 1 {
            for (cell, gain) in &mut self.wanted {
                if is_contested(state, me, &fields.field(*cell)) {
                    *gain *= contested;
                }
            }
        }
        let same = self.wanted.len() == self.list.len()
            && self
                .list
                .iter()
                .zip(&self.wanted)
                .all(|(slot, &(cell, gain))| {
                    slot.cell == cell && slot.gain.to_bits() == gain.to_bits()
                });
        if same {
            return false;
        }
        self.renew_list(fields);
        self.renew_between();
        for index in 0..self.list.len() {
            let near = self
                .kept_near(index)
                .unwrap_or_else(|| self.find_near(index));
            let reached = self.distances(index).iter().filter(|&&ticks| ticks != FAR);
            self.list[index].open = 1 + reached.count() as u32;
            self.list[index].near = near;
        }
        self.before.clear();
        true
    }

    /// Ticks from a slot's cell to all slots.
    pub fn distances(&self, index: usize) -> &[u16] {
        let count = self.list.len();
        &self.between[index * count..][..count]
    }

    /// One slot for each wanted thing, with the fields of those that were there before.
    fn renew_list(&mut self, fields: &Fields) {
        std::mem::swap(&mut self.list, &mut self.before);
        self.list.clear();
        self.gains.clear();
        self.known.clear();
        self.fresh.clear();
        self.numbers.clear();
        self.numbers.resize(self.before.len(), FAR);
        let mut old = 0;
        for &(cell, gain) in &self.wanted {
            while self.before.get(old).is_some_and(|slot| slot.cell < cell) {
                old += 1;
            }
            let before = self.before.get(old).filter(|slot| slot.cell == cell);
            let number = self.list.len() as u16;
            if before.is_some() {
                self.numbers[old] = number;
                self.known.push(old as u16);
            } else {
                self.known.push(FAR);
                self.fresh.push(number);
            }
            self.gains.push(gain);
            self.list.push(Slot {
                cell,
                gain,
                field: before.map_or_else(|| fields.field(cell), |slot| Arc::clone(&slot.field)),
                near: ArrayVec::new(),
                open: 0,
            });
        }
    }

    /// The ticks between all slots, those known from before taken over.
    fn renew_between(&mut self) {
        std::mem::swap(&mut self.between, &mut self.between_before);
        self.between.clear();
        let old = self.before.len();
        for (from, &was) in self.list.iter().zip(&self.known) {
            let row = self.between_before.get(was as usize * old..);
            let row = row.filter(|_| was != FAR).and_then(|row| row.get(..old));
            for (to, &known) in self.list.iter().zip(&self.known) {
                let ticks = row.and_then(|row| row.get(known as usize).copied());
                let ask = || match to.field.ticks(from.cell) {
                    Some(ticks) if to.cell != from.cell => ticks,
                    _ => FAR,
                };
                self.between.push(ticks.unwrap_or_else(ask));
            }
        }
    }

    /// The golds that were nearest to a gold before, if they still are: none of them is gone and none nearer has come.
    fn kept_near(&self, index: usize) -> Option<Near> {
        let was = self.known[index];
        let before = self.before.get(was as usize)?;
        let mut near = Near::new();
        for &(gold, ticks) in &before.near {
            let now = self.numbers[gold as usize];
            if now == FAR {
                return None;
            }
            near.push((now, ticks));
        }
        let farthest = near.last().map_or(FAR, |last| last.1);
        let row = self.distances(index);
        let comes = |&slot: &u16| {
            let ticks = row[slot as usize];
            ticks != FAR && (!near.is_full() || ticks <= farthest)
        };
        let changed = self.fresh.iter().any(comes);
        (!changed).then_some(near)
    }

    /// The golds nearest to a gold, nearest first, earlier ones first among equals.
    fn find_near(&self, index: usize) -> Near {
        let mut near = Near::new();
        let mut farthest = FAR;
        for (other, &ticks) in self.distances(index).iter().enumerate() {
            if ticks >= farthest {
                continue;
            }
            if near.is_full() {
                near.pop();
            }
            let place = near.iter().take_while(|known| known.1 <= ticks).count();
            near.insert(place, (other as u16, ticks));
            if near.is_full() {
                farthest = near.last().map_or(FAR, |last| last.1);
            }
        }
        near
    }
}

/// Whether a rival comes to the field's target sooner than this hero.
fn is_contested(state: &State, me: HeroId, field: &Field) -> bool {
    let own = field.ticks(state.hero(me).cell);
    let rivals = state.seats().iter().filter(|&&id| id != me);
    rivals
        .map(|&id| state.hero(id))
        .filter(|rival| rival.alive)
        .filter_map(|rival| field.ticks(rival.cell))
        .any(|ticks| own.is_none_or(|own| ticks < own))
}
