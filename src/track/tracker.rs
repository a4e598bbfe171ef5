//! `Tracker`: takes in boards one by one and puts the memories together to a picture. What is remembered stands in
//! `ground`, `holes`, `roster`, `hunters`, `treasure`, `things` and `portals`.

use super::Assumptions;
use super::field::{Aim, Field};
use super::ground::Ground;
use super::holes::Holes;
use super::hunters::{self, Hunter, Hunters};
use super::picture::{Account, Agreement, CoveredGold, MonsterBelief, Picture, VagueHole};
use super::roster::{Body, Roster, RosterChange};
use super::sight::Sight;
use super::things::Things;
use super::treasure::Treasure;
use crate::board::{Action, Board, Cell, CellSet, Dir, GoldKind};
use crate::sim::{
    Event, Foreseen, Gold, Hero, HeroId, Hole, Level, LevelError, Monster, Rules, State, Target,
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
    /// Boards after which a motionless rival counts as frozen.
    frozen: u32,
}

/// Everything remembered of one game.
#[derive(Debug)]
struct Memory {
    rules: Arc<Rules>,
    /// Boards before the present one: the tracker's clock.
    now: i32,
    /// Boards before the next one that will not be seen.
    missed: u32,
    ground: Ground,
    level: Arc<Level>,
    roster: Roster,
    hunters: Hunters,
    holes: Holes,
    treasure: Treasure,
    things: Things,
    account: Account,
    agreement: Agreement,
    /// The state of the last picture.
    last: State,
    me: Option<HeroId>,
}

