use std::mem;

use super::Filter;
use crate::Value;

impl Filter {
    /// Converts to the equivalent normal form. Conjunctions and disjunctions are flat and have at least two parts,
    /// `not` is never applied to a `not` or a constant, a constant is never part of another condition, and every NaN
    /// has the same bits. Parsed and printed filters are in normal form.
    ///
    /// ```
    /// use table_model::Filter;
    ///
    /// let filter = Filter::And(vec![Filter::And(vec![Filter::eq("A", 1)]), Filter::Constant(true)]);
    /// assert_eq!(filter.normalized(), Filter::eq("A", 1));
    /// ```
    #[must_use]
    pub fn normalized(mut self) -> Self {
        match &mut self {
            Self::Compare { value: Value::Double(number), .. } if number.is_nan() => {
                *number = f64::NAN;
                self
            }
            Self::Compare { .. } | Self::Flag(_) | Self::Constant(_) => self,
            Self::And(parts) => join(mem::take(parts), true),
            Self::Or(parts) => join(mem::take(parts), false),
            Self::Not(inner) => match mem::replace(&mut **inner, Self::Constant(true)).normalized() {
                Self::Constant(holds) => Self::Constant(!holds),
                other => other.not(),
            },
        }
    }
}

/// Joins parts with `and` (`neutral` is true) or with `or` (`neutral` is false).
fn join(parts: Vec<Filter>, neutral: bool) -> Filter {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        let mut part = part.normalized();
        match (&mut part, neutral) {
            (Filter::Constant(holds), _) if *holds == neutral => {}
            (Filter::Constant(holds), _) => return Filter::Constant(*holds),
            (Filter::And(inner), true) | (Filter::Or(inner), false) => flat.append(inner),
            _ => flat.push(part),
        }
    }
    match flat.pop() {
        None => Filter::Constant(neutral),
        Some(only) if flat.is_empty() => only,
        Some(last) => {
            flat.push(last);
            if neutral { Filter::And(flat) } else { Filter::Or(flat) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flattens_folds_and_drops_what_says_nothing() {
        let a = || Filter::eq("A", 1);
        let b = || Filter::flag("B");
        let truth = || Filter::Constant(true);
        let nested_not = Filter::Not(Box::new(Filter::Not(Box::new(a()))));
        let cases = [
            (Filter::And(vec![]), truth()),
            (Filter::Or(vec![]), Filter::Constant(false)),
            (Filter::And(vec![a()]), a()),
            (Filter::And(vec![a(), Filter::And(vec![b(), a()])]), Filter::And(vec![a(), b(), a()])),
            (Filter::Or(vec![a(), Filter::Or(vec![b()])]), Filter::Or(vec![a(), b()])),
            (Filter::And(vec![a(), truth()]), a()),
            (Filter::Or(vec![a(), truth()]), truth()),
            (Filter::And(vec![a(), Filter::Or(vec![])]), Filter::Constant(false)),
            (nested_not, a()),
            (Filter::Not(Box::new(Filter::And(vec![]))), Filter::Constant(false)),
            (
                Filter::Or(vec![Filter::And(vec![a(), b()]), b()]),
                Filter::Or(vec![Filter::And(vec![a(), b()]), b()]),
            ),
        ];
        for (filter, normal) in cases {
            assert_eq!(filter.clone().normalized(), normal, "{filter:?}");
            assert_eq!(normal.clone().normalized(), normal);
        }
    }
}
