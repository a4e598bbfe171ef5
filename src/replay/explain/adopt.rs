//! From an assignment that makes the observed board to the belief after it.

use super::belief::{Aim, Belief, Body, Hunter, Pit};
use super::guess::Fate;
use super::search::Found;
use crate::board::{Board, Cell, Element, MonsterLook};
use crate::sim::{LevelError, Target};

/// The belief after the tick.
pub(super) fn adopt(
    found: Found,
    observed: &Board,
    mine: Option<&str>,
) -> Result<Belief, LevelError> {
    let Found { guess, outcome } = found;
    let before = outcome.belief;
    let state = &outcome.state;
    let mut after = before.clone();
    after.bodies.clear();
    // Old number of a hero, or of a newcomer behind them, to its new number.
    let mut numbers = vec![usize::MAX; outcome.heroes.len()];
    let newcomers = before.bodies.len()..outcome.heroes.len();
    for index in guess.seats.iter().copied().chain(newcomers) {
        let Some(id) = outcome.heroes[index] else {
            after.add_ghost(before.bodies[index].hero.cell);
            continue;
        };
        // Perhaps he did not kill himself, but left, and another player came.
        let left = matches!(guess.fates.get(index), Some(Fate::Reborn(_))) && index != before.me;
        if left && before.bodies[index].hero.alive {
            after.add_ghost(before.bodies[index].hero.cell);
        }
        let hero = *state.hero(id);
        let facing_known = match (before.bodies.get(index), guess.fates.get(index)) {
            (Some(body), Some(Fate::Words(_))) => {
                let told = index == before.me && mine.is_some_and(tells_facing);
                body.facing_known || told || hero.facing != body.hero.facing
            }
            _ => true,
        };
        numbers[index] = after.bodies.len();
        after.bodies.push(Body { hero, facing_known });
    }
    after.me = numbers.get(before.me).copied().unwrap_or(usize::MAX);
    let mut line = guess.line.clone();
    line.extend(guess.line.len()..before.hunters.len());
    // A new gold that nobody sees may be under any of them.
    let hidden = !outcome.hidden_gold.is_empty();
    let may_have_taken = |index: usize, cell: Cell| {
        let free = before.level.terrain()[cell].is_free();
        hidden && free && before.hunters[index].monster.load.is_none()
    };
    after.hunters = line
        .iter()
        .map(|&index| {
            let old = before.hunters[index];
            let monster = state.monsters()[outcome.places[index]];
            let aim = guess.aims.get(index).copied().unwrap_or(old.aim);
            let aim = match aim {
                Aim::Hero(hero) => numbers.get(hero).copied(),
                Aim::Newcomer(number) => numbers.get(before.bodies.len() + number).copied(),
                Aim::Ghost(_) | Aim::Nobody => None,
            }
            .filter(|number| *number != usize::MAX)
            .map_or(aim, Aim::Hero);
            let aim = match aim {
                // A hero that is no longer there.
                Aim::Hero(number) if number >= after.bodies.len() => Aim::Hero(0),
                aim => aim,
            };
            let dropped = old.monster.load.is_some() && monster.load.is_none();
            let mut kept = monster;
            kept.target = Target::Unknown;
            kept.given_up = None;
            Hunter {
                monster: kept,
                aim,
                load_known: (old.load_known && !may_have_taken(index, monster.cell)) || dropped,
                facing_known: old.facing_known
                    || monster.facing != old.monster.facing
                    || shows_side(observed, monster.cell),
                idle: monster.cell == old.monster.cell,
            }
        })
        .collect();
    // A hero that a monster has reached is not hunted any more.
    let hunters = &after.hunters;
    let reached = |cell: &Cell| hunters.iter().any(|hunter| hunter.monster.cell == *cell);
    after.ghosts.retain(|cell| !reached(cell));
    after.pits = state
        .holes()
        .map(|hole| {
            let known = |pit: &&Pit| pit.cell == hole.cell && !pit.known;
            Pit {
                cell: hole.cell,
                timer: hole.timer(state.now()),
                known: hole.opened == state.now() || !before.pits.iter().any(|pit| known(&pit)),
            }
        })
        .collect();
    after.gold = state.gold().to_vec();
    after.unsure_gold.extend(&outcome.hidden_gold);
    let lies = |cell: &Cell| state.gold().iter().any(|gold| gold.cell == *cell);
    let seen = |cell: &Cell| matches!(observed.at(*cell), Element::Gold(_));
    after.unsure_gold.retain(|cell| lies(cell) && !seen(cell));
    after.learn(observed)?;
    after.look(observed);
    Ok(after)
}

fn tells_facing(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("left") || text.contains("right")
}

fn shows_side(observed: &Board, cell: Cell) -> bool {
    matches!(
        observed.at(cell),
        Element::Monster(
            MonsterLook::Left | MonsterLook::Right | MonsterLook::PipeLeft | MonsterLook::PipeRight
        )
    )
}
