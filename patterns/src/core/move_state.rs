use super::stored_names::stored_names;

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

stored_names!(MoveState {
    Off = "off",
    Follow = "follow",
    Both = "both",
    New = "new",
    Gone = "gone",
});

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
