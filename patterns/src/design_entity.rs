//! Entities described by a design only, for tools that were not compiled with the program's types.

mod build;
mod codec;
mod entities;
mod entity;
mod error;
mod query;
mod unjudged;
mod values;

pub use entities::{DesignedEntities, FieldValues, StoredFields};
pub use error::DesignError;
pub use query::{FieldQuery, FieldTest};
pub use unjudged::{Unverifiable, UnverifiableReason};

use build::Built;
use entity::DesignedEntity;
use table_designs::schema::Schema;
use table_model::{Filter, TableName, Value};
use table_schema::{role::Role, static_design::version_in};

use std::{sync::Arc, time::Duration};

use crate::{
    Address, CheckIndex, Error, Expire, IndexChange, IndexStatus, Pending, Reindex, RelatedRow,
    RemoveIndexRows, Retirement, Sweep, Tables, Verify, VerifyReport,
    core::{entity_types::EntityInfo, table::table_of},
    design::Design,
    handle::registry::known::{Registry, States},
    maintain::{retirement::Places, sweep::Periods, verify::row},
};

/// An entity of a design file, on some tables; see [`Tables::design`].
///
/// It derives the same rows as the type's code, byte for byte, so that both find and repair the same differences.
#[derive(Clone, Debug)]
pub struct Designed {
    tables: Tables,
    kind: EntityInfo,
    by: &'static DesignedEntity,
    unjudged: &'static [Unverifiable],
    /// Part of an entity that a deletion by the design would leave.
    remainder: Option<String>,
    /// Part of an entity that a write by the design would omit, besides the remainder.
    unwritten: Option<String>,
}

impl Tables {
    /// Returns an entity by its design, for programs without its type.
    ///
    /// Some rows cannot be verified in this way: aggregates, fields that are copied from other entities, and indexes
    /// whose rows contain encrypted properties, unless the handle has keys. They are skipped, and
    /// [`Designed::unjudged`] lists them.
    ///
    /// A design's plain data is created once and kept until the program exits. Later calls, on any handle, return the
    /// same data.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # mod program {
    /// #     #[derive(table_patterns::TableEntity, Clone, Debug)]
    /// #     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
    /// #     #[table(index(by_email, row = "email_{email}", unique))]
    /// #     pub struct Employee { pub department: String, pub id: u32, pub email: String }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let company = r#"
    ///     tables = 1
    ///     [entity.Employee]
    ///     table = "Employees"
    ///     partition = "{department}"
    ///     row = "empid_{id:06}"
    ///     index.by_email = { row = "email_{email}", unique = true }
    ///     [entity.Employee.fields]
    ///     department = "string"
    ///     id = "u32"
    ///     email = "string"
    /// "#;
    /// let company = table_codegen::read(company, "company.toml")?;
    /// let tables = Tables::in_memory()?;
    /// # let jo = program::Employee { department: "Sales".into(), id: 1, email: "jo@contoso.com".into() };
    /// # tables.blocking().insert(&jo)?;
    /// # tables.blocking().delete_at(DynamicEntity::point("Employees", "Sales", "email_jo@contoso.com"))?;
    /// let employees = tables.design(&company, "Employee")?;
    /// let report = tables.blocking().sweep(employees.verify().repair())?;
    /// assert_eq!((report.entities, report.count(), report.repaired), (1, 1, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the design violates rules, or if it does not contain the entity.
    pub fn design(&self, schema: &Schema, entity: &str) -> Result<Designed, DesignError> {
        let Built { kind, by, unjudged } = build::designed(schema, entity, self.sealing().is_some())?;
        self.kinds().register(kind);
        let remainder = unjudged::remainder(schema, entity, unjudged);
        let unwritten = schema.entity(entity).and_then(|entity| by.unwritten(entity));
        Ok(Designed { tables: self.clone(), kind, by, unjudged, remainder, unwritten })
    }

    /// Registers all entities of a design. A row of one of them at the key of another is then known to require no derived
    /// row of the other. Returns the names of those that are not registered with the reasons: [`Tables::design`] rejects them.
    pub fn register_design(&self, schema: &Schema) -> Vec<(String, DesignError)> {
        let registered = |name: &String| self.design(schema, name).err().map(|error| (name.clone(), error));
        schema.entities.iter().filter_map(|entity| registered(&entity.name)).collect()
    }
}

