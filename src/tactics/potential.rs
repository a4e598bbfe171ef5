//! `Potentials`: strategy values that one search has asked for, by cell and eaten gold: to subtract what was eaten from
//! forty chains takes longer than a tick. Not the values themselves (`Values`).

use super::table::Table;
use super::{Values, key};
use crate::board::{Action, Cell};

/// The values asked for so far. A warm one allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Potentials {
    known: Table,
}

impl Potentials {
    /// Forgets them: another search may be led by another map.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }

    /// The value of a cell once `eaten`, whose word in keys is `eaten_key`, is taken.
    #[inline]
    pub(super) fn value<V: Values>(
        &mut self,
        values: &V,
        cell: Cell,
        eaten: &[Cell],
        eaten_key: u64,
    ) -> f64 {
        let key = key::worth_key(cell, eaten_key);
        if let Some((value, _)) = self.known.get(key) {
            return value;
        }
        let value = values.value(cell, eaten);
        self.known.put(key, value, Action::Stay);
        value
    }
}
