use std::fmt;

use table_model::{
    Properties, Value,
    outbox::{ABORT_RECORD, OutboxKind, RECORD_TYPE},
};

use super::{
    cross_partition_row::{KEEPS, PENDING, STATE, STUB},
    reserved::{ENTITY_TYPE, MOVED},
};

/// A row that contains no entity, and that the library itself maintains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LibraryRow {
    /// A commit record (`!o_`): rows in other partitions that must still be updated.
    CommitRecord,
    /// An abort record at the key of the commit record of an aborted attempt.
    AbortRecord,
    /// A dead-lettered commit record (`!x_`).
    DeadLetter,
    /// The contribution of an entity to an aggregate (`!c_`).
    Contribution,
    /// The idempotency record of a step (`!m_`).
    Step,
    /// The position of a change feed (`!h_`).
    FeedPosition,
    /// An event of a change feed (`!f_`).
    FeedEvent,
    /// A placeholder row of a worker.
    Placeholder,
    /// A reservation of a unique value.
    Reservation,
    /// Aggregates whose entity does not exist.
    Aggregates,
    /// What a move left at the old key of an entity.
    Moved,
    /// Another row whose RowKey starts with `!`.
    Other,
}

impl LibraryRow {
    /// Returns the kind of a row; `None` for rows of entities and indexes.
    ///
    /// ```
    /// use table_patterns::{LibraryRow, Value};
    ///
    /// let properties = [("_st".to_owned(), Value::from("s"))].into_iter().collect();
    /// assert_eq!(LibraryRow::of("!o_01", &properties), Some(LibraryRow::CommitRecord));
    /// assert_eq!(LibraryRow::of("badge_7", &properties), Some(LibraryRow::Placeholder));
    /// assert_eq!(LibraryRow::of("badge_7", &Default::default()), None);
    /// ```
    pub fn of(row_key: &str, properties: &Properties) -> Option<Self> {
        let is = |name: &str, text: &str| matches!(properties.get(name), Some(Value::String(found)) if found == text);
        let outbox = OutboxKind::of(row_key).map(|outbox| match outbox {
            OutboxKind::DeadLetters => Self::DeadLetter,
            OutboxKind::Commits if is(RECORD_TYPE, ABORT_RECORD) => Self::AbortRecord,
            OutboxKind::Commits => Self::CommitRecord,
        });
        let prefixes = [
            ("!c_", Self::Contribution),
            ("!m_", Self::Step),
            ("!h_", Self::FeedPosition),
            ("!f_", Self::FeedEvent),
            ("!", Self::Other),
        ];
        let by_prefix = || prefixes.into_iter().find(|(prefix, _)| row_key.starts_with(prefix));
        let states = [
            (ENTITY_TYPE, MOVED, Self::Moved),
            (STATE, STUB, Self::Placeholder),
            (STATE, PENDING, Self::Reservation),
            (STATE, KEEPS, Self::Aggregates),
        ];
        let by_state = || states.into_iter().find(|(name, text, _)| is(name, text));
        outbox.or_else(|| by_prefix().map(|(_, kind)| kind)).or_else(|| by_state().map(|(.., kind)| kind))
    }
}

impl fmt::Display for LibraryRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CommitRecord => "commit record",
            Self::AbortRecord => "abort record",
            Self::DeadLetter => "dead-lettered record",
            Self::Contribution => "contribution",
            Self::Step => "step record",
            Self::FeedPosition => "feed position",
            Self::FeedEvent => "feed event",
            Self::Placeholder => "placeholder",
            Self::Reservation => "reservation",
            Self::Aggregates => "aggregates without entity",
            Self::Moved => "moved",
            Self::Other => "row of the library",
        })
    }
}
