//! Computation of aggregates from their stored values and the changes of some sources.

use std::cmp::Ordering;

use table_model::{Properties, Value};

use super::copies;
use crate::{
    Error, ValueError,
    core::{entity_types::EntityInfo, error::PropertyValueError, rule::Rule},
    design::{Aggregate, Contribution, Design, Total},
};

/// Stored aggregates of one feed while its sources change.
///
/// A source specifies its contribution by properties with the names of the target: a count of one, its summand, its
/// candidate for an extreme, its fields for a copy. A missing property means no contribution.
#[derive(Debug)]
pub(crate) struct Tally {
    feed: &'static Contribution,
    sink: &'static Design,
    /// Aggregates that only other versions of the source contribute to, each with its target.
    others: Vec<(&'static Total, &'static Design)>,
    kept: Properties,
    is_lost: bool,
    /// `true` if two versions of the source contribute to one field by different aggregates. The newest one applies, to
    /// the contributions of all versions.
    is_mixed: bool,
}

impl Tally {
    /// Starts with the stored aggregates.
    pub(crate) fn new(feed: &'static Contribution, kept: Properties) -> Self {
        Self { feed, sink: (feed.sink)(), others: Vec::new(), kept, is_lost: false, is_mixed: false }
    }

    /// Starts with the stored aggregates, of all versions of a source. `feed` is the contribution of one of them.
    pub(crate) fn of(kind: EntityInfo, feed: &'static Contribution, kept: Properties) -> Self {
        let mut tally = Self::new(feed, kept);
        let mut feeds = kind.rules().filter_map(|rule| match rule {
            Rule::Contribution(_, other) => (other.stored_name() == feed.stored_name()).then_some(other),
            Rule::Index(..) => None,
        });
        let Some(newest) = feeds.next() else { return tally };
        (tally.feed, tally.sink) = (newest, (newest.sink)());
        for older in feeds {
            tally.add(older);
        }
        tally
    }

    /// Adds the aggregates of an older version.
    fn add(&mut self, older: &'static Contribution) {
        let sink = (older.sink)();
        for total in older.totals {
            let property = total.property(sink);
            match self.totals().find(|(known, sink)| known.property(sink) == property) {
                Some((known, _)) => {
                    self.is_mixed |= known.by != total.by && !(is_sum(known) && is_sum(total));
                }
                None => self.others.push((total, sink)),
            }
        }
    }

