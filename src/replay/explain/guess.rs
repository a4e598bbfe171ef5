//! One assignment of everything that a client cannot know about one tick, and what the simulator makes of
//! it. Which assignments are worth trying is not decided here (`search`).

use std::sync::Arc;

use super::belief::{Aim, Belief};
use crate::board::{Board, Cell, Dir, Element, GoldKind};
use crate::sim::{
    Chance, Command, Gold, HeroId, Hole, Level, Monster, State, Target, Tile, Unheard,
};

/// What becomes of a hero of the belief in this tick.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fate {
    /// Its player sent this text.
    Words(String),
    /// It was dead, or killed itself; the next one is placed here.
    Reborn(Cell),
    /// Its player left.
    Gone,
}

/// A correction of the belief that the board before allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Repair {
    /// The hero faces another way than thought.
    Facing(usize, Dir),
    /// The monster faces another way than thought.
    HunterFacing(usize, Dir),
    /// The monster carries gold, or does not.
    Load(usize, bool),
    /// The monster carries gold, and more lies under it.
    GoldUnder(usize),
    /// The gold that was put here unseen is elsewhere.
    GoldElsewhere(Cell),
    /// One more monster stands in the cell of this one.
    Twin(usize),
    /// The hole has this timer; 0 for none.
    Pit(Cell, i32),
    /// The cell, hidden so far, has this terrain.
    Terrain(Cell, Ground),
}

/// Terrain of a cell nobody has seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ground {
    Empty,
    Ladder,
    Pipe,
    /// An open brick with this timer.
    Open(i32),
    /// A full brick.
    Brick,
}

/// An assignment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Guess {
    /// Heroes of the belief in the order of their turns.
    pub seats: Vec<usize>,
    /// Per hero of the belief.
    pub fates: Vec<Fate>,
    /// Where players who join are placed.
    pub newcomers: Vec<Cell>,
    /// Monsters of the belief in the order of their turns.
    pub line: Vec<usize>,
    /// Per monster of the belief.
    pub aims: Vec<Aim>,
    pub repairs: Vec<Repair>,
}

/// What an assignment leads to.
#[derive(Clone)]
pub(super) struct Outcome {
    /// The belief with its repairs.
    pub belief: Belief,
    pub state: State,
    /// Per hero of the belief, and then per newcomer: who it is now.
    pub heroes: Vec<Option<HeroId>>,
    /// Per monster of the repaired belief its place in the state.
    pub places: Vec<usize>,
    /// The board that the simulator draws.
    pub board: Board,
    /// Cells that are not as observed, in reading order.
    pub wrong: Vec<Cell>,
    /// Where new gold was put that nobody sees: it may as well be under another body.
    pub hidden_gold: Vec<Cell>,
    /// A hero took a gold whose replacement is nowhere.
    pub lost_gold: bool,
}

impl Outcome {
    /// Whether it is the observed board.
    pub(super) fn makes_it(&self) -> bool {
        self.wrong.is_empty() && !self.lost_gold
    }
}

/// Chance as the observed board has it.
struct Observed<'a> {
    /// Cells where the board shows gold that was not there.
    appeared: Vec<Cell>,
    board: &'a Board,
    /// Where the next hero is placed.
    birth: Option<Cell>,
    /// Per monster of the state the seat of its aim.
    seats: Vec<usize>,
    hidden: Vec<Cell>,
    lost: bool,
}

impl Chance for Observed<'_> {
    fn place(&mut self, state: &State) -> Option<Cell> {
        if let Some(cell) = self.birth.take() {
            return Some(cell);
        }
        let corner = state.size().from_point(0, 0);
        let fits = |cell: &Cell| state.tile(*cell).is_free() || *cell == corner;
        if let Some(index) = self.appeared.iter().position(fits) {
            return Some(self.appeared.remove(index));
        }
        // Under a monster nobody sees it.
        let covered = |cell: &Cell| {
            state.tile(*cell).is_free()
                && matches!(
                    self.board.at(*cell),
                    Element::Monster(_) | Element::Hero(..)
                )
        };
        let found = state
            .monsters()
            .iter()
            .map(|monster| monster.cell)
            .chain(self.board.iter().map(|(cell, _)| cell))
            .find(covered);
        self.hidden.extend(found);
        self.lost |= found.is_none();
        found
    }

    fn place_thing(&mut self, _: &State) -> Option<Cell> {
        None
    }

    fn refills(&self) -> bool {
        false
    }

    fn choose(&mut self, monster: usize, count: usize) -> Option<usize> {
        let seat = self.seats.get(monster).copied().unwrap_or(0);
        Some(seat.min(count.saturating_sub(1)))
    }
}

