//! Bots: who decides what a hero does.
//!
//! `Bot` is lodebot itself: it sees boards only, as a server sends them. `Greedy`, `Teleporter`, `Walker` and `Random` are simple
//! ones, which look one step ahead of a plain distance, to measure it against and to have opponents; they
//! see the field's true state.

mod decision;
mod explanation;
pub mod fixture;
mod greedy;
mod random;
mod tally;
mod teleporter;
#[cfg(test)]
mod tests;
mod walker;

pub use decision::{Answer, Decision, UnknownAnswer};
pub use explanation::{Considered, Explanation};
pub use greedy::Greedy;
pub use random::Random;
pub use teleporter::Teleporter;
pub use walker::Walker;

use crate::board::{Action, Board, Cell, Grid};
use crate::dialect::Candidates;
use crate::fields::{Fields, Passages};
use crate::params::{EngineKind, Params, StrategyKind, SuicidePolicy};
use crate::reach::Reach;
use crate::sim::{HeroId, Monster, Rules, Score, State, Target};
use crate::strategy::{Strategy, Worths};
use crate::tactics::{Beam, BeamBudget, Budget, Dp, Ending, Plan, Search, Survival, Verdict};
use crate::track::{Picture, Tracker};
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
    /// Places where a new hero may begin, evenly spread.
    places: Vec<Cell>,
    survival: Survival,
    dogs: Watchdogs,
    score: Score,
    gold: u32,
    /// The same by kind.
    kinds: [u32; 3],
    deaths: u32,
    /// Gold and lives when the watchdogs last looked.
    watched: (u32, u32),
    unknown: Vec<char>,
}

/// Iterations go this deep at most.
const DEPTH_MAX: usize = 24;
/// Beams grow as wide as this in live play.
const BEAM_WIDTH_MAX: usize = 4096;
/// Places at which a new hero is priced, about.
const PLACES: usize = 96;
/// Steps of its way up to which a monster is near.
const HUNTED: u8 = 16;
/// By how much two more ticks multiply the states, at most of the time.
const SPARE_GROWTH: usize = 3;

