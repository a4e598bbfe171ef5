//! The players of a game and their sockets' turns: what the server remembers between ticks.
//!
//! The turn rule lives here: a tick sends a board only to sockets that answered their last one, the
//! first text behind a board is its answer, everything else is dropped unread. Joins and leaves take
//! effect at the beginning of a tick, as the game log wants them. Nothing here waits: frames go
//! to bounded outboxes. Not here: clocks (`clock`), bytes (`session`), rules (`field`).

use std::collections::BTreeMap;
use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::{Duration, Instant};

use super::accounts::{Accounts, Form};
use super::field::Field;
use super::screen;
use super::spectators::Spectators;
use crate::record::{TickLine, Writer};

/// Why a socket is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// No account with this id and code.
    Unauthorized,
    /// The field holds no more players.
    Full,
}

/// What goes to a socket's writer.
#[derive(Debug)]
pub(super) enum Outgoing {
    /// A text message.
    Text(String),
    /// Bytes of a frame made elsewhere (pongs, the library's goodbyes).
    Raw(Vec<u8>),
    /// A close frame with this code and reason; nothing follows it.
    Close(u16, &'static str),
}

/// One open socket of a player.
#[derive(Debug)]
struct Session {
    user: String,
    outbox: SyncSender<Outgoing>,
    /// A board was sent and its answer did not come yet.
    awaiting: bool,
    last_sent: Instant,
}

/// A player's place in the game.
#[derive(Debug, Default)]
struct Seat {
    /// His number in the field; nothing until the tick in which he joins.
    player: Option<usize>,
    /// The answers since the last tick, of all his sockets.
    heard: Vec<String>,
    /// Since when he has had no socket.
    absent: Option<Instant>,
}

/// See the module.
pub(super) struct Room {
    field: Box<dyn Field>,
    accounts: Accounts,
    auth: bool,
    /// A player without a socket leaves after this time.
    patience: Duration,
    seats: BTreeMap<String, Seat>,
    sessions: BTreeMap<u64, Session>,
    spectators: Spectators,
    next_session: u64,
    joining: Vec<String>,
    leaving: Vec<usize>,
    /// Player numbers given out.
    numbers: usize,
    /// The boards of the last tick, by player number.
    boards: Vec<Option<String>>,
    tick: u64,
    log: Option<Writer>,
    /// Nothing that was to be written to the log is missing in it.
    recorded: bool,
    /// The server stops: whoever still comes is sent away.
    closed: bool,
}

impl Room {
    pub(super) fn new(
        field: Box<dyn Field>,
        auth: bool,
        patience: Duration,
        log: Option<Writer>,
    ) -> Self {
        Self {
            field,
            accounts: Accounts::default(),
            auth,
            patience,
            seats: BTreeMap::new(),
            sessions: BTreeMap::new(),
            spectators: Spectators::default(),
            next_session: 0,
            joining: Vec::new(),
            leaving: Vec::new(),
            numbers: 0,
            boards: Vec::new(),
            tick: 0,
            log,
            recorded: true,
            closed: false,
        }
    }

    /// Registers or logs in, and enters the game. Gives id and code.
    pub(super) fn register(&mut self, form: Form) -> Result<(String, String), &'static str> {
        let (id, code) = self.accounts.register(form)?;
        self.enter(&id)
            .map_err(|_| "The field is full: try again when somebody has left.")?;
        Ok((id, code))
    }

    /// Whether a socket of this user may open; without `--auth` everybody may.
    pub(super) fn admit(&self, user: &str, code: &str) -> Result<(), Refusal> {
        if self.auth && !self.accounts.is_known(user, code) {
            return Err(Refusal::Unauthorized);
        }
        if !self.seats.contains_key(user) && self.seats.len() >= self.field.capacity() {
            return Err(Refusal::Full);
        }
        Ok(())
    }

    /// A socket is open; gives its number. Whoever is not in the game yet joins with the next tick.
    pub(super) fn open(&mut self, user: &str, outbox: SyncSender<Outgoing>) -> u64 {
        if self.enter(user).is_err() {
            log::warn!("no place for {user:?}: the field is full");
        } else if let Some(seat) = self.seats.get_mut(user) {
            seat.absent = None;
        }
        let number = self.next_session;
        self.next_session += 1;
        if self.closed {
            send_away(&outbox);
        }
        let user = user.to_owned();
        let session = Session {
            user,
            outbox,
            awaiting: false,
            last_sent: Instant::now(),
        };
        self.sessions.insert(number, session);
        number
    }

    /// A spectator's socket is open; gives its number.
    pub(super) fn open_spectator(&mut self, outbox: SyncSender<Outgoing>) -> u64 {
        let number = self.next_session;
        self.next_session += 1;
        if self.closed {
            send_away(&outbox);
        }
        self.spectators.open(number, outbox);
        number
    }

