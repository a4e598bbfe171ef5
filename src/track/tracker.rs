//! `Tracker`: takes in boards one by one and puts the memories together to a picture. What is remembered stands in
//! `ground`, `holes`, `roster`, `hunters`.

use super::Assumptions;
use super::ground::Ground;
use super::holes::Holes;
use super::picture::{Account, Agreement, MonsterBelief, Picture, VagueHole};
use super::roster::Roster;
use super::sight::{MonsterMark, Sight};
use crate::board::{Action, Board, Cell, CellSet, Dir, MonsterLook};
use crate::sim::{
    Event, Foreseen, Hero, HeroId, Hole, Level, LevelError, Monster, Rules, State, Target,
};
use std::sync::Arc;

/// Why a board cannot be tracked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrackError {
    /// More monsters than are simulated.
    #[error("the board shows {0} monsters; at most {max} are simulated", max = Level::MONSTERS_MAX)]
    Monsters(usize),
    /// The terrain makes no level.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// Follows one player's game from board to board.
#[derive(Debug)]
pub struct Tracker {
    rules: Arc<Rules>,
    sight: Sight,
    game: Option<Memory>,
}

/// Everything remembered of one game.
#[derive(Debug)]
struct Memory {
    /// Boards before the present one: the tracker's clock.
    now: i32,
    ground: Ground,
    level: Arc<Level>,
    roster: Roster,
    holes: Holes,
    account: Account,
    agreement: Agreement,
    /// The state of the last picture.
    last: State,
    me: Option<HeroId>,
}

impl Tracker {
    /// Boards after which a motionless rival counts as frozen.
    pub const FROZEN: u32 = 20;
    /// Boards after which no open brick can still be taken for empty terrain (RULES section 11).
    const TERRAIN_SETTLED: i32 = 12;
    /// Cells denied by one board that make it another game.
    const DENIED_MAX: usize = 4;
    /// Cells changed by one board that make it another game: not so many holes are ever settled at once.
    const CHANGED_MAX: usize = 40;

    /// A tracker that has seen nothing.
    pub fn new(rules: Arc<Rules>) -> Tracker {
        Tracker {
            rules,
            sight: Sight::default(),
            game: None,
        }
    }

    /// Forgets everything: the next board is a first one.
    pub fn reset(&mut self) {
        self.game = None;
    }

    /// Takes in the next board of the own player. `answered` is what was sent as answer to the board before;
    /// `None` if nothing was, or if it is not known.
    ///
    /// # Errors
    /// `Monsters` if the board shows more than are simulated; then it is as if it had not been seen.
    pub fn observe(
        &mut self,
        board: &Board,
        answered: Option<Action>,
    ) -> Result<Picture, TrackError> {
        self.sight.read(board);
        if self.sight.monsters.len() > Level::MONSTERS_MAX {
            return Err(TrackError::Monsters(self.sight.monsters.len()));
        }
        let sight = &self.sight;
        if let Some(memory) = self
            .game
            .as_mut()
            .filter(|memory| memory.ground.size() == board.size())
        {
            let difference = memory.ground.observe(board);
            if difference.denied <= Self::DENIED_MAX && difference.changed <= Self::CHANGED_MAX {
                if difference.changed > 0 {
                    memory.level = level(&memory.ground)?;
                }
                memory.advance(sight, answered);
                return Ok(memory.picture(&self.rules, sight, false, difference.changed > 0));
            }
        }
        let memory = self.game.insert(Memory::new(board, sight, &self.rules)?);
        Ok(memory.picture(&self.rules, sight, true, true))
    }
}

/// The level that follows from the terrain alone; monsters and gold are put into states.
fn level(ground: &Ground) -> Result<Arc<Level>, LevelError> {
    Level::new(ground.terrain().clone(), Vec::new(), Vec::new())
}

