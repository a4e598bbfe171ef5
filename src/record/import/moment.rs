//! Times of day as recordings write them, in milliseconds. Only differences matter to an import, so a time
//! without a zone is taken as if it had one.

/// The first time of the form `2026-11-30T03:55:34.181+0000` (or with a blank for the `T`, a comma for the
/// point, without fraction or zone) in a text: milliseconds since 1970, and where it ends.
pub(super) fn find(text: &str) -> Option<(i64, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + SHORTEST <= bytes.len() {
        if let Some((moment, length)) = read(&bytes[at..]) {
            return Some((moment, at + length));
        }
        at += 1;
    }
    None
}

/// Length of `2026-11-30T03:55:34`.
const SHORTEST: usize = 19;

/// The time at the very start of a text, and its length in bytes.
fn read(bytes: &[u8]) -> Option<(i64, usize)> {
    let number = |from: usize, digits: usize| -> Option<i64> {
        let mut value = 0;
        for byte in bytes.get(from..from + digits)? {
            value = value * 10 + i64::from(byte.is_ascii_digit().then(|| byte - b'0')?);
        }
        Some(value)
    };
    let is = |at: usize, any: &[u8]| bytes.get(at).is_some_and(|byte| any.contains(byte));
    if !(is(4, b"-") && is(7, b"-") && is(10, b"T ") && is(13, b":") && is(16, b":")) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
    let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 {
        return None;
    }
    let mut end = SHORTEST;
    let mut millis = 0;
    if is(end, b".,") && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end += 1;
        let mut worth = 100;
        while let Some(digit) = bytes.get(end).filter(|byte| byte.is_ascii_digit()) {
            millis += worth * i64::from(digit - b'0');
            worth /= 10;
            end += 1;
        }
    }
    let mut zone = 0;
    if is(end, b"Zz") {
        end += 1;
    } else if is(end, b"+-") {
        let sign = if is(end, b"-") { -1 } else { 1 };
        let colon = usize::from(is(end + 3, b":"));
        if let (Some(hours), Some(minutes)) = (number(end + 1, 2), number(end + 3 + colon, 2)) {
            zone = sign * (hours * 60 + minutes);
            end += 5 + colon;
        }
    }
    let seconds = (days(year, month, day) * 24 + hour) * 3600 + (minute - zone) * 60 + second;
    Some((seconds * 1000 + millis, end))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar: years counted from March, so that the leap day
/// comes last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_forms_that_servers_and_clients_write() {
        assert_eq!(find("1970-01-01T00:00:00"), Some((0, 19)));
        assert_eq!(
            find("2026-11-30T03:55:34.181+0000"),
            Some((1_796_010_934_181, 28))
        );
        assert_eq!(
            find("[INFO] 2026-11-30 04:55:34,181+01:00 board="),
            Some((1_796_010_934_181, 36))
        );
        assert_eq!(find("2000-02-29T12:00:00Z"), Some((951_825_600_000, 20)));
        for text in [
            "",
            "03:55:34",
            "2026-13-30T03:55:34",
            "2026-11-30T3:55:34.1",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
