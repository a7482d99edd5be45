//! Runs a job page by page. The position after each page is in the record, so any process can continue.

use table_patterns::{Cursor, Job, Sweep};

use super::{execute::Execution, position::Position};
use crate::{error::CommandError, progress::Progress};

impl Execution<'_> {
    /// Creates the progress of the current step.
    pub(super) fn progress(&self) -> Progress {
        let (step, all) = (self.record.done() + 1, self.migration.plan.steps.len());
        Progress::of_unknown().of(format!("step {step} of {all}: "))
    }

    /// Runs the rest of a job. `counts` returns the counts of a report: they are added to those of earlier runs.
    pub(super) async fn sweep<J: Job>(
        &mut self,
        mut sweep: Sweep<J>,
        counts: impl Fn(&J::Report) -> Position,
    ) -> Result<J::Report, CommandError>
    where
        J::Report: Clone,
    {
        self.record.position.runs += 1;
        self.record.save(self.place).await?;
        let before = self.record.position.clone();
        if let Some(cursor) = &before.cursor {
            let cursor = cursor.parse::<Cursor>().map_err(table_patterns::Error::from)?;
            sweep = sweep.resume(cursor);
        }
        sweep = paced(sweep, self.migration.arguments.max_rate);
        let progress = self.progress();
        loop {
            let is_more = sweep.paced_step().await?;
            progress.count(sweep.rows(), "rows");
            let cursor = sweep.cursor().map(|cursor| cursor.to_string());
            self.record.position = before.plus(Position { cursor, ..counts(sweep.report()) });
            if !is_more {
                return Ok(sweep.report().clone());
            }
            self.record.save(self.place).await?;
            // Operations on a file run inline in the poll; yielding lets a signal be handled.
            tokio::task::yield_now().await;
        }
    }
}

/// Returns a job with the rate limit.
pub(super) fn paced<J: Job>(sweep: Sweep<J>, max_rate: Option<u32>) -> Sweep<J> {
    match max_rate {
        Some(per_second) => sweep.max_rows_per_second(per_second),
        None => sweep,
    }
}
