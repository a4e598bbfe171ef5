//! Makes levels from a seed: zones of storeys, joined by ladders and pipes, with gold on floors and in
//! brick pockets. What it is not: a judge of levels (`survey` says what can be reached).
//!
//! Every stretch of floor gets a ladder down to the next floor below it. Ladders work both ways and
//! the bottom row is one open stretch, so from any floor every other one can be reached without digging; only
//! pockets need it, and a pocket's bottom is dug out the same way as its roof.

use super::survey::out_of_reach;
use crate::board::{Board, Cell, Element, GoldKind, MonsterLook, Size};
use crate::rng::{Dice, Purpose, Seeded};
use crate::sim::Level;

/// What to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Cells along one edge, border included: 8 to 128.
    pub edge: usize,
    /// Pieces of gold.
    pub gold: usize,
    /// Monsters.
    pub monsters: usize,
    /// The same plan and seed give the same level for ever.
    pub seed: u64,
}

/// Why a plan cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The edge is out of range.
    #[error("a level of size {0} cannot be generated; choose 8 to 128")]
    Edge(usize),
    /// Not enough floor.
    #[error(
        "only {room} cells of this level have a floor, too few for {wanted} gold and monsters; \
         choose a larger size or fewer of them"
    )]
    Crowded {
        /// Cells that could take one.
        room: usize,
        /// Gold and monsters together.
        wanted: usize,
    },
}

/// Generates a level in the classic alphabet's elements: full stone border, brick, stone, ladders,
/// pipes, gold and monsters; no hero.
///
/// # Errors
/// [`PlanError`] if the plan's numbers do not fit each other.
pub fn generate(plan: &Plan) -> Result<Board, PlanError> {
    let size = Size::new(plan.edge)
        .filter(|_| plan.edge >= 8)
        .ok_or(PlanError::Edge(plan.edge))?;
    let mut sketch = Sketch {
        board: Board::empty(size),
        dice: Seeded::new(plan.seed),
    };
    sketch.border();
    let inside = Zone {
        left: 1,
        right: plan.edge - 2,
        top: 1,
        bottom: plan.edge - 1,
    };
    sketch.zone(inside);
    sketch.ladders();
    sketch.sky();
    sketch.pipes();
    sketch.seal();
    sketch.place(plan)?;
    Ok(sketch.board)
}

/// A rectangle of the field; `bottom` is a row of floor (the lowest zones have the border there).
#[derive(Clone, Copy, Debug)]
struct Zone {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Zone {
    fn width(self) -> usize {
        self.right + 1 - self.left
    }

    fn height(self) -> usize {
        self.bottom - self.top
    }
}

struct Sketch {
    board: Board,
    dice: Seeded,
}

impl Sketch {
    fn edge(&self) -> usize {
        self.board.size().edge()
    }

    fn at(&self, x: usize, row: usize) -> Element {
        self.board.at(self.board.size().cell(x, row))
    }

    fn set(&mut self, x: usize, row: usize, element: Element) {
        self.board.set(self.board.size().cell(x, row), element);
    }

    /// Uniform in `low..=high`.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.dice.draw((high - low + 1) as u32, Purpose::Sample) as usize
    }

    /// True `percent` times in a hundred.
    fn chance(&mut self, percent: u32) -> bool {
        self.dice.draw(100, Purpose::Sample) < percent
    }

    fn solid(&self, x: usize, row: usize) -> bool {
        matches!(self.at(x, row), Element::Brick | Element::Stone)
    }

    /// An empty cell with something solid right below.
    fn is_floor(&self, x: usize, row: usize) -> bool {
        self.at(x, row) == Element::Empty && self.solid(x, row + 1)
    }

    /// Where one can stand or hang: part of a stretch.
    fn is_walkable(&self, x: usize, row: usize) -> bool {
        match self.at(x, row) {
            Element::Ladder | Element::Pipe => true,
            Element::Empty => self.solid(x, row + 1) || self.at(x, row + 1) == Element::Ladder,
            _ => false,
        }
    }

    fn border(&mut self) {
        let last = self.edge() - 1;
        for at in 0..=last {
            for (x, row) in [(at, 0), (at, last), (0, at), (last, at)] {
                self.set(x, row, Element::Stone);
            }
        }
    }

    /// Cuts large zones in two at a place off the middle and fills small ones with storeys.
    fn zone(&mut self, zone: Zone) {
        let wide = zone.width() >= 22 && (zone.width() > 30 || self.chance(80));
        let high = zone.height() >= 18 && (zone.height() > 26 || self.chance(70));
        if wide && (!high || self.chance(50)) {
            let cut = zone.left + zone.width() * self.between(35, 65) / 100;
            self.zone(Zone {
                right: cut - 1,
                ..zone
            });
            self.zone(Zone { left: cut, ..zone });
        } else if high {
            let cut = zone.top + zone.height() * self.between(35, 65) / 100;
            self.zone(Zone {
                bottom: cut,
                ..zone
            });
            self.zone(Zone {
                top: cut + 1,
                ..zone
            });
        } else {
            self.storeys(zone);
        }
    }

