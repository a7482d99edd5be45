//! Bugs of a store, injected in front of it: a program must find each, and its reduced form must be short.

use table_store::{Condition, Filter, Operation, filter::Comparison};

use crate::reliability::Request;

/// An injected bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A merge drops the properties that it does not send.
    MergeReplaces,
    /// Versions in conditions are ignored.
    VersionIgnored,
    /// A selection returns all properties.
    SelectionIgnored,
    /// `ne` is true for a missing property.
    AbsentIsUnequal,
}

impl Mistake {
    /// All bugs.
    pub const ALL: [Self; 4] =
        [Self::MergeReplaces, Self::VersionIgnored, Self::SelectionIgnored, Self::AbsentIsUnequal];

    /// Returns the request as such a store would interpret it.
    #[must_use]
    pub fn request(self, request: Request) -> Request {
        let operation = |operation| self.operation(operation);
        match request {
            Request::Write(table, one) => Request::Write(table, operation(one)),
            Request::Transact(table, all) => {
                Request::Transact(table, all.into_iter().map(operation).collect())
            }
            other => other,
        }
    }

    fn operation(self, operation: Operation) -> Operation {
        match (self, operation) {
            (Self::MergeReplaces, Operation::Merge(entity, condition)) => {
                Operation::Replace(entity, condition)
            }
            (Self::MergeReplaces, Operation::InsertOrMerge(entity)) => Operation::InsertOrReplace(entity),
            (Self::VersionIgnored, Operation::Replace(entity, _)) => {
                Operation::Replace(entity, Condition::Exists)
            }
            (Self::VersionIgnored, Operation::Merge(entity, _)) => {
                Operation::Merge(entity, Condition::Exists)
            }
            (Self::VersionIgnored, Operation::Delete { partition_key, row_key, .. }) => {
                Operation::Delete { partition_key, row_key, condition: Condition::Exists }
            }
            (_, operation) => operation,
        }
    }

    /// Returns the filter as such a store would interpret it.
    #[must_use]
    pub fn filter(self, filter: &Filter) -> Filter {
        let all = |parts: &[Filter]| parts.iter().map(|part| self.filter(part)).collect();
        match filter {
            Filter::Compare { property, operator: Comparison::Ne, value }
                if self == Self::AbsentIsUnequal =>
            {
                Filter::Not(Box::new(Filter::eq(property.clone(), value.clone())))
            }
            Filter::And(parts) => Filter::And(all(parts)),
            Filter::Or(parts) => Filter::Or(all(parts)),
            Filter::Not(part) => Filter::Not(Box::new(self.filter(part))),
            other => other.clone(),
        }
    }
}
