//! The aggregates, copied fields, archives, change feeds and blobs of an entity in a design file.

use super::FieldKind;
use crate::{
    language::{Size, Span, When},
    static_design::Aggregate,
};

/// An aggregate over other entities, declared on the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalDesign {
    /// The property name.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The aggregate function.
    pub by: Aggregate,
    /// The name of the source entity.
    pub entity: String,
    /// The field of the source entity. `None` for a count.
    pub field: Option<String>,
    /// The join condition: pairs of a source field and the target field with the same value.
    pub matches: Vec<(String, String)>,
    /// The condition on fields of the source that selects the contributing entities. If `None`, all contribute.
    pub when: Option<When>,
}

/// A contribution to a field of another entity, declared on the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContributionDesign {
    /// The aggregate function.
    pub by: Aggregate,
    /// The name of the target entity.
    pub target: String,
    /// The path of the target entity as written, which may contain modules. `Self` is the entity itself.
    pub path: String,
    /// The field of the target entity.
    pub field: String,
    /// The field of the source entity that the aggregate reads, if declared.
    pub of: Option<String>,
    /// The condition of a design file that selects the contributing entities.
    pub when: Option<When>,
    /// The field or function of the code that selects the contributing entities.
    pub condition: Option<String>,
}

/// Fields copied from another entity into this entity, declared on the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedDesign {
    /// The name prefix: each property name is this prefix, `_` and the field name.
    pub name: String,
    /// The description.
    pub about: Option<String>,
    /// The name of the source entity.
    pub from: String,
    /// The join condition: pairs of a key field of the source and the target field with the same value.
    pub matches: Vec<(String, String)>,
    /// The copied fields of the source.
    pub fields: Vec<String>,
}

/// The archive of completed entities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveDesign {
    /// The archive table.
    pub to: String,
    /// The description.
    pub about: Option<String>,
    /// The condition for archiving. If `None`, entities are archived on request.
    pub when: Option<When>,
}

/// A field whose value is stored in a blob alongside the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobDesign {
    /// The content type: binary, text or JSON.
    pub holds: FieldKind,
    /// The maximum size of a value that stays in the row. Defaults to the limit of the library.
    pub over: Option<Size>,
}

impl BlobDesign {
    /// The default maximum number of bytes that stay in the row.
    pub const INLINE: usize = 30 << 10;

    /// Returns the maximum number of bytes that stay in the row.
    pub fn inline(&self) -> usize {
        self.over.and_then(|over| usize::try_from(over.bytes()).ok()).unwrap_or(Self::INLINE)
    }
}

/// The change feed of an entity: a record of each change, in the partition of the entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangesDesign {
    /// The retention period of the records.
    pub keep: Span,
    /// `true` if the records contain the previous state as well.
    pub old: bool,
}

impl Default for ChangesDesign {
    fn default() -> Self {
        Self { keep: Span::days(7), old: false }
    }
}
