//! The probability of a crash against brute force: every combination written out, every line of actions after it
//! tried, without tables, marks or merged outcomes.

mod random;

use lodebot::board::Action;
use lodebot::rng::{Dice, Purpose, Seeded};
use lodebot::sim::{Foreseen, HeroId, Monster, Rolled, Rules, State, Target, Unheard};
use lodebot::tactics::{Choice, Crash, Doubt, Follow};
use std::sync::Arc;

const TICKS: usize = 3;

/// A position out of random play with rivals and monsters, and what they may do.
fn position(seed: u64) -> (State, HeroId, Vec<Doubt>) {
    let mut dice = Seeded::new(seed);
    let mut pick = |bound: u32| dice.draw(bound, Purpose::Sample) as usize;
    let (edge, monsters, rivals, ticks) = (6 + pick(3), 1 + pick(2), 1 + pick(2), pick(30));
    let level = random::level(seed, edge, monsters);
    let mut state = State::new(level, Arc::new(Rules::CLASSIC));
    for _ in 0..=rivals {
        state.join(&mut Rolled(&mut dice)).expect("room");
    }
    for _ in 0..ticks {
        for id in state.seats().to_vec() {
            state.act(id, random::action(&mut dice));
        }
        for seat in 0..state.seats().len() {
            state.respawn(seat, &mut Rolled(&mut dice));
        }
        state.tick(&mut Rolled(&mut dice), &mut Unheard);
    }
    for seat in 0..state.seats().len() {
        state.respawn(seat, &mut Rolled(&mut dice));
    }
    state.commit();
    let ids = state.seats().to_vec();
    let me = ids[dice.draw(ids.len() as u32, Purpose::Sample) as usize];
    let mut doubts = Vec::new();
    for &id in ids.iter().filter(|&&id| id != me) {
        let acts = (0..3).map(|_| Choice::Act(id, random::action(&mut dice)));
        doubts.push(doubt(acts.collect(), &[0.5, 0.375, 0.125]));
    }
    for index in 0..state.monsters().len() {
        let hunts = ids.iter().map(|&id| Choice::Hunt(index, id)).take(2);
        doubts.push(doubt(hunts.collect(), &[0.75, 0.25]));
    }
    (state, me, doubts)
}

fn doubt(choices: Vec<Choice>, shares: &[f64]) -> Doubt {
    choices.into_iter().zip(shares.iter().copied()).collect()
}

/// The probability by brute force: one number for each combination.
fn by_hand(state: &State, me: HeroId, action: Action, doubts: &[Doubt]) -> f64 {
    let combinations: usize = doubts.iter().map(Doubt::len).product();
    let mut risk = 0.0;
    for mut number in 0..combinations {
        let (mut state, mut probability) = (state.clone(), 1.0);
        state.act(me, action);
        for doubt in doubts {
            let (choice, share) = doubt[number % doubt.len()];
            number /= doubt.len();
            probability *= share;
            match choice {
                Choice::Act(id, action) => state.act(id, action),
                Choice::Hunt(index, id) => {
                    let target = Target::Hero(id);
                    let monster = state.monsters()[index];
                    state.place_monster(index, Monster { target, ..monster });
                }
            }
        }
        state.tick(&mut Foreseen, &mut Unheard);
        if !lives(&state, me, TICKS - 1) {
            risk += probability;
        }
    }
    risk
}

fn lives(state: &State, me: HeroId, left: usize) -> bool {
    state.hero(me).alive
        && (left == 0
            || Action::ALL.into_iter().any(|action| {
                let mut next = state.clone();
                next.act(me, action);
                next.tick(&mut Foreseen, &mut Unheard);
                lives(&next, me, left - 1)
            }))
}

#[test]
fn the_risk_is_the_share_of_all_combinations_that_kill() {
    let follow = Follow {
        ticks: TICKS,
        nodes: usize::MAX,
    };
    let (mut crash, mut partly, mut never) = (Crash::default(), 0, 0);
    for seed in 0..400 {
        let (mut state, me, doubts) = position(seed);
        for action in [Action::Left, Action::Right, Action::DigLeft, Action::Stay] {
            let before = state.full_hash();
            let risk = crash.risk(&mut state, me, action, &doubts, follow);
            assert_eq!(
                state.full_hash(),
                before,
                "seed {seed}: the state is another"
            );
            let expected = by_hand(&state, me, action, &doubts);
            assert!(
                (risk - expected).abs() < 1e-12,
                "seed {seed}, {action}: {risk}, by hand {expected}"
            );
            let again = Crash::default().risk(&mut state, me, action, &doubts, follow);
            assert_eq!(risk.to_bits(), again.to_bits(), "seed {seed}, {action}");
            partly += u32::from(risk > 0.0 && risk < 1.0);
            never += u32::from(risk == 0.0);
        }
    }
    assert!(partly > 10 && never > 10, "{partly} and {never} say little");
}

#[test]
fn without_doubts_a_risk_is_certain() {
    let mut crash = Crash::default();
    let follow = Follow {
        ticks: TICKS,
        nodes: usize::MAX,
    };
    for seed in 0..60 {
        let (mut state, me, _) = position(seed);
        let risk = crash.risk(&mut state, me, Action::Stay, &[], follow);
        assert_eq!(
            risk.to_bits(),
            by_hand(&state, me, Action::Stay, &[]).to_bits()
        );
    }
}
