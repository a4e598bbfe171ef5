//! `Play`: one fixed game of random heroes, tick by tick, as the thing to measure and to take positions from.

use std::sync::Arc;

use crate::board::Action;
use crate::bot::Answer;
use crate::rng::{Dice, Purpose, Seeded};
use crate::sim::{Command, Game, Level, Rules, State};

/// Different ticks of orders; the heroes repeat them.
const ORDERS: usize = 512;

/// A running game with heroes that walk, climb and dig at random. The same every time.
#[derive(Clone)]
pub struct Play {
    game: Game,
    dice: Seeded,
    orders: Arc<[Vec<Command>]>,
    tick: u32,
}

impl Play {
    /// A fresh game with this many heroes, at most as many as a field holds.
    pub fn new(level: &Arc<Level>, rules: &Arc<Rules>, heroes: usize) -> Play {
        let mut game = Game::new(Arc::clone(level), Arc::clone(rules));
        let mut dice = Seeded::new(1);
        for _ in 0..heroes.min(State::HEROES_MAX) {
            // The field cannot be full: there are no more heroes than seats.
            let _ = game.join(&mut dice);
        }
        let mut choice = Seeded::new(2);
        let mut walks = vec![(Action::Stay, 0); heroes];
        let orders = (0..ORDERS)
            .map(|_| {
                let order = |walk: &mut (Action, u32)| {
                    let text = random_order(walk, &mut choice);
                    Command::parse(text, &rules.grammar)
                };
                walks.iter_mut().map(order).collect()
            })
            .collect();
        Play {
            game,
            dice,
            orders,
            tick: 0,
        }
    }

    /// The field.
    pub fn state(&self) -> &State {
        self.game.state()
    }

    /// One server tick: commands, replacements, field tick, scores.
    pub fn tick(&mut self) {
        let commands = &self.orders[self.tick as usize % ORDERS];
        self.tick = self.tick.wrapping_add(1);
        self.dice.set_tick(self.tick);
        self.game.tick(commands, &mut self.dice);
    }
}

/// Goes on in one direction for a while, as a hero that is going somewhere does, digs now and then, and once
/// in a hundred ticks starts anew somewhere else: random steps alone end in a pit.
fn random_order(walk: &mut (Action, u32), dice: &mut Seeded) -> &'static str {
    if dice.draw(100, Purpose::Sample) == 0 {
        return Answer::Suicide.wire();
    }
    if walk.1 == 0 {
        let pick = dice.draw(4, Purpose::Sample) as usize;
        *walk = (Action::ALL[pick], 1 + dice.draw(8, Purpose::Sample));
    }
    walk.1 -= 1;
    let action = match dice.draw(12, Purpose::Sample) {
        0 => Action::DigLeft,
        1 => Action::DigRight,
        _ => walk.0,
    };
    action.wire()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels;

    #[test]
    fn searching_each_way_anew_gives_the_same_game() {
        let rules = Arc::new(Rules::CLASSIC);
        let level = levels::load(levels::DEFAULT, &rules).expect("a shipped level");
        let mut play = Play::new(&level, &rules, 3);
        let mut plain = Play::new(&level.without_table(), &rules, 3);
        for _ in 0..60 {
            play.tick();
            plain.tick();
        }
        assert_eq!(play.state().hash(), plain.state().hash());
        assert!(play.state().holes().len() > 0, "the heroes dig");
    }
}
