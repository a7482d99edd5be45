//! Upgrades: rewrites rows of older versions of a type as the newest version.

use table_model::Filter;

use crate::{
    Rewrite, Sweep, TableEntity, Tables,
    core::{entity_types::of_types, table::table_named, versions::Versions},
    maintain::{
        list_rows::tables_with_lists,
        sweep::{Periods, Walk},
    },
    pattern::changes::rewrite::RECORDED_TYPE,
};

impl Tables {
    /// Creates a sweep that reads the entities that were written by older versions of a type, or under an alternative
    /// name, and writes them as the newest version. Concurrent writes are safe; an entity that is changed concurrently
    /// is read again.
    ///
    /// The rows of lists, also of those in other tables, get the newest `EntityType` without a change of their members.
    /// This takes a scan of each table with lists, and a read and a write for each older row of a list. Afterwards, and
    /// after [`catch_up`](Self::catch_up), no row of the type has an older `EntityType`, unless `failed` lists entities.
    ///
    /// So do the entities in the archive, and the records of the change feed: they keep their numbers and times, and a
    /// consumer reads the same changes as before. An archived entity with a value in a blob fails; `reopen` returns it.
    ///
    /// Of an entity with a table for each period, the tables that exist at the start are read, in the order of their names.
    ///
    /// The sweep finds old rows by `EntityType`. If the type stores no `EntityType`, the sweep does nothing. Rows of an
    /// index that only the older version had are kept: see [`remove_index_rows`](Self::remove_index_rows).
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
    /// struct EmployeeV1 { department: String, id: u32, name: String }
    ///
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(version = 2, from(EmployeeV1))]
    /// struct Employee { department: String, id: u32, first_name: String }
    ///
    /// impl From<EmployeeV1> for Employee {
    ///     fn from(old: EmployeeV1) -> Self {
    ///         Self { department: old.department, id: old.id, first_name: old.name }
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&EmployeeV1 { department: "Sales".into(), id: 1, name: "Jo".into() }).await?;
    /// assert_eq!(tables.upgrade::<Employee>().run().await?.written, 1);
    /// assert_eq!(tables.upgrade::<Employee>().run().await?.written, 0);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn upgrade<E: TableEntity>(&self) -> Sweep<Rewrite<E>> {
        let design = E::DESIGN;
        let older = || design.entity_types().filter(|name| Some(*name) != design.entity_type);
        let rows = of_types(older()).filter(|_| design.entity_type.is_some() && design.wide.is_none());
        // The rows of a change feed have the type under another name.
        let records =
            older().filter(|_| design.changes.is_some()).map(|name| Filter::eq(RECORDED_TYPE, name));
        let archives = || Versions::new(design).archives().map(table_named).collect::<Result<Vec<_>, _>>();
        let walk = match rows.map(|rows| records.fold(rows, Filter::or)) {
            // Such an entity has no lists.
            Some(filter) if let Some(template) = &design.tables => archives().map(|archives| {
                let walk = Walk::over("upgrade", design.name, Periods::Type(template), Some(filter));
                walk.and(archives)
            }),
            Some(filter) => tables_with_lists(design).and_then(|tables| {
                let tables = tables.into_iter().chain(archives()?).collect();
                Ok(Walk::new("upgrade", design.name, tables, Some(filter)))
            }),
            None => Ok(Walk::new("upgrade", design.name, Vec::new(), None)),
        };
        Sweep::new(self, Rewrite::new(), walk)
    }
}