impl Guess {
    /// Lets the simulator make one tick of it; `None` if the assignment contradicts itself.
    pub(super) fn outcome(
        &self,
        belief: &Belief,
        observed: &Board,
        mine: Option<&str>,
    ) -> Option<Outcome> {
        let mut belief = belief.clone();
        for repair in &self.repairs {
            repair.apply(&mut belief)?;
        }
        let (line, aims) = self.lined_up(&belief);
        let (mut state, mut heroes, ghosts) = self.build(&belief, &line)?;
        let mut chance = Observed {
            appeared: appeared(&belief, observed),
            board: observed,
            birth: None,
            seats: Vec::new(),
            hidden: Vec::new(),
            lost: false,
        };
        let order: Vec<usize> = self
            .seats
            .iter()
            .copied()
            .filter(|it| heroes[*it].is_some())
            .collect();
        for &index in &order {
            let text = match (&self.fates[index], mine) {
                (_, Some(mine)) if index == belief.me => mine,
                (Fate::Words(text), _) => text,
                (Fate::Reborn(_), _) => "act(0)",
                (Fate::Gone, _) => continue,
            };
            let command = Command::parse(text, &belief.rules.grammar);
            if let Some(id) = heroes[index] {
                state.command(id, &command);
            }
        }
        for (seat, &index) in order.iter().enumerate() {
            if let Fate::Reborn(cell) = self.fates[index] {
                chance.birth = Some(cell);
            }
            state.respawn(seat, &mut chance);
            // A birth that was not needed would become a gold.
            if chance.birth.take().is_some() {
                return None;
            }
            heroes[index] = state.seats().get(seat).copied();
        }
        for (place, &index) in line.iter().enumerate() {
            let (target, given_up) = match aims[index] {
                Aim::Hero(hero) => (target(heroes.get(hero).copied().flatten()), None),
                Aim::Newcomer(number) => {
                    let hero = heroes.get(belief.bodies.len() + number);
                    (target(hero.copied().flatten()), None)
                }
                Aim::Ghost(ghost) => (target(ghosts.get(ghost).copied()), None),
                Aim::Nobody => (Target::Nobody, state.seats().first().copied()),
            };
            let monster = Monster {
                target,
                given_up,
                ..state.monsters()[place]
            };
            state.place_monster(place, monster);
            let seat = match target {
                Target::Hero(id) => state.seats().iter().position(|it| *it == id),
                _ => None,
            };
            chance.seats.push(seat.unwrap_or(0));
        }
        state.tick(&mut chance, &mut Unheard);
        let viewer = heroes.get(belief.me).copied().flatten();
        let board = state.draw(viewer);
        let wrong = board
            .iter()
            .filter(|&(cell, element)| observed.at(cell) != element)
            .map(|(cell, _)| cell)
            .collect();
        let mut places = vec![0; line.len()];
        for (place, &index) in line.iter().enumerate() {
            places[index] = place;
        }
        Some(Outcome {
            belief,
            state,
            heroes,
            places,
            board,
            wrong,
            hidden_gold: chance.hidden,
            lost_gold: chance.lost,
        })
    }

    /// The monsters of a repaired belief in the order of their turns, and the aims by their numbers.
    fn lined_up(&self, belief: &Belief) -> (Vec<usize>, Vec<Aim>) {
        let (mut line, mut aims) = (self.line.clone(), self.aims.clone());
        for twin in line.len()..belief.hunters.len() {
            line.push(twin);
            aims.push(belief.hunters[twin].aim);
        }
        (line, aims)
    }

    /// The field before the tick: the state, per hero of the belief and newcomer who he is, and the ghosts.
    /// The monsters do not know yet whom they hunt. `None` if there are more bodies than are simulated.
    pub(super) fn build(
        &self,
        belief: &Belief,
        line: &[usize],
    ) -> Option<(State, Vec<Option<HeroId>>, Vec<HeroId>)> {
        if line.len() > Level::MONSTERS_MAX {
            return None;
        }
        let monsters = line.iter().map(|&index| Monster {
            target: Target::Unknown,
            ..belief.hunters[index].monster
        });
        let (level, rules) = (Arc::clone(&belief.level), Arc::clone(&belief.rules));
        let mut state = State::with_monsters(level, rules, monsters.collect());
        let (heroes, ghosts) = self.seat(belief, &mut state)?;
        for pit in &belief.pits {
            state.place_hole(Hole {
                cell: pit.cell,
                opened: 1 - pit.timer,
                owner: None,
            });
        }
        for &gold in &belief.gold {
            state.place_gold(gold);
        }
        Some((state, heroes, ghosts))
    }

