//! An index: a copy of each entity under another key.

use super::TemplateText;
use crate::language::{Equality, Literal, Test, When};

/// An index as declared by a front end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexDesign {
    /// The name, or an empty string if it was omitted.
    pub name: String,
    /// The table of the copies. Defaults to the table of the entity.
    pub table: Option<TemplateText>,
    /// The `PartitionKey` of the copies. Defaults to the partition of the entity.
    pub partition: Option<TemplateText>,
    /// The `RowKey` of the copies.
    pub row: Option<TemplateText>,
    /// `true` if two entities must not have the same key in this index.
    pub unique: bool,
    /// `true` if entities without one of the key fields have no copy.
    pub sparse: bool,
    /// The fields of a copy, in addition to its own key and the key of the entity.
    pub copy: CopiedFields,
    /// The condition for a copy. Defaults to all entities. The derive specifies a function instead.
    pub when: Option<When>,
    /// The field or function that decides whether an entity has a copy. Design files specify
    /// [`when`](Self::when) instead.
    pub condition: Option<String>,
    /// The description.
    pub about: Option<String>,
}

impl IndexDesign {
    /// Creates an index in the partition of the entity.
    pub fn new(name: impl Into<String>, row: impl Into<TemplateText>) -> Self {
        Self { name: name.into(), row: Some(row.into()), ..Self::default() }
    }

    /// Returns whether all copies pass a test: [`when`](Self::when) compares the field with the same value.
    #[must_use]
    pub fn implies(&self, test: &Test) -> bool {
        let is_equal = |value: &Literal| {
            let mut equalities = self.when.iter().flat_map(|when| &when.equalities);
            equalities.any(|one| one.field == test.field && one.value.text() == value.text())
        };
        test.value.as_ref().is_some_and(is_equal)
    }

    /// Returns whether all entities that pass the tests have a copy, as far as conditions decide it.
    #[must_use]
    pub fn contains(&self, tests: &[&Test]) -> bool {
        let is_tested = |one: &Equality| {
            let mut tests = tests.iter().filter(|test| test.field == one.field);
            tests.any(|test| test.value.as_ref().is_some_and(|value| value.text() == one.value.text()))
        };
        self.condition.is_none() && self.when.iter().flat_map(|when| &when.equalities).all(is_tested)
    }
}

/// The fields of a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CopiedFields {
    /// All fields.
    #[default]
    All,
    /// Only these fields, by name. An empty list copies the keys only.
    Only(Vec<String>),
}
