//! The simulator as a replay needs it: a field built from a header, fed with recorded draws and
//! texts, and read back in the game log's own terms.
//!
//! This is the only file of the replay that knows the simulator; what is compared with what is the
//! business of `check`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use crate::board::{Board, Cell, Size};
use crate::record::{
    ClassicBrick, ClassicHero, ClassicMonster, ClassicState, Header, HiddenState, ModernHero,
    ModernMonster, ModernState,
};
use crate::rng::{Dice, Draw, Recorded};
use crate::sim::{Command, Event, Game, HeroId, Hole, Level, PlayerNumber, Rules, State, Target};

/// Numbers that stand where a player number is due.
const NOBODY: i32 = -1;
const NO_CURRENT_HERO: i32 = -2;

/// A game that is played again, with the recorded draws or others.
#[derive(Clone)]
pub(super) struct Field<D = Recorded> {
    game: Game,
    rules: Arc<Rules>,
    dice: D,
    /// Team of each player, by number.
    teams: Vec<u8>,
    commands: Vec<Command>,
}

impl Field<Recorded> {
    /// The field of a header, before anybody joins; `draws` are those of the first line.
    ///
    /// An error says what the simulator cannot do with this header.
    pub(super) fn build(header: &Header, draws: &[Draw]) -> Result<Field, String> {
        let rules = rules(header)?;
        let level = Level::parse(&header.map_text(), &rules).map_err(|error| error.to_string())?;
        let rules = Arc::new(rules);
        Ok(Field {
            game: Game::new(level, Arc::clone(&rules)),
            rules,
            dice: Recorded::new(draws.iter().copied()),
            teams: header.teams.iter().map(|&team| team as u8).collect(),
            commands: Vec::new(),
        })
    }

    /// Takes the draws of the next line.
    pub(super) fn load(&mut self, draws: &[Draw]) {
        self.dice.load(draws.iter().copied());
    }

    /// The first draw of the line that was not as recorded.
    pub(super) fn draw_fault(&self) -> Option<String> {
        self.dice.fault().map(ToString::to_string)
    }

    /// How many draws of the line nobody has asked for.
    pub(super) fn draws_left(&self) -> usize {
        self.dice.left().len()
    }

    /// The same game, going on with other dice.
    pub(super) fn with<D>(&self, dice: D) -> Field<D> {
        Field {
            game: self.game.clone(),
            rules: Arc::clone(&self.rules),
            dice,
            teams: self.teams.clone(),
            commands: Vec::new(),
        }
    }
}

impl<D: Dice> Field<D> {
    /// The dice it goes on with.
    pub(super) fn dice(&mut self) -> &mut D {
        &mut self.dice
    }

