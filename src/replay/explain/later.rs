//! Explaining the boards of the later dialects, whose boards tell less than classic's: settings, lists' orders,
//! portals' cycle and loads are unknown, and there is no hope of making a board exactly.
//!
//! The tracker's picture of the board before is ticked once, with our command and with those of the rivals that
//! fit best. Without bodies the board must then be as made, but for what chance or a rival can have done; every
//! body must have been able to get where it is. Our own hero must be where our command leads. What a monster
//! hunts is not asked: any of its steps will do.

use std::sync::Arc;

use super::bare::{bare, is_body, is_hole, is_thing, stands_still};
use super::search::WORDS;
use super::{Explanation, Heard, Kind};
use crate::board::{Board, Cell, Element, Grid, HeroLook, MonsterLook, Size};
use crate::bot::Answer;
use crate::record::TickLine;
use crate::replay::divergence::{Difference, Views};
use crate::replay::seat::read_answer;
use crate::sim::{Command, Foreseen, Rules, State, Tile, Unheard};
use crate::track::{Picture, Tracker};

/// What clifford's heroes can ask for besides.
const MORE_WORDS: [&str; 4] = ["ACT(1),LEFT", "ACT(1),RIGHT", "ACT(2)", "ACT(3)"];

/// Boards after which no blank can be a hole that was dug before the first one.
const SETTLED: u32 = 13;

/// Explains the boards of one live log in their order.
pub(in crate::replay) struct Later {
    rules: Arc<Rules>,
    size: Size,
    tracker: Tracker,
    before: Option<Before>,
    /// What was last seen of each cell without a body on it.
    memory: Grid<Option<Element>>,
    /// Boards so far.
    boards: u32,
    last: u64,
}

/// The board before and what the tracker makes of it.
struct Before {
    picture: Picture,
    board: Board,
}

/// One choice of the rivals' commands and what does not fit then.
struct Attempt {
    /// Per seat of the state.
    words: Vec<&'static str>,
    state: State,
    /// The made board without bodies.
    bare: Board,
    wrong: Vec<(Cell, &'static str)>,
    /// Some cell only fits because nobody had seen it.
    unsure: bool,
}

/// How one cell fits.
enum Fit {
    Good,
    /// Nobody had seen what is there.
    Unsure,
    Wrong(&'static str),
}

impl Later {
    pub(super) fn new(rules: Rules, size: Size) -> Later {
        let rules = Arc::new(rules);
        Later {
            tracker: Tracker::new(Arc::clone(&rules)),
            rules,
            size,
            before: None,
            memory: Grid::filled(size, None),
            boards: 0,
            last: 0,
        }
    }

    /// See [`super::Explainer::line`].
    pub(super) fn line(&mut self, tick: &TickLine) -> Result<Option<Explanation>, String> {
        let heard = Heard::of(tick, self.size, &self.rules)?;
        let first = self.before.is_none();
        let (gap, missed) = super::missed(if first { tick.t } else { self.last }, tick);
        self.last = tick.t;
        let before = self.before.take();
        // Between rounds the field stands still; the tracker would let its holes close.
        if let Some(before) = before.as_ref().filter(|_| gap == 0)
            && stands_still(&before.board, &heard.board)
        {
            self.before = Some(Before {
                picture: before.picture.clone(),
                board: heard.board,
            });
            let reason = "the field stood still".to_owned();
            return Ok(Some(Explanation::of(Kind::Explained, reason)));
        }
        let explanation = before.as_ref().map(|before| {
            let tried = (gap == 0).then(|| self.explain(before, &heard));
            match tried {
                Some(tried) if missed == 0 || tried.kind != Kind::Diverged => tried,
                _ => Explanation::missed(missed),
            }
        });
        let missed = match &explanation {
            Some(explanation) if explanation.kind == Kind::Missed => missed,
            _ => 0,
        };
        self.tracker.skip(u32::try_from(missed).unwrap_or(u32::MAX));
        let answer = heard.mine.and_then(|text| read_answer(text, &self.rules));
        let action = answer.filter(|_| missed == 0).and_then(Answer::action);
        let picture = self.tracker.observe(&heard.board, action);
        let picture = picture.map_err(|error| error.to_string())?;
        for (cell, element) in heard.board.iter() {
            if !is_body(element) {
                self.memory[cell] = Some(element);
            }
        }
        self.boards = self.boards.saturating_add(1);
        self.before = Some(Before {
            picture,
            board: heard.board,
        });
        Ok(explanation)
    }

