//! Where bodies stand, fall and step, which bricks can be dug, and how holes age: what all dialects share.
//! Whose turn it is and what it asks for is the business of the stages (`classic`, `loderunner`,
//! `clifford`).

use super::{Hero, HeroId, Hole, Monster, State, Tile};
use crate::board::{Cell, Dir};

impl State {
    /// Whether a body in this cell has nothing below that carries it (RULES section 5).
    #[inline]
    pub fn unsupported(&self, cell: Cell) -> bool {
        !self.tiles[self.size().down(cell)].carries()
    }

    /// Whether a hero in this cell, without a pill, falls in its next turn.
    #[inline]
    pub fn falls(&self, cell: Cell) -> bool {
        !self.tiles[cell].holds() && self.unsupported(cell)
    }

    /// Whether this hero falls in its next turn; with a pill it also drops onto a regular hero.
    pub fn hero_falls(&self, hero: &Hero) -> bool {
        // Who has fallen off the board falls for ever.
        !self.size().contains(hero.cell)
            || self.falls(hero.cell)
            || hero.is_shadowed() && self.regular_hero_at(self.size().down(hero.cell))
    }

    /// Whether a hero's step into this cell is refused: solid, outside, a closed door or another hero (RULES
    /// section 5, DIALECTS section 3).
    #[inline]
    pub fn is_barrier(&self, cell: Cell) -> bool {
        self.tiles[cell].has(Tile::SOLID | Tile::BLOCK)
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

    /// The brick that a hero would dig now; `None` if it would lie outside the board.
    #[inline]
    pub(super) fn dig_place(&self, hero: &Hero) -> Option<Cell> {
        let size = self.size();
        let beside = match hero.facing {
            // In classic facing up or down aims right below, which the hero itself protects.
            Dir::Up | Dir::Down if self.classic => hero.cell,
            facing => size.step(hero.cell, facing),
        };
        (self.classic || size.contains(beside)).then(|| size.down(beside))
    }

    /// A brick dug now. It stays solid until the brick phase, so that a later hero of the same phase may dig
    /// it again and becomes its owner; in clifford it is open at once.
    pub(super) fn dig(&mut self, id: HeroId, brick: Cell) {
        let now = self.tick;
        let same = self
            .holes
            .iter()
            .rposition(|hole| hole.cell == brick && hole.opened == now);
        match same {
            Some(index) => self.set_hole_owner(index, Some(id)),
            None => self.add_hole(Hole {
                cell: brick,
                opened: now,
                owner: Some(id),
            }),
        }
        if self.rules.opens_at_once() {
            self.set_solid(brick, false);
        }
    }

    /// RULES section 6: holes age. The list is in order of digging, so those that close stand at its front
    /// and those of this tick at its end. Tells whether any closed.
    pub(super) fn age_holes(&mut self) -> bool {
        let now = self.tick;
        let mut closed = false;
        while self
            .holes
            .front()
            .is_some_and(|hole| hole.timer(now) > Hole::CLOSED)
        {
            self.drop_hole();
        }
        for index in 0..self.holes.len() {
            let hole = self.holes[index];
            if hole.timer(now) < Hole::CLOSED {
                break;
            }
            self.set_solid(hole.cell, true);
            closed = true;
        }
        for index in (0..self.holes.len()).rev() {
            let hole = self.holes[index];
            if hole.opened < now {
                break;
            }
            self.set_solid(hole.cell, false);
        }
        closed
    }

    /// Whether a monster falls: it also drops onto a hero right below (RULES section 8, DIALECTS section 3).
    #[inline]
    pub(super) fn monster_falls(&self, cell: Cell) -> bool {
        let below = self.tiles[self.size().down(cell)];
        !self.tiles[cell].has(Tile::BRICK | Tile::LADDER | Tile::PIPE)
            && (below.has(Tile::HERO) || !below.carries())
    }

    /// The monster one cell down; over a brick cell it has left its load in the cell it came from.
    #[inline]
    pub(super) fn fallen(&self, mut monster: Monster) -> Monster {
        let below = self.size().down(monster.cell);
        if self.tiles[below].is_brick() {
            monster.load = None;
        }
        monster.cell = below;
        monster
    }

    /// Whether new things and heroes may be placed here: in classic empty terrain without gold or hero (RULES
    /// section 7), later nothing at all (DIALECTS section 3).
    pub fn is_free(&self, cell: Cell) -> bool {
        let tile = self.tiles[cell];
        if self.classic {
            return tile.is_free();
        }
        tile.is_free()
            && tile.monsters() == 0
            && !self.items.iter().any(|item| item.cell == cell)
            && !self
                .heroes
                .iter()
                .any(|hero| hero.present && hero.cell == cell)
    }

    /// Whether a regular hero is here: one that plays and has no pill.
    pub(super) fn regular_hero_at(&self, cell: Cell) -> bool {
        self.tiles[cell].has(Tile::HERO)
            && self
                .heroes
                .iter()
                .any(|hero| hero.cell == cell && hero.is_regular())
    }
}
