//! Resolved contributions to other entities.

use syn::{Ident, Path};
use table_schema::static_design::Aggregate;

use crate::resolve::entity::When;

/// The contributions to one target entity.
#[derive(Debug)]
pub struct Contribution {
    /// The type name of the target entity.
    pub name: String,
    /// The target entity.
    pub sink: Path,
    /// The contributions, one per field.
    pub totals: Vec<Total>,
}

/// A contribution to one field of the target entity.
#[derive(Debug)]
pub struct Total {
    /// The aggregate function.
    pub by: Aggregate,
    /// The field of the target entity.
    pub field: Ident,
    /// The source field.
    pub of: Option<usize>,
    /// The condition for contributing entities.
    pub when: Option<When>,
}
