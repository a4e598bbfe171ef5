//! The key `st` of a tick line: what a recording knows of the field beyond the boards.
//!
//! Two shapes exist, one of classic and one that the other dialects share. Here, and nowhere else in
//! the program, `y` counts from the **bottom**, as the originals do; the character of (x, y) on a
//! board of edge n is number (n - 1 - y) * n + x.

use std::fmt;

use arrayvec::ArrayVec;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::board::Dir;

/// The hidden state after a tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HiddenState {
    /// Dialect classic.
    Classic(ClassicState),
    /// Every other dialect.
    Modern(ModernState),
}

/// The hidden state of the classic dialect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassicState {
    /// The heroes of the players who are there, in join order.
    pub heroes: Vec<ClassicHero>,
    /// The monsters, in list order.
    pub monsters: Vec<ClassicMonster>,
    /// Cells of the gold as (x, y); an unordered multiset.
    pub gold: Vec<(i32, i32)>,
    /// Bricks with a timer or an owner, in no order.
    pub bricks: Vec<ClassicBrick>,
}

/// A hero of the classic dialect: `[id,x,y,facing,alive,pose]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "(u32, i32, i32, &'static str, u8, u8)")]
pub struct ClassicHero {
    /// Player number.
    pub player: u32,
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
    /// Where he looks.
    pub facing: Dir,
    /// Not dead.
    pub alive: bool,
    /// In the drill pose.
    pub pose: bool,
}

/// A monster of the classic dialect: `[x,y,facing,gold,target,givenUp]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "(i32, i32, &'static str, u8, i32, i32)")]
pub struct ClassicMonster {
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
    /// Where it looks.
    pub facing: Dir,
    /// Carries gold.
    pub gold: bool,
    /// Player hunted; -1 nobody, -2 a hero object that is nobody's current hero.
    pub target: i32,
    /// Player given up, in the same numbers.
    pub given_up: i32,
}

/// A brick of the classic dialect that has a timer or an owner: `[x,y,timer,owner]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "(i32, i32, i32, i32)")]
pub struct ClassicBrick {
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
    /// 1 to 12, or -1 just closed.
    pub timer: i32,
    /// Player who drilled it; -2 a hero object that is nobody's current hero.
    pub owner: i32,
}

/// The hidden state of the dialects other than classic.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModernState {
    /// Per player his hero; `None` has left.
    pub heroes: Vec<Option<ModernHero>>,
    /// The monsters, in list order.
    pub monsters: Vec<ModernMonster>,
    /// Timer of the portals, in ticks.
    pub timer: i32,
}

/// A hero of the other dialects: `[x,y,alive,active,shadow]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "(i32, i32, u8, u8, i32)")]
pub struct ModernHero {
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
    /// Not dead.
    pub alive: bool,
    /// Takes part in the round.
    pub active: bool,
    /// Ticks of the pill left, -1 none.
    pub shadow: i32,
}

/// A monster of the other dialects: `[x,y,load]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "(i32, i32, i32)")]
pub struct ModernMonster {
    /// Column from the left.
    pub x: i32,
    /// Row from the bottom.
    pub y: i32,
    /// What it carries: 0 nothing, 1 yellow or knife, 2 green or glove, 3 red or ring.
    pub load: i32,
}

/// How a direction is written in a row.
fn letter(dir: Dir) -> &'static str {
    match dir {
        Dir::Left => "L",
        Dir::Right => "R",
        Dir::Up => "U",
        Dir::Down => "D",
    }
}

impl From<ClassicHero> for (u32, i32, i32, &'static str, u8, u8) {
    fn from(hero: ClassicHero) -> Self {
        (
            hero.player,
            hero.x,
            hero.y,
            letter(hero.facing),
            hero.alive.into(),
            hero.pose.into(),
        )
    }
}

impl From<ClassicMonster> for (i32, i32, &'static str, u8, i32, i32) {
    fn from(monster: ClassicMonster) -> Self {
        let ClassicMonster {
            x,
            y,
            facing,
            gold,
            target,
            given_up,
        } = monster;
        (x, y, letter(facing), gold.into(), target, given_up)
    }
}

impl From<ClassicBrick> for (i32, i32, i32, i32) {
    fn from(brick: ClassicBrick) -> Self {
        (brick.x, brick.y, brick.timer, brick.owner)
    }
}

impl From<ModernHero> for (i32, i32, u8, u8, i32) {
    fn from(hero: ModernHero) -> Self {
        (
            hero.x,
            hero.y,
            hero.alive.into(),
            hero.active.into(),
            hero.shadow,
        )
    }
}

impl From<ModernMonster> for (i32, i32, i32) {
    fn from(monster: ModernMonster) -> Self {
        (monster.x, monster.y, monster.load)
    }
}

impl Serialize for HiddenState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            HiddenState::Classic(state) => {
                map.serialize_entry("h", &state.heroes)?;
                map.serialize_entry("e", &state.monsters)?;
                if !state.gold.is_empty() {
                    map.serialize_entry("g", &state.gold)?;
                }
                if !state.bricks.is_empty() {
                    map.serialize_entry("b", &state.bricks)?;
                }
            }
            HiddenState::Modern(state) => {
                map.serialize_entry("h", &state.heroes)?;
                map.serialize_entry("e", &state.monsters)?;
                map.serialize_entry("timer", &state.timer)?;
            }
        }
        map.end()
    }
}

