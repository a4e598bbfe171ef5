//! Bots: who decides what a hero does.
//!
//! `Bot` is lodebot itself: it sees boards only, as a server sends them. This file has the order of its work on a board;
//! how it searches, whom monsters are taken to hunt, what others may do to it, what a death costs and what a suicide is
//! worth stand in `search`, `targets`, `rivals`, `price` and `suicide`. `Greedy`, `Teleporter`, `Walker` and `Random` are simple bots, which look
//! one step ahead of a plain distance at most, to measure it against and to have opponents; they see the field's true
//! state. Not the engines (`tactics`), and not what a value map is made of (`strategy`).

mod decision;
mod explanation;
pub mod fixture;
mod greedy;
mod price;
mod random;
mod rivals;
mod search;
mod suicide;
mod tally;
mod targets;
mod teleporter;
#[cfg(test)]
mod tests;
mod walker;

pub use decision::{Answer, Decision, UnknownAnswer};
pub use explanation::{Considered, Explanation};
#[cfg(feature = "tools")]
pub(crate) use explanation::{names, path};
pub use greedy::Greedy;
pub use random::Random;
pub use teleporter::Teleporter;
pub use walker::Walker;

use crate::board::{Action, Board, Cell};
use crate::dialect::Candidates;
use crate::fields::{Fields, Passages};
use crate::params::{Params, StrategyKind, SuicidePolicy};
use crate::reach::Reach;
use crate::sim::{HeroId, Monster, Rules, Score, State, Target};
use crate::strategy::{Strategy, Worths};
use crate::tactics::{Beam, Chokudai, Crash, Dp, Plan, Search, Survival};
use crate::track::{Account, Picture, TrackError, Tracker};
use crate::watchdog::{Observation, Remedy, Watchdogs};
use std::sync::Arc;
use std::time::Instant;

/// What bounds a decision.
#[derive(Clone, Copy, Default)]
pub struct Limit<'a> {
    /// Live play: when the answer must be there. Without it only depth and nodes bound the search, and the same
    /// boards give the same decisions everywhere.
    pub deadline: Option<Instant>,
    /// Boards that were missed before this one.
    pub missed: u32,
    /// Live play: told of each better answer while the search goes on, the first within a millisecond or so.
    pub offer: Option<&'a dyn Fn(Answer)>,
}

impl Limit<'_> {
    fn offer(&self, action: Action) {
        if let Some(offer) = self.offer {
            offer(Answer::Act(action));
        }
    }
}

/// The bot: a tracker, a value map, a search and watchdogs. One for each game.
#[derive(Debug)]
pub struct Bot {
    rules: Arc<Rules>,
    candidates: Candidates,
    params: Params,
    tracker: Tracker,
    fields: Option<Fields>,
    strategy: Strategy,
    reach: Option<Reach>,
    dp: Dp,
    beam: Beam,
    chokudai: Chokudai,
    /// Places where a new hero may begin, and how far the nearest gold is from there.
    places: Vec<(Cell, u16)>,
    survival: Survival,
    crash: Crash,
    dogs: Watchdogs,
    /// Whether the watchdogs have a say.
    heeds: bool,
    score: Score,
    gold: u32,
    /// The same by kind.
    kinds: [u32; 3],
    deaths: u32,
    /// Gold and lives when the watchdogs last looked.
    watched: (u32, u32),
    unknown: Vec<char>,
}

impl Bot {
    /// A bot that has seen no board.
    pub fn new(rules: Arc<Rules>, params: Params) -> Bot {
        Bot {
            tracker: Tracker::new(Arc::clone(&rules)).freezing_after(params.frozen_rival_ticks),
            candidates: Candidates::only(Arc::clone(&rules)),
            rules,
            params,
            fields: None,
            strategy: Strategy::new(),
            reach: None,
            dp: Dp::default(),
            beam: Beam::default(),
            chokudai: Chokudai::default(),
            places: Vec::new(),
            survival: Survival::default(),
            crash: Crash::default(),
            dogs: Watchdogs::default(),
            heeds: true,
            score: Score::default(),
            gold: 0,
            kinds: [0; 3],
            deaths: 0,
            watched: (0, 0),
            unknown: Vec::new(),
        }
    }

    /// A bot that finds out the dialect among these candidates from the boards' texts. Where `decide_board` is
    /// used, it takes the first.
    pub fn among(candidates: Candidates, params: Params) -> Bot {
        let rules = Arc::clone(candidates.rules());
        Bot {
            candidates,
            ..Bot::new(rules, params)
        }
    }

    /// A bot that judges boards which others play on: it always says what its search found, since whether the
    /// watchdogs step in hangs on its own history and not on the board.
    pub fn judge(rules: Arc<Rules>, params: Params) -> Bot {
        Bot {
            heeds: false,
            ..Bot::new(rules, params)
        }
    }

    /// The dialect taken, and why.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Points since the first board, as far as boards show what they were paid for.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// What watches its answers, as of the last board it decided on.
    pub fn watchdogs(&self) -> &Watchdogs {
        &self.dogs
    }

