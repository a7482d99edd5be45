/// State of a gate for changes of a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gate {
    #[default]
    Open,
    /// The next change is blocked.
    Shut,
    /// A change is blocked.
    Waiting,
}
