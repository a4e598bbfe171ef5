//! `CellSet`: a set of cells of one board, in set vocabulary. The only file that names the bit-set crate:
//! single bits go through it, whole-set work goes through the words, which is ten to sixty times faster.

use super::{Cell, Size};
use bitvec::prelude::{BitBox, Lsb0, bitbox};

/// A set of cells; all sets combined with each other belong to boards of the same size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellSet {
    bits: BitBox<u64, Lsb0>,
}

impl CellSet {
    /// The empty set for a board of this size.
    pub fn new(size: Size) -> CellSet {
        CellSet {
            bits: bitbox![u64, Lsb0; 0; size.padded_area()],
        }
    }

    /// Whether the cell is in the set.
    #[inline]
    pub fn has(&self, cell: Cell) -> bool {
        self.bits[cell.index()]
    }

    /// Adds a cell; tells whether it was new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        !self.bits.replace(cell.index(), true)
    }

    /// Takes a cell out; tells whether it was there.
    #[inline]
    pub fn remove(&mut self, cell: Cell) -> bool {
        self.bits.replace(cell.index(), false)
    }

    /// How many cells are in the set.
    pub fn len(&self) -> usize {
        self.bits.count_ones()
    }

    /// Whether the set has no cell.
    pub fn is_empty(&self) -> bool {
        self.bits.as_raw_slice().iter().all(|&word| word == 0)
    }

    /// Takes all cells out.
    pub fn clear(&mut self) {
        self.bits.as_raw_mut_slice().fill(0);
    }

    /// Adds all cells of `other`.
    pub fn unite(&mut self, other: &CellSet) {
        for (word, more) in self
            .bits
            .as_raw_mut_slice()
            .iter_mut()
            .zip(other.bits.as_raw_slice())
        {
            *word |= more;
        }
    }

    /// Keeps only the cells that are in `other` too.
    pub fn intersect(&mut self, other: &CellSet) {
        for (word, more) in self
            .bits
            .as_raw_mut_slice()
            .iter_mut()
            .zip(other.bits.as_raw_slice())
        {
            *word &= more;
        }
    }

    /// Takes out the cells of `other`.
    pub fn subtract(&mut self, other: &CellSet) {
        for (word, more) in self
            .bits
            .as_raw_mut_slice()
            .iter_mut()
            .zip(other.bits.as_raw_slice())
        {
            *word &= !more;
        }
    }

    /// The cells in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.bits
            .as_raw_slice()
            .iter()
            .enumerate()
            .flat_map(|(index, &word)| {
                let mut rest = word;
                std::iter::from_fn(move || {
                    (rest != 0).then(|| {
                        let bit = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        Cell::from_index((index * 64 + bit) as u16)
                    })
                })
            })
    }
}

impl Extend<Cell> for CellSet {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn behaves_like_an_ordered_set(edge in 1usize..=128, picks in prop::collection::vec((any::<u16>(), any::<u16>(), any::<bool>()), 0..200)) {
            let size = Size::new(edge).expect("in range");
            let (mut a, mut b) = (CellSet::new(size), CellSet::new(size));
            let (mut ma, mut mb) = (BTreeSet::new(), BTreeSet::new());
            for (first, second, add) in picks {
                let cell = size.from_wire_index(first as usize % size.area());
                let other = size.from_wire_index(second as usize % size.area());
                if add {
                    prop_assert_eq!(a.insert(cell), ma.insert(cell));
                } else {
                    prop_assert_eq!(a.remove(cell), ma.remove(&cell));
                }
                prop_assert_eq!(b.insert(other), mb.insert(other));
                prop_assert_eq!(a.has(cell), ma.contains(&cell));
            }
            prop_assert_eq!(a.len(), ma.len());
            prop_assert_eq!(a.is_empty(), ma.is_empty());
            prop_assert!(a.iter().eq(ma.iter().copied()));
            let (mut union, mut both, mut only) = (a.clone(), a.clone(), a.clone());
            union.unite(&b);
            both.intersect(&b);
            only.subtract(&b);
            prop_assert!(union.iter().eq(ma.union(&mb).copied()));
            prop_assert!(both.iter().eq(ma.intersection(&mb).copied()));
            prop_assert!(only.iter().eq(ma.difference(&mb).copied()));
            a.clear();
            prop_assert!(a.is_empty());
        }
    }
}