/// One entry of a row: a number, or the letter of a facing.
#[derive(Clone, Copy)]
enum Atom {
    Number(i32),
    Letter(Dir),
}

impl<'de> Deserialize<'de> for Atom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Atom, D::Error> {
        struct AtomVisitor;

        impl Visitor<'_> for AtomVisitor {
            type Value = Atom;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number of 32 bits or one of \"L\", \"R\", \"U\", \"D\"")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Atom, E> {
                i32::try_from(number)
                    .map(Atom::Number)
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Atom, E> {
                i32::try_from(number)
                    .map(Atom::Number)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }

            fn visit_str<E: de::Error>(self, letter: &str) -> Result<Atom, E> {
                match letter {
                    "L" => Ok(Atom::Letter(Dir::Left)),
                    "R" => Ok(Atom::Letter(Dir::Right)),
                    "U" => Ok(Atom::Letter(Dir::Up)),
                    "D" => Ok(Atom::Letter(Dir::Down)),
                    other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }
            }
        }

        deserializer.deserialize_any(AtomVisitor)
    }
}

/// A row of `st`; which kind of row it is shows only in the neighbouring keys.
struct Row(ArrayVec<Atom, 6>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
        struct RowVisitor;

        impl<'de> Visitor<'de> for RowVisitor {
            type Value = Row;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a row of at most 6 entries")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Row, A::Error> {
                let mut row = ArrayVec::new();
                while let Some(entry) = entries.next_element()? {
                    if row.try_push(entry).is_err() {
                        return Err(de::Error::invalid_length(7, &self));
                    }
                }
                Ok(Row(row))
            }
        }

        deserializer.deserialize_seq(RowVisitor)
    }
}

impl Row {
    fn classic_hero(&self) -> Result<ClassicHero, &'static str> {
        use Atom::{Letter, Number};
        match *self.0.as_slice() {
            [
                Number(player),
                Number(x),
                Number(y),
                Letter(facing),
                Number(alive),
                Number(pose),
            ] => {
                let player =
                    u32::try_from(player).map_err(|_| "a hero's player number is negative")?;
                Ok(ClassicHero {
                    player,
                    x,
                    y,
                    facing,
                    alive: alive != 0,
                    pose: pose != 0,
                })
            }
            _ => Err("a hero of classic is [id,x,y,facing,alive,pose]"),
        }
    }

    fn classic_monster(&self) -> Result<ClassicMonster, &'static str> {
        use Atom::{Letter, Number};
        match *self.0.as_slice() {
            [
                Number(x),
                Number(y),
                Letter(facing),
                Number(gold),
                Number(target),
                Number(given_up),
            ] => Ok(ClassicMonster {
                x,
                y,
                facing,
                gold: gold != 0,
                target,
                given_up,
            }),
            _ => Err("a monster of classic is [x,y,facing,gold,target,givenUp]"),
        }
    }

    fn modern_hero(&self) -> Result<ModernHero, &'static str> {
        use Atom::Number;
        match *self.0.as_slice() {
            [
                Number(x),
                Number(y),
                Number(alive),
                Number(active),
                Number(shadow),
            ] => Ok(ModernHero {
                x,
                y,
                alive: alive != 0,
                active: active != 0,
                shadow,
            }),
            _ => Err("a hero beside a portal timer is [x,y,alive,active,shadow]"),
        }
    }

    fn modern_monster(&self) -> Result<ModernMonster, &'static str> {
        use Atom::Number;
        match *self.0.as_slice() {
            [Number(x), Number(y), Number(load)] => Ok(ModernMonster { x, y, load }),
            _ => Err("a monster beside a portal timer is [x,y,load]"),
        }
    }
}

/// `st` as it stands in the text, before the kinds of its rows are settled.
#[derive(Deserialize)]
struct RawState {
    h: Vec<Option<Row>>,
    e: Vec<Row>,
    #[serde(default)]
    g: Vec<(i32, i32)>,
    #[serde(default)]
    b: Vec<(i32, i32, i32, i32)>,
    timer: Option<i32>,
}

impl RawState {
    fn settle(self) -> Result<HiddenState, &'static str> {
        let Some(timer) = self.timer else {
            let heroes = self.h.iter().map(|row| match row {
                Some(row) => row.classic_hero(),
                None => Err("a hero of classic cannot be null"),
            });
            return Ok(HiddenState::Classic(ClassicState {
                heroes: heroes.collect::<Result<_, _>>()?,
                monsters: self
                    .e
                    .iter()
                    .map(Row::classic_monster)
                    .collect::<Result<_, _>>()?,
                gold: self.g,
                bricks: self
                    .b
                    .into_iter()
                    .map(|(x, y, timer, owner)| ClassicBrick { x, y, timer, owner })
                    .collect(),
            }));
        };
        if !(self.g.is_empty() && self.b.is_empty()) {
            return Err("gold and bricks cannot stand beside a portal timer");
        }
        let heroes = self
            .h
            .iter()
            .map(|row| row.as_ref().map(Row::modern_hero).transpose());
        Ok(HiddenState::Modern(ModernState {
            heroes: heroes.collect::<Result<_, _>>()?,
            monsters: self
                .e
                .iter()
                .map(Row::modern_monster)
                .collect::<Result<_, _>>()?,
            timer,
        }))
    }
}

impl<'de> Deserialize<'de> for HiddenState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HiddenState, D::Error> {
        RawState::deserialize(deserializer)?
            .settle()
            .map_err(de::Error::custom)
    }
}
