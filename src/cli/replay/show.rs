//! `lodebot replay show`: stepping through a recorded game with keys, or one of its boards as text.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use console::{Key, Term};

use super::choice::Choice;
use crate::cli::params::ParamsArgs;
use crate::cli::{Outcome, Run, print};
use crate::params::Params;
use crate::replay::{Look, Overlay, Seat, Show as Shown, UnknownOverlay};

/// Step through a recorded game in the terminal
#[derive(clap::Args, Debug)]
#[command(
    long_about = "Steps through a recorded game in the terminal. Without a terminal, or with --tick, prints one \
                  board as text.\n\n\
                  Keys: right, space, n  next board; left, p  the one before; down, up  ten further or back; \
                  home, end  first, last; digits and enter  that tick; o  next overlay (value map, reach of \
                  the monsters, the bot's line, the watchdogs); a  ASCII; q, escape  end."
)]
pub(super) struct Show {
    #[command(flatten)]
    choice: Choice,
    /// Print the board of this tick and end
    #[arg(long, value_name = "N")]
    tick: Option<u64>,
    /// Lay over the board: none, value, reach (ticks of the nearest monster), line (a, b, c ..), watchdog
    /// (how often the hero was in a cell in the last 20 boards)
    #[arg(long, default_value = "none", value_parser = parse_overlay)]
    overlay: Overlay,
    /// ASCII only
    #[arg(long)]
    ascii: bool,
    #[command(flatten)]
    params: ParamsArgs,
}

fn parse_overlay(name: &str) -> Result<Overlay, UnknownOverlay> {
    name.parse()
}

impl Show {
    pub(super) fn run(self) -> Run {
        let params = self.params.resolve()?;
        let seat = self.choice.seat()?;
        let look = Look {
            ascii: self.ascii,
            overlay: self.overlay,
        };
        let start = match self.tick {
            Some(t) => seat.index_of(t)?,
            None => 0,
        };
        let keys = self.choice.file.as_os_str() != "-" && io::stdin().is_terminal();
        if self.tick.is_none() && keys && io::stdout().is_terminal() {
            step(&seat, &params, look, start)?;
        } else {
            print(&Shown::new(&seat, &params).text(start, look))?;
        }
        Ok(Outcome::Good)
    }
}

/// What a key does.
enum Step {
    To(usize),
    Redraw,
    End,
}

/// Reads keys until the end is wished.
fn step(seat: &Seat, params: &Params, mut look: Look, mut index: usize) -> io::Result<()> {
    let term = Term::stdout();
    let mut shown = Shown::new(seat, params);
    let mut digits = String::new();
    term.hide_cursor()?;
    let ended = loop {
        let mut text = shown.text(index, look);
        let _ = writeln!(text, "overlay {}; {digits}", look.overlay.name());
        if let Err(error) = term.clear_screen().and_then(|()| term.write_str(&text)) {
            break Err(error);
        }
        let key = match term.read_key() {
            Ok(key) => key,
            Err(error) => break Err(error),
        };
        match pressed(&key, seat, index, &mut look, &mut digits) {
            Step::To(next) => index = next.min(seat.turns.len() - 1),
            Step::Redraw => {}
            Step::End => break Ok(()),
        }
    };
    term.show_cursor()?;
    ended
}

fn pressed(key: &Key, seat: &Seat, index: usize, look: &mut Look, digits: &mut String) -> Step {
    let wished = std::mem::take(digits);
    match key {
        Key::ArrowRight | Key::Char(' ' | 'n' | 'l') => Step::To(index + 1),
        Key::ArrowLeft | Key::Char('p' | 'h') => Step::To(index.saturating_sub(1)),
        Key::ArrowDown | Key::PageDown => Step::To(index + 10),
        Key::ArrowUp | Key::PageUp => Step::To(index.saturating_sub(10)),
        Key::Home | Key::Char('g') => Step::To(0),
        Key::End | Key::Char('G') => Step::To(usize::MAX),
        Key::Enter => match wished.parse().ok().and_then(|t| seat.index_of(t).ok()) {
            Some(found) => Step::To(found),
            None => Step::Redraw,
        },
        Key::Char('o') => {
            look.overlay = look.overlay.next();
            Step::Redraw
        }
        Key::Char('a') => {
            look.ascii = !look.ascii;
            Step::Redraw
        }
        Key::Char(digit) if digit.is_ascii_digit() => {
            *digits = wished + &digit.to_string();
            digits.truncate(9);
            Step::Redraw
        }
        Key::Char('q') | Key::Escape | Key::CtrlC | Key::Unknown => Step::End,
        _ => Step::Redraw,
    }
}
