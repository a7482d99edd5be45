use std::{
    any::Any,
    cell::RefCell,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use table_model::{StorageFault, service::VisitRow};

use super::Sink;
use crate::{checksum::damaged, keys::PartitionRun, record::Record};

/// Passes records to a caller's function in place. The engine can repeat a read that it could not complete, so the
/// state is outside of the read.
pub(super) struct Lend<'v>(RefCell<State<'v>>);

struct State<'v> {
    visit: VisitRow<'v>,
    run: PartitionRun,
    count: usize,
    /// Key of the last row.
    last: Vec<u8>,
    /// Panic of the caller's function. A panic during a read is otherwise damage.
    panic: Option<Box<dyn Any + Send>>,
}

impl<'v> Lend<'v> {
    pub(super) fn new(visit: VisitRow<'v>) -> Self {
        let (run, last) = (PartitionRun::default(), Vec::new());
        Self(RefCell::new(State { visit, run, count: 0, last, panic: None }))
    }

    /// Continues the panic of the caller's function, if it panicked.
    pub(super) fn resume_panic(self) {
        if let Some(panic) = self.0.into_inner().panic {
            resume_unwind(panic);
        }
    }
}

impl Sink for &Lend<'_> {
    fn len(&self) -> usize {
        self.0.borrow().count
    }

    fn last(&self) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        (state.count > 0).then(|| state.last.clone())
    }

    fn take(&mut self, key: &[u8], record: &Record<'_>) -> Result<ControlFlow<()>, StorageFault> {
        let State { visit, run, count, last, panic } = &mut *self.0.borrow_mut();
        let (partition_key, row_key) = run.split(key).ok_or_else(|| damaged(key, "its key is invalid"))?;
        last.clear();
        last.extend_from_slice(key);
        *count += 1;
        match catch_unwind(AssertUnwindSafe(|| record.lend(partition_key, &row_key, &mut **visit))) {
            Ok(flow) => Ok(flow),
            Err(caught) => {
                *panic = Some(caught);
                Ok(ControlFlow::Break(()))
            }
        }
    }
}
