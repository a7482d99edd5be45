//! Removal of garbage by writers, in steps.

use table_model::blob::limits::UNCOMMITTED_KEPT;
use tokio_postgres::types::ToSql;

use super::work::{CONTENT, GRACE, STAGE};
use crate::{client::Session, failure::Failure, postgres::Inner, stamps::ticks};

/// Number of steps of one writer.
const STEPS: usize = 3;

impl Inner {
    /// Removes some garbage. A failure leaves it to the next writer.
    pub(super) async fn sweep(&self, session: &Session) {
        for _ in 0..STEPS {
            if !matches!(self.sweep_some(session).await, Ok(true)) {
                // Also after a failure, no transaction stays open.
                let _ = session.batch_execute("ROLLBACK").await;
                return;
            }
        }
    }

    /// Removes one piece of garbage, or a part of it. Returns whether there was one.
    async fn sweep_some(&self, session: &Session) -> Result<bool, Failure> {
        let pick = session.prepare_cached(&self.blobs.pick).await?;
        session.batch_execute("BEGIN").await?;
        let Some(row) = session.query_opt(&pick, &[]).await? else { return Ok(false) };
        let (kind, id, now): (i16, i64, i64) = (row.get(0), row.get(1), row.get(2));
        // Uncommitted blocks are kept for the retention after the last upload, and the grace.
        let kept = ticks(UNCOMMITTED_KEPT).saturating_add(ticks(GRACE));
        let expired = now.saturating_sub(kept);
        let parts: [&(dyn ToSql + Sync); 2] = [&id, &now];
        let stage: [&(dyn ToSql + Sync); 4] = [&id, &now, &expired, &kept];
        let (text, params): (_, &[&(dyn ToSql + Sync)]) = match kind {
            CONTENT if id > 0 => (&self.blobs.sweep_chunks, parts.get(..1).unwrap_or_default()),
            CONTENT => (&self.blobs.sweep_parts, &parts),
            STAGE => (&self.blobs.sweep_stage, &stage),
            _ => (&self.blobs.sweep_container, &parts),
        };
        let statement = session.prepare_cached(text).await?;
        session.execute(&statement, params).await?;
        session.batch_execute("COMMIT").await?;
        Ok(true)
    }
}