    /// Gold taken and deaths died since the first board.
    pub fn tally(&self) -> (u32, u32) {
        (self.gold, self.deaths)
    }

    /// Decides on a board's text, with or without `board=`. `sent` is what was really answered to the board
    /// before. Never fails: an unreadable board gets an idle answer that says why.
    pub fn decide(&mut self, text: &str, sent: Option<Answer>, limit: Limit<'_>) -> Decision {
        if self.candidates.observe(text) {
            if self.candidates.is_mixed() {
                log::warn!("{}", self.candidates);
            } else {
                log::info!("{}", self.candidates);
            }
            // What was remembered in another dialect's terms is of no use.
            if *self.rules != **self.candidates.rules() {
                *self = Bot::among(self.candidates.clone(), self.params);
            }
        }
        match Board::parse_lenient(text, self.rules.alphabet) {
            Ok((board, unknown)) => {
                let mut decision = self.decide_board(&board, sent, limit);
                for glyph in unknown {
                    if !self.unknown.contains(&glyph.glyph) {
                        self.unknown.push(glyph.glyph);
                        decision.reasons.push(format!(
                            "{:?} in row {}, column {} is no glyph of {}; taken for an empty cell",
                            glyph.glyph, glyph.row, glyph.column, self.rules.name
                        ));
                    }
                }
                decision
            }
            Err(error) => Decision::idle(error.to_string()),
        }
    }

    /// Decides on a board that has been read. See `decide`.
    pub fn decide_board(
        &mut self,
        board: &Board,
        sent: Option<Answer>,
        limit: Limit<'_>,
    ) -> Decision {
        let limit = self.shortened(limit);
        match self.take_in(board, sent, limit.missed) {
            Ok(mut picture) => self.decide_picture(&mut picture, limit),
            Err(error) => Decision::idle(error.to_string()),
        }
    }

    /// Takes a board in without deciding on it, as if it had been answered elsewhere: for a bot that goes on in
    /// the middle of a recorded game. `missed` boards came before it that nobody has.
    pub fn watch(&mut self, board: &Board, sent: Option<Answer>, missed: u32) {
        // A board that cannot be followed is no loss: the next one is followed anew.
        let _ = self.take_in(board, sent, missed);
    }

