//! Looking for an assignment that makes the observed board: a first one from what is seen, and from there
//! changes near the cells that are wrong, the most promising first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::belief::{Aim, Belief, Hunter, is_left};
use super::guess::{Fate, Guess, Outcome, Repair};
use crate::board::{Board, Cell, Dir, Element, Family, HeroLook};
use crate::sim::{Chance, Command, HeroId, State, Tile, Unheard};

/// Assignments tried before a board counts as unexplained.
const TRIES: usize = 1200;
/// The same where the board before was not explained either: then something else is wrong.
const TRIES_AGAIN: usize = 150;

/// Texts that stand for all that a player can have sent: what else he may send looks like one of these.
pub(super) const WORDS: [&str; 10] = [
    "",
    "LEFT",
    "RIGHT",
    "UP",
    "DOWN",
    "ACT,LEFT",
    "ACT,RIGHT",
    "LEFT,DOWN",
    "RIGHT,DOWN",
    "LEFT,UP",
];

/// What was found.
pub(super) struct Found {
    pub guess: Guess,
    pub outcome: Outcome,
}

/// Nothing is placed and nobody is chosen: for looking at one hero's step.
struct Nothing;

impl Chance for Nothing {
    fn place(&mut self, _: &State) -> Option<Cell> {
        None
    }

    fn place_thing(&mut self, _: &State) -> Option<Cell> {
        None
    }

    fn refills(&self) -> bool {
        false
    }

    fn choose(&mut self, _: usize, _: usize) -> Option<usize> {
        None
    }
}

/// One tick to be explained.
pub(super) struct Task<'a> {
    pub belief: &'a Belief,
    pub observed: &'a Board,
    /// What we sent, if that is known.
    pub mine: Option<&'a str>,
    /// Boards in a row that could not be explained.
    pub failures: u32,
}

/// One text of a hero and what it looks like.
struct Step {
    text: &'static str,
    cell: Cell,
}

impl<'a> Task<'a> {
    pub(super) fn new(belief: &'a Belief, observed: &'a Board, mine: Option<&'a str>) -> Task<'a> {
        Task {
            belief,
            observed,
            mine,
            failures: 0,
        }
    }

    /// The same after so many boards in a row that could not be explained.
    pub(super) fn after(self, failures: u32) -> Task<'a> {
        Task { failures, ..self }
    }
}

