//! `Roster`: the heroes from board to board: who is who by continuity, facing, deaths, replacements. Nothing in a
//! classic board names a rival, so identity is an inference (RULES section 11).

use super::ground::Ground;
use super::portals::Portals;
use super::sight::{HeroMark, Sight};
use crate::board::{Cell, Dir, HeroLook};
use crate::sim::{Hero, Rules, State};

/// One hero of the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Body {
    /// Number of the hero object, never reused: a replaced hero gets a new one.
    pub object: u32,
    pub cell: Cell,
    pub facing: Dir,
    /// The facing is known and not only "anything but left".
    pub facing_known: bool,
    pub alive: bool,
    /// Drawn in dig pose (only the own hero's is seen).
    pub dug: bool,
    /// Boards for which it has not moved.
    pub still: u32,
    /// Ticks that its pill still works after the next one, -1 without; 0 for rivals, whose pills are taken to work as
    /// long as they may (`Field`).
    pub pill: i16,
    /// Of another team than the own hero.
    pub enemy: bool,
}

/// A hero object that left the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ghost {
    pub object: u32,
    /// Its last cell.
    pub cell: Cell,
    /// Left alive: monsters go on hunting its last cell (RULES section 8).
    pub alive: bool,
}

/// What happened to the heroes in a tick.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct RosterChange {
    /// The own hero died on this board.
    pub died: bool,
    /// The own hero was replaced without having been seen dead.
    pub jumped: bool,
}

/// All heroes in the order of their turns, as far as it is known.
#[derive(Clone, Default, Debug)]
pub(super) struct Roster {
    bodies: Vec<Body>,
    me: Option<usize>,
    ghosts: Vec<Ghost>,
    next: u32,
    /// A hero drawn dead has died in this very tick: classic replaces it in the next.
    counts_each: bool,
    /// How long a pill works.
    pill_ticks: i16,
}

/// A left-behind object is of no use to anybody after so many others.
const GHOSTS_MAX: usize = 16;

/// What ties a remembered hero to a mark: larger is better, `None` is impossible by a normal turn. Standing still is
/// best, because two neighbours never change places (RULES section 5: heroes are barriers).
/// `missed` boards in between were not seen, so that any nearer place is possible.
fn affinity(body: &Body, mark: HeroMark, ground: &Ground, missed: u32) -> Option<u8> {
    if !body.alive {
        return None;
    }
    let size = ground.size();
    if mark.cell == body.cell {
        return Some(2);
    }
    if missed > 0 {
        let far = size.spread(body.cell, mark.cell);
        return (far <= missed as usize + 1).then_some(u8::from(far <= 1));
    }
    let dir = Dir::ALL
        .into_iter()
        .find(|&dir| size.step(body.cell, dir) == mark.cell)?;
    // A step to the side turns the hero, and that shows.
    let left = looks_left(mark.look);
    let possible = match dir {
        Dir::Left => left != Some(false),
        Dir::Right => left != Some(true),
        Dir::Up => ground.is_ladder(body.cell),
        Dir::Down => true,
    };
    possible.then_some(1)
}

/// Whether a picture shows that the hero faces left; `None` if it shows no side.
const fn looks_left(look: HeroLook) -> Option<bool> {
    match look {
        HeroLook::Left | HeroLook::DigLeft | HeroLook::FallLeft | HeroLook::PipeLeft => Some(true),
        HeroLook::Right | HeroLook::DigRight | HeroLook::FallRight | HeroLook::PipeRight => {
            Some(false)
        }
        HeroLook::Dead | HeroLook::Ladder | HeroLook::Fall | HeroLook::Pipe | HeroLook::Pit => None,
    }
}

impl Roster {
    /// The heroes of a first board. The own one is taken for the last to join.
    pub fn new(sight: &Sight, ground: &Ground, rules: &Rules) -> Roster {
        let mut roster = Roster {
            counts_each: rules.is_classic(),
            pill_ticks: rules.pill_ticks as i16,
            ..Roster::default()
        };
        for &mark in sight.rivals.iter().take(rivals_max(sight)) {
            let body = roster.appear(mark);
            roster.bodies.push(body);
        }
        if let Some(mark) = sight.me {
            let body = roster.appear(mark);
            roster.me = Some(roster.bodies.len());
            roster.bodies.push(body);
        }
        for body in &mut roster.bodies {
            body.facing_known = body.facing == Dir::Left || !near_ladder(body.cell, ground);
        }
        roster
    }

