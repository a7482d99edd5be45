use table_model::Properties;

use crate::{Address, core::rule::Rule};

/// A row that is derived from an entity, or the entity's contribution to an aggregate.
#[derive(Clone, Debug)]
pub struct DerivedRow {
    /// Rule of the version that derives the row.
    pub(crate) rule: Rule,
    /// Address of the row.
    pub(crate) address: Address,
    /// Properties of the row. Empty if only addresses were requested.
    pub(crate) properties: Properties,
    /// `true` if the version that wrote the entity lacks the index. A job adds such a row, so it may be missing.
    pub(crate) is_added: bool,
}

impl DerivedRow {
    /// Creates a row of a rule of the version that wrote the entity.
    pub(crate) const fn new(rule: Rule, address: Address, properties: Properties) -> Self {
        Self { rule, address, properties, is_added: false }
    }

    /// Returns whether it contributes anything to an aggregate.
    pub(crate) fn adds(&self) -> bool {
        !self.properties.is_empty()
    }

    /// Returns whether it is the row of a rule with an address.
    pub(crate) fn is_of(&self, rule: Rule, address: &Address) -> bool {
        self.address == *address && self.rule.stores_like(rule)
    }

    /// Returns whether the entity is certainly a member of the list that contains another row.
    pub(crate) fn is_in_list(&self, other: &Self) -> bool {
        let is_list = self.rule.index().is_some_and(|index| index.lookup.is_some());
        is_list && !self.is_added && self.is_at(other)
    }

    /// Returns whether both are the same row.
    pub(crate) fn is_at(&self, other: &Self) -> bool {
        self.is_of(other.rule, &other.address)
    }
}
