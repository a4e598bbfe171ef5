//! The hunt of 2021 and later (DIALECTS section 3, hunt path): a best-first search from the monster over the
//! chase graph. Not always a shortest way, so it is no table like `Chase`; which steps there are is the same.

use super::{Chase, HeroId, Monster, State, Target};
use crate::board::{Cell, Dir, Size};
use crate::sim::rules::Brain;
use arrayvec::ArrayVec;
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Heroes whom a monster may hunt, with their cells, in list order.
type Prey = ArrayVec<(HeroId, Cell), { State::HEROES_MAX }>;

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

/// Hunts of a level that were searched before. What a hunt finds depends on the terrain, the monster's cell and
/// the preys' cells only; a search over states asks for the same few again and again.
#[derive(Debug, Default)]
pub(super) struct Found {
    slots: OnceLock<Box<[[AtomicU64; 3]]>>,
}

/// A hunt as it is remembered: the monster's cell and those of its prey, in list order.
#[derive(Clone, Copy)]
struct Question(u128);

/// What a hunt found: the first step, and the prey at which the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Quarry {
    step: Option<Dir>,
    reached: Option<Cell>,
}

impl Question {
    /// Nothing if there are too many prey to be told apart in two words.
    fn new(from: Cell, prey: &Prey) -> Option<Question> {
        if prey.len() > 7 {
            return None;
        }
        let cells = prey.iter().map(|&(_, cell)| cell.index() as u128);
        let word = cells.fold(from.index() as u128, |word, cell| word << 16 | cell);
        Some(Question(word))
    }

    fn slot(self) -> usize {
        let [low, high] = self.words();
        let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - Found::BITS)) as usize
    }

    const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

impl Found {
    /// 32 768 hunts, three quarters of a megabyte a level.
    const BITS: u32 = 15;
    /// Marks a written slot; also what the step's three bits stand above.
    const WRITTEN: u64 = 1 << 63;
    const NO_STEP: u64 = 4;

    /// The mixed bits of an answer.
    const fn mixed(answer: u64) -> u64 {
        let word = (answer ^ answer >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        word ^ word >> 32
    }

    /// The slot holds the question xor the mixed answer beside the answer, so that two halves of different
    /// writers do not fit.
    fn get(&self, question: Question) -> Option<Quarry> {
        let [first, second, answer] = self.slots.get()?.get(question.slot())?;
        let [low, high] = question.words();
        let answer = answer.load(Ordering::Relaxed);
        if answer & Found::WRITTEN == 0
            || first.load(Ordering::Relaxed) ^ Found::mixed(answer) != low
            || second.load(Ordering::Relaxed) ^ Found::mixed(!answer) != high
        {
            return None;
        }
        let reached = (answer & 0xFFFF) as u16;
        Some(Quarry {
            step: Dir::ALL.get((answer >> 16 & 7) as usize).copied(),
            reached: (reached != 0).then(|| Cell::from_index(reached)),
        })
    }

    fn put(&self, question: Question, quarry: Quarry) {
        let slots = self.slots.get_or_init(|| {
            let empty = || [const { AtomicU64::new(0) }; 3];
            (0..1 << Found::BITS).map(|_| empty()).collect()
        });
        let step = quarry.step.map_or(Found::NO_STEP, |dir| dir as u64);
        let reached = quarry.reached.map_or(0, |cell| cell.index() as u64);
        let word = Found::WRITTEN | step << 16 | reached;
        let [low, high] = question.words();
        if let Some([first, second, answer]) = slots.get(question.slot()) {
            answer.store(word, Ordering::Relaxed);
            first.store(low ^ Found::mixed(word), Ordering::Relaxed);
            second.store(high ^ Found::mixed(!word), Ordering::Relaxed);
        }
    }
}

/// What a hunt from a cell finds, from memory or by the search.
fn quarry(state: &mut State, from: Cell, prey: &Prey) -> Quarry {
    let question = Question::new(from, prey);
    if let Some(known) = question.and_then(|question| state.level.found().get(question)) {
        return known;
    }
    let level = std::sync::Arc::clone(&state.level);
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
    fn leave(&mut self, chase: &Chase, size: Size, cell: Cell, prey: &Prey) {
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
    fn run(&mut self, chase: &Chase, size: Size, from: Cell, prey: &Prey) -> Option<Cell> {
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
    fn step(&self, from: Cell, prey: &Prey) -> Option<Dir> {
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
fn mean_distance(size: Size, cell: Cell, prey: &Prey) -> usize {
    let mut sum = 0usize;
    for &(_, other) in prey {
        let dx = size.x(cell).abs_diff(size.x(other));
        let dy = size.row(cell).abs_diff(size.row(other));
        sum = (sum as f64 + ((dx * dx + dy * dy) as f64).sqrt()) as usize;
    }
    sum / prey.len().max(1)
}

/// The step that a monster's hunt wants; the monster remembers whom it hunts where the rules keep that.
pub(super) fn step(state: &mut State, index: usize, monster: &mut Monster) -> Option<Dir> {
    let prey = choose(state, index, monster);
    if prey.is_empty() {
        monster.target = Target::Nobody;
        return None;
    }
    let Quarry { step, reached } = quarry(state, monster.cell, &prey);
    if state.rules.brain == Brain::FreePrey {
        // When the search runs dry, the cell that an earlier one reached still counts.
        monster.reached = reached.or(monster.reached);
        let known = monster.reached.filter(|_| step.is_some());
        let hunted = known.and_then(|cell| {
            visible(state)
                .iter()
                .find(|(_, place)| *place == cell)
                .map(|(id, _)| *id)
        });
        monster.target = hunted.map_or(Target::Nobody, Target::Hero);
    }
    step
}

/// All heroes that monsters see, in player order.
fn visible(state: &State) -> Prey {
    let seen = |&id: &HeroId| state.hero(id).is_regular();
    let heroes = state.seats().iter().copied().filter(seen);
    heroes.map(|id| (id, state.hero(id).cell)).collect()
}

/// Whom the monster goes for.
fn choose(state: &State, index: usize, monster: &Monster) -> Prey {
    let visible = visible(state);
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
