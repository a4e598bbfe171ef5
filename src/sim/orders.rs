//! What the words of a tick do to a hero (RULES section 4, DIALECTS section 2): they set flags that its turn
//! uses up, and one of them kills. How texts become words is `command`.

use super::hero::DoorOrder;
use super::{
    Chance, Command, Dialect, Event, Foreseen, Hero, HeroId, Observer, State, Tile, Unheard, Word,
};
use crate::board::{Action, Cell, Dir};

impl State {
    /// Applies the words of one tick to a hero; a dead or waiting one ignores them. Nobody hears of a
    /// suicide.
    pub fn command(&mut self, id: HeroId, command: &Command) {
        self.order(id, command, &mut Foreseen, &mut Unheard);
    }

    /// Applies the words of one tick to a hero, as `Game` does it.
    pub(super) fn order<C: Chance, O: Observer>(
        &mut self,
        id: HeroId,
        command: &Command,
        chance: &mut C,
        observer: &mut O,
    ) {
        for word in command.iter() {
            self.word(id, word, chance, observer);
        }
    }

    /// Applies a bot's decision to a hero, as the words that say it would.
    #[inline]
    pub fn act(&mut self, id: HeroId, action: Action) {
        let mut hero = self.heroes[id.index()];
        if !hero.alive || !hero.active {
            return;
        }
        hero.pending.dig |= matches!(action, Action::DigLeft | Action::DigRight);
        if !self.classic && self.rules.dialect == Dialect::Clifford {
            hero.pending.shoot |= matches!(action, Action::ShootLeft | Action::ShootRight);
            if matches!(action, Action::OpenLeft | Action::OpenRight) {
                hero.pending.door = DoorOrder::Open;
            }
        }
        match action {
            Action::Left | Action::DigLeft | Action::ShootLeft | Action::OpenLeft => {
                self.steer(&mut hero, Dir::Left);
            }
            Action::Right | Action::DigRight | Action::ShootRight | Action::OpenRight => {
                self.steer(&mut hero, Dir::Right);
            }
            Action::Up => self.steer(&mut hero, Dir::Up),
            Action::Down => self.steer(&mut hero, Dir::Down),
            Action::Stay => {}
        }
        self.set_hero(id, hero);
    }

    /// What the word for a direction does to a hero.
    #[inline]
    fn steer(&self, hero: &mut Hero, dir: Dir) {
        let tile = self.tiles[hero.cell];
        match dir {
            Dir::Left | Dir::Right => {
                hero.facing = dir;
                hero.pending.step = true;
                hero.dug = false;
            }
            Dir::Up if tile.has(Tile::LADDER) => {
                hero.facing = dir;
                hero.pending.step = true;
            }
            Dir::Down if tile.has(Tile::LADDER) || self.ladder_below(hero.cell) => {
                hero.facing = dir;
                hero.pending.step = true;
            }
            Dir::Down if tile.has(Tile::PIPE) => hero.pending.jump = true,
            Dir::Up | Dir::Down => {}
        }
    }

    fn word<C: Chance, O: Observer>(
        &mut self,
        id: HeroId,
        word: Word,
        chance: &mut C,
        observer: &mut O,
    ) {
        let mut hero = self.heroes[id.index()];
        if !hero.alive || !hero.active {
            return;
        }
        match word {
            Word::Left => self.steer(&mut hero, Dir::Left),
            Word::Right => self.steer(&mut hero, Dir::Right),
            Word::Up => self.steer(&mut hero, Dir::Up),
            Word::Down => self.steer(&mut hero, Dir::Down),
            Word::Act(arguments) => match self.rules.act(arguments) {
                Act::Die if self.classic => hero.alive = false,
                Act::Die => {
                    self.die(id, chance, observer);
                    observer.event(id, Event::Suicide);
                    return;
                }
                Act::Dig => hero.pending.dig = true,
                Act::Shoot => hero.pending.shoot = true,
                Act::Door(order) => hero.pending.door = order,
                Act::Nothing => {}
            },
        }
        self.set_hero(id, hero);
    }

    fn ladder_below(&self, cell: Cell) -> bool {
        // Who has fallen off the board has nothing below that could be asked.
        self.size().contains(cell) && self.tiles[self.size().down(cell)].has(Tile::LADDER)
    }
}

/// What a form of `act` means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A hole beside the hero.
    Dig,
    /// Suicide.
    Die,
    /// A shot (clifford).
    Shoot,
    /// A door beside the hero (clifford).
    Door(DoorOrder),
    /// Nothing at all.
    Nothing,
}

impl super::Rules {
    /// The table of DIALECTS section 2.
    #[inline]
    pub fn act(&self, arguments: super::command::Arguments) -> Act {
        if self.dialect != Dialect::Clifford {
            return match arguments.only() {
                Some(0) => Act::Die,
                _ => Act::Dig,
            };
        }
        match arguments.first() {
            None => Act::Dig,
            Some(0) => Act::Die,
            Some(1) => Act::Shoot,
            Some(2) => Act::Door(DoorOrder::Open),
            Some(3) => Act::Door(DoorOrder::Close),
            Some(_) => Act::Nothing,
        }
    }

    /// Whether a command asks for the hero's own death.
    pub fn is_suicide(&self, command: &Command) -> bool {
        command
            .iter()
            .any(|word| matches!(word, Word::Act(arguments) if self.act(arguments) == Act::Die))
    }
}
