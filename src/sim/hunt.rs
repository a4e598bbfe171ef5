//! The hunt of 2021 and later (DIALECTS section 3, hunt path): a best-first search from the monster over the
//! chase graph. Not always a shortest way, so it is no table like `Chase`; which steps there are is the same.

use super::quarry::{Prey, Quarry, Question};
use super::{Brain, Chase, HeroId, Monster, State, Target};
use crate::board::{Cell, Dir, Size};
use std::collections::VecDeque;
use std::sync::Arc;

/// What the search knows of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Entered {
    /// In which search it was entered last.
    search: u32,
    /// Steps from the monster.
    length: u16,
    /// The first of them.
    first: u8,
}

/// The search's buffers, kept between ticks. Nothing in them is part of the state's value.
#[derive(Clone, Debug, Default)]
pub(super) struct Hunt {
    entered: Vec<Entered>,
    search: u32,
    /// Open entries by rating; equal ones wait in line.
    open: Vec<VecDeque<(Cell, Dir)>>,
    /// No entry is open below this rating.
    lowest: usize,
    /// Open entries in all.
    waiting: usize,
}

impl Hunt {
    fn clear(&mut self, size: Size) {
        for line in &mut self.open {
            line.clear();
        }
        self.entered.resize(size.padded_area(), Entered::default());
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entered.fill(Entered::default());
            self.search = 1;
        }
        self.lowest = 0;
        self.waiting = 0;
    }

    fn is_entered(&self, cell: Cell) -> bool {
        self.entered[cell.index()].search == self.search
    }

    /// Opens the ways out of a cell, each rated by the steps so far and the mean distance behind it.
    fn leave(&mut self, chase: &Chase, size: Size, cell: Cell, prey: &[(HeroId, Cell)]) {
        let length = self.entered[cell.index()].length as usize;
        for dir in Dir::ALL {
            if chase.allows(cell, dir) {
                let rating = length + mean_distance(size, size.step(cell, dir), prey);
                if rating >= self.open.len() {
                    self.open.resize_with(rating + 1, VecDeque::new);
                }
                self.open[rating].push_back((cell, dir));
                self.lowest = self.lowest.min(rating);
                self.waiting += 1;
            }
        }
    }

    fn next(&mut self) -> Option<(Cell, Dir)> {
        if self.waiting == 0 {
            return None;
        }
        self.waiting -= 1;
        loop {
            if let Some(entry) = self.open.get_mut(self.lowest)?.pop_front() {
                return Some(entry);
            }
            self.lowest += 1;
        }
    }

    /// Searches from a cell until an entry that starts on prey has been used, and returns that cell.
    fn run(
        &mut self,
        chase: &Chase,
        size: Size,
        from: Cell,
        prey: &[(HeroId, Cell)],
    ) -> Option<Cell> {
        self.clear(size);
        let search = self.search;
        self.entered[from.index()] = Entered {
            search,
            length: 0,
            first: 0,
        };
        self.leave(chase, size, from, prey);
        while let Some((start, dir)) = self.next() {
            let target = size.step(start, dir);
            if self.is_entered(target) {
                continue;
            }
            let before = self.entered[start.index()];
            self.entered[target.index()] = Entered {
                search,
                length: before.length + 1,
                first: if start == from {
                    dir as u8
                } else {
                    before.first
                },
            };
            self.leave(chase, size, target, prey);
            if prey.iter().any(|&(_, cell)| cell == start) {
                return Some(start);
            }
        }
        None
    }

    /// The first step to the prey with the shortest way, the first in list order among equals.
    fn step(&self, from: Cell, prey: &[(HeroId, Cell)]) -> Option<Dir> {
        let ways = prey
            .iter()
            .filter(|&&(_, cell)| cell != from && self.is_entered(cell))
            .map(|&(_, cell)| self.entered[cell.index()]);
        ways.min_by_key(|entered| entered.length)
            .map(|entered| Dir::ALL[entered.first as usize])
    }
}

