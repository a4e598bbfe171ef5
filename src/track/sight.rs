//! `Sight`: one board sorted into what moves and what lies about, and the terrain it proves. What earlier boards
//! showed is `Ground` and the other memories.

use crate::board::{Board, Cell, Element, Family, HeroLook, MonsterLook};
use crate::sim::Gold;

/// A body as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HeroMark {
    pub cell: Cell,
    pub look: HeroLook,
    /// Its pill works.
    pub pill: bool,
    /// Of another team.
    pub enemy: bool,
}

/// A monster as drawn: the first one in order of those that share the cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MonsterMark {
    pub cell: Cell,
    pub look: MonsterLook,
}

/// What one board shows, each list in reading order.
#[derive(Clone, Default, Debug)]
pub(super) struct Sight {
    pub me: Option<HeroMark>,
    pub rivals: Vec<HeroMark>,
    pub monsters: Vec<MonsterMark>,
    pub gold: Vec<Gold>,
    /// Bricks whose timer shows: just dug, or about to close, with the timer of `sim::Hole`.
    pub timers: Vec<(Cell, i32)>,
    /// What else lies, stands or flies about; nothing in classic.
    pub things: Vec<(Cell, Element)>,
}

impl Sight {
    /// Sorts a board, reusing the lists' memory.
    pub fn read(&mut self, board: &Board) {
        self.me = None;
        self.rivals.clear();
        self.monsters.clear();
        self.gold.clear();
        self.timers.clear();
        self.things.clear();
        let size = board.size();
        for (row, elements) in board.elements().chunks(size.edge()).enumerate() {
            let mut cell = size.cell(0, row);
            for &element in elements {
                self.sort(cell, element);
                cell = cell.right();
            }
        }
    }

    fn sort(&mut self, cell: Cell, element: Element) {
        match element {
            Element::Hero(..) => self.sort_hero(cell, element),
            Element::Monster(look) => self.monsters.push(MonsterMark { cell, look }),
            Element::Gold(kind) => self.gold.push(Gold { cell, kind }),
            Element::Dug => self.timers.push((cell, 1)),
            Element::Closing(left) => self.timers.push((cell, 13 - i32::from(left))),
            Element::Pill
            | Element::Portal
            | Element::Door(..)
            | Element::Key(_)
            | Element::Bullet
            | Element::Ammo => self.things.push((cell, element)),
            _ => {}
        }
    }

    /// A board has one own hero; should there be more, the rest are taken for rivals.
    fn sort_hero(&mut self, cell: Cell, element: Element) {
        if let Element::Hero(family, look, pill) = element {
            let mark = HeroMark {
                cell,
                look,
                pill,
                enemy: family == Family::Enemy,
            };
            if element.is_me() && self.me.is_none() {
                self.me = Some(mark);
            } else {
                self.rivals.push(mark);
            }
        }
    }
}

impl Sight {
    /// Whether this looks like the first board of a game, when nothing has moved yet: no hole, no monster on a
    /// ladder, on a pipe or in a hole, as maps have it, and all heroes new (RULES sections 1 and 3).
    pub fn looks_early(&self) -> bool {
        let plain =
            |mark: &MonsterMark| matches!(mark.look, MonsterLook::Left | MonsterLook::Right);
        let new = |mark: &HeroMark| {
            matches!(
                mark.look,
                HeroLook::Right | HeroLook::FallRight | HeroLook::Fall
            )
        };
        self.timers.is_empty()
            && self.monsters.iter().all(plain)
            && self.me.iter().chain(&self.rivals).all(new)
    }

    /// Whether a body is drawn in this cell.
    pub fn covers(&self, cell: Cell) -> bool {
        self.me.is_some_and(|mark| mark.cell == cell)
            || self.rivals.iter().any(|mark| mark.cell == cell)
            || self.monsters.iter().any(|mark| mark.cell == cell)
    }
}