    /// A new hero object for a mark, facing right unless it shows otherwise.
    fn appear(&mut self, mark: HeroMark) -> Body {
        let object = self.next;
        self.next += 1;
        Body {
            object,
            cell: mark.cell,
            facing: match looks_left(mark.look) {
                Some(true) => Dir::Left,
                _ => Dir::Right,
            },
            facing_known: true,
            alive: mark.look != HeroLook::Dead,
            dug: matches!(mark.look, HeroLook::DigLeft | HeroLook::DigRight),
            still: 0,
            pill: if mark.pill { 0 } else { -1 },
            enemy: mark.enemy,
        }
    }

    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Forgets objects that left the field unless they are still referred to.
    pub fn forget(&mut self, referred: impl Fn(u32) -> bool) {
        self.ghosts.retain(|ghost| referred(ghost.object));
    }

    pub fn ghosts(&self) -> &[Ghost] {
        &self.ghosts
    }

    /// The own hero and its seat.
    pub fn me(&self) -> Option<(usize, &Body)> {
        let seat = self.me?;
        self.bodies.get(seat).map(|body| (seat, body))
    }

    /// Takes in the heroes of the next board. `expected` is the own hero as its turn should have left it;
    /// `missed` boards before this one were not seen.
    pub fn observe(
        &mut self,
        sight: &Sight,
        ground: &Ground,
        expected: Option<&Hero>,
        missed: u32,
        portals: &Portals,
    ) -> RosterChange {
        let change = self.observe_me(sight.me, ground, expected, missed, portals);
        let rivals = &sight.rivals[..sight.rivals.len().min(rivals_max(sight))];
        self.observe_rivals(rivals, ground, missed);
        if self.ghosts.len() > GHOSTS_MAX {
            self.ghosts.drain(..self.ghosts.len() - GHOSTS_MAX);
        }
        change
    }

    fn observe_me(
        &mut self,
        mark: Option<HeroMark>,
        ground: &Ground,
        expected: Option<&Hero>,
        missed: u32,
        portals: &Portals,
    ) -> RosterChange {
        let mut change = RosterChange::default();
        match (self.me, mark) {
            (None, None) => {}
            (None, Some(mark)) => {
                let body = self.appear(mark);
                self.me = Some(self.bodies.len());
                self.bodies.push(body);
                change.died = !body.alive;
            }
            (Some(seat), None) => {
                self.me = None;
                let body = self.bodies.remove(seat);
                self.bury(&body, body.alive);
            }
            (Some(seat), Some(mark)) => {
                let body = self.bodies[seat];
                let hopped = body.alive
                    && portals.has(mark.cell)
                    && expected.is_some_and(|hero| portals.has(hero.cell));
                let same = hopped || affinity(&body, mark, ground, missed).is_some();
                change.jumped = body.alive && !same;
                let mut new = if same {
                    moved(&body, mark, ground)
                } else {
                    self.bury(&body, false);
                    self.appear(mark)
                };
                if let Some(hero) = expected.filter(|hero| fits(hero, mark) && !change.jumped)
                    && body.alive
                {
                    new.facing = hero.facing;
                    new.facing_known |= body.facing_known || hero.facing != body.facing;
                    // On ladders, on pipes and by the dead the pose is remembered but not drawn.
                    if looks_left(mark.look).is_none() || ground.is_pipe(mark.cell) {
                        new.dug = hero.dug;
                    }
                }
                if mark.pill {
                    let foreseen = expected.filter(|hero| same && hero.pill >= 0);
                    new.pill = match foreseen {
                        Some(hero) => hero.pill,
                        // It was not seen to lie there: a new hero fell on it, say.
                        None if body.pill < 0 || !same => self.pill_ticks,
                        None => 0,
                    };
                }
                // Where heroes wait for rounds a dead one stays as it is for many boards.
                change.died = !new.alive && (body.alive || self.counts_each);
                self.bodies[seat] = new;
            }
        }
        change
    }

    fn observe_rivals(&mut self, marks: &[HeroMark], ground: &Ground, missed: u32) {
        let seats: Vec<usize> = (0..self.bodies.len())
            .filter(|&seat| Some(seat) != self.me)
            .collect();
        let (matched, free) = self.pair(&seats, marks, ground, missed);
        let mut free = free.into_iter();
        let mut gone = Vec::new();
        // The dead are replaced for certain, so they come first; then those who gave themselves up.
        let mut lost: Vec<(usize, usize)> = seats
            .iter()
            .zip(&matched)
            .enumerate()
            .filter(|(_, (_, mark))| mark.is_none())
            .map(|(index, (&seat, _))| (index, seat))
            .collect();
        lost.sort_by_key(|&(_, seat)| self.bodies[seat].alive);
        for (&seat, mark) in seats.iter().zip(&matched) {
            if let Some(mark) = mark {
                self.bodies[seat] = moved(&self.bodies[seat], marks[*mark], ground);
            }
        }
        for (_, seat) in lost {
            let body = self.bodies[seat];
            if let Some(mark) = free.next() {
                self.bury(&body, false);
                self.bodies[seat] = self.appear(marks[mark]);
            } else {
                self.bury(&body, body.alive);
                gone.push(seat);
            }
        }
        for mark in free {
            let body = self.appear(marks[mark]);
            self.bodies.push(body);
        }
        gone.sort_unstable();
        for seat in gone.into_iter().rev() {
            self.bodies.remove(seat);
            if let Some(me) = self.me.as_mut().filter(|me| **me > seat) {
                *me -= 1;
            }
        }
    }

