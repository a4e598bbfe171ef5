//! What the positions of a game tell together: totals, worst ticks, deaths and rescues, gold missed, stalls.

use std::sync::Arc;

use serde::Serialize;

use super::Position;
use crate::board::{Board, Cell, Element, Family, HeroLook};
use crate::fields::Fields;
use crate::params::Params;
use crate::replay::seat::Seat;
use crate::track::Picture;
use crate::watchdog::PATIENCE;

/// How many worst ticks are told.
const WORST: usize = 10;
/// How far back from a death a way out is looked for, in ticks.
const RESCUE_TICKS: usize = 30;
/// Gold that a rival takes counts as missed if we were at most so many ticks from it.
const NEAR_TICKS: u16 = 10;

/// A tick on which a death could still have been avoided.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rescue {
    /// Number of the tick.
    pub t: u64,
    /// What would have saved the hero.
    pub action: String,
    /// The line behind it.
    pub line: Vec<String>,
    /// What was answered instead.
    pub played: Option<String>,
}

/// An own death.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Death {
    /// The tick whose board shows it.
    pub t: u64,
    /// The last tick on which it could be avoided, if there was one within reach of the searches.
    pub rescue: Option<Rescue>,
}

/// A gold near us that a rival took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MissedGold {
    /// The tick before the rival had it.
    pub t: u64,
    /// Its column from the left, from 0.
    pub x: usize,
    /// Its row from the bottom, from 0.
    pub y: usize,
    /// How many ticks we were away from it.
    pub distance: u16,
}

/// What the positions tell together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Findings {
    /// Boards of the game.
    pub boards: usize,
    /// Boards on which best answer and played one can be compared.
    pub compared: usize,
    /// Boards on which the best answer was played.
    pub best_played: usize,
    /// Sum of all losses but those into certain death.
    pub total_loss: f64,
    /// Answers that lost the hero although another one would have saved him.
    pub fatal: usize,
    /// Ticks with the largest losses, the worst first, as indices of positions.
    pub worst: Vec<usize>,
    /// Own deaths.
    pub deaths: Vec<Death>,
    /// Gold near us that rivals took.
    pub missed_gold: Vec<MissedGold>,
    /// Ticks after more than 50 without gold.
    pub stalled: u64,
    /// Gold taken.
    pub gold: u32,
    /// Answers that gave the hero up.
    pub suicides: usize,
}

/// Looks through a game.
pub(super) fn find(seat: &Seat, params: &Params, positions: &[Position]) -> Findings {
    let lethal = params.death.abs() / 2.0;
    let mut found = Findings {
        boards: positions.len(),
        ..Findings::default()
    };
    let mut losses: Vec<(usize, f64)> = Vec::new();
    for (index, position) in positions.iter().enumerate() {
        found.suicides += usize::from(position.played.as_deref() == Some("suicide"));
        let Some(loss) = position.loss() else {
            continue;
        };
        found.compared += 1;
        found.best_played += usize::from(position.played == position.best);
        if loss > lethal && lethal > 0.0 {
            found.fatal += 1;
        } else {
            found.total_loss += loss;
        }
        if loss > 0.0 {
            losses.push((index, loss));
        }
    }
    losses.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    found.worst = losses.iter().take(WORST).map(|pair| pair.0).collect();
    found.deaths = deaths(seat, positions, -lethal);
    follow(seat, &mut found);
    found
}

fn is_dead(board: &Board) -> bool {
    let dead = Element::Hero(Family::Me, HeroLook::Dead, false);
    let shadow = Element::Hero(Family::Me, HeroLook::Dead, true);
    board
        .iter()
        .any(|(_, element)| element == dead || element == shadow)
}

/// Own deaths, and the last board before each on which some other action was thought to survive.
fn deaths(seat: &Seat, positions: &[Position], lethal: f64) -> Vec<Death> {
    let dead: Vec<usize> = (0..seat.turns.len())
        .filter(|&index| is_dead(&seat.turns[index].board))
        .filter(|&index| index == 0 || !is_dead(&seat.turns[index - 1].board))
        .collect();
    let rescue = |index: usize| {
        // Not across the death before: that was another life.
        let born = dead.iter().rfind(|&&other| other < index);
        let born = born.map_or(0, |death| death + 1);
        let earliest = index.saturating_sub(RESCUE_TICKS).max(born);
        (earliest..index).rev().find_map(|before| {
            let position = positions.get(before)?;
            let played = position.played.as_deref();
            let better = position
                .values
                .iter()
                .filter(|(name, value)| *value > lethal && Some(name.as_str()) != played)
                .max_by(|one, other| one.1.total_cmp(&other.1))?;
            let best = position.best.as_ref() == Some(&better.0);
            Some(Rescue {
                t: position.t,
                action: better.0.clone(),
                line: if best {
                    position.line.clone()
                } else {
                    Vec::new()
                },
                played: position.played.clone(),
            })
        })
    };
    let death = |&index: &usize| Death {
        t: seat.turns[index].t,
        rescue: rescue(index),
    };
    dead.iter().map(death).collect()
}

/// What needs the tracker: gold taken, gold that rivals took, stalls.
fn follow(seat: &Seat, found: &mut Findings) {
    let mut fields = None::<Fields>;
    let (mut gold, mut last_gold) = (0, seat.turns.first().map_or(0, |turn| turn.t));
    for (index, (turn, picture)) in seat.pictures().enumerate() {
        let Ok(picture) = picture else {
            continue;
        };
        if picture.own.gold != gold {
            found.gold += picture.own.gold.saturating_sub(gold);
            gold = picture.own.gold;
            last_gold = turn.t;
        }
        found.stalled += u64::from(turn.t - last_gold > PATIENCE);
        let next = seat.turns.get(index + 1).filter(|next| next.missed == 0);
        if let Some(next) = next {
            let lost = lost_gold(&turn.board, &next.board);
            if !lost.is_empty() {
                missed(&picture, turn.t, &lost, &mut fields, found);
            }
        }
    }
}

/// Cells with gold on one board and a rival on the next.
fn lost_gold(board: &Board, next: &Board) -> Vec<Cell> {
    board
        .iter()
        .filter(|&(cell, element)| matches!(element, Element::Gold(_)) && next.at(cell).is_rival())
        .map(|(cell, _)| cell)
        .collect()
}

fn missed(
    picture: &Picture,
    t: u64,
    lost: &[Cell],
    fields: &mut Option<Fields>,
    found: &mut Findings,
) {
    let Some(me) = picture
        .me
        .map(|me| *picture.state.hero(me))
        .filter(|me| me.alive)
    else {
        return;
    };
    let level = picture.state.level();
    let belongs = |fields: &Fields| fields.belong_to(level, &picture.concrete);
    if !fields.as_ref().is_some_and(belongs) {
        *fields = Some(Fields::new(Arc::clone(level), &picture.concrete));
    }
    let size = picture.state.size();
    for &cell in lost {
        let distance = fields
            .as_ref()
            .and_then(|fields| fields.field(cell).ticks(me.cell));
        if let Some(distance) = distance.filter(|ticks| *ticks <= NEAR_TICKS) {
            found.missed_gold.push(MissedGold {
                t,
                x: size.x(cell),
                y: size.y(cell),
                distance,
            });
        }
    }
}
