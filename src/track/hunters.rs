//! `Hunters`: the monsters from board to board, with what is believed of each one's aim. Every tick all its possible
//! aims take their turn by the rules of `sim`; those that lead where the monster is seen are kept. Loads are
//! changed by `Treasure`.

use super::field::{Aim, Field, shows_left};
use super::pairing::{self, Options};
use super::roster::Roster;
use super::sight::{MonsterMark, Sight};
use super::turns::{Outcome, most_probable, turns, visible};
use crate::board::{Cell, Dir, GoldKind, MonsterLook, Size};
use crate::sim::{HeroId, Monster, Target, Tile};

/// One monster.
#[derive(Clone, Debug)]
pub(super) struct Hunter {
    pub cell: Cell,
    /// Where it was on the board before.
    pub from: Cell,
    pub facing: Dir,
    /// Possible aims and their probabilities.
    pub aims: Vec<(Aim, f64)>,
    /// Probability that it carries gold.
    pub loaded: f64,
    /// Probability that there was gold in its cell which it could have taken in its last turn and did not.
    pub under: f64,
    /// The kind of the gold, if it carries any.
    pub kind: GoldKind,
    /// It fell into a hole in the last tick: a load stayed in the cell above.
    pub dropped: bool,
    /// It has not left the cell in which it was first seen.
    pub fresh: bool,
}

/// How predictions of the monsters' steps came out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Steps {
    /// Steps of remembered monsters.
    pub all: u32,
    /// Those whose most probable prediction was wrong.
    pub missed: u32,
}

/// All monsters in the order of their turns, as far as it is known.
#[derive(Clone, Default, Debug)]
pub(super) struct Hunters {
    list: Vec<Hunter>,
    outcomes: Vec<Vec<Outcome>>,
}

/// Probability that a monster carries gold when it is first seen in the middle of a game: about one in three does.
const LATE_LOAD: f64 = 0.33;
/// The same when the board looks like the first one of a game.
const EARLY_LOAD: f64 = 0.05;
/// Cost of a step that no aim explains: worse than any explained one.
const UNEXPLAINED: f64 = 30.0;
/// Factor for a picture that shows the other side: another monster of the cell may be drawn on top.
const OTHER_SIDE: f64 = 0.05;
/// Aims less probable than this are forgotten.
const NEGLIGIBLE: f64 = 1e-9;

/// The side a monster's picture shows.
const fn side(look: MonsterLook) -> Option<bool> {
    match look {
        MonsterLook::Left | MonsterLook::PipeLeft => Some(true),
        MonsterLook::Right | MonsterLook::PipeRight => Some(false),
        MonsterLook::Ladder | MonsterLook::Pit | MonsterLook::Fall | MonsterLook::Pipe => None,
    }
}

impl Hunters {
    /// The monsters of a first board, read as a map: those drawn facing left first (RULES section 1). Their aims
    /// are still to be set by `guess`; `early` if it looks like the first board of its game.
    pub fn new(sight: &Sight, early: bool) -> Hunters {
        let load = if early { EARLY_LOAD } else { LATE_LOAD };
        let mut list: Vec<Hunter> = sight
            .monsters
            .iter()
            .map(|&mark| Hunter::new(mark, load))
            .collect();
        list.sort_by_key(|hunter| !shows_left(hunter.facing));
        Hunters {
            list,
            outcomes: Vec::new(),
        }
    }

    pub fn list(&self) -> &[Hunter] {
        &self.list
    }

    pub fn list_mut(&mut self) -> &mut [Hunter] {
        &mut self.list
    }

    /// Whether a monster may be after this hero object, or have given it up.
    pub fn refer_to(&self, object: u32) -> bool {
        let refers = |&(aim, _): &(Aim, f64)| match aim {
            Aim::Nobody => false,
            Aim::Hunts(other) | Aim::GaveUp(other) => other == object,
        };
        self.list
            .iter()
            .any(|hunter| hunter.aims.iter().any(refers))
    }

    /// Gives monsters that were never followed the aims they may have on this field.
    pub fn guess(&mut self, field: &Field, roster: &Roster) {
        for hunter in self.list.iter_mut().filter(|hunter| hunter.aims.is_empty()) {
            hunter.aims = first_aims(hunter.cell, field, roster);
        }
    }

