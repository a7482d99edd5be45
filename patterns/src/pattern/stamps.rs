//! Times that the library sets: `#[table(created)]` and `#[table(updated)]`.
//!
//! They are set just before a write is sent, in all rows of its transaction that contain them. Each attempt that reads
//! again sets them again, so that they are the times of the attempt that takes effect.

use std::iter::once;

use table_model::{Operation, Properties, Timestamp};

use crate::{
    Error, Tables,
    core::{entity_stamps::Stamps, written::WriteResult},
    design::Design,
    write::{Change, Patched, Pattern, States, Write, properties_mut},
};

/// The pattern of times that the library sets.
#[derive(Debug)]
pub(crate) struct Stamping;

/// The times of one write.
#[derive(Clone, Debug)]
pub(crate) struct Stamped {
    /// `true` if an inserted row is not that of a new entity.
    is_moved: bool,
    /// The times that were set. `None` before.
    set: Option<Stamps>,
}

impl Stamped {
    const fn new(is_moved: bool) -> Self {
        Self { is_moved, set: None }
    }

    /// Keeps the time of the creation that the inserted row contains.
    pub(crate) const fn keep_created(&mut self) {
        self.is_moved = true;
    }
}

impl Pattern for Stamping {
    fn plan(&self, states: &mut States<'_>, write: &mut Write) -> Result<(), Error> {
        // The row of a deleted entity may remain with values of other entities, which have other times.
        if states.of_row().1.is_some() {
            write.add(Stamped::new(states.is_moved()));
        }
        Ok(())
    }

    fn patch(&self, _patch: &mut Patched<'_>, write: &mut Write) -> Result<(), Error> {
        write.add(Stamped::new(false));
        Ok(())
    }
}

impl Tables {
    /// Sets the times in the rows of a write. A second call has no effect.
    pub(crate) fn stamp(&self, write: &mut Write) {
        let (Some(design), is_new) = (write.design, write.creates == Some(true)) else { return };
        let Some(stamped) = write.change_mut::<Stamped>().filter(|stamped| stamped.set.is_none()) else {
            return;
        };
        let now = self.clock().now();
        let created = is_new && !stamped.is_moved && design.created.is_some();
        let set = Stamps { created: created.then_some(now), updated: design.updated.map(|_| now) };
        stamped.set = Some(set);
        let Write { operation, changes, .. } = write;
        let copies = changes.iter_mut().flat_map(|change| change.copies()).map(|copy| (copy, true));
        for (operation, is_copy) in once((operation, false)).chain(copies) {
            if let Some(properties) = properties_mut(operation) {
                put(properties, design, set, is_copy);
            }
        }
    }
}

/// Sets the times in a row. A copy has them only if its index contains them.
fn put(properties: &mut Properties, design: &Design, set: Stamps, is_copy: bool) {
    let times: [(_, Option<Timestamp>); 2] = [(design.created, set.created), (design.updated, set.updated)];
    for (name, time) in times {
        let Some((name, time)) = name.zip(time) else { continue };
        if !is_copy || properties.get(name).is_some() {
            properties.set(name, time);
        }
    }
}

impl Change for Stamped {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn complete(&mut self, _operation: &Operation, written: &mut Option<WriteResult>) {
        if let (Some(written), Some(set)) = (written, self.set) {
            written.stamps = set;
        }
    }
}
