//! `pair`: which remembered body stands in which seen place, as cheaply as possible, so that no seen place is left
//! without a body. Several bodies may share a place. Knows nothing of monsters or rules.

/// For each body the places it may be in, with the cost of each (a negative logarithm of a probability).
pub(super) type Options = Vec<Vec<(usize, f64)>>;

/// Gives every body with options a place. Places `0..required` want at least one body each; those from there up to
/// `places` want none. Starts from the cheapest place of each body and mends what is left empty along cheapest
/// chains of changes; if bodies do not suffice, which places stay empty is left to their order.
pub(super) fn pair(options: &Options, required: usize, places: usize) -> Vec<Option<usize>> {
    let mut chosen: Vec<Option<usize>> = options
        .iter()
        .map(|body| cheapest(body).map(|(place, _)| place))
        .collect();
    let mut count = vec![0u32; places];
    for &place in chosen.iter().flatten() {
        count[place] += 1;
    }
    for empty in 0..required {
        if count[empty] == 0 {
            mend(options, required, &mut chosen, &mut count, empty);
        }
    }
    chosen
}

fn cheapest(body: &[(usize, f64)]) -> Option<(usize, f64)> {
    body.iter()
        .copied()
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
}

/// Cost of a body in a place; `None` if it cannot be there.
fn cost(body: &[(usize, f64)], place: usize) -> Option<f64> {
    body.iter()
        .find(|&&(other, _)| other == place)
        .map(|&(_, cost)| cost)
}

/// Moves bodies along the cheapest chain that fills `empty` and empties no required place. Leaves everything as it
/// is if there is none.
fn mend(
    options: &Options,
    required: usize,
    chosen: &mut [Option<usize>],
    count: &mut [u32],
    empty: usize,
) {
    // Shortest paths from the empty place over "body b moves from its place to here"; some edges may be negative.
    let mut distance = vec![f64::INFINITY; count.len()];
    let mut mover: Vec<Option<(usize, usize)>> = vec![None; count.len()];
    distance[empty] = 0.0;
    for _ in 0..count.len() {
        let mut changed = false;
        for (body, options) in options.iter().enumerate() {
            let Some(from) = chosen[body] else { continue };
            let Some(here) = cost(options, from) else {
                continue;
            };
            for &(to, there) in options {
                let length = distance[to] + there - here;
                if to != from && from != empty && length + 1e-9 < distance[from] {
                    distance[from] = length;
                    mover[from] = Some((body, to));
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let spare = (0..count.len())
        .filter(|&place| distance[place].is_finite() && place != empty)
        .filter(|&place| count[place] > u32::from(place < required))
        .min_by(|&a, &b| distance[a].total_cmp(&distance[b]));
    let Some(mut place) = spare else { return };
    // Along a chain every place is left once; the bound guards against a cycle of rounding errors.
    for _ in 0..count.len() {
        let Some((body, to)) = mover[place] else {
            return;
        };
        chosen[body] = Some(to);
        count[place] -= 1;
        count[to] += 1;
        if to == empty {
            return;
        }
        place = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All assignments, the cheapest that fills most required places.
    fn brute(options: &Options, required: usize, chosen: &mut Vec<usize>) -> (usize, f64) {
        if chosen.len() == options.len() {
            let empty = (0..required)
                .filter(|place| !chosen.contains(place))
                .count();
            let total = chosen
                .iter()
                .zip(options)
                .map(|(&place, body)| cost(body, place).expect("chosen from the options"))
                .sum();
            return (empty, total);
        }
        let mut best = (usize::MAX, f64::INFINITY);
        for &(place, _) in &options[chosen.len()] {
            chosen.push(place);
            let found = brute(options, required, chosen);
            chosen.pop();
            if found.0 < best.0 || (found.0 == best.0 && found.1 < best.1) {
                best = found;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn is_as_cheap_as_trying_everything(
            bodies in prop::collection::vec(prop::collection::btree_map(0usize..5, 0u8..20, 1..4), 1..6),
            required in 0usize..5,
        ) {
            let options: Options = bodies
                .iter()
                .map(|body| body.iter().map(|(&place, &cost)| (place, f64::from(cost))).collect())
                .collect();
            let found = pair(&options, required, 5);
            let chosen: Vec<usize> = found.iter().map(|place| place.expect("has options")).collect();
            let empty = (0..required).filter(|place| !chosen.contains(place)).count();
            let total: f64 = chosen.iter().zip(&options).map(|(&place, body)| cost(body, place).expect("an option")).sum();
            let (best_empty, best_total) = brute(&options, required, &mut Vec::new());
            prop_assert_eq!(empty, best_empty);
            if empty == 0 {
                prop_assert!((total - best_total).abs() < 1e-6, "{} {}", total, best_total);
            }
        }
    }

    #[test]
    fn a_body_without_options_gets_no_place() {
        assert_eq!(pair(&vec![vec![], vec![(0, 1.0)]], 1, 1), [None, Some(0)]);
    }
}
