//! `State`: everything of a running field that a tick reads or writes, mutated in place. Commands, points and
//! player numbers belong to `Game`; what a bot merely believes belongs to `track`.

use super::credit::Pairs;
use super::hash::{
    gear_key, gold_key, hero_key, hole_key, items_key, listed_key, monster_key, portal_key,
    seat_key, solid_key, tick_key,
};
use super::hunt::Hunt;
use super::journal::Change;
use super::{
    Chance, Dialect, Gear, Gold, Hero, HeroId, Hole, Item, Level, Monster, Observer, Rules, Tile,
    classic, clifford, loderunner, portal, turn,
};
use crate::board::{Cell, Grid, Size};
use arrayvec::ArrayVec;
use std::collections::VecDeque;
use std::sync::Arc;

/// The state of one field.
///
/// Times are ticks; `opened` of a hole and the state's own clock use the same count. Equality compares
/// everything that a tick can depend on, and not the undo journal.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) level: Arc<Level>,
    pub(super) rules: Arc<Rules>,
    pub(super) tick: i32,
    pub(super) tiles: Grid<Tile>,
    pub(super) heroes: Vec<Hero>,
    pub(super) seats: ArrayVec<HeroId, { State::HEROES_MAX }>,
    pub(super) monsters: Vec<Monster>,
    pub(super) holes: VecDeque<Hole>,
    pub(super) gold: Vec<Gold>,
    pub(super) items: Vec<Item>,
    /// Beside each hero object.
    pub(super) gear: Vec<Gear>,
    /// Heroes on the field in order of their last moves, where the rules keep such a list.
    pub(super) listed: ArrayVec<HeroId, { State::HEROES_MAX }>,
    /// Ticks until the portals are placed anew.
    pub(super) portal_timer: i32,
    /// Asked in places too hot for looking into the rules.
    pub(super) classic: bool,
    pub(super) hunt: Hunt,
    pub(super) pairs: Pairs,
    /// Their part of the hash is brought up to date when all have had their turns.
    pub(super) monsters_at_work: bool,
    pub(super) hash: u64,
    pub(super) gold_hash: u64,
    pub(super) journal: Vec<Change>,
    pub(super) marks: u32,
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.hash == other.hash
            && self.tick == other.tick
            && self.tiles == other.tiles
            && self.heroes == other.heroes
            && self.seats == other.seats
            && self.monsters == other.monsters
            && self.holes == other.holes
            && self.gold == other.gold
            && self.items == other.items
            && self.gear == other.gear
            && self.listed == other.listed
            && self.portal_timer == other.portal_timer
    }
}

impl Eq for State {}

impl State {
    /// Most heroes on one field: the original servers put everybody who registers on one.
    pub const HEROES_MAX: usize = 128;

    /// The field as a level starts it: no hero, all bricks full.
    pub fn new(level: Arc<Level>, rules: Arc<Rules>) -> State {
        let monsters: Vec<Monster> = level
            .monsters()
            .iter()
            .map(|&(cell, facing)| Monster::new(cell, facing))
            .collect();
        State::with_monsters(level, rules, monsters)
    }

    /// The field as a level starts it, but with these monsters in the order of their turns: for a bot's
    /// picture of the game, which learns of monsters late. At most `Level::MONSTERS_MAX` are taken.
    pub fn with_monsters(
        level: Arc<Level>,
        rules: Arc<Rules>,
        mut monsters: Vec<Monster>,
    ) -> State {
        monsters.truncate(Level::MONSTERS_MAX);
        let mut tiles = level.terrain().clone();
        for monster in &monsters {
            tiles[monster.cell].add_monster();
        }
        for gold in level.gold() {
            tiles[gold.cell].set(Tile::GOLD, true);
        }
        let classic = rules.is_classic();
        if !classic {
            // What lies below the board is no floor there, though no step leads to it.
            let size = level.size();
            for x in 0..size.edge() {
                let below = size.down(size.cell(x, size.edge() - 1));
                tiles[below].set(Tile::SOLID, false);
                tiles[below].set(Tile::BLOCK, true);
            }
        }
        let mut state = State {
            tick: 0,
            tiles,
            heroes: Vec::with_capacity(2 * State::HEROES_MAX),
            seats: ArrayVec::new(),
            monsters,
            holes: VecDeque::with_capacity(32),
            gold: level.gold().to_vec(),
            items: Vec::new(),
            gear: Vec::with_capacity(2 * State::HEROES_MAX),
            listed: ArrayVec::new(),
            portal_timer: 0,
            classic,
            hunt: Hunt::default(),
            pairs: Pairs::default(),
            monsters_at_work: false,
            hash: 0,
            gold_hash: 0,
            journal: Vec::with_capacity(256),
            marks: 0,
            level,
            rules,
        };
        state.gold.reserve(16);
        if !classic {
            state.portal_timer = portal::start(&state.rules);
            for item in Arc::clone(&state.level).items() {
                state.add_item(*item);
            }
            state.commit();
        }
        state.gold_hash = state.full_gold_hash();
        state.hash = state.full_hash();
        state
    }

