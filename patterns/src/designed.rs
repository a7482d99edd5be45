//! Entities without their types: looked at by a design alone, as a tool does that was not compiled with a program.

mod build;
mod entity;
mod error;
mod form;
mod leaked;
mod unjudged;

pub use error::DesignError;
pub use unjudged::{Unjudged, WhyUnjudged};

use table_schema::schema::Schema;

use crate::{Reindex, Sweep, Tables, Verify, design::Design, kinds::Kind};

/// An entity of a design file, on some tables: [`Tables::design`].
///
/// It derives the rows that the type's code derives, byte for byte, so that either way one finds and repairs the same.
#[derive(Clone, Debug)]
pub struct Designed {
    tables: Tables,
    kind: Kind,
    unjudged: &'static [Unjudged],
}

impl Tables {
    /// An entity by its design, where its type is not at hand.
    ///
    /// What nobody can judge that way is left alone, and named by [`Designed::unjudged`]: totals, fields that are copied from
    /// other entities, and indexes whose rows hold what is encrypted, unless the handle has keys.
    ///
    /// A design's plain data is made once and kept until the program ends; asked for again, for any handle, it is the same.
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
    /// # tables.blocking().delete_at(Entity::point("Employees", "Sales", "email_jo@contoso.com"))?;
    /// let employees = tables.design(&company, "Employee")?;
    /// let report = tables.blocking().sweep(employees.verify().repair())?;
    /// assert_eq!((report.entities, report.count(), report.repaired), (1, 1, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DesignError`]: the design has no such entity or mistakes, or nothing is derived from it.
    pub fn design(&self, schema: &Schema, entity: &str) -> Result<Designed, DesignError> {
        let (kind, unjudged) = build::designed(schema, entity, self.sealing().is_some())?;
        self.kinds().register(kind);
        Ok(Designed { tables: self.clone(), kind, unjudged })
    }
}

impl Designed {
    /// Its design as the type's code would have it, without what is left alone.
    pub const fn design(&self) -> &'static Design {
        self.kind.design
    }

    /// What is left alone, and why.
    pub const fn unjudged(&self) -> &'static [Unjudged] {
        self.unjudged
    }

    /// As [`Tables::verify`].
    pub fn verify(&self) -> Sweep<Verify> {
        Verify::of(&self.tables, self.kind)
    }

    /// As [`Tables::reindex`]. An index that is left alone is none that the entity has: [`Error::NoSuchIndex`](crate::Error::NoSuchIndex).
    pub fn reindex(&self, index: &str) -> Sweep<Reindex> {
        Reindex::of(&self.tables, self.kind, index)
    }
}

/// The rows that the indexes keep of an entity, by its type and by its design: for tests that both are the same.
#[doc(hidden)]
pub mod compared {
    use table_store::{Properties, RowRef, TableName};

    use super::Designed;
    use crate::{
        Address, Error, TableEntity, Tables,
        kinds::{Kind, Rule},
    };

    /// A row of an index.
    pub type Row = (&'static str, Address, Properties);

    /// By the type.
    pub fn typed<E: TableEntity>(
        tables: &Tables,
        table: &TableName,
        row: RowRef<'_>,
    ) -> Result<Vec<Row>, Error> {
        derived(Kind::of::<E>(), tables, table, row)
    }

    /// By the design.
    pub fn designed(designed: &Designed, table: &TableName, row: RowRef<'_>) -> Result<Vec<Row>, Error> {
        derived(designed.kind, &designed.tables, table, row)
    }

    fn derived(kind: Kind, tables: &Tables, table: &TableName, row: RowRef<'_>) -> Result<Vec<Row>, Error> {
        let rows = kind.derived(tables.source(table), row)?;
        let of_indexes = kind.rules_of(&rows).filter(|(rule, _)| matches!(rule, Rule::Index(..)));
        Ok(of_indexes.map(|(rule, row)| (rule.name(), row.address.clone(), row.properties.clone())).collect())
    }
}
