use std::{fmt, sync::Arc};

use super::{Cache, Found};
use crate::{Pending, PointQuery, Stored, Stream, TableEntity};

/// A stream of items, each with the entity that it refers to: a client-side join (R3 of the guide).
///
/// The cost is that of the stream, plus one request for each entity that is not in the cache.
pub struct Joined<T, E> {
    items: Stream<T>,
    cache: Cache<E>,
    key: Key<T, E>,
}

/// An item, and the entity that it refers to, if it exists.
pub type Pair<T, E> = (T, Option<Arc<Stored<E>>>);

/// Returns the point query for the entity that an item refers to.
type Key<T, E> = Box<dyn Fn(&T) -> PointQuery<E> + Send + Sync>;

impl<T: Send + 'static> Stream<T> {
    /// Joins each item with the cached entity that it refers to. See [`Cache`].
    pub fn join<E: TableEntity>(
        self,
        cache: &Cache<E>,
        key: impl Fn(&T) -> PointQuery<E> + Send + Sync + 'static,
    ) -> Joined<T, E> {
        Joined { items: self, cache: cache.clone(), key: Box::new(key) }
    }
}

impl<T: Send + Sync + 'static, E: TableEntity> Joined<T, E> {
    /// Returns the next item and its entity, if the entity exists. Returns `None` at the end.
    ///
    /// # Errors
    /// Returns the error of the stream, or of reading the entity.
    pub fn try_next(&mut self) -> Pending<'_, Option<Pair<T, E>>> {
        Box::pin(async move {
            let Some(item) = self.items.try_next().await? else { return Ok(None) };
            let found: Found<E> = self.cache.get(&(self.key)(&item)).await;
            Ok(Some((item, found?)))
        })
    }

    /// Returns all remaining items.
    ///
    /// # Errors
    /// Returns the errors of [`try_next`](Self::try_next).
    pub fn all(mut self) -> Pending<'static, Vec<Pair<T, E>>> {
        Box::pin(async move {
            let mut all = Vec::new();
            while let Some(row) = self.try_next().await? {
                all.push(row);
            }
            Ok(all)
        })
    }
}

impl<T, E> fmt::Debug for Joined<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Joined")
            .field("items", &self.items)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}
