use std::{
    fmt,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{Records, fault::Failure};

/// Snapshot of the last commit, shared by all reads until the next commit.
///
/// A reader that starts after the end of a commit sees that commit: the number increases at the end of each commit, and
/// a snapshot is valid for the number that was read before it was taken.
#[derive(Default)]
pub(super) struct Latest {
    /// Increases with each commit.
    number: AtomicU64,
    view: RwLock<Option<(u64, Arc<Records>)>>,
}

/// Omits the snapshot: redb prints the first and last records of a table, and one of them is the key that protects
/// tokens.
impl fmt::Debug for Latest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latest").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Latest {
    /// Returns the snapshot of the last commit, using `take` to create it.
    pub(super) fn get(
        &self,
        take: impl FnOnce() -> Result<Records, Failure>,
    ) -> Result<Arc<Records>, Failure> {
        let number = self.number.load(Ordering::Acquire);
        if let Some((of, view)) = &*self.view.read().unwrap_or_else(PoisonError::into_inner)
            && *of == number
        {
            return Ok(Arc::clone(view));
        }
        let view = Arc::new(take()?);
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = Some((number, Arc::clone(&view)));
        Ok(view)
    }

    /// Marks the start or end of a commit. Releases the snapshot, because the engine retains the pages that only the
    /// snapshot uses.
    pub(super) fn pass(&self) {
        self.number.fetch_add(1, Ordering::AcqRel);
        self.view.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}
