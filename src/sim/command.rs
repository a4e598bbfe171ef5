//! What a player said in one tick: the words that the server finds in a client's text.
//!
//! Reads the command grammar of the servers (the table of `PROTOCOL` section 5, `RULES` section 4):
//! the words `left`, `right`, `up`, `down`, `act(..)` and `message(..)` are *searched* anywhere in
//! the text, in any case, and everything else is skipped, so no text is ever an error. The reader
//! walks once over the text (the originals' pattern can be made to backtrack for ever) and never
//! allocates for texts of up to [`Command::INLINE`] words.
//!
//! Not here: what a word does to a hero (the dialect's stage does that) and how a bot's action is
//! written (`board`).

use arrayvec::ArrayVec;

/// The numbers in the brackets of `act(..)`, as far as any dialect looks at them.
///
/// Classic and the 2021 dialects ask for "exactly one number, and it is 0", clifford for the first
/// number only; so the count and the first number are all that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Arguments {
    count: u16,
    first: i32,
}

impl Arguments {
    /// `act` or `act()`: no number.
    pub const NONE: Self = Self { count: 0, first: 0 };

    /// `act(number)`.
    pub const fn one(number: i32) -> Self {
        Self {
            count: 1,
            first: number,
        }
    }

    /// How many numbers there were (a count that no message can hold stops at 65 535).
    pub const fn count(self) -> u16 {
        self.count
    }

    /// The first number, if there was one: clifford's only question.
    pub const fn first(self) -> Option<i32> {
        if self.count == 0 {
            None
        } else {
            Some(self.first)
        }
    }

    /// The number if it stands alone: the question of classic and the 2021 dialects.
    pub const fn only(self) -> Option<i32> {
        if self.count == 1 {
            Some(self.first)
        } else {
            None
        }
    }
}

/// One recognised word. `message(..)` is read over and never handed out: no rule looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// `left`
    Left,
    /// `right`
    Right,
    /// `up`
    Up,
    /// `down`
    Down,
    /// `act`, with the numbers of its brackets.
    Act(Arguments),
}

impl Word {
    const fn is_act(self) -> bool {
        matches!(self, Self::Act(_))
    }
}

/// How a generation of servers reads the text: plain data, one value per generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grammar {
    /// Only the last direction and the last `act` of a tick count (1.0.26); otherwise all words
    /// are applied in their order.
    pub fold: bool,
    /// `act()` and `act(,)` mean `act`; otherwise the token is dropped (1.0.26).
    pub empty_list: bool,
    /// A text of more characters is dropped as a whole, if there is such a limit.
    pub longest: Option<usize>,
}

impl Grammar {
    /// Server 1.0.26.
    pub const FOLD: Self = Self {
        fold: true,
        empty_list: false,
        longest: None,
    };
    /// Server 1.0.28.
    pub const QUEUE: Self = Self {
        fold: false,
        empty_list: true,
        longest: None,
    };
    /// The dialects of 2021 and later: only messages shorter than 100 characters are read.
    pub const QUEUE_SHORT: Self = Self {
        fold: false,
        empty_list: true,
        longest: Some(99),
    };
}

/// All words of one player in one tick, in the order in which they are applied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    inline: ArrayVec<Word, { Command::INLINE }>,
    /// Words beyond the inline ones; stays unallocated for every ordinary text.
    rest: Vec<Word>,
}

impl Command {
    /// Words held without an allocation.
    pub const INLINE: usize = 4;

    /// No words: "do nothing".
    pub const fn new() -> Self {
        Self {
            inline: ArrayVec::new_const(),
            rest: Vec::new(),
        }
    }

    /// The words of a single text.
    pub fn parse(text: &str, grammar: &Grammar) -> Self {
        let mut command = Self::new();
        command.read(text, grammar);
        command
    }

    /// Adds the words of one more text of the same tick (a player may have several sockets).
    pub fn read(&mut self, text: &str, grammar: &Grammar) {
        for word in words(text, grammar) {
            self.push(word, grammar);
        }
    }

