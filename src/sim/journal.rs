//! The mutation gate: every change of a `State` goes through one of these functions, which writes the state,
//! its hash and the undo journal together. Nothing else may touch the fields, so none of the three can be
//! forgotten. Not the rules: the stages decide what to change.

use super::hash::{
    gear_key, gold_key, hero_bits_key, hero_key, hole_key, items_key, listed_key, monster_key,
    monster_place_key, portal_key, seat_key, solid_key, tick_key,
};
use super::state::State;
use super::{Gear, Gold, Hero, HeroId, Hole, Item, ItemKind, Monster, Tile};
use crate::board::{Cell, Dir};

/// One change, with what was there before.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Tick,
    Hero(HeroId, Hero),
    HeroAdded,
    Seat(u8, HeroId),
    SeatAdded,
    SeatRemoved(u8, HeroId),
    ListedAdded,
    ListedRemoved(u8, HeroId),
    Gear(HeroId, Gear),
    Monster(u8, Monster),
    MonsterPlace(u8, Cell, Dir),
    MonsterAdded,
    MonsterRemoved(Monster),
    MonsterToEnd(u8),
    Solid(Cell),
    HoleAdded,
    HoleRemoved(u16, Hole),
    HoleOwner(u16, Option<HeroId>),
    /// Whether it was the first in its cell.
    GoldAdded(bool),
    GoldRemoved(u16, Gold),
    ItemAdded,
    ItemRemoved(u16, Item),
    Item(u16, Item),
    PortalTimer(i32),
}

/// A point to come back to. Handed back once, last taken first.
#[derive(Debug)]
#[must_use = "a mark that is not undone keeps the journal growing"]
pub struct Mark {
    length: usize,
    depth: u32,
    hash: u64,
    gold_hash: u64,
}

