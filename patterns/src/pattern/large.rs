//! Large values, which are stored in blobs next to their entities and read on demand.

mod apply;
mod change;
mod moved;
mod read;
mod store;
mod sweep;
mod upload;

pub(crate) use change::Blobs;
pub use read::BlobStream;
pub use sweep::{CollectBlobs, CollectedBlobs};
pub(crate) use upload::Uploads;

use crate::{
    Error,
    write::{
        Patched, Pattern, States, Write,
        work::{Entry, Works},
    },
};

/// The pattern of large values.
#[derive(Debug)]
pub(crate) struct Large;

impl Pattern for Large {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        let (old, new) = states.of_row();
        let puts = new.map(|new| std::mem::take(&mut new.blobs)).unwrap_or_default();
        let blobs = Blobs::plan(write, old, puts, |_| true);
        write.reference(blobs);
        Ok(())
    }

    fn follow<'c>(&self, entries: &[Entry<'c>]) -> Result<Works<'c>, Error> {
        Ok(apply::works(entries))
    }

    fn patch(&self, patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        let Some(old) = patch.loaded else { return Ok(()) };
        let puts = std::mem::take(&mut patch.puts);
        let set: Vec<_> = puts.iter().map(|put| put.property.clone()).collect();
        let blobs = Blobs::plan(write, Some(old), puts, |property| set.contains(property));
        write.reference(blobs);
        Ok(())
    }
}

impl Write {
    fn reference(&mut self, blobs: Blobs) {
        if !blobs.is_empty() {
            self.add(blobs);
        }
    }
}
