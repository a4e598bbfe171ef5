//! What is believed of the field after a board: what the board shows, and what the boards before it tell
//! (terrain, ages of holes, loads, facings, order of turns). How the next board comes about is not decided
//! here (`guess`, `search`).

use std::sync::Arc;

use crate::board::{Board, Cell, CellSet, Dir, Element, Family, Grid, HeroLook, MonsterLook, Size};
use crate::sim::{Gold, Hero, Hole, Level, LevelError, Monster, Rules, Target, Tile};

/// Boards on which a cell must have been blank and uncovered until it is surely no open brick: the blank
/// part of a hole lasts seven (RULES section 6).
const BLANK_BOARDS: u8 = 8;

/// Places of heroes that left the game which monsters may still hunt.
const GHOSTS_MAX: usize = 4;

/// A hero of the field.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// As the simulator has it.
    pub hero: Hero,
    /// Whether the facing is known exactly, and not only "left or anything else".
    pub facing_known: bool,
}

/// Whom a monster hunts, by what a board can tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Aim {
    /// The hero with this number in the belief.
    Hero(usize),
    /// The hero that joins in this tick with this number.
    Newcomer(usize),
    /// A place where a hero was who left.
    Ghost(usize),
    /// Nobody for now: it gave up the only hero there is.
    Nobody,
}

/// A monster.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hunter {
    /// As the simulator has it; the target is not used.
    pub monster: Monster,
    /// Whom it hunted last.
    pub aim: Aim,
    /// Whether it is known if it carries gold.
    pub load_known: bool,
    /// Whether the facing is known.
    pub facing_known: bool,
    /// It stood still in its last turn, so that it may have given up its hero.
    pub idle: bool,
}

/// A hole.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pit {
    /// The brick.
    pub cell: Cell,
    /// The original's timer after this board: 1 in the tick of digging, 13 when just closed.
    pub timer: i32,
    /// Whether the timer is known.
    pub known: bool,
}

/// Everything that is believed after one board.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    pub rules: Arc<Rules>,
    /// Terrain without gold and monsters.
    pub level: Arc<Level>,
    /// Cells whose terrain is proved.
    pub proved: CellSet,
    /// For how many boards in a row a cell has been blank.
    blank: Grid<u8>,
    /// In the order of their turns, as far as that is known.
    pub bodies: Vec<Body>,
    /// Number of the viewer's hero among them.
    pub me: usize,
    /// In the order of their turns, as far as that is known.
    pub hunters: Vec<Hunter>,
    /// Oldest first.
    pub pits: Vec<Pit>,
    pub gold: Vec<Gold>,
    /// Places of gold among it that were chosen where nobody sees them.
    pub unsure_gold: Vec<Cell>,
    pub ghosts: Vec<Cell>,
}

impl Belief {
    /// What a first board tells, with the terrain that the header's map adds.
    pub(super) fn new(
        board: &Board,
        map: &Board,
        rules: &Arc<Rules>,
    ) -> Result<Belief, LevelError> {
        let size = board.size();
        let mut terrain = Grid::filled(size, Tile::of(Tile::STONE | Tile::SOLID));
        let mut proved = CellSet::new(size);
        for cell in size.cells() {
            let tile = terrain_of(map.at(cell)).or_else(|| terrain_of(board.at(cell)));
            terrain[cell] = tile.unwrap_or_default();
            if tile.is_some() || shows_empty(board.at(cell)) {
                proved.insert(cell);
            }
        }
        let mut belief = Belief {
            rules: Arc::clone(rules),
            level: Level::new(terrain, Vec::new(), Vec::new())?,
            proved,
            blank: Grid::filled(size, 0),
            bodies: Vec::new(),
            me: 0,
            hunters: Vec::new(),
            pits: Vec::new(),
            gold: Vec::new(),
            unsure_gold: Vec::new(),
            ghosts: Vec::new(),
        };
        belief.resume(board, 0)?;
        Ok(belief)
    }

    /// Edge and numbering.
    pub(super) fn size(&self) -> Size {
        self.level.size()
    }

