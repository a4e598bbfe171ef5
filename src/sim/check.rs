//! The canonical definition of a valid `State`: everything derived is recomputed from scratch and compared.
//! Run by tests, and in debug builds after every tick and every undo.

use super::{Hole, Item, ItemKind, Level, State, Target, Tile};
use crate::board::{Cell, Grid};
use std::cell::RefCell;

/// What is wrong with a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A cell's flags or monster count do not follow from terrain and lists.
    #[error("cell {cell:?} holds {found:?}, but terrain and lists say {expected:?}")]
    Tile {
        /// The cell.
        cell: Cell,
        /// What the grid says.
        found: Tile,
        /// What the lists say.
        expected: Tile,
    },
    /// The incremental hash is not the recomputed one.
    #[error("the incremental hash is {found:#x}, recomputed it is {expected:#x}")]
    Hash {
        /// The incremental one.
        found: u64,
        /// The recomputed one.
        expected: u64,
    },
    /// A body or gold outside the field.
    #[error("something is in cell {0:?}, outside the field")]
    Outside(Cell),
    /// A hole that is no brick, too old, in the future, or out of order.
    #[error("hole {0:?} is no brick, out of its time or out of order")]
    Hole(Hole),
    /// A seat without a hero on the field, or a hero on the field without a seat.
    #[error("seats and heroes on the field disagree")]
    Seats,
    /// A reference to a hero object that does not exist.
    #[error("monster {0} refers to a hero that does not exist")]
    Reference(usize),
    /// A bullet of a hero object that does not exist.
    #[error("{0:?} refers to a hero that does not exist")]
    Item(Item),
    /// More monsters than a tile can count.
    #[error("{0} monsters are more than a level may have")]
    Monsters(usize),
}

thread_local! {
    /// The tiles as they should be, kept from check to check: debug builds check at every step, and tests count
    /// what a step allocates.
    static SCRATCH: RefCell<Option<Grid<Tile>>> = const { RefCell::new(None) };
}

impl State {
    /// Checks the whole state.
    ///
    /// # Errors
    /// The first `Fault` found; a state made and changed by this module has none.
    pub fn check(&self) -> Result<(), Fault> {
        self.check_places()?;
        self.check_holes()?;
        self.check_references()?;
        self.check_tiles()?;
        let expected = self.full_gold_hash();
        if self.gold_hash != expected {
            return Err(Fault::Hash {
                found: self.gold_hash,
                expected,
            });
        }
        let expected = self.full_hash();
        if self.hash != expected {
            return Err(Fault::Hash {
                found: self.hash,
                expected,
            });
        }
        Ok(())
    }

    #[cfg(debug_assertions)]
    pub(super) fn debug_check(&self) {
        if let Err(fault) = self.check() {
            panic!("invalid state in tick {}: {fault}", self.tick);
        }
    }

    fn check_places(&self) -> Result<(), Fault> {
        // On a 2021 level without a floor heroes fall out of the board, and stay just below it.
        let outside = |cell| !self.classic && self.size().contains(self.size().up(cell));
        let heroes = self.heroes.iter().map(|hero| hero.cell);
        let heroes = heroes.filter(|&cell| self.size().contains(cell) || !outside(cell));
        let items = self.items.iter().map(|item| item.cell);
        let monsters = self.monsters.iter().map(|monster| monster.cell);
        let gold = self.gold.iter().map(|gold| gold.cell);
        match heroes
            .chain(monsters)
            .chain(gold)
            .chain(items)
            .find(|&cell| !self.size().contains(cell))
        {
            Some(cell) => Err(Fault::Outside(cell)),
            None => Ok(()),
        }
    }

    fn check_holes(&self) -> Result<(), Fault> {
        let mut last = i32::MIN;
        for &hole in &self.holes {
            let timer = hole.timer(self.tick);
            if !self.tile(hole.cell).is_brick()
                || !(1..=Hole::CLOSED).contains(&timer)
                || hole.opened < last
            {
                return Err(Fault::Hole(hole));
            }
            last = hole.opened;
        }
        Ok(())
    }

    fn check_references(&self) -> Result<(), Fault> {
        let known = |id: super::HeroId| id.index() < self.heroes.len();
        for (index, monster) in self.monsters.iter().enumerate() {
            let target = match monster.target {
                Target::Hero(id) => known(id),
                Target::Nobody | Target::Unknown => true,
            };
            if !target || !monster.given_up.is_none_or(known) {
                return Err(Fault::Reference(index));
            }
        }
        let present = self.heroes.iter().filter(|hero| hero.present).count();
        let seated = self
            .seats
            .iter()
            .filter(|id| known(**id) && self.hero(**id).present)
            .count();
        if present != self.seats.len() || seated != self.seats.len() {
            return Err(Fault::Seats);
        }
        if self.gear.len() != self.heroes.len() {
            return Err(Fault::Seats);
        }
        if self.rules.mover_to_end {
            let mut listed = self.listed.clone();
            let mut seats = self.seats.clone();
            listed.sort_unstable();
            seats.sort_unstable();
            if listed != seats {
                return Err(Fault::Seats);
            }
        }
        let shot =
            |item: &&Item| matches!(item.kind, ItemKind::Bullet { owner, .. } if !known(owner));
        if let Some(item) = self.items.iter().find(shot) {
            return Err(Fault::Item(*item));
        }
        if self.monsters.len() > Level::MONSTERS_MAX {
            return Err(Fault::Monsters(self.monsters.len()));
        }
        Ok(())
    }

    fn check_tiles(&self) -> Result<(), Fault> {
        let terrain = self.level.terrain();
        let mut expected = match SCRATCH.take() {
            Some(mut grid) if grid.size() == terrain.size() => {
                grid.copy_from(terrain);
                grid
            }
            _ => terrain.clone(),
        };
        let found = self.compare_tiles(&mut expected);
        SCRATCH.replace(Some(expected));
        found
    }

    /// `expected` comes as the terrain.
    fn compare_tiles(&self, expected: &mut Grid<Tile>) -> Result<(), Fault> {
        for hole in &self.holes {
            expected[hole.cell].set(Tile::SOLID, hole.timer(self.tick) >= Hole::CLOSED);
        }
        for gold in &self.gold {
            expected[gold.cell].set(Tile::GOLD, true);
        }
        let bodies = self.heroes.iter().filter(|hero| hero.present);
        let cells = bodies.map(|hero| hero.cell);
        for cell in cells.chain(self.items.iter().map(|item| item.cell)) {
            if self.classic {
                expected[cell].set(Tile::HERO | Tile::BLOCK, true);
            } else if self.size().contains(cell) {
                expected[cell].set(self.body_flags(cell), true);
            }
        }
        for monster in &self.monsters {
            expected[monster.cell].add_monster();
        }
        for cell in self.size().cells() {
            if self.tiles[cell] != expected[cell] {
                return Err(Fault::Tile {
                    cell,
                    found: self.tiles[cell],
                    expected: expected[cell],
                });
            }
        }
        Ok(())
    }
}