    /// A socket is gone.
    pub(super) fn close(&mut self, session: u64) {
        self.spectators.close(session);
        let Some(session) = self.sessions.remove(&session) else {
            return;
        };
        if !self
            .sessions
            .values()
            .any(|other| other.user == session.user)
            && let Some(seat) = self.seats.get_mut(&session.user)
        {
            seat.absent = Some(Instant::now());
        }
    }

    /// A text from a socket: the answer to its board if one is awaited, a spectator's request, else nothing.
    pub(super) fn answer(&mut self, session: u64, text: &str) {
        self.spectators.hear(session, text);
        let Some(session) = self.sessions.get_mut(&session) else {
            return;
        };
        if std::mem::take(&mut session.awaiting)
            && let Some(seat) = self.seats.get_mut(&session.user)
        {
            seat.heard.push(text.to_owned());
        }
    }

    /// When this socket got its last board or picture.
    pub(super) fn last_sent(&self, session: u64) -> Option<Instant> {
        let player = self.sessions.get(&session);
        player
            .map(|session| session.last_sent)
            .or_else(|| self.spectators.last_sent(session))
    }

    /// Takes a player out of the game; his sockets stay open and silent.
    pub(super) fn remove(&mut self, user: &str) {
        if let Some(seat) = self.seats.remove(user) {
            self.leaving.extend(seat.player);
        }
        self.joining.retain(|joining| joining != user);
    }

    fn enter(&mut self, user: &str) -> Result<(), Refusal> {
        if self.seats.contains_key(user) {
            return Ok(());
        }
        if self.seats.len() >= self.field.capacity() {
            return Err(Refusal::Full);
        }
        let seat = Seat {
            absent: Some(Instant::now()),
            ..Seat::default()
        };
        self.seats.insert(user.to_owned(), seat);
        self.joining.push(user.to_owned());
        Ok(())
    }

    /// Lock-step: whether somebody plays and every player with a socket has a free one, so that
    /// nobody is waited for.
    pub(super) fn is_ready(&self) -> bool {
        let mut ready: BTreeMap<&str, bool> = BTreeMap::new();
        for session in self.sessions.values() {
            if self.seats.contains_key(&session.user) {
                *ready.entry(&session.user).or_default() |= !session.awaiting;
            }
        }
        !ready.is_empty() && ready.values().all(|free| *free)
    }

    /// One tick of the server; gives the number of boards sent. Nothing happens while nobody plays.
    pub(super) fn tick(&mut self) -> usize {
        self.take_off_absent();
        if self.seats.is_empty() {
            return 0;
        }
        let leave: Vec<usize> = std::mem::take(&mut self.leaving);
        for player in &leave {
            self.field.leave(*player);
        }
        let join = self.seat_joining();
        if self.seats.is_empty() {
            return 0;
        }
        let opening = self.tick == 0;
        if opening {
            self.write_opening(&join);
        }
        self.tick += 1;

        let mut texts = vec![Vec::new(); self.numbers];
        let mut present = vec![false; self.numbers];
        for seat in self.seats.values_mut() {
            if let Some(player) = seat.player {
                texts[player] = std::mem::take(&mut seat.heard);
                present[player] = true;
            }
        }
        self.field.tick(&texts);
        self.draw();
        let sent = self.send();
        // Asked for even without a log: the field keeps notes until then.
        let mut line = self.field.line();
        if self.spectators.is_waiting() {
            self.show(&line);
        }
        if self.log.is_some() {
            let number = |player: usize| player as u32;
            line.t = self.tick;
            if !opening {
                line.leave = leave.into_iter().map(number).collect();
                line.join = join.into_iter().map(number).collect();
            }
            let cmd = texts.into_iter().zip(present);
            // Several messages of one tick act like one long one.
            line.cmd = cmd
                .map(|(texts, here)| here.then(|| texts.join(",")))
                .collect();
            line.boards.clone_from(&self.boards);
            self.write(&line);
        }
        sent
    }

    fn take_off_absent(&mut self) {
        let patience = self.patience;
        let gone: Vec<String> = self
            .seats
            .iter()
            .filter(|(_, seat)| seat.absent.is_some_and(|since| since.elapsed() >= patience))
            .map(|(user, _)| user.clone())
            .collect();
        for user in gone {
            log::info!(
                "{user:?} has been away for {} s and leaves",
                patience.as_secs()
            );
            self.remove(&user);
        }
    }

    fn seat_joining(&mut self) -> Vec<usize> {
        let mut joined = Vec::new();
        for user in std::mem::take(&mut self.joining) {
            match self.field.join() {
                Ok(player) => {
                    self.numbers = self.numbers.max(player + 1);
                    joined.push(player);
                    if let Some(seat) = self.seats.get_mut(&user) {
                        seat.player = Some(player);
                    }
                    log::info!("{:?} plays as number {player}", self.accounts.name(&user));
                }
                Err(reason) => {
                    log::warn!("{user:?} cannot join: {reason}");
                    self.seats.remove(&user);
                }
            }
        }
        joined
    }

    fn draw(&mut self) {
        let field = &mut self.field;
        self.boards = (0..self.numbers)
            .map(|player| field.board(player))
            .collect();
    }

