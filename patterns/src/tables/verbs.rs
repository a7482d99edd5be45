use crate::{
    Bulk, DeleteTarget, Error, IntoMerge, OnePoint, Stored, Transaction, WriteResult,
    core::{
        entity::Writable,
        new::New,
        old::{Old, ReadOld},
    },
    handle::{Pending, Tables},
    write::Intent,
};

impl Tables {
    /// Inserts a new entity.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&employee(1)).await?;
    /// let error = tables.insert(&employee(1)).await.unwrap_err();
    /// assert!(error.is_conflict());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::AlreadyExists`] ([`Error::is_conflict`]) if an entity with the same key exists, and
    /// [`Error::Unique`] if another entity has the same key in a unique index.
    pub fn insert<E: Writable>(&self, entity: &E) -> Pending<'_, WriteResult> {
        self.write(Intent::insert(entity))
    }

    /// Replaces an entity that was read, unless it was changed since. Properties that the type does not declare are kept.
    /// To change key fields, see [`Tables::rekey`].
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// let Some(mut employee) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
    /// let outdated = employee.clone();
    /// employee.age = 31;
    /// tables.replace(&employee).await?;
    /// // The entity was changed since it was read.
    /// assert!(tables.replace(&outdated).await.unwrap_err().is_conflict());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `UpdateConditionNotSatisfied` ([`Error::is_conflict`]) if a concurrent writer changed the entity, and
    /// [`Error::KeyChanged`] if a key field was changed.
    pub fn replace<E: Writable>(&self, stored: &Stored<E>) -> Pending<'_, WriteResult> {
        self.write(Intent::replace(stored))
    }

    /// Replaces an entity regardless of its version. It reads the stored row first: one additional request. Properties
    /// that the type does not declare are kept.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// tables.replace_any(&Employee { age: 31, ..employee(1) }).await?;
    /// assert!(tables.replace_any(&employee(9)).await.unwrap_err().is_not_found());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `ResourceNotFound` if the entity does not exist.
    pub fn replace_any<E: Writable>(&self, entity: &E) -> Pending<'_, WriteResult> {
        self.write(Intent::replace_any(entity))
    }

    /// Inserts or replaces an entity. It reads the stored row first: one additional request. Properties that the type
    /// does not declare are kept. [`overwrite`](Self::overwrite) does not read.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.upsert(&employee(1)).await?;
    /// tables.upsert(&Employee { age: 31, ..employee(1) }).await?;
    /// assert_eq!(Employee::point("Sales", 1).get(&tables).await?.map(|found| found.age), Some(31));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if the stored row has another entity type or a newer version of it, and
    /// [`Error::Service`] if a request fails.
    pub fn upsert<E: Writable>(&self, entity: &E) -> Pending<'_, WriteResult> {
        self.write(Intent::upsert(entity))
    }

    /// Inserts or replaces an entity in one request, without reading the stored row. Everything that is stored at its
    /// key is lost: properties that the type does not declare, a row of a newer version, an entity of another type.
    ///
    /// Use it only where no other program stores more in these rows. [`upsert`](Self::upsert) reads first, and keeps
    /// what it does not know.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.overwrite(&employee(1)).await?;
    /// tables.overwrite(&Employee { age: 31, ..employee(1) }).await?;
    /// assert_eq!(Employee::point("Sales", 1).get(&tables).await?.map(|found| found.age), Some(31));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::OverwriteUnsupported`] if the entity has index rows, aggregates, blobs or several rows, or the time of
    /// its creation, because these depend on the stored row.
    pub fn overwrite<E: Writable>(&self, entity: &E) -> Pending<'_, WriteResult> {
        self.write(Intent::overwrite(entity))
    }

    /// Writes the properties of a patch and keeps all others.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// // Any version of the entity, without a read.
    /// tables.merge(Employee::patch("Sales", 1).age(31)).await?;
    ///
    /// // The version that was read.
    /// let Some(employee) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
    /// tables.merge(employee.patch().age(32)).await?;
    /// assert!(tables.merge(employee.patch().age(33)).await.unwrap_err().is_conflict());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `ResourceNotFound` if the entity does not exist. For a patch of an entity that was read, returns
    /// `UpdateConditionNotSatisfied` if a concurrent writer changed it. Returns [`Error::CopiedElsewhere`] or
    /// [`Error::DecidesSink`] if the patch sets a field that a patch cannot change. For a type that declares a `version`,
    /// a patch by key returns [`Error::Decode`] if the row has a newer version or another type.
    pub fn merge(&self, patch: impl IntoMerge) -> Pending<'_, WriteResult> {
        self.write(Intent::merge(patch))
    }

    /// Inserts or merges: writes the properties of a patch, and creates the entity if it does not exist. The version is
    /// not checked. Properties that the patch does not set must be optional, otherwise an entity created by it cannot
    /// be decoded.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Settings", partition = "{user}", row = "settings")]
    /// struct Settings { user: String, theme: Option<String>, font_size: Option<i32> }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.upsert_merge(Settings::patch("jo").theme("dark".to_owned())).await?;
    /// tables.upsert_merge(Settings::patch("jo").font_size(12)).await?;
    /// let Some(settings) = Settings::point("jo").get(&tables).await? else { return Ok(()) };
    /// assert_eq!((settings.theme.as_deref(), settings.font_size), (Some("dark"), Some(12)));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::PartialUpsertUnsupported`] if the entity has indexes or aggregates, or if the patch sets a blob
    /// field. For a type that declares a `version`, returns [`Error::Decode`] if the row has a newer version or another
    /// type.
    pub fn upsert_merge(&self, patch: impl IntoMerge) -> Pending<'_, WriteResult> {
        self.write(Intent::upsert_merge(patch))
    }

    /// Deletes an entity, by value or by reference: an entity that was read only if it was not changed since, a point
    /// query in any version, like [`delete_at`](Self::delete_at).
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// let Some(employee) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
    /// tables.delete(&employee).await?;
    /// assert!(tables.delete(employee).await.unwrap_err().is_not_found());
    /// tables.delete(Employee::point("Sales", 2)).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `UpdateConditionNotSatisfied` ([`Error::is_conflict`]) if a concurrent writer changed the entity, and
    /// `ResourceNotFound` if it no longer exists.
    pub fn delete(&self, target: impl DeleteTarget) -> Pending<'_, ()> {
        self.send_delete(Intent::delete(target))
    }

    /// Deletes an entity by key, regardless of its version.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// tables.delete_at(Employee::point("Sales", 1)).await?;
    /// assert!(Employee::point("Sales", 1).get(&tables).await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `ResourceNotFound` if the entity does not exist. For a type with indexes, aggregates, blobs or a declared
    /// `version`, returns [`Error::Decode`] if the row has a newer version or another type.
    pub fn delete_at(&self, point: impl OnePoint + DeleteTarget) -> Pending<'_, ()> {
        self.send_delete(Intent::delete(point))
    }

    /// Deletes an entity if it exists: a stored entity only in the version that was read, a point query in any version.
    /// Returns whether it existed.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// assert!(tables.delete_if_exists(Employee::point("Sales", 1)).await?);
    /// assert!(!tables.delete_if_exists(Employee::point("Sales", 1)).await?);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `UpdateConditionNotSatisfied` ([`Error::is_conflict`]) if a stored entity was changed since it was read.
    pub fn delete_if_exists(&self, target: impl DeleteTarget) -> Pending<'_, bool> {
        let deleted = self.send_delete(Intent::delete(target));
        Box::pin(async move {
            match deleted.await {
                Ok(()) => Ok(true),
                Err(error) if error.is_not_found() => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    /// Moves an entity whose key fields were changed within its partition, in one transaction.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// let Some(mut employee) = Employee::point("Sales", 3).get(&tables).await? else { return Ok(()) };
    /// employee.id = 4;
    /// assert!(matches!(tables.replace(&employee).await, Err(Error::KeyChanged { .. })));
    /// tables.rekey(&employee).await?;
    /// assert!(Employee::point("Sales", 3).get(&tables).await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::MovesPartition`] if the new key is in another partition, and [`Error::HoldsUnique`] if the
    /// entity keeps its key in a unique index of another partition. Fails with a conflict ([`Error::is_conflict`]) if
    /// the entity was changed since it was read or the new key exists.
    pub fn rekey<E: Writable>(&self, stored: &Stored<E>) -> Pending<'_, WriteResult> {
        let states = Old::of(stored).and_then(|old| Ok((old, New::valid(&**stored)?)));
        Box::pin(async move {
            let (old, new) = states?;
            let read = ReadOld::of::<E>();
            let is_read = old.is_of_index() && old.address != new.address;
            let old = if is_read { read.with_own(self, old).await? } else { old };
            let writes = Intent::rekey(old, new, read)?;
            // The last write is the entity: its replacement in place, or its insert at the new key.
            let answers = self.send_all(writes).await?;
            answers.into_iter().last().flatten().ok_or_else(unanswered)
        })
    }

    /// Starts a transaction: several writes to one partition, of any entity types, executed atomically.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
    /// let Some(mut manager) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
    /// manager.age += 1;
    /// let transaction = tables.transact().replace(&manager).insert(&employee(4));
    /// transaction.delete_at(Employee::point("Sales", 2)).commit().await?;
    /// assert_eq!(Employee::rows("Sales").all(&tables).await?.len(), 3);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub const fn transact(&self) -> Transaction<'_> {
        Transaction::new(self)
    }

    /// Starts a bulk: many writes to any partitions, in as few transactions as possible.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # struct Employee { department: String, id: u32, age: i32 }
    /// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let employees: Vec<Employee> = (1..=250).map(employee).collect();
    /// let report = tables.bulk().insert_all(&employees).run().await?;
    /// assert_eq!(report.groups.len(), 3, "at most 100 operations each");
    /// report.into_result()?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub const fn bulk(&self) -> Bulk<'_> {
        Bulk::new(self)
    }
}

fn unanswered() -> Error {
    table_model::TableError::with_message(
        table_model::ErrorCode::InternalError,
        "The service returned no results for a transaction.",
    )
    .into()
}