impl State {
    /// Remembers the present state for `undo`.
    pub fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark {
            length: self.journal.len(),
            depth: self.marks,
            hash: self.hash,
            gold_hash: self.gold_hash,
        }
    }

    /// Takes back everything since the mark, which must be the last one taken and not yet handed back
    /// (checked in debug builds; in release builds another order gives a wrong state, never a fault).
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a mark is handed back: it cannot be used twice"
    )]
    pub fn undo(&mut self, mark: Mark) {
        debug_assert_eq!(
            mark.depth, self.marks,
            "marks are handed back last taken first"
        );
        self.marks = self.marks.saturating_sub(1);
        // Read where they stand: a copy of what was just written would wait for the writing.
        let mut journal = std::mem::take(&mut self.journal);
        let later = journal.get(mark.length..).unwrap_or_default();
        for change in later.iter().rev() {
            self.take_back(change);
        }
        journal.truncate(mark.length);
        self.journal = journal;
        self.hash = mark.hash;
        self.gold_hash = mark.gold_hash;
        #[cfg(debug_assertions)]
        self.debug_check();
    }

    /// Gives up all marks and the journal: what happened so far can no longer be undone. A game that only
    /// goes forward calls this once a tick, so that the journal does not grow.
    pub fn commit(&mut self) {
        self.journal.clear();
        self.marks = 0;
    }

    #[inline]
    fn take_back(&mut self, change: &Change) {
        match *change {
            Change::Tick => self.tick -= 1,
            Change::Hero(id, hero) => {
                let now = self.heroes[id.index()];
                self.heroes[id.index()] = hero;
                self.move_hero_tile(now, hero);
            }
            Change::HeroAdded => {
                self.heroes.pop();
                self.gear.pop();
            }
            Change::Seat(seat, id) => self.seats[seat as usize] = id,
            Change::SeatAdded => {
                self.seats.pop();
            }
            Change::SeatRemoved(seat, id) => self.seats.insert(seat as usize, id),
            Change::Monster(index, monster) => {
                let now = self.monsters[index as usize].cell;
                self.monsters[index as usize] = monster;
                self.tiles[now].remove_monster();
                self.tiles[monster.cell].add_monster();
            }
            Change::MonsterPlace(index, cell, facing) => {
                let monster = &mut self.monsters[index as usize];
                let now = monster.cell;
                (monster.cell, monster.facing) = (cell, facing);
                self.tiles[now].remove_monster();
                self.tiles[cell].add_monster();
            }
            Change::ListedAdded => {
                self.listed.pop();
            }
            Change::ListedRemoved(place, id) => self.listed.insert(place as usize, id),
            Change::Gear(id, gear) => self.gear[id.index()] = gear,
            Change::MonsterAdded => {
                if let Some(monster) = self.monsters.pop() {
                    self.tiles[monster.cell].remove_monster();
                }
            }
            Change::MonsterRemoved(monster) => {
                self.monsters.push(monster);
                self.tiles[monster.cell].add_monster();
            }
            Change::MonsterToEnd(index) => {
                if let Some(monster) = self.monsters.pop() {
                    self.monsters.insert(index as usize, monster);
                }
            }
            Change::Solid(cell) => {
                let solid = self.tiles[cell].has(Tile::SOLID);
                self.tiles[cell].set(Tile::SOLID, !solid);
            }
            Change::HoleAdded => {
                self.holes.pop_back();
            }
            Change::HoleRemoved(0, hole) => self.holes.push_front(hole),
            Change::HoleRemoved(index, hole) => self.holes.insert(index as usize, hole),
            Change::HoleOwner(index, owner) => self.holes[index as usize].owner = owner,
            Change::GoldAdded(first) => {
                if let Some(gold) = self.gold.pop() {
                    self.tiles[gold.cell].set(Tile::GOLD, !first);
                }
            }
            Change::GoldRemoved(index, gold) => {
                self.gold.insert(index as usize, gold);
                self.tiles[gold.cell].set(Tile::GOLD, true);
            }
            Change::ItemAdded => {
                if let Some(item) = self.items.pop() {
                    self.mark_door_tile(item);
                }
            }
            Change::ItemRemoved(index, item) => {
                self.items.insert(index as usize, item);
                self.mark_door_tile(item);
            }
            Change::Item(index, item) => {
                self.items[index as usize] = item;
                self.mark_door_tile(item);
            }
            Change::PortalTimer(timer) => self.portal_timer = timer,
        }
    }

    pub(super) fn set_tick(&mut self) {
        self.hash ^= tick_key(self.tick) ^ tick_key(self.tick + 1);
        self.tick += 1;
        self.journal.push(Change::Tick);
    }

    pub(super) fn set_hero(&mut self, id: HeroId, hero: Hero) {
        let old = self.heroes[id.index()];
        let [before, after] = [old.bits(), hero.bits()];
        if before == after {
            return;
        }
        self.journal.push(Change::Hero(id, old));
        self.hash ^= hero_bits_key(id.index(), before) ^ hero_bits_key(id.index(), after);
        self.heroes[id.index()] = hero;
        self.move_hero_tile(old, hero);
    }

    pub(super) fn add_hero(&mut self, hero: Hero) -> HeroId {
        self.gear.push(Gear::default());
        let id = HeroId(self.heroes.len() as u16);
        // Enters absent and is then written like any other, so that its tile follows.
        let absent = Hero {
            present: false,
            ..hero
        };
        self.hash ^= hero_key(id.index(), absent);
        self.heroes.push(absent);
        self.journal.push(Change::HeroAdded);
        self.set_hero(id, hero);
        id
    }

    pub(super) fn set_seat(&mut self, seat: usize, id: HeroId) {
        let old = self.seats[seat];
        self.journal.push(Change::Seat(seat as u8, old));
        self.hash ^= seat_key(seat, old) ^ seat_key(seat, id);
        self.seats[seat] = id;
    }

    /// The new last seat; the caller has made sure that there is room.
    pub(super) fn add_seat(&mut self, id: HeroId) {
        self.hash ^= seat_key(self.seats.len(), id);
        self.seats.push(id);
        self.journal.push(Change::SeatAdded);
    }

    pub(super) fn remove_seat(&mut self, seat: usize) {
        for (place, &id) in self.seats.iter().enumerate().skip(seat) {
            self.hash ^= seat_key(place, id);
        }
        let id = self.seats.remove(seat);
        for (place, &id) in self.seats.iter().enumerate().skip(seat) {
            self.hash ^= seat_key(place, id);
        }
        self.journal.push(Change::SeatRemoved(seat as u8, id));
    }

    pub(super) fn set_monster(&mut self, index: usize, monster: Monster) {
        let old = self.monsters[index];
        if old == monster {
            return;
        }
        self.journal.push(Change::Monster(index as u8, old));
        if !self.monsters_at_work {
            self.hash ^= monster_key(index, old) ^ monster_key(index, monster);
        }
        self.monsters[index] = monster;
        if old.cell != monster.cell {
            self.tiles[old.cell].remove_monster();
            self.tiles[monster.cell].add_monster();
        }
    }

    /// One step of a monster: `set_monster` for place and facing alone. Fields are read and written one by
    /// one, as they are when it is taken back: a wide read of what was just written in parts has to wait.
    #[expect(
        clippy::inline_always,
        reason = "called from the hottest loop, where the call itself is a tenth of the time (bench: node)"
    )]
    #[inline(always)]
    pub(super) fn step_monster(&mut self, index: usize, dir: Dir) {
        let size = self.tiles.size();
        let monster = &mut self.monsters[index];
        let (cell, facing) = (monster.cell, monster.facing);
        monster.cell = size.step(cell, dir);
        monster.facing = monster.facing_after(dir);
        let (next, next_facing) = (monster.cell, monster.facing);
        self.journal
            .push(Change::MonsterPlace(index as u8, cell, facing));
        self.hash ^=
            monster_place_key(index, cell, facing) ^ monster_place_key(index, next, next_facing);
        self.tiles[cell].remove_monster();
        self.tiles[next].add_monster();
    }

    /// Makes a brick full or open.
    pub(super) fn set_solid(&mut self, cell: Cell, solid: bool) {
        if self.tiles[cell].has(Tile::SOLID) != solid {
            self.tiles[cell].set(Tile::SOLID, solid);
            self.hash ^= solid_key(cell);
            self.journal.push(Change::Solid(cell));
        }
    }

    pub(super) fn add_hole(&mut self, hole: Hole) {
        self.hash ^= hole_key(hole);
        self.holes.push_back(hole);
        self.journal.push(Change::HoleAdded);
    }

    /// Forgets the oldest hole, closed for a whole tick now.
    pub(super) fn drop_hole(&mut self) {
        if let Some(hole) = self.holes.pop_front() {
            self.hash ^= hole_key(hole);
            self.journal.push(Change::HoleRemoved(0, hole));
        }
    }

    /// Forgets the hole with this place in the list.
    pub(super) fn remove_hole(&mut self, index: usize) {
        if let Some(hole) = self.holes.remove(index) {
            self.hash ^= hole_key(hole);
            self.journal.push(Change::HoleRemoved(index as u16, hole));
        }
    }

    pub(super) fn set_hole_owner(&mut self, index: usize, owner: Option<HeroId>) {
        let old = self.holes[index];
        let new = Hole { owner, ..old };
        self.hash ^= hole_key(old) ^ hole_key(new);
        self.holes[index] = new;
        self.journal
            .push(Change::HoleOwner(index as u16, old.owner));
    }

    pub(super) fn add_gold(&mut self, gold: Gold) {
        // The tile tells whether looking through the whole list is worth it.
        let first = !self.tiles[gold.cell].has(Tile::GOLD);
        let copies = if first { 0 } else { self.copies(gold) };
        let change = gold_key(gold, copies);
        self.hash ^= change;
        self.gold_hash ^= change;
        self.gold.push(gold);
        self.tiles[gold.cell].set(Tile::GOLD, true);
        self.journal.push(Change::GoldAdded(first));
    }

    /// How many equal golds there are.
    fn copies(&self, gold: Gold) -> usize {
        self.gold.iter().filter(|&&other| other == gold).count()
    }

    /// Takes the gold with this place in the list away; the order of the others stays.
    pub(super) fn remove_gold(&mut self, index: usize) -> Gold {
        let gold = self.gold.remove(index);
        let here = self.gold.iter().any(|other| other.cell == gold.cell);
        let copies = if here { self.copies(gold) } else { 0 };
        let change = gold_key(gold, copies);
        self.hash ^= change;
        self.gold_hash ^= change;
        self.tiles[gold.cell].set(Tile::GOLD, here);
        self.journal.push(Change::GoldRemoved(index as u16, gold));
        gold
    }

    /// A hero's place in the list that is in order of the last moves: the end.
    pub(super) fn list_last(&mut self, id: HeroId) {
        self.unlist(id);
        self.hash ^= listed_key(self.listed.len(), id);
        self.listed.push(id);
        self.journal.push(Change::ListedAdded);
    }

    /// Takes a hero off the list that is in order of the last moves.
    pub(super) fn unlist(&mut self, id: HeroId) {
        if let Some(place) = self.listed.iter().position(|&other| other == id) {
            for (place, &id) in self.listed.iter().enumerate().skip(place) {
                self.hash ^= listed_key(place, id);
            }
            self.listed.remove(place);
            for (place, &id) in self.listed.iter().enumerate().skip(place) {
                self.hash ^= listed_key(place, id);
            }
            self.journal.push(Change::ListedRemoved(place as u8, id));
        }
    }

    pub(super) fn set_gear(&mut self, id: HeroId, gear: Gear) {
        let old = self.gear[id.index()];
        if old != gear {
            self.journal.push(Change::Gear(id, old));
            self.hash ^= gear_key(id.index(), old) ^ gear_key(id.index(), gear);
            self.gear[id.index()] = gear;
        }
    }

    pub(super) fn add_monster(&mut self, monster: Monster) {
        self.hash ^= monster_key(self.monsters.len(), monster);
        self.monsters.push(monster);
        self.tiles[monster.cell].add_monster();
        self.journal.push(Change::MonsterAdded);
    }

    /// Takes the last monster of the list away.
    pub(super) fn remove_monster(&mut self) {
        if let Some(monster) = self.monsters.pop() {
            self.hash ^= monster_key(self.monsters.len(), monster);
            self.tiles[monster.cell].remove_monster();
            self.journal.push(Change::MonsterRemoved(monster));
        }
    }

    /// Moves a monster to the end of the list.
    pub(super) fn monster_to_end(&mut self, index: usize) {
        if index + 1 >= self.monsters.len() {
            return;
        }
        let before = self.monsters_key(index);
        self.monsters[index..].rotate_left(1);
        self.hash ^= before ^ self.monsters_key(index);
        self.journal.push(Change::MonsterToEnd(index as u8));
    }

    /// Lets the monsters take their turns and hashes them before the first and after the last only: those of the later
    /// dialects change places in their list with every step.
    pub(super) fn hash_monsters_once(&mut self, turns: impl FnOnce(&mut State)) {
        let before = self.monsters_key(0);
        self.monsters_at_work = true;
        turns(self);
        self.monsters_at_work = false;
        self.hash ^= before ^ self.monsters_key(0);
    }

    /// What the monsters from this one on add to the hash; nothing while they take their turns.
    fn monsters_key(&self, from: usize) -> u64 {
        if self.monsters_at_work {
            return 0;
        }
        let monsters = self.monsters.iter().enumerate().skip(from);
        monsters.fold(0, |hash, (index, &monster)| {
            hash ^ monster_key(index, monster)
        })
    }

    pub(super) fn add_item(&mut self, item: Item) {
        self.hash ^= items_key(&self.items);
        self.items.push(item);
        self.hash ^= items_key(&self.items);
        self.mark_door_tile(item);
        self.journal.push(Change::ItemAdded);
    }

    /// Takes the item with this place in the list away; the order of the others stays.
    pub(super) fn remove_item(&mut self, index: usize) -> Item {
        self.hash ^= items_key(&self.items);
        let item = self.items.remove(index);
        self.hash ^= items_key(&self.items);
        self.mark_door_tile(item);
        self.journal.push(Change::ItemRemoved(index as u16, item));
        item
    }

    /// Replaces an item in its place. Doors stay where they are.
    pub(super) fn set_item(&mut self, index: usize, item: Item) {
        let old = self.items[index];
        self.hash ^= items_key(&self.items);
        self.items[index] = item;
        self.hash ^= items_key(&self.items);
        self.mark_door_tile(item);
        self.journal.push(Change::Item(index as u16, old));
    }

    pub(super) fn set_portal_timer(&mut self, timer: i32) {
        if timer != self.portal_timer {
            self.hash ^= portal_key(self.portal_timer) ^ portal_key(timer);
            self.journal.push(Change::PortalTimer(self.portal_timer));
            self.portal_timer = timer;
        }
    }

    fn move_hero_tile(&mut self, old: Hero, new: Hero) {
        if old.cell == new.cell
            && old.present == new.present
            && (self.classic
                || (old.is_playing(), old.is_shadowed()) == (new.is_playing(), new.is_shadowed()))
        {
            return;
        }
        if self.classic && self.seats.len() == 1 && old.present && new.present {
            // Nobody else is on the field.
            self.tiles[old.cell].set(Tile::HERO | Tile::BLOCK, false);
            self.tiles[new.cell].set(Tile::HERO | Tile::BLOCK, true);
            return;
        }
        for cell in [old.cell, new.cell] {
            self.mark_hero_tile(cell);
        }
    }

    /// In classic every hero carries and blocks; later playing ones carry and regular ones block, and so do
    /// closed doors.
    fn mark_hero_tile(&mut self, cell: Cell) {
        if self.classic {
            let here = self
                .heroes
                .iter()
                .any(|hero| hero.present && hero.cell == cell);
            self.tiles[cell].set(Tile::HERO | Tile::BLOCK, here);
            return;
        }
        // Who has fallen off the board is nowhere.
        if self.size().contains(cell) {
            let flags = self.body_flags(cell);
            self.tiles[cell].set(Tile::HERO | Tile::BLOCK, false);
            self.tiles[cell].set(flags, true);
        }
    }

    /// The flags that heroes and doors put on a cell, except in classic.
    pub(super) fn body_flags(&self, cell: Cell) -> u16 {
        let mut flags = 0;
        for hero in self.heroes.iter().filter(|hero| hero.cell == cell) {
            if hero.is_playing() {
                flags |= Tile::HERO;
                if !hero.is_shadowed() {
                    flags |= Tile::BLOCK;
                }
            }
        }
        let closed =
            |item: &Item| item.cell == cell && matches!(item.kind, ItemKind::Door(_, false));
        if self.items.iter().any(closed) {
            flags |= Tile::BLOCK;
        }
        flags
    }

    fn mark_door_tile(&mut self, item: Item) {
        if matches!(item.kind, ItemKind::Door(..)) {
            self.mark_hero_tile(item.cell);
        }
    }
}