    /// Ties marks to remembered rivals so that as many as possible took a normal turn; better ones first.
    /// Returns the mark of each seat and the marks left over.
    fn pair(
        &self,
        seats: &[usize],
        marks: &[HeroMark],
        ground: &Ground,
        missed: u32,
    ) -> (Vec<Option<usize>>, Vec<usize>) {
        let mut choices = vec![Vec::new(); seats.len()];
        for (index, &seat) in seats.iter().enumerate() {
            for (number, &mark) in marks.iter().enumerate() {
                if let Some(worth) = affinity(&self.bodies[seat], mark, ground, missed) {
                    choices[index].push((worth, number));
                }
            }
            choices[index].sort_by_key(|&(worth, number)| (u8::MAX - worth, number));
        }
        let mut owner: Vec<Option<usize>> = vec![None; marks.len()];
        for index in 0..seats.len() {
            let mut tried = vec![false; marks.len()];
            augment(index, &choices, &mut owner, &mut tried);
        }
        let mut matched = vec![None; seats.len()];
        let mut free = Vec::new();
        for (mark, owner) in owner.iter().enumerate() {
            match owner {
                Some(index) => matched[*index] = Some(mark),
                None => free.push(mark),
            }
        }
        (matched, free)
    }

    fn bury(&mut self, body: &Body, alive: bool) {
        self.ghosts.push(Ghost {
            object: body.object,
            cell: body.cell,
            alive,
        });
    }
}

/// Rivals that a simulated field has room for beside the own hero.
fn rivals_max(sight: &Sight) -> usize {
    State::HEROES_MAX - usize::from(sight.me.is_some())
}

/// One search for an augmenting path of a matching; depth is bounded by the number of heroes on a field.
fn augment(
    index: usize,
    choices: &[Vec<(u8, usize)>],
    owner: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &(_, mark) in &choices[index] {
        if std::mem::replace(&mut tried[mark], true) {
            continue;
        }
        let free = match owner[mark] {
            None => true,
            Some(other) => augment(other, choices, owner, tried),
        };
        if free {
            owner[mark] = Some(index);
            return true;
        }
    }
    false
}

/// Whether a hero as expected would be drawn like this.
fn fits(hero: &Hero, mark: HeroMark) -> bool {
    hero.cell == mark.cell
        && looks_left(mark.look).is_none_or(|left| left == (hero.facing == Dir::Left))
}

/// Whether the hero may face up or down: it is or was just on a ladder's column.
fn near_ladder(cell: Cell, ground: &Ground) -> bool {
    let size = ground.size();
    ground.is_ladder(cell)
        || ground.is_ladder(size.down(cell))
        || ground.is_ladder(cell.left())
        || ground.is_ladder(cell.right())
}

/// The same hero object after a normal turn, its facing inferred from its step and its picture.
fn moved(body: &Body, mark: HeroMark, ground: &Ground) -> Body {
    let size = ground.size();
    let step = Dir::ALL
        .into_iter()
        .find(|&dir| size.step(body.cell, dir) == mark.cell);
    let mut new = *body;
    new.cell = mark.cell;
    new.alive = mark.look != HeroLook::Dead;
    new.dug = matches!(mark.look, HeroLook::DigLeft | HeroLook::DigRight);
    new.pill = if mark.pill { 0 } else { -1 };
    new.enemy = mark.enemy;
    new.still = if mark.cell == body.cell {
        body.still + 1
    } else {
        0
    };
    match (step, looks_left(mark.look)) {
        (_, Some(true)) | (Some(Dir::Left), None) => {
            new.facing = Dir::Left;
            new.facing_known = true;
        }
        (Some(Dir::Right), _) => {
            new.facing = Dir::Right;
            new.facing_known = true;
        }
        (Some(Dir::Up), _) => {
            new.facing = Dir::Up;
            new.facing_known = true;
        }
        (Some(Dir::Down), _) if ground.is_ladder(body.cell) => {
            new.facing = Dir::Down;
            new.facing_known = true;
        }
        (_, Some(false)) if body.facing == Dir::Left => {
            new.facing = Dir::Right;
            new.facing_known = !near_ladder(body.cell, ground);
        }
        _ => {}
    }
    new
}