impl Tracker {
    /// Boards after which a motionless rival counts as frozen, unless told otherwise.
    pub const FROZEN: u32 = 20;
    /// Boards after which no open brick can still be taken for empty terrain (RULES section 11).
    const TERRAIN_SETTLED: i32 = 12;
    /// More missed boards than this are no different from as many: no hole is left, and anything is anywhere.
    const MISSED_MAX: u32 = 128;
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
            frozen: Tracker::FROZEN,
        }
    }

    /// The same with another number of boards after which a motionless rival counts as frozen.
    #[must_use]
    pub fn freezing_after(self, frozen: u32) -> Tracker {
        Tracker { frozen, ..self }
    }

    /// Tells that the server sent boards which will never be seen: holes are older by as many ticks, and what
    /// moved may be farther away.
    pub fn skip(&mut self, boards: u32) {
        if let Some(memory) = &mut self.game {
            memory.missed = memory.missed.saturating_add(boards).min(Self::MISSED_MAX);
        }
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
                return Ok(memory.picture(false, difference.changed > 0, self.frozen));
            }
        }
        let memory = self.game.insert(Memory::new(board, sight, &self.rules)?);
        Ok(memory.picture(true, true, self.frozen))
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
        let early = sight.looks_early();
        let mut memory = Memory {
            rules: Arc::clone(rules),
            now: 0,
            missed: 0,
            roster: Roster::new(sight, &ground, rules),
            hunters: Hunters::new(sight, early),
            treasure: Treasure::new(sight, early, rules.is_classic()),
            things: Things::new(sight, rules),
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
        };
        let field = memory.field(Vec::new());
        memory.hunters.guess(&field, &memory.roster);
        Ok(memory)
    }

    /// The field as remembered, with these monsters.
    fn field(&self, monsters: Vec<Monster>) -> Field {
        Field::new(
            &self.level,
            &self.rules,
            monsters,
            &self.roster,
            self.holes.list(),
            self.now,
        )
    }

    /// One board later.
    fn advance(&mut self, sight: &Sight, answered: Option<Action>) {
        let missed = std::mem::take(&mut self.missed);
        self.now += missed as i32;
        let expected = self.expect(answered).filter(|_| missed == 0);
        let before = self.roster.me().map(|(_, body)| body.object);
        let own = expected.as_ref().map(|own| &own.hero);
        let portals = &self.things.portals;
        let change = self
            .roster
            .observe(sight, &self.ground, own, missed, portals);
        if !self.rules.is_classic() {
            let size = self.ground.size();
            let foreseen = expected.as_ref().map(|own| (&own.state, own.id));
            let reborn = change.died || change.jumped;
            self.things
                .observe(sight, size, foreseen, reborn, &self.rules, self.now + 1);
        }
        let took = self.treasure.heroes(&self.roster);
        self.count(sight, change, expected.as_ref(), took);
        self.follow(sight, missed);
        self.now += 1;
        let roster = &self.roster;
        let own_dig = expected
            .filter(|_| before == roster.me().map(|(_, body)| body.object))
            .filter(|_| self.agreement.own)
            .and_then(|own| own.dug);
        self.holes.observe(self.now, sight, &self.ground, |cell| {
            digger(roster, &self.ground, cell, own_dig)
        });
    }

    /// The monsters' phase of the tick, and what it did to the gold.
    fn follow(&mut self, sight: &Sight, missed: u32) {
        let bodies = self.hunters.list().iter().map(Hunter::body).collect();
        let mut field = self.field(bodies).before_monsters();
        if !self.rules.is_classic() {
            // Doors and portals decide where monsters go.
            let me = self.roster.me().map(|(seat, _)| HeroId(seat as u16));
            self.things.place(&mut field.state, me, None, self.now);
            field.state.commit();
        }
        let steps = self
            .hunters
            .observe(&mut field, sight, &self.roster, missed);
        self.hunters.guess(&field, &self.roster);
        self.roster.forget(|object| self.hunters.refer_to(object));
        self.treasure.monsters(self.hunters.list_mut(), sight);
        self.treasure
            .settle(sight, &self.ground, self.hunters.list_mut());
        self.agreement.boards += 1;
        self.agreement.steps += steps.all;
        self.agreement.steps_missed += steps.missed;
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
            id: me,
            state,
        })
    }

    /// Own gold, deaths and the agreement of the own hero with its expectation.
    fn count(
        &mut self,
        sight: &Sight,
        change: RosterChange,
        expected: Option<&Expected>,
        took: Option<GoldKind>,
    ) {
        let Some(mark) = sight.me else { return };
        // A hero that was replaced after a suicide took the gold where it stands now, in a series of its own.
        let replaced = change.jumped && !self.rules.is_classic();
        if replaced {
            self.account.series = 0;
            self.account.series_by_kind = [0; 3];
        }
        if let Some(kind) = took {
            self.account.gold += 1;
            self.account.series += 1;
            self.account.gold_by_kind[kind as usize] += 1;
            self.account.series_by_kind[kind as usize] += 1;
        }
        if change.died {
            self.account.deaths += 1;
            self.account.series = 0;
            self.account.series_by_kind = [0; 3];
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

    fn picture(&mut self, new_game: bool, new_level: bool, frozen: u32) -> Picture {
        let mut assumptions = Assumptions::SERIES;
        let heroes = self.roster.bodies();
        assumptions.set(Assumptions::TERRAIN, self.now < Tracker::TERRAIN_SETTLED);
        assumptions.set(Assumptions::HERO_ORDER, heroes.len() > 1);
        let hunters = self.hunters.list();
        let order = Assumptions::MONSTER_COUNT.with(Assumptions::MONSTER_ORDER);
        assumptions.set(order, !hunters.is_empty());
        let bodies = hunters.iter().map(Hunter::body).collect();
        let mut field = self.field(bodies);
        let mut monsters = Vec::with_capacity(hunters.len());
        for (index, hunter) in hunters.iter().enumerate() {
            let (belief, sure) = believed(hunter, &field);
            let aim = hunter.aims.first().map_or(Aim::Nobody, |&(aim, _)| aim);
            let monster = field.monster(hunter.body(), aim);
            let target = if !self.rules.is_classic() {
                // Later monsters choose their prey anew in every tick.
                Target::Nobody
            } else if sure || heroes.len() <= 1 {
                monster.target
            } else {
                Target::Unknown
            };
            let given_up = monster
                .given_up
                .filter(|_| target == Target::Nobody && self.rules.is_classic());
            field.state.place_monster(
                index,
                Monster {
                    target,
                    given_up,
                    ..monster
                },
            );
            assumptions.add(Assumptions::TARGET, !sure);
            let loaded = (SURE_NOT..=SURE).contains(&hunter.loaded);
            assumptions.add(Assumptions::LOAD, loaded);
            monsters.push(belief);
        }
        let covered = self.place_gold(&mut field.state, &mut assumptions);
        let vague_holes = self.vague_holes(&mut assumptions);
        let concrete = self.frozen(frozen, &mut assumptions);
        let mut state = field.state;
        self.me = self.roster.me().map(|(seat, _)| HeroId(seat as u16));
        if !self.rules.is_classic() {
            let rival = state
                .seats()
                .iter()
                .copied()
                .find(|&id| Some(id) != self.me);
            self.things.place(&mut state, self.me, rival, self.now);
        }
        state.commit();
        self.last = state.clone();
        Picture {
            state,
            me: self.me,
            assumptions,
            concrete,
            monsters,
            portals: self.things.portals.known().collect(),
            vague_holes,
            covered,
            own: self.account,
            agreement: self.agreement,
            new_game,
            new_level,
        }
    }

    /// Cells of rivals that have stood still for so many boards, and what is assumed of facings.
    fn frozen(&self, after: u32, assumptions: &mut Assumptions) -> CellSet {
        let mut concrete = CellSet::new(self.ground.size());
        let me = self.roster.me().map(|(seat, _)| seat);
        for (seat, body) in self.roster.bodies().iter().enumerate() {
            if Some(seat) == me {
                assumptions.add(Assumptions::FACING, !body.facing_known);
                continue;
            }
            assumptions.add(Assumptions::RIVAL_FACING, !body.facing_known);
            if body.alive && body.still >= after {
                concrete.insert(body.cell);
            }
        }
        concrete
    }

    /// Puts the probable gold down and tells which of it is covered.
    fn place_gold(&self, state: &mut State, assumptions: &mut Assumptions) -> Vec<CoveredGold> {
        let mut covered = Vec::new();
        for lying in self.treasure.list() {
            if lying.probability > 0.5 {
                state.place_gold(Gold {
                    cell: lying.cell,
                    kind: lying.kind,
                });
            }
            if lying.covered {
                covered.push(CoveredGold {
                    cell: lying.cell,
                    kind: lying.kind,
                    probability: lying.probability,
                });
                let unsure = (SURE_NOT..=SURE).contains(&lying.probability);
                assumptions.add(Assumptions::COVERED_GOLD, unsure);
            }
        }
        covered
    }

    fn vague_holes(&self, assumptions: &mut Assumptions) -> Vec<VagueHole> {
        let mut vague = Vec::new();
        for hole in self.holes.list() {
            let least = Hole::CLOSED - (self.now - hole.opened + 1);
            if hole.slack > 0 {
                vague.push(VagueHole {
                    cell: hole.cell,
                    least,
                    most: least + hole.slack,
                });
            }
            assumptions.add(Assumptions::HOLE_OWNER, hole.owner.is_none());
        }
        assumptions.set(Assumptions::HOLE_AGE, !vague.is_empty());
        vague
    }
}

/// From this probability on something counts as known.
const SURE: f64 = 0.999;
const SURE_NOT: f64 = 1.0 - SURE;

/// The belief of one monster in the state's names, and whether one aim of it is sure.
fn believed(hunter: &Hunter, field: &Field) -> (MonsterBelief, bool) {
    let (targets, nobody) = hunters::hunted(hunter, field);
    let sure = hunter
        .aims
        .first()
        .is_some_and(|&(_, weight)| weight >= SURE);
    let belief = MonsterBelief {
        targets,
        nobody,
        loaded: hunter.loaded,
    };
    (belief, sure)
}

/// The own hero as expected.
#[derive(Clone, Debug)]
struct Expected {
    hero: Hero,
    /// Its name in the state.
    id: HeroId,
    /// The whole field after this tick.
    state: State,
    /// The brick it dug.
    dug: Option<Cell>,
    answered: bool,
}

/// Which hero object dug this brick in this tick, if only one can have (RULES section 11): it stands beside the
/// cell above the brick and faces it.
fn digger(roster: &Roster, ground: &Ground, brick: Cell, own: Option<Cell>) -> Option<u32> {
    let above = ground.size().up(brick);
    let me = roster.me().map(|(_, body)| body.object);
    let can = |body: &&Body| {
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
