//! `Event` and `Observer`: what a tick tells of while it happens, and how the servers spell it. Points are
//! not counted here (`score`).

use super::{Dialect, HeroId};
use crate::board::GoldKind;
use std::borrow::Cow;

/// Something that happened to a player's hero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// Picked up a gold of this kind. Clifford numbers them: the how-manieth of its kind of this hero, from
    /// 1 on; 0 in the other dialects, where the player's series is counted by `Score`.
    Gold(GoldKind, u32),
    /// A rival died in a hole this hero dug (RULES section 9), by its pill or by its bullet; in clifford a
    /// rival of its own team. Monsters never count.
    Kill,
    /// Clifford: the same with a rival of another team.
    KillEnemy,
    /// Died.
    Death,
    /// Killed itself, beside `Death`.
    Suicide,
    /// A round begins.
    RoundStart,
    /// Won a round.
    RoundWin,
    /// A message about the round.
    Message(Notice),
}

/// What a server says about rounds (DIALECTS section 6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notice {
    /// Ticks until the round starts.
    Countdown(u32),
    /// Number of the round that starts.
    Round(u32),
    /// The round ended and somebody else won.
    TimeIsOver,
}

impl Event {
    /// How the dialect's game logs call it (GAMELOG section 4).
    pub fn name(self, dialect: Dialect) -> Cow<'static, str> {
        use Dialect::{Classic, Clifford, Loderunner2021April, Loderunner2021September};
        let name = match (self, dialect) {
            (Event::Gold(..), Classic) => "GET_GOLD",
            (Event::Gold(kind, _), Loderunner2021April) => match kind {
                GoldKind::Yellow => "GET_YELLOW_GOLD",
                GoldKind::Green => "GET_GREEN_GOLD",
                GoldKind::Red => "GET_RED_GOLD",
            },
            (Event::Gold(kind, _), Loderunner2021September) => match kind {
                GoldKind::Yellow => "GET_KNIFE_CLUE",
                GoldKind::Green => "GET_GLOVE_CLUE",
                GoldKind::Red => "GET_RING_CLUE",
            },
            (Event::Gold(kind, number), Clifford) => {
                let kind = match kind {
                    GoldKind::Yellow => "KNIFE",
                    GoldKind::Green => "GLOVE",
                    GoldKind::Red => "RING",
                };
                return format!("GET_CLUE_{kind}:{number}").into();
            }
            (Event::Kill, Loderunner2021September) => "KILL_ROBBER",
            (Event::Kill, Clifford) => "KILL_OTHER_HERO",
            (Event::KillEnemy, Clifford) => "KILL_ENEMY_HERO",
            (Event::Kill | Event::KillEnemy, _) => "KILL_ENEMY",
            (Event::Death, Clifford) => "HERO_DIED",
            (Event::Death, _) => "KILL_HERO",
            (Event::Suicide, _) => "SUICIDE",
            (Event::RoundStart, _) => "START_ROUND",
            (Event::RoundWin, _) => "WIN_ROUND",
            (Event::Message(notice), _) => return format!("msg:{}", notice.text()).into(),
        };
        name.into()
    }
}

impl Notice {
    /// The words of the message.
    pub fn text(self) -> Cow<'static, str> {
        match self {
            Notice::Countdown(left) => {
                let dots = ".".repeat(left as usize);
                format!("{dots}{left}{dots}").into()
            }
            Notice::Round(number) => format!("Round {number}").into(),
            Notice::TimeIsOver => "Time is over".into(),
        }
    }
}

/// Listens to a tick. The search's observer does nothing and costs nothing.
pub trait Observer {
    /// Whether it wants to hear of deaths and kills, which take some looking for in classic; in the later dialects they
    /// are told anyway.
    const DEATHS: bool = true;

    /// An event of this hero's player, in the order in which they happen.
    fn event(&mut self, hero: HeroId, event: Event);
}

/// Hears nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unheard;

impl Observer for Unheard {
    const DEATHS: bool = false;

    #[inline]
    fn event(&mut self, _: HeroId, _: Event) {}
}

impl Observer for Vec<(HeroId, Event)> {
    fn event(&mut self, hero: HeroId, event: Event) {
        self.push((hero, event));
    }
}
