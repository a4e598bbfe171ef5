//! Explaining a live client's log: could the simulator have made each board from the one before, our own
//! command, and some choice of what a client cannot know (rivals' commands, monsters' targets, places of
//! new gold and heroes)? What a live log is: GAMELOG section 6.
//!
//! Classic's boards are explained by a choice that makes them exactly (`classic`), those of the later dialects
//! by what a client may believe of the tick (`later`).

mod adopt;
mod alternatives;
mod bare;
mod belief;
mod classic;
mod guess;
mod later;
mod search;

use self::classic::Classic;
use self::later::Later;
use super::divergence::{Difference, Views};
use crate::board::{Board, Size};
use crate::record::{Header, TickLine};
use crate::sim::Rules;

/// What became of one board of a live log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Some choice of the unknown makes it.
    Explained,
    /// Only with terrain that nobody had seen, because somebody stood there.
    Partly,
    /// Boards are missing before it; nothing can be said.
    Missed,
    /// No choice of the unknown was found that makes it.
    Diverged,
}

impl Kind {
    /// One word, as printed.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Explained => "explained",
            Kind::Partly => "partly",
            Kind::Missed => "missed",
            Kind::Diverged => "diverged",
        }
    }
}

/// One board of a live log, and why it is what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Explanation {
    pub kind: Kind,
    pub reason: String,
    /// Of a board that diverged: how the nearest board that can be explained differs from it.
    pub difference: Option<Difference>,
    pub views: Option<Views>,
}

/// Explains the boards of one live log in their order.
pub(super) enum Explainer {
    Classic(Box<Classic>),
    Later(Box<Later>),
}

impl Explainer {
    /// An error says why games of this header cannot be explained.
    pub(super) fn new(header: &Header, size: Size) -> Result<Explainer, String> {
        let rules = Rules::named(&header.rules).map_err(|error| error.to_string())?;
        Ok(if rules.is_classic() {
            Explainer::Classic(Box::new(Classic::new(header, rules, size)?))
        } else {
            Explainer::Later(Box::new(Later::new(rules, size)))
        })
    }

    /// Takes the next line; `None` for the first board, which explains itself.
    ///
    /// An error is a fault of the recording.
    pub(super) fn line(&mut self, tick: &TickLine) -> Result<Option<Explanation>, String> {
        match self {
            Explainer::Classic(classic) => classic.line(tick),
            Explainer::Later(later) => later.line(tick),
        }
    }
}

/// The board of a line.
struct Heard<'a> {
    /// Number of the viewer among the players.
    player: usize,
    text: &'a str,
    board: Board,
    /// A glyph that the dialect does not have.
    unknown: Option<char>,
    /// What we sent for this tick, if that is known.
    mine: Option<&'a str>,
}

impl<'a> Heard<'a> {
    /// An error is a fault of the recording.
    fn of(tick: &'a TickLine, size: Size, rules: &Rules) -> Result<Heard<'a>, String> {
        let player = tick.boards.iter().position(Option::is_some);
        let player = player.ok_or_else(|| "has no board".to_owned())?;
        let text = tick.boards[player].as_deref().unwrap_or_default();
        let length = text.chars().count();
        if length != size.area() {
            return Err(format!(
                "the board has {length} characters, not {}",
                size.area()
            ));
        }
        let parsed = Board::parse_lenient(text, rules.alphabet);
        let (board, unknown) = parsed.map_err(|error| error.to_string())?;
        Ok(Heard {
            player,
            text,
            board,
            unknown: unknown.first().map(|unknown| unknown.glyph),
            mine: tick.cmd.get(player).and_then(Option::as_deref),
        })
    }
}

/// Boards that the client never saw between the tick `last` and this line: as the ticks' numbers tell, and as
/// the client thinks because the board came late. The latter is a guess, so that it is worth trying without it.
fn missed(last: u64, tick: &TickLine) -> (u64, u64) {
    let gap = tick.t.saturating_sub(last).saturating_sub(1);
    (gap, gap.max(u64::from(tick.late.unwrap_or(0))))
}

impl Explanation {
    /// With nothing to look at.
    fn of(kind: Kind, reason: String) -> Explanation {
        Explanation {
            kind,
            reason,
            difference: None,
            views: None,
        }
    }

    /// Of a board with so many missing ones before it.
    fn missed(missed: u64) -> Explanation {
        let boards = if missed == 1 {
            "board is"
        } else {
            "boards are"
        };
        Explanation::of(Kind::Missed, format!("{missed} {boards} missing before it"))
    }
}
