use super::Operation;

/// Kind of a write, without its entity.
///
/// ```
/// use table_model::{Entity, Operation, OperationKind};
///
/// let operation = Operation::InsertOrReplace(Entity::new("Sales", "empid_000223"));
/// assert_eq!(operation.kind(), OperationKind::InsertOrReplace);
/// assert_eq!(operation.kind().name(), "InsertOrReplaceEntity");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// [`Operation::Insert`].
    Insert,
    /// [`Operation::Replace`].
    Replace,
    /// [`Operation::Merge`].
    Merge,
    /// [`Operation::InsertOrReplace`].
    InsertOrReplace,
    /// [`Operation::InsertOrMerge`].
    InsertOrMerge,
    /// [`Operation::Delete`].
    Delete,
}

impl OperationKind {
    /// Returns the name in the logs of the service.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Insert => "InsertEntity",
            Self::Replace => "UpdateEntity",
            Self::Merge => "MergeEntity",
            Self::InsertOrReplace => "InsertOrReplaceEntity",
            Self::InsertOrMerge => "InsertOrMergeEntity",
            Self::Delete => "DeleteEntity",
        }
    }
}

impl Operation {
    /// Returns the kind of the write.
    pub const fn kind(&self) -> OperationKind {
        match self {
            Self::Insert(_) => OperationKind::Insert,
            Self::Replace(..) => OperationKind::Replace,
            Self::Merge(..) => OperationKind::Merge,
            Self::InsertOrReplace(_) => OperationKind::InsertOrReplace,
            Self::InsertOrMerge(_) => OperationKind::InsertOrMerge,
            Self::Delete { .. } => OperationKind::Delete,
        }
    }
}
