use super::stored_names::stored_names;

/// State of the retirement of the older versions of an entity type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RetirementState {
    /// A program of an older version is rejected as soon as it reads the registry. Programs that read it before can
    /// still write.
    Rejecting,
    /// No program writes an older version. The entities in older versions are upgraded.
    Upgrading,
    /// No entity has an older version. Commits are applied, so that rows in other partitions follow their entities.
    Applying,
    /// All rows are being read, in search of older versions.
    Scanning,
    /// No row had an older version, and no program of this library can write one.
    Retired,
}

stored_names!(RetirementState {
    Rejecting = "rejecting",
    Upgrading = "upgrading",
    Applying = "applying",
    Scanning = "scanning",
    Retired = "retired",
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_read_as_it_is_written() {
        for state in RetirementState::ALL {
            assert_eq!(RetirementState::of(state.name()), Some(state));
        }
        assert_eq!(RetirementState::of("off"), None);
    }
}
