use std::ops::ControlFlow;

use table_model::{Name, Rows, StorageFault, rows::Selection};

use super::Sink;
use crate::{keys::PartitionRun, record::Record};

/// Copies the selected properties of the records.
pub(super) struct Collect<'s> {
    rows: Rows,
    select: Selection<'s>,
    run: PartitionRun,
}

impl<'s> Collect<'s> {
    pub(super) fn new(select: Option<&'s [Name]>, top: usize) -> Self {
        let rows = if top > 1 { Rows::with_room() } else { Rows::new() };
        Self { rows, select: Selection::new(select), run: PartitionRun::default() }
    }

    pub(super) fn into_rows(self) -> Rows {
        self.rows
    }
}

impl Sink for Collect<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    /// A repeated read collects all rows again.
    fn last(&self) -> Option<Vec<u8>> {
        None
    }

    fn take(&mut self, key: &[u8], record: &Record<'_>) -> Result<ControlFlow<()>, StorageFault> {
        let keys = self.run.split(key);
        let keys = keys.as_ref().map(|(partition_key, row_key)| (*partition_key, &**row_key));
        record.push_to(&mut self.rows, &mut self.select, keys)?;
        Ok(ControlFlow::Continue(()))
    }
}
