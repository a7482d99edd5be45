//! "Did you mean" suggestions: the nearest known word.

/// Returns the word of `known` nearest to `word`, if at most a third of the letters differ (one letter in short words).
/// Of several equally near words, the first is returned.
///
/// ```
/// use table_schema::suggest::closest;
///
/// assert_eq!(closest("partiton", ["name", "partition", "row"]), Some("partition"));
/// assert_eq!(closest("colour", ["name", "partition", "row"]), None);
/// ```
pub fn closest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let allowed = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the number of letters to insert, remove, replace or swap with a neighbor, ignoring case.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
    // Rows of the edit distance matrix: two back (for swaps), one back, and the current row.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut previous_left = None;
    for (row, &from) in left.iter().enumerate() {
        let mut now = vec![row + 1];
        let mut previous_right = None;
        for (column, &to) in right.iter().enumerate() {
            let at = |cells: &[usize], index: usize| cells.get(index).copied().unwrap_or(usize::MAX - 1);
            let change = at(&last, column) + usize::from(from != to);
            let mut best = change.min(at(&last, column + 1) + 1).min(at(&now, column) + 1);
            if previous_left == Some(to) && previous_right == Some(from) && column > 0 {
                best = best.min(at(&before, column - 1) + 1);
            }
            now.push(best);
            previous_right = Some(to);
        }
        before = std::mem::replace(&mut last, now);
        previous_left = Some(from);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_single_steps() {
        for (left, right, steps) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("tics", "ticks", 1),
            ("frist", "first", 1),
            ("kitten", "sitting", 3),
            ("Row", "row", 0),
        ] {
            assert_eq!(distance(left, right), steps, "{left} {right}");
        }
    }

    #[test]
    fn proposes_near_words_only() {
        assert_eq!(closest("departmnt", ["department", "id"]), Some("department"));
        assert_eq!(closest("tics", ["ord", "ticks", "inverted_ticks"]), Some("ticks"));
        assert_eq!(closest("x", ["id", "email"]), None);
        assert_eq!(closest("di", ["id", "do"]), Some("id"));
        assert_eq!(closest("", []), None);
    }
}
