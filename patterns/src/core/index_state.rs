use super::stored_names::stored_names;

/// State of an index that is being added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IndexState {
    /// New. Writers delete existing rows and create none.
    DeleteOnly,
    /// Writers maintain the rows. Rows of entities that were not written since are missing.
    DualWrite,
    /// The missing rows are being written.
    Backfill,
    /// All rows are being compared with their entities.
    Verify,
    /// The index can be read.
    Readable,
    /// The index is being removed and can no longer be read. Writers still maintain its rows.
    WriteOnly,
    /// Writers delete existing rows and create none.
    Removing,
    /// Writers ignore the index. Its rows are being deleted.
    Dropping,
}

/// Duty of a writer for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Ignore the index.
    None,
    /// Delete rows, create none.
    Remove,
    /// Maintain the rows.
    Full,
}

/// Rows of an index that match their entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promise {
    /// None: writers ignore the index.
    Nothing,
    /// The rows that exist. Rows of some entities may be missing, so the keys need not be unique.
    Present,
    /// The rows of all entities.
    All,
}

stored_names!(IndexState {
    DeleteOnly = "delete-only",
    DualWrite = "dual-write",
    Backfill = "backfill",
    Verify = "verify",
    Readable = "readable",
    WriteOnly = "write-only",
    Removing = "removing",
    Dropping = "dropping",
});

impl IndexState {
    pub(crate) const fn duty(self) -> Duty {
        match self {
            Self::DeleteOnly | Self::Removing => Duty::Remove,
            Self::DualWrite | Self::Backfill | Self::Verify | Self::Readable | Self::WriteOnly => Duty::Full,
            Self::Dropping => Duty::None,
        }
    }

    /// Returns which rows match their entities in this state.
    pub(crate) const fn promise(self) -> Promise {
        match self {
            Self::DeleteOnly | Self::DualWrite | Self::Backfill | Self::Removing => Promise::Present,
            Self::Verify | Self::Readable | Self::WriteOnly => Promise::All,
            Self::Dropping => Promise::Nothing,
        }
    }

    /// Returns the next state when adding the index, and whether it requires waiting for the lease. Returns `None` if
    /// the index is readable or being removed.
    pub(crate) const fn further(self) -> Option<(Self, bool)> {
        match self {
            Self::DeleteOnly => Some((Self::DualWrite, true)),
            Self::DualWrite => Some((Self::Backfill, true)),
            Self::Backfill => Some((Self::Verify, false)),
            Self::Verify => Some((Self::Readable, false)),
            Self::Readable | Self::WriteOnly | Self::Removing | Self::Dropping => None,
        }
    }

    /// Returns the next state when removing the index, and whether it requires waiting for the lease. Returns `None` if
    /// the rows are to be deleted next.
    ///
    /// An index that is not readable yet can be removed from its current state, because adjacent states have compatible
    /// duties.
    pub(crate) const fn back(self) -> Option<(Self, bool)> {
        match self {
            Self::Readable => Some((Self::WriteOnly, false)),
            Self::WriteOnly | Self::DualWrite | Self::Backfill | Self::Verify => Some((Self::Removing, true)),
            Self::Removing | Self::DeleteOnly => Some((Self::Dropping, true)),
            Self::Dropping => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_read_as_it_is_written() {
        for state in IndexState::ALL {
            assert_eq!(IndexState::of(state.name()), Some(state));
        }
        assert_eq!(IndexState::of("ready"), None);
    }

    /// Duties are ordered: ignore, remove, maintain. A step changes the duty by one level, and only after the lease.
    #[test]
    fn duties_change_by_one_and_wait_for_the_lease() {
        let rank = |state: IndexState| match state.duty() {
            Duty::None => 0,
            Duty::Remove => 1,
            Duty::Full => 2,
        };
        for state in IndexState::ALL {
            for (next, waits) in [state.further(), state.back()].into_iter().flatten() {
                assert!(i32::abs_diff(rank(state), rank(next)) <= 1, "{state} to {next}");
                assert!(waits || rank(state) == rank(next), "{state} to {next} changes what writers do");
            }
        }
        // Advances only after all writers maintain the rows.
        assert_eq!(IndexState::DualWrite.further(), Some((IndexState::Backfill, true)));
    }

    #[test]
    fn from_every_state_an_index_can_go() {
        for mut state in IndexState::ALL {
            for _ in 0..IndexState::ALL.len() {
                state = state.back().map_or(state, |(next, _)| next);
            }
            assert_eq!(state, IndexState::Dropping);
        }
    }
}
