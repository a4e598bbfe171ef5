//! Which dialect a server speaks, judged by the boards it sends: a set of candidates that each board can narrow.
//! Glyphs that only one alphabet has speak for it; what a dialect would never draw speaks against it. Not how a
//! board is spelt (`board::Alphabet`) and not what the rules are (`sim::Rules`).

mod evidence;
#[cfg(test)]
mod tests;

use crate::board::{Alphabet, ParseError};
use crate::sim::Rules;
use evidence::Evidence;
use std::fmt;
use std::sync::Arc;

/// The candidates in the order in which they are taken while nothing decides between them.
const ORDER: [Rules; 4] = [
    Rules::CLASSIC,
    Rules::LODERUNNER_2021_09,
    Rules::LODERUNNER_2021_04,
    Rules::CLIFFORD,
];

/// The name under which the dialect is found out instead of told.
pub const AUTO: &str = "auto";

/// A square text of fewer rows is hardly a board: a word is one now and then.
const EDGE_MIN: usize = 4;

/// The hero lay dead in one place for so many boards in a row: it waits for a round.
const WAITING: u32 = 3;

/// No dialect explains a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DialectError {
    /// It has no square shape.
    #[error(transparent)]
    Shape(#[from] ParseError),
    /// A glyph that no dialect has.
    #[error("row {row}, column {column}: {glyph:?} is no glyph of any dialect")]
    Glyph {
        /// The glyph.
        glyph: char,
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// Every dialect lacks another glyph.
    #[error(
        "no dialect has all glyphs of the board: row {row}, column {column}: {glyph:?} is no glyph of {rules}, \
         which lacks the fewest; --rules says which dialect it is"
    )]
    Mixture {
        /// The dialect with the fewest unknown glyphs.
        rules: &'static str,
        /// The first glyph that it lacks.
        glyph: char,
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
}

/// One dialect and what speaks against it.
#[derive(Clone, Debug)]
struct Candidate {
    rules: Arc<Rules>,
    /// Why it is out of the question.
    against: Option<String>,
    /// Cells whose glyph it does not know, over all boards.
    unknown: u64,
}

/// The dialects that a game may be played in, as far as its boards tell.
#[derive(Clone, Debug)]
pub struct Candidates {
    list: Vec<Candidate>,
    /// The dialect is told, not found out.
    told: bool,
    /// What is taken at the moment, an index of the list; `None` before the first board.
    choice: Option<usize>,
    /// No candidate explains all boards.
    mixed: bool,
    /// Where the own hero was last seen dead, and for how many boards.
    dead: Option<(usize, u32)>,
}

impl Candidates {
    /// All dialects are possible.
    pub fn all() -> Candidates {
        let list = ORDER.map(|rules| Candidate {
            rules: Arc::new(rules),
            against: None,
            unknown: 0,
        });
        Candidates {
            list: list.into(),
            told: false,
            choice: None,
            mixed: false,
            dead: None,
        }
    }

    /// The dialect is known: no board changes it.
    pub fn only(rules: Arc<Rules>) -> Candidates {
        Candidates {
            list: vec![Candidate {
                rules,
                against: None,
                unknown: 0,
            }],
            told: true,
            choice: Some(0),
            mixed: false,
            dead: None,
        }
    }

    /// Takes in the next board's text, with or without `board=`. Tells whether another dialect is taken from
    /// now on than before; the first one counts as another. A text that is no board changes nothing.
    pub fn observe(&mut self, text: &str) -> bool {
        if self.told || self.is_settled() {
            return false;
        }
        let Ok(evidence) = Evidence::of(text) else {
            return false;
        };
        // Once boards were explained, one that nothing explains is noise and no news of the dialect.
        let known = self.choice.is_some() && !self.mixed;
        if evidence.edge < EDGE_MIN || (known && !self.is_explained(&evidence)) {
            return false;
        }
        self.weigh(&evidence);
        self.choose()
    }

    /// Whether one candidate is left, so that no board can tell anything new.
    fn is_settled(&self) -> bool {
        let left = self.list.iter().filter(|one| one.against.is_none());
        self.choice.is_some() && !self.mixed && left.count() == 1
    }

    /// Whether some candidate that is left has all glyphs of a board, and reads one own hero at most.
    fn is_explained(&self, evidence: &Evidence) -> bool {
        self.list.iter().any(|candidate| {
            let reading = evidence.reading(candidate.rules.alphabet);
            candidate.against.is_none() && reading.unknown.is_none() && reading.heroes <= 1
        })
    }

