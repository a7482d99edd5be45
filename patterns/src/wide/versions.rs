use table_store::{Condition, ETag, Operation};

use super::stamps::{self, ABSENT, Stamp};

/// What is known of the rows of a wide entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Versions {
    /// The head's version.
    pub(super) head: ETag,
    /// The parts' stamps, as the head names them.
    pub(super) stamps: Vec<Stamp>,
    /// The parts' versions; none where only the head was read.
    pub(super) parts: Option<Vec<Option<ETag>>>,
}

impl Versions {
    /// Of a head alone: other rows are taken in whatever version they are.
    pub(super) const fn of_head(head: ETag, stamps: Vec<Stamp>) -> Self {
        Self { head, stamps, parts: None }
    }

    /// After a write of the head: what it says of the parts. Their versions are added one by one; until they are all
    /// there, nothing is known of the whole.
    pub(crate) fn after(operation: &Operation, head: ETag) -> Option<Self> {
        let (Operation::Insert(entity) | Operation::Replace(entity, _)) = operation else { return None };
        let stamps = stamps::listed_in(&entity.properties)?;
        let parts = Some(vec![None; stamps.len()]);
        Some(Self { head, stamps, parts })
    }

    /// The version of a part.
    pub(crate) fn put(&mut self, part: usize, etag: ETag) {
        let place = part.checked_sub(1).zip(self.parts.as_mut());
        if let Some(known) = place.and_then(|(place, parts)| parts.get_mut(place)) {
            *known = Some(etag);
        }
    }

    /// The version of the head.
    pub(crate) const fn head(&self) -> &ETag {
        &self.head
    }

    /// How many rows there can be, the head among them.
    pub(super) fn len(&self) -> usize {
        self.stamps.len() + 1
    }

    /// Whether there is a row of this part.
    pub(super) fn has(&self, part: usize) -> bool {
        match part.checked_sub(1) {
            None => true,
            Some(place) => self.stamps.get(place).is_some_and(|stamp| *stamp != ABSENT),
        }
    }

    /// On what condition the head may be written.
    pub(super) fn condition_of_head(&self) -> Condition {
        Condition::Matches(self.head.clone())
    }

    /// On what condition a row may be written: that of a state that was read whole must be as it was read. A patch of one
    /// part leaves the head alone, so the head's version says nothing about it.
    pub(super) fn condition(&self, part: usize) -> Condition {
        let Some(parts) = &self.parts else { return Condition::Exists };
        let Some(place) = part.checked_sub(1) else { return self.condition_of_head() };
        parts.get(place).and_then(Option::clone).map_or(Condition::Exists, Condition::Matches)
    }
}
