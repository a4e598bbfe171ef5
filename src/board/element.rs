//! `Element`: what a server prints in one cell, in the union of all dialects. Not how it is spelt
//! (that is `glyph`) and not hidden state (holes' exact ages, loads: `sim`).

/// The kind of a gold; classic has only `Yellow`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum GoldKind {
    /// Kind 0: plain or yellow gold, knife clue.
    Yellow,
    /// Kind 1: green gold, glove clue.
    Green,
    /// Kind 2: red gold, ring clue.
    Red,
}

impl GoldKind {
    /// All kinds, in the order in which a hero or monster picks them up.
    pub const ALL: [GoldKind; 3] = [GoldKind::Yellow, GoldKind::Green, GoldKind::Red];
}

/// Whose hero it is, as the viewer of the board sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Family {
    /// The hero of the player who gets the board.
    Me,
    /// A rival (in clifford: of the viewer's team).
    Other,
    /// A rival of another team (clifford only).
    Enemy,
}

/// How a hero is drawn. Sides are "left" and "anything but left".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum HeroLook {
    /// Dead, or waiting for a round.
    Dead,
    /// Just dug, facing left.
    DigLeft,
    /// Just dug, facing anything but left.
    DigRight,
    /// On a ladder.
    Ladder,
    /// Standing, facing left.
    Left,
    /// Standing, facing anything but left.
    Right,
    /// Nothing supports it, facing left.
    FallLeft,
    /// Nothing supports it, facing anything but left.
    FallRight,
    /// On a pipe, facing left.
    PipeLeft,
    /// On a pipe, facing anything but left.
    PipeRight,
    /// Falling, drawn without a side (clifford).
    Fall,
    /// On a pipe, drawn without a side (clifford).
    Pipe,
    /// In a hole with something solid below (clifford).
    Pit,
}

/// How a monster is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MonsterLook {
    /// Facing left.
    Left,
    /// Facing anything but left.
    Right,
    /// On a ladder (no facing).
    Ladder,
    /// On a pipe, facing left.
    PipeLeft,
    /// On a pipe, facing anything but left.
    PipeRight,
    /// In a brick cell: a hole, or a brick that just closed.
    Pit,
    /// Falling, drawn without a side (clifford).
    Fall,
    /// On a pipe, drawn without a side (clifford).
    Pipe,
}

/// The metal of a door or key (clifford).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Metal {
    /// Gold door or key.
    Gold,
    /// Silver door or key.
    Silver,
    /// Bronze door or key.
    Bronze,
}

impl Metal {
    /// All metals, in list order.
    pub const ALL: [Metal; 3] = [Metal::Gold, Metal::Silver, Metal::Bronze];
}

/// The content of one cell of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// Nothing, or an open brick in the blank part of its hole.
    Empty,
    /// A full brick.
    Brick,
    /// A brick dug in this very tick.
    Dug,
    /// A brick about to close: 4, 3, 2 or 1 boards are left to see it open.
    Closing(u8),
    /// The border: never dug, never passed.
    Stone,
    /// A ladder.
    Ladder,
    /// A pipe.
    Pipe,
    /// At least one gold of this kind.
    Gold(GoldKind),
    /// A portal (2021 dialects, clifford).
    Portal,
    /// A shadow pill (2021 dialects, clifford).
    Pill,
    /// A door (clifford).
    Door(Metal, bool),
    /// A key (clifford).
    Key(Metal),
    /// A bullet in flight (clifford).
    Bullet,
    /// An ammo clip (clifford).
    Ammo,
    /// A monster.
    Monster(MonsterLook),
    /// A hero: whose, how it looks, and whether the shadow pill works.
    Hero(Family, HeroLook, bool),
}

impl Element {
    /// Whether a hero of any family is drawn here.
    pub const fn is_hero(self) -> bool {
        matches!(self, Element::Hero(..))
    }

    /// Whether the viewer's own hero is drawn here.
    pub const fn is_me(self) -> bool {
        matches!(self, Element::Hero(Family::Me, ..))
    }

    /// Whether a rival is drawn here.
    pub const fn is_rival(self) -> bool {
        matches!(self, Element::Hero(Family::Other | Family::Enemy, ..))
    }

    /// Whether a monster is drawn here.
    pub const fn is_monster(self) -> bool {
        matches!(self, Element::Monster(_))
    }

    /// Whether the picture proves that the terrain of the cell is a brick, open or not.
    pub const fn shows_brick(self) -> bool {
        matches!(
            self,
            Element::Brick
                | Element::Dug
                | Element::Closing(_)
                | Element::Monster(MonsterLook::Pit)
                | Element::Hero(_, HeroLook::Pit, _)
        )
    }

    /// Whether the picture proves that the terrain of the cell is a ladder.
    pub const fn shows_ladder(self) -> bool {
        matches!(
            self,
            Element::Ladder
                | Element::Monster(MonsterLook::Ladder)
                | Element::Hero(_, HeroLook::Ladder, _)
        )
    }

    /// Whether the picture proves that the terrain of the cell is a pipe.
    pub const fn shows_pipe(self) -> bool {
        matches!(
            self,
            Element::Pipe
                | Element::Monster(
                    MonsterLook::Pipe | MonsterLook::PipeLeft | MonsterLook::PipeRight
                )
                | Element::Hero(
                    _,
                    HeroLook::Pipe | HeroLook::PipeLeft | HeroLook::PipeRight,
                    _
                )
        )
    }
}