impl Memory {
    fn new(board: &Board, sight: &Sight, rules: &Arc<Rules>) -> Result<Memory, TrackError> {
        let mut ground = Ground::new(board);
        ground.observe(board);
        let level = level(&ground)?;
        let mut holes = Holes::default();
        holes.observe(0, sight, &ground, |_| None);
        Ok(Memory {
            now: 0,
            roster: Roster::new(sight, &ground),
            last: State::new(Arc::clone(&level), Arc::clone(rules)),
            ground,
            level,
            holes,
            account: Account::default(),
            agreement: Agreement {
                own: true,
                ..Agreement::default()
            },
            me: None,
        })
    }

    /// One board later.
    fn advance(&mut self, sight: &Sight, answered: Option<Action>) {
        self.now += 1;
        self.agreement.boards += 1;
        let expected = self.expect(answered);
        let before = self.roster.me().map(|(_, body)| *body);
        let change =
            self.roster
                .observe(sight, &self.ground, expected.as_ref().map(|own| &own.hero));
        self.count(sight, change, expected.as_ref());
        let roster = &self.roster;
        let own_dig = expected.filter(|_| before.is_some() && self.agreement.own);
        let own_dig = own_dig.and_then(|own| own.dug);
        self.holes.observe(self.now, sight, &self.ground, |cell| {
            digger(roster, &self.ground, cell, own_dig)
        });
    }

    /// The own hero after this tick, as the last picture and the answer say, rivals standing still.
    fn expect(&self, answered: Option<Action>) -> Option<Expected> {
        let me = self.me?;
        if !self.last.hero(me).alive {
            return None;
        }
        let mut state = self.last.clone();
        state.commit();
        if let Some(action) = answered {
            state.act(me, action);
        }
        let mut events: Vec<(HeroId, Event)> = Vec::new();
        state.tick(&mut Foreseen, &mut events);
        let now = state.now();
        let dug = state
            .holes()
            .rev()
            .find(|hole| hole.opened == now && hole.owner == Some(me))
            .map(|hole| hole.cell);
        Some(Expected {
            hero: *state.hero(me),
            dug,
            answered: answered.is_some(),
        })
    }

    /// Own gold, deaths and the agreement of the own hero with its expectation.
    fn count(
        &mut self,
        sight: &Sight,
        change: super::roster::RosterChange,
        expected: Option<&Expected>,
    ) {
        let Some(mark) = sight.me else { return };
        let gold = self.last.gold().iter().any(|gold| gold.cell == mark.cell);
        if gold {
            self.account.gold += 1;
            self.account.series += 1;
        }
        if change.died {
            self.account.deaths += 1;
            self.account.series = 0;
        }
        if change.jumped {
            self.account.suicides += 1;
        }
        self.agreement.own = match expected {
            Some(own) if own.answered && !change.jumped => own.hero.cell == mark.cell,
            _ => true,
        };
        self.agreement.own_missed += u32::from(!self.agreement.own);
    }

