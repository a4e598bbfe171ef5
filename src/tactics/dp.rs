//! `Dp`: the discounted dynamic-programming search of ALGORITHM section 1. One state is mutated in place and
//! undone; a position with so many ticks left is valued once, and left out where its bound (`Outlook`) shows that it
//! cannot matter. Not the choice of the value map (`strategy`) and not what happens when values mislead (`watchdog`).

use super::key::{self, Margin};
use super::outlook::{Outlook, Place};
use super::potential::Potentials;
use super::table::{Stored, Table};
use super::tally::Tally;
use super::{Line, Moves, Pressure, Search, Terms, Values, is_past, moves};
use crate::board::{Action, Cell, Grid};
use crate::params::Params;
use crate::sim::{Foreseen, HeroId, State, Target, Tile};
use crate::strategy::Worths;
use arrayvec::ArrayVec;
use std::time::Instant;

/// What bounds a search. Depth and nodes are the same everywhere; a clock only cuts live play.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Actions to look ahead, at least 1.
    pub depth: usize,
    /// States valued at most in one search; a search that would need more is given up.
    pub nodes: usize,
    /// Live play: when to give up.
    pub deadline: Option<Instant>,
}

/// The search engine with its buffers. A warm one allocates nothing.
#[derive(Debug, Default)]
pub struct Dp {
    table: Table,
    potentials: Potentials,
    eaten: ArrayVec<Cell, { Dp::EATEN_MAX }>,
    eaten_key: u64,
    visited: usize,
    worths: Worths,
    outlook: Outlook,
}

/// Everything of one search that does not change while it runs.
struct Ground<'a, V: Values> {
    me: HeroId,
    params: &'a Params,
    values: &'a V,
    reach: &'a Grid<u8>,
    margin: Margin,
    budget: Budget,
    fines: bool,
    /// What a death costs with so many ticks left after it. Where closeness is fined, it is the largest fine of
    /// every later tick too: else dying early would be the cheapest way to stay near a monster.
    deaths: [f64; Dp::EATEN_MAX + 1],
    /// The fine in a monster's own cell.
    nearest: f64,
    pressure: Pressure,
}

impl<'a, V: Values> Ground<'a, V> {
    fn new(
        state: &State,
        me: HeroId,
        values: &'a V,
        reach: &'a Grid<u8>,
        params: &'a Params,
        worths: &Worths,
        budget: Budget,
    ) -> Ground<'a, V> {
        let fines = state
            .monsters()
            .iter()
            .any(|monster| monster.target == Target::Unknown)
            || params.fine_exact > 0.0;
        let mut deaths = [params.death; Dp::EATEN_MAX + 1];
        let nearest = worths
            .death
            .map_or(params.death, |golds| -golds * params.gold);
        if fines {
            let mut rest = nearest;
            for death in &mut deaths[1..] {
                *death = params.death + params.inflation * rest;
                rest = nearest + params.inflation * rest;
            }
        }
        let pressure = Pressure::new(params);
        let margin = Margin {
            trap: if params.trap > 0.0 {
                params.trap_range as usize + 1
            } else {
                0
            },
            fine: pressure.range()
                + if fines {
                    params.fine_distance as usize
                } else {
                    0
                },
        };
        Ground {
            me,
            params,
            values,
            reach,
            margin,
            budget,
            fines,
            deaths,
            nearest,
            pressure,
        }
    }
}

/// Where a line stands before an action.
#[derive(Clone, Copy)]
struct Stand {
    /// The strategy value.
    potential: f64,
    trap: i32,
    place: Place,
}

/// Values are sums in other orders than bounds are: an action is left out only where it is worse by more than rounding.
const ROUNDING: f64 = 1e-6;

/// The search ran out of its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exhausted;

impl Dp {
    /// What things are worth from the next search on. Until told a gold is worth one gold and nothing else
    /// anything.
    pub fn weigh(&mut self, worths: Worths) {
        self.worths = worths;
    }

    /// Gold that one line can take at most: one a tick.
    const EATEN_MAX: usize = 32;

