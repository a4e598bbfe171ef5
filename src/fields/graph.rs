//! `Graph`: every move of the hero that the terrain alone decides, as a graph over cells, forwards and
//! backwards. Not distances (`search`, `Field`), and nothing that changes from tick to tick: open holes,
//! monsters and gold are not in it.

use super::Passages;
use crate::board::{Action, Cell, CellSet, Dir, Grid, Size};
use crate::sim::{Level, Tile};

/// Ticks of the compound move: dig, step over the hole, drop into it, drop out of it.
pub const DROP_TICKS: u16 = 4;

/// The hero's move graph (RULES sections 4 and 5).
///
/// Nodes are the cells that are no brick, stone or concrete, and those brick cells that can be left once
/// they are dug: a hero in such a hole falls, or walks out. Nodes are numbered in reading order.
#[derive(Debug)]
pub struct Graph {
    size: Size,
    numbers: Grid<u16>,
    nodes: Vec<Cell>,
    forward: Edges,
    backward: Edges,
}

/// The cell is no node.
const NO_NODE: u16 = u16::MAX;

/// A move of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The action that starts it; `Stay` where the hero falls, whatever he decides.
    pub action: Action,
    /// Where it ends.
    pub to: Cell,
    /// How many ticks it takes: 1, or `DROP_TICKS` for dig-and-drop.
    pub ticks: u16,
}

/// The edges out of each node, those of one tick apart from those of `DROP_TICKS`.
#[derive(Debug)]
pub(super) struct Edges {
    /// Ends of the lists in `others`: node `n` has its steps before `ends[2 * n]` and its drops before
    /// `ends[2 * n + 1]`, each list starting where the one before ends.
    ends: Vec<u32>,
    others: Vec<u16>,
}

impl Edges {
    fn new(nodes: usize, moves: &[(u16, u16, u16)]) -> Edges {
        let list = |&(from, _, ticks): &(u16, u16, u16)| {
            2 * from as usize + usize::from(ticks == DROP_TICKS)
        };
        let mut ends = vec![0u32; 2 * nodes];
        for edge in moves {
            ends[list(edge)] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            // The start of the list for now; filling the list moves it to the end.
            *end = sum - *end;
        }
        let mut others = vec![0u16; moves.len()];
        for edge in moves {
            let place = &mut ends[list(edge)];
            others[*place as usize] = edge.1;
            *place += 1;
        }
        Edges { ends, others }
    }

    /// Nodes one tick away, then nodes `DROP_TICKS` away.
    #[inline]
    pub(super) fn of(&self, node: u16) -> (&[u16], &[u16]) {
        let index = 2 * node as usize;
        let first = index
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        let middle = self.ends[index] as usize;
        let last = self.ends[index + 1] as usize;
        (&self.others[first..middle], &self.others[middle..last])
    }
}

impl Graph {
    /// The graph of a level in which the cells of `concrete` (motionless rivals) are solid.
    pub fn new(level: &Level, concrete: &CellSet) -> Graph {
        Graph::with_passages(level, concrete, &Passages::default())
    }

    /// The same with portals and doors as they are now.
    pub fn with_passages(level: &Level, concrete: &CellSet, passages: &Passages) -> Graph {
        let size = level.size();
        let ground = Ground::new(level, concrete, passages);
        let mut numbers = Grid::filled(size, NO_NODE);
        let mut nodes = Vec::new();
        for cell in size.cells().filter(|&cell| ground.may_hold_hero(cell)) {
            numbers[cell] = nodes.len() as u16;
            nodes.push(cell);
        }
        let mut forward = Vec::with_capacity(nodes.len() * 3);
        for (number, &cell) in nodes.iter().enumerate() {
            ground.each_move(cell, |found| {
                forward.push((number as u16, numbers[found.to], found.ticks));
            });
        }
        let backward: Vec<_> = forward
            .iter()
            .map(|&(from, to, ticks)| (to, from, ticks))
            .collect();
        Graph {
            size,
            forward: Edges::new(nodes.len(), &forward),
            backward: Edges::new(nodes.len(), &backward),
            numbers,
            nodes,
        }
    }