    /// Adds one word the way the generation does: behind the others, or in place of its kind.
    pub fn push(&mut self, word: Word, grammar: &Grammar) {
        if grammar.fold {
            // At most one `act` and one direction remain, the later of the two behind. Whether a
            // direction before *and* after counts as first makes no difference to this game.
            self.inline.retain(|kept| kept.is_act() != word.is_act());
        }
        // Without folding the inline words never shrink, so order is kept once they are full.
        if let Err(full) = self.inline.try_push(word) {
            self.rest.push(full.element());
        }
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = Word> + '_ {
        self.inline.iter().chain(&self.rest).copied()
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.inline.len() + self.rest.len()
    }

    /// Whether nothing was recognised: the hero idles.
    pub fn is_empty(&self) -> bool {
        self.inline.is_empty()
    }

    /// Forgets the words; called when they have been applied.
    pub fn clear(&mut self) {
        self.inline.clear();
        self.rest.clear();
    }
}

impl FromIterator<Word> for Command {
    /// A queue of these words, as a test or a bot writes it.
    fn from_iter<I: IntoIterator<Item = Word>>(words: I) -> Self {
        let mut command = Self::new();
        for word in words {
            command.push(word, &Grammar::QUEUE);
        }
        command
    }
}

/// The words found in `text`, from left to right, before any folding.
pub fn words<'a>(text: &'a str, grammar: &Grammar) -> Words<'a> {
    let dropped = grammar
        .longest
        .is_some_and(|longest| text.chars().nth(longest).is_some());
    let bytes = if dropped { &[][..] } else { text.as_bytes() };
    Words {
        bytes,
        at: 0,
        empty_list: grammar.empty_list,
        last_close: bytes.windows(2).rposition(|pair| pair == b"')"),
    }
}

/// Iterator over the words of a text; see [`words`].
#[derive(Debug, Clone)]
pub struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    empty_list: bool,
    /// Place of the last `')` of the text: what closes every `message('`.
    last_close: Option<usize>,
}

/// What stands behind `act`.
enum List {
    /// No bracket that can be read as a list: plain `act`, and the scan goes on behind the word.
    Absent,
    /// A list of numbers, and the place behind its bracket.
    Numbers(Arguments, usize),
    /// A list that cannot be a list of numbers; the token is dropped up to this place.
    Unreadable(usize),
}

