use std::time::Duration;

use crate::{
    Error, Pending, Reindex, TableEntity, Tables,
    core::entity_types::EntityInfo,
    design::Index,
    handle::registry::known::{Registry, register},
};

/// Number of entities whose index rows are compared before an index is registered as readable.
const SAMPLE: u64 = 100;

impl Tables {
    /// Registers an entity whose rows were written without a registry, and returns the names of its indexes that the
    /// registry does not contain.
    ///
    /// The index rows of the first 100 entities are compared with the entities. An index that some of them require, without
    /// a difference, is registered as readable. Another one, such as the index that a new version of the program declares,
    /// or a sparse index that only later entities require, is registered as not added: programs do not maintain it, and
    /// reading by it is an error, until [`add_index`](Self::add_index) has written its rows. If programs with and without an index wrote the rows, run [`verify`](Self::verify) first, because
    /// the rows of later entities are not compared.
    ///
    /// If the entity is already registered, its indexes remain in their states.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # mod before {
    /// #     #[derive(table_patterns::TableEntity, Clone, Debug)]
    /// #     #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #     #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// #     pub struct Employee { pub department: String, pub id: u32, pub badge: u32, pub desk: u32 }
    /// # }
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// #[table(index(by_desk, row = "desk_{desk:04}_{id:06}", copy()))] // new
    /// struct Employee { department: String, id: u32, badge: u32, desk: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let without = Tables::in_memory()?;
    /// # without.insert(&before::Employee { department: "Sales".into(), id: 1, badge: 7, desk: 1 }).await?;
    /// let tables = without.with_registry();
    /// assert_eq!(tables.register::<Employee>().await?, ["by_desk"]);
    /// assert_eq!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.len(), 1);
    /// assert!(Employee::by_desk_rows("Sales").at(1).all(&tables).await.is_err(), "call `add_index`");
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Service`] if a request fails.
    pub fn register<E: TableEntity>(&self) -> Pending<'_, Vec<&'static str>> {
        Box::pin(async move {
            let kind = EntityInfo::of::<E>();
            let (design, name) = (kind.newest(), kind.stored_name());
            if !Registry::read_at(self, design, Duration::ZERO).await?.is_registered(name) {
                let mut complete = Vec::with_capacity(design.indexes.len());
                // A type and the type that its entities move to have the same rows, and both are registered before the move.
                let apart = self.without_kinds();
                for index in design.indexes {
                    if is_complete(&apart, kind, index).await? {
                        complete.push(index);
                    }
                }
                register(self, design, complete).await?;
                if let Some(registry) = self.registry() {
                    registry.forget();
                }
            }
            let states = Registry::read_at(self, design, Duration::ZERO).await?;
            let names = design.indexes.iter().map(|index| index.name);
            Ok(names.filter(|index| states.of(name, index).is_none()).collect())
        })
    }
}

/// Returns whether the first entities prove that an index of a type that is not registered is complete: they have the
/// rows that they require. If none requires one, only the end of the table proves it.
async fn is_complete(tables: &Tables, kind: EntityInfo, index: &Index) -> Result<bool, Error> {
    let mut sweep = Reindex::of(tables, kind, index.name).dry_run();
    while sweep.report().entities < SAMPLE && sweep.paced_step().await? {}
    let report = sweep.report();
    let is_proven = report.required > 0 || sweep.cursor().is_none();
    Ok(is_proven && report.written + report.without_count == 0)
}
