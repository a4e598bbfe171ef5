//! Drawing: the board that a viewer gets of a state (RULES section 2). Not its spelling: `board::Alphabet`.

use super::{Hero, HeroId, Hole, Monster, State, Tile};
use crate::board::{Board, Dir, Element, Family, HeroLook, MonsterLook};

impl State {
    /// The board that the player of this hero gets after a tick. Without a viewer every hero is a rival.
    ///
    /// On top are heroes (earlier seat first), then monsters (earlier first), then gold, then terrain.
    pub fn draw(&self, viewer: Option<HeroId>) -> Board {
        let mut board = Board::empty(self.size());
        for cell in self.size().cells() {
            board.set(cell, self.terrain_element(self.tile(cell)));
        }
        for hole in &self.holes {
            board.set(hole.cell, hole_element(hole.timer(self.tick)));
        }
        for gold in self.gold.iter().rev() {
            board.set(gold.cell, Element::Gold(gold.kind));
        }
        for monster in self.monsters.iter().rev() {
            board.set(monster.cell, Element::Monster(self.monster_look(monster)));
        }
        for &id in self.seats.iter().rev() {
            let hero = self.hero(id);
            let element = if Some(id) == viewer {
                Element::Hero(Family::Me, self.hero_look(hero), false)
            } else {
                Element::Hero(Family::Other, rival_look(self.hero_look(hero)), false)
            };
            board.set(hero.cell, element);
        }
        board
    }

    #[allow(clippy::unused_self, reason = "dialects will ask the rules here")]
    fn terrain_element(&self, tile: Tile) -> Element {
        if tile.has(Tile::STONE) {
            Element::Stone
        } else if tile.is_full_brick() {
            Element::Brick
        } else if tile.has(Tile::LADDER) {
            Element::Ladder
        } else if tile.has(Tile::PIPE) {
            Element::Pipe
        } else {
            Element::Empty
        }
    }

    /// The first that fits: dead, ladder, pipe, dig pose, falling, standing. Falling is judged now.
    fn hero_look(&self, hero: &Hero) -> HeroLook {
        let tile = self.tile(hero.cell);
        let left = hero.facing == Dir::Left;
        let side = |look_left, look_right| if left { look_left } else { look_right };
        if !hero.alive {
            HeroLook::Dead
        } else if tile.has(Tile::LADDER) {
            HeroLook::Ladder
        } else if tile.has(Tile::PIPE) {
            side(HeroLook::PipeLeft, HeroLook::PipeRight)
        } else if hero.dug {
            side(HeroLook::DigLeft, HeroLook::DigRight)
        } else if self.falls(hero.cell) {
            side(HeroLook::FallLeft, HeroLook::FallRight)
        } else {
            side(HeroLook::Left, HeroLook::Right)
        }
    }

    fn monster_look(&self, monster: &Monster) -> MonsterLook {
        let tile = self.tile(monster.cell);
        let left = monster.facing == Dir::Left;
        if tile.has(Tile::LADDER) {
            MonsterLook::Ladder
        } else if tile.has(Tile::PIPE) {
            if left {
                MonsterLook::PipeLeft
            } else {
                MonsterLook::PipeRight
            }
        } else if tile.is_brick() {
            MonsterLook::Pit
        } else if left {
            MonsterLook::Left
        } else {
            MonsterLook::Right
        }
    }
}

/// What classic shows of a rival: neither its dig pose nor its fall.
const fn rival_look(look: HeroLook) -> HeroLook {
    match look {
        HeroLook::DigLeft | HeroLook::FallLeft => HeroLook::Left,
        HeroLook::DigRight | HeroLook::FallRight => HeroLook::Right,
        other => other,
    }
}

/// The picture of a brick whose timer runs (RULES section 6).
const fn hole_element(timer: i32) -> Element {
    match timer {
        1 => Element::Dug,
        9..=12 => Element::Closing((Hole::CLOSED - timer) as u8),
        Hole::CLOSED.. => Element::Brick,
        _ => Element::Empty,
    }
}
