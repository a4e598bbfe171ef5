//! How long decisions take: the bot alone on a level, and the same boards decided again for the clock.
//! How good they are is asked in `arena`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::board::Board;
use crate::bot::{Answer, Bot, Decision, Limit};
use crate::params::{EngineKind, Params};
use crate::rng::Seeded;
use crate::sim::{Command, Game, Level, PlayerNumber, Rules};
use crate::stats::Histogram;

/// Ticks before decisions are measured: most fields and ways are known by then.
const WARM_UP: usize = 100;
/// Depths, how many decisions of each are measured, and how often.
const DEPTHS: [(u32, usize, usize); 3] = [(8, 200, 3), (12, 100, 2), (16, 40, 1)];

/// The bot alone on a level, from boards.
pub struct SelfPlay {
    game: Game,
    dice: Seeded,
    bot: Bot,
    sent: Option<Answer>,
    tick: u32,
}

impl SelfPlay {
    /// A fresh game. The same every time.
    pub fn new(level: &Arc<Level>, rules: &Arc<Rules>, params: Params) -> SelfPlay {
        let mut game = Game::new(Arc::clone(level), Arc::clone(rules));
        let mut dice = Seeded::new(1);
        // A fresh field has room.
        let _ = game.join(&mut dice);
        SelfPlay {
            game,
            dice,
            bot: Bot::new(Arc::clone(rules), params),
            sent: None,
            tick: 0,
        }
    }

    /// What the bot sees.
    pub fn board(&self) -> Board {
        let board = self.game.board(PlayerNumber(0));
        board.unwrap_or_else(|| Board::empty(self.game.state().size()))
    }

    /// One decision and the tick it leads to.
    pub fn tick(&mut self) -> Decision {
        let board = self.board();
        let decision = self.bot.decide_board(&board, self.sent, Limit::default());
        self.sent = Some(decision.answer);
        let grammar = self.game.state().rules().grammar;
        let command = Command::parse(decision.answer.wire(), &grammar);
        self.tick += 1;
        self.dice.set_tick(self.tick);
        self.game.tick(&[command], &mut self.dice);
        decision
    }
}

/// Times of whole decisions, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DecisionTimes {
    /// Half of them took at most this.
    pub p50: f64,
    /// 99 of 100 took at most this.
    pub p99: f64,
    /// The slowest.
    pub max: f64,
}

/// The exact search alone, to the depth asked for and no farther.
const EXACT: Params = Params {
    engine: EngineKind::Dp,
    spare_states: 0,
    ..Params::DEFAULT
};

/// Milliseconds that live play may have, and how many decisions are tried with each.
const DEADLINES: [(u64, usize); 4] = [(1, 40), (10, 20), (100, 8), (500, 4)];

/// Mean depth that a decision on a warm bot reaches within so many milliseconds.
fn horizons(rules: &Arc<Rules>, boards: &[(Board, Answer)]) -> BTreeMap<u64, f64> {
    let reached = DEADLINES.map(|(milliseconds, count)| {
        let mut bot = Bot::new(Arc::clone(rules), EXACT);
        let mut sent = None;
        let mut depths = 0;
        let last = (WARM_UP + count).min(boards.len());
        for (number, (board, answer)) in boards[..last].iter().enumerate() {
            let measured = number >= WARM_UP;
            let limit = Limit {
                deadline: measured.then(|| Instant::now() + Duration::from_millis(milliseconds)),
                ..Limit::default()
            };
            let decision = bot.decide_board(board, sent, limit);
            sent = Some(*answer);
            if measured {
                depths += decision.search.map_or(0, |search| search.depth);
            }
        }
        (milliseconds, depths as f64 / count as f64)
    });
    reached.into_iter().collect()
}

/// What is measured here.
pub(super) struct Times {
    /// Whole decisions by depth.
    pub decide_ms: BTreeMap<u32, DecisionTimes>,
    /// The very first one.
    pub first_decide_ms: f64,
    /// Mean depth by milliseconds.
    pub horizon: BTreeMap<u64, f64>,
}

/// Measures decisions on the boards of one game.
pub(super) fn measure(level: &Arc<Level>, rules: &Arc<Rules>) -> Times {
    let most = DEPTHS.iter().map(|&(_, count, _)| count).max();
    let mut play = SelfPlay::new(level, rules, Params::default());
    let boards: Vec<(Board, Answer)> = (0..WARM_UP + most.unwrap_or(0))
        .map(|_| (play.board(), play.tick().answer))
        .collect();
    let mut times = BTreeMap::new();
    let mut first = Duration::MAX;
    for (depth, count, repetitions) in DEPTHS {
        let mut least = vec![Duration::MAX; count];
        for _ in 0..repetitions {
            let params = Params { depth, ..EXACT };
            let mut bot = Bot::new(Arc::clone(rules), params);
            let mut sent = None;
            for (number, (board, answer)) in boards[..WARM_UP + count].iter().enumerate() {
                let start = Instant::now();
                let decision = bot.decide_board(board, sent, Limit::default());
                let took = start.elapsed();
                std::hint::black_box(decision);
                sent = Some(*answer);
                match number.checked_sub(WARM_UP) {
                    Some(measured) => least[measured] = least[measured].min(took),
                    None if number == 0 && depth == Params::default().depth => {
                        first = first.min(took);
                    }
                    None => {}
                }
            }
        }
        times.insert(depth, spread(&least));
    }
    Times {
        decide_ms: times,
        first_decide_ms: first.as_secs_f64() * 1e3,
        horizon: horizons(rules, &boards),
    }
}

fn spread(times: &[Duration]) -> DecisionTimes {
    let mut histogram = Histogram::new();
    for time in times {
        histogram.record(time.as_nanos() as u64);
    }
    let at = |share| histogram.percentile(share).unwrap_or(0) as f64 / 1e6;
    DecisionTimes {
        p50: at(0.5),
        p99: at(0.99),
        max: histogram.max() as f64 / 1e6,
    }
}
