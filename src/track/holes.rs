//! `Holes`: which bricks are open, since when, and who dug them, from one board to the next (RULES section 6).

use super::ground::Ground;
use super::sight::Sight;
use crate::board::Cell;
use crate::sim::Hole;

/// Largest timer of a brick that is drawn blank; the next one is drawn `4`.
const BLANK_LAST: i32 = 8;
/// Smallest timer of a brick that is drawn blank.
const BLANK_FIRST: i32 = 2;

/// An open brick as it is remembered. Times are the tracker's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OpenBrick {
    pub cell: Cell,
    /// The earliest tick in which it can have been dug: the shortest remaining time.
    pub opened: i32,
    /// How many ticks later it may have been dug as well; 0 if the age is known.
    pub slack: i32,
    /// The hero object that dug it, if that is known.
    pub owner: Option<u32>,
}

impl OpenBrick {
    fn timer(&self, now: i32) -> i32 {
        now - self.opened + 1
    }
}

/// All open bricks of the picture, oldest first, those that closed in this tick included.
#[derive(Clone, Default, Debug)]
pub(super) struct Holes {
    list: Vec<OpenBrick>,
}

impl Holes {
    pub fn list(&self) -> &[OpenBrick] {
        &self.list
    }

    /// Takes in the board of tick `now`; `digger` names the hero object that dug a brick in this tick.
    pub fn observe(
        &mut self,
        now: i32,
        sight: &Sight,
        ground: &Ground,
        digger: impl Fn(Cell) -> Option<u32>,
    ) {
        self.list
            .retain(|hole| hole.timer(now) <= Hole::CLOSED && ground.is_brick(hole.cell));
        self.catch_up(now, sight);
        for &(cell, timer) in &sight.timers {
            self.settle(cell, now - timer + 1, || digger(cell));
        }
        for &cell in ground.open() {
            let covered = sight.covers(cell);
            self.see_open(cell, now, covered);
        }
        for mark in &sight.monsters {
            if ground.is_brick(mark.cell) {
                self.see_open(mark.cell, now, true);
            }
        }
        self.drop_closed(now, sight, ground);
        self.list.sort_by_key(|hole| (hole.opened, hole.cell));
    }

    /// A hole of known age that is drawn older than it should be tells that boards were missed: all are older.
    fn catch_up(&mut self, now: i32, sight: &Sight) {
        let late = sight.timers.iter().filter(|(_, timer)| *timer > 1);
        let missed = late.filter_map(|&(cell, timer)| {
            let hole = self.list.iter().find(|hole| hole.cell == cell)?;
            (hole.slack == 0).then_some(timer - hole.timer(now))
        });
        if let Some(missed) = missed.max().filter(|&missed| missed > 0) {
            for hole in self.list.iter_mut().filter(|hole| hole.opened < now) {
                hole.opened -= missed;
            }
            self.list.retain(|hole| hole.timer(now) <= Hole::CLOSED);
        }
    }

    /// The board shows when this brick was dug.
    fn settle(&mut self, cell: Cell, opened: i32, digger: impl FnOnce() -> Option<u32>) {
        match self.list.iter_mut().find(|hole| hole.cell == cell) {
            Some(hole) if (hole.opened..=hole.opened + hole.slack).contains(&opened) => {
                hole.opened = opened;
                hole.slack = 0;
            }
            other => {
                let new = OpenBrick {
                    cell,
                    opened,
                    slack: 0,
                    owner: digger(),
                };
                match other {
                    Some(hole) => *hole = new,
                    None => self.list.push(new),
                }
            }
        }
    }

    /// A known brick is drawn open, or with a body in it (then its timer may be any).
    fn see_open(&mut self, cell: Cell, now: i32, covered: bool) {
        let oldest = if covered { Hole::CLOSED } else { BLANK_LAST };
        let oldest = now + 1 - oldest;
        let youngest = now + 1 - BLANK_FIRST;
        if let Some(hole) = self.list.iter_mut().find(|hole| hole.cell == cell) {
            // What is too old to be drawn like this is as old as it can be.
            let latest = (hole.opened + hole.slack).min(youngest);
            hole.opened = hole.opened.max(oldest);
            hole.slack = (latest - hole.opened).max(0);
        } else {
            // A body in a hole of unknown age: at least one more board of it is expected.
            let opened = if covered { oldest + 1 } else { oldest };
            self.list.push(OpenBrick {
                cell,
                opened,
                slack: youngest - opened,
                owner: None,
            });
        }
    }

    /// Forgets holes that should still be open by the memory but are drawn full.
    fn drop_closed(&mut self, now: i32, sight: &Sight, ground: &Ground) {
        self.list.retain(|hole| {
            hole.timer(now) >= Hole::CLOSED
                || ground.open().contains(&hole.cell)
                || sight.timers.iter().any(|&(cell, _)| cell == hole.cell)
                || sight.covers(hole.cell)
        });
    }
}