    /// Values every root action of `me` at the given depth.
    ///
    /// # Errors
    /// `Exhausted` if nodes or time ran out first; the state is as it was.
    pub fn search<V: Values>(
        &mut self,
        state: &mut State,
        me: HeroId,
        values: &V,
        reach: &Grid<u8>,
        params: &Params,
        budget: Budget,
    ) -> Result<Search, Exhausted> {
        let depth = budget.depth.clamp(1, Dp::EATEN_MAX);
        let ground = Ground::new(state, me, values, reach, params, &self.worths, budget);
        self.table.clear();
        self.potentials.clear();
        self.eaten.clear();
        self.eaten_key = 0;
        self.visited = 0;
        let mut search = Search {
            actions: ArrayVec::new(),
            depth,
            states: 0,
        };
        let from = state.hero(me).cell;
        self.outlook
            .prepare(state, from, values, params, &self.worths, depth);
        let stand = self.stand(state, &ground);
        for action in moves(state, me) {
            let value = self.child(state, &ground, action, depth, stand, f64::NEG_INFINITY)?;
            search.actions.push((action, value));
        }
        search.states = self.visited;
        Ok(search)
    }

    /// The best line from a position that the last search valued, with the terms along it.
    #[expect(clippy::too_many_arguments, reason = "the search's own, and one more")]
    pub fn line<V: Values>(
        &mut self,
        state: &mut State,
        me: HeroId,
        values: &V,
        reach: &Grid<u8>,
        params: &Params,
        first: Action,
        depth: usize,
    ) -> (Line, Terms) {
        let budget = Budget {
            depth,
            nodes: usize::MAX,
            deadline: None,
        };
        let ground = Ground::new(state, me, values, reach, params, &self.worths, budget);
        self.eaten.clear();
        self.eaten_key = 0;
        let (mut line, mut terms, mut weight) = (Line::new(), Terms::default(), 1.0);
        let mut stand = self.stand(state, &ground);
        let mark = state.mark();
        let mut action = first;
        for left in (0..depth).rev() {
            if line.try_push(action).is_err() {
                break;
            }
            let step = self.step(state, &ground, action, left, stand);
            terms.add(&step.terms, weight);
            weight *= params.inflation;
            stand = step.stand;
            if step.dead || left == 0 {
                break;
            }
            let key = key::key(state, me, left, self.eaten_key, ground.margin);
            match self.table.get(key) {
                Some((_, best)) => action = best,
                None => break,
            }
        }
        state.undo(mark);
        self.eaten.clear();
        self.eaten_key = 0;
        (line, terms)
    }