    /// Returns whether two versions of the source contribute to one field by different aggregates.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Returns the aggregates, each with its target.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (&'static Total, &'static Design)> + use<> {
        let sink = self.sink;
        let own = self.feed.totals.iter().map(move |total| (total, sink));
        own.chain(self.others.clone())
    }

    /// Applies the change of one source from its old contribution to its new contribution.
    pub(crate) fn change(&mut self, old: &Properties, new: &Properties) -> Result<(), Error> {
        self.is_lost |= self.is_mixed;
        for (total, sink) in self.totals() {
            let Some(property) = total.property(sink) else { continue };
            match total.by {
                Aggregate::Count | Aggregate::Sum => {
                    self.change_sum(property, old.get(property), new.get(property))?;
                }
                Aggregate::Max | Aggregate::Min => {
                    self.change_extreme(total.by, property, old.get(property), new.get(property));
                }
                Aggregate::Copy => {
                    self.is_lost |= copies::change(total.properties(sink), &mut self.kept, old, new);
                }
            }
        }
        Ok(())
    }

    /// Determines all aggregates from the contributions of all sources.
    pub(crate) fn count_anew(&mut self, sources: &[Properties]) -> Result<(), Error> {
        for (total, sink) in self.totals() {
            for property in total.properties(sink) {
                self.kept.remove(property);
            }
        }
        sources.iter().try_for_each(|adds| self.change(&Properties::new(), adds))
    }

    fn change_sum(
        &mut self,
        property: &'static str,
        old: Option<&Value>,
        new: Option<&Value>,
    ) -> Result<(), Error> {
        let number = |value: Option<&Value>| match value {
            Some(Value::Int64(number)) => i128::from(*number),
            _ => 0,
        };
        let sum = number(self.kept.get(property)) - number(old) + number(new);
        let sum = i64::try_from(sum).map_err(|_| PropertyValueError {
            entity: self.sink.name,
            property: property.to_owned(),
            reason: ValueError::out_of_range(sum, "a sum must be an Int64"),
        })?;
        self.kept.set(property, sum);
        Ok(())
    }

    fn change_extreme(
        &mut self,
        by: Aggregate,
        property: &'static str,
        old: Option<&Value>,
        new: Option<&Value>,
    ) {
        let kept = self.kept.get(property);
        // The source of the extreme is removed, so the next extreme is unknown.
        self.is_lost |= old.is_some() && old == kept && new != old;
        if let Some(new) = new.filter(|new| kept.is_none_or(|kept| is_beyond(by, new, kept))) {
            self.kept.set(property, new.clone());
        }
    }

    /// Returns `true` if an extreme or a copy must be determined from all sources.
    pub(crate) const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Determines the extremes and the copies from the contributions of all sources.
    pub(crate) fn look(&mut self, sources: &[Properties]) -> Result<(), Error> {
        if self.is_mixed {
            self.count_anew(sources)?;
        }
        for (total, sink) in self.totals().filter(|(total, _)| total.by == Aggregate::Copy) {
            copies::look(total.properties(sink), &mut self.kept, sources);
        }
        for (total, sink) in self.totals().filter(|(total, _)| total.by.is_extreme()) {
            let Some(property) = total.property(sink) else { continue };
            self.kept.remove(property);
            let mut best: Option<&Value> = None;
            for value in sources.iter().filter_map(|adds| adds.get(property)) {
                if best.is_none_or(|best| is_beyond(total.by, value, best)) {
                    best = Some(value);
                }
            }
            if let Some(best) = best {
                self.kept.set(property, best.clone());
            }
        }
        self.is_lost = false;
        Ok(())
    }

    /// Returns the aggregates to store.
    pub(crate) fn into_kept(self) -> Properties {
        self.kept
    }
}

/// Returns whether contributions are added, so that one can be replaced by the difference.
const fn is_sum(total: &Total) -> bool {
    matches!(total.by, Aggregate::Count | Aggregate::Sum)
}

fn is_beyond(by: Aggregate, value: &Value, other: &Value) -> bool {
    match by {
        Aggregate::Max => compare(value, other) == Ordering::Greater,
        Aggregate::Min => compare(value, other) == Ordering::Less,
        Aggregate::Count | Aggregate::Sum | Aggregate::Copy => false,
    }
}

/// Compares values of one property, which have the same type. Values of other types compare as equal.
fn compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Int32(left), Value::Int32(right)) => left.cmp(right),
        (Value::Int64(left), Value::Int64(right)) => left.cmp(right),
        (Value::Double(left), Value::Double(right)) => left.total_cmp(right),
        (Value::DateTime(left), Value::DateTime(right)) => left.cmp(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        _ => Ordering::Equal,
    }
}

/// Returns `true` if a stored aggregate is equivalent to no contributions: a count or sum of zero. A stored extreme
/// always has a contribution.
pub(crate) fn counts_for_nothing(sink: &Design, property: &str, value: &Value) -> bool {
    let is_optional = |property: &crate::design::Property| property.rust_type.starts_with("Option<");
    let declared = sink.properties.iter().find(|known| known.name == property);
    *value == Value::Int64(0) && !declared.is_some_and(is_optional)
}

