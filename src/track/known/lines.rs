//! What is known as lines of text, read and written; the form of each line stands in the module's description.

use super::{Hunt, Known, KnownError, KnownHole, KnownMonster, Who};
use crate::board::{Cell, Dir, Size};
use crate::sim::Hole;
use std::fmt::Write;

/// The words of a line, read one by one.
struct Words<'a> {
    words: std::str::SplitWhitespace<'a>,
    size: Size,
}

impl<'a> Words<'a> {
    fn next(&mut self, expected: &'static str) -> Result<&'a str, KnownError> {
        self.words.next().ok_or(KnownError::Short(expected))
    }

    fn place(&mut self) -> Result<Cell, KnownError> {
        let word = self.next("a place")?;
        place(word, self.size)
    }

    fn number(&mut self, expected: &'static str) -> Result<u32, KnownError> {
        let word = self.next(expected)?;
        word.parse().map_err(|_| wrong(word, expected))
    }

    fn facing(&mut self) -> Result<Dir, KnownError> {
        const EXPECTED: &str = "left, right, up or down";
        let word = self.next(EXPECTED)?;
        DIRS.into_iter()
            .find(|&(_, name)| name == word)
            .map(|(dir, _)| dir)
            .ok_or_else(|| wrong(word, EXPECTED))
    }

    fn hunt(&mut self) -> Result<Hunt, KnownError> {
        Ok(match self.next("me, a place, nobody or unknown")? {
            "me" => Hunt::Hero(Who::Me),
            "nobody" => Hunt::Nobody,
            "unknown" => Hunt::Unknown,
            word => Hunt::Hero(Who::Rival(place(word, self.size)?)),
        })
    }

    fn who(&mut self) -> Result<Option<Who>, KnownError> {
        Ok(match self.hunt()? {
            Hunt::Hero(who) => Some(who),
            Hunt::Nobody | Hunt::Unknown => None,
        })
    }

    fn literal(&mut self, expected: &'static str) -> Result<(), KnownError> {
        let word = self.next(expected)?;
        if word == expected {
            Ok(())
        } else {
            Err(wrong(word, expected))
        }
    }

    fn end(&mut self) -> Result<(), KnownError> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(wrong(word, "the end of the line")),
        }
    }
}

const DIRS: [(Dir, &str); 4] = [
    (Dir::Left, "left"),
    (Dir::Right, "right"),
    (Dir::Up, "up"),
    (Dir::Down, "down"),
];

fn dir_name(dir: Dir) -> &'static str {
    DIRS.into_iter()
        .find(|&(other, _)| other == dir)
        .map_or("right", |(_, name)| name)
}

fn wrong(found: &str, expected: &'static str) -> KnownError {
    KnownError::Word {
        found: found.to_owned(),
        expected,
    }
}

fn place(word: &str, size: Size) -> Result<Cell, KnownError> {
    let number = |text: &str| text.parse::<usize>().ok();
    word.split_once(',')
        .and_then(|(column, row)| Some((number(column)?, number(row)?)))
        .filter(|&(column, row)| {
            (1..=size.edge()).contains(&column) && (1..=size.edge()).contains(&row)
        })
        .map(|(column, row)| size.cell(column - 1, row - 1))
        .ok_or_else(|| KnownError::Place(word.to_owned()))
}

fn spell(cell: Cell, size: Size) -> String {
    format!("{},{}", size.x(cell) + 1, size.row(cell) + 1)
}