impl Bot {
    /// A bot that has seen no board.
    pub fn new(rules: Arc<Rules>, params: Params) -> Bot {
        Bot {
            tracker: Tracker::new(Arc::clone(&rules)),
            candidates: Candidates::only(Arc::clone(&rules)),
            rules,
            params,
            fields: None,
            strategy: Strategy::new(),
            reach: None,
            dp: Dp::default(),
            beam: Beam::default(),
            places: Vec::new(),
            survival: Survival::default(),
            dogs: Watchdogs::default(),
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
        let answered = match sent {
            Some(Answer::Act(action)) => Some(action),
            Some(Answer::Suicide) | None => None,
        };
        self.dogs.deadline.observe(u64::from(limit.missed));
        self.tracker.skip(limit.missed);
        match self
            .tracker
            .observe(board, answered.filter(|_| limit.missed == 0))
        {
            Ok(mut picture) => {
                // The death comes first: gold of the same tick is the new hero's.
                self.count_suicide(sent);
                self.count(&picture);
                self.decide_picture(&mut picture, limit)
            }
            Err(error) => Decision::idle(error.to_string()),
        }
    }

    /// Takes a board in without deciding on it, as if it had been answered elsewhere: for a bot that goes on in
    /// the middle of a recorded game.
    pub fn watch(&mut self, board: &Board, sent: Option<Answer>) {
        let answered = match sent {
            Some(Answer::Act(action)) => Some(action),
            Some(Answer::Suicide) | None => None,
        };
        if let Ok(picture) = self.tracker.observe(board, answered) {
            self.count(&picture);
        }
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
        if limit.offer.is_some() {
            self.offer_at_once(&mut picture.state, me, limit);
        }
        let fields = self.fields_of(picture, me);
        let golds = picture.state.gold();
        let worths = Worths::new(&self.rules, picture.own.series_by_kind, golds);
        self.strategy.weigh(worths);
        self.dp.weigh(worths);
        self.beam.weigh(worths);
        let state = &mut picture.state;
        let kind = self.params.strategy;
        self.strategy
            .prepare(kind, state, me, &fields, &self.params, &mut self.survival);
        self.fill_reach(state);
        let mut search = self.search(state, me, limit);
        let seen = self.observation(state, me, &search, &fields, &picture.own);
        let price = tally::suicide_price(&self.rules, picture.own.series);
        let remedy = self.dogs.observe(&seen, &self.params, price);
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
        let plan = self.plan(state, me, &search, limit);
        let plan = plan.filter(|plan| !self.missed_gold(state, me, &search, plan));
        let best = match plan.as_ref().and_then(|plan| plan.line.first()) {
            Some(&first) => {
                if first != search.best().0 {
                    let ticks = plan.as_ref().map_or(0, |plan| plan.depth);
                    reasons.push(format!("{ticks} ticks ahead {first} is better"));
                }
                first
            }
            None => self.best_survivor(state, me, &search, &mut reasons),
        };
        let answer = match remedy {
            Remedy::None | Remedy::OtherStrategy => Answer::Act(best),
            Remedy::ForcedStep => Answer::Act(self.forced(state, me, &search, best)),
            Remedy::Suicide => Answer::Suicide,
        };
        if let Some(trouble) = self.dogs.trouble().filter(|_| remedy != Remedy::None) {
            reasons.push(format!("watchdog: {} -> {remedy:?}", trouble.name()));
        } else if remedy == Remedy::Suicide {
            reasons.push("watchdog: no gold within reach -> Suicide".to_owned());
        }
        if self.dogs.desync.verdict() {
            reasons.push(format!(
                "frames are not as foreseen ({} so far)",
                self.dogs.desync.wrong()
            ));
        }
        let reach = self.reach.as_ref().map(Reach::grid);
        let (mut line, mut terms) = match reach {
            Some(reach) => self.dp.line(
                state,
                me,
                &self.strategy,
                reach,
                &self.params,
                best,
                search.depth,
            ),
            None => Default::default(),
        };
        if let Some(plan) = plan {
            (line, terms) = (plan.line, plan.terms);
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

    /// The best of two ticks without any value map: before fields are made, only death and gold count.
    fn offer_at_once(&mut self, state: &mut State, me: HeroId, limit: Limit<'_>) {
        let nowhere = crate::strategy::ValueMap::new();
        let near = Grid::filled(state.size(), u8::MAX);
        let budget = Budget {
            depth: 2,
            nodes: 1_000,
            deadline: None,
        };
        if let Ok(search) = self
            .dp
            .search(state, me, &nowhere, &near, &self.params, budget)
        {
            limit.offer(search.best().0);
        }
    }

    /// The best long line, if the parameters ask for one and one is found that does not end in death. In live
    /// play ever wider beams follow until the deadline; one that it cuts counts only for want of a better one.
    fn plan(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        limit: Limit<'_>,
    ) -> Option<Plan> {
        if self.params.engine != EngineKind::Beam {
            return None;
        }
        let mut budget = BeamBudget {
            width: self.params.beam_width as usize,
            crowd: self.params.beam_crowd as usize,
            depth: self.params.beam_depth as usize,
            deadline: limit.deadline,
        };
        let mut best = None;
        loop {
            let plan = self
                .beam
                .search(state, me, &self.strategy, &self.params, budget);
            let better = plan.filter(|plan| match plan.ending {
                Ending::Horizon => true,
                Ending::Deadline => best.is_none() && plan.depth > search.depth,
                Ending::Death => false,
            });
            if let Some(plan) = better {
                if let Some(&first) = plan.line.first() {
                    limit.offer(first);
                }
                best = Some(plan);
            }
            if limit
                .deadline
                .is_none_or(|deadline| Instant::now() >= deadline)
                || budget.width >= BEAM_WIDTH_MAX
            {
                return best;
            }
            budget.width *= 2;
        }
    }

    /// Whether a plan, with all that may come after it, is worth less than the gold alone that the exact search takes: a
    /// beam may have dropped a way that begins with nothing to show for it.
    fn missed_gold(&mut self, state: &mut State, me: HeroId, search: &Search, plan: &Plan) -> bool {
        let Some(reach) = self.reach.as_ref().map(Reach::grid) else {
            return false;
        };
        let here = self.strategy.value(state.hero(me).cell, &[]);
        let (_, terms) = self.dp.line(
            state,
            me,
            &self.strategy,
            reach,
            &self.params,
            search.best().0,
            search.depth,
        );
        terms.gold > plan.terms.sum() + here
    }

    /// The best action that is no certain loss; the best of all if every one is.
    fn best_survivor(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        reasons: &mut Vec<String>,
    ) -> Action {
        let best = search.best().0;
        let action = self.survivor(state, me, search).unwrap_or(best);
        if action != best {
            let ticks = self.params.survival_ticks;
            reasons.push(format!("{best} is a certain loss within {ticks} ticks"));
        }
        action
    }

    /// The best of these actions after which the hero can live on, as far as is asked and known.
    fn survivor(&mut self, state: &mut State, me: HeroId, search: &Search) -> Option<Action> {
        let mut ranked = search.actions.clone();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.retain(|(_, value)| *value > self.params.death / 2.0);
        let ticks = self.params.survival_ticks as usize;
        if ticks == 0 || (state.monsters().is_empty() && state.holes().len() == 0) {
            return ranked.first().map(|(action, _)| *action);
        }
        let nodes = self.params.survival_nodes as usize;
        ranked
            .into_iter()
            .map(|(action, _)| action)
            .find(|&action| self.survival.after(state, me, action, ticks, nodes) != Verdict::Doomed)
    }

    fn fill_reach(&mut self, state: &State) {
        let size = state.size();
        let reach = match self.reach.take() {
            Some(reach) if reach.grid().size() == size => reach,
            _ => Reach::new(size),
        };
        let reach = self.reach.insert(reach);
        let exact = self.params.fine_exact > 0.0;
        reach.compute_for(state, self.params.reach_depth as u8, |monster| {
            exact || monster.target == Target::Unknown
        });
    }

    /// The deepest complete search within the limits. Offline that is one search of the depth asked for, or of
    /// less if its nodes run out; in live play ever deeper ones until the deadline.
    fn search(&mut self, state: &mut State, me: HeroId, limit: Limit<'_>) -> Search {
        let empty = || Search {
            actions: [(Action::Stay, 0.0)].into_iter().collect(),
            depth: 0,
            states: 0,
        };
        let Some(reach) = self.reach.as_ref().map(Reach::grid) else {
            return empty();
        };
        let hunted = self.params.engine == EngineKind::Dp && hunted(state, me);
        let (params, strategy, dp) = (&self.params, &self.strategy, &mut self.dp);
        let nodes = params.node_budget as usize;
        let mut at = |depth: usize, deadline| {
            let budget = Budget {
                depth,
                nodes,
                deadline,
            };
            dp.search(state, me, strategy, reach, params, budget).ok()
        };
        let asked = params.depth as usize;
        let Some(deadline) = limit.deadline else {
            let mut best = (1..=asked).rev().find_map(|depth| at(depth, None));
            // Where monsters are near there are few ways on: more ticks cost little and show much.
            while let Some(search) = best.as_ref().filter(|search| {
                hunted
                    && search.depth < DEPTH_MAX
                    && SPARE_GROWTH * search.states < params.spare_states as usize
            }) {
                let Some(deeper) = at(search.depth + 2, None) else {
                    break;
                };
                best = Some(deeper);
            }
            return best.unwrap_or_else(empty);
        };
        let deepest = match params.engine {
            EngineKind::Dp => DEPTH_MAX,
            EngineKind::Beam => asked,
        };
        let mut best = None;
        let mut depth = 1;
        while depth <= deepest {
            match at(depth, Some(deadline)) {
                Some(search) => {
                    limit.offer(search.best().0);
                    best = Some(search);
                }
                None => break,
            }
            if Instant::now() >= deadline {
                break;
            }
            depth += if depth < asked {
                1.max((asked - depth) / 2)
            } else {
                2
            };
        }
        best.unwrap_or_else(empty)
    }

    fn observation(
        &mut self,
        state: &State,
        me: HeroId,
        search: &Search,
        fields: &Fields,
        own: &crate::track::Account,
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
            elsewhere: self.elsewhere(state, distance),
        }
    }

    /// By how many ticks gold is nearer from a new place than from here, on average; minus infinity where the
    /// policy does not ask.
    fn elsewhere(&mut self, state: &State, distance: Option<u16>) -> f64 {
        let params = &self.params;
        if params.suicide != SuicidePolicy::Free || params.strategy != StrategyKind::Chain {
            return f64::NEG_INFINITY;
        }
        self.places.clear();
        let terrain = state.level().terrain();
        let free = state.size().cells().filter(|&cell| terrain[cell].is_free());
        let step = free.clone().count() / PLACES + 1;
        self.places.extend(free.step_by(step));
        let mean = self.strategy.mean_distance(&self.places) + params.suicide_margin;
        distance.map_or(f64::INFINITY, |ticks| f64::from(ticks) - mean)
    }

    /// A step that is not the one wanted: the best of the others that is no certain loss.
    fn forced(&mut self, state: &mut State, me: HeroId, search: &Search, best: Action) -> Action {
        let mut others = search.clone();
        others
            .actions
            .retain(|(action, _)| *action != best && *action != Action::Stay);
        if others.actions.is_empty() {
            return best;
        }
        self.survivor(state, me, &others).unwrap_or(best)
    }

    /// Cells of frozen rivals and the like are in the picture; this is the value of a cell in the map last used.
    pub fn cell_value(&self, cell: Cell) -> f64 {
        self.strategy.value(cell, &[])
    }
}

/// Whether some monster is near the hero by its own way.
fn hunted(state: &State, me: HeroId) -> bool {
    let (cell, chase) = (state.hero(me).cell, state.level().chase());
    state.monsters().iter().any(|monster| {
        chase
            .distance(monster.cell, cell)
            .is_some_and(|steps| steps <= HUNTED)
    })
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
