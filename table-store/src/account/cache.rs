use std::sync::{Arc, PoisonError, RwLock};

use table_model::{
    Result,
    settings::{ServiceKind, ServiceProperties},
};

use super::stored_properties;
use crate::core::Core;

/// Cache of the service properties, which each request reads.
#[derive(Debug, Default)]
pub(crate) struct PropertiesCache(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Properties in the order of [`ServiceKind::ALL`]; `None` if not read since the last change.
    read: [Option<Arc<ServiceProperties>>; 3],
    /// Number of invalidations. A value that was read before the last invalidation may be outdated.
    forgotten: u64,
}

impl PropertiesCache {
    pub(crate) fn get(core: &Core, kind: ServiceKind) -> Result<Arc<ServiceProperties>> {
        let cache = &core.properties.0;
        let forgotten = {
            let known = cache.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(properties) = known.read.get(index(kind)).and_then(Option::as_ref) {
                return Ok(Arc::clone(properties));
            }
            known.forgotten
        };
        let properties = Arc::new(stored_properties(core, kind)?);
        let mut known = cache.write().unwrap_or_else(PoisonError::into_inner);
        if known.forgotten == forgotten
            && let Some(place) = known.read.get_mut(index(kind))
        {
            *place = Some(Arc::clone(&properties));
        }
        Ok(properties)
    }

    fn forget(&self) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *known = Known { forgotten: known.forgotten + 1, ..Known::default() };
    }
}

fn index(kind: ServiceKind) -> usize {
    match kind {
        ServiceKind::Blob => 0,
        ServiceKind::Queue => 1,
        ServiceKind::Table => 2,
    }
}

/// Invalidates the cache when it is dropped. It is the result of a change, which the writer drops or sends after the
/// commit, regardless of the outcome and even if no caller waits for it.
#[derive(Debug)]
pub(crate) struct Forget(pub(super) Arc<PropertiesCache>);

impl Drop for Forget {
    fn drop(&mut self) {
        self.0.forget();
    }
}
