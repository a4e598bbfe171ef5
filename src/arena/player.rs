//! `Player`: who decides for a hero of a match, and what he may look at.

use std::borrow::Cow;
use std::sync::Arc;

use super::fault::Trouble;
use crate::board::{Action, Board};
use crate::bot::{Answer, Bot, Greedy, Limit, Random, Teleporter, Walker};
use crate::sim::{Game, HeroId, PlayerNumber, Rules, State};

/// The field as one player sees it: the board that a server would send him. The simple built-in bots look
/// at the state itself.
#[derive(Clone, Copy)]
pub struct View<'a> {
    game: &'a Game,
    number: PlayerNumber,
}

impl<'a> View<'a> {
    /// The view of this player.
    pub fn new(game: &'a Game, number: PlayerNumber) -> View<'a> {
        View { game, number }
    }

    /// His board after the last tick.
    pub fn board(&self) -> Board {
        let drawn = self.game.board(self.number);
        // Nobody leaves a match.
        drawn.unwrap_or_else(|| Board::empty(self.game.state().size()))
    }

    /// The board's text as on the wire, without `board=`.
    pub fn text(&self) -> String {
        self.board().render(self.rules().alphabet)
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'a Arc<Rules> {
        self.game.state().rules()
    }

    /// The field with all that is hidden.
    pub fn state(&self) -> &'a State {
        self.game.state()
    }

    /// His hero, dead or alive; `None` before the first one.
    pub fn hero(&self) -> Option<HeroId> {
        self.game.players().get(self.number.0)?.hero
    }
}

/// Decides for one hero in one game.
pub trait Player {
    /// The text of his answer to the present board; empty for "do nothing".
    ///
    /// # Errors
    /// What is wrong with him. Unless it is a trifle he is not asked again in this game.
    fn decide(&mut self, view: &View<'_>) -> Result<Cow<'static, str>, Trouble>;
}

/// lodebot itself, which sees boards only. Bounded by depth and nodes, never by a clock.
pub(super) struct Searching {
    bot: Bot,
    sent: Option<Answer>,
}

impl Searching {
    pub(super) fn new(bot: Bot) -> Searching {
        Searching { bot, sent: None }
    }
}

impl Player for Searching {
    fn decide(&mut self, view: &View<'_>) -> Result<Cow<'static, str>, Trouble> {
        let decision = self
            .bot
            .decide_board(&view.board(), self.sent, Limit::default());
        self.sent = Some(decision.answer);
        Ok(decision.answer.wire().into())
    }
}

/// The bots that look at the state itself.
pub(super) enum Simple {
    Greedy(Greedy),
    Teleporter(Teleporter),
    Walker(Walker),
    Random(Random),
}

impl Player for Simple {
    fn decide(&mut self, view: &View<'_>) -> Result<Cow<'static, str>, Trouble> {
        let Some(hero) = view.hero() else {
            return Ok(Action::Stay.wire().into());
        };
        let state = view.state();
        let answer = match self {
            Simple::Greedy(bot) => Answer::Act(bot.decide(state, hero)),
            Simple::Teleporter(bot) => bot.decide(state, hero),
            Simple::Walker(bot) => Answer::Act(bot.decide(state, hero)),
            Simple::Random(bot) => Answer::Act(bot.decide(state, hero)),
        };
        Ok(answer.wire().into())
    }
}