impl Tables {
    /// Returns whether the registry contains an entity of a design, also one that [`Tables::design`] rejects.
    ///
    /// # Errors
    /// Returns [`Error::Service`](crate::Error::Service) if a request fails.
    pub fn is_registered<'a>(&'a self, schema: &'a Schema, entity: &'a str) -> Pending<'a, bool> {
        Box::pin(async move {
            let Some(entity) = schema.stored_entity(entity) else { return Ok(false) };
            let Some(table) = &entity.table else { return Ok(false) };
            let states = Registry::read_table(self, table.text(), Duration::ZERO).await?;
            let name = entity.stored_as().unwrap_or(&entity.name);
            Ok(states.is_registered(name))
        })
    }
}

impl Tables {
    /// Retires the versions of an entity before this one, by its design, for tools without its type; see
    /// [`Tables::retire`]. The entity must be registered; the handle need not use the registry. Entities in older versions
    /// are not upgraded, because a design does not contain the conversion:
    /// [`RetirementStep::Stuck`](crate::RetirementStep::Stuck) lists them.
    ///
    /// # Errors
    /// Returns a [`DesignError`] if the design does not contain the entity, or if its table has no valid name.
    pub fn retire_by_design(
        &self,
        schema: &Schema,
        entity: &str,
        version: u32,
    ) -> Result<Retirement, DesignError> {
        let stored = schema.stored_entity(entity).ok_or_else(|| DesignError::NoSuchEntity {
            entity: entity.to_owned(),
            known: schema.entities.iter().map(|entity| entity.name.clone()).collect(),
        })?;
        // The first kind of rows is that of the entities.
        let kinds = stored.row_kinds();
        let places = if let Some(own) = kinds.first().filter(|own| own.table.holes().next().is_some()) {
            let archive = stored.archive.iter().map(|archive| TableName::new(&archive.to));
            let archive = archive.collect::<Result<_, _>>();
            let archive = archive.map_err(|_| DesignError::Spread { entity: entity.to_owned() })?;
            Places::Periods(Periods::Design(Arc::new(own.table.clone())), archive)
        } else {
            let tables = kinds.iter().map(|kind| kind.table.text());
            let tables = tables.chain(stored.archive.iter().map(|archive| archive.to.as_str()));
            let tables = tables.map(TableName::new).collect::<Result<_, _>>();
            Places::Tables(tables.map_err(|_| DesignError::Spread { entity: entity.to_owned() })?)
        };
        let name = stored.entity_type_value().map(|_| stored.stored_as().unwrap_or(&stored.name).to_owned());
        let aliases = stored.aliases.iter().map(|alias| version_in(alias).0.to_owned());
        // Without its own name, the entity has no versions.
        let names = name.into_iter().flat_map(|name| std::iter::once(name).chain(aliases.clone())).collect();
        Ok(Retirement::by_names(self, entity, version, places, names))
    }
}

