//! `Portals`: where the portals are, and their cycle as far as somebody was seen to hop (DIALECTS section 3). The
//! cycle stays the same until all are placed anew.

use super::sight::Sight;
use crate::board::{Cell, Element};
use crate::sim::{HeroId, Item, ItemKind, Rules, State};

/// The memory of one game's portals.
#[derive(Clone, Default, Debug)]
pub(super) struct Portals {
    /// In an order that agrees with every hop seen: each leads to the next, the last to the first.
    cycle: Vec<Cell>,
    /// Hops seen: from, to.
    hops: Vec<(Cell, Cell)>,
    /// When all were placed anew, if that was seen, and for how many ticks they stay.
    renewed: Option<i32>,
    period: i32,
}

/// Longer than any search looks ahead.
const NEVER: i32 = 10_000;

impl Portals {
    /// Those that a first board shows.
    pub fn new(sight: &Sight, rules: &Rules) -> Portals {
        Portals {
            cycle: shown(sight).collect(),
            hops: Vec::new(),
            renewed: None,
            period: rules.portal_ticks.max(1) as i32,
        }
    }

    /// Whether there is one in this cell.
    pub fn has(&self, cell: Cell) -> bool {
        self.cycle.contains(&cell)
    }

    /// Each portal whose exit is certain, with the exit.
    pub fn known(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        // The last hop follows from the others.
        let all = self.hops.len() + 1 >= self.cycle.len();
        self.pairs()
            .filter(move |pair| all || self.hops.contains(pair))
    }

    /// All portals with the exits they are taken to have.
    fn pairs(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        let exits = self.cycle.iter().cycle().skip(1);
        self.cycle.iter().copied().zip(exits.copied())
    }

    /// Takes in the next board: which are there, and whether the own hero or a monster hopped.
    pub fn observe(
        &mut self,
        sight: &Sight,
        foreseen: Option<(&State, HeroId)>,
        now: i32,
        rules: &Rules,
    ) {
        let gone = |cell: &Cell| !sight.covers(*cell) && shown(sight).all(|other| other != *cell);
        if self.cycle.iter().any(gone) {
            *self = Portals::new(sight, rules);
            self.renewed = Some(now);
            return;
        }
        if let Some((state, me)) = foreseen {
            let came = sight.me.map(|mark| mark.cell);
            self.learn(state.hero(me).cell, came);
            self.learn_from_monsters(state, sight);
        }
        for cell in shown(sight) {
            if !self.has(cell) {
                self.cycle.push(cell);
            }
        }
        self.order();
    }

    /// A body that was to hop to `foreseen` was seen at `came`.
    fn learn(&mut self, foreseen: Cell, came: Option<Cell>) {
        let Some(to) = came.filter(|&cell| self.has(cell)) else {
            return;
        };
        let from = self.pairs().find(|&(_, exit)| exit == foreseen);
        if let Some((from, _)) = from
            && self.hops.iter().all(|hop| hop.0 != from && hop.1 != to)
        {
            self.hops.push((from, to));
        }
    }

    /// One monster was to hop, and one monster is on a portal: it is the one.
    fn learn_from_monsters(&mut self, state: &State, sight: &Sight) {
        let mut expected = state.monsters().iter().filter(|one| self.has(one.cell));
        let mut seen = sight.monsters.iter().filter(|mark| self.has(mark.cell));
        if let (Some(one), None, Some(mark), None) =
            (expected.next(), expected.next(), seen.next(), seen.next())
        {
            let (foreseen, came) = (one.cell, mark.cell);
            self.learn(foreseen, Some(came));
        }
    }

    /// Brings the cycle into an order that agrees with all hops: chains of hops one after the other.
    fn order(&mut self) {
        let mut left = std::mem::take(&mut self.cycle);
        left.sort_unstable();
        while !left.is_empty() {
            let first = |cell: &Cell| self.hops.iter().all(|hop| hop.1 != *cell);
            let index = left.iter().position(first).unwrap_or(0);
            let mut next = Some(left[index]);
            while let Some(place) = next.and_then(|cell| left.iter().position(|one| *one == cell)) {
                let cell = left.remove(place);
                self.cycle.push(cell);
                next = self.hops.iter().find(|hop| hop.0 == cell).map(|hop| hop.1);
            }
        }
    }

    /// Puts them into a state, with their clock.
    pub fn place(&self, state: &mut State, now: i32) {
        for &cell in &self.cycle {
            let kind = ItemKind::Portal;
            state.place_item(Item { cell, kind });
        }
        let left = self.renewed.map(|then| self.period - (now - then));
        state.place_portal_timer(left.filter(|&left| left >= 0).unwrap_or(NEVER));
    }
}

fn shown(sight: &Sight) -> impl Iterator<Item = Cell> + '_ {
    let things = sight.things.iter();
    things
        .filter(|(_, element)| *element == Element::Portal)
        .map(|&(cell, _)| cell)
}
