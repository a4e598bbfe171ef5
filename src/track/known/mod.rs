//! `Known`: what was known of a field beyond its last board, as lines of text: the part of a picture that a fixed
//! board cannot show. It is read from such lines, taken from a picture, and put into one. Not how it came
//! to be known: that is the tracker's.
//!
//! One fact a line; places are `COLUMN,ROW`, both from 1, the top row first, as editors count:
//!
//! ```text
//! series 4                                           the own gold series; of three kinds: series 4 1 0
//! facing up                                          the own hero's facing
//! rival 5,6 facing down                              a rival's facing
//! hole 5,7 age 3 owner me                            a hole: ticks since it was dug, 0 on the board that shows *
//! gold 5,6                                           gold that a body covers
//! still 5,6                                          a frozen rival's cell, which counts as concrete
//! monster 4,2 hunts me gave-up 3,3 facing left load  a monster, what is not said stays as the board has it
//! ```
//!
//! An owner or a hunted hero is `me`, the cell of a rival, `nobody` or `unknown`. Monsters take their turns in
//! the order of their lines, those without a line after them.

mod lines;
#[cfg(test)]
mod tests;

use super::{MonsterBelief, Picture};
use crate::board::{Cell, CellSet, Dir, GoldKind, Size};
use crate::sim::{Gold, Hero, HeroId, Hole, Level, Monster, State, Target, Tile};
use std::sync::Arc;

/// A hero by his place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The own hero.
    Me,
    /// The rival in this cell.
    Rival(Cell),
}

/// Whom a monster hunts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hunt {
    /// This hero.
    Hero(Who),
    /// Nobody: it chooses at its next turn.
    Nobody,
    /// Somebody, it is not known who.
    Unknown,
}

/// A hole of known age.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownHole {
    /// The brick.
    pub cell: Cell,
    /// Ticks since it was dug, 0 to 12.
    pub age: i32,
    /// Who dug it, if that is known.
    pub owner: Option<Who>,
}

/// What is known of the monster in a cell; `None` leaves it as the board has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownMonster {
    /// Where it is.
    pub cell: Cell,
    /// Whom it hunts.
    pub hunts: Option<Hunt>,
    /// Whom it gave up.
    pub gave_up: Option<Who>,
    /// Its facing.
    pub facing: Option<Dir>,
    /// It carries gold.
    pub load: bool,
}

/// What was known beyond a board. Empty by default: the board is a first one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// The own gold series by kind; classic's is the first.
    pub series: Option<[u32; 3]>,
    /// The own hero's facing.
    pub facing: Option<Dir>,
    /// Rivals' facings by their cells.
    pub rivals: Vec<(Cell, Dir)>,
    /// Open bricks.
    pub holes: Vec<KnownHole>,
    /// Gold that a body covers.
    pub gold: Vec<Cell>,
    /// Cells of frozen rivals.
    pub still: Vec<Cell>,
    /// Monsters in the order of their turns.
    pub monsters: Vec<KnownMonster>,
}