    /// Takes in the monsters of the next board. `field` stands before the monsters' phase; `missed` boards before
    /// this one were not seen.
    pub fn observe(
        &mut self,
        field: &mut Field,
        sight: &Sight,
        roster: &Roster,
        missed: u32,
    ) -> Steps {
        let mut steps = Steps::default();
        // A monster may be hidden under a hero it killed.
        let hidden: Vec<Cell> = roster
            .bodies()
            .iter()
            .filter(|body| !body.alive)
            .map(|body| body.cell)
            .collect();
        let places: Vec<Cell> = sight
            .monsters
            .iter()
            .map(|mark| mark.cell)
            .chain(hidden)
            .collect();
        let start: Vec<Monster> = field.state.monsters().to_vec();
        let likely = self.predict(field, sight, None);
        // What a board missed in between did cannot be foreseen.
        steps.all = if missed == 0 {
            self.list.len() as u32
        } else {
            0
        };
        let mut chosen = self.assign(field.state.size(), sight, &places, missed as usize);
        self.rescue(&places, sight.monsters.len(), &mut chosen);
        let mut cells: Vec<Option<Cell>> = chosen
            .iter()
            .map(|place| place.map(|place| places[place]))
            .collect();
        steps.missed = likely
            .iter()
            .zip(&cells)
            .filter(|(likely, cell)| Some(**likely) != **cell)
            .count() as u32;
        steps.missed = steps.missed.min(steps.all);
        if likely.iter().zip(&cells).any(|(a, b)| Some(*a) != *b) {
            for (index, &monster) in start.iter().enumerate() {
                field.state.place_monster(index, monster);
            }
            self.predict(field, sight, Some(&cells));
        }
        self.reorder(sight, &mut cells);
        for (index, cell) in cells.iter().enumerate() {
            if let Some(cell) = *cell {
                // Of those that share a cell the first in order is drawn.
                let top = cells.iter().position(|other| *other == Some(cell)) == Some(index);
                let mark = sight.monsters.iter().find(|mark| mark.cell == cell);
                let side = mark.filter(|_| top).and_then(|mark| side(mark.look));
                let outcomes = &self.outcomes[index];
                settle(&mut self.list[index], outcomes, cell, side, field);
            }
        }
        let mut kept = cells.iter().map(Option::is_some);
        self.list.retain(|_| kept.next().unwrap_or(true));
        if field.state.rules().mover_to_end {
            self.list.sort_by_key(|hunter| hunter.cell != hunter.from);
        }
        for mark in &sight.monsters {
            if !cells.contains(&Some(mark.cell))
                && self.list.len() < crate::sim::Level::MONSTERS_MAX
            {
                self.list.push(Hunter::new(*mark, LATE_LOAD));
            }
        }
        steps
    }

    /// Lets all aims of all monsters take their turns, one monster after the other, each seeing those before it
    /// in `cells` if given and in their most probable cells otherwise. Leaves the outcomes, and tells the most
    /// probable cells.
    fn predict(
        &mut self,
        field: &mut Field,
        sight: &Sight,
        cells: Option<&[Option<Cell>]>,
    ) -> Vec<Cell> {
        self.outcomes.resize_with(self.list.len(), Vec::new);
        let mut likely = Vec::with_capacity(self.list.len());
        let later = !field.state.rules().is_classic();
        for (index, hunter) in self.list.iter().enumerate() {
            let outcomes = &mut self.outcomes[index];
            outcomes.clear();
            turns(hunter, index, field, outcomes);
            let best = most_probable(outcomes).unwrap_or(hunter.cell);
            likely.push(best);
            let aim = outcomes.first().map_or(Aim::Nobody, |outcome| outcome.aim);
            let mut monster = field.state.monsters()[index];
            if later {
                // Those after it in order leave its prey to it.
                monster = field.monster(monster, aim);
            }
            let seen = match cells {
                Some(cells) => cells[index].unwrap_or(best),
                // The most probable place among those seen, if there is one.
                None => visible(outcomes, sight).unwrap_or(best),
            };
            field.state.place_monster(
                index,
                Monster {
                    cell: seen,
                    ..monster
                },
            );
        }
        field.state.commit();
        likely
    }