    /// Takes a board for granted whose coming about is not explained, `ticks` after the last one.
    pub(super) fn resume(&mut self, board: &Board, ticks: u32) -> Result<(), LevelError> {
        self.learn(board)?;
        self.resume_pits(board, ticks.min(1000) as i32);
        self.resume_bodies(board);
        self.resume_hunters(board);
        self.gold = board
            .iter()
            .filter_map(|(cell, element)| match element {
                Element::Gold(kind) => Some(Gold { cell, kind }),
                _ => None,
            })
            .collect();
        self.unsure_gold.clear();
        self.look(board);
        Ok(())
    }

    /// Terrain that the board proves to be other than believed.
    pub(super) fn learn(&mut self, board: &Board) -> Result<(), LevelError> {
        let mut terrain = None;
        for (cell, element) in board.iter() {
            let believed = self.level.terrain()[cell].terrain();
            let shown = match terrain_of(element) {
                Some(shown) => shown,
                None if shows_empty(element) => Tile::EMPTY,
                None => continue,
            };
            if shown != believed {
                terrain.get_or_insert_with(|| self.level.terrain().clone())[cell] = shown;
            }
            self.proved.insert(cell);
        }
        if let Some(terrain) = terrain {
            self.set_terrain(terrain)?;
        }
        Ok(())
    }

    /// Another terrain; the monsters' ways change with it.
    pub(super) fn set_terrain(&mut self, terrain: Grid<Tile>) -> Result<(), LevelError> {
        let bricks: Vec<Pit> = self
            .pits
            .iter()
            .copied()
            .filter(|pit| terrain[pit.cell].is_brick())
            .collect();
        self.pits = bricks;
        self.level = Level::new(terrain, Vec::new(), Vec::new())?;
        Ok(())
    }

    /// Counts blank boards: a cell blank for long enough is no open brick.
    pub(super) fn look(&mut self, board: &Board) {
        for (cell, element) in board.iter() {
            if element == Element::Empty {
                let count = &mut self.blank[cell];
                *count = count.saturating_add(1);
                if *count >= BLANK_BOARDS {
                    self.proved.insert(cell);
                }
            } else {
                self.blank[cell] = 0;
            }
        }
    }

    /// A hero left this place for good, perhaps still hunted there.
    pub(super) fn add_ghost(&mut self, cell: Cell) {
        if !self.ghosts.contains(&cell) {
            if self.ghosts.len() == GHOSTS_MAX {
                self.ghosts.remove(0);
            }
            self.ghosts.push(cell);
        }
    }

    fn resume_pits(&mut self, board: &Board, ticks: i32) {
        let mut pits = Vec::new();
        for (cell, element) in board.iter() {
            if !self.level.terrain()[cell].is_brick() {
                continue;
            }
            let old = self.pits.iter().find(|pit| pit.cell == cell);
            let aged = old.map(|pit| Pit {
                timer: pit.timer + ticks,
                ..*pit
            });
            let exactly = |timer| {
                Some(Pit {
                    cell,
                    timer,
                    known: true,
                })
            };
            let unknown = Pit {
                cell,
                timer: 2,
                known: false,
            };
            pits.extend(match element {
                Element::Brick => None,
                Element::Dug => exactly(1),
                Element::Closing(left) => exactly(Hole::CLOSED - i32::from(left)),
                // Blank, or hidden by whoever is in it; only a monster may be in a full one.
                Element::Monster(_) => match aged {
                    Some(pit) if pit.timer < Hole::CLOSED => Some(pit),
                    Some(_) => None,
                    None => Some(unknown),
                },
                _ => Some(aged.filter(|pit| pit.timer < 9).unwrap_or(unknown)),
            });
        }
        pits.sort_by_key(|pit| std::cmp::Reverse(pit.timer));
        self.pits = pits;
    }

    fn resume_bodies(&mut self, board: &Board) {
        let mut old: Vec<Option<Body>> = self.bodies.drain(..).map(Some).collect();
        let mine = self.me;
        let mut found = Vec::new();
        for (cell, element) in board.iter() {
            let Element::Hero(family, look, _) = element else {
                continue;
            };
            let is_me = family == Family::Me;
            let nearest = (0..old.len())
                .filter(|&index| (index == mine) == is_me)
                .filter_map(|index| Some((index, old[index].as_ref()?.hero.cell)))
                .map(|(index, place)| (self.size().spread(place, cell), index))
                .filter(|&(far, _)| is_me || far <= 4)
                .min();
            let before = nearest.and_then(|(_, index)| old[index].take());
            let rank = nearest.map_or(usize::MAX, |(_, index)| index);
            found.push((rank, is_me, seen_body(cell, look, before.as_ref())));
        }
        // Stable: who is new comes last, in reading order.
        found.sort_by_key(|entry| entry.0);
        self.me = found.iter().position(|entry| entry.1).unwrap_or(usize::MAX);
        self.bodies = found.into_iter().map(|entry| entry.2).collect();
    }

