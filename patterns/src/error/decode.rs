use std::fmt;

use crate::{ValueError, properties::PropertyError};

/// A row that could not be read as what was asked for: which row, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The entity type (or projection, or union) that was asked for.
    pub entity: &'static str,
    /// The row's PartitionKey.
    pub partition_key: String,
    /// The row's RowKey.
    pub row_key: String,
    /// What is wrong with it.
    pub problem: Box<RowProblem>,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowProblem {
    /// Its keys are not of the entity's templates.
    ForeignKey {
        /// The templates of PartitionKey and RowKey.
        templates: (&'static str, &'static str),
    },
    /// Its `EntityType` is another.
    ForeignType {
        /// What the row says.
        found: String,
    },
    /// It is a row that an index keeps of an entity, not the entity.
    IndexRow {
        /// The index.
        index: &'static str,
    },
    /// It is a row in another partition that is not what its entity says yet.
    NotLive,
    /// It is one of the rows of a wide entity.
    Part,
    /// A property cannot be read.
    Property(PropertyError),
    /// The service left out a key, though it was asked for it.
    NoKeys,
}

impl DecodeError {
    /// Whether the row is of another kind, rather than a damaged one of this kind.
    pub fn is_foreign(&self) -> bool {
        matches!(*self.problem, RowProblem::ForeignKey { .. } | RowProblem::ForeignType { .. })
            || self.is_unseen()
    }

    /// Whether a handle with more keys can read it.
    pub(crate) fn lacks_key(&self) -> bool {
        use crate::UnsealError::{NoKeys, UnknownKey};

        let RowProblem::Property(error) = &*self.problem else { return false };
        matches!(error.why, ValueError::Sealed(NoKeys | UnknownKey { .. }))
    }

    /// Whether the row is one that readers do not see: of an index where entities are read, or not live yet.
    pub(crate) fn is_unseen(&self) -> bool {
        matches!(*self.problem, RowProblem::IndexRow { .. } | RowProblem::NotLive)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, partition_key, row_key, problem } = self;
        write!(
            f,
            "the row PartitionKey {partition_key:?}, RowKey {row_key:?} cannot be read as `{entity}`: "
        )?;
        match &**problem {
            RowProblem::ForeignKey { templates: (partition, row) } => write!(
                f,
                "its keys are not of the form \"{partition}\", \"{row}\"; \
                 give the rows of other kinds RowKeys with a leading word of their own, or read a union"
            ),
            RowProblem::ForeignType { found } => write!(
                f,
                "its EntityType is {found:?}; read it as that type, as a union, or as a bag (`.bag()`)"
            ),
            RowProblem::IndexRow { index } => {
                write!(f, "it is the row that the index `{index}` keeps of one")
            }
            RowProblem::NotLive => f.write_str("it is not what its entity says yet"),
            RowProblem::Part => f.write_str(
                "it is one of the rows of a wide entity; read all of them by `point`, or one as a bag (`.bag()`)",
            ),
            RowProblem::Property(error) => write!(f, "property `{}`: {}", error.property, error.why),
            RowProblem::NoKeys => f.write_str("the service sent it without its keys"),
        }
    }
}

impl std::error::Error for DecodeError {}
