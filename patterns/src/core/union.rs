//! Unions: several entity types in one table.

use table_model::{Name, RowRef};

use crate::{
    FromRow, TableEntity,
    core::{error::DecodeError, reserved, row},
    design::Design,
};

/// Several entity types that share one table, as an enum: `#[derive(TableUnion)]` (`G-HET-2`).
///
/// ```
/// use table_patterns::prelude::*;
///
/// #[derive(TableEntity)]
/// #[table(name = "Company", partition = "{name}", row = "department")]
/// struct Department { name: String, budget: i64 }
///
/// #[derive(TableEntity)]
/// #[table(name = "Company", partition = "{department}", row = "empid_{id:06}")]
/// struct Employee { department: String, id: u32, age: i32 }
///
/// #[derive(TableUnion)]
/// #[table(partition = "{department}", unknown = skip)]
/// enum Member {
///     Department(Stored<Department>),
///     Employee(Stored<Employee>),
/// }
///
/// # fn main() -> Result<()> {
/// let tables = Tables::in_memory()?;
/// let blocking = tables.blocking();
/// blocking.insert(&Employee { department: "Sales".into(), id: 1, age: 30 })?;
/// blocking.insert(&Department { name: "Sales".into(), budget: 1_000 })?;
/// let members = blocking.all(&Member::rows("Sales"))?;
/// assert!(matches!(members.as_slice(), [Member::Department(_), Member::Employee(_)]));
/// # Ok(())
/// # }
/// ```
pub trait TableUnion: FromRow<Out = Self> + Sized + Send {
    /// Name of the type.
    const NAME: &'static str;

    /// Handling of a row with another entity type.
    const UNKNOWN: Unknown;

    /// Designs of the entity types, whose soft-deleted entities are left out.
    #[doc(hidden)]
    const DESIGNS: &'static [&'static Design] = &[];
}

/// Handling of a row that matches none of a union's entity types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The row is an error.
    Error,
    /// The row is skipped.
    Skip,
    /// The row is returned as an untyped entity, in the variant marked `#[table(other)]`.
    Keep,
}

/// Returns whether a row has an entity type: by its `EntityType` if both have one, otherwise by its keys.
pub fn is_kind<E: TableEntity>(found: RowRef<'_>) -> bool {
    let design = E::DESIGN;
    match reserved::entity_type(found) {
        // A row of a version that the type does not read matches, too. Decoding then rejects it.
        Some(entity_type) if design.entity_type.is_some() => {
            design.reads(entity_type) || row::version_problem(design, entity_type).is_some()
        }
        _ => match (found.partition_key, found.row_key) {
            // The row of an index matches, too. Decoding then rejects it as an index row.
            (Some(partition_key), Some(row_key)) => {
                row::parse_key::<E::Key>(partition_key, row_key).is_some()
                    || row::near_index_of(design, partition_key, row_key).is_some()
            }
            _ => false,
        },
    }
}

/// Returns the properties that identify rows of several types. `None` if one of the types requires all properties.
pub fn keys_of(selections: impl IntoIterator<Item = Option<Vec<Name>>>) -> Option<Vec<Name>> {
    let mut all = Vec::new();
    for names in selections {
        row::add(&mut all, names?.into_iter());
    }
    row::add(&mut all, [reserved::ENTITY_TYPE].into_iter());
    Some(all)
}

/// Creates the error for a row that matches none of a union's entity types.
pub fn none_of<U: TableUnion>(row: RowRef<'_>) -> DecodeError {
    let keys = (row.partition_key.unwrap_or_default(), row.row_key.unwrap_or_default());
    row::foreign(U::NAME, row, keys)
}