    /// The next player joins.
    pub(super) fn join(&mut self) -> Result<(), String> {
        let number = self.game.players().len();
        let team = self.teams.get(number).copied();
        let team = team.unwrap_or_else(|| self.game.next_team());
        self.game
            .join_team(team, &mut self.dice)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    pub(super) fn leave(&mut self, player: u32) {
        self.game
            .leave(PlayerNumber(player as usize), &mut self.dice);
    }

    /// One server tick, with the text received from each player.
    pub(super) fn tick(&mut self, texts: &[Option<String>]) {
        self.commands.resize_with(texts.len(), Command::default);
        for (command, text) in self.commands.iter_mut().zip(texts) {
            command.clear();
            if let Some(text) = text {
                command.read(text, &self.rules.grammar);
            }
        }
        self.game.tick(&self.commands, &mut self.dice);
    }

    /// Players whose match is over.
    pub(super) fn over(&self) -> Vec<u32> {
        let over = self.game.over().iter();
        over.map(|number| number.0 as u32).collect()
    }

    /// The board of every player who ever joined; `None` has left.
    pub(super) fn boards(&mut self) -> Vec<Option<String>> {
        let players = 0..self.game.players().len();
        let board = |number| self.game.board(PlayerNumber(number));
        players
            .map(|number| Some(board(number)?.render(self.rules.alphabet)))
            .collect()
    }

    /// The board that this player gets; `None` if he is not there.
    pub(super) fn board(&self, player: usize) -> Option<Board> {
        self.game.board(PlayerNumber(player))
    }

    /// A player's events in the last tick, in order.
    pub(super) fn game_events(&self, player: usize) -> &[Event] {
        self.game
            .players()
            .get(player)
            .map_or(&[], |player| &player.events)
    }

    /// The names of a player's events in the last tick, in order.
    pub(super) fn events(&self, player: usize) -> Vec<String> {
        self.game_events(player)
            .iter()
            .map(|event| event.name(self.rules.dialect).into_owned())
            .collect()
    }

    /// A player's score; 0 for an unknown one.
    pub(super) fn score(&self, player: usize) -> i64 {
        self.game
            .players()
            .get(player)
            .map_or(0, |player| player.score.points())
    }

    /// The hidden state as the log writes it.
    pub(super) fn hidden(&self) -> HiddenState {
        let (state, size) = (self.game.state(), self.game.state().size());
        if !self.rules.is_classic() {
            return HiddenState::Modern(self.modern(state));
        }
        let mut current: HashMap<HeroId, i32> = HashMap::new();
        let mut heroes = Vec::new();
        for (number, player) in self.game.players().iter().enumerate() {
            let Some(id) = player.hero else { continue };
            let hero = state.hero(id);
            current.insert(id, number as i32);
            let (x, y) = point(size, hero.cell);
            heroes.push(ClassicHero {
                player: number as u32,
                x,
                y,
                facing: hero.facing,
                alive: hero.alive,
                pose: hero.dug,
            });
        }
        let number = |id: HeroId| current.get(&id).copied().unwrap_or(NO_CURRENT_HERO);
        let monsters = state.monsters().iter().map(|monster| {
            let (x, y) = point(size, monster.cell);
            ClassicMonster {
                x,
                y,
                facing: monster.facing,
                gold: monster.load.is_some(),
                target: match monster.target {
                    Target::Hero(id) => number(id),
                    Target::Nobody | Target::Unknown => NOBODY,
                },
                given_up: monster.given_up.map_or(NOBODY, number),
            }
        });
        let bricks = state.holes().map(|hole| {
            let (x, y) = point(size, hole.cell);
            let timer = hole.timer(state.now());
            ClassicBrick {
                x,
                y,
                timer: if timer == Hole::CLOSED { -1 } else { timer },
                owner: hole.owner.map_or(NOBODY, number),
            }
        });
        HiddenState::Classic(ClassicState {
            heroes,
            monsters: monsters.collect(),
            gold: state
                .gold()
                .iter()
                .map(|gold| point(size, gold.cell))
                .collect(),
            bricks: bricks.collect(),
        })
    }
}

impl<D: Dice> Field<D> {
    /// The hidden state of every dialect but classic.
    fn modern(&self, state: &State) -> ModernState {
        let size = state.size();
        let heroes = self.game.players().iter().map(|player| {
            let id = player.hero?;
            let hero = state.hero(id);
            let (x, y) = point(size, hero.cell);
            let depth = i32::from(state.gear(id).depth);
            Some(ModernHero {
                x,
                // Who has fallen off the board is counted on downwards.
                y: if depth > 0 { -depth } else { y },
                alive: hero.alive,
                active: hero.active,
                shadow: i32::from(hero.pill),
            })
        });
        let monsters = state.monsters().iter().map(|monster| {
            let (x, y) = point(size, monster.cell);
            ModernMonster {
                x,
                y,
                load: monster.load.map_or(0, |kind| kind as i32 + 1),
            }
        });
        ModernState {
            heroes: heroes.collect(),
            monsters: monsters.collect(),
            timer: state.portal_timer(),
        }
    }
}

/// The dialect of a header with its settings; an error says what is unknown.
pub(super) fn rules(header: &Header) -> Result<Rules, String> {
    let mut rules = Rules::named(&header.rules).map_err(|error| error.to_string())?;
    for (key, value) in &header.settings {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        rules.set(key, &text).map_err(|error| error.to_string())?;
    }
    Ok(rules)
}

/// A cell as the originals count: from the left and from the bottom.
fn point(size: Size, cell: Cell) -> (i32, i32) {
    (size.x(cell) as i32, size.y(cell) as i32)
}
