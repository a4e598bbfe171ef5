//! `Ground`: the terrain as far as boards have shown it, remembered under bodies and holes. A blank cell is empty
//! terrain until it shows otherwise (ALGORITHM section 8). Not the age of holes: that is `Holes`.

use crate::board::{Board, Cell, Element, Grid, HeroLook, MonsterLook, Size};
use crate::sim::Tile;

const EMPTY: Tile = Tile::EMPTY;
const BRICK: Tile = Tile::of(Tile::BRICK | Tile::SOLID);
const STONE: Tile = Tile::of(Tile::STONE | Tile::SOLID);
const LADDER: Tile = Tile::of(Tile::LADDER);
const PIPE: Tile = Tile::of(Tile::PIPE);

/// What a picture proves about the terrain of its cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// This terrain and no other.
    Is(Tile),
    /// Empty terrain, or a brick that is open.
    Open,
    /// Nothing at all: a dead hero hides everything.
    Nothing,
}

/// Terrain memory of one game.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    terrain: Grid<Tile>,
    /// Cells of which at most a dead hero has been seen so far.
    unseen: Vec<Cell>,
    /// Known bricks that this board shows open, a body in them or not.
    open: Vec<Cell>,
}

/// How far a board and the memory differed.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Difference {
    /// Cells whose remembered terrain changed.
    pub changed: usize,
    /// Cells in which the board denied what an earlier one had shown.
    pub denied: usize,
}

impl Ground {
    pub fn new(board: &Board) -> Ground {
        let mut ground = Ground {
            terrain: Grid::filled(board.size(), STONE),
            unseen: Vec::new(),
            open: Vec::new(),
        };
        for (cell, element) in board.iter() {
            ground.terrain[cell] = match proof(element) {
                Proof::Is(tile) => tile,
                Proof::Open => EMPTY,
                Proof::Nothing => {
                    ground.unseen.push(cell);
                    EMPTY
                }
            };
        }
        ground.mend_corner(board);
        ground
    }

    /// Gold that finds no place is put into the corner at the bottom left, whatever is there (RULES
    /// section 7): a border that goes on above and to the right of it goes through it.
    fn mend_corner(&mut self, board: &Board) {
        let size = board.size();
        let corner = size.from_point(0, 0);
        let border = |cell: Cell| size.contains(cell) && board.at(cell) == Element::Stone;
        if matches!(board.at(corner), Element::Gold(_))
            && border(size.up(corner))
            && border(corner.right())
        {
            self.terrain[corner] = STONE;
        }
    }

    /// Takes in the next board, which must have the same size.
    pub fn observe(&mut self, board: &Board) -> Difference {
        let mut difference = Difference::default();
        self.open.clear();
        let size = board.size();
        for (row, elements) in board.elements().chunks(size.edge()).enumerate() {
            let mut cell = size.cell(0, row);
            for &element in elements {
                self.merge(cell, element, &mut difference);
                cell = cell.right();
            }
        }
        difference
    }

    fn merge(&mut self, cell: Cell, element: Element, difference: &mut Difference) {
        let known = self.terrain[cell];
        let found = match proof(element) {
            Proof::Is(tile) if tile == known => return,
            Proof::Is(tile) => tile,
            Proof::Open if known == EMPTY => return,
            Proof::Open if known == BRICK => {
                self.open.push(cell);
                return;
            }
            Proof::Open => EMPTY,
            Proof::Nothing => {
                if known == BRICK {
                    self.open.push(cell);
                }
                return;
            }
        };
        // Gold covers the corner without changing it.
        if known == STONE && cell == self.size().from_point(0, 0) && element_is_gold(element) {
            return;
        }
        let unseen = self.unseen.iter().position(|&other| other == cell);
        if let Some(place) = unseen {
            self.unseen.swap_remove(place);
        } else if !(known == EMPTY && found == BRICK) {
            difference.denied += 1;
        }
        self.terrain[cell] = found;
        difference.changed += 1;
    }

    pub fn size(&self) -> Size {
        self.terrain.size()
    }

    pub fn terrain(&self) -> &Grid<Tile> {
        &self.terrain
    }

    pub fn is_brick(&self, cell: Cell) -> bool {
        self.terrain[cell].is_brick()
    }

    pub fn is_empty(&self, cell: Cell) -> bool {
        self.terrain[cell] == EMPTY
    }

    pub fn is_ladder(&self, cell: Cell) -> bool {
        self.terrain[cell].has(Tile::LADDER)
    }

    pub fn is_pipe(&self, cell: Cell) -> bool {
        self.terrain[cell].has(Tile::PIPE)
    }

    /// Known bricks that the last board showed open, in reading order: blank, or a hero in them (a dead one
    /// perhaps in a brick that has closed).
    pub fn open(&self) -> &[Cell] {
        &self.open
    }
}

const fn element_is_gold(element: Element) -> bool {
    matches!(element, Element::Gold(_))
}

/// RULES section 2, third column.
fn proof(element: Element) -> Proof {
    match element {
        Element::Stone => Proof::Is(STONE),
        _ if element.shows_brick() => Proof::Is(BRICK),
        _ if element.shows_ladder() => Proof::Is(LADDER),
        _ if element.shows_pipe() => Proof::Is(PIPE),
        Element::Hero(_, HeroLook::Dead, _) => Proof::Nothing,
        Element::Gold(_) | Element::Monster(MonsterLook::Left | MonsterLook::Right) => {
            Proof::Is(EMPTY)
        }
        _ => Proof::Open,
    }
}