    /// The rules taken: the first candidate that explains every board, else the one with the fewest unknown
    /// glyphs.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.list[self.choice.unwrap_or(0)].rules
    }

    /// No dialect explains all boards seen; `rules` is the one with the fewest unknown glyphs.
    pub fn is_mixed(&self) -> bool {
        self.mixed
    }

    /// The dialect of a single board.
    ///
    /// # Errors
    /// `Shape` if the text is no board; `Glyph` and `Mixture` if no dialect explains it.
    pub fn of(text: &str) -> Result<Candidates, DialectError> {
        let evidence = Evidence::of(text)?;
        let mut candidates = Candidates::all();
        candidates.weigh(&evidence);
        candidates.choose();
        if !candidates.mixed {
            return Ok(candidates);
        }
        if let Some((glyph, row, column)) = evidence.alien {
            return Err(DialectError::Glyph { glyph, row, column });
        }
        let rules = candidates.rules();
        let lacking = evidence.reading(rules.alphabet).unknown;
        let (glyph, row, column) = lacking.unwrap_or((' ', 1, 1));
        Err(DialectError::Mixture {
            rules: rules.name,
            glyph,
            row,
            column,
        })
    }

    /// Narrows the set by one board. What is only likely counts if it leaves anybody.
    fn weigh(&mut self, evidence: &Evidence) {
        for candidate in &mut self.list {
            let reading = evidence.reading(candidate.rules.alphabet);
            candidate.unknown += reading.count;
            if candidate.against.is_none()
                && let Some((glyph, row, column)) = reading.unknown
            {
                candidate.against = Some(format!(
                    "{glyph:?} in row {row}, column {column} is no glyph of it"
                ));
            }
        }
        self.drop_unlikely(|candidate| {
            let heroes = evidence.reading(candidate.rules.alphabet).heroes;
            (heroes != 1).then(|| format!("it would read {heroes} own heroes"))
        });
        self.drop_unlikely(|candidate| {
            let (row, column) = evidence.reading(candidate.rules.alphabet).plain?;
            (candidate.rules.alphabet == Alphabet::Loderunner).then(|| {
                format!("the rival in row {row}, column {column} falls or digs and is not drawn so")
            })
        });
        self.await_round(evidence);
    }

    /// Drops candidates for a reason, unless nobody would be left.
    fn drop_unlikely(&mut self, against: impl Fn(&Candidate) -> Option<String>) {
        let left = |candidate: &&Candidate| candidate.against.is_none();
        if self
            .list
            .iter()
            .filter(left)
            .all(|one| against(one).is_some())
        {
            return;
        }
        for candidate in &mut self.list {
            if candidate.against.is_none() {
                candidate.against = against(candidate);
            }
        }
    }

    /// A hero that lies dead in one place waits for a round. Rounds are on by default in 2021-04, off in
    /// 2021-09, and unknown to classic.
    fn await_round(&mut self, evidence: &Evidence) {
        self.dead = match (evidence.dead, self.dead) {
            (Some(place), Some((before, boards))) if place == before => Some((place, boards + 1)),
            (Some(place), _) => Some((place, 1)),
            (None, _) => None,
        };
        if self.dead.is_some_and(|(_, boards)| boards >= WAITING) {
            self.drop_unlikely(|candidate| {
                let waits = candidate.rules.rounds.enabled;
                (!waits && candidate.rules.alphabet != Alphabet::Clifford)
                    .then(|| "the hero waits for a round".to_owned())
            });
        }
    }

    /// Takes the first that is left, or the one that knows most glyphs.
    fn choose(&mut self) -> bool {
        let before = self.choice;
        let left = self.list.iter().position(|one| one.against.is_none());
        self.mixed = left.is_none();
        let fewest = || {
            let all = self.list.iter().enumerate();
            all.min_by_key(|(_, one)| one.unknown)
                .map(|(index, _)| index)
        };
        self.choice = left.or_else(fewest);
        self.choice != before
    }
}

impl fmt::Display for Candidates {
    /// What is taken and why, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rules: {}", self.rules().name)?;
        if self.told {
            return f.write_str(", as told");
        }
        let taken = self.choice.unwrap_or(0);
        if self.mixed {
            return f.write_str(
                ", which has the fewest unknown glyphs; no dialect explains all boards",
            );
        }
        let (mut open, mut out) = (Vec::new(), Vec::new());
        for (index, candidate) in self.list.iter().enumerate() {
            match &candidate.against {
                None if index == taken => {}
                None => open.push(candidate.rules.name),
                Some(reason) => out.push(format!("not {}: {reason}", candidate.rules.name)),
            }
        }
        if !out.is_empty() {
            write!(f, " ({})", out.join("; "))?;
        }
        if !open.is_empty() {
            write!(f, "; nothing decides yet against {}", open.join(", "))?;
        }
        Ok(())
    }
}
