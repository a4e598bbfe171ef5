//! `Game`: players with their commands and scores around a `State`: what a server does in one tick, in the
//! server's order (RULES section 3, DIALECTS sections 4 and 6). No sockets, no clocks, no files.

use super::round::{RoundClock, Turn};
use super::{
    Command, Dialect, Event, FirstHero, Gear, Hero, HeroId, Level, Notice, Rolled, Rules, Score,
    State, refill,
};
use crate::board::Board;
use crate::rng::Dice;
use arrayvec::ArrayVec;
use std::sync::Arc;

/// A player's number: his place in the order of joining, from 0 on, never reused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerNumber(pub usize);

/// Numbers of players who are here: at most as many as there are seats.
type Numbers = ArrayVec<usize, { State::HEROES_MAX }>;

/// A player of the game, gone or not.
#[derive(Clone, Debug, Default)]
pub struct Player {
    /// His current hero; `None` before the first one and after he left.
    pub hero: Option<HeroId>,
    /// Whether he left.
    pub gone: bool,
    /// Points and series.
    pub score: Score,
    /// Events of the last tick and of what happened just before it, in their order.
    pub events: Vec<Event>,
    /// What counts for winning a round: in clifford the points of the hero, earlier its kills.
    pub round_score: i64,
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
    /// The things of the level have been brought to their settings, which the first player's joining does.
    furnished: bool,
    /// The players' events belong to a tick that is over.
    told: bool,
    clock: Option<RoundClock>,
    /// Somebody died since the survivors were counted last.
    died: bool,
    over: Vec<PlayerNumber>,
}

