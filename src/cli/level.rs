//! `lodebot level ..`: the shipped levels, new ones from the generator, foreign ones by import.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Subcommand;

use super::{Outcome, Run, conclude, print};
use crate::board::{Alphabet, Board};
use crate::levels::{self, Format, Plan};
use crate::sim::{Level, Rules};

/// List, show, generate and import levels
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    List(List),
    Show(Show),
    Generate(Generate),
    Import(Import),
}

/// Print the names of the shipped levels and what is in them
#[derive(clap::Args, Debug)]
struct List {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// Print a level, as rows of glyphs
#[derive(clap::Args, Debug)]
struct Show {
    /// A shipped level or a file
    level: String,
    /// Use ASCII glyphs only
    #[arg(long)]
    ascii: bool,
}

/// Print a new level made from a seed, all of whose gold can be reached from everywhere
#[derive(clap::Args, Debug)]
struct Generate {
    /// Cells along one edge, 8 to 128
    #[arg(long, default_value_t = 30)]
    size: usize,
    /// Pieces of gold
    #[arg(long, default_value_t = 30)]
    gold: usize,
    /// Monsters
    #[arg(long, default_value_t = 3)]
    monsters: usize,
    /// The same numbers and seed give the same level
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Print a level of another Lode Runner program as one that is played here
#[derive(clap::Args, Debug)]
struct Import {
    /// The file; - is standard input
    file: PathBuf,
    /// How it is spelt: vglc (the Video Game Level Corpus) or remake (rows as the remakes of the
    /// 28 x 16 game write them); found out if not given
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
}

impl Args {
    pub(super) fn run(self) -> Run {
        match self.action {
            Action::List(args) => args.run(),
            Action::Show(args) => args.run(),
            Action::Generate(args) => args.run(),
            Action::Import(args) => args.run(),
        }
    }
}

impl List {
    fn run(self) -> Run {
        if self.json {
            let levels: Vec<_> = levels::list()
                .iter()
                .map(|level| {
                    serde_json::json!({
                        "name": level.name, "title": level.title, "author": level.author,
                        "rules": level.rules, "size": level.size, "gold": level.gold, "monsters": level.monsters,
                        "note": level.note,
                    })
                })
                .collect();
            print(&format!("{}\n", serde_json::to_string_pretty(&levels)?))?;
        } else {
            let mut text = String::new();
            writeln!(
                text,
                "{:<12} {:>4} {:>4} {:>8}  note",
                "name", "size", "gold", "monsters"
            )?;
            for level in levels::list() {
                let levels::Shipped {
                    name,
                    title,
                    size,
                    gold,
                    monsters,
                    note,
                    ..
                } = level;
                writeln!(
                    text,
                    "{name:<12} {size:>4} {gold:>4} {monsters:>8}  {title}: {note}"
                )?;
            }
            print(&text)?;
        }
        Ok(Outcome::Good)
    }
}

impl Show {
    fn run(self) -> Run {
        let shipped = levels::find(&self.level);
        let rules = match shipped {
            Some(level) => Rules::named(&level.rules)?,
            None => Rules::CLASSIC,
        };
        let board: Board = levels::load_board(&self.level, &rules)?;
        let text = if self.ascii {
            board.picture()
        } else {
            board.rows(rules.alphabet)
        };
        print(&text)?;
        Ok(Outcome::Good)
    }
}

impl Generate {
    fn run(self) -> Run {
        let plan = Plan {
            edge: self.size,
            gold: self.gold,
            monsters: self.monsters,
            seed: self.seed,
        };
        let board = levels::generate(&plan)?;
        conclude(&board.rows(Alphabet::Classic))?;
        let stranded = levels::stranded(&Level::from_board(&board)?);
        for levels::Stranded { gold, from } in &stranded {
            let size = board.size();
            log::warn!(
                "the gold in row {}, column {} cannot be reached from {} cells; try another seed",
                size.row(*gold) + 1,
                size.x(*gold) + 1,
                from.len()
            );
        }
        Ok(Outcome::of(stranded.is_empty()))
    }
}

impl Import {
    fn run(self) -> Run {
        let name = self.file.display();
        let text = if self.file == Path::new("-") {
            io::read_to_string(io::stdin())
        } else {
            fs::read_to_string(&self.file)
        };
        let text = text.with_context(|| format!("cannot read {name}"))?;
        let board = levels::import(&text, self.from).with_context(|| format!("{name}"))?;
        print(&board.rows(Alphabet::Classic))?;
        Ok(Outcome::Good)
    }
}