impl Designed {
    /// Returns the entity on a handle that uses the registry, if the registry contains the entity, as the programs that
    /// write it. Otherwise, returns it unchanged: all indexes of the design are maintained. Does not register the entity.
    ///
    /// # Errors
    /// Returns [`Error::Service`](crate::Error::Service) if a request fails.
    pub fn with_registry_if_registered(self) -> Pending<'static, Self> {
        Box::pin(async move {
            let states = self.states().await?;
            let is_registered = states.is_registered(self.kind.newest().stored_name());
            let tables = if is_registered { self.tables.with_registry() } else { self.tables };
            Ok(Self { tables, ..self })
        })
    }

    /// Reads the current states of the registry.
    async fn states(&self) -> Result<States, Error> {
        Registry::read_at(&self.tables, self.kind.newest(), Duration::ZERO).await
    }

    /// Returns the handle of the entity.
    pub const fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the design as the type's code would define it, without the skipped parts.
    pub const fn design(&self) -> &'static Design {
        self.kind.newest()
    }

    /// Returns the skipped parts, with reasons.
    pub const fn unjudged(&self) -> &'static [Unverifiable] {
        self.unjudged
    }

    /// Creates a verify sweep; see [`Tables::verify`].
    pub fn verify(&self) -> Sweep<Verify> {
        Verify::of(&self.tables, self.kind)
    }

    /// Compares one row as [`verify`](Self::verify) does: an entity with its rows, or an index row with its entity. With
    /// `repairs`, first applies the pending commits of the entity, and repairs the differences. Reads points only.
    ///
    /// # Errors
    /// Returns the errors of [`verify`](Self::verify).
    pub fn verify_row(
        &self,
        table: &TableName,
        partition_key: &str,
        row_key: &str,
        repairs: bool,
    ) -> Pending<'_, VerifyReport> {
        let address = address(table, partition_key, row_key);
        Box::pin(async move { Verify::row(&self.tables, self.kind, address, repairs).await })
    }

    /// Reads the address of the entity that an index row belongs to: named in the row, or determined by its keys. Returns
    /// `None` for other rows, and for rows of an index whose keys do not determine the entity.
    ///
    /// # Errors
    /// Returns [`Error::Service`] if a request fails.
    pub fn owner(
        &self,
        table: &TableName,
        partition_key: &str,
        row_key: &str,
    ) -> Pending<'_, Option<Address>> {
        let address = address(table, partition_key, row_key);
        Box::pin(async move { row::owner(&self.tables, self.kind, &address).await })
    }

    /// Reads the rows that are derived from an entity, as points, and compares each with it. Also returns the rows that
    /// the entity no longer requires, while a commit record names them. Empty if the entity does not exist.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if the row does not contain the entity, and [`Error::Service`] if a request fails.
    pub fn related(&self, partition_key: &str, row_key: &str) -> Pending<'_, Vec<RelatedRow>> {
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        Box::pin(async move {
            let address = Address { table: table_of(self.kind.newest())?, partition_key, row_key };
            row::related(&self.tables, self.kind, address).await
        })
    }

    /// Creates a reindex sweep; see [`Tables::reindex`]. A skipped index does not exist for this entity: the sweep
    /// fails with [`Error::NoSuchIndex`](crate::Error::NoSuchIndex).
    pub fn reindex(&self, index: &str) -> Sweep<Reindex> {
        Reindex::of(&self.tables, self.kind, index)
    }

    /// Creates a sweep that finds the entities that cannot have a row; see [`Tables::check_index`].
    pub fn check_index(&self, index: &str) -> Sweep<CheckIndex> {
        CheckIndex::of(&self.tables, self.kind, index)
    }

    /// Creates a sweep that deletes the rows of an index; see [`Tables::remove_index_rows`].
    pub fn remove_index_rows(&self, index: &str) -> Sweep<RemoveIndexRows> {
        RemoveIndexRows::of(&self.tables, self.kind, index)
    }

    /// Creates a sweep that deletes the expired entities; see [`Tables::expire`]. Entities in other versions than that of
    /// the design remain.
    ///
    /// # Errors
    /// Returns [`DesignError::NotDeclared`] if the entity does not expire, and [`DesignError::Undeletable`] if the design
    /// does not specify all that is deleted with an entity.
    pub fn expire(&self) -> Result<Sweep<Expire>, DesignError> {
        self.expiring(Role::Expires, None)
    }

    /// Creates a sweep that deletes the entities that were soft-deleted at least the duration `keep` ago; see
    /// [`Tables::purge`] and [`expire`](Self::expire).
    ///
    /// # Errors
    /// Returns the errors of [`expire`](Self::expire).
    pub fn purge(&self, keep: Duration) -> Result<Sweep<Expire>, DesignError> {
        self.expiring(Role::SoftDelete, Some(keep))
    }

    fn expiring(&self, role: Role, keep: Option<Duration>) -> Result<Sweep<Expire>, DesignError> {
        let entity = || self.design().name.to_owned();
        let name = self.design().role(role);
        let name = name.ok_or_else(|| DesignError::NotDeclared { entity: entity(), word: role.word() })?;
        match &self.remainder {
            Some(part) => Err(DesignError::Undeletable { entity: entity(), part: part.clone() }),
            None => Ok(Expire::designed(&self.tables, self.kind, name, keep)),
        }
    }

    /// Returns access to the entities by the values of their fields, with the protocol of the type's code.
    ///
    /// ```
    /// # use table_patterns::{FieldTest, FieldValues, prelude::*};
    /// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    /// # pollster::block_on(async {
    /// let company = r#"
    ///     tables = 1
    ///     [entity.Employee]
    ///     table = "Employees"
    ///     partition = "{department}"
    ///     row = "empid_{id:06}"
    ///     index.by_email = { row = "email_{email}", unique = true }
    ///     [entity.Employee.fields]
    ///     department = "string"
    ///     id = "u32"
    ///     email = "string"
    /// "#;
    /// let company = table_codegen::read(company, "company.toml")?;
    /// let employees = Tables::in_memory()?.design(&company, "Employee")?.entities()?;
    /// let jo = [("department", "Sales".into()), ("id", 1_i64.into()), ("email", "jo@contoso.com".into())];
    /// let jo: FieldValues = jo.map(|(field, value)| (field.to_owned(), value)).into();
    /// employees.insert(&jo).await?;
    ///
    /// let tests = [FieldTest::equal("department", "Sales"), FieldTest::equal("email", "jo@contoso.com")];
    /// let found = employees.query("by_email", &tests)?.report().await?;
    /// assert_eq!((found.items, found.stats.requests), (vec![jo], 1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`DesignError::Unwritable`] if the design does not specify all that is written with an entity.
    pub fn entities(&self) -> Result<DesignedEntities, DesignError> {
        match self.remainder.as_ref().or(self.unwritten.as_ref()) {
            Some(part) => {
                Err(DesignError::Unwritable { entity: self.design().name.to_owned(), part: part.clone() })
            }
            None => Ok(self.unchecked()),
        }
    }

    fn unchecked(&self) -> DesignedEntities {
        DesignedEntities { tables: self.tables.clone(), kind: self.kind, by: self.by }
    }

    /// Returns the table and the filter of the service that find the entities that satisfy all tests by an access path, as
    /// [`DesignedEntities::query`] requests them. Tests of fields that the rows of the path lack are not part of the
    /// filter.
    ///
    /// # Errors
    /// Returns the errors of [`DesignedEntities::query`].
    pub fn filter(&self, path: &str, tests: &[FieldTest]) -> Result<(TableName, Option<Filter>), Error> {
        self.unchecked().query(path, tests)?.filter()
    }

    /// Parses the value of a field: numbers and words as in conditions of a design, times as in RFC 3339.
    ///
    /// # Errors
    /// Returns [`Error::Property`] for an unknown field, or a text that is not a value of its type.
    pub fn parse(&self, field: &str, text: &str) -> Result<Value, Error> {
        self.unchecked().parse(field, text)
    }

    /// Adds an index while programs write the entities; see [`Tables::add_index`]. The handle must use the registry.
    pub fn add_index(&self, index: &str) -> IndexChange {
        IndexChange::of(&self.tables, self.kind, index, true)
    }

    /// Removes an index while programs write the entities; see [`Tables::drop_index`]. The handle must use the
    /// registry.
    pub fn drop_index(&self, index: &str) -> IndexChange {
        IndexChange::of(&self.tables, self.kind, index, false)
    }

    /// Returns the status of the indexes in the registry, or `None` if the entity is not registered. Does not register
    /// the entity, so the handle need not use the registry.
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`](crate::RegistryError::Unreadable) if the row of an index cannot be read, and
    /// [`Error::Service`](crate::Error::Service) if a request fails.
    pub fn registered(&self) -> Pending<'_, Option<Vec<IndexStatus>>> {
        Box::pin(async move {
            let states = self.states().await?;
            states.registered(self.kind.newest().stored_name())
        })
    }

    /// Returns whether the registry contains the change feed of the entity, or `None` if the entity is not registered.
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`](crate::RegistryError::Unreadable) if the row of an index cannot be read, and
    /// [`Error::Service`](crate::Error::Service) if a request fails.
    pub fn registered_changes(&self) -> Pending<'_, Option<bool>> {
        Box::pin(async move {
            let states = self.states().await?;
            states.records_changes(self.kind.newest().stored_name())
        })
    }
}

