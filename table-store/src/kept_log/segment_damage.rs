use std::{fmt, path::PathBuf};

/// Damage of a segment of a kept log, or the place where it is cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentDamage {
    /// Path of the segment.
    pub segment: PathBuf,
    /// Offset of the first record that cannot be read; 0 for the header of the file.
    pub byte: u64,
}

impl fmt::Display for SegmentDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { segment, byte } = self;
        match byte {
            0 => write!(f, "{} is damaged in the header at byte 0", segment.display()),
            _ => write!(f, "{} is damaged or cut off in the record at byte {byte}", segment.display()),
        }
    }
}
