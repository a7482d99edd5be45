use table_model::Timestamp;

use crate::{
    Error, PointQuery, Query, SoftDelete, Stored,
    handle::{Pending, Tables},
};

impl Tables {
    /// Marks an entity as deleted: sets the field that its type declares with `#[table(soft_delete = field)]` to the
    /// current time by the clock of the handle. Its index rows, unique keys, list entries, contributions to aggregates and
    /// copies are removed, and queries no longer return it, unless they are asked [`with_deleted`](Query::with_deleted). An
    /// entity that is already soft-deleted, at a point `with_deleted`, keeps its time and is not written.
    ///
    /// The field can also be set by any other write, such as a [`replace`](Self::replace) of an entity that was read, with
    /// the same effect. [`purge`](Self::purge) deletes such entities later; [`delete`](Self::delete) deletes one at once.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Users", partition = "{tenant}", row = "{id:06}", soft_delete = deleted)]
    /// struct User { tenant: String, id: u32, deleted: Option<Timestamp> }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&User { tenant: "a".into(), id: 1, deleted: None }).await?;
    /// tables.soft_delete(User::point("a", 1)).await?;
    /// assert!(User::point("a", 1).get(&tables).await?.is_none());
    /// assert_eq!(User::rows("a").with_deleted().count(&tables).await?, 1);
    ///
    /// tables.undelete(User::point("a", 1)).await?;
    /// assert!(User::point("a", 1).get(&tables).await?.is_some());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::NotFound`](crate::Error::NotFound) if the entity does not exist or is already soft-deleted, unless
    /// the point is `with_deleted`, and the other errors of [`update`](Self::update).
    pub fn soft_delete<E: SoftDelete>(&self, point: PointQuery<E>) -> Pending<'_, Stored<E>> {
        let now = self.clock().now();
        self.change_if(point, move |entity| mark(entity, Some(now)))
    }

    /// Restores a soft-deleted entity, with its index rows, unique keys, list entries, contributions and copies. The point
    /// is one of the entity's own key, because an index does not contain it. An entity that is not soft-deleted
    /// remains as it is, and is not written.
    ///
    /// # Errors
    /// Returns [`Error::Unique`](crate::Error::Unique) if another entity now has a key of it in a unique index,
    /// [`Error::NotFound`](crate::Error::NotFound) if the entity does not exist, and the other errors of
    /// [`update`](Self::update).
    pub fn undelete<E: SoftDelete>(&self, point: PointQuery<E>) -> Pending<'_, Stored<E>> {
        self.change_if(point.with_deleted(), |entity| mark(entity, None))
    }
}

/// Sets or clears the time of the deletion. Returns `false` if the entity is in the requested state.
fn mark<E: SoftDelete>(entity: &mut E, at: Option<Timestamp>) -> Result<bool, Error> {
    if entity.is_deleted() == at.is_some() {
        return Ok(false);
    }
    entity.set_deleted_at(at).map(|()| true)
}
