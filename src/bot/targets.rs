//! Whom monsters are taken to hunt where boards have not settled it: a search needs one target for each monster, the
//! belief has several. Not the belief itself: `track`.

use crate::params::Params;
use crate::sim::{HeroId, Monster, State, Target};
use crate::track::{MonsterBelief, Picture};
use arrayvec::ArrayVec;

/// Gives monsters of unknown target one to play with: the own hero if he is probable enough, else the most probable
/// hero if he is, else none: such a monster stands still in a search, and closeness to it is fined.
pub(super) fn assume_targets(picture: &mut Picture, me: HeroId, params: &Params) {
    if !picture.state.is_classic() {
        return;
    }
    for (index, belief) in picture.monsters.iter().enumerate() {
        let Some(&monster) = picture.state.monsters().get(index) else {
            break;
        };
        if monster.target != Target::Unknown {
            continue;
        }
        if let Some(id) = assumed(belief, me, params, picture.state.seats()) {
            let target = Target::Hero(id);
            picture
                .state
                .place_monster(index, Monster { target, ..monster });
        }
    }
    picture.state.commit();
}

/// How probable it is of each hero of the field that the monster hunts him. One that hunts nobody, or somebody who is
/// gone, chooses anew, each hero alike.
pub(super) fn chances(
    belief: &MonsterBelief,
    seats: &[HeroId],
) -> ArrayVec<(HeroId, f64), { State::HEROES_MAX }> {
    let hunted = |id: HeroId| {
        let target = belief.targets.iter().find(|&&(target, _)| target == id);
        target.map_or(0.0, |&(_, weight)| weight)
    };
    let settled: f64 = seats.iter().map(|&id| hunted(id)).sum();
    let anew = (1.0 - settled).max(0.0) / seats.len().max(1) as f64;
    seats.iter().map(|&id| (id, hunted(id) + anew)).collect()
}

/// The hero to play with.
fn assumed(
    belief: &MonsterBelief,
    me: HeroId,
    params: &Params,
    seats: &[HeroId],
) -> Option<HeroId> {
    let mut likely = (None, 0.0);
    for (id, chance) in chances(belief, seats) {
        if id == me && chance >= params.hunts_me {
            return Some(me);
        }
        if chance > likely.1 {
            likely = (Some(id), chance);
        }
    }
    likely.0.filter(|_| likely.1 >= params.hunts_likely)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: HeroId = HeroId(0);
    const NEAR: HeroId = HeroId(1);
    const GONE: HeroId = HeroId(2);

    fn belief(targets: &[(HeroId, f64)]) -> MonsterBelief {
        MonsterBelief {
            targets: targets.to_vec(),
            ..MonsterBelief::default()
        }
    }

    /// Who is played with, by the two probabilities that are enough: ours and that of whoever is most probable.
    fn who(belief: &MonsterBelief, hunts_me: f64, hunts_likely: f64) -> Option<HeroId> {
        let params = Params {
            hunts_me,
            hunts_likely,
            ..Params::DEFAULT
        };
        assumed(belief, ME, &params, &[ME, NEAR])
    }

    #[test]
    fn it_hunts_us_if_that_is_probable_enough_and_the_most_probable_hero_otherwise() {
        let belief = belief(&[(NEAR, 0.6), (ME, 0.4)]);
        assert_eq!(who(&belief, 0.4, 0.0), Some(ME));
        assert_eq!(who(&belief, 0.5, 0.0), Some(NEAR));
        assert_eq!(who(&belief, 0.5, 0.7), None);
        assert_eq!(who(&belief, 1.1, 1.1), None);
    }

    #[test]
    fn who_hunted_a_hero_that_is_gone_chooses_anew() {
        let belief = belief(&[(GONE, 0.8), (NEAR, 0.2)]);
        assert_eq!(who(&belief, 0.39, 0.0), Some(ME));
        assert_eq!(who(&belief, 0.41, 0.0), Some(NEAR));
    }
}
