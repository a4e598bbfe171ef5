//! `Field`: a simulator's state put together from the memories, with the numbers of hero objects kept beside it, so
//! that the rules of `sim` can be asked what a monster would do.

use super::holes::OpenBrick;
use super::roster::Roster;
use crate::board::Dir;
use crate::sim::{Hero, HeroId, Hole, Level, Monster, Rules, State, Target};
use std::sync::Arc;

/// A state whose `HeroId` number `i` is the hero object `objects[i]`: first those on the field in their order, then
/// those that left it.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub state: State,
    objects: Vec<u32>,
}

/// Whom a monster is after: a hero object, or nobody (RULES section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Nobody: it chooses at its next turn.
    Nobody,
    /// This object.
    Hunts(u32),
    /// Nobody, and the next choice leaves out whoever stands in this object's place.
    GaveUp(u32),
}

impl Field {
    /// The field after the board of tick `now`, with the heroes that the roster has.
    pub fn new(
        level: &Arc<Level>,
        rules: &Arc<Rules>,
        monsters: Vec<Monster>,
        roster: &Roster,
        holes: &[OpenBrick],
        now: i32,
    ) -> Field {
        let mut state = State::with_monsters(Arc::clone(level), Arc::clone(rules), monsters);
        let mut objects = Vec::with_capacity(roster.bodies().len() + roster.ghosts().len());
        let me = roster.me().map(|(_, body)| body.object);
        for body in roster.bodies() {
            // How long a rival's pill works is not known: it is dangerous as long as it may.
            let lasting = body.pill >= 0 && me != Some(body.object);
            let pill = if lasting {
                rules.pill_ticks as i16
            } else {
                body.pill
            };
            let id = state.join_at(body.cell);
            objects.push(body.object);
            if body.enemy {
                state.enlist(id, 1);
            }
            state.place_hero(
                id,
                Hero {
                    facing: body.facing,
                    alive: body.alive,
                    dug: body.dug,
                    pill,
                    ..Hero::new(body.cell)
                },
            );
        }
        // All of them enter before any leaves, because a slot that nobody refers to would be used again.
        for ghost in roster.ghosts() {
            state.join_at(ghost.cell);
            objects.push(ghost.object);
        }
        let seated = roster.bodies().len();
        for (index, ghost) in roster.ghosts().iter().enumerate() {
            let id = HeroId((seated + index) as u16);
            state.leave(id);
            state.place_hero(
                id,
                Hero {
                    alive: ghost.alive,
                    present: false,
                    ..Hero::new(ghost.cell)
                },
            );
        }
        for hole in holes {
            let owner = hole.owner.and_then(|object| {
                let index = objects.iter().position(|&other| other == object)?;
                Some(HeroId(index as u16))
            });
            state.place_hole(Hole {
                cell: hole.cell,
                opened: hole.opened - now,
                owner,
            });
        }
        Field { state, objects }
    }

    /// The heroes of this field as they enter the monsters' phase of the tick that leads to the roster's board:
    /// those alive that stepped onto a monster or were replaced onto one are dead by now (RULES section 9, check b).
    pub fn before_monsters(mut self) -> Field {
        for seat in 0..self.state.seats().len() {
            let id = self.state.seats()[seat];
            let hero = *self.state.hero(id);
            self.state.place_hero(
                id,
                Hero {
                    alive: true,
                    ..hero
                },
            );
            let alive = !self.state.is_dead(id);
            self.state.place_hero(id, Hero { alive, ..hero });
        }
        self.state.commit();
        self
    }

    /// The state's name of a hero object.
    pub fn id(&self, object: u32) -> Option<HeroId> {
        let index = self.objects.iter().position(|&other| other == object)?;
        Some(HeroId(index as u16))
    }

    /// A monster here with this aim.
    pub fn monster(&self, monster: Monster, aim: Aim) -> Monster {
        let (target, given_up) = match aim {
            Aim::Nobody => (Target::Nobody, None),
            Aim::Hunts(object) => match self.id(object) {
                Some(id) => (Target::Hero(id), None),
                None => (Target::Nobody, None),
            },
            Aim::GaveUp(object) => (Target::Nobody, self.id(object)),
        };
        Monster {
            target,
            given_up,
            ..monster
        }
    }

    /// What a monster of this field is after.
    pub fn aim(&self, monster: &Monster) -> Aim {
        let object = |id: HeroId| self.objects.get(id.0 as usize).copied();
        match (monster.target, monster.given_up) {
            (Target::Hero(id), _) => object(id).map_or(Aim::Nobody, Aim::Hunts),
            (_, Some(id)) => object(id).map_or(Aim::Nobody, Aim::GaveUp),
            _ => Aim::Nobody,
        }
    }

    /// Whether a monster in this cell could walk towards this place.
    pub fn has_way(&self, from: crate::board::Cell, to: crate::board::Cell) -> bool {
        self.state.level().chase().step(from, to).is_some()
    }
}

/// A direction as monsters show it.
pub(super) const fn shows_left(facing: Dir) -> bool {
    matches!(facing, Dir::Left)
}
