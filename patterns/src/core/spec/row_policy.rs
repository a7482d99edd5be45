//! Handling of rows that a query cannot decode as its type.

use table_model::TableName;

use crate::{
    Address,
    core::error::{DecodeError, RowError},
};

/// Handling of rows of a newer version or of another type: see [`Query::newer`](crate::Query::newer) and
/// [`Query::foreign`](crate::Query::foreign).
///
/// ```
/// # use table_patterns::prelude::*;
/// use table_patterns::RowPolicy;
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Users", partition = "{tenant}", row = "{id:06}", entity_type = "User")]
/// struct UserV1 { tenant: String, id: u32 }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Users", partition = "{tenant}", row = "{id:06}", version = 2, from(UserV1))]
/// struct User { tenant: String, id: u32, mail: Option<String> }
/// # impl From<UserV1> for User {
/// #     fn from(old: UserV1) -> Self { Self { tenant: old.tenant, id: old.id, mail: None } }
/// # }
///
/// # fn main() -> Result<()> {
/// let tables = Tables::in_memory()?;
/// let b = tables.blocking();
/// b.insert(&UserV1 { tenant: "a".into(), id: 1 })?;
/// b.insert(&User { tenant: "a".into(), id: 2, mail: None })?;
///
/// // The older program cannot read the second row.
/// assert!(b.all(&UserV1::rows("a")).is_err());
/// let page = b.page(&UserV1::rows("a").newer(RowPolicy::Skip))?;
/// assert_eq!((page.items.len(), page.skipped.len()), (1, 1));
/// println!("left out: {}", page.skipped[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowPolicy {
    /// The row is an error. It does not end a stream.
    #[default]
    Fail,
    /// The row is left out and reported as a [`SkippedRow`].
    Skip,
}

/// A row that a query left out because of a [`RowPolicy`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedRow {
    /// Address of the row.
    pub address: Address,
    /// Reason, with the version or the type of the row.
    pub reason: RowError,
}

impl std::fmt::Display for SkippedRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.address, self.reason)
    }
}

/// Internal form of a [`RowPolicy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handling {
    Fail,
    Skip,
    /// The row is left out without a report, because the query does not request it.
    Ignore,
    /// The query sets no policy: the row is an error, except in a page.
    Unset,
    /// Rows whose `EntityType` is that of another type are left out. Others are errors: of a move, or without a valid key.
    SkipTypes,
}

/// Handling of the rows that cannot be decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPolicies {
    /// Of rows that a newer program wrote.
    pub(crate) newer: Handling,
    /// Of rows of other entity types.
    pub(crate) foreign: Handling,
}

impl Default for RowPolicies {
    fn default() -> Self {
        Self { newer: Handling::Fail, foreign: Handling::Unset }
    }
}

impl RowPolicies {
    /// Returns the handling of a row that cannot be decoded. Rows that are not entities are ignored.
    pub(crate) fn handling(self, error: &DecodeError) -> Handling {
        match error {
            _ if error.is_unseen() => Handling::Ignore,
            _ if error.is_newer() => self.newer,
            _ if error.is_foreign() => self.foreign.of_foreign(error),
            _ => Handling::Fail,
        }
    }
}

impl Handling {
    /// Returns the handling in a result that lists the rows that were left out.
    pub(crate) const fn listed(self) -> Self {
        match self {
            Self::Unset => Self::SkipTypes,
            set => set,
        }
    }

    /// Returns the handling of a row of another type.
    fn of_foreign(self, error: &DecodeError) -> Self {
        match self {
            Self::SkipTypes if matches!(*error.problem, RowError::ForeignType { .. }) => Self::Skip,
            Self::Unset | Self::SkipTypes => Self::Fail,
            set => set,
        }
    }
}

impl From<RowPolicy> for Handling {
    fn from(policy: RowPolicy) -> Self {
        match policy {
            RowPolicy::Fail => Self::Fail,
            RowPolicy::Skip => Self::Skip,
        }
    }
}

impl SkippedRow {
    pub(crate) fn new(table: &TableName, error: DecodeError) -> Self {
        let DecodeError { partition_key, row_key, problem, .. } = error;
        Self { address: Address { table: table.clone(), partition_key, row_key }, reason: *problem }
    }
}
