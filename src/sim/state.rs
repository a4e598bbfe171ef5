//! `State`: everything of a running field that a tick reads or writes, mutated in place. Commands, points and
//! player numbers belong to `Game`; what a bot merely believes belongs to `track`.

use super::journal::{
    Change, gold_key, hero_key, hole_key, monster_key, seat_key, solid_key, tick_key,
};
use super::{
    Chance, Command, Gold, Hero, HeroId, Hole, Level, Monster, Observer, Rules, Target, Tile, Word,
    classic,
};
use crate::board::{Action, Cell, Dir, Grid, Size};
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
    }
}

impl Eq for State {}

impl State {
    /// Most heroes on one field.
    pub const HEROES_MAX: usize = 16;

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
        let mut state = State {
            tick: 0,
            tiles,
            heroes: Vec::with_capacity(2 * State::HEROES_MAX),
            seats: ArrayVec::new(),
            monsters,
            holes: VecDeque::with_capacity(32),
            gold: level.gold().to_vec(),
            hash: 0,
            gold_hash: 0,
            journal: Vec::with_capacity(256),
            marks: 0,
            level,
            rules,
        };
        state.gold.reserve(16);
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

    /// Edge and numbering of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.level.size()
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
        for (index, &gold) in self.gold.iter().enumerate() {
            let copies = self.gold[..index]
                .iter()
                .filter(|&&other| other == gold)
                .count();
            hash ^= gold_key(gold, copies);
        }
        for cell in self.size().cells() {
            let terrain = self.level.terrain()[cell];
            if terrain.is_brick() && !self.tiles[cell].has(Tile::SOLID) {
                hash ^= solid_key(cell);
            }
        }
        hash
    }

    /// The part of the hash that tells which gold lies where.
    #[inline]
    pub fn gold_hash(&self) -> u64 {
        self.gold_hash
    }

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

    /// Whether a body in this cell has nothing below that carries it (RULES section 5).
    #[inline]
    pub fn unsupported(&self, cell: Cell) -> bool {
        !self.tiles[self.size().down(cell)].carries()
    }

    /// Whether a hero in this cell falls in its next turn.
    #[inline]
    pub fn falls(&self, cell: Cell) -> bool {
        !self.tiles[cell].holds() && self.unsupported(cell)
    }

    /// Whether a hero's step into this cell is refused: solid, or another hero (RULES section 5).
    #[inline]
    pub fn is_barrier(&self, cell: Cell) -> bool {
        self.tiles[cell].has(Tile::SOLID | Tile::HERO)
    }

    /// Whether this brick can be dug now: full, and nothing protects it from above (RULES section 5).
    #[inline]
    pub fn can_dig(&self, brick: Cell) -> bool {
        if !self.tiles[brick].is_full_brick() {
            return false;
        }
        let above = self.tiles[self.size().up(brick)];
        !above.has(Tile::LADDER | Tile::GOLD | Tile::HERO)
            && above.monsters() == 0
            && !above.is_full_brick()
    }

    /// Applies the words of one tick to a hero; a dead one ignores them (RULES section 4).
    pub fn command(&mut self, id: HeroId, command: &Command) {
        for word in command.iter() {
            self.word(id, word);
        }
    }

    /// Applies a bot's decision to a hero, as the words that say it would.
    #[inline]
    pub fn act(&mut self, id: HeroId, action: Action) {
        let words: &[Word] = match action {
            Action::Left => &[Word::Left],
            Action::Right => &[Word::Right],
            Action::Up => &[Word::Up],
            Action::Down => &[Word::Down],
            Action::DigLeft => &[Word::Act(super::command::Arguments::NONE), Word::Left],
            Action::DigRight => &[Word::Act(super::command::Arguments::NONE), Word::Right],
            Action::Stay => &[],
        };
        for &word in words {
            self.word(id, word);
        }
    }

    fn word(&mut self, id: HeroId, word: Word) {
        let mut hero = self.heroes[id.index()];
        if !hero.alive {
            return;
        }
        let tile = self.tiles[hero.cell];
        match word {
            Word::Left | Word::Right => {
                hero.facing = if word == Word::Left {
                    Dir::Left
                } else {
                    Dir::Right
                };
                hero.pending.step = true;
                hero.dug = false;
            }
            Word::Up if tile.has(Tile::LADDER) => {
                hero.facing = Dir::Up;
                hero.pending.step = true;
            }
            Word::Down if tile.has(Tile::LADDER) || self.ladder_below(hero.cell) => {
                hero.facing = Dir::Down;
                hero.pending.step = true;
            }
            Word::Down if tile.has(Tile::PIPE) => hero.pending.jump = true,
            Word::Act(arguments) if arguments.only() == Some(0) => hero.alive = false,
            Word::Act(_) => hero.pending.dig = true,
            Word::Up | Word::Down => {}
        }
        self.set_hero(id, hero);
    }

    fn ladder_below(&self, cell: Cell) -> bool {
        self.tiles[self.size().down(cell)].has(Tile::LADDER)
    }

    /// Ticks the field once. Commands have been applied; dead heroes have been replaced if they are to be.
    #[inline]
    pub fn tick<C: Chance, O: Observer>(&mut self, chance: &mut C, observer: &mut O) {
        classic::tick(self, chance, observer);
        #[cfg(debug_assertions)]
        self.debug_check();
    }

    /// Seats a new hero behind the others; `None` if the field is full.
    pub fn join<C: Chance>(&mut self, chance: &mut C) -> Option<HeroId> {
        if self.seats.is_full() {
            return None;
        }
        let cell = chance.place(self)?;
        Some(self.join_at(cell))
    }

    /// Seats a new hero in a given cell: for boards that show where heroes are. The field must not be full.
    pub fn join_at(&mut self, cell: Cell) -> HeroId {
        let id = self.new_hero(Hero::new(cell));
        if !self.seats.is_full() {
            self.add_seat(id);
        }
        id
    }

    /// Takes a hero off the field; monsters that hunt it go on hunting its last place (RULES section 8).
    pub fn leave(&mut self, id: HeroId) {
        if let Some(seat) = self.seats.iter().position(|&other| other == id) {
            self.remove_seat(seat);
            let hero = self.heroes[id.index()];
            self.set_hero(
                id,
                Hero {
                    present: false,
                    ..hero
                },
            );
        }
    }

    /// Replaces a seat's hero if it is dead, judged now (RULES section 3, step 2).
    pub fn respawn<C: Chance>(&mut self, seat: usize, chance: &mut C) {
        let Some(&id) = self.seats.get(seat) else {
            return;
        };
        if !self.find_dead(id) {
            return;
        }
        let Some(cell) = chance.place(self) else {
            return;
        };
        let old = self.heroes[id.index()];
        self.set_hero(
            id,
            Hero {
                present: false,
                ..old
            },
        );
        let new = self.new_hero(Hero::new(cell));
        self.set_seat(seat, new);
    }

    /// Judges a hero object now: dead from here on if its cell is a full brick or holds a monster
    /// (RULES section 9). Tells whether it is dead.
    pub(super) fn find_dead(&mut self, id: HeroId) -> bool {
        let hero = self.heroes[id.index()];
        if !hero.alive {
            return true;
        }
        let tile = self.tiles[hero.cell];
        if tile.is_full_brick() || tile.monsters() > 0 {
            self.set_hero(
                id,
                Hero {
                    alive: false,
                    ..hero
                },
            );
            return true;
        }
        false
    }

    /// Whether a hero object counts as dead at this moment: found dead before, or its cell is a full brick or
    /// holds a monster (RULES section 9).
    #[inline]
    pub fn is_dead(&self, id: HeroId) -> bool {
        let hero = self.hero(id);
        let tile = self.tiles[hero.cell];
        !hero.alive || tile.is_full_brick() || tile.monsters() > 0
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

    /// A slot for a new hero object: one that nothing refers to any more, else a new one.
    fn new_hero(&mut self, hero: Hero) -> HeroId {
        for index in 0..self.heroes.len() {
            let id = HeroId(index as u16);
            let hunted = |monster: &Monster| {
                monster.target == Target::Hero(id) || monster.given_up == Some(id)
            };
            if !self.heroes[index].present
                && !self.monsters.iter().any(hunted)
                && !self.holes.iter().any(|hole| hole.owner == Some(id))
            {
                self.set_hero(id, hero);
                return id;
            }
        }
        self.add_hero(hero)
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
}
