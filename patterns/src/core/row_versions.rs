use table_model::{Condition, ETag, Operation};

use super::{
    stamps::{self, ABSENT, Stamp},
    unread::Unread,
};

/// Versions of the rows of a wide entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowVersions {
    /// ETag of the head.
    pub(crate) head: ETag,
    /// Stamps of the parts, as stored in the head.
    pub(crate) stamps: Vec<Stamp>,
    /// The ETag of each part. `None` if only the head was read.
    pub(crate) parts: Option<Vec<Option<ETag>>>,
    /// Properties that the type does not declare, with the number of the row that contains them.
    pub(crate) unread: Vec<(usize, Unread)>,
}

impl RowVersions {
    /// Creates the versions of a head. The other rows are written in any version.
    pub(crate) const fn of_head(head: ETag, stamps: Vec<Stamp>) -> Self {
        Self { head, stamps, parts: None, unread: Vec::new() }
    }

    /// Creates the versions after a write of the head. The ETag of each part is added later; until then the versions
    /// are incomplete.
    pub(crate) fn after(operation: &Operation, head: ETag) -> Option<Self> {
        let (Operation::Insert(entity) | Operation::Replace(entity, _)) = operation else { return None };
        let stamps = stamps::listed_in(&entity.properties)?;
        let parts = Some(vec![None; stamps.len()]);
        Some(Self { head, stamps, parts, unread: Vec::new() })
    }

    /// Sets the ETag of a part.
    pub(crate) fn put(&mut self, part: usize, etag: ETag) {
        let place = part.checked_sub(1).zip(self.parts.as_mut());
        if let Some(known) = place.and_then(|(place, parts)| parts.get_mut(place)) {
            *known = Some(etag);
        }
    }

    /// Returns the ETag of the head.
    pub(crate) const fn head(&self) -> &ETag {
        &self.head
    }

    /// Returns the maximum number of rows, including the head.
    pub(crate) fn len(&self) -> usize {
        self.stamps.len() + 1
    }

    /// Returns `true` if the part has a row.
    pub(crate) fn has(&self, part: usize) -> bool {
        match part.checked_sub(1) {
            None => true,
            Some(place) => self.stamps.get(place).is_some_and(|stamp| *stamp != ABSENT),
        }
    }

    /// Returns the condition for writing the head.
    pub(crate) fn condition_of_head(&self) -> Condition {
        Condition::Matches(self.head.clone())
    }

    /// Returns the condition for writing a row. If the complete entity was read, the row must be unchanged. A patch of
    /// one part does not change the head, so the ETag of the head is not sufficient.
    pub(crate) fn condition(&self, part: usize) -> Condition {
        let Some(parts) = &self.parts else { return Condition::Exists };
        let Some(place) = part.checked_sub(1) else { return self.condition_of_head() };
        parts.get(place).and_then(Option::clone).map_or(Condition::Exists, Condition::Matches)
    }
}
