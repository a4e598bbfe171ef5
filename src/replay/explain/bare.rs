//! Boards without bodies: what of a board does not walk about, and what may have become of it. Whether a body can
//! be where it is seen is asked elsewhere (`later`).

use crate::board::{Board, Cell, Element, HeroLook};
use crate::sim::{HeroId, Monster, State, Tile};

/// Whether a hero or a monster is shown.
pub(super) const fn is_body(element: Element) -> bool {
    element.is_hero() || element.is_monster()
}

/// What lies on empty cells and can be taken, placed or moved.
pub(super) const fn is_thing(element: Element) -> bool {
    matches!(
        element,
        Element::Gold(_)
            | Element::Pill
            | Element::Portal
            | Element::Key(_)
            | Element::Ammo
            | Element::Bullet
    )
}

/// What a brick with a running timer may show.
pub(super) const fn is_hole(element: Element) -> bool {
    matches!(
        element,
        Element::Empty | Element::Closing(_) | Element::Brick
    )
}

/// Whether we wait for a round, and nothing but heroes changed.
pub(super) fn stands_still(before: &Board, after: &Board) -> bool {
    let waits = |board: &Board| {
        let me = board.me().map(|cell| board.at(cell));
        matches!(me, Some(Element::Hero(_, HeroLook::Dead, _)))
    };
    let same = |(cell, element): (Cell, Element)| {
        let was = before.at(cell);
        was == element || was.is_hero() || element.is_hero()
    };
    waits(before) && waits(after) && after.iter().all(same)
}

/// The board of a state with all bodies taken off.
pub(super) fn bare(state: &State) -> Board {
    let mut state = state.clone();
    let corner = state.size().from_point(0, 0);
    let under = state.tile(corner).terrain();
    for id in state.seats().to_vec() {
        state.leave(id);
    }
    let listed: Vec<HeroId> = state.listed().to_vec();
    for id in listed {
        state.leave(id);
    }
    for index in 0..state.monsters().len() {
        let monster = state.monsters()[index];
        let cell = corner;
        state.place_monster(index, Monster { cell, ..monster });
    }
    let mut board = state.draw(None);
    if board.at(corner).is_monster() {
        let element = if under.has(Tile::STONE) {
            Element::Stone
        } else if under.is_brick() {
            Element::Brick
        } else if under.has(Tile::LADDER) {
            Element::Ladder
        } else if under.has(Tile::PIPE) {
            Element::Pipe
        } else {
            Element::Empty
        };
        board.set(corner, element);
    }
    board
}