    /// Rows from one floor to the next one up: lower rooms in small levels.
    fn step(&mut self) -> usize {
        let low = if self.edge() < 14 { 2 } else { 3 };
        let high = usize::from(self.chance(45));
        let higher = usize::from(self.edge() >= 20 && self.chance(20));
        low + high + higher
    }

    /// Floors from the zone's bottom upward.
    fn storeys(&mut self, zone: Zone) {
        let mut row = zone.bottom;
        if row < self.edge() - 1 {
            self.floor(zone, row);
        }
        loop {
            let step = self.step();
            // A floor needs two free rows below the zone's top, or the border's ceiling presses on heads.
            if row < zone.top + step + 1 {
                break;
            }
            row -= step;
            self.floor(zone, row);
            if step >= 4 && self.chance(35) {
                self.pocket(zone, row);
            }
        }
    }

    /// One row of floor: runs of brick or stone, and gaps between some of them.
    fn floor(&mut self, zone: Zone, row: usize) {
        let broken = self.chance(55);
        let mut x = zone.left;
        while x <= zone.right {
            let left_over = zone.right + 1 - x;
            let run = self.between(4, 11).min(left_over);
            let material = if self.chance(12) {
                Element::Stone
            } else {
                Element::Brick
            };
            for cell in x..x + run {
                self.set(cell, row, material);
            }
            x += run;
            if broken && zone.right + 1 > x + 3 && self.chance(60) {
                let gap = self.between(2, 5).min(zone.right + 1 - x);
                // Most gaps are crossed hand over hand, in the row in which one walks.
                if self.chance(65) && row >= 2 {
                    for cell in x..x + gap {
                        self.set(cell, row - 1, Element::Pipe);
                    }
                }
                x += gap;
            }
        }
    }

    /// A chamber of two to four cells between the floor at `row` and a brick row of its own, closed
    /// on all sides by brick: the way in is dug, and so is the way out.
    fn pocket(&mut self, zone: Zone, row: usize) {
        if zone.width() < 8 {
            return;
        }
        let width = self.between(2, 4);
        let left = self.between(zone.left + 1, zone.right - width - 1);
        // The cells below stay free, so that whoever digs out lands somewhere.
        for x in left - 1..=left + width {
            for below in row..=row + 2 {
                self.set(x, below, Element::Brick);
            }
            if self.at(x, row - 1) == Element::Pipe {
                self.set(x, row - 1, Element::Empty);
            }
        }
        for x in left..left + width {
            self.set(x, row + 1, Element::Gold(GoldKind::Yellow));
        }
    }

    /// A ladder down from every stretch of floor, and more from long ones.
    fn ladders(&mut self) {
        for row in 1..self.edge() - 2 {
            let mut x = 1;
            while x < self.edge() - 1 {
                let start = x;
                while x < self.edge() - 1 && self.is_walkable(x, row) {
                    x += 1;
                }
                let feet: Vec<usize> = (start..x).filter(|&x| self.is_floor(x, row)).collect();
                let wanted = (1 + feet.len() / 14).min(feet.len());
                for part in 0..wanted {
                    let from = feet.len() * part / wanted;
                    let to = feet.len() * (part + 1) / wanted;
                    let at = self.foot(&feet[from..to], row);
                    self.ladder(at, row);
                }
                x = x.max(start + 1);
            }
        }
    }

    /// Which of some columns a ladder goes down in: not beside another one and not into a pocket, if
    /// that can be had.
    fn foot(&mut self, columns: &[usize], row: usize) -> usize {
        let mut best = columns[0];
        for _ in 0..12 {
            best = columns[self.between(0, columns.len() - 1)];
            let beside = [best - 1, best + 1].into_iter().any(|x| {
                self.at(x, row + 1) == Element::Ladder || self.at(x, row + 2) == Element::Ladder
            });
            let below = (row + 2).min(self.edge() - 1);
            if !beside
                && !self.solid(best, below)
                && !matches!(self.at(best, below), Element::Gold(_))
            {
                break;
            }
        }
        best
    }

    /// A ladder from the floor below (`x`, `row`) down to the next cell that has something to stand on.
    fn ladder(&mut self, x: usize, row: usize) {
        let last = self.edge() - 1;
        let mut below = row + 1;
        // Through the floor, however thick it is, but never through the border.
        while below < last && self.solid(x, below) {
            self.set(x, below, Element::Ladder);
            below += 1;
        }
        while below < last && !self.solid(x, below) && self.at(x, below) != Element::Ladder {
            self.set(x, below, Element::Ladder);
            below += 1;
        }
    }