    /// Of monsters that share a cell the first in order is drawn. If the picture shows the other side than its own,
    /// and one behind it would show that side, the two are taken for each other.
    fn reorder(&mut self, sight: &Sight, cells: &mut [Option<Cell>]) {
        for mark in &sight.monsters {
            let Some(left) = side(mark.look) else {
                continue;
            };
            let mut sharing = (0..self.list.len()).filter(|&index| cells[index] == Some(mark.cell));
            let fits = |index: usize| {
                self.outcomes[index]
                    .iter()
                    .any(|outcome| outcome.cell == mark.cell && shows_left(outcome.facing) == left)
            };
            let Some(first) = sharing.next().filter(|&first| !fits(first)) else {
                continue;
            };
            if let Some(other) = sharing.find(|&other| fits(other)) {
                self.list.swap(first, other);
                self.outcomes.swap(first, other);
                cells.swap(first, other);
            }
        }
    }

    /// Pairs monsters with places by the outcomes.
    fn assign(
        &self,
        size: Size,
        sight: &Sight,
        places: &[Cell],
        missed: usize,
    ) -> Vec<Option<usize>> {
        let mut options: Options = Vec::with_capacity(self.list.len());
        for (hunter, outcomes) in self.list.iter().zip(&self.outcomes) {
            let mut mine = Vec::new();
            for (place, &cell) in places.iter().enumerate() {
                let (dx, dy) = (
                    size.x(hunter.cell).abs_diff(size.x(cell)),
                    size.row(hunter.cell).abs_diff(size.row(cell)),
                );
                // Portals lead anywhere.
                let led = outcomes.iter().any(|outcome| outcome.cell == cell);
                if dx + dy > 1 + missed && !led {
                    continue;
                }
                let shown = sight.monsters.get(place).and_then(|mark| side(mark.look));
                let probability: f64 = outcomes
                    .iter()
                    .filter(|outcome| outcome.cell == cell)
                    .map(|outcome| {
                        let fits = shown.is_none_or(|left| left == shows_left(outcome.facing));
                        outcome.weight * if fits { 1.0 } else { OTHER_SIDE }
                    })
                    .sum();
                let cost = if probability > NEGLIGIBLE {
                    -probability.ln()
                } else {
                    UNEXPLAINED + (dx + dy) as f64
                };
                mine.push((place, cost));
            }
            options.push(mine);
        }
        pairing::pair(&options, sight.monsters.len(), places.len())
    }

    /// Frames may have been missed: monsters that are nowhere near a seen place go to the nearest one that is
    /// still empty, or join another monster.
    fn rescue(&self, places: &[Cell], seen: usize, chosen: &mut [Option<usize>]) {
        if places.is_empty() {
            return;
        }
        let mut taken = vec![false; places.len()];
        for &place in chosen.iter().flatten() {
            taken[place] = true;
        }
        for (index, choice) in chosen.iter_mut().enumerate() {
            if choice.is_some() {
                continue;
            }
            let from = self.list[index].cell;
            // Row-major indices: the stride is a power of two, so this orders by rows first, which will do.
            let far = |place: usize| places[place].index().abs_diff(from.index());
            let free = (0..seen)
                .filter(|&place| !taken[place])
                .min_by_key(|&p| far(p));
            let place = free.or_else(|| (0..places.len()).min_by_key(|&place| far(place)));
            if let Some(place) = place {
                taken[place] = true;
                *choice = Some(place);
            }
        }
    }
}

impl Hunter {
    fn new(mark: MonsterMark, loaded: f64) -> Hunter {
        let facing = if side(mark.look) == Some(true) {
            Dir::Left
        } else {
            Dir::Right
        };
        Hunter {
            cell: mark.cell,
            from: mark.cell,
            facing,
            aims: Vec::new(),
            loaded,
            under: 0.0,
            kind: GoldKind::Yellow,
            dropped: false,
            fresh: true,
        }
    }

    /// The monster with its load as far as it is probable and no aim.
    pub fn body(&self) -> Monster {
        Monster {
            load: (self.loaded > 0.5).then_some(self.kind),
            ..Monster::new(self.cell, self.facing)
        }
    }
}

