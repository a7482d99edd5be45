use std::fmt;

/// State of an entity type whose entities move to other keys while programs write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MoveState {
    /// No move. Entities are at their old keys.
    Off,
    /// Entities are at their old keys. Programs follow the markers of moved entities.
    Follow,
    /// New entities are at their new keys. Entities at old keys are being moved.
    Both,
    /// All entities are at their new keys.
    New,
    /// No program uses old keys. Their markers are being deleted.
    Gone,
}

impl MoveState {
    const ALL: [Self; 5] = [Self::Off, Self::Follow, Self::Both, Self::New, Self::Gone];

    /// Returns the name stored in the registry.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Follow => "follow",
            Self::Both => "both",
            Self::New => "new",
            Self::Gone => "gone",
        }
    }

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl fmt::Display for MoveState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_read_as_it_is_written() {
        for state in MoveState::ALL {
            assert_eq!(MoveState::of(state.name()), Some(state));
        }
        assert_eq!(MoveState::of("old"), None);
    }
}