/// Why a line or a set of lines cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KnownError {
    /// The line begins with no known word.
    #[error("{0:?} is no fact; use series, facing, rival, hole, gold, still or monster")]
    Fact(String),
    /// A word that does not belong there.
    #[error("{found:?} where {expected} was expected")]
    Word {
        /// The word.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The line ends too early.
    #[error("the line ends where {0} was expected")]
    Short(&'static str),
    /// A place outside of the board.
    #[error("{0:?} is no place on this board; write COLUMN,ROW, both from 1 to its edge")]
    Place(String),
    /// Nothing of this kind stands there.
    #[error("no {what} stands in column {column}, row {row}")]
    Absent {
        /// What was said to be there.
        what: &'static str,
        /// Column from 1.
        column: usize,
        /// Row from 1.
        row: usize,
    },
    /// The monsters said to be there are too many for a level.
    #[error(transparent)]
    Level(#[from] crate::sim::LevelError),
}

impl Known {
    /// Whether nothing is known beyond the board.
    pub fn is_empty(&self) -> bool {
        *self == Known::default()
    }

    /// What a picture knows beyond the board it was made of.
    pub fn of(picture: &Picture) -> Known {
        let state = &picture.state;
        let who = |id: HeroId| {
            if picture.me == Some(id) {
                Who::Me
            } else {
                Who::Rival(state.hero(id).cell)
            }
        };
        let here = |id: HeroId| state.seats().contains(&id);
        let rivals = state
            .seats()
            .iter()
            .filter(|&&id| picture.me != Some(id))
            .map(|&id| (state.hero(id).cell, state.hero(id).facing));
        let holes = state.holes().filter_map(|hole| {
            let age = state.now() - hole.opened;
            (0..Hole::CLOSED).contains(&age).then(|| KnownHole {
                cell: hole.cell,
                age,
                owner: hole.owner.filter(|&id| here(id)).map(who),
            })
        });
        let covered = |gold: &&Gold| {
            let tile = state.tile(gold.cell);
            tile.has(Tile::HERO) || tile.monsters() > 0
        };
        let monsters = state.monsters().iter().map(|monster| KnownMonster {
            cell: monster.cell,
            hunts: Some(match monster.target {
                Target::Hero(id) if here(id) => Hunt::Hero(who(id)),
                Target::Nobody => Hunt::Nobody,
                Target::Hero(_) | Target::Unknown => Hunt::Unknown,
            }),
            gave_up: monster.given_up.filter(|&id| here(id)).map(who),
            facing: Some(monster.facing),
            load: monster.load.is_some(),
        });
        Known {
            series: Some(picture.own.series_by_kind),
            facing: picture.me.map(|id| state.hero(id).facing),
            rivals: rivals.collect(),
            holes: holes.collect(),
            gold: state
                .gold()
                .iter()
                .filter(covered)
                .map(|gold| gold.cell)
                .collect(),
            still: state
                .size()
                .cells()
                .filter(|&cell| picture.concrete.has(cell))
                .collect(),
            monsters: monsters.collect(),
        }
    }

    /// Puts what is known into the picture of the board it belongs to.
    ///
    /// # Errors
    /// `Absent` if a hero or monster is not where a line has it; the picture is as it was then.
    pub fn apply(&self, picture: &mut Picture) -> Result<(), KnownError> {
        if self.is_empty() {
            return Ok(());
        }
        let monsters = self.order(picture)?;
        let level = self.level(picture)?;
        let old = &picture.state;
        let mut state = State::with_monsters(level, Arc::clone(old.rules()), monsters);
        for &id in old.seats() {
            let hero = *old.hero(id);
            let known = if picture.me == Some(id) {
                self.facing
            } else {
                self.rivals
                    .iter()
                    .find(|rival| rival.0 == hero.cell)
                    .map(|rival| rival.1)
            };
            let new = state.join_at(hero.cell);
            state.place_hero(
                new,
                Hero {
                    facing: known.unwrap_or(hero.facing),
                    ..hero
                },
            );
        }
        for (place, &id) in old.seats().iter().enumerate() {
            if let Some(&new) = state.seats().get(place) {
                state.place_gear(new, *old.gear(id));
            }
        }
        for item in old.items() {
            state.place_item(*item);
        }
        state.place_portal_timer(old.portal_timer());
        for hole in self.all_holes(picture)? {
            state.place_hole(hole);
        }
        for gold in old.gold() {
            state.place_gold(*gold);
        }
        for &cell in &self.gold {
            let kind = GoldKind::Yellow;
            if !old.gold().iter().any(|gold| gold.cell == cell) {
                state.place_gold(Gold { cell, kind });
            }
        }
        state.commit();
        let me = picture.me.map(|id| seat_of(old, id));
        picture.new_level |= !Arc::ptr_eq(state.level(), old.level());
        picture.me = me;
        picture.monsters = state
            .monsters()
            .iter()
            .map(|one| belief(one, &state))
            .collect();
        picture
            .vague_holes
            .retain(|hole| self.holes.iter().all(|known| known.cell != hole.cell));
        picture.state = state;
        if let Some(series) = self.series {
            picture.own.series_by_kind = series;
            picture.own.series = series.iter().sum();
        }
        for &cell in &self.still {
            picture.concrete.insert(cell);
        }
        Ok(())
    }

    /// The picture's monsters in the order of the lines, with what the lines say.
    fn order(&self, picture: &Picture) -> Result<Vec<Monster>, KnownError> {
        let size = picture.state.size();
        let mut left: Vec<Monster> = picture.state.monsters().to_vec();
        let mut bodies = CellSet::new(size);
        for cell in left.iter().map(|one| one.cell) {
            bodies.insert(cell);
        }
        for &id in picture.state.seats() {
            bodies.insert(picture.state.hero(id).cell);
        }
        let mut monsters = Vec::new();
        for known in &self.monsters {
            let found = left.iter().position(|one| one.cell == known.cell);
            let mut monster = match found {
                Some(place) => left.remove(place),
                // A board shows one of the bodies that share a cell.
                None if bodies.has(known.cell) => Monster::new(known.cell, Dir::Right),
                None => return Err(absent("monster", known.cell, size)),
            };
            monster.facing = known.facing.unwrap_or(monster.facing);
            if let Some(hunt) = known.hunts {
                monster.target = match hunt {
                    Hunt::Hero(who) => Target::Hero(hero(who, picture)?),
                    Hunt::Nobody => Target::Nobody,
                    Hunt::Unknown => Target::Unknown,
                };
            }
            monster.given_up = known.gave_up.map(|who| hero(who, picture)).transpose()?;
            monster.load = known.load.then_some(GoldKind::Yellow);
            monsters.push(monster);
        }
        monsters.append(&mut left);
        for monster in &mut monsters {
            if let Target::Hero(id) = monster.target {
                monster.target = Target::Hero(seat_of(&picture.state, id));
            }
        }
        Ok(monsters)
    }

    /// The picture's level, with the bricks of holes that the board shows blank.
    fn level(&self, picture: &Picture) -> Result<Arc<Level>, KnownError> {
        let old = picture.state.level();
        let mut terrain = old.terrain().clone();
        let mut changed = false;
        for hole in &self.holes {
            if !terrain[hole.cell].is_brick() {
                terrain[hole.cell] = Tile::of(Tile::BRICK | Tile::SOLID);
                changed = true;
            }
        }
        if !changed {
            return Ok(Arc::clone(old));
        }
        Ok(Level::new(terrain, Vec::new(), Vec::new())?)
    }

    /// The picture's holes with the known ones over them, oldest first.
    fn all_holes(&self, picture: &Picture) -> Result<Vec<Hole>, KnownError> {
        let state = &picture.state;
        let mut holes: Vec<Hole> = state
            .holes()
            .filter(|hole| self.holes.iter().all(|known| known.cell != hole.cell))
            .map(|hole| Hole {
                opened: hole.opened - state.now(),
                ..*hole
            })
            .collect();
        for known in &self.holes {
            let owner = known.owner.map(|who| hero(who, picture)).transpose()?;
            holes.push(Hole {
                cell: known.cell,
                opened: -known.age,
                owner: owner.map(|id| seat_of(state, id)),
            });
        }
        holes.sort_by_key(|hole| (hole.opened, hole.cell));
        Ok(holes)
    }
}

/// The number that a hero gets when the heroes of a field join a new one in the order of their turns.
fn seat_of(state: &State, id: HeroId) -> HeroId {
    let seat = state.seats().iter().position(|&other| other == id);
    HeroId(seat.unwrap_or(0) as u16)
}

/// What a monster of a state says of itself, as a belief.
fn belief(monster: &Monster, state: &State) -> MonsterBelief {
    let seats = state.seats();
    MonsterBelief {
        targets: match monster.target {
            Target::Hero(id) => vec![(id, 1.0)],
            Target::Nobody => Vec::new(),
            Target::Unknown => seats
                .iter()
                .map(|&id| (id, 1.0 / seats.len() as f64))
                .collect(),
        },
        nobody: f64::from(monster.target == Target::Nobody),
        loaded: f64::from(monster.load.is_some()),
    }
}

fn hero(who: Who, picture: &Picture) -> Result<HeroId, KnownError> {
    let state = &picture.state;
    let found = match who {
        Who::Me => picture.me,
        Who::Rival(cell) => state
            .seats()
            .iter()
            .copied()
            .find(|&id| state.hero(id).cell == cell && picture.me != Some(id)),
    };
    let cell = match who {
        Who::Rival(cell) => cell,
        Who::Me => Cell::from_index(0),
    };
    found.ok_or_else(|| absent("hero", cell, state.size()))
}

fn absent(what: &'static str, cell: Cell, size: Size) -> KnownError {
    KnownError::Absent {
        what,
        column: size.x(cell).wrapping_add(1),
        row: size.row(cell).wrapping_add(1),
    }
}
