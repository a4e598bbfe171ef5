//! `Game`: players with their commands and scores around a `State`: what a server does in one tick, in the
//! server's order (RULES section 3). No sockets, no clocks, no files.

use super::{Command, Event, FirstHero, HeroId, Level, Rolled, Rules, Score, State};
use crate::board::Board;
use crate::rng::Dice;
use std::sync::Arc;

/// A player's number: his place in the order of joining, from 0 on, never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerNumber(pub usize);

/// A player of the game, gone or not.
#[derive(Clone, Debug, Default)]
pub struct Player {
    /// His current hero; `None` before the first one and after he left.
    pub hero: Option<HeroId>,
    /// Whether he left.
    pub gone: bool,
    /// Points and series.
    pub score: Score,
    /// Events of the last tick, in their order.
    pub events: Vec<Event>,
}

/// Why a game refuses a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// All seats are taken.
    #[error("the field is full: it holds at most {} heroes", State::HEROES_MAX)]
    Full,
}

/// A running game.
#[derive(Clone, Debug)]
pub struct Game {
    state: State,
    players: Vec<Player>,
    heard: Vec<(HeroId, Event)>,
}

impl Game {
    /// A game on a fresh field without players.
    pub fn new(level: Arc<Level>, rules: Arc<Rules>) -> Game {
        Game {
            state: State::new(level, rules),
            players: Vec::new(),
            heard: Vec::new(),
        }
    }

    /// The field.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// All players who ever joined, by number.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Players who are still here, in order of joining.
    pub fn present(&self) -> impl Iterator<Item = PlayerNumber> + '_ {
        self.players
            .iter()
            .enumerate()
            .filter(|(_, player)| !player.gone)
            .map(|(number, _)| PlayerNumber(number))
    }

    /// A player joins. His first hero comes at once or in the next tick, as the rules say.
    ///
    /// # Errors
    /// `Full` if all seats are taken.
    pub fn join<D: Dice + ?Sized>(&mut self, dice: &mut D) -> Result<PlayerNumber, GameError> {
        if self.present().count() >= State::HEROES_MAX {
            return Err(GameError::Full);
        }
        let mut player = Player::default();
        if self.state.rules().first_hero == FirstHero::AtJoin {
            player.hero = self.state.join(&mut Rolled(dice));
            self.state.commit();
        }
        self.players.push(player);
        Ok(PlayerNumber(self.players.len() - 1))
    }

    /// A player leaves; his hero is off the field at once. Unknown or gone players are ignored.
    pub fn leave(&mut self, number: PlayerNumber) {
        if let Some(player) = self.players.get_mut(number.0).filter(|player| !player.gone) {
            player.gone = true;
            player.events.clear();
            if let Some(hero) = player.hero.take() {
                self.state.leave(hero);
                self.state.commit();
            }
        }
    }

    /// One server tick: commands, replacements, field tick, scores. `commands` holds one entry a player
    /// number; missing ones do nothing.
    pub fn tick<D: Dice + ?Sized>(&mut self, commands: &[Command], dice: &mut D) {
        self.apply_commands(commands);
        self.replace_dead(dice);
        self.heard.clear();
        self.state.tick(&mut Rolled(dice), &mut self.heard);
        self.count_events();
        self.state.commit();
    }

    fn apply_commands(&mut self, commands: &[Command]) {
        for (player, command) in self.players.iter().zip(commands) {
            if let Some(hero) = player.hero {
                self.state.command(hero, command);
            }
        }
    }

    fn replace_dead<D: Dice + ?Sized>(&mut self, dice: &mut D) {
        let present = self.players.iter_mut().filter(|player| !player.gone);
        for (seat, player) in present.enumerate() {
            if player.hero.is_none() {
                player.hero = self.state.join(&mut Rolled(&mut *dice));
            } else {
                self.state.respawn(seat, &mut Rolled(&mut *dice));
                player.hero = self.state.seats().get(seat).copied();
            }
        }
    }

    fn count_events(&mut self) {
        let points = self.state.rules().points;
        for player in &mut self.players {
            player.events.clear();
        }
        for &(hero, event) in &self.heard {
            if let Some(player) = self
                .players
                .iter_mut()
                .find(|player| player.hero == Some(hero))
            {
                player.score.count(event, &points);
                player.events.push(event);
            }
        }
    }

    /// The board this player gets now; `None` if he left.
    pub fn board(&self, number: PlayerNumber) -> Option<Board> {
        let player = self.players.get(number.0).filter(|player| !player.gone)?;
        Some(self.state.draw(player.hero))
    }
}