    /// Edge and numbering of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the hero can be nowhere.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of a cell's node; `None` if the hero cannot be there, or could never leave.
    #[inline]
    pub fn number(&self, cell: Cell) -> Option<u16> {
        let number = self.numbers[cell];
        (number != NO_NODE).then_some(number)
    }

    /// The cells of all nodes, by number, which is reading order.
    pub fn cells(&self) -> &[Cell] {
        &self.nodes
    }

    #[inline]
    pub(super) fn forward(&self) -> &Edges {
        &self.forward
    }

    #[inline]
    pub(super) fn backward(&self) -> &Edges {
        &self.backward
    }
}

/// The terrain with the questions that the rules ask.
pub(super) struct Ground<'a> {
    size: Size,
    terrain: &'a Grid<Tile>,
    concrete: &'a CellSet,
    passages: &'a Passages,
}

impl<'a> Ground<'a> {
    pub(super) fn new(
        level: &'a Level,
        concrete: &'a CellSet,
        passages: &'a Passages,
    ) -> Ground<'a> {
        Ground {
            size: level.size(),
            terrain: level.terrain(),
            concrete,
            passages,
        }
    }

    fn solid(&self, cell: Cell) -> bool {
        self.terrain[cell].has(Tile::SOLID) || self.concrete.has(cell)
    }

    /// Whether the hero can be here: an open cell, or a brick that may be dug and can be left.
    fn may_hold_hero(&self, cell: Cell) -> bool {
        if !self.solid(cell) {
            return true;
        }
        let above = self.size.up(cell);
        if !self.terrain[cell].is_brick()
            || self.concrete.has(cell)
            || self.terrain[above].has(Tile::LADDER)
            || self.concrete.has(above)
        {
            return false;
        }
        let mut leaves = false;
        self.each_move(cell, |_| leaves = true);
        leaves
    }

    /// Calls back for every move out of a cell, in action order; a brick cell is taken as open. A move onto a
    /// portal ends where it leads.
    pub(super) fn each_move(&self, cell: Cell, mut found: impl FnMut(Move)) {
        if self.passages.is_empty() {
            self.each_step(cell, found);
            return;
        }
        if let Some(to) = self.passages.exit(cell) {
            let action = Action::Stay;
            found(Move {
                action,
                to,
                ticks: 1,
            });
        }
        self.each_step(cell, |step| {
            let to = self.passages.exit(step.to).unwrap_or(step.to);
            found(Move { to, ..step });
        });
    }

    fn each_step(&self, cell: Cell, mut found: impl FnMut(Move)) {
        let size = self.size;
        let (here, below) = (self.terrain[cell], size.down(cell));
        let ladder_below = self.terrain[below].has(Tile::LADDER) && !self.concrete.has(below);
        if !here.holds() && !self.solid(below) && !ladder_below {
            found(Move {
                action: Action::Stay,
                to: below,
                ticks: 1,
            });
            return;
        }
        let mut step = |action, dir| {
            let to = size.step(cell, dir);
            if !self.solid(to) && !self.passages.is_closed(to) {
                found(Move {
                    action,
                    to,
                    ticks: 1,
                });
            }
        };
        step(Action::Left, Dir::Left);
        step(Action::Right, Dir::Right);
        if here.has(Tile::LADDER) {
            step(Action::Up, Dir::Up);
        }
        if here.holds() || ladder_below {
            step(Action::Down, Dir::Down);
        }
        for (action, dir) in [(Action::DigLeft, Dir::Left), (Action::DigRight, Dir::Right)] {
            if let Some(to) = self.drop_landing(cell, dir) {
                found(Move {
                    action,
                    to,
                    ticks: DROP_TICKS,
                });
            }
        }
    }

    /// Where dig-and-drop to this side ends: beside and two below. The brick must be open to digging, the
    /// cell above it must let the hero in, and there must be room under it.
    fn drop_landing(&self, cell: Cell, dir: Dir) -> Option<Cell> {
        let beside = self.size.step(cell, dir);
        if self.solid(beside)
            || self.passages.is_closed(beside)
            || self.terrain[beside].has(Tile::LADDER)
        {
            return None;
        }
        let brick = self.size.down(beside);
        if !self.terrain[brick].is_brick() || self.concrete.has(brick) {
            return None;
        }
        let landing = self.size.down(brick);
        (!self.solid(landing)).then_some(landing)
    }
}