    fn picture(
        &mut self,
        rules: &Arc<Rules>,
        sight: &Sight,
        new_game: bool,
        new_level: bool,
    ) -> Picture {
        let heroes = self.roster.bodies().len();
        let hunted = if heroes == 1 {
            Target::Hero(HeroId(0))
        } else if heroes == 0 {
            Target::Nobody
        } else {
            Target::Unknown
        };
        let monsters: Vec<Monster> = first_order(&sight.monsters)
            .into_iter()
            .map(|(cell, facing)| Monster {
                target: hunted,
                ..Monster::new(cell, facing)
            })
            .collect();
        let mut assumptions = Assumptions::MONSTER_COUNT
            .with(Assumptions::MONSTER_ORDER)
            .with(Assumptions::SERIES)
            .with(Assumptions::LOAD);
        assumptions.set(Assumptions::TERRAIN, self.now < Tracker::TERRAIN_SETTLED);
        assumptions.set(Assumptions::HERO_ORDER, heroes > 1);
        assumptions.set(Assumptions::TARGET, heroes != 1);
        let beliefs = monsters
            .iter()
            .map(|_| MonsterBelief {
                targets: (0..heroes)
                    .map(|seat| (HeroId(seat as u16), 1.0 / heroes as f64))
                    .collect(),
                nobody: 0.0,
                loaded: 0.0,
            })
            .collect();
        let mut state = State::with_monsters(Arc::clone(&self.level), Arc::clone(rules), monsters);
        let mut concrete = CellSet::new(self.ground.size());
        for (seat, body) in self.roster.bodies().iter().enumerate() {
            let id = state.join_at(body.cell);
            state.place_hero(
                id,
                Hero {
                    facing: body.facing,
                    alive: body.alive,
                    dug: body.dug,
                    ..Hero::new(body.cell)
                },
            );
            let own = self.roster.me().is_some_and(|(me, _)| me == seat);
            let which = if own {
                Assumptions::FACING
            } else {
                Assumptions::RIVAL_FACING
            };
            assumptions.set(which, assumptions.has(which) || !body.facing_known);
            if !own && body.alive && body.still >= Tracker::FROZEN {
                concrete.insert(body.cell);
            }
        }
        let vague_holes = self.place_holes(&mut state, &mut assumptions);
        for &gold in &sight.gold {
            state.place_gold(gold);
        }
        state.commit();
        self.me = self.roster.me().map(|(seat, _)| HeroId(seat as u16));
        self.last = state.clone();
        Picture {
            state,
            me: self.me,
            assumptions,
            concrete,
            monsters: beliefs,
            vague_holes,
            covered: Vec::new(),
            own: self.account,
            agreement: self.agreement,
            new_game,
            new_level,
        }
    }

    fn place_holes(&self, state: &mut State, assumptions: &mut Assumptions) -> Vec<VagueHole> {
        let mut vague = Vec::new();
        for hole in self.holes.list() {
            let owner = hole.owner.and_then(|object| {
                let seat = self
                    .roster
                    .bodies()
                    .iter()
                    .position(|body| body.object == object)?;
                Some(HeroId(seat as u16))
            });
            let opened = hole.opened - self.now;
            state.place_hole(Hole {
                cell: hole.cell,
                opened,
                owner,
            });
            let left = Hole::CLOSED - (1 - opened);
            if hole.slack > 0 {
                vague.push(VagueHole {
                    cell: hole.cell,
                    least: left,
                    most: left + hole.slack,
                });
            }
            let unknown = hole.owner.is_none();
            assumptions.set(
                Assumptions::HOLE_OWNER,
                assumptions.has(Assumptions::HOLE_OWNER) || unknown,
            );
        }
        assumptions.set(Assumptions::HOLE_AGE, !vague.is_empty());
        vague
    }
}

/// The own hero as expected.
#[derive(Clone, Copy, Debug)]
struct Expected {
    hero: Hero,
    /// The brick it dug.
    dug: Option<Cell>,
    answered: bool,
}

/// Which hero object dug this brick in this tick, if only one can have (RULES section 11): it stands beside the
/// cell above the brick and faces it.
fn digger(roster: &Roster, ground: &Ground, brick: Cell, own: Option<Cell>) -> Option<u32> {
    let above = ground.size().up(brick);
    let me = roster.me().map(|(_, body)| body.object);
    let can = |body: &&super::roster::Body| {
        if Some(body.object) == me {
            return own == Some(brick);
        }
        (body.cell == above.left() && body.facing != Dir::Left)
            || (body.cell == above.right()
                && (body.facing == Dir::Left || ground.is_ladder(body.cell)))
    };
    let mut able = roster.bodies().iter().filter(can);
    match (able.next(), able.next()) {
        (Some(only), None) => Some(only.object),
        _ => None,
    }
}

/// Monsters of a board that is read as a map: those drawn facing left first (RULES section 1).
fn first_order(marks: &[MonsterMark]) -> Vec<(Cell, Dir)> {
    let side = |mark: &MonsterMark| match mark.look {
        MonsterLook::Left | MonsterLook::PipeLeft => Dir::Left,
        _ => Dir::Right,
    };
    let mut order: Vec<(Cell, Dir)> = marks.iter().map(|mark| (mark.cell, side(mark))).collect();
    order.sort_by_key(|&(_, facing)| facing != Dir::Left);
    order
}
