//! The beginning of a text, for messages: what was read may be of any length.

/// The beginning of a text for a message to a person: at most `limit` characters, on one line.
pub fn excerpt(text: &str, limit: usize) -> String {
    let mut short: String = text
        .chars()
        .take(limit)
        .map(|symbol| if symbol.is_control() { ' ' } else { symbol })
        .collect();
    if text.chars().nth(limit).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_one_short_line() {
        assert_eq!(excerpt("ab\ncd", 10), "ab cd");
        assert_eq!(excerpt("☼☼☼☼", 2), "☼☼...");
    }
}
