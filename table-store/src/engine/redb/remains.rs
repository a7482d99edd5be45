use std::{ops::ControlFlow, sync::Arc};

use table_model::StorageFault;

use super::{
    Applied,
    guard::{Guard, Header},
    head,
    pages::Accept,
    trees::{LostPage, Part, Trees},
};
use crate::{disk::Disk, engine::Visit, refusal::Refusal};

/// A file that is read without redb, as far as it is sound.
pub(crate) struct Remains {
    guard: Guard,
    header: Header,
}

impl Remains {
    /// Finds the newest header, for a use of the pages.
    ///
    /// # Errors
    /// No header is sound, or the content is not a store of this version.
    pub(crate) fn of(disk: &Arc<dyn Disk>, accept: Accept) -> Result<Self, Refusal> {
        match head::read(&**disk) {
            Err(Refusal::Damaged(what)) if disk.len().map_err(super::fault::io)? < head::LEAST_BYTES => {
                return Err(Refusal::Damaged(what));
            }
            Ok(_) | Err(Refusal::Damaged(_)) => {}
            Err(refusal) => return Err(refusal),
        }
        let (guard, header) = Guard::of_remains(Arc::clone(disk), head::is_summed(&**disk)?, accept)?;
        Ok(Self { guard, header })
    }

    /// Returns whether the pages have checksums.
    pub(crate) fn are_summed(&self) -> bool {
        self.guard.pages().are_summed()
    }

    /// Returns a description of the missing end, if the file is shorter than its header expects.
    pub(crate) fn truncation(&self) -> Result<Option<String>, Refusal> {
        self.guard.truncation()
    }

    /// Passes the records in key order to `visit`, and the parts that cannot be read to `lost`.
    pub(crate) fn records(
        &self,
        visit: Visit<'_>,
        lost: &mut dyn FnMut(LostPage),
    ) -> Result<(), StorageFault> {
        Trees::new(self.guard.pages(), &self.header).table("records", Part::default(), visit, lost)
    }

    /// Reads the position of the log. `None` if it cannot be read.
    pub(crate) fn applied(&self) -> Result<Option<Applied>, StorageFault> {
        let (mut applied, mut sound) = (Applied::default(), true);
        let mut lost = false;
        let mut visit = |key: &[u8], value: &[u8]| {
            sound &= applied.set(key, value).is_some();
            ControlFlow::Continue(())
        };
        let trees = Trees::new(self.guard.pages(), &self.header);
        trees.table("applied", Part::default(), &mut visit, &mut |_| lost = true)?;
        Ok((sound && !lost).then_some(applied))
    }

    /// Reads all pages in use, and passes those that are damaged to `lost`.
    pub(crate) fn check(&self, lost: &mut dyn FnMut(LostPage)) -> Result<(), StorageFault> {
        Trees::new(self.guard.pages(), &self.header).all(lost)
    }
}
