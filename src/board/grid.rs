//! `Grid<T>`: one value for each cell of a board, ring included. Not a set of cells: that is `CellSet`.

use super::{Cell, Size};
use std::ops::{Index, IndexMut};

/// One `T` a cell, row-major with a power-of-two stride; only a `Cell` can index it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid<T> {
    size: Size,
    values: Box<[T]>,
}

impl<T: Clone> Grid<T> {
    /// A grid with the same value in every cell, outside ring included.
    pub fn filled(size: Size, value: T) -> Grid<T> {
        Grid {
            size,
            values: vec![value; size.padded_area()].into_boxed_slice(),
        }
    }

    /// Sets every cell, outside ring included.
    pub fn fill(&mut self, value: T) {
        self.values.fill(value);
    }

    /// Copies another grid of the same size without allocating.
    ///
    /// # Panics
    /// If the sizes differ.
    pub fn copy_from(&mut self, other: &Grid<T>) {
        self.size = other.size;
        self.values.clone_from_slice(&other.values);
    }
}

impl<T> Grid<T> {
    /// The board size it was made for.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// The values by padded index, for whole-grid sweeps.
    #[inline]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values by padded index, for whole-grid sweeps.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;

    #[inline]
    fn index(&self, cell: Cell) -> &T {
        &self.values[cell.index()]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    #[inline]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.values[cell.index()]
    }
}
