//! Registry rows of moves to other keys.
//!
//! | RowKey | partition | content |
//! |---|---|---|
//! | `move_<old>.<new>` | table of the old type | `state`, `pass`, `cursor`, `found`, `moved`, `unmarked` |
//! | `now_<old>.<new>` | table of the old type | written to read the clock of the service |
//! | `moving_<type>` | table of the type, for each of both | `to`: the type that other programs must use |

use table_model::{ETag, Entity, Properties, RowRef, Timestamp, ValueRef};

use super::row::{COUNT, CURSOR, Stored, TEXT, number, partition};
use crate::{RegistryError, core::move_state::MoveState, design::Design};

const STATE: &str = "state";
const PASS: &str = "pass";
const FOUND: &str = "found";
const MOVED: &str = "moved";
const UNMARKED: &str = "unmarked";
const TO: &str = "to";

/// Status of a move in the registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveStatus {
    /// Stored name of the old type.
    pub from: String,
    /// Stored name of the new type.
    pub to: String,
    /// State of the move.
    pub state: MoveState,
    /// Time of the last write of the registry row.
    pub since: Timestamp,
    /// Number of entities that the job has moved. Entities that other programs moved are not counted.
    pub moved: u64,
    /// Progress in states that process rows.
    pub(crate) progress: Progress,
    pub(crate) etag: ETag,
}

/// Progress of the job in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Number of the current pass over the rows. 0 before the wait for the previous state is over.
    pub(crate) pass: u64,
    pub(crate) cursor: Option<String>,
    /// Number of entities that the current pass found at old keys.
    pub(crate) found: u64,
    /// `true` if entities may exist whose old keys have no marker.
    pub(crate) unmarked: bool,
}

impl MoveStatus {
    /// Reads the status. Returns `None` for another row.
    ///
    /// # Errors
    /// Returns [`RegistryError::Unreadable`] for the row of a move without a valid status.
    pub(crate) fn read(row: RowRef<'_>) -> Result<Option<Self>, RegistryError> {
        let stored = Stored(row);
        let types = row.row_key.and_then(|row_key| row_key.strip_prefix("move_")?.split_once('.'));
        let Some((from, to)) = types else { return Ok(None) };
        let count = |name| stored.required(name, stored.count(name)?, COUNT);
        let unmarked = match row.properties.get(UNMARKED) {
            None => false,
            Some(ValueRef::Boolean(unmarked)) => unmarked,
            Some(_) => return Err(stored.unreadable(UNMARKED, "a Boolean")),
        };
        Ok(Some(Self {
            from: from.to_owned(),
            to: to.to_owned(),
            state: stored.state(STATE, MoveState::of)?,
            since: stored.since()?,
            moved: count(MOVED)?,
            progress: Progress {
                pass: count(PASS)?,
                cursor: stored.cursor()?,
                found: count(FOUND)?,
                unmarked,
            },
            etag: row.etag.clone(),
        }))
    }
}

/// Returns the registry row of a move.
pub(crate) fn move_row(
    (old, new): (&Design, &Design),
    state: MoveState,
    moved: u64,
    progress: Progress,
) -> Entity {
    let Progress { pass, cursor, found, unmarked } = progress;
    let mut properties = Properties::with_capacity(6);
    properties.push_new(STATE, state.name());
    for (name, count) in [(PASS, pass), (FOUND, found), (MOVED, moved)] {
        properties.push_new(name, number(count));
    }
    if let Some(cursor) = cursor {
        properties.push_new(CURSOR, cursor);
    }
    if unmarked {
        properties.push_new(UNMARKED, true);
    }
    Entity { partition_key: partition(old), row_key: move_key(old, new), properties }
}

/// Returns the RowKey of a move.
pub(super) fn move_key(old: &Design, new: &Design) -> String {
    format!("move_{}.{}", old.stored_name(), new.stored_name())
}

/// Returns the row that is written to read the clock of the service.
pub(crate) fn now_row(old: &Design, new: &Design) -> Entity {
    let row_key = format!("now_{}.{}", old.stored_name(), new.stored_name());
    Entity { partition_key: partition(old), row_key, properties: Properties::new() }
}

/// Returns the row that excludes programs which write a type without regard to its move.
pub(crate) fn guard_row(design: &Design, new: &Design) -> Entity {
    let mut properties = Properties::with_capacity(1);
    properties.push_new(TO, new.name);
    Entity {
        partition_key: partition(design),
        row_key: format!("moving_{}", design.stored_name()),
        properties,
    }
}

/// Returns the name of the guarded type and of the type that its entities move to, if this is such a row.
///
/// # Errors
/// Returns [`RegistryError::Unreadable`] for such a row without the other type.
pub(crate) fn guarded(row: RowRef<'_>) -> Result<Option<(String, String)>, RegistryError> {
    let name = row.row_key.and_then(|row_key| row_key.strip_prefix("moving_"));
    let Some(name) = name else { return Ok(None) };
    let stored = Stored(row);
    let to = stored.required(TO, stored.text(TO)?, TEXT)?;
    Ok(Some((name.to_owned(), to.to_owned())))
}
