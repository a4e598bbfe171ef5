//! `Level`: what never changes during a game: terrain, the start places of gold and monsters, and the
//! chase table that follows from the terrain. Not a board as printed, and not the state of a game.

use super::quarry::Found;
use super::{Chase, Gold, Item, ItemKind, Rules, Tile, chase};
use crate::board::{Board, Cell, Dir, Element, Grid, MonsterLook, ParseError, Size};
use std::sync::Arc;

/// A level, shared by all states of its games.
#[derive(Debug)]
pub struct Level {
    size: Size,
    terrain: Grid<Tile>,
    gold: Vec<Gold>,
    monsters: Vec<(Cell, Dir)>,
    items: Vec<Item>,
    chase: Chase,
    found: Found,
}

/// Why a text is no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LevelError {
    /// The text has no square shape.
    #[error(transparent)]
    Shape(#[from] ParseError),
    /// More monsters than a tile can count.
    #[error("the level has {0} monsters; at most 255 are simulated")]
    Monsters(usize),
}

impl Level {
    /// Most monsters of a level.
    pub const MONSTERS_MAX: usize = 255;

    /// Reads a map as the server does: glyphs that mean nothing in a map, hero marks among them, are empty
    /// cells (RULES section 1).
    ///
    /// # Errors
    /// `Shape` if the text is not square, `Monsters` if there are more than 255.
    pub fn parse(text: &str, rules: &Rules) -> Result<Arc<Level>, LevelError> {
        let (board, _) = Board::parse_lenient(text, rules.alphabet)?;
        Level::from_board(&board)
    }

    /// The level that a board shows when it is read as a map.
    ///
    /// # Errors
    /// `Monsters` if there are more than 255.
    pub fn from_board(board: &Board) -> Result<Arc<Level>, LevelError> {
        let size = board.size();
        let mut terrain = Grid::filled(size, Tile::of(Tile::STONE | Tile::SOLID));
        let (mut gold, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
        let mut items = Vec::new();
        for (cell, element) in board.iter() {
            terrain[cell] = Tile::of(match element {
                Element::Brick => Tile::BRICK | Tile::SOLID,
                Element::Stone => Tile::STONE | Tile::SOLID,
                Element::Ladder => Tile::LADDER,
                Element::Pipe => Tile::PIPE,
                _ => 0,
            });
            match element {
                Element::Gold(kind) => gold.push(Gold { cell, kind }),
                Element::Monster(MonsterLook::Left) => left.push((cell, Dir::Left)),
                Element::Monster(MonsterLook::Right) => right.push((cell, Dir::Right)),
                _ => {}
            }
            let kind = match element {
                Element::Pill => ItemKind::Pill,
                Element::Portal => ItemKind::Portal,
                Element::Ammo => ItemKind::Ammo,
                Element::Key(metal) => ItemKind::Key(metal),
                Element::Door(metal, open) => ItemKind::Door(metal, open),
                _ => continue,
            };
            items.push(Item { cell, kind });
        }
        // All monsters drawn facing left come before all drawn facing right (RULES section 1).
        left.append(&mut right);
        Level::with_items(terrain, gold, left, items)
    }

    /// A level from its parts; only the terrain flags of the tiles count.
    ///
    /// # Errors
    /// `Monsters` if there are more than 255.
    pub fn new(
        terrain: Grid<Tile>,
        gold: Vec<Gold>,
        monsters: Vec<(Cell, Dir)>,
    ) -> Result<Arc<Level>, LevelError> {
        Level::with_items(terrain, gold, monsters, Vec::new())
    }

    /// The same with items, each kind in the order of its list.
    ///
    /// # Errors
    /// `Monsters` if there are more than 255.
    pub fn with_items(
        mut terrain: Grid<Tile>,
        gold: Vec<Gold>,
        monsters: Vec<(Cell, Dir)>,
        items: Vec<Item>,
    ) -> Result<Arc<Level>, LevelError> {
        if monsters.len() > Level::MONSTERS_MAX {
            return Err(LevelError::Monsters(monsters.len()));
        }
        for tile in terrain.values_mut() {
            *tile = tile.terrain();
        }
        let chase = Chase::new(&terrain);
        Ok(Arc::new(Level {
            size: terrain.size(),
            terrain,
            gold,
            monsters,
            items,
            chase,
            found: Found::default(),
        }))
    }

    /// The first step from one cell to another by the rules' own search, every time anew: the oracle of
    /// `chase().step(..)`.
    pub fn search_step(&self, from: Cell, target: Cell) -> Option<Dir> {
        chase::search(&self.terrain, from, target)
    }

    /// The same level whose monsters search their ways anew each time, as the originals' do: what the chase
    /// table is measured against, never used in play.
    pub fn without_table(&self) -> Arc<Level> {
        Arc::new(Level {
            size: self.size,
            terrain: self.terrain.clone(),
            gold: self.gold.clone(),
            monsters: self.monsters.clone(),
            items: self.items.clone(),
            chase: Chase::without_table(&self.terrain),
            found: Found::default(),
        })
    }

    /// Edge and numbering.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The terrain of each cell, bricks full.
    pub fn terrain(&self) -> &Grid<Tile> {
        &self.terrain
    }

    /// Gold at the start, in reading order.
    pub fn gold(&self) -> &[Gold] {
        &self.gold
    }

    /// Monsters at the start, in the order of their turns.
    pub fn monsters(&self) -> &[(Cell, Dir)] {
        &self.monsters
    }

    /// Pills, portals, keys, ammo clips and doors at the start, in reading order. None in classic.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Next steps of hunting monsters.
    pub fn chase(&self) -> &Chase {
        &self.chase
    }

    /// Hunts searched before, for the dialects of 2021 and later.
    pub(super) fn found(&self) -> &Found {
        &self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_facing_monsters_come_first_and_marks_are_empty() {
        let level = Level::parse("☼☼☼☼☼☼»«►☼☼Q»«☼☼$$X☼☼☼☼☼☼", &Rules::CLASSIC).expect("a level");
        let places: Vec<usize> = level
            .monsters()
            .iter()
            .map(|(cell, _)| level.size().wire_index(*cell))
            .collect();
        assert_eq!(places, [7, 13, 6, 12]);
        assert_eq!(level.gold().len(), 2);
        assert!(level.terrain()[level.size().cell(3, 1)].is_free());
        assert!(level.terrain()[level.size().cell(1, 2)].is_free());
    }

    #[test]
    fn too_many_monsters_are_refused_in_one_sentence() {
        let error = Level::parse(&"«".repeat(256), &Rules::CLASSIC).expect_err("too many");
        assert_eq!(
            error.to_string(),
            "the level has 256 monsters; at most 255 are simulated"
        );
    }
}