    fn explain(&self, before: &Before, heard: &Heard<'_>) -> Explanation {
        let judge = Judge {
            later: self,
            before,
            heard,
        };
        let best = judge.best();
        if best.wrong.is_empty() && best.unsure {
            let reason = "a cell that nobody had seen decides it".to_owned();
            return Explanation::of(Kind::Partly, reason);
        }
        let words = judge.words(&best);
        if best.wrong.is_empty() {
            return Explanation::of(Kind::Explained, words);
        }
        let (cell, why) = best.wrong[0];
        let reason = match heard.unknown {
            Some(glyph) => format!("{glyph:?} is no glyph of the dialect"),
            None => format!("{}: {why}", self.at(cell)),
        };
        let replayed = judge.made(&best).render(self.rules.alphabet);
        Explanation {
            kind: Kind::Diverged,
            reason,
            difference: Difference::of_boards(heard.player, self.size, heard.text, &replayed),
            views: Some(Views {
                player: heard.player,
                edge: self.size.edge(),
                recorded: heard.text.to_owned(),
                replayed,
            }),
        }
    }

    fn at(&self, cell: Cell) -> String {
        format!("x={} y={}", self.size.x(cell), self.size.y(cell))
    }
}

/// One tick to be explained.
struct Judge<'a> {
    later: &'a Later,
    before: &'a Before,
    heard: &'a Heard<'a>,
}

impl Judge<'_> {
    /// Rivals' commands by which the fewest cells are wrong, rival by rival.
    fn best(&self) -> Attempt {
        let state = &self.before.picture.state;
        let seats = state.seats().to_vec();
        let mut best = self.attempt(vec![""; seats.len()]);
        for _ in 0..2 {
            for (seat, &id) in seats.iter().enumerate() {
                if best.wrong.is_empty() {
                    return best;
                }
                let cell = state.hero(id).cell;
                let near = |(wrong, _): &(Cell, _)| self.size().spread(*wrong, cell) <= 4;
                if Some(id) == self.before.picture.me || !best.wrong.iter().any(near) {
                    continue;
                }
                for word in WORDS.into_iter().chain(MORE_WORDS) {
                    let mut words = best.words.clone();
                    words[seat] = word;
                    let other = self.attempt(words);
                    if other.wrong.len() < best.wrong.len() {
                        best = other;
                    }
                }
            }
        }
        best
    }

    fn attempt(&self, words: Vec<&'static str>) -> Attempt {
        let picture = &self.before.picture;
        let mut state = picture.state.clone();
        state.commit();
        for (seat, id) in picture.state.seats().iter().enumerate() {
            let text = if Some(*id) == picture.me {
                self.heard.mine.unwrap_or_default()
            } else {
                words[seat]
            };
            state.command(*id, &Command::parse(text, &self.later.rules.grammar));
        }
        state.tick(&mut Foreseen, &mut Unheard);
        let bare = bare(&state);
        let mut attempt = Attempt {
            words,
            state,
            bare,
            wrong: Vec::new(),
            unsure: false,
        };
        for (cell, element) in self.heard.board.iter() {
            let fit = if is_body(element) {
                self.body(&attempt, cell, element)
            } else {
                self.thing(&attempt, cell, element)
            };
            match fit {
                Fit::Good => {}
                Fit::Unsure => attempt.unsure = true,
                Fit::Wrong(why) => attempt.wrong.push((cell, why)),
            }
        }
        self.lost_monsters(&mut attempt);
        attempt
    }

