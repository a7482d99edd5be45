use std::{cell::RefCell, ops::ControlFlow};

use table_model::StorageFault;

use super::{
    FileEngine,
    trees::{Part, Trees},
};
use crate::engine::{Read, Visit};

/// Reads of the records that continue after damaged pages.
pub(crate) struct Around<'p> {
    trees: Trees<'p>,
    /// The first damage that the last read has passed.
    damage: RefCell<Option<String>>,
}

impl FileEngine {
    /// Calls `work` with reads of the last commit, while no page is written. Returns `None` if the pages have no checksums:
    /// a damaged page could then contain any record.
    pub(crate) fn around<T>(&self, work: impl FnOnce(&Around<'_>) -> T) -> Option<T> {
        self.guard.between_writes(|pages, header| {
            let header = header.filter(|_| pages.are_summed())?;
            Some(work(&Around { trees: Trees::new(pages, header), damage: RefCell::default() }))
        })
    }
}

/// Returns no error for damage: it is recorded, and [`Reporting`] returns it.
impl Read for &Around<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        let (mut found, end) = (false, [key, &[0]].concat());
        self.scan(key, &end, &mut |_, value| {
            found = true;
            visit(value);
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        if from >= to {
            return Ok(());
        }
        self.trees.table("records", Part { from, to: Some(to) }, visit, &mut |page| {
            self.damage.borrow_mut().get_or_insert(page.what);
        })
    }
}

/// Reads that go around damaged pages, and then return the damage as an error.
pub(crate) struct Reporting<'r> {
    /// Reads of `around`, with rows over them or not.
    pub(crate) read: &'r dyn Read,
    pub(crate) around: &'r Around<'r>,
}

impl Reporting<'_> {
    fn report<T>(&self, read: impl FnOnce() -> Result<T, StorageFault>) -> Result<T, StorageFault> {
        self.around.damage.take();
        let done = read()?;
        self.around.damage.take().map_or(Ok(done), |what| Err(StorageFault::Corrupt { what }))
    }
}

impl Read for Reporting<'_> {
    fn get(&self, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool, StorageFault> {
        self.report(|| self.read.get(key, visit))
    }

    fn scan(&self, from: &[u8], to: &[u8], visit: Visit<'_>) -> Result<(), StorageFault> {
        self.report(|| self.read.scan(from, to, visit))
    }
}