impl Words<'_> {
    fn starts(&self, word: &[u8]) -> bool {
        let end = self.at + word.len();
        end <= self.bytes.len() && self.bytes[self.at..end].eq_ignore_ascii_case(word)
    }

    /// Reads `(1,-2,..)` from `start`. Only digits, minus signs, commas and blanks beside commas
    /// belong to a list.
    fn list(&self, start: usize) -> List {
        if self.bytes.get(start) != Some(&b'(') {
            return List::Absent;
        }
        let mut end = start + 1;
        let mut blanks_need_comma = false;
        // Blanks before the first symbol and after the last one must touch a comma too.
        let mut last_symbol = b'(';
        loop {
            match self.bytes.get(end) {
                Some(b')') if !blanks_need_comma => break,
                Some(b',') => {
                    blanks_need_comma = false;
                    last_symbol = b',';
                }
                Some(b' ') => blanks_need_comma |= last_symbol != b',',
                Some(digit @ (b'0'..=b'9' | b'-')) if !blanks_need_comma => last_symbol = *digit,
                _ => return List::Absent,
            }
            end += 1;
        }
        let inside = &self.bytes[start + 1..end];
        let behind = end + 1;
        // Commas at the end are forgiven, at the beginning and in the middle they are not.
        let last = inside
            .iter()
            .rposition(|&byte| byte != b',' && byte != b' ');
        let Some(last) = last else {
            return if self.empty_list {
                List::Numbers(Arguments::NONE, behind)
            } else {
                List::Unreadable(behind)
            };
        };
        let mut arguments = Arguments::NONE;
        for number in inside[..=last].split(|&byte| byte == b',') {
            let text = std::str::from_utf8(number.trim_ascii()).unwrap_or_default();
            let Ok(value) = text.parse::<i32>() else {
                return List::Unreadable(behind);
            };
            if arguments.count == 0 {
                arguments.first = value;
            }
            arguments.count = arguments.count.saturating_add(1);
        }
        List::Numbers(arguments, behind)
    }

    /// The place behind `message` or `message('..')`, greedy up to the last `')` of the text.
    fn behind_message(&self) -> usize {
        let behind_word = self.at + b"message".len();
        if !self.bytes[behind_word..].starts_with(b"('") {
            return behind_word;
        }
        match self.last_close {
            Some(close) if close >= behind_word + 2 => close + 2,
            _ => behind_word,
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        while self.at < self.bytes.len() {
            // Skipping by the first letter keeps garbage of 64 KiB cheap.
            let (word, length) = match self.bytes[self.at].to_ascii_lowercase() {
                b'l' if self.starts(b"left") => (Word::Left, 4),
                b'r' if self.starts(b"right") => (Word::Right, 5),
                b'u' if self.starts(b"up") => (Word::Up, 2),
                b'd' if self.starts(b"down") => (Word::Down, 4),
                b'a' if self.starts(b"act") => match self.list(self.at + 3) {
                    List::Absent => (Word::Act(Arguments::NONE), 3),
                    List::Numbers(arguments, behind) => (Word::Act(arguments), behind - self.at),
                    List::Unreadable(behind) => {
                        self.at = behind;
                        continue;
                    }
                },
                b'm' if self.starts(b"message") => {
                    self.at = self.behind_message();
                    continue;
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            self.at += length;
            return Some(word);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Word::{Act, Down, Left, Right, Up};

    const ACT: Word = Act(Arguments::NONE);

    fn queue(text: &str) -> Vec<Word> {
        Command::parse(text, &Grammar::QUEUE).iter().collect()
    }

    fn fold(text: &str) -> Vec<Word> {
        Command::parse(text, &Grammar::FOLD).iter().collect()
    }

    #[test]
    fn words_are_found_anywhere_in_any_case_with_any_separator() {
        for text in [
            "act,left",
            "act left",
            "act;left",
            "actleft",
            "ACT, Left",
            "Direction.ACT{left",
        ] {
            assert_eq!(queue(text), [ACT, Left], "{text}");
        }
        assert_eq!(queue("RIGHTLEFT"), [Right, Left]);
        assert_eq!(queue("LEFT , ACT"), [Left, ACT]);
    }

    #[test]
    fn words_inside_other_words_count() {
        assert_eq!(queue("factory"), [ACT]);
        assert_eq!(queue("update"), [Up]);
        assert_eq!(queue("upleft"), [Up, Left]);
        assert_eq!(queue("cleft"), [Left]);
        assert_eq!(queue("UPPER FACT"), [Up, ACT]);
    }

    #[test]
    fn anything_else_is_a_valid_answer_without_words() {
        for text in [
            "", "stop", "NULL", "xyz", "лефт", "lеft", "ac t", "le", "ac", "u", "\u{0}\n",
        ] {
            assert_eq!(queue(text), [], "{text:?}");
            assert_eq!(fold(text), [], "{text:?}");
        }
    }

    /// The rows of the table for the number lists: text, 1.0.26, 1.0.28.
    #[test]
    fn number_lists_as_in_the_table() {
        let one = |number| vec![Act(Arguments::one(number))];
        let none = || vec![ACT];
        let rows: &[(&str, Vec<Word>, Vec<Word>)] = &[
            ("act", none(), none()),
            ("act()", vec![], none()),
            ("act(,)", vec![], none()),
            ("act( , )", vec![], none()),
            ("act(0)", one(0), one(0)),
            ("act(00)", one(0), one(0)),
            ("act(-0)", one(0), one(0)),
            ("act(0,)", one(0), one(0)),
            ("act(0 ,)", one(0), one(0)),
            ("act(1,)", one(1), one(1)),
            ("act(1,,)", one(1), one(1)),
            ("act(-5)", one(-5), one(-5)),
            ("act(,1)", vec![], vec![]),
            ("act(,0)", vec![], vec![]),
            ("act(1,,2)", vec![], vec![]),
            ("act(-)", vec![], vec![]),
            ("act(1-2)", vec![], vec![]),
            ("act(99999999999)", vec![], vec![]),
            ("act( 1,2)", none(), none()),
            ("act(1 )", none(), none()),
            ("act (1)", none(), none()),
            ("act(a)", none(), none()),
            ("act(+1)", none(), none()),
            ("act(0", none(), none()),
            ("act( 0)", none(), none()),
            ("act(1)(2)", one(1), one(1)),
        ];
        for (text, folded, queued) in rows {
            assert_eq!(&fold(text), folded, "{text} on 1.0.26");
            assert_eq!(&queue(text), queued, "{text} on 1.0.28");
        }
    }

    #[test]
    fn a_bad_list_drops_only_its_own_token() {
        assert_eq!(queue("act(-),left"), [Left]);
        assert_eq!(queue("act(,0)up"), [Up]);
        assert_eq!(queue("act(a left"), [ACT, Left]);
    }

    #[test]
    fn first_number_and_only_number() {
        let Some(Act(arguments)) = queue("act(0 , 1)").first().copied() else {
            panic!("act(0 , 1) is an act");
        };
        assert_eq!(arguments.first(), Some(0));
        assert_eq!(arguments.only(), None);
        assert_eq!(arguments.count(), 2);
        assert_eq!(Arguments::one(7).only(), Some(7));
        assert_eq!(Arguments::NONE.first(), None);
    }

    #[test]
    fn a_message_swallows_up_to_the_last_close() {
        assert_eq!(queue("message('LEFT')"), []);
        assert_eq!(queue("message('left'),right,message('up')down"), [Down]);
        assert_eq!(queue("up,message('x') left"), [Up, Left]);
        assert_eq!(queue("message(\"left\")"), [Left]);
        assert_eq!(queue("message('left"), [Left]);
        assert_eq!(queue("message(')left"), [Left]);
        assert_eq!(queue("message left"), [Left]);
    }

    #[test]
    fn the_old_server_folds_a_tick_into_one_direction_and_one_act() {
        assert_eq!(fold("left,act"), [Left, ACT]);
        assert_eq!(fold("act,left"), [ACT, Left]);
        assert_eq!(fold("left,act,right"), [ACT, Right]);
        assert_eq!(fold("left,down"), [Down]);
        assert_eq!(fold("act(1),act(0),left"), [Act(Arguments::one(0)), Left]);
        let mut command = Command::parse("left", &Grammar::FOLD);
        command.read("act,up", &Grammar::FOLD);
        assert_eq!(command.iter().collect::<Vec<_>>(), [ACT, Up]);
    }

    #[test]
    fn the_later_servers_queue_all_words() {
        let text = "left,right,up,down,act,act(0),left";
        let command = Command::parse(text, &Grammar::QUEUE);
        assert_eq!(
            command.iter().collect::<Vec<_>>(),
            [Left, Right, Up, Down, ACT, Act(Arguments::one(0)), Left]
        );
        assert_eq!(command.len(), 7);
        assert!(!command.is_empty());
    }

    #[test]
    fn texts_of_a_hundred_characters_are_dropped_since_2021() {
        let ninety_nine = format!("left{}", "ж".repeat(95));
        let hundred = format!("left{}", "ж".repeat(96));
        assert_eq!(words(&ninety_nine, &Grammar::QUEUE_SHORT).count(), 1);
        assert_eq!(words(&hundred, &Grammar::QUEUE_SHORT).count(), 0);
        assert_eq!(words(&hundred, &Grammar::QUEUE).count(), 1);
    }

    /// The texts on which the originals' pattern takes seconds or for ever.
    #[test]
    fn the_longest_texts_take_linear_time() {
        let started = std::time::Instant::now();
        for text in [
            format!("act({}x", "1".repeat(65_000)),
            "act(1".repeat(13_000),
            "act(".repeat(16_000),
            "message('".repeat(7_000),
            "m".repeat(65_000),
            format!("{}')", "message('".repeat(7_000)),
            format!("act({})", "1,".repeat(32_000)),
        ] {
            let _ = Command::parse(&text, &Grammar::QUEUE);
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(2));
    }
}