/// The mean straight-line distance to the prey, cut to whole numbers as the server does: after each addition
/// and in the division.
fn mean_distance(size: Size, cell: Cell, prey: &[(HeroId, Cell)]) -> usize {
    let mut sum = 0usize;
    for &(_, other) in prey {
        let dx = size.x(cell).abs_diff(size.x(other));
        let dy = size.row(cell).abs_diff(size.row(other));
        sum = (sum as f64 + ((dx * dx + dy * dy) as f64).sqrt()) as usize;
    }
    sum / prey.len().max(1)
}

/// What a hunt from a cell finds, from memory or by the search.
fn quarry(state: &mut State, from: Cell, prey: &[(HeroId, Cell)]) -> Quarry {
    let question = Question::new(state.level.chase(), from, prey);
    if let Some(known) = question.and_then(|question| state.level.found().get(question)) {
        return known;
    }
    let level = Arc::clone(&state.level);
    let mut hunt = std::mem::take(&mut state.hunt);
    let reached = hunt.run(level.chase(), level.size(), from, prey);
    let step = hunt.step(from, prey);
    state.hunt = hunt;
    let quarry = Quarry { step, reached };
    if let Some(question) = question {
        level.found().put(question, quarry);
    }
    quarry
}

/// The step that a monster's hunt wants; the monster remembers whom it hunts where the rules keep that.
pub(super) fn step(state: &mut State, index: usize, monster: &mut Monster) -> Option<Dir> {
    let found = if let [id] = state.seats[..] {
        only(state, id, monster).map(|prey| quarry(state, monster.cell, &[prey]))
    } else {
        let prey = choose(state, index, monster);
        (!prey.is_empty()).then(|| quarry(state, monster.cell, &prey))
    };
    let Some(Quarry { step, reached }) = found else {
        monster.target = Target::Nobody;
        return None;
    };
    if state.rules.brain == Brain::FreePrey {
        // When the search runs dry, the cell that an earlier one reached still counts.
        monster.reached = reached.or(monster.reached);
        let known = monster.reached.filter(|_| step.is_some());
        let hunted = known.and_then(|cell| {
            let found = seen(state).find(|&(_, place)| place == cell);
            found.map(|(id, _)| id)
        });
        monster.target = hunted.map_or(Target::Nobody, Target::Hero);
    }
    step
}

/// All heroes that monsters see, in player order.
fn seen(state: &State) -> impl Iterator<Item = (HeroId, Cell)> + '_ {
    let seats = state.seats().iter().map(|&id| (id, state.hero(id)));
    let regular = seats.filter(|(_, hero)| hero.is_regular());
    regular.map(|(id, hero)| (id, hero.cell))
}

/// The only hero of the field, if the monster goes for it: `choose` without a list.
fn only(state: &State, id: HeroId, monster: &Monster) -> Option<(HeroId, Cell)> {
    let hero = state.hero(id);
    let chased = state.rules.brain != Brain::NearestPrey
        && monster.target == Target::Hero(id)
        && hero.is_shadowed();
    (hero.is_regular() || chased).then_some((id, hero.cell))
}

/// Whom the monster goes for.
fn choose(state: &State, index: usize, monster: &Monster) -> Prey {
    let visible: Prey = seen(state).collect();
    if state.rules.brain == Brain::NearestPrey {
        return visible;
    }
    // An inverted test of the original: only a hero that has taken a pill is still chased, once.
    if let Target::Hero(id) = monster.target
        && state.hero(id).is_shadowed()
    {
        return Prey::from_iter([(id, state.hero(id).cell)]);
    }
    let hunted = |cell: Cell| {
        let others = state.monsters.iter().enumerate();
        others
            .filter(|&(other, _)| other != index)
            .any(|(_, other)| match other.target {
                Target::Hero(id) => state.hero(id).cell == cell,
                Target::Nobody | Target::Unknown => false,
            })
    };
    let free: Prey = visible
        .iter()
        .copied()
        .filter(|&(_, cell)| !hunted(cell))
        .collect();
    if free.is_empty() { visible } else { free }
}