    /// The value of a position with `left` actions to go: the best of its actions. If that is less than `least`, any
    /// number below `least` that it does not exceed.
    fn value<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        left: usize,
        stand: Stand,
        least: f64,
    ) -> Result<f64, Exhausted> {
        let key = key::key(state, ground.me, left, self.eaten_key, ground.margin);
        if let Some(known) = self.table.known(key)
            && (known.exact || known.value < least)
        {
            return Ok(known.value);
        }
        self.visited += 1;
        if self.visited > ground.budget.nodes
            || (self.visited.is_multiple_of(64) && is_past(ground.budget.deadline))
        {
            return Err(Exhausted);
        }
        let (mut best, mut best_action) = (f64::NEG_INFINITY, Action::Stay);
        let moves = moves(state, ground.me);
        let mut first = usize::MAX;
        for (order, bound) in self.promising(&moves, left, stand) {
            let bar = f64::max(best, least);
            if bound + ROUNDING < bar {
                // The rest is worth no more than this.
                best = f64::max(best, bound + ROUNDING);
                break;
            }
            let action = moves[order];
            let value = self.child(state, ground, action, left, stand, bar)?;
            // Of equal ones the first in the fixed order, whichever was tried first.
            if value > best || (value >= best && order < first) {
                (best, best_action, first) = (value, action, order);
            }
        }
        let known = Stored {
            value: best,
            best: best_action,
            exact: best >= least,
        };
        self.table.store(key, known);
        Ok(best)
    }

    /// The value of taking an action: its profit and what can be had after it. If that is less than `least`, any number
    /// below `least` that it does not exceed.
    fn child<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        action: Action,
        left: usize,
        stand: Stand,
        least: f64,
    ) -> Result<f64, Exhausted> {
        let mark = state.mark();
        let (eaten, eaten_key) = (self.eaten.len(), self.eaten_key);
        let step = self.step(state, ground, action, left - 1, stand);
        let profit = step.terms.sum();
        let value = if step.dead || left == 1 {
            Ok(profit)
        } else {
            let inflation = ground.params.inflation;
            // Without bounds every value is found anyway.
            let least = if self.outlook.is_usable() {
                (least - profit) / inflation - ROUNDING
            } else {
                f64::NEG_INFINITY
            };
            self.value(state, ground, left - 1, step.stand, least)
                .map(|rest| profit + inflation * rest)
        };
        state.undo(mark);
        self.eaten.truncate(eaten);
        self.eaten_key = eaten_key;
        value
    }

    /// Makes one action in the state and prices it.
    fn step<V: Values>(
        &mut self,
        state: &mut State,
        ground: &Ground<'_, V>,
        action: Action,
        left: usize,
        stand: Stand,
    ) -> Step {
        let mut tally = Tally::new(ground.me, self.worths);
        state.act(ground.me, action);
        state.tick(&mut Foreseen, &mut tally);
        let hero = *state.hero(ground.me);
        let params = ground.params;
        let mut terms = Terms {
            gold: params.gold * tally.worth,
            ..Terms::default()
        };
        if !hero.alive {
            terms.death = ground.deaths[left];
            return Step {
                terms,
                dead: true,
                stand,
            };
        }
        if tally.gold > 0 && self.eaten.try_push(hero.cell).is_ok() {
            self.eaten_key = self.eaten_key.wrapping_add(key::eaten_key(hero.cell));
        }
        let place = self
            .outlook
            .after(stand.place, action, hero.cell, tally.gold > 0);
        let next = match self.outlook.value(place) {
            Some(value) => value,
            None => self.potential(state, ground),
        };
        terms.strategy = (next - stand.potential) + params.potential_share * next;
        if ground.fines {
            terms.fine = fine(ground, hero.cell, ground.budget.depth - left);
        }
        let next_trap = if params.trap > 0.0 {
            traps(state, ground)
        } else {
            0
        };
        terms.trap = params.trap * f64::from(next_trap - stand.trap);
        Step {
            terms,
            dead: false,
            stand: Stand {
                potential: next,
                trap: next_trap,
                place,
            },
        }
    }

    /// The strategy value of a state: what the hero's cell is worth, less what monsters close by take of it.
    fn potential<V: Values>(&mut self, state: &State, ground: &Ground<'_, V>) -> f64 {
        let cell = state.hero(ground.me).cell;
        let (eaten, key) = (&self.eaten, self.eaten_key);
        let value = self.potentials.value(ground.values, cell, eaten, key);
        value * ground.pressure.share(state, ground.me)
    }

    /// Where the root stands.
    fn stand<V: Values>(&mut self, state: &State, ground: &Ground<'_, V>) -> Stand {
        Stand {
            potential: self.potential(state, ground),
            trap: traps(state, ground),
            place: self.outlook.root(),
        }
    }

    /// Actions by number with the most that can come of each, the largest first and else in their own order.
    fn promising(
        &self,
        moves: &Moves,
        left: usize,
        stand: Stand,
    ) -> ArrayVec<(usize, f64), { Action::MOST }> {
        let mut sorted = ArrayVec::<(usize, f64), { Action::MOST }>::new();
        for (order, &action) in moves.iter().enumerate() {
            let bound = self
                .outlook
                .bound(stand.place, action, left - 1, stand.potential);
            let place = sorted.partition_point(|&(_, other)| other >= bound);
            sorted.insert(place, (order, bound));
        }
        sorted
    }
}

struct Step {
    terms: Terms,
    dead: bool,
    stand: Stand,
}

/// The fine for being close to a monster whose way is not known: `ply` ticks after the root the root's reach
/// map is that much nearer.
fn fine<V: Values>(ground: &Ground<'_, V>, cell: Cell, ply: usize) -> f64 {
    let reached = ground.reach[cell];
    if reached == u8::MAX {
        return 0.0;
    }
    let distance = f64::from(u32::from(reached).saturating_sub(ply as u32));
    let range = f64::from(ground.params.fine_distance) + 1.0;
    if distance >= range {
        return 0.0;
    }
    ground.nearest * (range - distance) / range
}

/// Monsters on the hero's row that an open hole keeps off: within range, nothing solid between, and at least
/// one open brick in the floor between.
fn traps<V: Values>(state: &State, ground: &Ground<'_, V>) -> i32 {
    if ground.params.trap <= 0.0 || state.holes().len() == 0 {
        return 0;
    }
    let size = state.size();
    let cell = state.hero(ground.me).cell;
    let mut count = 0;
    for monster in state.monsters() {
        if size.row(monster.cell) != size.row(cell) {
            continue;
        }
        let (from, to) = if monster.cell < cell {
            (monster.cell, cell)
        } else {
            (cell, monster.cell)
        };
        if size.x(to) - size.x(from) > ground.params.trap_range as usize {
            continue;
        }
        let mut between = from.right();
        let (mut open, mut hole) = (true, false);
        while between < to {
            let floor = state.tile(size.down(between));
            open &= !state.tile(between).has(Tile::SOLID);
            hole |= floor.is_brick() && !floor.has(Tile::SOLID);
            between = between.right();
        }
        count += i32::from(open && hole);
    }
    count
}
