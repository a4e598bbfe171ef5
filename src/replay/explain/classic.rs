//! Explaining classic's boards: a search for an assignment of everything unknown from which the simulator makes
//! the very board.

use std::sync::Arc;

use super::adopt;
use super::belief::Belief;
use super::guess::Fate;
use super::search::{Found, Task};
use super::{Explanation, Heard, Kind};
use crate::board::{Board, Cell, Size};
use crate::record::{Header, TickLine};
use crate::replay::divergence::{Difference, Views};
use crate::sim::Rules;

/// How many other ways the board before can have come about are looked at.
const RECONSIDERED: usize = 12;

/// The tick explained last.
struct Previous {
    before: Belief,
    observed: Board,
    mine: Option<String>,
}

/// Explains the boards of one live log in their order.
pub(in crate::replay) struct Classic {
    rules: Arc<Rules>,
    size: Size,
    map: Board,
    belief: Option<Belief>,
    /// Boards in a row that could not be explained.
    failures: u32,
    /// How the belief came about.
    previous: Option<Previous>,
    last: u64,
    /// Number of the viewer among the players.
    player: usize,
}

impl Classic {
    /// An error says why games of this header cannot be explained.
    pub(super) fn new(header: &Header, rules: Rules, size: Size) -> Result<Classic, String> {
        let (map, _) = Board::parse_lenient(&header.map_text(), rules.alphabet)
            .map_err(|error| error.to_string())?;
        Ok(Classic {
            rules: Arc::new(rules),
            size,
            map,
            belief: None,
            failures: 0,
            previous: None,
            last: 0,
            player: 0,
        })
    }

    /// Takes the next line; `None` for the first board, which explains itself.
    ///
    /// An error is a fault of the recording.
    pub(super) fn line(&mut self, tick: &TickLine) -> Result<Option<Explanation>, String> {
        let heard = Heard::of(tick, self.size, &self.rules)?;
        self.player = heard.player;
        let (text, unknown, mine) = (heard.text, heard.unknown, heard.mine.map(str::to_owned));
        let board = heard.board;
        let fault = |error: crate::sim::LevelError| error.to_string();
        let Some(mut belief) = self.belief.take() else {
            self.last = tick.t;
            self.belief = Some(Belief::new(&board, &self.map, &self.rules).map_err(fault)?);
            return Ok(None);
        };
        let (gap, missed) = super::missed(self.last, tick);
        self.last = tick.t;
        let makes_it = |belief: &Belief| {
            let found = Task::new(belief, &board, mine.as_deref()).solve();
            found.is_some_and(|found| found.outcome.makes_it())
        };
        if gap > 0 || missed > 0 && !makes_it(&belief) {
            let ticks = u32::try_from(missed + 1).unwrap_or(u32::MAX);
            belief.resume(&board, ticks).map_err(fault)?;
            self.previous = None;
            self.belief = Some(belief);
            return Ok(Some(Explanation::missed(missed)));
        }
        let task = Task::new(&belief, &board, mine.as_deref()).after(self.failures);
        let mut found = task.solve();
        if !found.as_ref().is_some_and(|found| found.outcome.makes_it())
            && let Some((other, better)) =
                self.reconsidered(&Task::new(&belief, &board, mine.as_deref()), found.as_ref())
        {
            belief = other;
            found = Some(better);
        }
        let explanation = match &found {
            Some(found) if found.outcome.makes_it() => self.explained(found, &belief),
            _ => {
                let task = Task::new(&belief, &board, mine.as_deref()).after(self.failures);
                self.diverged(&task, found.as_ref(), text, unknown)
            }
        };
        let next = match found {
            Some(found) if found.outcome.makes_it() => {
                let after = adopt::adopt(found, &board, mine.as_deref()).map_err(fault)?;
                let (before, observed) = (belief, board);
                self.previous = Some(Previous {
                    before,
                    observed,
                    mine,
                });
                after
            }
            _ => {
                self.previous = None;
                belief.resume(&board, 1).map_err(fault)?;
                belief
            }
        };
        self.failures = match explanation.kind {
            Kind::Diverged => self.failures.saturating_add(1),
            _ => 0,
        };
        self.belief = Some(next);
        Ok(Some(explanation))
    }