impl Task<'_> {
    /// The best assignment found: without wrong cells if there is one. `None` if the field cannot be built.
    pub(super) fn solve(&self) -> Option<Found> {
        let (mut found, best) = self.search(1, &[]);
        found.pop().or(best)
    }

    /// Assignments that make the board and lead to different states, as they can be had by changes near
    /// these cells: at most so many.
    pub(super) fn others(&self, focus: &[Cell], count: usize) -> Vec<Found> {
        self.search(count, focus).0
    }

    /// Assignments that make the board, at most `wanted`, and the best one that does not.
    fn search(&self, wanted: usize, focus: &[Cell]) -> (Vec<Found>, Option<Found>) {
        let Some(first) = self.first_guess() else {
            return (Vec::new(), None);
        };
        let (mut found, mut best) = (Vec::new(), None::<Found>);
        let (mut seen, mut states) = (FxHashSet::default(), FxHashSet::default());
        let mut open = BinaryHeap::new();
        let mut held: Vec<Option<(Guess, Outcome)>> = Vec::new();
        let (mut depth, mut tries) = (0, 0);
        let most = if self.failures > 0 {
            TRIES_AGAIN
        } else {
            TRIES
        };
        // The assignment that the queue was made of.
        let mut parent: Option<(Board, Vec<usize>, Vec<usize>)> = None;
        let mut queue = vec![first];
        loop {
            for guess in queue.drain(..) {
                if tries == most {
                    return (found, best);
                }
                if !seen.insert(guess.clone()) {
                    continue;
                }
                tries += 1;
                let Some(outcome) = guess.outcome(self.belief, self.observed, self.mine) else {
                    continue;
                };
                let makes_it = outcome.makes_it();
                if makes_it && states.insert(outcome.state.hash()) {
                    let (guess, outcome) = (guess.clone(), outcome.clone());
                    found.push(Found { guess, outcome });
                    if found.len() >= wanted {
                        return (found, best);
                    }
                }
                // A change without effect leads nowhere, except another order of turns.
                let idle = parent.as_ref().is_some_and(|(board, seats, line)| {
                    *board == outcome.board && *seats == guess.seats && *line == guess.line
                });
                if idle && !outcome.lost_gold && !makes_it {
                    continue;
                }
                let cost = outcome.wrong.len() * 4
                    + self.doubt(&guess)
                    + depth
                    + usize::from(outcome.lost_gold) * 2;
                open.push(Reverse((cost, held.len(), depth)));
                held.push(Some((guess, outcome)));
            }
            let Some(Reverse((_, index, changes))) = open.pop() else {
                return (found, best);
            };
            depth = changes + 1;
            let Some((guess, outcome)) = held[index].take() else {
                continue;
            };
            queue = self.alternatives(&guess, &outcome, focus);
            let (seats, line) = (guess.seats.clone(), guess.line.clone());
            parent = Some((outcome.board.clone(), seats, line));
            let wrong = outcome.wrong.len();
            if best
                .as_ref()
                .is_none_or(|best| wrong < best.outcome.wrong.len())
            {
                best = Some(Found { guess, outcome });
            }
        }
    }

    /// How much an assignment doubts of the belief.
    fn doubt(&self, guess: &Guess) -> usize {
        let cost = |repair: &Repair| match *repair {
            Repair::Load(hunter, _) | Repair::GoldUnder(hunter) => {
                let known = |hunter: &Hunter| hunter.load_known;
                1 + 5 * usize::from(self.belief.hunters.get(hunter).is_some_and(known))
            }
            _ => 1,
        };
        guess.repairs.iter().map(cost).sum()
    }

    /// What the board suggests.
    fn first_guess(&self) -> Option<Guess> {
        let bodies = &self.belief.bodies;
        let mut guess = Guess {
            seats: (0..bodies.len()).collect(),
            fates: vec![Fate::Words(String::new()); bodies.len()],
            newcomers: Vec::new(),
            line: (0..self.belief.hunters.len()).collect(),
            aims: self.belief.hunters.iter().map(|it| it.aim).collect(),
            repairs: Vec::new(),
        };
        let steps = self.steps(&guess)?;
        let mut ends: Vec<Option<Cell>> = bodies.iter().map(|body| Some(body.hero.cell)).collect();
        self.match_rivals(&mut guess, &steps, &mut ends);
        self.match_me(&mut guess, &steps, &mut ends);
        self.aim(&mut guess, &ends);
        Some(guess)
    }

    /// Per hero the steps that look as observed: made with everybody else standing still, and made on a
    /// field without other heroes, since it is not known who goes out of whose way.
    fn steps(&self, guess: &Guess) -> Option<Vec<Vec<Step>>> {
        let (mut crowded, heroes, _) = guess.build(self.belief, &guess.line)?;
        let mut all = Vec::new();
        for (index, hero) in heroes.iter().enumerate() {
            let mut steps = Vec::new();
            if let (Some(id), true) = (*hero, self.belief.bodies[index].hero.alive) {
                let me = heroes.get(self.belief.me).copied().flatten();
                self.steps_in(&mut crowded, index, id, me, &mut steps);
                if heroes.len() > 1 {
                    let mut lonely = guess.clone();
                    lonely.seats = vec![index];
                    if let Some((mut state, heroes, _)) = lonely.build(self.belief, &guess.line)
                        && let Some(id) = heroes[index]
                    {
                        self.steps_in(&mut state, index, id, None, &mut steps);
                    }
                }
            }
            all.push(steps);
        }
        Some(all)
    }

    /// The steps of one hero on this field, we doing what we did.
    fn steps_in(
        &self,
        state: &mut State,
        index: usize,
        id: HeroId,
        me: Option<HeroId>,
        steps: &mut Vec<Step>,
    ) {
        for text in WORDS {
            let mark = state.mark();
            if let (Some(mine), Some(me), true) = (self.mine, me, index != self.belief.me) {
                state.command(me, &self.read(mine));
            }
            state.command(id, &self.read(text));
            state.tick(&mut Nothing, &mut Unheard);
            let after = *state.hero(id);
            let youngest = state.holes().next_back();
            let dug = youngest.filter(|hole| hole.opened == state.now());
            let dug = dug.map(|hole| hole.cell);
            state.undo(mark);
            let cell = after.cell;
            let known = steps.iter().any(|it| it.cell == cell && it.text == text);
            if !known && self.shows(index, cell, after.facing, text, dug) {
                steps.push(Step { text, cell });
            }
        }
    }

    fn read(&self, text: &str) -> Command {
        Command::parse(text, &self.belief.rules.grammar)
    }

    /// Whether the board shows this hero there, facing that way, and what it dug.
    fn shows(&self, hero: usize, cell: Cell, facing: Dir, text: &str, dug: Option<Cell>) -> bool {
        let Element::Hero(family, look, _) = self.observed.at(cell) else {
            return false;
        };
        if (family == Family::Me) != (hero == self.belief.me) {
            return false;
        }
        let side = is_left(look).is_none_or(|left| left == (facing == Dir::Left));
        let hole = match dug {
            Some(brick) if text.starts_with("ACT") => self.observed.at(brick) == Element::Dug,
            _ => true,
        };
        side && hole
    }

    /// Rivals and the places where rivals are seen: as many pairs as possible, the rest died, left or came.
    fn match_rivals(&self, guess: &mut Guess, steps: &[Vec<Step>], ends: &mut [Option<Cell>]) {
        let me = self.belief.me;
        let places: Vec<Cell> = self
            .observed
            .iter()
            .filter(|(_, element)| element.is_rival())
            .map(|(cell, _)| cell)
            .collect();
        // Kuhn's augmenting paths: per place the rival that is there.
        let mut taken: Vec<Option<usize>> = vec![None; places.len()];
        for rival in (0..steps.len()).filter(|&index| index != me) {
            let mut tried = vec![false; places.len()];
            augment(rival, steps, &places, &mut taken, &mut tried);
        }
        for (place, rival) in taken.iter().enumerate() {
            let Some(rival) = *rival else { continue };
            let step = steps[rival].iter().find(|step| step.cell == places[place]);
            guess.fates[rival] = Fate::Words(step.map_or("", |step| step.text).to_owned());
            ends[rival] = Some(places[place]);
        }
        let mut free = places
            .iter()
            .zip(&taken)
            .filter(|(_, rival)| rival.is_none())
            .map(|(&place, _)| place);
        for rival in (0..steps.len()).filter(|index| *index != me && !taken.contains(&Some(*index)))
        {
            ends[rival] = free.next();
            guess.fates[rival] = match ends[rival] {
                Some(place) => Fate::Reborn(self.birth(place)),
                None => Fate::Gone,
            };
        }
        guess.newcomers = free.map(|place| self.birth(place)).collect();
    }

    fn match_me(&self, guess: &mut Guess, steps: &[Vec<Step>], ends: &mut [Option<Cell>]) {
        let me = self.belief.me;
        let (Some(body), Some(place)) = (self.belief.bodies.get(me), self.observed.me()) else {
            return;
        };
        ends[me] = Some(place);
        let rules = &self.belief.rules;
        let suicide = self
            .mine
            .is_some_and(|mine| rules.is_suicide(&self.read(mine)));
        if !body.hero.alive || suicide {
            guess.fates[me] = Fate::Reborn(self.birth(place));
        } else if self.mine.is_none() {
            match steps[me].first() {
                Some(step) => guess.fates[me] = Fate::Words(step.text.to_owned()),
                None => guess.fates[me] = Fate::Reborn(self.birth(place)),
            }
        }
    }

    /// Where a hero was placed that is seen here after its first tick.
    fn birth(&self, seen: Cell) -> Cell {
        let size = self.belief.size();
        let terrain = self.belief.level.terrain();
        let below = self.observed.at(size.down(seen));
        let stands = terrain[size.down(seen)].has(Tile::LADDER | Tile::STONE)
            || below == Element::Brick
            || below.is_hero()
            || below.is_monster();
        let above = size.up(seen);
        if stands && terrain[seen].is_free() || !terrain[above].is_free() {
            seen
        } else {
            above
        }
    }

    /// Gives every monster a hero to hunt that leads it where a monster is seen, the old one if possible.
    fn aim(&self, guess: &mut Guess, ends: &[Option<Cell>]) {
        for index in 0..guess.aims.len() {
            let hunter = &self.belief.hunters[index];
            let fits = |aim: Aim| {
                let to = self.target_cell(guess, aim, ends)?;
                let next = self.next(hunter.monster.cell, to);
                self.monster_seen(next).then_some(aim)
            };
            let all = self.aims(guess);
            let found = fits(guess.aims[index]).or_else(|| all.into_iter().find_map(fits));
            guess.aims[index] = match found {
                Some(aim) => aim,
                None if hunter.idle && self.monster_seen(hunter.monster.cell) => Aim::Nobody,
                None => guess.aims[index],
            };
        }
    }

    /// Everybody whom a monster may hunt.
    pub(super) fn aims(&self, guess: &Guess) -> Vec<Aim> {
        let gone = guess
            .fates
            .iter()
            .filter(|fate| **fate == Fate::Gone)
            .count();
        let heroes = (0..guess.fates.len()).filter(|&index| guess.fates[index] != Fate::Gone);
        let newcomers = 0..guess.newcomers.len();
        let ghosts = 0..self.belief.ghosts.len() + gone;
        heroes
            .map(Aim::Hero)
            .chain(newcomers.map(Aim::Newcomer))
            .chain(ghosts.map(Aim::Ghost))
            .collect()
    }

    pub(super) fn target_cell(
        &self,
        guess: &Guess,
        aim: Aim,
        ends: &[Option<Cell>],
    ) -> Option<Cell> {
        match aim {
            Aim::Hero(hero) => ends.get(hero).copied().flatten(),
            Aim::Newcomer(number) => guess.newcomers.get(number).copied(),
            Aim::Ghost(ghost) => {
                let gone = (0..guess.fates.len()).filter(|&it| guess.fates[it] == Fate::Gone);
                let gone = gone.map(|index| self.belief.bodies[index].hero.cell);
                self.belief.ghosts.iter().copied().chain(gone).nth(ghost)
            }
            Aim::Nobody => None,
        }
    }

    /// Where a walking monster goes.
    pub(super) fn next(&self, from: Cell, to: Cell) -> Cell {
        let step = self.belief.level.chase().step(from, to);
        step.map_or(from, |dir| self.belief.size().step(from, dir))
    }

    pub(super) fn monster_seen(&self, cell: Cell) -> bool {
        let element = self.observed.at(cell);
        element.is_monster() || matches!(element, Element::Hero(_, HeroLook::Dead, _))
    }
}

/// Finds the rival a place, moving others aside if need be.
fn augment(
    rival: usize,
    steps: &[Vec<Step>],
    places: &[Cell],
    taken: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for step in &steps[rival] {
        let Some(place) = places.iter().position(|it| *it == step.cell) else {
            continue;
        };
        if std::mem::replace(&mut tried[place], true) {
            continue;
        }
        let free = match taken[place] {
            None => true,
            Some(other) => augment(other, steps, places, taken, tried),
        };
        if free {
            taken[place] = Some(rival);
            return true;
        }
    }
    false
}
