use std::fmt;

/// How far an index of live data has come, on its way in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IndexState {
    /// New: writers take away its rows where they meet some, and make none.
    DeleteOnly,
    /// Writers keep its rows; those of entities that nobody writes are missing.
    DualWrite,
    /// The missing rows are being written.
    Backfill,
    /// All rows are being compared with their entities.
    Verify,
    /// It may be read.
    Readable,
    /// It is to go, and is not read any more; writers still keep its rows.
    WriteOnly,
    /// Writers take away its rows where they meet some, and make none.
    Removing,
    /// Writers leave it alone; its rows are being deleted.
    Dropping,
}

/// What a writer does for an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duty {
    /// Nothing.
    None,
    /// Take rows away, make none.
    Remove,
    /// Keep its rows.
    Full,
}

impl IndexState {
    const ALL: [Self; 8] = [
        Self::DeleteOnly,
        Self::DualWrite,
        Self::Backfill,
        Self::Verify,
        Self::Readable,
        Self::WriteOnly,
        Self::Removing,
        Self::Dropping,
    ];

    /// As it stands in the registry.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::DeleteOnly => "delete-only",
            Self::DualWrite => "dual-write",
            Self::Backfill => "backfill",
            Self::Verify => "verify",
            Self::Readable => "readable",
            Self::WriteOnly => "write-only",
            Self::Removing => "removing",
            Self::Dropping => "dropping",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    pub(crate) const fn duty(self) -> Duty {
        match self {
            Self::DeleteOnly | Self::Removing => Duty::Remove,
            Self::DualWrite | Self::Backfill | Self::Verify | Self::Readable | Self::WriteOnly => Duty::Full,
            Self::Dropping => Duty::None,
        }
    }

    /// What comes next on the way in, and whether only after the lease; none for what is in, or on its way out.
    pub(super) const fn further(self) -> Option<(Self, bool)> {
        match self {
            Self::DeleteOnly => Some((Self::DualWrite, true)),
            Self::DualWrite => Some((Self::Backfill, true)),
            Self::Backfill => Some((Self::Verify, false)),
            Self::Verify => Some((Self::Readable, false)),
            Self::Readable | Self::WriteOnly | Self::Removing | Self::Dropping => None,
        }
    }

    /// What comes next on the way out, and whether only after the lease; none where its rows are to be deleted.
    ///
    /// An index that is not in yet turns round where it is: each state's neighbours stay the same.
    pub(super) const fn back(self) -> Option<(Self, bool)> {
        match self {
            Self::Readable => Some((Self::WriteOnly, false)),
            Self::WriteOnly | Self::DualWrite | Self::Backfill | Self::Verify => Some((Self::Removing, true)),
            Self::Removing | Self::DeleteOnly => Some((Self::Dropping, true)),
            Self::Dropping => None,
        }
    }
}

impl fmt::Display for IndexState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

    /// Nothing, removing, keeping: a step changes by one, and only after the lease.
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
        // Once all keep the rows, but not before.
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
