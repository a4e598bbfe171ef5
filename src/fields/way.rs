//! `Way`: the first step of the quickest way to a target, holes as they stand now included. Looks one action
//! ahead of a field; it knows nothing of monsters.

use super::{DROP_TICKS, Field};
use crate::board::{Action, Cell, Dir};
use crate::sim::{HeroId, Hole, State, Tile};

/// The way to a field's target through the field as it is now: holes are open in it.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    state: &'a State,
    field: &'a Field,
}

impl<'a> Way<'a> {
    /// The way to a field's target in this state.
    pub fn new(state: &'a State, field: &'a Field) -> Way<'a> {
        Way { state, field }
    }

    /// The first action of the quickest way for a hero; `Stay` if he falls, is there, or no way leads there.
    pub fn action(&self, id: HeroId) -> Action {
        let hero = self.state.hero(id);
        if !hero.alive || self.state.hero_falls(hero) || hero.cell == self.field.target() {
            return Action::Stay;
        }
        let best = Action::ALL
            .into_iter()
            .filter_map(|action| Some((self.ticks_by(hero.cell, action)?, action)))
            .min();
        let closed = |cell: Cell| {
            let tile = self.state.tile(cell);
            tile.has(Tile::BLOCK) && !tile.has(Tile::HERO)
        };
        // The field leads through a closed door only where the hero has its key.
        match best.map(|(_, action)| action) {
            Some(Action::Left) if closed(hero.cell.left()) => Action::OpenLeft,
            Some(Action::Right) if closed(hero.cell.right()) => Action::OpenRight,
            best => best.unwrap_or(Action::Stay),
        }
    }

    /// Least ticks to the gold when this action comes first; `None` if it does nothing or leads nowhere.
    fn ticks_by(&self, from: Cell, action: Action) -> Option<u16> {
        let size = self.state.size();
        let (here, below) = (self.state.tile(from), size.down(from));
        let ladder_below = self.state.tile(below).has(Tile::LADDER);
        match action {
            Action::Left => self.ticks_over(from.left()),
            Action::Right => self.ticks_over(from.right()),
            Action::Up if here.has(Tile::LADDER) => self.ticks_over(size.up(from)),
            Action::Down if here.holds() || ladder_below => self.ticks_over(below),
            Action::DigLeft => self.ticks_through(from, Dir::Left),
            Action::DigRight => self.ticks_through(from, Dir::Right),
            _ => None,
        }
    }

    /// Ticks of a step into a cell and from there on.
    fn ticks_over(&self, next: Cell) -> Option<u16> {
        let tile = self.state.tile(next);
        if tile.has(Tile::SOLID) {
            return None;
        }
        if let Some(exit) = self.state.portal_exit(next) {
            return Some(self.field.ticks(exit)? + 1);
        }
        let walking = self.field.ticks(next);
        let hole = self.state.size().down(next);
        let open = self.state.tile(hole).is_brick() && !self.state.tile(hole).has(Tile::SOLID);
        if !open {
            return Some(walking? + 1);
        }
        let falling = self.field.ticks(hole).map(|ticks| ticks + 1);
        let ticks = if next == self.field.target() {
            walking
        } else if tile.holds() {
            [walking, falling].into_iter().flatten().min()
        } else {
            match self.fall(hole) {
                Fall::Through => falling,
                Fall::Over => walking,
                Fall::Into => None,
            }
        };
        Some(ticks? + 1)
    }

    /// Ticks of dig-and-drop to this side and from there on.
    fn ticks_through(&self, from: Cell, dir: Dir) -> Option<u16> {
        let size = self.state.size();
        let beside = size.step(from, dir);
        let brick = size.down(beside);
        let landing = size.down(brick);
        let free = |cell: Cell| !self.state.tile(cell).has(Tile::SOLID);
        if !self.state.can_dig(brick) || !free(beside) || !free(landing) {
            return None;
        }
        Some(self.field.ticks(landing)? + DROP_TICKS)
    }

    /// What happens to a hero who steps over an open hole in the next tick.
    fn fall(&self, hole: Cell) -> Fall {
        let Some(hole) = self.state.hole_at(hole) else {
            return Fall::Through;
        };
        // He falls in the second tick from now and must be out of the brick when the third begins.
        match Hole::CLOSED - hole.timer(self.state.now()) {
            ..=1 => Fall::Over,
            2 => Fall::Into,
            3.. => Fall::Through,
        }
    }
}

/// How a step over a hole ends.
enum Fall {
    /// He falls in and can leave.
    Through,
    /// The brick is full again before he falls.
    Over,
    /// He falls in and the brick closes on him.
    Into,
}
