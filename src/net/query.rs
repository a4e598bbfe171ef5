//! Names and values as they stand in an address behind `?` and in a posted form.
//!
//! Not here: the addresses of players (`link`).

use url::form_urlencoded;

/// The pairs of `text` in order, percent-decoded, a plus sign read as a blank. Never fails: bytes that
/// are no UTF-8 become replacement characters.
pub fn pairs(text: &str) -> Vec<(String, String)> {
    form_urlencoded::parse(text.as_bytes())
        .into_owned()
        .collect()
}

/// The first value under `name`, if there is one.
pub fn value<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs
        .iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.as_str())
}

/// A path segment percent-decoded. A plus sign in a path is a plus sign.
pub fn decode_segment(segment: &str) -> String {
    let literal = segment
        .replace('+', "%2B")
        .replace('&', "%26")
        .replace('=', "%3D");
    form_urlencoded::parse(literal.as_bytes())
        .next()
        .map_or_else(String::new, |(text, _)| text.into_owned())
}

/// `text` as it may stand in a path or a value.
pub fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_encoding_and_decoding() {
        for text in [
            "plain",
            "stan.smith@mail.org",
            "a b|c&d=e+f%g",
            "Имя Фамилия",
            "",
        ] {
            assert_eq!(decode_segment(&encode(text)), text);
            let query = format!("x=1&name={}&name=second", encode(text));
            assert_eq!(value(&pairs(&query), "name"), Some(text));
        }
        assert_eq!(value(&pairs("a=1"), "b"), None);
        assert_eq!(decode_segment("a+b%40c"), "a+b@c");
    }
}
