//! Mistakes that a store could make, put before it: a program must find each, and what is left of it must be short.

use table_store::{Condition, Filter, Operation, filter::Comparison};

use crate::Request;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A merge drops what it does not send.
    MergeReplaces,
    /// Any version will do.
    VersionIgnored,
    /// A selection selects all.
    SelectionIgnored,
    /// `ne` is true of a property that is not there.
    AbsentIsUnequal,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::MergeReplaces, Self::VersionIgnored, Self::SelectionIgnored, Self::AbsentIsUnequal];

    /// The request as such a store would take it.
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

    /// The filter as such a store would read it.
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
