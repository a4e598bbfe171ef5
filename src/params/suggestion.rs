//! "Did you mean": the known name that looks most like a mistyped one.

/// The candidate with the fewest edits from `typed`, if few enough that a slip is likely; the first of
/// equally near ones.
pub fn nearest_name<'a>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let typed: Vec<char> = typed.to_lowercase().chars().take(100).collect();
    let allowed = (typed.len() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (edits(&typed, &candidate.to_lowercase()), candidate))
        .filter(|&(edits, _)| edits <= allowed)
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// Least number of insertions, deletions, replacements and swaps of neighbours that turn one into the
/// other (no part edited twice).
fn edits(typed: &[char], candidate: &str) -> usize {
    let candidate: Vec<char> = candidate.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=candidate.len()).collect();
    for (i, &t) in typed.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &c) in candidate.iter().enumerate() {
            let mut best = (last[j] + usize::from(t != c))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && t == candidate[j - 1] && typed[i - 1] == c {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[candidate.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        let edits = |a: &str, b: &str| edits(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("dpeth", "depth"), 1);
        assert_eq!(edits("same", "same"), 0);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["depth", "death", "gold"];
        assert_eq!(nearest_name("dept", names), Some("depth"));
        assert_eq!(nearest_name("DEATH", names), Some("death"));
        assert_eq!(nearest_name("glod", names), Some("gold"));
        assert_eq!(nearest_name("inflation", names), None);
        assert_eq!(nearest_name("", names), None);
    }
}
