use std::fmt;

use table_designs::schema::Schema;
use table_schema::design::FieldKind;

/// A part of a design that cannot be verified without the entity's type or its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverifiable {
    /// Name of the skipped index, lookup, or field that other entities maintain.
    pub name: String,
    /// Reason.
    pub reason: UnverifiableReason,
}

/// Reason why a part of a design is skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnverifiableReason {
    /// The rows contain an encrypted field, and the handle has no keys.
    Encrypted {
        /// Name of the field.
        field: String,
    },
    /// The rows would contain a field that is stored in a blob.
    InBlob {
        /// Name of the field.
        field: String,
    },
    /// The rows would contain a field that other entities maintain.
    KeptByOthers {
        /// Name of the field.
        field: String,
    },
    /// The design does not specify the type of a field, or its number of slots.
    NoType {
        /// Name of the field.
        field: String,
    },
    /// A field has a custom default.
    Default {
        /// Name of the field.
        field: String,
    },
    /// The index includes only some entities, and the design does not specify the condition by values of fields.
    Condition,
    /// The value is derived from other entities.
    Total {
        /// Name of the source entity type.
        of: String,
    },
}

impl fmt::Display for Unverifiable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.name, self.reason)
    }
}

impl fmt::Display for UnverifiableReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encrypted { field } => write!(f, "its rows contain `{field}`, which is encrypted"),
            Self::InBlob { field } => {
                write!(f, "its rows would contain `{field}`, which is stored in a blob")
            }
            Self::KeptByOthers { field } => {
                write!(f, "its rows would contain `{field}`, which is maintained from other entities")
            }
            Self::NoType { field } => write!(f, "the design does not specify the type of `{field}`"),
            Self::Default { field } => write!(f, "the design does not specify the default of `{field}`"),
            Self::Condition => f.write_str("the design does not specify the condition of the index"),
            Self::Total { of } => {
                write!(f, "it is derived from `{of}`, and the design does not specify the contributions")
            }
        }
    }
}

/// Returns a part of an entity that a deletion by its design would leave: rows or values that the design does not specify,
/// or specifies for another entity.
pub(super) fn remainder(schema: &Schema, name: &str, unjudged: &[Unverifiable]) -> Option<String> {
    let skipped = unjudged.first().map(ToString::to_string);
    let totals = schema.entities.iter().flat_map(|target| {
        let totals = target.totals.iter().filter(|total| total.entity == name).map(|total| &total.name);
        let embeds = target.embeds.iter().filter(|embed| embed.from == name).map(|embed| &embed.name);
        totals.chain(embeds).map(|field| format!("`{}.{field}` contains values of it", target.name))
    });
    let fields = schema.entity(name).into_iter().flat_map(|entity| &entity.fields);
    let blobs = fields.filter(|field| field.kind == FieldKind::Blob);
    let blobs = blobs.map(|field| format!("`{}` is stored in a blob", field.name));
    skipped.into_iter().chain(totals).chain(blobs).next()
}
