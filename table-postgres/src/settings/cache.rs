use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use table_model::{
    Result,
    settings::{ServiceKind, ServiceProperties},
};

use crate::{failure::Failure, postgres::Inner};

/// Time after which properties are read again, as another process may have changed them.
const FRESH: Duration = Duration::from_secs(1);

/// The properties that requests have used. Every request of a server needs those of its service.
#[derive(Debug, Default)]
pub(crate) struct CachedProperties(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Properties, and when they were read.
    read: Vec<(ServiceKind, Instant, Arc<ServiceProperties>)>,
    /// Number of changes by this process. Properties that were read before the last one may be outdated.
    changes: u64,
}

impl CachedProperties {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes all properties, because this process has changed some.
    pub(crate) fn forget(&self) {
        let mut known = self.lock();
        known.read.clear();
        known.changes += 1;
    }
}

impl Inner {
    /// Returns the properties of a service. If they are too old, one request reads them; until it has, and while the database
    /// is away, the others use the old ones.
    pub(crate) async fn cached_properties(
        &self,
        kind: ServiceKind,
    ) -> Result<Arc<ServiceProperties>, Failure> {
        let (old, changes) = {
            let mut known = self.properties.lock();
            let changes = known.changes;
            match known.read.iter_mut().find(|(of, ..)| *of == kind) {
                Some((_, read, properties)) if read.elapsed() < FRESH => return Ok(Arc::clone(properties)),
                Some((_, read, properties)) => {
                    *read = Instant::now();
                    (Some(Arc::clone(properties)), changes)
                }
                None => (None, changes),
            }
        };
        let properties = match (self.properties(kind).await, old) {
            (Ok(properties), _) => Arc::new(properties),
            (Err(Failure::Unknown(_) | Failure::Refused(_)), Some(old)) => return Ok(old),
            (Err(failure), _) => return Err(failure),
        };
        let mut known = self.properties.lock();
        if known.changes == changes {
            known.read.retain(|(of, ..)| *of != kind);
            known.read.push((kind, Instant::now(), Arc::clone(&properties)));
        }
        Ok(properties)
    }
}
