//! Drawing: the board that a viewer gets of a state (RULES section 2, DIALECTS section 1.3). Not its
//! spelling: `board::Alphabet`.

use super::{Dialect, Hero, HeroId, Hole, ItemKind, Monster, State, Tile};
use crate::board::{Board, Cell, Dir, Element, Family, GoldKind, HeroLook, MonsterLook};

impl State {
    /// The board that the player of this hero gets after a tick. Without a viewer every hero is a rival.
    ///
    /// On top are heroes, then monsters, then gold by kind, then terrain, then items. Among heroes the
    /// viewer's own comes first, except in classic; others go in list order.
    pub fn draw(&self, viewer: Option<HeroId>) -> Board {
        let mut board = Board::empty(self.size());
        for cell in self.size().cells() {
            board.set(cell, State::terrain_element(self.tile(cell)));
        }
        if !self.items.is_empty() {
            self.draw_items(&mut board);
        }
        for hole in &self.holes {
            let element = hole_element(hole.timer(self.tick));
            // A bullet shows in a hole that is fully open.
            if element != Element::Empty || board.at(hole.cell) != Element::Bullet {
                board.set(hole.cell, element);
            }
        }
        for kind in GoldKind::ALL.into_iter().rev() {
            for gold in self.gold.iter().filter(|gold| gold.kind == kind) {
                board.set(gold.cell, Element::Gold(kind));
            }
        }
        for monster in self.monsters.iter().rev() {
            board.set(monster.cell, Element::Monster(self.monster_look(monster)));
        }
        for &id in self.listed().iter().rev() {
            let hero = self.hero(id);
            if self.size().contains(hero.cell) {
                board.set(hero.cell, self.hero_element(id, viewer));
            }
        }
        if let Some(hero) = viewer.map(|id| self.hero(id)).filter(|hero| hero.present)
            && !self.classic
            && self.size().contains(hero.cell)
        {
            let look = self.hero_look(hero);
            board.set(
                hero.cell,
                Element::Hero(Family::Me, look, hero.is_shadowed()),
            );
        }
        board
    }

    /// Things show where there is no terrain, the first of pill, portal, door, key, bullet, ammo.
    fn draw_items(&self, board: &mut Board) {
        let mut items = self.items.clone();
        items.sort_by_key(|item| match item.kind {
            ItemKind::Pill => 5,
            ItemKind::Portal => 4,
            ItemKind::Door(..) => 3,
            ItemKind::Key(_) => 2,
            ItemKind::Bullet { .. } => 1,
            ItemKind::Ammo => 0,
        });
        for item in items {
            let element = match item.kind {
                ItemKind::Pill => Element::Pill,
                ItemKind::Portal => Element::Portal,
                ItemKind::Ammo => Element::Ammo,
                ItemKind::Key(metal) => Element::Key(metal),
                ItemKind::Door(metal, open) => Element::Door(metal, open),
                ItemKind::Bullet { .. } => Element::Bullet,
            };
            let terrain = State::terrain_element(self.tile(item.cell));
            if terrain == Element::Empty {
                board.set(item.cell, element);
            }
        }
    }

    fn terrain_element(tile: Tile) -> Element {
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

    fn hero_element(&self, id: HeroId, viewer: Option<HeroId>) -> Element {
        let hero = self.hero(id);
        let look = self.hero_look(hero);
        if Some(id) == viewer {
            return Element::Hero(Family::Me, look, hero.is_shadowed());
        }
        match self.rules.dialect {
            Dialect::Classic => Element::Hero(Family::Other, rival_look(look), false),
            Dialect::Clifford if !self.are_mates_at(hero.cell, viewer) => {
                Element::Hero(Family::Enemy, look, hero.is_shadowed())
            }
            _ => Element::Hero(Family::Other, look, hero.is_shadowed()),
        }
    }

    /// Whether all heroes of a cell are of the viewer's team.
    fn are_mates_at(&self, cell: Cell, viewer: Option<HeroId>) -> bool {
        let team = viewer.map_or(0, |viewer| self.gear(viewer).team);
        let here = |id: &&HeroId| self.hero(**id).cell == cell;
        let mut others = self.seats.iter().filter(here);
        others.all(|&id| self.gear(id).team == team)
    }

    /// The first that fits: dead or waiting, ladder, pipe, dig pose or pit, falling, standing. Falling is
    /// judged now.
    fn hero_look(&self, hero: &Hero) -> HeroLook {
        let tile = self.tile(hero.cell);
        let left = hero.facing == Dir::Left;
        let side = |look_left, look_right| if left { look_left } else { look_right };
        let clifford = self.rules.dialect == Dialect::Clifford;
        if !hero.alive || !hero.active {
            HeroLook::Dead
        } else if tile.has(Tile::LADDER) {
            HeroLook::Ladder
        } else if tile.has(Tile::PIPE) && clifford {
            HeroLook::Pipe
        } else if tile.has(Tile::PIPE) {
            side(HeroLook::PipeLeft, HeroLook::PipeRight)
        } else if clifford && tile.is_brick() && self.is_barrier(self.size().down(hero.cell)) {
            HeroLook::Pit
        } else if hero.dug && !clifford {
            side(HeroLook::DigLeft, HeroLook::DigRight)
        } else if !self.hero_falls(hero) {
            side(HeroLook::Left, HeroLook::Right)
        } else if clifford {
            HeroLook::Fall
        } else {
            side(HeroLook::FallLeft, HeroLook::FallRight)
        }
    }

    fn monster_look(&self, monster: &Monster) -> MonsterLook {
        let tile = self.tile(monster.cell);
        let left = monster.facing == Dir::Left;
        let clifford = self.rules.dialect == Dialect::Clifford;
        if tile.has(Tile::LADDER) {
            MonsterLook::Ladder
        } else if tile.has(Tile::PIPE) {
            match (clifford, left) {
                (true, _) => MonsterLook::Pipe,
                (false, true) => MonsterLook::PipeLeft,
                (false, false) => MonsterLook::PipeRight,
            }
        } else if tile.is_brick() {
            MonsterLook::Pit
        } else if clifford && self.monster_falls(monster.cell) {
            MonsterLook::Fall
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
