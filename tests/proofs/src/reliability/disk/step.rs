use super::{Change, Part};

/// One change of a disk.
#[derive(Clone, Debug)]
pub struct Step {
    /// The changed part.
    pub part: Part,
    /// The change.
    pub change: Change,
}
