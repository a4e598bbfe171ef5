//! `Cell` and `Size`: places of a square board, and how they are numbered.
//! Not what stands there: that is `Element` (as printed) or `sim::State` (as simulated).

use super::Dir;
use std::fmt;
use std::num::NonZeroU16;

/// A place on *this* board: an index into a padded grid, never a bare wire index.
///
/// The grid has one ring of outside cells around the field, and its row stride is a power of two,
/// so a step is one addition and never needs a bounds test: a field cell's neighbour is a field
/// cell or an outside cell. Index 0 is an outside corner, which makes `Option<Cell>` two bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(NonZeroU16);

const _: () = assert!(size_of::<Option<Cell>>() == 2);

impl Cell {
    /// The cell with this padded index. Index 0 (never a field cell) becomes index 1, an outside cell.
    #[inline]
    pub const fn from_index(index: u16) -> Cell {
        match NonZeroU16::new(index) {
            Some(index) => Cell(index),
            None => Cell(NonZeroU16::MIN),
        }
    }

    /// The padded index, for `Grid` and for packing into keys.
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The neighbour to the left (perhaps an outside cell).
    #[inline]
    #[must_use]
    pub const fn left(self) -> Cell {
        Cell::from_index(self.0.get().wrapping_sub(1))
    }

    /// The neighbour to the right (perhaps an outside cell).
    #[inline]
    #[must_use]
    pub const fn right(self) -> Cell {
        Cell::from_index(self.0.get().wrapping_add(1))
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cell({})", self.0)
    }
}

/// The edge of a square board, 1 to 128 cells, with the padded numbering that follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    edge: u8,
    shift: u8,
}

impl Size {
    /// Largest edge that is read, in cells.
    pub const EDGE_MAX: usize = 128;
    /// A board of one cell: what maps are made for before any board is known.
    pub const SMALLEST: Size = Size { edge: 1, shift: 2 };

    /// A board of `edge` by `edge` cells; `None` outside 1..=128.
    pub fn new(edge: usize) -> Option<Size> {
        if !(1..=Self::EDGE_MAX).contains(&edge) {
            return None;
        }
        let shift = (edge + 2).next_power_of_two().trailing_zeros() as u8;
        Some(Size {
            edge: edge as u8,
            shift,
        })
    }

    /// Cells along one edge.
    #[inline]
    pub const fn edge(self) -> usize {
        self.edge as usize
    }

    /// Cells of the field, `edge * edge`: the length of a board on the wire, in characters.
    pub const fn area(self) -> usize {
        self.edge() * self.edge()
    }

    /// Distance of two rows in the padded numbering.
    #[inline]
    pub const fn stride(self) -> usize {
        1 << self.shift
    }

    /// Number of padded indices: the length of a `Grid`.
    pub const fn padded_area(self) -> usize {
        (self.edge() + 2) << self.shift
    }

    /// The cell in column `x` from the left and row `row` from the top, both from 0.
    ///
    /// Callers pass `x, row < edge`; anything else names some other or an outside cell.
    #[inline]
    pub const fn cell(self, x: usize, row: usize) -> Cell {
        Cell::from_index((((row + 1) << self.shift) | (x + 1)) as u16)
    }

    /// The cell with this server coordinate: `y` grows upward, `(0, 0)` is the bottom left cell.
    #[inline]
    pub const fn from_point(self, x: usize, y: usize) -> Cell {
        self.cell(x, self.edge() - 1 - y)
    }

    /// Column from the left, 0..edge for a field cell.
    #[inline]
    pub const fn x(self, cell: Cell) -> usize {
        (cell.index() & (self.stride() - 1)).wrapping_sub(1)
    }

    /// Row from the top, 0..edge for a field cell.
    #[inline]
    pub const fn row(self, cell: Cell) -> usize {
        (cell.index() >> self.shift).wrapping_sub(1)
    }

    /// Height from the bottom as the server counts it, 0..edge for a field cell.
    #[inline]
    pub const fn y(self, cell: Cell) -> usize {
        self.edge().wrapping_sub(1).wrapping_sub(self.row(cell))
    }

    /// Position of a field cell in the wire text, counted in characters.
    #[inline]
    pub const fn wire_index(self, cell: Cell) -> usize {
        self.row(cell) * self.edge() + self.x(cell)
    }

    /// The cell at this position of the wire text.
    pub const fn from_wire_index(self, index: usize) -> Cell {
        self.cell(index % self.edge(), index / self.edge())
    }

    /// Whether the cell lies in the field and not in the ring around it.
    #[inline]
    pub const fn contains(self, cell: Cell) -> bool {
        self.x(cell) < self.edge() && self.row(cell) < self.edge()
    }

    /// The neighbour above (perhaps an outside cell).
    #[inline]
    pub const fn up(self, cell: Cell) -> Cell {
        Cell::from_index((cell.index() as u16).wrapping_sub(self.stride() as u16))
    }

    /// The neighbour below (perhaps an outside cell).
    #[inline]
    pub const fn down(self, cell: Cell) -> Cell {
        Cell::from_index((cell.index() as u16).wrapping_add(self.stride() as u16))
    }

    /// The neighbour in a direction (perhaps an outside cell).
    #[inline]
    pub const fn step(self, cell: Cell, dir: Dir) -> Cell {
        match dir {
            Dir::Left => cell.left(),
            Dir::Right => cell.right(),
            Dir::Up => self.up(cell),
            Dir::Down => self.down(cell),
        }
    }

    /// All cells of the field in reading order: top row first, left to right.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + Clone {
        (0..self.area()).map(move |index| self.from_wire_index(index))
    }

    /// Columns and rows between two cells, the larger of the two (Chebyshev distance), in cells.
    #[inline]
    pub const fn spread(self, a: Cell, b: Cell) -> usize {
        let dx = self.x(a).abs_diff(self.x(b));
        let dy = self.row(a).abs_diff(self.row(b));
        if dx > dy { dx } else { dy }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_is_a_bijection_for_every_size() {
        for edge in 1..=Size::EDGE_MAX {
            let size = Size::new(edge).expect("in range");
            for (index, cell) in size.cells().enumerate() {
                assert_eq!(size.wire_index(cell), index);
                assert_eq!(size.from_point(size.x(cell), size.y(cell)), cell);
                assert!(cell.index() < size.padded_area());
                for dir in Dir::ALL {
                    let next = size.step(cell, dir);
                    let expected_inside = match dir {
                        Dir::Left => size.x(cell) > 0,
                        Dir::Right => size.x(cell) + 1 < edge,
                        Dir::Up => size.row(cell) > 0,
                        Dir::Down => size.row(cell) + 1 < edge,
                    };
                    assert_eq!(
                        size.contains(next),
                        expected_inside,
                        "{edge} {cell:?} {dir:?}"
                    );
                    assert!(next.index() < size.padded_area());
                }
            }
        }
        assert!(Size::new(0).is_none() && Size::new(129).is_none());
    }

    #[test]
    fn up_reaches_the_cell_printed_above() {
        let size = Size::new(5).expect("in range");
        let cell = size.cell(2, 3);
        assert_eq!(size.row(size.up(cell)), 2);
        assert_eq!(size.y(size.up(cell)), size.y(cell) + 1);
    }
}