/// Returns the contribution of a property value to an aggregate.
pub(crate) fn added(total: &Total, value: Value) -> Result<Value, ValueError> {
    match (total.by, value) {
        (Aggregate::Sum, Value::Int32(number)) => Ok(Value::Int64(number.into())),
        (Aggregate::Sum, value @ Value::Int64(_)) => Ok(value),
        (Aggregate::Sum, value) => Err(no_place(&value, "a sum requires integers")),
        (
            _,
            value @ (Value::Int32(_)
            | Value::Int64(_)
            | Value::Double(_)
            | Value::DateTime(_)
            | Value::String(_)),
        ) => Ok(value),
        (_, value) => Err(no_place(&value, "a minimum or maximum requires a number, a time or a string")),
    }
}

fn no_place(value: &Value, reason: &str) -> ValueError {
    ValueError::out_of_range(format!("{value:?}"), reason)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::design::Property;

    const fn property(name: &'static str, rust_type: &'static str) -> Property {
        Property { field: name, name, slots: &[], rust_type }
    }

    fn sink() -> &'static Design {
        static SINK: Design = Design {
            name: "Sink",
            properties: &[
                property("count", "i64"),
                property("sum", "i64"),
                property("most", "Option<i64>"),
                property("least", "Option<i64>"),
            ],
            fed: &["count", "sum", "most", "least"],
            ..Design::EMPTY
        };
        &SINK
    }

    static FEED: Contribution = Contribution {
        name: "Sink",
        sink,
        totals: &[
            Total { field: "count", by: Aggregate::Count, of: None },
            Total { field: "sum", by: Aggregate::Sum, of: Some("x") },
            Total { field: "most", by: Aggregate::Max, of: Some("x") },
            Total { field: "least", by: Aggregate::Min, of: Some("x") },
        ],
    };

    fn adds(value: Option<i64>) -> Properties {
        let Some(value) = value else { return Properties::new() };
        [("count", 1), ("sum", value), ("most", value), ("least", value)].into_iter().collect()
    }

    fn whole(values: &[Option<i64>]) -> Properties {
        let present: Vec<i64> = values.iter().copied().flatten().collect();
        let mut kept = Properties::new();
        kept.set("count", i64::try_from(present.len()).unwrap());
        kept.set("sum", present.iter().sum::<i64>());
        if let (Some(most), Some(least)) = (present.iter().max(), present.iter().min()) {
            kept.set("most", *most);
            kept.set("least", *least);
        }
        kept
    }

    proptest! {
        #[test]
        fn changes_one_by_one_come_to_the_whole(
            mut values in prop::collection::vec(prop::option::of(0_i64..4), 4),
            changes in prop::collection::vec((0_usize..4, prop::option::of(0_i64..4)), 1..12),
        ) {
            let mut kept = whole(&values);
            for group in changes.chunks(2) {
                let mut tally = Tally::new(&FEED, kept);
                for (at, new) in group {
                    tally.change(&adds(values[*at]), &adds(*new)).unwrap();
                    values[*at] = *new;
                }
                if tally.is_lost() {
                    let sources: Vec<_> = values.iter().map(|value| adds(*value)).collect();
                    tally.look(&sources).unwrap();
                }
                kept = tally.into_kept();
                for name in ["count", "sum", "most", "least"] {
                    let expected = whole(&values);
                    prop_assert_eq!(kept.get(name), expected.get(name), "{}", name);
                }
            }
        }
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_error() {
        let mut tally = Tally::new(&FEED, adds(Some(i64::MAX)));
        let error = tally.change(&Properties::new(), &adds(Some(1))).unwrap_err();
        assert!(matches!(error, Error::Property(_)), "{error:?}");
    }

    #[test]
    fn a_zero_is_nothing_where_it_is_counted_and_something_where_it_is_the_largest() {
        assert!(counts_for_nothing(sink(), "count", &Value::Int64(0)));
        assert!(!counts_for_nothing(sink(), "count", &Value::Int64(1)));
        assert!(!counts_for_nothing(sink(), "most", &Value::Int64(0)));
    }
}
