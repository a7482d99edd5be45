use table_model::Properties;

use crate::Address;

/// A row that is derived from an entity, or the entity's contribution to an aggregate.
#[derive(Clone, Debug, PartialEq)]
pub struct DerivedRow {
    /// Number of the index in the design. Contributions are numbered after all indexes.
    pub(crate) number: usize,
    /// Address of the row.
    pub(crate) address: Address,
    /// Properties of the row. Empty if only addresses were requested.
    pub(crate) properties: Properties,
}

impl DerivedRow {
    /// Returns whether it contributes anything to an aggregate.
    pub(crate) fn adds(&self) -> bool {
        !self.properties.is_empty()
    }

    /// Returns whether both rows belong to the same index and have the same address.
    pub(crate) fn is_at(&self, other: &Self) -> bool {
        self.number == other.number && self.address == other.address
    }
}