    /// Whether a cell without a body fits.
    fn thing(&self, attempt: &Attempt, cell: Cell, seen: Element) -> Fit {
        let (made, was) = (attempt.bare.at(cell), self.before.board.at(cell));
        let tile = attempt.state.tile(cell);
        let blank = |element: Element| matches!(element, Element::Empty) || is_thing(element);
        let open = tile.is_brick() && !tile.is_full_brick();
        let good = match (made, seen) {
            (made, seen) if made == seen => true,
            // Chance places things on empty cells; what a body covered may be there or not.
            (made, seen) if blank(made) && is_thing(seen) => !open || seen == Element::Bullet,
            (Element::Bullet, Element::Empty) => true,
            (Element::Portal, Element::Empty) => self.portals_moved(),
            (made, Element::Empty) if is_thing(made) => is_body(was) || was == Element::Empty,
            (Element::Brick, Element::Dug) => self.digger_near(cell),
            (Element::Door(made, _), Element::Door(seen, _)) => {
                made == seen && self.hero_near(cell, 1)
            }
            (made, seen) if is_hole(made) && is_hole(seen) => {
                let vague = &self.before.picture.vague_holes;
                vague.iter().any(|hole| hole.cell == cell)
            }
            _ => false,
        };
        if good {
            return Fit::Good;
        }
        let young = self.later.boards < SETTLED && made == Element::Empty && is_hole(seen);
        if self.later.memory[cell].is_none() || young {
            return Fit::Unsure;
        }
        Fit::Wrong("nothing that is unknown makes this cell")
    }

    /// Whether a hero or monster can be where it is seen.
    fn body(&self, attempt: &Attempt, cell: Cell, seen: Element) -> Fit {
        let tile = attempt.state.tile(cell);
        let dead = matches!(seen, Element::Hero(_, HeroLook::Dead, _));
        let pipe_told = !matches!(
            seen,
            Element::Monster(MonsterLook::Pit) | Element::Hero(_, HeroLook::Pit, _)
        );
        let ground = seen.shows_ladder() == tile.has(Tile::LADDER)
            && (!pipe_told || seen.shows_pipe() == tile.has(Tile::PIPE))
            && (!seen.shows_brick() || tile.is_brick())
            && !tile.has(Tile::STONE);
        if !dead && !ground {
            if self.later.memory[cell].is_none() {
                return Fit::Unsure;
            }
            return Fit::Wrong("nobody can look so there");
        }
        if seen.is_me() {
            return self.own(attempt, cell, seen);
        }
        if seen.is_monster() && !self.monster_near(cell) {
            return Fit::Wrong("no monster can have come here");
        }
        Fit::Good
    }

    /// Whether our own hero can be where it is seen.
    fn own(&self, attempt: &Attempt, cell: Cell, seen: Element) -> Fit {
        let picture = &self.before.picture;
        let (Some(me), Some(mine)) = (picture.me, self.heard.mine) else {
            return Fit::Good;
        };
        let rules = &self.later.rules;
        let (old, new) = (picture.state.hero(me), attempt.state.hero(me));
        let suicide = rules.is_suicide(&Command::parse(mine, &rules.grammar));
        let dead = matches!(seen, Element::Hero(_, HeroLook::Dead, _));
        // Whoever is replaced can be anywhere: after a death, or waiting for a round.
        if !old.alive || !old.active || suicide || dead && cell != new.cell {
            return Fit::Good;
        }
        let hopped = self.portal_near(old.cell) && self.is_portal(cell);
        let held = cell == old.cell && self.hero_near(cell, 2);
        if cell != new.cell && !hopped && !held {
            return Fit::Wrong("our command leads us elsewhere");
        }
        if dead && self.all_wait() {
            return Fit::Good;
        }
        if dead == new.alive && !self.danger_near(cell) {
            return Fit::Wrong("nothing there decides whether we live");
        }
        Fit::Good
    }

    /// Monsters that were seen and now are nowhere near.
    fn lost_monsters(&self, attempt: &mut Attempt) {
        let board = &self.heard.board;
        for (cell, element) in self.before.board.iter() {
            if !element.is_monster() || self.portal_near(cell) {
                continue;
            }
            let mut around = self.around(cell, 1);
            if !around.any(|place| is_body(board.at(place))) {
                attempt.wrong.push((cell, "a monster is gone"));
            }
        }
    }