    /// The level it is played on.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The dialect it follows.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Whether it follows one of the classic versions.
    #[inline]
    pub fn is_classic(&self) -> bool {
        self.classic
    }

    /// Edge and numbering of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.tiles.size()
    }

    /// Ticks since the state was made.
    pub fn now(&self) -> i32 {
        self.tick
    }

    /// Terrain and bodies of a cell; stone outside the field.
    #[inline]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell]
    }

    /// Heroes on the field in the order of their turns.
    #[inline]
    pub fn seats(&self) -> &[HeroId] {
        &self.seats
    }

    /// A hero object, on the field or only remembered.
    #[inline]
    pub fn hero(&self, id: HeroId) -> &Hero {
        &self.heroes[id.index()]
    }

    /// Monsters in the order of their turns.
    #[inline]
    pub fn monsters(&self) -> &[Monster] {
        &self.monsters
    }

    /// Holes from the oldest to the youngest, those that closed in the last tick included.
    pub fn holes(&self) -> impl DoubleEndedIterator<Item = &Hole> + ExactSizeIterator {
        self.holes.iter()
    }

    /// The youngest hole in a cell, if one is remembered.
    pub fn hole_at(&self, cell: Cell) -> Option<&Hole> {
        self.holes.iter().rev().find(|hole| hole.cell == cell)
    }

    /// Gold on the field, oldest first.
    #[inline]
    pub fn gold(&self) -> &[Gold] {
        &self.gold
    }

    /// Pills, portals, keys, ammo clips, doors and bullets, each kind in the order of its list.
    #[inline]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// What a hero object carries.
    #[inline]
    pub fn gear(&self, id: HeroId) -> &Gear {
        &self.gear[id.index()]
    }

    /// Heroes on the field in the order of the server's list: that of joining, or of their last moves.
    #[inline]
    pub fn listed(&self) -> &[HeroId] {
        if self.rules.mover_to_end {
            &self.listed
        } else {
            &self.seats
        }
    }

    /// Ticks until the portals are placed anew; 0 means in the next tick. 0 in classic.
    pub fn portal_timer(&self) -> i32 {
        self.portal_timer
    }

    /// Hash of everything that equality compares, kept up to date by every change.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The same hash computed from scratch.
    pub fn full_hash(&self) -> u64 {
        let mut hash = tick_key(self.tick);
        for (index, &hero) in self.heroes.iter().enumerate() {
            hash ^= hero_key(index, hero);
        }
        for (seat, &id) in self.seats.iter().enumerate() {
            hash ^= seat_key(seat, id);
        }
        for (index, &monster) in self.monsters.iter().enumerate() {
            hash ^= monster_key(index, monster);
        }
        for &hole in &self.holes {
            hash ^= hole_key(hole);
        }
        hash ^= self.full_gold_hash();
        for (index, &gear) in self.gear.iter().enumerate() {
            hash ^= gear_key(index, gear);
        }
        for (place, &id) in self.listed.iter().enumerate() {
            hash ^= listed_key(place, id);
        }
        hash ^= items_key(&self.items) ^ portal_key(self.portal_timer);
        let terrain = self.level.terrain().values();
        for (index, (tile, terrain)) in self.tiles.values().iter().zip(terrain).enumerate() {
            if terrain.is_brick() && !tile.has(Tile::SOLID) {
                hash ^= solid_key(Cell::from_index(index as u16));
            }
        }
        hash
    }

    /// The part of the hash that tells which gold lies where.
    #[inline]
    pub fn gold_hash(&self) -> u64 {
        self.gold_hash
    }

    /// The part of the hash that tells which items lie and fly where; all the same in classic.
    pub fn items_hash(&self) -> u64 {
        items_key(&self.items)
    }

    /// The gold's part of the hash computed from scratch.
    pub(super) fn full_gold_hash(&self) -> u64 {
        let mut hash = 0;
        for (index, &gold) in self.gold.iter().enumerate() {
            let copies = self.gold[..index]
                .iter()
                .filter(|&&other| other == gold)
                .count();
            hash ^= gold_key(gold, copies);
        }
        hash
    }

    /// Ticks the field once. Commands have been applied; dead heroes have been replaced if they are to be.
    #[inline]
    pub fn tick<C: Chance, O: Observer>(&mut self, chance: &mut C, observer: &mut O) {
        self.stages(chance, observer);
        if !self.classic {
            self.notice_deaths(observer);
        }
    }

    /// The stages of the field's tick, without what drawing it makes the server notice.
    #[inline]
    pub(super) fn stages<C: Chance, O: Observer>(&mut self, chance: &mut C, observer: &mut O) {
        match self.rules.dialect {
            Dialect::Classic => classic::tick(self, chance, observer),
            Dialect::Loderunner2021April | Dialect::Loderunner2021September => {
                loderunner::tick(self, chance, observer);
            }
            Dialect::Clifford => clifford::tick(self, chance, observer),
        }
        #[cfg(debug_assertions)]
        self.debug_check();
    }

    /// Among whom a monster without a living target chooses, each with the same chance: the heroes of the
    /// field, dead ones included, less one for the hero it gave up (RULES section 8, step 1).
    pub fn candidates(&self, given_up: Option<HeroId>) -> impl Iterator<Item = HeroId> + '_ {
        let avoided = classic::avoided(self, given_up);
        let seats = self.seats.iter().enumerate();
        seats
            .filter(move |&(seat, _)| avoided != Some(seat))
            .map(|(_, &id)| id)
    }

    /// Where a monster that has chosen goes in its turn, everything else standing as it stands now: steps 2
    /// to 4 of RULES section 8, without taking gold. One that fell into a hole comes back without its load.
    #[inline]
    pub fn advance(&self, monster: Monster) -> Monster {
        classic::advance(self, monster)
    }

    /// Where the monster with this number ends its turn in the later dialects if it is as given, everything else standing
    /// as it stands now: its step with its hunt, and the portal that moves it, without taking gold. One that fell into a
    /// hole comes back without its load. The state keeps its value; the search's buffers are its own.
    pub fn hunt(&mut self, index: usize, monster: Monster) -> Monster {
        let next = turn::advance(self, index, monster);
        let cell = self.portal_exit(next.cell).unwrap_or(next.cell);
        Monster { cell, ..next }
    }

    /// Overwrites one monster: for a bot's picture of the game and for tests.
    pub fn place_monster(&mut self, index: usize, monster: Monster) {
        self.set_monster(index, monster);
    }

    /// Overwrites one hero's own data; its cell and presence may change too.
    pub fn place_hero(&mut self, id: HeroId, hero: Hero) {
        self.set_hero(id, hero);
    }

    /// Opens a hole that was dug in tick `opened` (at most now): for a bot's picture of the game. Holes
    /// must be given from the oldest to the youngest.
    pub fn place_hole(&mut self, hole: Hole) {
        if self.tiles[hole.cell].is_brick() {
            self.add_hole(hole);
            if (1..Hole::CLOSED).contains(&hole.timer(self.tick)) {
                self.set_solid(hole.cell, false);
            }
        }
    }

    /// Puts a gold down: for a bot's picture of the game and for tests.
    pub fn place_gold(&mut self, gold: Gold) {
        self.add_gold(gold);
    }

    /// Puts an item down: for a bot's picture of the game and for tests.
    pub fn place_item(&mut self, item: Item) {
        self.add_item(item);
    }

    /// Overwrites what a hero carries: for a bot's picture of the game.
    pub fn place_gear(&mut self, id: HeroId, gear: Gear) {
        self.set_gear(id, gear);
    }

    /// Sets the portals' clock: for a bot's picture of the game.
    pub fn place_portal_timer(&mut self, ticks: i32) {
        self.set_portal_timer(ticks);
    }
}
