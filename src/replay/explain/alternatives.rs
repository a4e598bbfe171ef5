//! Changes of an assignment: what else a client could not know about a tick, near the cells where an assignment
//! fails. Which of them is tried first is not decided here (`search`).

use super::belief::Aim;
use super::guess::{Fate, Ground, Guess, Outcome, Repair};
use super::search::{Task, WORDS};
use crate::board::{Cell, Dir, Element};
use crate::sim::Hole;

impl Task<'_> {
    /// Changes of an assignment that may mend its first wrong cells.
    ///
    /// Of one without wrong cells: changes near the cells in `focus`.
    pub(super) fn alternatives(
        &self,
        guess: &Guess,
        outcome: &Outcome,
        focus: &[Cell],
    ) -> Vec<Guess> {
        let mut all = Vec::new();
        let mut wrong: Vec<Cell> = outcome.wrong.iter().copied().take(3).collect();
        if wrong.is_empty() && focus.is_empty() {
            wrong.extend(self.observed.me());
        } else if wrong.is_empty() {
            wrong.extend(focus.iter().copied().take(3));
        }
        for cell in wrong {
            self.other_terrain(guess, cell, &mut all);
            self.other_fates(guess, outcome, cell, &mut all);
            self.other_aims(guess, outcome, cell, &mut all);
            self.other_loads(guess, cell, &mut all);
            self.other_orders(guess, outcome, cell, &mut all);
        }
        all
    }

    fn near(&self, a: Cell, b: Cell) -> bool {
        self.belief.size().spread(a, b) <= 2
    }

    fn other_fates(&self, guess: &Guess, outcome: &Outcome, wrong: Cell, all: &mut Vec<Guess>) {
        let size = self.belief.size();
        let terrain = self.belief.level.terrain();
        let births = |place: Cell| {
            let fits = move |place: &Cell| size.contains(*place) && terrain[*place].is_free();
            [place, size.up(place)].into_iter().filter(fits)
        };
        for (index, body) in self.belief.bodies.iter().enumerate() {
            let after = outcome.heroes[index].map(|id| outcome.state.hero(id).cell);
            if !self.near(body.hero.cell, wrong) && !after.is_some_and(|it| self.near(it, wrong)) {
                continue;
            }
            let mut with = |fate: Fate| {
                let mut other = guess.clone();
                other.fates[index] = fate;
                all.push(other);
            };
            let is_me = index == self.belief.me;
            let free = !is_me || self.mine.is_none();
            let reborn = matches!(guess.fates[index], Fate::Reborn(_));
            if free && body.hero.alive {
                for text in WORDS {
                    with(Fate::Words(text.to_owned()));
                }
            }
            let seen = self.observed.at(wrong);
            if (free || reborn) && seen.is_hero() && seen.is_me() == is_me {
                births(wrong).for_each(|place| with(Fate::Reborn(place)));
            }
            if let (true, Some(after)) = (reborn, after) {
                births(after).for_each(|place| with(Fate::Reborn(place)));
            }
            if index == self.belief.me && !body.facing_known {
                for facing in Dir::ALL {
                    if facing != body.hero.facing {
                        let mut other = guess.clone();
                        other.repairs.retain(|it| !matches!(it, Repair::Facing(..)));
                        other.repairs.push(Repair::Facing(index, facing));
                        all.push(other);
                    }
                }
            }
        }
        for (number, &place) in guess.newcomers.iter().enumerate() {
            if self.near(place, wrong) {
                for place in births(size.down(place)).chain(births(place)) {
                    let mut other = guess.clone();
                    other.newcomers[number] = place;
                    all.push(other);
                }
            }
        }
    }

    fn other_aims(&self, guess: &Guess, outcome: &Outcome, wrong: Cell, all: &mut Vec<Guess>) {
        let ends: Vec<Option<Cell>> = outcome
            .heroes
            .iter()
            .map(|hero| hero.map(|id| outcome.state.hero(id).cell))
            .collect();
        for (index, hunter) in self.belief.hunters.iter().enumerate() {
            let cell = hunter.monster.cell;
            if !self.near(cell, wrong) {
                continue;
            }
            let mut nexts = Vec::new();
            let aims = self.aims(guess).into_iter();
            for aim in aims.chain(hunter.idle.then_some(Aim::Nobody)) {
                let next = match aim {
                    Aim::Newcomer(number) => {
                        let end = ends.get(guess.fates.len() + number).copied().flatten();
                        end.map(|to| self.next(cell, to))
                    }
                    Aim::Nobody => Some(cell),
                    aim => self
                        .target_cell(guess, aim, &ends)
                        .map(|to| self.next(cell, to)),
                };
                let Some(next) = next.filter(|next| !nexts.contains(next)) else {
                    continue;
                };
                nexts.push(next);
                if aim != guess.aims[index] && self.monster_seen(next) {
                    let mut other = guess.clone();
                    other.aims[index] = aim;
                    all.push(other);
                }
            }
        }
    }

    fn other_loads(&self, guess: &Guess, wrong: Cell, all: &mut Vec<Guess>) {
        let elsewhere = Repair::GoldElsewhere(wrong);
        if self.belief.unsure_gold.contains(&wrong) && !guess.repairs.contains(&elsewhere) {
            let mut other = guess.clone();
            other.repairs.push(elsewhere);
            all.push(other);
        }
        for (index, hunter) in self.belief.hunters.iter().enumerate() {
            let cell = hunter.monster.cell;
            if !self.near(cell, wrong) {
                continue;
            }
            let mut repairs = Vec::new();
            // What is thought to be known of a load may rest on an ambiguous board; it only costs more.
            repairs.push(Repair::Load(index, hunter.monster.load.is_none()));
            if cell == wrong && matches!(self.observed.at(wrong), Element::Gold(_)) {
                repairs.push(Repair::GoldUnder(index));
            }
            if !hunter.facing_known {
                repairs.push(Repair::HunterFacing(index, hunter.monster.facing.reverse()));
            }
            if self.monster_seen(wrong) {
                repairs.push(Repair::Twin(index));
            }
            for repair in repairs.into_iter().filter(|it| !guess.repairs.contains(it)) {
                let mut other = guess.clone();
                other.repairs.push(repair);
                all.push(other);
            }
        }
    }

    /// Holes of unknown age, and cells that nobody has seen uncovered.
    fn other_terrain(&self, guess: &Guess, wrong: Cell, all: &mut Vec<Guess>) {
        let mut with = |repair: Repair, cell: Cell| {
            let mut other = guess.clone();
            other.repairs.retain(
                |it| !matches!(*it, Repair::Pit(at, _) | Repair::Terrain(at, _) if at == cell),
            );
            other.repairs.push(repair);
            all.push(other);
        };
        for pit in self.belief.pits.iter().filter(|pit| !pit.known) {
            if self.near(pit.cell, wrong) {
                let shown = match self.observed.at(pit.cell) {
                    Element::Closing(left) => Some(Hole::CLOSED - i32::from(left) - 1),
                    Element::Brick => Some(Hole::CLOSED - 1),
                    _ => None,
                };
                let timers = shown.map_or(0..Hole::CLOSED, |timer| timer..timer + 1);
                for timer in timers.filter(|timer| *timer != pit.timer) {
                    with(Repair::Pit(pit.cell, timer), pit.cell);
                }
            }
        }
        if !self.belief.proved.has(wrong) {
            let grounds: Vec<Ground> = match self.observed.at(wrong) {
                Element::Closing(left) => {
                    vec![Ground::Open(Hole::CLOSED - i32::from(left) - 1)]
                }
                Element::Brick => vec![Ground::Open(Hole::CLOSED - 1), Ground::Brick],
                Element::Dug => vec![Ground::Brick],
                other if other.shows_brick() => (2..Hole::CLOSED).map(Ground::Open).collect(),
                other if other.shows_ladder() => vec![Ground::Ladder],
                other if other.shows_pipe() => vec![Ground::Pipe],
                Element::Empty => vec![Ground::Empty, Ground::Open(2)],
                _ => vec![
                    Ground::Empty,
                    Ground::Open(2),
                    Ground::Open(Hole::CLOSED - 1),
                ],
            };
            for ground in grounds {
                with(Repair::Terrain(wrong, ground), wrong);
            }
        }
        // Somebody stands where nobody has looked: it matters what he stands on.
        let size = self.belief.size();
        let beside = Dir::ALL.map(|dir| size.step(wrong, dir));
        let bodies = self.belief.bodies.iter().map(|body| body.hero.cell);
        for cell in bodies.filter(|cell| *cell == wrong || beside.contains(cell)) {
            if !self.belief.proved.has(cell) {
                for ground in [
                    Ground::Open(2),
                    Ground::Open(Hole::CLOSED - 1),
                    Ground::Empty,
                ] {
                    with(Repair::Terrain(cell, ground), cell);
                }
            }
        }
    }

    /// Two neighbours that take their turns in the other order.
    fn other_orders(&self, guess: &Guess, outcome: &Outcome, wrong: Cell, all: &mut Vec<Guess>) {
        let cell = |index: usize| self.belief.bodies[index].hero.cell;
        let touches = |index: usize| {
            let after = outcome.heroes[index].map(|id| outcome.state.hero(id).cell);
            self.near(cell(index), wrong) || after.is_some_and(|it| self.near(it, wrong))
        };
        for (first, second) in pairs(&guess.seats) {
            if touches(guess.seats[first]) && touches(guess.seats[second]) {
                let mut other = guess.clone();
                let moved = other.seats.remove(second);
                other.seats.insert(first, moved);
                all.push(other);
            }
        }
        let place = |index: usize| self.belief.hunters[index].monster.cell;
        for (first, second) in pairs(&guess.line) {
            let (one, two) = (place(guess.line[first]), place(guess.line[second]));
            if self.near(one, wrong) && self.near(two, wrong) {
                let mut other = guess.clone();
                let moved = other.line.remove(second);
                other.line.insert(first, moved);
                all.push(other);
            }
        }
    }
}

/// All pairs of places of a list, the first before the second.
fn pairs(list: &[usize]) -> impl Iterator<Item = (usize, usize)> + use<> {
    let length = list.len();
    (0..length).flat_map(move |first| (first + 1..length).map(move |second| (first, second)))
}
