use std::sync::Arc;

use table_model::StorageFault;

use super::{merge, opening, view::Frozen};
use crate::{
    disk::Disk,
    engine::{Applied, Visit},
    keys::TableId,
    refusal::Refusal,
};

/// The rows of a log that its file does not contain.
pub(crate) struct LogRows(Option<Frozen>);

impl LogRows {
    /// Reads the rows after a position, up to the first damage of the log. Also returns the damage.
    pub(crate) fn read(disk: &Arc<dyn Disk>, applied: Applied) -> Result<(Self, Option<String>), Refusal> {
        let found = opening::find(&**disk, applied)?;
        let damage = found.as_ref().and_then(|found| found.damage.clone());
        Ok((Self(found.and_then(|found| found.frozen)), damage))
    }

    /// Creates no rows.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Passes the rows over all rows of `base`, in key order, to `visit`.
    pub(crate) fn over(
        &self,
        base: impl FnOnce(Visit<'_>) -> Result<(), StorageFault>,
        visit: Visit<'_>,
    ) -> Result<(), StorageFault> {
        let Some(frozen) = &self.0 else { return base(visit) };
        let end = TableId(u32::MAX).end();
        merge::scan(frozen.layer.range(&[], &end, u64::MAX), false, base, visit)
    }
}
