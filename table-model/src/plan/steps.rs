use std::cmp::Ordering;

use super::legal;
use crate::{Value, filter::Comparison, key};

/// Piecewise constant function of a key: each value applies from its start key up to the next start.
///
/// The first start is the empty key, starts are ascending, and adjacent values differ. Each function therefore has
/// exactly one representation, and its length is the number of changes plus one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Steps<T>(Vec<(String, T)>);

/// Set of keys.
pub(super) type KeySet = Steps<bool>;

impl<T: PartialEq> Steps<T> {
    /// Creates a constant function.
    pub(super) fn constant(value: T) -> Self {
        Self(vec![(String::new(), value)])
    }

    /// Creates a function with the value `first`, followed by each value from its start. Starts must not descend; of
    /// two values with the same start, the later one is used.
    pub(super) fn new(first: T, rest: impl IntoIterator<Item = (String, T)>) -> Self {
        let mut steps = Self::constant(first);
        for (start, value) in rest {
            steps.push(start, value);
        }
        steps
    }

    /// Appends `value` from `start`, which must not be below any previous start.
    pub(super) fn push(&mut self, start: String, value: T) {
        if self.0.last().is_some_and(|(last, _)| *last == start) {
            self.0.pop();
        }
        if self.0.last().is_none_or(|(_, last)| *last != value) {
            self.0.push((start, value));
        }
    }

    /// Iterates over the values with their key ranges: from the first key up to, but excluding, the second, or to the
    /// end.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>, &T)> {
        let ends = self.0.iter().skip(1).map(|(start, _)| Some(start.as_str())).chain([None]);
        self.0.iter().zip(ends).map(|((start, value), end)| (start.as_str(), end, value))
    }

    /// Iterates over the values of both functions at each start of either function.
    fn zip<'a, U>(&'a self, other: &'a Steps<U>) -> impl Iterator<Item = (&'a str, &'a T, &'a U)> {
        let mut left = self.0.iter().peekable();
        let mut right = other.0.iter().peekable();
        let (mut a, mut b) = (None, None);
        std::iter::from_fn(move || {
            let order = match (left.peek(), right.peek()) {
                (Some((left, _)), Some((right, _))) => key::compare(left, right),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            if order.is_le() {
                a = left.next();
            }
            if order.is_ge() {
                b = right.next();
            }
            let ((left_start, left), (right_start, right)) = (a?, b?);
            let start = if order.is_le() { left_start } else { right_start };
            Some((start.as_str(), left, right))
        })
    }

    /// Combines the values of two functions.
    pub(super) fn combine<U, V: PartialEq>(&self, other: &Steps<U>, join: impl Fn(&T, &U) -> V) -> Steps<V> {
        let mut steps = Steps(Vec::new());
        for (start, left, right) in self.zip(other) {
            let value = join(left, right);
            if steps.0.last().is_none_or(|(_, last)| *last != value) {
                steps.0.push((start.to_owned(), value));
            }
        }
        steps
    }

    /// Returns whether `test` is true for the two values at some key.
    pub(super) fn meets<U>(&self, other: &Steps<U>, test: impl Fn(&T, &U) -> bool) -> bool {
        self.zip(other).any(|(_, left, right)| test(left, right))
    }

    /// Maps each value.
    pub(super) fn map<U: PartialEq>(&self, image: impl Fn(&T) -> U) -> Steps<U> {
        let mut steps = Steps(Vec::new());
        for (start, value) in &self.0 {
            steps.push(start.clone(), image(value));
        }
        steps
    }
}

impl KeySet {
    /// Returns the keys that satisfy a comparison. A literal that is not a String is satisfied by all keys or by none,
    /// because the types differ.
    pub(super) fn of(operator: Comparison, literal: &Value) -> Self {
        let Value::String(bound) = literal else {
            return Self::constant(operator.holds(Some(Ordering::Less)));
        };
        let (at, exact) = legal::at_or_above(bound);
        let after = if exact { legal::next(&at) } else { at.clone() };
        let holds = |ordering| operator.holds(Some(ordering));
        Self::new(holds(Ordering::Less), [(at, holds(Ordering::Equal)), (after, holds(Ordering::Greater))])
    }

