//! `Chase`: the next step of a monster that hunts a place (RULES section 10). Depends on terrain only, so it
//! is a table: for each target a row with one step a cell, built when first asked for. The plain
//! breadth-first search of the rules stays beside it as the oracle.

use super::Tile;
use crate::board::{Cell, Dir, Grid};
use std::collections::VecDeque;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The chase graph of a level and its lazily filled next-step table.
#[derive(Debug)]
pub struct Chase {
    /// Allowed steps from each cell: bit `d` for `Dir` number `d`; 0 for bricks, border, outside.
    exits: Grid<u8>,
    /// Row and column number of each passable cell.
    numbers: Grid<u16>,
    passable: Vec<Cell>,
    /// For each passable cell, by number, the cells from which a step LEFT, RIGHT, UP, DOWN leads to it; the
    /// number of passable cells where there is none.
    before: Vec<[u16; 4]>,
    rows: Vec<OnceLock<Box<[u8]>>>,
    bytes: AtomicUsize,
    /// The terrain, if every question is to be answered by the plain search and no row kept.
    plain: Option<Grid<Tile>>,
}

/// The cell has no row or column.
const NO_NUMBER: u16 = u16::MAX;
/// No way, or already there.
const NO_STEP: u8 = 4;
/// The low bits of an entry are the step, the others the distance.
const STEP_BITS: u32 = 3;
/// Rows beyond this many bytes are computed anew each time and not kept.
const BYTES_MAX: usize = 64 << 20;

impl Chase {
    pub(super) fn new(terrain: &Grid<Tile>) -> Chase {
        let size = terrain.size();
        let blocked = |cell: Cell| terrain[cell].has(Tile::BRICK | Tile::STONE);
        let mut exits = Grid::filled(size, 0u8);
        let mut numbers = Grid::filled(size, NO_NUMBER);
        let mut passable = Vec::new();
        for cell in size.cells().filter(|&cell| !blocked(cell)) {
            numbers[cell] = passable.len() as u16;
            passable.push(cell);
            // The outside below the bottom row counts as stone, as the rule's "bottom row" does.
            let stands = terrain[cell].holds()
                || terrain[size.down(cell)].has(Tile::BRICK | Tile::STONE | Tile::LADDER);
            for dir in Dir::ALL {
                let allowed = match dir {
                    Dir::Down => true,
                    Dir::Up => stands && terrain[cell].has(Tile::LADDER),
                    Dir::Left | Dir::Right => stands,
                };
                if allowed && !blocked(size.step(cell, dir)) {
                    exits[cell] |= 1 << dir as u8;
                }
            }
        }
        let none = passable.len() as u16;
        let before = passable.iter().map(|&cell| {
            Dir::ALL.map(|dir| {
                let from = size.step(cell, dir.reverse());
                let allowed = exits[from] & (1 << dir as u8) != 0;
                if allowed { numbers[from] } else { none }
            })
        });
        let before = before.collect();
        let rows = (0..passable.len()).map(|_| OnceLock::new()).collect();
        Chase {
            exits,
            numbers,
            passable,
            before,
            rows,
            bytes: AtomicUsize::new(0),
            plain: None,
        }
    }

    /// The same chase without a table: what the table is measured against, never used in play.
    pub(super) fn without_table(terrain: &Grid<Tile>) -> Chase {
        Chase {
            plain: Some(terrain.clone()),
            ..Chase::new(terrain)
        }
    }

    /// The first step from `from` towards `target`; `None` if there is no way or both are the same cell.
    #[inline]
    pub fn step(&self, from: Cell, target: Cell) -> Option<Dir> {
        let step = self.entry(from, target) & ((1 << STEP_BITS) - 1);
        (step < NO_STEP).then(|| Dir::ALL[step as usize])
    }

    /// Steps of the shortest way, at most `FAR`; `None` if there is no way.
    #[inline]
    pub fn distance(&self, from: Cell, target: Cell) -> Option<u8> {
        let entry = self.entry(from, target);
        let steps = entry >> STEP_BITS;
        (steps > 0 || (from == target && entry == NO_STEP && self.exits_known(from)))
            .then_some(steps)
    }

    /// The largest distance told; anything farther is told as this.
    pub const FAR: u8 = u8::MAX >> STEP_BITS;

    fn exits_known(&self, cell: Cell) -> bool {
        self.number(cell).is_some()
    }

    /// The place of a cell among those that can be passed.
    #[inline]
    pub(super) fn number(&self, cell: Cell) -> Option<usize> {
        let number = self.numbers[cell];
        (number != NO_NUMBER).then_some(number as usize)
    }