    /// A ladder from the highest floors up to a pipe below the ceiling: without it gold that appears
    /// in the air there stays for ever.
    fn sky(&mut self) {
        let mut x = 1;
        while x < self.edge() - 1 {
            let start = x;
            while x < self.edge() - 1 && (1..4).all(|row| self.at(x, row) == Element::Empty) {
                x += 1;
            }
            let feet: Vec<(usize, usize)> = (start..x).filter_map(|x| self.top_floor(x)).collect();
            if x - start >= 4 && !feet.is_empty() {
                let (foot, floor) = feet[self.between(0, feet.len() - 1)];
                for row in 1..=floor {
                    self.set(foot, row, Element::Ladder);
                }
                for at in (start..x).filter(|&at| at != foot) {
                    self.set(at, 1, Element::Pipe);
                }
            }
            x = x.max(start + 1);
        }
    }

    /// The highest cell of a column that one can stand on, if only air is above it.
    fn top_floor(&self, x: usize) -> Option<(usize, usize)> {
        let row = (1..self.edge() - 1)
            .take_while(|&row| self.at(x, row) == Element::Empty)
            .last()?;
        self.is_floor(x, row).then_some((x, row))
    }

    /// Pipes that leave ladders sideways, high above a floor.
    fn pipes(&mut self) {
        for row in 2..self.edge() - 4 {
            for x in 2..self.edge() - 2 {
                if self.at(x, row) != Element::Ladder || !self.chance(16) {
                    continue;
                }
                let right = self.chance(50);
                let length = self.between(4, 10);
                let reach: Vec<usize> = (1..=length)
                    .map_while(|step| {
                        if right {
                            Some(x + step)
                        } else {
                            x.checked_sub(step)
                        }
                    })
                    .take_while(|&at| at > 0 && at < self.edge() - 1 && self.is_airy(at, row))
                    .collect();
                if reach.len() >= 3 {
                    for at in reach {
                        self.set(at, row, Element::Pipe);
                    }
                }
            }
        }
    }

    /// Empty, with two empty cells below and no pipe right above.
    fn is_airy(&self, x: usize, row: usize) -> bool {
        (row..=row + 2).all(|row| self.at(x, row) == Element::Empty)
            && self.at(x, row - 1) != Element::Pipe
    }

    /// Fills the air that nobody can get to with brick: gold that appears there would stay for ever.
    fn seal(&mut self) {
        // There are no monsters yet, so the board is always a level.
        while let Ok(level) = Level::from_board(&self.board) {
            let floor = self
                .board
                .size()
                .cells()
                .find(|&cell| self.is_free_floor(cell));
            let lost = floor
                .map(|start| out_of_reach(&level, start))
                .unwrap_or_default();
            if lost.is_empty() {
                break;
            }
            // Brick above brick protects it from being dug, which may put more out of reach.
            for cell in lost {
                self.board.set(cell, Element::Brick);
            }
        }
    }

    /// Gold and monsters on floors, spread over the whole level.
    fn place(&mut self, plan: &Plan) -> Result<(), PlanError> {
        let gold = Element::Gold(GoldKind::Yellow);
        let mut hidden: Vec<Cell> = self
            .board
            .iter()
            .filter(|(_, element)| *element == gold)
            .map(|(cell, _)| cell)
            .collect();
        self.shuffle(&mut hidden);
        // Pockets hold at most a third of the gold; the rest of them are empty rooms.
        let kept = hidden.len().min(plan.gold.div_ceil(3));
        for cell in hidden.split_off(kept) {
            self.board.set(cell, Element::Empty);
        }

        let size = self.board.size();
        let mut floors: Vec<Cell> = size
            .cells()
            .filter(|&cell| self.is_free_floor(cell))
            .collect();
        let wanted = plan.gold - kept + plan.monsters;
        if floors.len() < wanted {
            return Err(PlanError::Crowded {
                room: floors.len() + kept,
                wanted: plan.gold + plan.monsters,
            });
        }
        self.shuffle(&mut floors);
        let mut used: Vec<Cell> = hidden;
        for (count, element) in [
            (plan.gold - kept, gold),
            (plan.monsters, Element::Monster(MonsterLook::Left)),
        ] {
            for _ in 0..count {
                let cell = self.roomiest(&mut floors, &used);
                self.board.set(cell, element);
                used.push(cell);
            }
        }
        Ok(())
    }

    fn is_free_floor(&self, cell: Cell) -> bool {
        let size = self.board.size();
        let (x, row) = (size.x(cell), size.row(cell));
        row + 1 < self.edge() && self.is_floor(x, row)
    }

    /// Takes the candidate farthest from what is placed already, of a few drawn ones: spread out, not regular.
    fn roomiest(&mut self, candidates: &mut Vec<Cell>, used: &[Cell]) -> Cell {
        let size = self.board.size();
        let tries = candidates.len().min(4);
        let distance = |cell: Cell| used.iter().map(|&other| size.spread(cell, other)).min();
        let start = candidates.len() - tries;
        let best = (start..candidates.len())
            .max_by_key(|&index| distance(candidates[index]))
            .unwrap_or(start);
        candidates.remove(best)
    }

    fn shuffle(&mut self, cells: &mut [Cell]) {
        for last in (1..cells.len()).rev() {
            let other = self.between(0, last);
            cells.swap(last, other);
        }
    }
}
