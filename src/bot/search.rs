//! How the bot searches one picture: the exact search first, then the one of long lines, and which action is kept when
//! they differ or end in death. Not the engines themselves (`tactics`), and not what is done when values mislead (`watchdog`).

use super::{Bot, Limit};
use crate::board::{Action, Grid};
use crate::params::EngineKind;
use crate::reach::Reach;
use crate::sim::{HeroId, State, Target};
use crate::strategy::ValueMap;
use crate::tactics::{
    BeamBudget, Budget, ChokudaiBudget, Ending, Line, Plan, Search, Terms, Verdict,
};
use std::time::Instant;

/// Iterations go this deep at most.
const DEPTH_MAX: usize = 24;
/// Beams grow as wide as this in live play.
const BEAM_WIDTH_MAX: usize = 4096;
/// Steps of its way up to which a monster is near.
const HUNTED: u8 = 16;
/// By how much two more ticks multiply the states, most of the time at most.
const SPARE_GROWTH: usize = 3;

impl Bot {
    /// The best of two ticks without any value map: before fields are made, only death and gold count.
    pub(super) fn offer_at_once(&mut self, state: &mut State, me: HeroId, limit: Limit<'_>) {
        let nowhere = ValueMap::new();
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
    pub(super) fn plan(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        limit: Limit<'_>,
    ) -> Option<Plan> {
        let plan = match self.params.engine {
            EngineKind::Dp => None,
            EngineKind::Beam => self.widening(state, me, search, limit),
            EngineKind::Chokudai => self.passes(state, me, search, limit),
        };
        plan.filter(|plan| !self.missed_gold(state, me, search, plan))
    }

    /// The plan of a beam; in live play ever wider ones follow until the deadline.
    fn widening(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        limit: Limit<'_>,
    ) -> Option<Plan> {
        let mut budget = BeamBudget {
            width: self.params.beam_width as usize,
            crowd: self.params.beam_crowd as usize,
            cell: self.params.beam_cell as usize,
            depth: self.params.beam_depth as usize,
            deadline: limit.deadline,
        };
        let mut best = None;
        loop {
            let plan = self
                .beam
                .search(state, me, &self.strategy, &self.params, budget);
            let better = plan.filter(|plan| match plan.ending {
                Ending::Deadline if best.is_some() => false,
                _ => is_of_use(plan, search),
            });
            if let Some(plan) = better {
                limit.offer(plan.first);
                best = Some(plan);
            }
            if limit
                .deadline
                .is_none_or(|deadline| Instant::now() >= deadline)
                || budget.width >= BEAM_WIDTH_MAX
            {
                break;
            }
            budget.width *= 2;
            budget.cell *= 2;
        }
        best
    }

    /// The plan of a search in passes; in live play there are as many as the deadline allows.
    fn passes(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        limit: Limit<'_>,
    ) -> Option<Plan> {
        let params = &self.params;
        let asked = params.chokudai_passes as usize;
        let budget = ChokudaiBudget {
            passes: limit.deadline.map_or(asked, |_| usize::MAX),
            expanded: params.chokudai_expanded as usize,
            width: params.beam_width as usize,
            crowd: params.beam_crowd as usize,
            cell: params.beam_cell as usize,
            depth: params.beam_depth as usize,
            deadline: limit.deadline,
        };
        let offer = |action| limit.offer(action);
        let plan = self
            .chokudai
            .search(state, me, &self.strategy, params, budget, offer);
        let plan = plan.filter(|plan| is_of_use(plan, search))?;
        limit.offer(plan.first);
        Some(plan)
    }

    /// Whether a plan, with all that may come after it, is worth less than the gold alone that the exact search takes: a
    /// beam may have dropped a way that begins with nothing to show for it.
    fn missed_gold(&mut self, state: &mut State, me: HeroId, search: &Search, plan: &Plan) -> bool {
        let here = self.strategy.value(state.hero(me).cell, &[]);
        let (_, terms) = self.exact_line(state, me, search.best().0, search.depth);
        terms.gold > plan.terms.sum() + here
    }

    /// The line of the exact search last made that begins with this action, and what it is made of.
    pub(super) fn exact_line(
        &mut self,
        state: &mut State,
        me: HeroId,
        first: Action,
        depth: usize,
    ) -> (Line, Terms) {
        let Some(reach) = self.reach.as_ref().map(Reach::grid) else {
            return Default::default();
        };
        let (dp, params) = (&mut self.dp, &self.params);
        dp.line(state, me, &self.strategy, reach, params, first, depth)
    }

    /// The best action that is no certain loss, or the best of all if every one is; whether there was one.
    pub(super) fn best_survivor(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        reasons: &mut Vec<String>,
    ) -> (Action, bool) {
        let best = search.best().0;
        let survivor = self.survivor(state, me, search);
        let action = survivor.unwrap_or(best);
        if action != best {
            let ticks = self.params.survival_ticks;
            reasons.push(format!("{best} is a certain loss within {ticks} ticks"));
        }
        (action, survivor.is_some())
    }

    /// The best of these actions after which the hero can live on, as far as is asked and known.
    fn survivor(&mut self, state: &mut State, me: HeroId, search: &Search) -> Option<Action> {
        let mut ranked = search.ranked();
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

    pub(super) fn fill_reach(&mut self, state: &State) {
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
    pub(super) fn search(&mut self, state: &mut State, me: HeroId, limit: Limit<'_>) -> Search {
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
            EngineKind::Beam | EngineKind::Chokudai => asked,
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

    /// A step that is not the one wanted: the best of the others that is no certain loss.
    pub(super) fn forced(
        &mut self,
        state: &mut State,
        me: HeroId,
        search: &Search,
        best: Action,
    ) -> Action {
        let mut others = search.clone();
        others
            .actions
            .retain(|(action, _)| *action != best && *action != Action::Stay);
        if others.actions.is_empty() {
            return best;
        }
        self.survivor(state, me, &others).unwrap_or(best)
    }
}

/// Whether a plan says more than the exact search: one that was cut must be longer, one that ends in death says nothing.
fn is_of_use(plan: &Plan, search: &Search) -> bool {
    match plan.ending {
        Ending::Horizon => true,
        Ending::Deadline => plan.depth > search.depth,
        Ending::Death => false,
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
