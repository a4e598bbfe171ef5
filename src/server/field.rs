//! `Field`: what the server asks of a game. The server knows nothing else of the rules.

use crate::board::Alphabet;
use crate::record::{Header, TickLine};

/// A running game for any number of players, as the server drives it: joins and leaves between
/// ticks, one call a tick, one board a player.
///
/// Players are known by number: the first to join is 0, numbers are never reused.
pub trait Field: Send {
    /// How boards are spelt.
    fn alphabet(&self) -> Alphabet;

    /// How many players fit in at a time.
    fn capacity(&self) -> usize;

    /// A player joins; gives his number.
    ///
    /// # Errors
    /// A sentence for the log if he cannot.
    fn join(&mut self) -> Result<usize, String>;

    /// A player leaves. Unknown and gone players are ignored.
    fn leave(&mut self, player: usize);

    /// One tick. `texts[p]` holds what player `p` sent since the last one, message by message;
    /// players beyond its end sent nothing.
    fn tick(&mut self, texts: &[Vec<String>]);

    /// The board as this player sees it now, without `board=`; nothing if he is not here. Asked once a
    /// tick, in the order of numbers: in some dialects drawing is what finds a hero dead.
    fn board(&mut self, player: usize) -> Option<String>;

    /// His score.
    fn score(&self, player: usize) -> i64;

    /// The header of a game log that begins now.
    fn header(&self) -> Header;

    /// What the game did since the last call, for the log: `draws`, `ev` and `score` of a line.
    /// The server adds the rest.
    fn line(&mut self) -> TickLine;
}
