//! Why a store was not opened.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::StorageFault;

/// Why a store was not opened or created. The file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no file, and it was not to be created; or its directory is missing.
    #[error("{place}: no store is there; check the path, or allow its creation")]
    Missing {
        /// Where.
        place: Place,
    },
    /// Another store holds the file's lock, in this process or another.
    #[error("{place}: the store is in use by another process or another `Store`; close that one first")]
    Locked {
        /// Where.
        place: Place,
    },
    /// The path is a directory, a symbolic link or a device.
    #[error("{place}: this is {found}; name a regular file")]
    NotAFile {
        /// Where.
        place: Place,
        /// What is there.
        found: &'static str,
    },
    /// The file is something else.
    #[error("{place}: this is not a table store: {why}; name another file, or move this one away")]
    NotOurs {
        /// Where.
        place: Place,
        /// What was seen.
        why: String,
    },
    /// The store is damaged: cut off, or changed by something else.
    #[error("{place}: the store is damaged: {what}; keep the file and restore a backup")]
    Damaged {
        /// Where.
        place: Place,
        /// What was seen.
        what: String,
    },
    /// The store was written by a later version.
    #[error("{place}: the store has format {found}, this version reads up to {known}; use a later version")]
    Newer {
        /// Where.
        place: Place,
        /// Its format.
        found: u32,
        /// The latest format that this version knows.
        known: u32,
    },
    /// The store was written by a later version, which added something to the format.
    #[error(
        "{place}: the store has the features {found:#x}, this version knows {known:#x}; use a later version"
    )]
    UnknownFeatures {
        /// Where.
        place: Place,
        /// Its features, a bit for each.
        found: u32,
        /// The features that this version knows.
        known: u32,
    },
    /// The file or its directory may not be read or written.
    #[error(
        "{place}: no permission to read and write the store; check the owner and mode of file and directory"
    )]
    Denied {
        /// Where.
        place: Place,
    },
    /// The disk failed or is full.
    #[error("{place}: {fault}")]
    Storage {
        /// Where.
        place: Place,
        /// What failed.
        #[source]
        fault: StorageFault,
    },
}

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// On a [`Disk`](super::Disk) that was handed over.
    Disk,
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Disk => f.write_str("the disk given"),
        }
    }
}

/// An [`OpenError`] before the place is known.
#[derive(Debug)]
pub(super) enum Refusal {
    NotOurs(String),
    Damaged(String),
    Newer { found: u32, known: u32 },
    UnknownFeatures { found: u32, known: u32 },
    Storage(StorageFault),
}

impl Refusal {
    pub(super) fn at(self, place: Place) -> OpenError {
        match self {
            Self::NotOurs(why) => OpenError::NotOurs { place, why },
            Self::Damaged(what) | Self::Storage(StorageFault::Corrupt { what }) => {
                OpenError::Damaged { place, what }
            }
            Self::Newer { found, known } => OpenError::Newer { place, found, known },
            Self::UnknownFeatures { found, known } => OpenError::UnknownFeatures { place, found, known },
            Self::Storage(fault) => OpenError::Storage { place, fault },
        }
    }

    /// What it means for a store that was open before.
    pub(super) fn into_fault(self) -> StorageFault {
        match self {
            Self::Storage(fault) => fault,
            other => StorageFault::Corrupt { what: other.at(Place::Disk).to_string() },
        }
    }
}

impl From<StorageFault> for Refusal {
    fn from(fault: StorageFault) -> Self {
        Self::Storage(fault)
    }
}
