//! `Pilot`: the bot as a `Brain`: what a live turn asks and what the bot answers, translated. Not the turn rule
//! and not the clock: those are `turns` and the rest of the client.

use super::{Answer, Brain, Tally, Turn};
use crate::bot::{self, Bot, Limit};
use crate::dialect::Candidates;
use crate::params::Params;
use std::time::Duration;

/// Time left to hand an answer over before the deadline.
const HANDOVER: Duration = Duration::from_millis(4);

/// A bot that plays live.
#[derive(Debug)]
pub struct Pilot {
    bot: Bot,
    timed: bool,
}

impl Pilot {
    /// A new bot. `timed`: the clock bounds its searches; otherwise depth and nodes do, as they must where a
    /// game is to be repeated exactly.
    pub fn new(candidates: Candidates, params: Params, timed: bool) -> Pilot {
        Pilot {
            bot: Bot::among(candidates, params),
            timed,
        }
    }
}

impl Brain for Pilot {
    fn decide(&mut self, turn: &Turn<'_>) -> Answer {
        let offer = |answer: bot::Answer| turn.offer(answer.wire());
        let limit = Limit {
            deadline: self
                .timed
                .then(|| turn.deadline.checked_sub(HANDOVER))
                .flatten(),
            missed: turn.missed,
            offer: Some(&offer),
        };
        let sent = turn.sent.and_then(bot::Answer::from_wire);
        let decision = self.bot.decide(turn.board, sent, limit);
        let (gold, deaths) = self.bot.tally();
        Answer {
            text: decision.answer.wire().to_owned(),
            reasons: decision.reasons,
            tally: Tally {
                score: self.bot.score().points(),
                gold: u64::from(gold),
                deaths: u64::from(deaths),
            },
        }
    }
}