/// The monster was seen in `cell`, drawn on top of others if `side` is given: keeps the aims that explain it.
fn settle(
    hunter: &mut Hunter,
    outcomes: &[Outcome],
    cell: Cell,
    side: Option<bool>,
    field: &Field,
) {
    let fits = |outcome: &&Outcome| {
        outcome.cell == cell && side.is_none_or(|left| left == shows_left(outcome.facing))
    };
    hunter.fresh &= hunter.from == hunter.cell;
    hunter.from = hunter.cell;
    hunter.dropped = false;
    let explained: Vec<&Outcome> = outcomes.iter().filter(fits).collect();
    if explained.is_empty() {
        surprise(hunter, cell, field);
    } else {
        hunter.dropped = explained.iter().any(|outcome| outcome.dropped);
        hunter.facing = explained[0].facing;
        hunter.aims.clear();
        for outcome in explained {
            match hunter.aims.iter_mut().find(|(aim, _)| *aim == outcome.aim) {
                Some((_, weight)) => *weight += outcome.weight,
                None => hunter.aims.push((outcome.aim, outcome.weight)),
            }
        }
        normalise(&mut hunter.aims);
    }
    hunter.cell = cell;
    match side {
        Some(true) => hunter.facing = Dir::Left,
        Some(false) if shows_left(hunter.facing) => hunter.facing = Dir::Right,
        _ => {}
    }
}

/// No aim explains the step: any hero whose hunt does is possible again; if there is none, nothing is learnt.
fn surprise(hunter: &mut Hunter, cell: Cell, field: &Field) {
    let size = field.state.size();
    let body = Monster::new(hunter.cell, hunter.facing);
    let mut aims: Vec<(Aim, f64)> = Vec::new();
    // Later monsters have no aims to find out: they look about anew in every turn.
    let seats = if field.state.rules().is_classic() {
        field.state.seats()
    } else {
        &[]
    };
    for &id in seats {
        let next = field.state.advance(Monster {
            target: Target::Hero(id),
            ..body
        });
        if next.cell == cell {
            aims.push((field.aim(&next), 1.0));
        }
    }
    if !aims.is_empty() {
        normalise(&mut aims);
        hunter.aims = aims;
    }
    let step = Dir::ALL
        .into_iter()
        .find(|&dir| size.step(hunter.cell, dir) == cell);
    match step {
        Some(Dir::Down) => {
            let below = field.state.tile(cell);
            let here = field.state.tile(hunter.cell);
            hunter.dropped = below.is_brick() && !here.has(Tile::BRICK | Tile::LADDER | Tile::PIPE);
        }
        Some(dir) => hunter.facing = dir,
        None => {}
    }
}

fn normalise(aims: &mut Vec<(Aim, f64)>) {
    let total: f64 = aims.iter().map(|(_, weight)| weight).sum();
    if total > 0.0 {
        for (_, weight) in aims.iter_mut() {
            *weight /= total;
        }
    }
    aims.retain(|&(_, weight)| weight > NEGLIGIBLE);
    aims.sort_by(|a, b| b.1.total_cmp(&a.1));
}

/// What a monster may be after that has never been followed: any hero it can walk to, each alike; one that it
/// cannot reach it has perhaps just given up.
fn first_aims(cell: Cell, field: &Field, roster: &Roster) -> Vec<(Aim, f64)> {
    const UNLIKELY: f64 = 0.05;
    if !field.state.rules().is_classic() {
        // It looks about anew in every turn.
        return vec![(Aim::Nobody, 1.0)];
    }
    let mut aims = vec![(Aim::Nobody, UNLIKELY)];
    for body in roster.bodies() {
        let way = field.has_way(cell, body.cell);
        let (hunts, gave_up) = if way {
            (1.0, UNLIKELY)
        } else {
            (UNLIKELY, 1.0)
        };
        aims.push((Aim::Hunts(body.object), hunts));
        aims.push((Aim::GaveUp(body.object), gave_up));
        if !way && roster.bodies().len() == 1 {
            aims[0].1 = 1.0;
        }
    }
    normalise(&mut aims);
    aims
}

/// The hero a monster of the state most probably hunts, with the whole list for the picture.
pub(super) fn hunted(hunter: &Hunter, field: &Field) -> (Vec<(HeroId, f64)>, f64) {
    let seats = field.state.seats();
    let mut targets = Vec::with_capacity(seats.len());
    let mut nobody = 0.0;
    for &(aim, weight) in &hunter.aims {
        match aim {
            Aim::Hunts(object) => {
                if let Some(id) = field.id(object).filter(|id| seats.contains(id)) {
                    targets.push((id, weight));
                }
            }
            Aim::Nobody | Aim::GaveUp(_) => nobody += weight,
        }
    }
    (targets, nobody)
}