    fn send(&mut self) -> usize {
        let mut sent = 0;
        for session in self
            .sessions
            .values_mut()
            .filter(|session| !session.awaiting)
        {
            let player = self.seats.get(&session.user).and_then(|seat| seat.player);
            let board = player
                .and_then(|player| self.boards.get(player))
                .and_then(Option::as_ref);
            let Some(board) = board else { continue };
            match session
                .outbox
                .try_send(Outgoing::Text(format!("board={board}")))
            {
                Ok(()) => {
                    session.awaiting = true;
                    session.last_sent = Instant::now();
                    sent += 1;
                }
                // Its threads are about to tell us that it is gone.
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {
                    session.awaiting = true;
                }
            }
        }
        sent
    }

    /// Gives the spectators what they asked for.
    fn show(&mut self, line: &TickLine) {
        let header = self.field.header();
        let playing = |(id, seat): (&String, &Seat)| Some((id.clone(), seat.player?));
        let players: Vec<screen::Player> = self
            .seats
            .iter()
            .filter_map(playing)
            .filter_map(|(id, player)| {
                let events = line.ev.get(player).and_then(Option::as_ref);
                Some(screen::Player {
                    id,
                    board: self.boards.get(player)?.as_deref()?,
                    score: self.field.score(player),
                    info: events.map_or_else(String::new, |events| events.join(", ")),
                })
            })
            .collect();
        let alphabet = self.field.alphabet();
        self.spectators
            .show(|wanted| screen::pictures(&players, wanted, &header, alphabet));
    }

    fn write_opening(&mut self, join: &[usize]) {
        self.draw();
        let mut line = self.field.line();
        let Some(log) = &mut self.log else { return };
        let mut header = self.field.header();
        header.players = join.len();
        let result = log.header(&header);
        line.join = join.iter().map(|player| *player as u32).collect();
        line.score.clear();
        line.boards.clone_from(&self.boards);
        if let Err(error) = result {
            log::error!("{error}: the game is not recorded");
            self.give_up_log();
        }
        self.write(&line);
    }

    fn write(&mut self, line: &TickLine) {
        let Some(log) = &mut self.log else { return };
        if let Err(error) = log.tick(line) {
            log::error!("{error}: the game is not recorded from tick {} on", line.t);
            self.give_up_log();
        }
    }

    fn give_up_log(&mut self) {
        self.log = None;
        self.recorded = false;
    }

    /// Says goodbye to all sockets and closes the log.
    pub(super) fn shut_down(&mut self) {
        self.closed = true;
        let players = self.sessions.values().map(|session| &session.outbox);
        players
            .chain(self.spectators.outboxes())
            .for_each(send_away);
        if let Some(log) = self.log.take()
            && let Err(error) = log.finish()
        {
            log::error!("{error}");
            self.recorded = false;
        }
    }

    /// Whether all that was to be recorded is, as far as is known before `shut_down`.
    pub(super) fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// Ticks since the start.
    pub(super) fn ticks(&self) -> u64 {
        self.tick
    }

    /// The list of players as the interface `rest/game/../players` gives it.
    pub(super) fn players_json(&self) -> String {
        let game = self.field.header().rules;
        let list: Vec<serde_json::Value> = self
            .seats
            .iter()
            .map(|(id, seat)| {
                serde_json::json!({
                    "id": id,
                    "name": id,
                    "readableName": self.accounts.name(id),
                    "gameType": screen::game_name(&game),
                    "score": seat.player.map_or(0, |player| self.field.score(player)),
                })
            })
            .collect();
        serde_json::Value::Array(list).to_string()
    }

    /// The glyphs of all elements in the order of the browser's letters.
    pub(super) fn elements_json(&self) -> String {
        screen::elements_json(self.field.alphabet())
    }

    /// What the viewer draws: the board of `user`, or of the first player.
    pub(super) fn screen_json(&self, user: Option<&str>) -> String {
        let seated = |id: &str| self.seats.get(id).and_then(|seat| seat.player);
        let first = || self.seats.values().filter_map(|seat| seat.player).min();
        let board = user
            .and_then(seated)
            .or_else(first)
            .and_then(|player| self.boards.get(player)?.clone());
        let header = self.field.header();
        let board = board.unwrap_or_else(|| header.map_text());
        let players: Vec<serde_json::Value> = self
            .seats
            .iter()
            .map(|(id, seat)| {
                serde_json::json!({
                    "name": self.accounts.name(id),
                    "score": seat.player.map_or(0, |player| self.field.score(player)),
                    "connected": seat.absent.is_none(),
                })
            })
            .collect();
        serde_json::json!({
            "tick": self.tick,
            "rules": header.rules,
            "size": header.size,
            "cells": screen::kinds(&board, self.field.alphabet()),
            "players": players,
        })
        .to_string()
    }
}

fn send_away(outbox: &SyncSender<Outgoing>) {
    // A full outbox belongs to a client that does not read; it is cut off anyway.
    let _ = outbox.try_send(Outgoing::Close(1001, "the server stops"));
}
