/// Whether changes of a disk pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gate {
    #[default]
    Open,
    /// The next one waits.
    Shut,
    /// One waits.
    Waiting,
}
