//! A workload: what is stored and asked for, without keys. The design search turns it into a [`Schema`].

use super::{Relation, Schema};
use crate::language::Delay;
use table_schema::design::{EntityDesign, IndexDesign};

/// A workload file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// The entities without keys, the relations, the queries, the load, the prices and the targets. In conditions and
    /// select lists of queries, `seller.region` is the field of another entity, and `*` selects all fields.
    pub content: Schema,
    /// What identifies the entities, in their order.
    pub identities: Vec<Identity>,
    /// Further requirements of the queries, in their order.
    pub requirements: Vec<Requirement>,
    /// The limits that a design must meet.
    pub limits: Limits,
    /// The design that exists, whose keys and indexes a search considers too. Not in workload files.
    pub existing: Option<Existing>,
}

/// A design that exists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Existing {
    /// The design.
    pub schema: Schema,
    /// What a search may change of some entities. It may change everything of the others.
    pub freedoms: Vec<(String, Freedom)>,
}

/// What a search may change of an entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Freedom {
    /// Everything.
    #[default]
    All,
    /// Nothing.
    Nothing,
    /// It may add one index.
    NewIndex,
    /// It may add an index that was removed, with other copied fields.
    Index(Box<IndexDesign>),
    /// It must change the primary key, with all indexes.
    NewKey,
}

/// What identifies an entity. It determines neither the keys nor their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The fields that identify one entity together.
    pub id: Vec<String>,
    /// Further sets of fields whose values no two entities may share.
    pub unique: Vec<Vec<String>>,
    /// The fields that programs know when they update or delete an entity, besides the identity.
    pub knows: Vec<String>,
}

/// The requirements of a query besides its [`Query`](super::Query).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requirement {
    /// The order of the results.
    pub order: Option<Order>,
    /// The maximum time of one call.
    pub deadline: Option<Delay>,
    /// How old the results may be. Defaults to any age, for queries that are not [`fresh`](super::Query::fresh).
    pub late: Option<Delay>,
    /// The number that the query returns instead of entities.
    pub value: Option<Value>,
}

/// A number computed from the entities that match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Their number.
    Count,
    /// The sum of a field.
    Sum(String),
}

/// The order of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The field.
    pub field: String,
    /// `true` if the greatest value is first.
    pub is_descending: bool,
}

/// The limits that a design must meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Entities per second at the peak in one partition. Defaults to the target of the service.
    pub hottest: Option<f64>,
    /// The size of the largest partition in GiB.
    pub partition_gib: Option<f64>,
    /// Rows that may be read for each wanted row, in queries of at least one call per minute.
    pub rows_per_result: f64,
    /// The time of one request.
    pub round: Delay,
    /// Indexes per entity.
    pub copies: Option<u32>,
    /// Cost per month.
    pub usd: Option<f64>,
    /// The size of all tables in GiB.
    pub storage_gib: Option<f64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            hottest: None,
            partition_gib: None,
            rows_per_result: 10.0,
            round: Delay { milliseconds: 10.0 },
            copies: None,
            usd: None,
            storage_gib: None,
        }
    }
}

impl Workload {
    /// Returns the relation that makes a field a reference, and the entity that it identifies: with
    /// `on = { user = "author" }`, the field `author` identifies a `User`.
    #[must_use]
    pub fn reference(&self, entity: &str, field: &str) -> Option<(&Relation, &EntityDesign)> {
        let is_reference = |relation: &&Relation| {
            relation.to == entity
                && matches!(relation.on.as_slice(), [(theirs, own)]
                    if own == field && self.id_of(&relation.from) == std::slice::from_ref(theirs))
        };
        let relation = self.content.relations.iter().find(is_reference)?;
        Some((relation, self.content.entity(&relation.from)?))
    }

    /// Returns the fields that identify an entity. Empty for an unknown entity.
    #[must_use]
    pub fn id_of(&self, entity: &str) -> &[String] {
        self.identity(entity).map_or(&[], |identity| &identity.id)
    }

    /// Returns what identifies an entity.
    #[must_use]
    pub fn identity(&self, entity: &str) -> Option<&Identity> {
        let number = self.content.entities.iter().position(|known| known.name == entity)?;
        self.identities.get(number)
    }

    /// Returns what a search may change of an entity.
    #[must_use]
    pub fn freedom(&self, entity: &str) -> Freedom {
        let given = self.existing.iter().flat_map(|existing| &existing.freedoms);
        let mut given = given.filter(|(name, _)| name == entity).map(|(_, freedom)| freedom.clone());
        given.next().unwrap_or_default()
    }
}
