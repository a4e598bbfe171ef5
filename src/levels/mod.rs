//! The shipped levels, found by name or read from a file, the generator of new ones, and the
//! import of foreign ones. What it is not: the simulator's level with its tables (`sim::Level` is made from a text of here).

mod generate;
mod import;
mod survey;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;

pub use generate::{Plan, PlanError, generate};
pub use import::{Format, ImportError, import};
pub use survey::{Stranded, open_cells, out_of_reach, stranded};

use crate::board::{Alphabet, Board, Element, GoldKind, ParseError};
use crate::sim::{self, Counts, Rules};

/// A shipped level: an entry of `levels/index.toml` and its text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shipped {
    /// The name by which commands know it; it ends with the size.
    pub name: String,
    /// A title for people.
    pub title: String,
    /// Who made it.
    pub author: String,
    /// The dialect whose things it uses, and whose alphabet it is spelt in; all of the same alphabet can play it.
    #[serde(default = "classic")]
    pub rules: String,
    /// Cells along one edge, border included.
    pub size: usize,
    /// Pieces of gold.
    pub gold: usize,
    /// Monsters.
    pub monsters: usize,
    /// What is special about it, one sentence.
    pub note: String,
    /// Rows, top row first.
    #[serde(skip)]
    pub text: &'static str,
}

fn classic() -> String {
    Rules::CLASSIC.name.to_owned()
}

impl Shipped {
    /// The alphabet it is spelt in.
    pub fn alphabet(&self) -> Alphabet {
        // The index is part of the program: its dialects exist, as a test checks.
        Rules::named(&self.rules).map_or(Alphabet::Classic, |rules| rules.alphabet)
    }
}

/// A level that was asked for and could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a shipped name nor a file.
    #[error("{name:?} is neither a shipped level nor a file; shipped are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The shipped names, separated by commas.
        known: String,
    },
    /// The file is there but cannot be read as text.
    #[error("cannot read the level {path:?}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The text is no board: what, with row and column.
    #[error("the level {name:?}")]
    Parse {
        /// Name or file.
        name: String,
        /// What is wrong with it.
        source: ParseError,
    },
    /// The level uses things that the dialect does not have.
    #[error("the level {name:?} is for {family}; {rules} has not all that is on it")]
    Foreign {
        /// Its name.
        name: String,
        /// The dialect it was made for.
        family: String,
        /// The dialect it was asked for.
        rules: &'static str,
    },
    /// The board is no level that can be simulated.
    #[error("the level {name:?}")]
    Level {
        /// Name or file.
        name: String,
        /// What is wrong with it.
        source: sim::LevelError,
    },
}

/// Entries of the index file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    level: Vec<Shipped>,
}

/// A name and the text of its file, both fixed at build time.
macro_rules! text {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../levels/", $name, ".level")),
        )
    };
}

/// The files of `levels/`; the index says the rest about them.
const TEXTS: [(&str, &str); 20] = [
    text!("tiny-8"),
    text!("first-10"),
    text!("pockets-12"),
    text!("ropes-16"),
    text!("towers-16"),
    text!("small-20"),
    text!("pyramid-22"),
    text!("bridges-24"),
    text!("vault-26"),
    text!("mine-32"),
    text!("city-40"),
    text!("contest-58"),
    text!("colours-18"),
    text!("wells-20"),
    text!("shadows-22"),
    text!("lattice-26"),
    text!("doors-18"),
    text!("backways-20"),
    text!("gallery-22"),
    text!("manor-26"),
];

static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    // The index is part of the program and a test reads it: it cannot be wrong at run time.
    let index: Index = toml::from_str(include_str!("../../levels/index.toml"))
        .expect("levels/index.toml is well-formed");
    let mut levels = index.level;
    for level in &mut levels {
        if let Some((_, text)) = TEXTS.iter().find(|(name, _)| *name == level.name) {
            level.text = text;
        }
    }
    levels
});

/// The level of arena and bench when none is named: the one that looks like a contest map.
pub const DEFAULT: &str = "contest-58";

/// All shipped levels, smallest first.
pub fn list() -> &'static [Shipped] {
    &SHIPPED
}

/// The shipped level of this name.
pub fn find(name: &str) -> Option<&'static Shipped> {
    list().iter().find(|level| level.name == name)
}

/// The text of a shipped level or, failing that, of a file.
///
/// # Errors
/// [`LoadError::Unknown`] if there is neither, [`LoadError::Read`] if the file cannot be read.
pub fn text(name_or_path: &str) -> Result<String, LoadError> {
    if let Some(level) = find(name_or_path) {
        return Ok(level.text.to_owned());
    }
    match fs::read_to_string(Path::new(name_or_path)) {
        Ok(text) => Ok(text),
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            let names: Vec<&str> = list().iter().map(|level| level.name.as_str()).collect();
            Err(LoadError::Unknown {
                name: name_or_path.to_owned(),
                known: names.join(", "),
            })
        }
        Err(source) => Err(LoadError::Read {
            path: name_or_path.to_owned(),
            source,
        }),
    }
}

/// A shipped level or a file as a board in the alphabet of `rules`. Stricter than a server: a glyph that
/// the alphabet does not have is refused, because in a file it is more likely a slip than a wish.
///
/// # Errors
/// As [`text`], and [`LoadError::Parse`] with row and column if it is no board.
pub fn load_board(name_or_path: &str, rules: &Rules) -> Result<Board, LoadError> {
    let text = text(name_or_path)?;
    // Shipped levels are spelt in the alphabet of the rules they were made for. Those of classic have nothing
    // that the others lack.
    let mut alphabet = rules.alphabet;
    if let Some(level) = find(name_or_path) {
        alphabet = level.alphabet();
        if alphabet != rules.alphabet && alphabet != Alphabet::Classic {
            return Err(LoadError::Foreign {
                name: level.name.clone(),
                family: level.rules.clone(),
                rules: rules.name,
            });
        }
    }
    Board::parse(&text, alphabet).map_err(|source| LoadError::Parse {
        name: name_or_path.to_owned(),
        source,
    })
}

/// The rules as a shipped level of a later dialect wants them: the field keeps as many portals, pills, clips, golds
/// and monsters as the level has. Levels of classic and files leave the server's own numbers.
pub fn suited(name_or_path: &str, board: &Board, rules: Rules) -> Rules {
    let made_for = find(name_or_path).filter(|level| level.alphabet() != Alphabet::Classic);
    if made_for.is_none() {
        return rules;
    }
    let count = |wanted: &dyn Fn(Element) -> bool| {
        let elements = board.elements().iter();
        elements.filter(|element| wanted(**element)).count() as i64
    };
    let counts = Counts {
        pills: count(&|one| one == Element::Pill),
        gold: GoldKind::ALL.map(|kind| count(&|one| one == Element::Gold(kind))),
        portals: count(&|one| one == Element::Portal),
        monsters: count(&Element::is_monster),
        ammo: count(&|one| one == Element::Ammo),
    };
    Rules { counts, ..rules }
}

/// A shipped level or a file, ready to be simulated by `rules`.
///
/// # Errors
/// As [`load_board`], and [`LoadError::Level`] if it is no level.
pub fn load(name_or_path: &str, rules: &Rules) -> Result<Arc<sim::Level>, LoadError> {
    let board = load_board(name_or_path, rules)?;
    sim::Level::from_board(&board).map_err(|source| LoadError::Level {
        name: name_or_path.to_owned(),
        source,
    })
}