impl Game {
    /// A game on a fresh field without players.
    pub fn new(level: Arc<Level>, rules: Arc<Rules>) -> Game {
        Game {
            clock: rules.rounds.enabled.then(|| RoundClock::new(&rules.rounds)),
            state: State::new(level, rules),
            players: Vec::new(),
            heard: Vec::new(),
            furnished: false,
            told: false,
            died: false,
            over: Vec::new(),
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

    /// The clock of the rounds, if there are any.
    pub fn clock(&self) -> Option<&RoundClock> {
        self.clock.as_ref()
    }

    /// Players whose match is over: they leave for a new room, and this field ticks no more.
    pub fn over(&self) -> &[PlayerNumber] {
        &self.over
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
        self.join_team(self.next_team(), dice)
    }

    /// The team of the next player who joins: players are dealt out to the teams of the room in turn.
    pub fn next_team(&self) -> u8 {
        let most = State::HEROES_MAX as i64;
        let teams = self.state.rules().rounds.teams_per_room.clamp(1, most);
        (self.players.len() % teams as usize) as u8
    }

    /// A player joins a team; only clifford looks at it.
    ///
    /// # Errors
    /// `Full` if all seats are taken.
    pub fn join_team<D: Dice + ?Sized>(
        &mut self,
        team: u8,
        dice: &mut D,
    ) -> Result<PlayerNumber, GameError> {
        self.open_events();
        if self.present().count() >= State::HEROES_MAX {
            return Err(GameError::Full);
        }
        if !self.furnished {
            self.furnished = true;
            if !self.state.rules().is_classic() {
                refill::refill(&mut self.state, &mut Rolled(dice));
            }
        }
        let mut player = Player::default();
        if self.state.rules().first_hero == FirstHero::AtJoin {
            player.hero = self.state.join(&mut Rolled(dice));
            if let Some(hero) = player.hero {
                self.state.enlist(hero, team);
            }
            self.state.commit();
        }
        self.players.push(player);
        Ok(PlayerNumber(self.players.len() - 1))
    }

    /// A player leaves; his hero is off the field at once. Where the rules say so it dies first, which may
    /// leave a last survivor. Unknown or gone players are ignored.
    pub fn leave<D: Dice + ?Sized>(&mut self, number: PlayerNumber, dice: &mut D) {
        self.open_events();
        let Some(player) = self.players.get(number.0).filter(|player| !player.gone) else {
            return;
        };
        if let Some(hero) = player.hero {
            if self.state.rules().quit_kills && self.state.hero(hero).is_playing() {
                self.state
                    .die(hero, &mut Rolled(&mut *dice), &mut self.heard);
                self.hear();
            }
            self.state.leave(hero);
            self.state.commit();
        }
        let player = &mut self.players[number.0];
        player.gone = true;
        player.hero = None;
        if self.state.rules().quit_kills {
            self.count_survivors();
        }
    }

    /// One server tick: commands, replacements, round clock, field tick, scores. `commands` holds one entry
    /// a player number; missing ones do nothing. A field of a match that is over stands still.
    pub fn tick<D: Dice + ?Sized>(&mut self, commands: &[Command], dice: &mut D) {
        self.open_events();
        self.told = true;
        if !self.over.is_empty() {
            return;
        }
        self.apply_commands(commands, dice);
        self.replace_dead(dice);
        if self.over.is_empty() {
            if self.round_tick(dice) {
                self.state.stages(&mut Rolled(dice), &mut self.heard);
                self.hear();
                self.count_survivors();
            }
            // Drawing the boards asks for the living once more.
            if !self.state.rules().is_classic() {
                self.state.notice_deaths(&mut self.heard);
                self.hear();
            }
        }
        self.state.commit();
    }

    /// Forgets the events of the tick before, once.
    fn open_events(&mut self) {
        if self.told {
            self.told = false;
            for player in &mut self.players {
                player.events.clear();
            }
        }
    }

    fn apply_commands<D: Dice + ?Sized>(&mut self, commands: &[Command], dice: &mut D) {
        for (player, command) in self.players.iter().zip(commands) {
            if let Some(hero) = player.hero {
                self.state
                    .order(hero, command, &mut Rolled(&mut *dice), &mut self.heard);
            }
        }
        self.hear();
        // In clifford a suicide makes nobody the last survivor who has won.
        self.died &= self.state.rules().dialect != Dialect::Clifford;
    }

    /// Players in the order of their turns; who has no hero yet comes last.
    fn in_turn(&self) -> Numbers {
        let seat = |player: &Player| {
            let hero = player.hero?;
            self.state.seats().iter().position(|&id| id == hero)
        };
        let mut order: Numbers = (0..self.players.len())
            .filter(|&number| !self.players[number].gone)
            .collect();
        order.sort_by_key(|&number| seat(&self.players[number]).unwrap_or(usize::MAX));
        order
    }

    fn replace_dead<D: Dice + ?Sized>(&mut self, dice: &mut D) {
        let rounds = self.state.rules().rounds;
        for number in 0..self.players.len() {
            if self.players[number].gone {
                continue;
            }
            let Some(hero) = self.players[number].hero else {
                self.players[number].hero = self.state.join(&mut Rolled(&mut *dice));
                continue;
            };
            if self.clock.is_some_and(|clock| clock.is_last(&rounds))
                && !self.state.hero(hero).alive
            {
                self.over.push(PlayerNumber(number));
                continue;
            }
            let Some(seat) = self.state.seats().iter().position(|&id| id == hero) else {
                continue;
            };
            if self.state.classic {
                self.state.respawn(seat, &mut Rolled(&mut *dice));
                self.players[number].hero = self.state.seats().get(seat).copied();
            } else if !self.state.hero(hero).alive {
                self.renew(number, dice);
            }
        }
    }

    /// A player gets a new hero.
    fn renew<D: Dice + ?Sized>(&mut self, number: usize, dice: &mut D) {
        let player = &mut self.players[number];
        let seats = self.state.seats();
        if let Some(seat) = seats.iter().position(|&id| Some(id) == player.hero)
            && let Some(new) = self.state.replace(seat, &mut Rolled(dice))
        {
            player.hero = Some(new);
            player.round_score = 0;
        }
    }

    /// The clock of the rounds; whether the field ticks.
    fn round_tick<D: Dice + ?Sized>(&mut self, dice: &mut D) -> bool {
        let rounds = self.state.rules().rounds;
        if self.clock.is_none() {
            return true;
        }
        let survivors = self.survivors().len();
        let Some(clock) = &mut self.clock else {
            return true;
        };
        match clock.tick(&rounds, survivors) {
            Turn::Play => return true,
            Turn::Wait(None) => {}
            Turn::Wait(Some(left)) => self.tell_all(&[Event::Message(Notice::Countdown(left))]),
            Turn::Start(round) => {
                self.tell_all(&[Event::RoundStart, Event::Message(Notice::Round(round))]);
                self.start_round();
            }
            Turn::TimeOver => {
                self.reward_by_time();
                self.state.notice_deaths(&mut self.heard);
                self.hear();
                self.end_round(&self.survivors(), dice);
            }
            // When a survivor's time ends after his death, those of the next round stay as they are.
            Turn::Done => match self.survivors()[..] {
                [last] => self.end_round(&[last], dice),
                _ => self.end_round(&[], dice),
            },
        }
        false
    }

    fn tell_all(&mut self, events: &[Event]) {
        for number in 0..self.players.len() {
            if !self.players[number].gone {
                for &event in events {
                    self.tell(number, event);
                }
            }
        }
    }

    fn tell(&mut self, number: usize, event: Event) {
        let points = self.state.rules().points;
        let player = &mut self.players[number];
        player.score.count(event, &points);
        player.events.push(event);
    }

    fn start_round(&mut self) {
        for player in &mut self.players {
            player.round_score = 0;
        }
        self.died = false;
        for seat in 0..self.state.seats().len() {
            let id = self.state.seats()[seat];
            let hero = *self.state.hero(id);
            self.state.place_hero(
                id,
                Hero {
                    active: true,
                    pill: -1,
                    ..hero
                },
            );
            let gear = *self.state.gear(id);
            self.state.place_gear(
                id,
                Gear {
                    clues: [0; 3],
                    keys: [0; 3],
                    ..gear
                },
            );
        }
    }

    /// Players whose heroes are alive in the round, in the order of their turns.
    fn survivors(&self) -> Numbers {
        let alive = |&number: &usize| {
            let hero = self.players[number].hero;
            hero.is_some_and(|id| self.state.hero(id).is_playing())
        };
        self.in_turn().into_iter().filter(alive).collect()
    }

    /// The time is over: the best of the survivors have won.
    fn reward_by_time(&mut self) {
        let rounds = self.state.rules().rounds;
        let survivors = self.survivors();
        let scores = survivors
            .iter()
            .map(|&number| self.players[number].round_score);
        let best = scores.max();
        let counts = self.clock.is_some_and(|clock| clock.time_counts(&rounds));
        for number in survivors {
            if Some(self.players[number].round_score) != best {
                self.tell(number, Event::Message(Notice::TimeIsOver));
            } else if counts {
                self.win(number);
            }
        }
    }

    /// These survivors get new heroes that wait, or leave with the match's last round; the countdown begins.
    fn end_round<D: Dice + ?Sized>(&mut self, survivors: &[usize], dice: &mut D) {
        let rounds = self.state.rules().rounds;
        let last = self.clock.is_some_and(|clock| clock.is_last(&rounds));
        for &number in survivors {
            match self.players[number].hero {
                Some(id) if last => {
                    let hero = *self.state.hero(id);
                    self.state.place_hero(
                        id,
                        Hero {
                            alive: false,
                            ..hero
                        },
                    );
                }
                _ => self.renew(number, dice),
            }
        }
        if let Some(clock) = &mut self.clock {
            clock.restart(&rounds);
        }
    }

    /// If somebody died in a round and one hero is left, its player has won.
    fn count_survivors(&mut self) {
        let rounds = self.state.rules().rounds;
        let died = std::mem::take(&mut self.died);
        let Some(clock) = self.clock.filter(|_| died) else {
            return;
        };
        if clock.survival_counts(&rounds)
            && let [winner] = self.survivors()[..]
        {
            self.win(winner);
        }
    }

    /// A player has won the round, which ends his hero's pill, except in clifford.
    fn win(&mut self, number: usize) {
        self.tell(number, Event::RoundWin);
        let clifford = self.state.rules().dialect == Dialect::Clifford;
        if let Some(id) = self.players[number].hero.filter(|_| !clifford) {
            let hero = *self.state.hero(id);
            self.state.place_hero(id, Hero { pill: -1, ..hero });
        }
    }

    /// Gives what was heard to the players whose heroes it concerns.
    fn hear(&mut self) {
        let rules = Arc::clone(self.state.rules());
        let mut heard = std::mem::take(&mut self.heard);
        for (hero, event) in heard.drain(..) {
            let Some(player) = self
                .players
                .iter_mut()
                .find(|player| player.hero == Some(hero))
            else {
                continue;
            };
            let before = player.score.points();
            player.score.count(event, &rules.points);
            player.events.push(event);
            player.round_score += if rules.dialect == Dialect::Clifford {
                player.score.points() - before
            } else {
                i64::from(event == Event::Kill)
            };
            self.died |= event == Event::Death;
        }
        // The same buffer again: a tick allocates nothing.
        self.heard = heard;
    }

    /// The board this player gets now; `None` if he left.
    pub fn board(&self, number: PlayerNumber) -> Option<Board> {
        let player = self.players.get(number.0).filter(|player| !player.gone)?;
        Some(self.state.draw(player.hero))
    }
}
