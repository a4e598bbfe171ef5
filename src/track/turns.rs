//! `turns`: all turns that a monster may take in a field, by the rules of `sim`, one for each of its possible aims and
//! choices. Which of them it took is found by `Hunters`.

use super::field::{Aim, Field};
use super::hunters::Hunter;
use super::sight::Sight;
use crate::board::{Cell, Dir};
use crate::sim::{Monster, Target};

/// Weights that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// One way a monster's turn may have gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub cell: Cell,
    pub facing: Dir,
    pub dropped: bool,
    pub aim: Aim,
    pub weight: f64,
}

/// All turns a monster may take now.
pub(super) fn turns(hunter: &Hunter, index: usize, field: &mut Field, outcomes: &mut Vec<Outcome>) {
    // The load makes no difference to the step; with one it shows whether it would be dropped.
    let body = Monster {
        load: Some(hunter.kind),
        ..Monster::new(hunter.cell, hunter.facing)
    };
    for &(aim, weight) in &hunter.aims {
        let monster = field.monster(body, aim);
        if !field.state.rules().is_classic() {
            // Later monsters choose nothing at random.
            let next = field.state.hunt(index, monster);
            push(outcomes, field, next, weight);
            continue;
        }
        let hunts = matches!(monster.target, Target::Hero(id) if !field.state.is_dead(id));
        let count = if hunts {
            0
        } else {
            field.state.candidates(monster.given_up).count()
        };
        if count == 0 {
            push(outcomes, field, field.state.advance(monster), weight);
            continue;
        }
        for id in field.state.candidates(monster.given_up) {
            let chosen = Monster {
                target: Target::Hero(id),
                given_up: None,
                ..monster
            };
            let next = field.state.advance(chosen);
            push(outcomes, field, next, weight / count as f64);
        }
    }
}

fn push(outcomes: &mut Vec<Outcome>, field: &Field, next: Monster, weight: f64) {
    let aim = field.aim(&next);
    let same = outcomes.iter_mut().find(|outcome| {
        outcome.aim == aim && outcome.cell == next.cell && outcome.facing == next.facing
    });
    match same {
        Some(outcome) => outcome.weight += weight,
        None => outcomes.push(Outcome {
            cell: next.cell,
            facing: next.facing,
            dropped: next.load.is_none(),
            aim,
            weight,
        }),
    }
}

pub(super) fn most_probable(outcomes: &[Outcome]) -> Option<Cell> {
    best_cell(outcomes, |_| true)
}

pub(super) fn visible(outcomes: &[Outcome], sight: &Sight) -> Option<Cell> {
    best_cell(outcomes, |cell| {
        sight.monsters.iter().any(|mark| mark.cell == cell)
    })
}

/// The cell with the largest weight among those allowed; the earlier outcome wins ties.
fn best_cell(outcomes: &[Outcome], allowed: impl Fn(Cell) -> bool) -> Option<Cell> {
    let mut best: Option<(Cell, f64)> = None;
    for outcome in outcomes.iter().filter(|outcome| allowed(outcome.cell)) {
        let weight = outcomes
            .iter()
            .filter(|other| other.cell == outcome.cell)
            .map(|other| other.weight)
            .sum();
        if best.is_none_or(|(_, most)| weight > most + EQUAL) {
            best = Some((outcome.cell, weight));
        }
    }
    best.map(|(cell, _)| cell)
}