fn address(table: &TableName, partition_key: &str, row_key: &str) -> Address {
    let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
    Address { table: table.clone(), partition_key, row_key }
}

/// Index rows of an entity by its type and by its design, for tests that compare the two.
#[doc(hidden)]
pub mod compared {
    use table_model::{Properties, RowRef, TableName};

    use super::Designed;
    use crate::{Address, Error, TableEntity, Tables, core::entity_types::EntityInfo};

    /// An index row: index name, address and properties.
    pub type Row = (&'static str, Address, Properties);

    /// Returns the rows derived by the type.
    ///
    /// # Errors
    /// Returns an error if the row cannot be decoded, or if a key of a derived row cannot be encoded.
    pub fn typed<E: TableEntity>(
        tables: &Tables,
        table: &TableName,
        row: RowRef<'_>,
    ) -> Result<Vec<Row>, Error> {
        derived(EntityInfo::of::<E>(), tables, table, row)
    }

    /// Returns the rows derived by the design.
    ///
    /// # Errors
    /// Returns an error if the row cannot be decoded, or if a key of a derived row cannot be encoded.
    pub fn designed(designed: &Designed, table: &TableName, row: RowRef<'_>) -> Result<Vec<Row>, Error> {
        derived(designed.kind, &designed.tables, table, row)
    }

    fn derived(
        kind: EntityInfo,
        tables: &Tables,
        table: &TableName,
        row: RowRef<'_>,
    ) -> Result<Vec<Row>, Error> {
        let rows = kind.derived(tables.source(table), row)?;
        let of_indexes = rows.into_iter().filter(|row| row.rule.index().is_some());
        Ok(of_indexes.map(|row| (row.rule.name(), row.address, row.properties)).collect())
    }
}