impl Known {
    /// Adds the fact of one line.
    ///
    /// # Errors
    /// `KnownError`, all but `Absent` and `Level`.
    pub fn read(&mut self, line: &str, size: Size) -> Result<(), KnownError> {
        let mut words = Words {
            words: line.split_whitespace(),
            size,
        };
        match words.next("a fact")? {
            "series" => {
                let mut series = [words.number("a number")?, 0, 0];
                if words.words.clone().next().is_some() {
                    series[1] = words.number("a number")?;
                    series[2] = words.number("a number")?;
                }
                self.series = Some(series);
            }
            "facing" => self.facing = Some(words.facing()?),
            "rival" => {
                let cell = words.place()?;
                words.literal("facing")?;
                self.rivals.push((cell, words.facing()?));
            }
            "hole" => {
                let cell = words.place()?;
                words.literal("age")?;
                let age = words.number("an age from 0 to 12")? as i32;
                if !(0..Hole::CLOSED).contains(&age) {
                    return Err(wrong(&age.to_string(), "an age from 0 to 12"));
                }
                let owner = match words.words.next() {
                    None => None,
                    Some("owner") => words.who()?,
                    Some(word) => return Err(wrong(word, "owner")),
                };
                self.holes.push(KnownHole { cell, age, owner });
            }
            "gold" => self.gold.push(words.place()?),
            "still" => self.still.push(words.place()?),
            "monster" => {
                let monster = read_monster(&mut words)?;
                self.monsters.push(monster);
            }
            word => return Err(KnownError::Fact(word.to_owned())),
        }
        words.end()
    }

    /// The lines that say this, in the order in which they are best read.
    pub fn lines(&self, size: Size) -> Vec<String> {
        let who = |who: Option<Who>| match who {
            Some(Who::Me) => "me".to_owned(),
            Some(Who::Rival(cell)) => spell(cell, size),
            None => "unknown".to_owned(),
        };
        let mut lines = Vec::new();
        lines.extend(self.series.map(|series| match series {
            [yellow, 0, 0] => format!("series {yellow}"),
            [yellow, green, red] => format!("series {yellow} {green} {red}"),
        }));
        lines.extend(self.facing.map(|dir| format!("facing {}", dir_name(dir))));
        for &(cell, dir) in &self.rivals {
            lines.push(format!(
                "rival {} facing {}",
                spell(cell, size),
                dir_name(dir)
            ));
        }
        for hole in &self.holes {
            let mut line = format!("hole {} age {}", spell(hole.cell, size), hole.age);
            if hole.owner.is_some() {
                let _ = write!(line, " owner {}", who(hole.owner));
            }
            lines.push(line);
        }
        lines.extend(
            self.gold
                .iter()
                .map(|&cell| format!("gold {}", spell(cell, size))),
        );
        lines.extend(
            self.still
                .iter()
                .map(|&cell| format!("still {}", spell(cell, size))),
        );
        for monster in &self.monsters {
            let mut line = format!("monster {}", spell(monster.cell, size));
            match monster.hunts {
                Some(Hunt::Hero(hero)) => {
                    let _ = write!(line, " hunts {}", who(Some(hero)));
                }
                Some(Hunt::Nobody) => line.push_str(" hunts nobody"),
                Some(Hunt::Unknown) => line.push_str(" hunts unknown"),
                None => {}
            }
            if monster.gave_up.is_some() {
                let _ = write!(line, " gave-up {}", who(monster.gave_up));
            }
            if let Some(dir) = monster.facing {
                let _ = write!(line, " facing {}", dir_name(dir));
            }
            line.push_str(if monster.load { " load" } else { "" });
            lines.push(line);
        }
        lines
    }
}

fn read_monster(words: &mut Words<'_>) -> Result<KnownMonster, KnownError> {
    let mut monster = KnownMonster {
        cell: words.place()?,
        hunts: None,
        gave_up: None,
        facing: None,
        load: false,
    };
    while let Some(word) = words.words.next() {
        match word {
            "hunts" => monster.hunts = Some(words.hunt()?),
            "gave-up" => monster.gave_up = words.who()?,
            "facing" => monster.facing = Some(words.facing()?),
            "load" => monster.load = true,
            _ => return Err(wrong(word, "hunts, gave-up, facing or load")),
        }
    }
    Ok(monster)
}
