//! Creation, deletion and clearing of queues.

use table_model::{
    ErrorCode, Metadata, Result,
    queue::{QueueCreated, QueueName},
};

use super::{
    QueueRow, QueueState, Space, Tally,
    row::{self, find, live},
};
use crate::{
    account::Holder,
    engine::Read,
    job::{Turn, Work},
    reserved_names::Resource,
    write_batch::Edits,
};

#[derive(Debug)]
pub(crate) struct Create(pub(crate) QueueName, pub(crate) Metadata);

impl Work for Create {
    type Answer = QueueCreated;

    fn weight(&self) -> (usize, usize) {
        (1, self.1.bytes())
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, QueueCreated)> {
        let mut edits = Edits::new();
        match find(read, &self.0)? {
            None => {}
            // The messages are still being swept, by their space. The sweep must not remove the new record of the name.
            Some(row) if row.state == QueueState::Deleted => edits.leave(&row.space.leftover(None)),
            Some(row) if row.metadata.is_same(&self.1) => return Ok((edits, QueueCreated::Existing)),
            Some(_) => return Err(ErrorCode::QueueAlreadyExists.into()),
        }
        if turn.core().is_reserved(Resource::Queue, self.0.as_str()) {
            return Err(ErrorCode::QueueBeingDeleted.into());
        }
        let space = Space::new(turn.stamp()?);
        edits.put(space.tally_key(), Tally::default().content());
        row::put(&mut edits, &self.0, &QueueRow { space, state: QueueState::Live, metadata: self.1.clone() });
        Ok((edits, QueueCreated::New))
    }
}

#[derive(Debug)]
pub(crate) struct Delete(pub(crate) QueueName);

impl Work for Delete {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let row = live(read, &self.0)?;
        turn.core().reserve(Resource::Queue, self.0.as_str());
        let mut edits = Edits::new();
        // The record of the name is removed with the last message, unless a new queue uses it.
        edits.leave(&row.space.leftover(Some(row::key(&self.0))));
        edits.remove(Holder::queue(row.space).key());
        row::put(&mut edits, &self.0, &QueueRow { state: QueueState::Deleted, ..row });
        Ok((edits, ()))
    }
}

#[derive(Debug)]
pub(crate) struct SetMetadata(pub(crate) QueueName, pub(crate) Metadata);

impl Work for SetMetadata {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, self.1.bytes())
    }

    fn decide(&mut self, read: &dyn Read, _: &mut Turn<'_>) -> Result<(Edits, ())> {
        let row = live(read, &self.0)?;
        let mut edits = Edits::new();
        row::put(&mut edits, &self.0, &QueueRow { metadata: self.1.clone(), ..row });
        Ok((edits, ()))
    }
}

/// Deletes all messages in one step: the queue gets a new space, and the sweep reclaims the old one.
#[derive(Debug)]
pub(crate) struct Clear(pub(crate) QueueName);

impl Work for Clear {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let row = live(read, &self.0)?;
        let space = Space::new(turn.stamp()?);
        let mut edits = Edits::new();
        edits.leave(&row.space.leftover(None));
        Holder::queue(row.space).move_to(Holder::queue(space), read, &mut edits)?;
        edits.put(space.tally_key(), Tally::default().content());
        row::put(&mut edits, &self.0, &QueueRow { space, ..row });
        Ok((edits, ()))
    }
}