    /// Another way in which the board before came about, from which this one can be explained: what was
    /// ambiguous then may be decided now.
    fn reconsidered(&self, task: &Task<'_>, failed: Option<&Found>) -> Option<(Belief, Found)> {
        let previous = self.previous.as_ref()?;
        let mine = previous.mine.as_deref();
        let before = Task::new(&previous.before, &previous.observed, mine);
        let others = before.others(&failed?.outcome.wrong, RECONSIDERED);
        others.into_iter().find_map(|other| {
            let belief = adopt::adopt(other, &previous.observed, previous.mine.as_deref()).ok()?;
            let again = Task {
                belief: &belief,
                ..*task
            };
            let found = again.solve().filter(|found| found.outcome.makes_it())?;
            Some((belief, found))
        })
    }

    fn explained(&self, found: &Found, belief: &Belief) -> Explanation {
        let mut parts = Vec::new();
        for (index, fate) in found.guess.fates.iter().enumerate() {
            let place = self.at(belief.bodies[index].hero.cell);
            let who = if index == belief.me { "we" } else { "rival" };
            match fate {
                Fate::Words(text) if index != belief.me && !text.is_empty() => {
                    parts.push(format!("{who} at {place}: {text}"));
                }
                Fate::Words(_) => {}
                Fate::Reborn(cell) => {
                    parts.push(format!(
                        "{who} at {place}: placed anew at {}",
                        self.at(*cell)
                    ));
                }
                Fate::Gone => parts.push(format!("{who} at {place}: left")),
            }
        }
        for &cell in &found.guess.newcomers {
            parts.push(format!("rival: joins at {}", self.at(cell)));
        }
        let partly = found.guess.repairs.iter().any(|repair| repair.is_terrain());
        if partly {
            parts.insert(0, "unknown terrain under somebody".to_owned());
        }
        Explanation {
            kind: if partly {
                Kind::Partly
            } else {
                Kind::Explained
            },
            reason: parts.join("; "),
            difference: None,
            views: None,
        }
    }

    fn diverged(
        &self,
        task: &Task<'_>,
        found: Option<&Found>,
        text: &str,
        unknown: Option<char>,
    ) -> Explanation {
        let Some(found) = found else {
            return Explanation {
                kind: Kind::Diverged,
                reason: "the board before it has more than 16 heroes or 255 monsters".to_owned(),
                difference: None,
                views: None,
            };
        };
        let wrong = &found.outcome.wrong;
        let hidden = |cell: &Cell| !task.belief.proved.has(*cell);
        let kind = if !wrong.is_empty() && wrong.iter().all(hidden) {
            Kind::Partly
        } else {
            Kind::Diverged
        };
        let replayed = found.outcome.board.render(self.rules.alphabet);
        let reason = if kind == Kind::Partly {
            "terrain that nobody has seen decides it".to_owned()
        } else if let Some(glyph) = unknown {
            format!("{glyph:?} is no glyph of the dialect")
        } else if let Some(text) = other_answer(task) {
            format!("only another command of ours explains it: {text:?}")
        } else if wrong.is_empty() {
            "a gold was taken, and no new one is anywhere".to_owned()
        } else {
            "no choice of what is unknown makes this board".to_owned()
        };
        let views = Views {
            player: self.player,
            edge: self.size.edge(),
            recorded: text.to_owned(),
            replayed: replayed.clone(),
        };
        Explanation {
            kind,
            reason,
            difference: Difference::of_boards(self.player, self.size, text, &replayed),
            views: Some(views),
        }
    }

    fn at(&self, cell: Cell) -> String {
        format!("x={} y={}", self.size.x(cell), self.size.y(cell))
    }
}

/// What we would have had to send, if that explains the board.
fn other_answer(task: &Task<'_>) -> Option<String> {
    if task.mine.is_none() || task.failures > 1 {
        return None;
    }
    let found = Task {
        mine: None,
        ..*task
    }
    .solve()?;
    if !found.outcome.makes_it() {
        return None;
    }
    match found.guess.fates.get(task.belief.me)? {
        Fate::Words(text) => Some(text.clone()),
        Fate::Reborn(_) => Some("ACT(0)".to_owned()),
        Fate::Gone => None,
    }
}
