//! `Reach`: how soon some monster may stand on a cell, whomever it hunts.
//!
//! A lower bound over every target and every wait, under the holes there are now; holes dug later are not
//! foreseen. Where monsters will really go is the simulator's business; rivals are not looked at.

#[cfg(test)]
mod tests;

use crate::board::{Cell, Dir, Grid, Size};
use crate::sim::{Hole, Monster, State, Tile};

/// The reach map of a board's monsters, with buffers that are reused from call to call.
#[derive(Clone, Debug)]
pub struct Reach {
    size: Size,
    horizon: u8,
    /// Over all monsters.
    ticks: Grid<u8>,
    /// Of the monster at hand.
    own: Grid<u8>,
    /// Cells to go on from, by ticks.
    frontiers: Vec<Vec<Cell>>,
    pits: Vec<Pit>,
}

/// An open hole, and who else could lie in it to be walked over.
#[derive(Clone, Copy, Debug)]
struct Pit {
    cell: Cell,
    /// The first tick from now in which a monster in it finds the brick full and climbs out.
    full: u8,
    /// The monster that can be in it first, and its ticks.
    first: (usize, u8),
    /// The ticks of the next one.
    second: u8,
}

/// What one monster's search takes for granted.
#[derive(Clone, Copy)]
enum Pass {
    /// Holes can be walked over: an early bound on when each monster can fill a hole.
    Survey,
    /// A hole can be walked over only when a monster other than this one may be in it.
    Final(usize),
}

impl Reach {
    /// In `ticks`: no monster gets there within the horizon.
    pub const NEVER: u8 = u8::MAX;

    /// A map for boards of this size, on which no monster gets anywhere yet.
    pub fn new(size: Size) -> Reach {
        Reach {
            size,
            horizon: 0,
            ticks: Grid::filled(size, Reach::NEVER),
            own: Grid::filled(size, Reach::NEVER),
            frontiers: Vec::new(),
            pits: Vec::new(),
        }
    }

    /// Least ticks until some monster may stand on the cell: 0 where one is, `NEVER` beyond the horizon.
    #[inline]
    pub fn ticks(&self, cell: Cell) -> u8 {
        self.ticks[cell]
    }

    /// The whole map, as `ticks` reads it.
    #[inline]
    pub fn grid(&self) -> &Grid<u8> {
        &self.ticks
    }

    /// The map of all monsters, up to `horizon` ticks (at most 254).
    pub fn compute(&mut self, state: &State, horizon: u8) {
        self.compute_for(state, horizon, |_| true);
    }

    /// The map of the monsters that `counts` picks. The others still lie in holes to be walked over.
    pub fn compute_for(&mut self, state: &State, horizon: u8, counts: impl Fn(&Monster) -> bool) {
        if self.size != state.size() {
            *self = Reach::new(state.size());
        }
        self.horizon = horizon.min(Reach::NEVER - 1);
        self.frontiers
            .resize_with(self.horizon as usize + 1, Vec::new);
        self.ticks.fill(Reach::NEVER);
        self.survey(state);
        for (index, monster) in state.monsters().iter().enumerate() {
            if counts(monster) {
                self.search(state, monster, Pass::Final(index));
                let all = self.ticks.values_mut().iter_mut();
                for (all, own) in all.zip(self.own.values()) {
                    *all = (*all).min(*own);
                }
            }
        }
    }

    /// Lists the holes that are or will be open when a monster comes, and when the first two monsters can
    /// be in each.
    fn survey(&mut self, state: &State) {
        self.pits.clear();
        for hole in state.holes() {
            if !state.tile(hole.cell).has(Tile::SOLID) {
                self.pits.push(Pit {
                    cell: hole.cell,
                    full: (Hole::CLOSED + 1 - hole.timer(state.now())).clamp(1, 254) as u8,
                    first: (usize::MAX, Reach::NEVER),
                    second: Reach::NEVER,
                });
            }
        }
        if self.pits.is_empty() || state.monsters().len() < 2 {
            return;
        }
        for (index, monster) in state.monsters().iter().enumerate() {
            self.search(state, monster, Pass::Survey);
            for pit in &mut self.pits {
                let ticks = self.own[pit.cell];
                if ticks < pit.first.1 {
                    pit.second = pit.first.1;
                    pit.first = (index, ticks);
                } else {
                    pit.second = pit.second.min(ticks);
                }
            }
        }
    }

    /// One monster's least ticks, into `own`.
    fn search(&mut self, state: &State, monster: &Monster, pass: Pass) {
        self.own.fill(Reach::NEVER);
        for frontier in &mut self.frontiers {
            frontier.clear();
        }
        self.arrive(monster.cell, 0);
        for now in 0..self.horizon {
            let mut frontier = std::mem::take(&mut self.frontiers[now as usize]);
            for &cell in &frontier {
                if self.own[cell] == now {
                    self.go_on(state, cell, now, pass);
                }
            }
            frontier.clear();
            self.frontiers[now as usize] = frontier;
        }
    }

    /// Where the monster can be after `cell`, reached in tick `now` (RULES section 8, steps 2 to 4).
    fn go_on(&mut self, state: &State, cell: Cell, now: u8, pass: Pass) {
        let tile = state.tile(cell);
        let next = now + 1;
        if tile.is_brick() {
            // It lies in the brick until that is full, then goes straight up, whatever is there.
            let full = self.pit(cell).map_or(next, |pit| pit.full.max(next));
            self.arrive(self.size.up(cell), full);
            return;
        }
        let below = self.size.down(cell);
        if !tile.holds()
            && let Some(pit) = self.pit(below)
            && next < pit.full
        {
            self.arrive(below, next);
            let filled = match pass {
                Pass::Survey => next,
                Pass::Final(index) if pit.first.0 == index => pit.second,
                Pass::Final(_) => pit.first.1,
            };
            // Past the hole either on the back of another monster or once the brick is full again.
            self.walk(state, cell, next.max(filled.min(pit.full)));
            return;
        }
        self.walk(state, cell, next);
    }

    fn walk(&mut self, state: &State, cell: Cell, then: u8) {
        for dir in Dir::ALL {
            if state.level().chase().allows(cell, dir) {
                self.arrive(self.size.step(cell, dir), then);
            }
        }
    }

    fn arrive(&mut self, cell: Cell, ticks: u8) {
        if ticks <= self.horizon && self.size.contains(cell) && ticks < self.own[cell] {
            self.own[cell] = ticks;
            self.frontiers[ticks as usize].push(cell);
        }
    }

    fn pit(&self, cell: Cell) -> Option<Pit> {
        self.pits.iter().find(|pit| pit.cell == cell).copied()
    }
}