    fn resume_hunters(&mut self, board: &Board) {
        let mut old: Vec<Option<Hunter>> = self.hunters.drain(..).map(Some).collect();
        let mut found = Vec::new();
        for (cell, element) in board.iter() {
            let Element::Monster(look) = element else {
                continue;
            };
            let nearest = (0..old.len())
                .filter_map(|index| Some((index, old[index].as_ref()?.monster.cell)))
                .map(|(index, place)| (self.size().spread(place, cell), index))
                .filter(|&(far, _)| far <= 4)
                .min();
            let before = nearest.and_then(|(_, index)| old[index].take());
            let rank = nearest.map_or(usize::MAX, |(_, index)| index);
            let facing = match look {
                MonsterLook::Left | MonsterLook::PipeLeft => Some(Dir::Left),
                MonsterLook::Right | MonsterLook::PipeRight => Some(Dir::Right),
                _ => None,
            };
            let mut monster = Monster::new(cell, facing.unwrap_or(Dir::Right));
            monster.load = before.and_then(|before| before.monster.load);
            found.push((
                rank,
                Hunter {
                    monster,
                    aim: before.map_or(Aim::Hero(0), |before| before.aim),
                    load_known: false,
                    facing_known: facing.is_some(),
                    idle: true,
                },
            ));
        }
        found.sort_by_key(|entry| entry.0);
        self.hunters = found.into_iter().map(|entry| entry.1).collect();
        let bodies = self.bodies.len();
        for hunter in &mut self.hunters {
            hunter.monster.target = Target::Unknown;
            if !matches!(hunter.aim, Aim::Hero(index) if index < bodies) {
                hunter.aim = Aim::Hero(0);
            }
        }
    }
}

/// A hero as a board shows it; what the look leaves open comes from what was known of it.
pub(super) fn seen_body(cell: Cell, look: HeroLook, before: Option<&Body>) -> Body {
    let mut hero = Hero::new(cell);
    hero.alive = look != HeroLook::Dead;
    hero.dug = matches!(look, HeroLook::DigLeft | HeroLook::DigRight);
    let left = is_left(look);
    let old = before.map(|body| (body.hero.facing, body.facing_known));
    let (facing, facing_known) = match (left, old) {
        (Some(true), _) => (Dir::Left, true),
        (Some(false), Some((facing, known))) if facing != Dir::Left => (facing, known),
        (None, Some((facing, known))) => (facing, known),
        _ => (Dir::Right, false),
    };
    hero.facing = facing;
    Body { hero, facing_known }
}

/// The side that a look shows: left, or anything but left.
pub(super) const fn is_left(look: HeroLook) -> Option<bool> {
    match look {
        HeroLook::DigLeft | HeroLook::Left | HeroLook::FallLeft | HeroLook::PipeLeft => Some(true),
        HeroLook::DigRight | HeroLook::Right | HeroLook::FallRight | HeroLook::PipeRight => {
            Some(false)
        }
        HeroLook::Dead | HeroLook::Ladder | HeroLook::Fall | HeroLook::Pipe | HeroLook::Pit => None,
    }
}

/// The terrain that a picture proves, empty terrain left out.
pub(super) const fn terrain_of(element: Element) -> Option<Tile> {
    if element.shows_brick() {
        Some(Tile::of(Tile::BRICK | Tile::SOLID))
    } else if element.shows_ladder() {
        Some(Tile::of(Tile::LADDER))
    } else if element.shows_pipe() {
        Some(Tile::of(Tile::PIPE))
    } else if matches!(element, Element::Stone) {
        Some(Tile::of(Tile::STONE | Tile::SOLID))
    } else {
        None
    }
}

/// Whether a picture proves empty terrain (RULES section 2).
pub(super) const fn shows_empty(element: Element) -> bool {
    matches!(
        element,
        Element::Gold(_) | Element::Monster(MonsterLook::Left | MonsterLook::Right)
    )
}