    /// Returns the keys from `lower` up to, but excluding, `upper`, or to the end.
    pub(super) fn between(lower: &str, upper: Option<&str>) -> Self {
        let end = upper.map(|upper| (upper.to_owned(), false));
        Self::new(false, [(lower.to_owned(), true)].into_iter().chain(end))
    }

    /// Iterates over the ranges of keys in the set, ascending.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.iter().filter(|(_, _, inside)| **inside).map(|(start, end, _)| (start, end))
    }

    /// Returns whether the set is empty.
    pub(super) fn is_empty(&self) -> bool {
        self.ranges().next().is_none()
    }

    /// Returns the bounds of the set; `None` for an empty set.
    pub(super) fn hull(&self) -> Option<(&str, Option<&str>)> {
        let (first, end) = self.ranges().next()?;
        Some((first, self.ranges().last().map_or(end, |(_, end)| end)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> KeySet {
        let (operator, literal) = text.split_once(' ').unwrap();
        let operator = Comparison::ALL.into_iter().find(|each| each.as_str() == operator).unwrap();
        KeySet::of(operator, &literal.into())
    }

    fn ranges(set: &KeySet) -> Vec<(&str, Option<&str>)> {
        set.ranges().collect()
    }

    #[test]
    fn a_comparison_is_a_set_of_keys() {
        assert_eq!(ranges(&set("eq b")), [("b", Some("b "))]);
        assert_eq!(ranges(&set("ne b")), [("", Some("b")), ("b ", None)]);
        assert_eq!(ranges(&set("lt b")), [("", Some("b"))]);
        assert_eq!(ranges(&set("le b")), [("", Some("b "))]);
        assert_eq!(ranges(&set("gt b")), [("b ", None)]);
        assert_eq!(ranges(&set("ge b")), [("b", None)]);
        assert_eq!(ranges(&set("lt ")), []);
        assert_eq!(ranges(&set("eq ")), [("", Some(" "))]);
        assert_eq!(set("ge "), KeySet::constant(true));
    }

    #[test]
    fn a_text_that_is_no_key_bounds_the_keys_around_it() {
        assert!(set("eq b/").is_empty());
        assert_eq!(set("ne b/"), KeySet::constant(true));
        assert_eq!(set("lt b/"), set("lt b0"));
        assert_eq!(set("le b/"), set("lt b0"));
        assert_eq!(set("gt b/"), set("ge b0"));
        assert_eq!(set("ge b\u{0}"), set("gt b"));
    }

    #[test]
    fn another_type_than_string_takes_all_or_none() {
        for operator in Comparison::ALL {
            let all = matches!(operator, Comparison::Ne | Comparison::Lt | Comparison::Le);
            assert_eq!(KeySet::of(operator, &5.into()), KeySet::constant(all));
        }
    }

    #[test]
    fn joining_keeps_the_one_form_of_a_function() {
        let and = |a: &KeySet, b: &KeySet| a.combine(b, |a, b| *a && *b);
        let or = |a: &KeySet, b: &KeySet| a.combine(b, |a, b| *a || *b);
        assert_eq!(and(&set("ge a"), &set("lt c")), KeySet::between("a", Some("c")));
        assert_eq!(or(&set("le b"), &set("gt b")), KeySet::constant(true));
        assert_eq!(or(&set("eq b"), &set("gt b")), set("ge b"));
        assert_eq!(and(&set("ne b"), &set("ge b")), set("gt b"));
        assert!(and(&set("lt b"), &set("gt b")).is_empty());
        assert_eq!(or(&set("eq b"), &set("eq d")).hull(), Some(("b", Some("d "))));
        // UTF-16 order: U+10000 is below U+E000.
        assert!(!and(&set("gt \u{10000}"), &set("lt \u{e000}")).is_empty());
        assert!(and(&set("gt \u{e000}"), &set("lt \u{10000}")).is_empty());
    }
}
