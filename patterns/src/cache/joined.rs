use std::{fmt, sync::Arc};

use super::{Cache, Found};
use crate::{Pending, PointQuery, Stored, Stream, TableEntity};

/// The items of a stream, each with the entity that it names: a join on the client's side (R3 of the guide).
///
/// It costs the requests of the stream, and one for each entity that is not in the cache.
pub struct Joined<T, E> {
    items: Stream<T>,
    cache: Cache<E>,
    key: Key<T, E>,
}

/// An item, and the entity that it names, if that is there.
pub type Pair<T, E> = (T, Option<Arc<Stored<E>>>);

/// Which entity an item names.
type Key<T, E> = Box<dyn Fn(&T) -> PointQuery<E> + Send + Sync>;

impl<T: Send + 'static> Stream<T> {
    /// The items, each with the entity of a cache that it names; see [`Cache`].
    pub fn join<E: TableEntity>(
        self,
        cache: &Cache<E>,
        key: impl Fn(&T) -> PointQuery<E> + Send + Sync + 'static,
    ) -> Joined<T, E> {
        Joined { items: self, cache: cache.clone(), key: Box::new(key) }
    }
}

impl<T: Send + Sync + 'static, E: TableEntity> Joined<T, E> {
    /// The next item and its entity, which may not be there; none at the end.
    pub fn try_next(&mut self) -> Pending<'_, Option<Pair<T, E>>> {
        Box::pin(async move {
            let Some(item) = self.items.try_next().await? else { return Ok(None) };
            let found: Found<E> = self.cache.get(&(self.key)(&item)).await;
            Ok(Some((item, found?)))
        })
    }

    /// All that are left.
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