    /// The same limit, its time shortened where answers have come too late.
    fn shortened<'a>(&mut self, limit: Limit<'a>) -> Limit<'a> {
        let deadline = &mut self.dogs.deadline;
        deadline.observe(u64::from(limit.missed));
        let end = limit.deadline;
        Limit {
            deadline: end.map(|end| deadline.shortened(Instant::now(), end)),
            ..limit
        }
    }

    fn take_in(
        &mut self,
        board: &Board,
        sent: Option<Answer>,
        missed: u32,
    ) -> Result<Picture, TrackError> {
        self.tracker.skip(missed);
        let answered = sent.filter(|_| missed == 0).and_then(Answer::action);
        let picture = self.tracker.observe(board, answered)?;
        self.count(&picture, sent);
        Ok(picture)
    }

    fn decide_picture(&mut self, picture: &mut Picture, limit: Limit<'_>) -> Decision {
        let Some(me) = picture.me else {
            return Decision::idle("no own hero on the board");
        };
        if !picture.state.hero(me).alive {
            return Decision::idle("dead: the answer to this board is lost");
        }
        self.dogs.desync.observe(picture.agreement.own);
        clear_dead(&mut picture.state, me);
        targets::assume_targets(picture, me, &self.params);
        if limit.offer.is_some() {
            self.offer_at_once(&mut picture.state, me, limit);
        }
        let fields = self.fields_of(picture, me);
        let golds = picture.state.gold();
        let mut worths = Worths::new(&self.rules, picture.own.series_by_kind, golds);
        let ticks = picture.agreement.boards;
        worths.death = price::death_price(&self.rules.points, &picture.own, ticks, &self.params);
        self.strategy.weigh(worths);
        self.dp.weigh(worths);
        self.beam.weigh(worths);
        self.chokudai.weigh(worths);
        let state = &mut picture.state;
        let kind = self.params.strategy;
        self.strategy
            .prepare(kind, state, me, &fields, &self.params, &mut self.survival);
        self.fill_reach(state);
        let mut search = self.search(state, me, limit);
        let price = suicide::suicide_price(&self.rules, picture.own.series);
        let seen = self.observation(state, me, &search, &fields, &picture.own, price);
        let remedy = self.dogs.observe(&seen, &self.params, price);
        let remedy = if self.heeds { remedy } else { Remedy::None };
        let mut reasons = Vec::new();
        if remedy == Remedy::OtherStrategy || remedy == Remedy::ForcedStep {
            self.strategy.prepare(
                other(kind),
                state,
                me,
                &fields,
                &self.params,
                &mut self.survival,
            );
            search = self.search(state, me, limit);
        }
        let plan = match remedy {
            // Nothing is left to be found out.
            Remedy::Suicide => None,
            Remedy::None | Remedy::OtherStrategy | Remedy::ForcedStep => {
                self.plan(state, me, &search, limit)
            }
        };
        let mut doomed = false;
        let (mut best, mut line, mut terms) = if let Some(plan) = plan {
            let Plan { first, depth, .. } = plan;
            if first != search.best().0 {
                reasons.push(format!("{depth} ticks ahead {first} is better"));
            }
            (first, plan.line, plan.terms)
        } else {
            let (best, lives) = self.best_survivor(state, me, &search, &mut reasons);
            doomed = !lives;
            let (line, terms) = self.exact_line(state, me, best, search.depth);
            (best, line, terms)
        };
        let doubts = rivals::doubts(state, me, &fields, &picture.monsters, &self.params);
        let (safer, risk) = self.least_risk(state, me, &search, best, &doubts, worths.death);
        if safer != best {
            reasons.push(format!("{safer} is less of a risk than {best}"));
            best = safer;
            (line, terms) = self.exact_line(state, me, best, search.depth);
        }
        doomed |= risk >= self.params.suicide_risk;
        let free = self.params.suicide == SuicidePolicy::Free && price == Some(0);
        let answer = match remedy {
            // Death costs the series, suicide does not.
            _ if doomed && free && self.heeds => {
                reasons.push("every action is probably a loss -> suicide".to_owned());
                Answer::Suicide
            }
            Remedy::None | Remedy::OtherStrategy => Answer::Act(best),
            Remedy::ForcedStep => Answer::Act(self.forced(state, me, &search, best)),
            Remedy::Suicide => Answer::Suicide,
        };
        if let Some(trouble) = self.dogs.trouble().filter(|_| remedy != Remedy::None) {
            reasons.push(format!("watchdog: {} -> {}", trouble.name(), remedy.name()));
        } else if remedy == Remedy::Suicide {
            reasons
                .push("watchdog: gold is out of reach or nearer elsewhere -> suicide".to_owned());
        }
        if self.dogs.desync.verdict() {
            reasons.push(format!(
                "frames are not as foreseen ({} so far)",
                self.dogs.desync.wrong()
            ));
        }
        self.fields = Some(fields);
        Decision {
            answer,
            line,
            terms,
            search: Some(search),
            reasons,
        }
    }

    /// The fields of the picture, those made before if they still hold.
    fn fields_of(&mut self, picture: &Picture, me: HeroId) -> Fields {
        let (level, concrete) = (picture.state.level(), &picture.concrete);
        let passages = Passages::new(&picture.state, me, &picture.portals);
        match self.fields.take() {
            Some(fields) if fields.belong_with(level, concrete, &passages) => fields,
            _ => Fields::with_passages(Arc::clone(level), concrete, passages),
        }
    }

    fn observation(
        &mut self,
        state: &State,
        me: HeroId,
        search: &Search,
        fields: &Fields,
        own: &Account,
        price: Option<u32>,
    ) -> Observation {
        let cell = state.hero(me).cell;
        let lives = own.deaths + own.suicides;
        let (gold, reborn) = (own.gold != self.watched.0, lives != self.watched.1);
        self.watched = (own.gold, lives);
        let here = self.strategy.value(cell, &[]);
        let peak = fields
            .moves(cell)
            .iter()
            .all(|step| self.strategy.value(step.to, &[]) <= here);
        let covered = state.gold().iter().any(|gold| gold.cell == cell);
        let distance = state
            .gold()
            .iter()
            .filter_map(|gold| fields.field(gold.cell).ticks(cell))
            .min();
        Observation {
            cell,
            gold,
            reborn,
            best: search.best().0,
            maximum: peak && !covered,
            reachable: distance.is_some(),
            distance,
            elsewhere: self.elsewhere(state, me, fields, price),
        }
    }

    /// The value of a cell in the map last used.
    pub fn cell_value(&self, cell: Cell) -> f64 {
        self.strategy.value(cell, &[])
    }
}

/// Takes dead rivals off the field: the server replaces them before the next field tick (RULES section 3), so they
/// are in nobody's way. Monsters that hunt them will choose anew, it is not known whom.
fn clear_dead(state: &mut State, me: HeroId) {
    let dead: Vec<HeroId> = state
        .seats()
        .iter()
        .copied()
        .filter(|&id| id != me && !state.hero(id).alive)
        .collect();
    for id in dead {
        for index in 0..state.monsters().len() {
            let monster = state.monsters()[index];
            let chooses = state.rules().is_classic() && monster.target == Target::Nobody;
            if chooses || monster.target == Target::Hero(id) {
                let target = Target::Unknown;
                state.place_monster(index, Monster { target, ..monster });
            }
        }
        state.leave(id);
    }
    state.commit();
}

/// The strategy to change to when one does not get on.
const fn other(kind: StrategyKind) -> StrategyKind {
    match kind {
        StrategyKind::Nearest => StrategyKind::Sum,
        StrategyKind::Sum | StrategyKind::Chain => StrategyKind::Nearest,
    }
}
