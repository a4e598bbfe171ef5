//! `Table`: numbers by 64-bit key, forgotten all at once by a new generation: the transposition table of a search, and
//! whatever else a search notes by key. Open addressing; it grows by doubling and never shrinks, so a warm one allocates
//! nothing. Not the keys (`key`).

use crate::board::Action;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    value: f64,
    generation: u32,
    best: Action,
    exact: bool,
}

const EMPTY: Entry = Entry {
    key: 0,
    value: 0.0,
    generation: 0,
    best: Action::Stay,
    exact: false,
};

/// What is stored of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stored {
    /// Its value, or a number that its value does not exceed.
    pub value: f64,
    /// Its best action, as far as it was searched.
    pub best: Action,
    /// Whether it is the value itself.
    pub exact: bool,
}

/// Values and best actions by key.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<Entry>,
    generation: u32,
    used: usize,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            entries: vec![EMPTY; 1 << 13],
            generation: 1,
            used: 0,
        }
    }
}

impl Table {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.used = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(EMPTY);
            self.generation = 1;
        }
    }

    /// Positions stored since `clear`.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether nothing is stored.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The value and best action of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<(f64, Action)> {
        let known = self.known(key).filter(|known| known.exact)?;
        Some((known.value, known.best))
    }

    /// All that is stored of a position.
    #[inline]
    pub fn known(&self, key: u64) -> Option<Stored> {
        let entry = &self.entries[self.place(key)];
        (entry.generation == self.generation).then_some(Stored {
            value: entry.value,
            best: entry.best,
            exact: entry.exact,
        })
    }

    /// Stores the value of a position that is not there yet, or overwrites it.
    #[inline]
    pub fn put(&mut self, key: u64, value: f64, best: Action) {
        let exact = true;
        self.store(key, Stored { value, best, exact });
    }

    /// Stores what is known of a position, in place of what was stored of it.
    #[inline]
    pub fn store(&mut self, key: u64, known: Stored) {
        if 2 * self.used >= self.entries.len() {
            self.grow();
        }
        let place = self.place(key);
        let entry = &mut self.entries[place];
        self.used += usize::from(entry.generation != self.generation);
        *entry = Entry {
            key,
            value: known.value,
            generation: self.generation,
            best: known.best,
            exact: known.exact,
        };
    }

    /// Where the key is, or the free place where it belongs.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = (key >> 20) as usize & mask;
        loop {
            let entry = &self.entries[place];
            if entry.generation != self.generation || entry.key == key {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![EMPTY; self.entries.len() * 2];
        let old = std::mem::replace(&mut self.entries, doubled);
        for entry in old
            .into_iter()
            .filter(|entry| entry.generation == self.generation)
        {
            let place = self.place(entry.key);
            self.entries[place] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn behaves_like_a_map_through_growth_and_generations() {
        let mut table = Table::default();
        for round in 0..3_u64 {
            let mut map = HashMap::new();
            for i in 0..20_000_u64 {
                let key = (i % 15_000 + round).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                table.put(key, i as f64, Action::Left);
                map.insert(key, i as f64);
            }
            assert_eq!(table.len(), map.len());
            for (&key, &value) in &map {
                assert_eq!(table.get(key), Some((value, Action::Left)));
            }
            assert_eq!(table.get(1), None);
            let (value, best, exact) = (3.0, Action::Up, false);
            let bound = Stored { value, best, exact };
            table.store(1, bound);
            assert_eq!((table.get(1), table.known(1)), (None, Some(bound)));
            table.clear();
            assert!(table.is_empty());
        }
    }
}