    /// The rivals' commands that make the board.
    fn words(&self, attempt: &Attempt) -> String {
        let state = &self.before.picture.state;
        let seats = state.seats().iter().zip(&attempt.words);
        let told = seats.filter(|(_, words)| !words.is_empty());
        let told = told.map(|(&id, words)| {
            let place = self.later.at(state.hero(id).cell);
            format!("rival at {place}: {words}")
        });
        told.collect::<Vec<_>>().join("; ")
    }

    /// The seen board with the wrong cells as they were made.
    fn made(&self, attempt: &Attempt) -> Board {
        let mut board = self.heard.board.clone();
        let drawn = attempt.state.draw(self.before.picture.me);
        for &(cell, _) in &attempt.wrong {
            let (seen, made) = (self.heard.board.at(cell), drawn.at(cell));
            let other = if made == seen || is_body(made) && !seen.is_me() {
                attempt.bare.at(cell)
            } else {
                made
            };
            board.set(cell, other);
        }
        board
    }

    fn size(&self) -> Size {
        self.later.size
    }

    /// The cells at most so many steps from this one.
    fn around(&self, cell: Cell, steps: usize) -> impl Iterator<Item = Cell> + use<'_> {
        let size = self.size();
        let (x, y) = (size.x(cell), size.y(cell));
        size.cells()
            .filter(move |other| size.x(*other).abs_diff(x) + size.y(*other).abs_diff(y) <= steps)
    }

    fn hero_near(&self, cell: Cell, steps: usize) -> bool {
        let heroes = self.before.picture.state.seats().iter();
        let mut cells = heroes.map(|id| self.before.picture.state.hero(*id).cell);
        cells.any(|hero| self.size().spread(hero, cell) <= steps)
    }

    /// Somebody who can have opened this brick: beside it, or with a bullet.
    fn digger_near(&self, cell: Cell) -> bool {
        let bullet = |element: Element| element == Element::Bullet;
        let mut around = self.around(cell, 3);
        self.hero_near(cell, 2)
            || around.any(|it| bullet(self.before.board.at(it)) || bullet(self.heard.board.at(it)))
    }

    fn monster_near(&self, cell: Cell) -> bool {
        let was = |element: Element| element.is_monster();
        let hidden = self.before.picture.state.monsters().iter();
        let mut hidden = hidden.map(|monster| monster.cell);
        let (size, far) = (self.size(), |a: Cell, b: Cell, size: Size| {
            size.x(a).abs_diff(size.x(b)) + size.y(a).abs_diff(size.y(b))
        });
        self.around(cell, 1).any(|it| was(self.before.board.at(it)))
            || hidden.any(|it| far(it, cell, size) <= 1)
            || self.is_portal(cell)
    }

    /// Whether every hero looks dead: a round is over, and new ones wait for the next.
    fn all_wait(&self) -> bool {
        let mut heroes = self.heard.board.iter().filter(|(_, it)| it.is_hero());
        heroes.all(|(_, it)| matches!(it, Element::Hero(_, HeroLook::Dead, _)))
    }

    /// Somebody or something that may kill, or may have been thought to.
    fn danger_near(&self, cell: Cell) -> bool {
        let kills = |element: Element| {
            element.is_monster() || element.is_rival() || element == Element::Bullet
        };
        let mut around = self.around(cell, 2);
        self.before.picture.state.tile(cell).is_brick()
            || around.any(|it| kills(self.before.board.at(it)) || kills(self.heard.board.at(it)))
    }

    fn portal_near(&self, cell: Cell) -> bool {
        self.around(cell, 1).any(|place| self.is_portal(place))
    }

    /// Whether a portal is there now or was before.
    fn is_portal(&self, cell: Cell) -> bool {
        let portal = Some(Element::Portal);
        self.later.memory[cell] == portal || Some(self.heard.board.at(cell)) == portal
    }

    /// Whether portals are seen where none were.
    fn portals_moved(&self) -> bool {
        let mut cells = self.heard.board.iter();
        cells.any(|(cell, element)| {
            element == Element::Portal && self.later.memory[cell] != Some(Element::Portal)
        })
    }
}
