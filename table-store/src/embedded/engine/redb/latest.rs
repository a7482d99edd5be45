use std::{
    fmt,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use super::{Records, fault::Failure};

/// The view of the last commit, which all reads share until the next one.
///
/// A reader that begins after a commit has ended sees that commit: the number is raised when one has ended, and a view
/// counts for the number that was read before it was taken.
#[derive(Default)]
pub(super) struct Latest {
    /// Rises with each commit.
    number: AtomicU64,
    view: RwLock<Option<(u64, Arc<Records>)>>,
}

/// Without the view: redb shows a table's first and last records, and one of those is the key that seals tokens.
impl fmt::Debug for Latest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latest").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Latest {
    /// The view, taken by `take` if there is none of the last commit.
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

    /// A commit begins or has ended, whichever way. The view is let go: as long as it is held, the engine keeps the
    /// pages that only it sees.
    pub(super) fn pass(&self) {
        self.number.fetch_add(1, Ordering::AcqRel);
        self.view.write().unwrap_or_else(PoisonError::into_inner).take();
    }
}