    /// Step and distance in one byte; `NO_STEP` with distance 0 if there is no way or no need of one.
    #[inline]
    fn entry(&self, from: Cell, target: Cell) -> u8 {
        let row = self.numbers[target];
        let column = self.numbers[from];
        if row == NO_NUMBER || column == NO_NUMBER {
            return NO_STEP;
        }
        match self.rows[row as usize].get() {
            Some(steps) => steps[column as usize],
            None => self.miss(row, column),
        }
    }

    #[cold]
    fn miss(&self, row: u16, column: u16) -> u8 {
        let length = self.passable.len();
        if let Some(terrain) = &self.plain {
            let (from, target) = (self.passable[column as usize], self.passable[row as usize]);
            return search(terrain, from, target).map_or(NO_STEP, |dir| dir as u8);
        }
        if self.bytes.load(Ordering::Relaxed) + length > BYTES_MAX {
            return self.row(row)[column as usize];
        }
        let steps = self.rows[row as usize].get_or_init(|| {
            self.bytes.fetch_add(length, Ordering::Relaxed);
            self.row(row)
        });
        steps[column as usize]
    }

    /// Fills the whole table, as far as the 64 MiB cap allows; meant for a background thread.
    pub fn fill(&self) {
        for &target in &self.passable {
            self.step(target, target);
        }
    }

    /// Cells that a monster may walk on, in reading order.
    pub fn passable(&self) -> &[Cell] {
        &self.passable
    }

    /// Whether a monster may take this step at all.
    #[inline]
    pub fn allows(&self, from: Cell, dir: Dir) -> bool {
        self.exits[from] & (1 << dir as u8) != 0
    }

    /// One row: a reverse breadth-first search from the target, which gives each cell the first of LEFT,
    /// RIGHT, UP, DOWN that lowers the distance. That is the step the rules' forward search takes, which
    /// `tests/chase.rs` checks for every pair of cells.
    fn row(&self, target: u16) -> Box<[u8]> {
        const FAR: u16 = u16::MAX;
        let none = self.passable.len();
        let mut steps = vec![NO_STEP; none];
        // The last place stands for "no cell": its distance is neither far nor ever the next one.
        let mut distance = vec![FAR; none + 1];
        distance[none] = 0;
        distance[target as usize] = 0;
        let mut queue = Vec::with_capacity(none);
        queue.push(target);
        let mut head = 0;
        while let Some(&cell) = queue.get(head) {
            head += 1;
            let next = distance[cell as usize] + 1;
            for (step, &before) in (0..).zip(&self.before[cell as usize]) {
                let far = distance[before as usize];
                if far == FAR {
                    distance[before as usize] = next;
                    steps[before as usize] = step;
                    queue.push(before);
                } else if far == next {
                    let known = &mut steps[before as usize];
                    *known = step.min(*known);
                }
            }
        }
        for (step, &far) in steps.iter_mut().zip(&distance) {
            if *step < NO_STEP {
                *step |= (far.min(u16::from(Chase::FAR)) as u8) << STEP_BITS;
            }
        }
        steps.into_boxed_slice()
    }
}

/// The rules' own search, word for word and from the terrain alone, every time anew: the oracle of the table.
/// Never used in play.
pub(super) fn search(terrain: &Grid<Tile>, from: Cell, target: Cell) -> Option<Dir> {
    let size = terrain.size();
    let closed = |cell: Cell| terrain[cell].has(Tile::BRICK | Tile::STONE);
    let allowed = |cell: Cell, dir: Dir| {
        let next = size.step(cell, dir);
        let below = size.down(cell);
        let bottom = size.row(cell) + 1 == size.edge();
        let stands = terrain[cell].has(Tile::LADDER | Tile::PIPE)
            || terrain[below].has(Tile::BRICK | Tile::STONE | Tile::LADDER)
            || bottom;
        size.contains(next)
            && !closed(cell)
            && !closed(next)
            && (dir != Dir::Up || terrain[cell].has(Tile::LADDER))
            && (dir == Dir::Down || stands)
    };
    if from == target {
        return None;
    }
    let mut ways: Grid<Option<Dir>> = Grid::filled(size, None);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for dir in Dir::ALL.into_iter().filter(|&dir| allowed(cell, dir)) {
            let next = size.step(cell, dir);
            if next == from || ways[next].is_some() {
                continue;
            }
            ways[next] = if cell == from { Some(dir) } else { ways[cell] };
            if next == target {
                return ways[next];
            }
            queue.push_back(next);
        }
    }
    None
}
