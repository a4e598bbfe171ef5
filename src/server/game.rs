//! The simulator's game behind the server's door: reads texts by the rules' grammar, rolls seeded
//! dice, keeps what a game log wants to know.
//!
//! Not here: the rules (`sim`) and the protocol (the rest of this module).

use std::sync::Arc;

use super::field::Field;
use crate::board::{Alphabet, Board};
use crate::record::{Header, TickLine};
use crate::rng::{Noted, Seeded};
use crate::sim::{Command, Event, Game, Level, PlayerNumber, Rules, State};

/// A game of the simulator that players join over the wire.
pub struct Simulated {
    game: Game,
    rules: Arc<Rules>,
    dice: Noted<Seeded>,
    commands: Vec<Command>,
    /// The dice's tick: the number of the tick that is being prepared.
    tick: u32,
    seed: u64,
    /// Rows of the level's board, top first, for logs.
    map: Vec<String>,
    name: String,
}

impl Simulated {
    /// A fresh field. `board` is the level as a board, `name` what logs call the game.
    pub fn new(name: &str, board: &Board, level: Arc<Level>, rules: Rules, seed: u64) -> Self {
        let rules = Arc::new(rules);
        Self {
            map: board
                .rows(rules.alphabet)
                .lines()
                .map(str::to_owned)
                .collect(),
            game: Game::new(level, rules.clone()),
            rules,
            dice: Noted::new(Seeded::new(seed)),
            commands: Vec::new(),
            tick: 0,
            seed,
            name: name.to_owned(),
        }
    }
}

impl Field for Simulated {
    fn alphabet(&self) -> Alphabet {
        self.rules.alphabet
    }

    fn capacity(&self) -> usize {
        State::HEROES_MAX
    }

    fn join(&mut self) -> Result<usize, String> {
        let joined = self.game.join(&mut self.dice);
        joined
            .map(|number| number.0)
            .map_err(|error| error.to_string())
    }

    fn leave(&mut self, player: usize) {
        self.game.leave(PlayerNumber(player), &mut self.dice);
    }

    fn tick(&mut self, texts: &[Vec<String>]) {
        self.tick = self.tick.wrapping_add(1);
        self.dice.inner().set_tick(self.tick);
        self.commands.resize_with(texts.len(), Command::default);
        for (command, texts) in self.commands.iter_mut().zip(texts) {
            command.clear();
            for text in texts {
                command.read(text, &self.rules.grammar);
            }
        }
        self.game.tick(&self.commands, &mut self.dice);
    }

    fn board(&mut self, player: usize) -> Option<String> {
        let board = self.game.board(PlayerNumber(player))?;
        Some(board.render(self.rules.alphabet))
    }

    fn score(&self, player: usize) -> i64 {
        self.game
            .players()
            .get(player)
            .map_or(0, |player| player.score.points())
    }

    fn header(&self) -> Header {
        let mut header = Header::new(&self.name, self.rules.name, self.map.clone());
        header.seed = Some(self.seed.into());
        header.settings = self
            .rules
            .settings()
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.into()))
            .collect();
        header
    }

    fn line(&mut self) -> TickLine {
        let players = self.game.players();
        let events = players.iter().map(|player| {
            let name = |event: &Event| event.name(self.rules.dialect).into_owned();
            // In some dialects leaving alive is a death, of which the line of leaving tells.
            let told = !player.gone || !player.events.is_empty();
            told.then(|| player.events.iter().map(name).collect::<Vec<_>>())
        });
        let mut events: Vec<_> = events.collect();
        if events.iter().flatten().all(Vec::is_empty) {
            events.clear();
        }
        let scores = players
            .iter()
            .map(|player| (!player.gone).then(|| player.score.points()));
        TickLine {
            draws: self.dice.take(),
            ev: events,
            score: scores.collect(),
            ..TickLine::default()
        }
    }
}
