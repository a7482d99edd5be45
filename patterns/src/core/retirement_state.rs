use std::fmt;

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

impl RetirementState {
    const ALL: [Self; 5] = [Self::Rejecting, Self::Upgrading, Self::Applying, Self::Scanning, Self::Retired];

    /// Returns the name stored in the registry.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Rejecting => "rejecting",
            Self::Upgrading => "upgrading",
            Self::Applying => "applying",
            Self::Scanning => "scanning",
            Self::Retired => "retired",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl fmt::Display for RetirementState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