    /// Seats the heroes in the order of their turns, and the ghosts beside the field.
    fn seat(
        &self,
        belief: &Belief,
        state: &mut State,
    ) -> Option<(Vec<Option<HeroId>>, Vec<HeroId>)> {
        let mut heroes = vec![None; belief.bodies.len() + self.newcomers.len()];
        let gone = |index: &usize| self.fates[*index] == Fate::Gone;
        let staying = self.seats.iter().filter(|index| !gone(index)).count();
        let mut places = belief.ghosts.clone();
        places.extend(
            self.seats
                .iter()
                .filter(|it| gone(it))
                .map(|it| belief.bodies[*it].hero.cell),
        );
        places.truncate(State::HEROES_MAX.checked_sub(staying + self.newcomers.len())?);
        for &index in self.seats.iter().filter(|index| !gone(index)) {
            let hero = belief.bodies[index].hero;
            let id = state.join_at(hero.cell);
            state.place_hero(id, hero);
            heroes[index] = Some(id);
        }
        for (number, &cell) in self.newcomers.iter().enumerate() {
            heroes[belief.bodies.len() + number] = Some(state.join_at(cell));
        }
        let ghosts: Vec<HeroId> = places.iter().map(|&cell| state.join_at(cell)).collect();
        for &ghost in &ghosts {
            state.leave(ghost);
        }
        Some((heroes, ghosts))
    }
}

fn target(hero: Option<HeroId>) -> Target {
    hero.map_or(Target::Unknown, Target::Hero)
}

/// Cells where gold is seen that was not there before.
fn appeared(belief: &Belief, observed: &Board) -> Vec<Cell> {
    let known = |cell: Cell| belief.gold.iter().any(|gold| gold.cell == cell);
    let mut cells: Vec<Cell> = observed
        .iter()
        .filter(|&(cell, element)| matches!(element, Element::Gold(_)) && !known(cell))
        .map(|(cell, _)| cell)
        .collect();
    // Where a monster was, it may as well have been dropped or uncovered.
    let covered = |cell: Cell| belief.hunters.iter().any(|it| it.monster.cell == cell);
    cells.sort_by_key(|cell| covered(*cell));
    cells
}

impl Repair {
    /// Changes the belief; `None` if that is not possible.
    fn apply(self, belief: &mut Belief) -> Option<()> {
        match self {
            Repair::Facing(hero, facing) => belief.bodies.get_mut(hero)?.hero.facing = facing,
            Repair::HunterFacing(hunter, facing) => {
                let hunter = belief.hunters.get_mut(hunter)?;
                hunter.monster.facing = facing;
                hunter.facing_known = true;
            }
            Repair::Load(hunter, loaded) => {
                let hunter = belief.hunters.get_mut(hunter)?;
                hunter.monster.load = loaded.then_some(GoldKind::Yellow);
                hunter.load_known = true;
            }
            Repair::GoldUnder(hunter) => {
                let hunter = belief.hunters.get_mut(hunter)?;
                hunter.monster.load = Some(GoldKind::Yellow);
                hunter.load_known = true;
                let cell = hunter.monster.cell;
                // Perhaps it is the one that was thought to be elsewhere.
                if let Some(thought) = belief.unsure_gold.pop() {
                    remove_gold(belief, thought);
                }
                belief.gold.push(Gold {
                    cell,
                    kind: GoldKind::Yellow,
                });
            }
            Repair::GoldElsewhere(cell) => {
                belief.unsure_gold.retain(|unsure| *unsure != cell);
                remove_gold(belief, cell);
            }
            Repair::Twin(hunter) => {
                let twin = *belief.hunters.get(hunter)?;
                if belief.hunters.len() == Level::MONSTERS_MAX {
                    return None;
                }
                belief.hunters.push(twin);
            }
            Repair::Pit(cell, timer) => set_pit(belief, cell, timer),
            Repair::Terrain(cell, ground) => {
                let mut terrain = belief.level.terrain().clone();
                terrain[cell] = Tile::of(match ground {
                    Ground::Empty => 0,
                    Ground::Ladder => Tile::LADDER,
                    Ground::Pipe => Tile::PIPE,
                    Ground::Open(_) | Ground::Brick => Tile::BRICK | Tile::SOLID,
                });
                belief.set_terrain(terrain).ok()?;
                belief.proved.insert(cell);
                if let Ground::Open(timer) = ground {
                    set_pit(belief, cell, timer);
                }
            }
        }
        Some(())
    }

    /// Whether it settles what the terrain under somebody is.
    pub(super) const fn is_terrain(self) -> bool {
        matches!(self, Repair::Terrain(..))
    }
}

fn remove_gold(belief: &mut Belief, cell: Cell) {
    if let Some(index) = belief.gold.iter().rposition(|gold| gold.cell == cell) {
        belief.gold.remove(index);
    }
}

fn set_pit(belief: &mut Belief, cell: Cell, timer: i32) {
    belief.pits.retain(|pit| pit.cell != cell);
    if timer > 0 {
        belief.pits.push(super::belief::Pit {
            cell,
            timer,
            known: true,
        });
        belief.pits.sort_by_key(|pit| std::cmp::Reverse(pit.timer));
    }
}
