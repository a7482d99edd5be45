use std::{fmt, str::FromStr, sync::Arc};

use super::limits::{BLOB_NAME_SEGMENTS, BLOB_NAME_UNITS};
use crate::{ErrorCode, TableError, key::utf16_units};

/// Name of a blob: 1 to 1,024 UTF-16 units, at most 254 segments separated by `/`. Names are case-sensitive. A name is
/// never used as a path of the file system, so it may contain any character. Cloning is cheap.
///
/// ```
/// use table_model::blob::BlobName;
///
/// let name: BlobName = "queue/2014/07/31/1800/000001.log".parse()?;
/// assert_eq!(name.as_str().split('/').count(), 6);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobName(Arc<str>);

impl BlobName {
    /// Creates a blob name.
    ///
    /// # Errors
    /// `OutOfRangeInput` for an invalid length, `InvalidResourceName` for too many segments.
    pub fn new(name: impl AsRef<str>) -> Result<Self, TableError> {
        let name = name.as_ref();
        if name.is_empty() || name.len() > BLOB_NAME_UNITS && utf16_units(name) > BLOB_NAME_UNITS {
            return Err(TableError::with_message(
                ErrorCode::OutOfRangeInput,
                "The specified resource name length is not within the permissible limits.",
            ));
        }
        if name.split('/').count() > BLOB_NAME_SEGMENTS {
            return Err(ErrorCode::InvalidResourceName.into());
        }
        Ok(Self(name.into()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BlobName {
    type Err = TableError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name)
    }
}

impl TryFrom<&str> for BlobName {
    type Error = TableError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        Self::new(name)
    }
}

impl fmt::Display for BlobName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_counts_utf16_units_and_segments_are_counted() {
        let code = |name: &str| BlobName::new(name).map(|_| ()).map_err(|error| error.code());
        for name in ["a", "../x", "a b", "ä/\u{10000}", &"é".repeat(1024), &"\u{10000}".repeat(512)] {
            assert_eq!(code(name), Ok(()), "{name}");
        }
        for name in ["", &"a".repeat(1025), &"\u{10000}".repeat(513)] {
            assert_eq!(code(name), Err(ErrorCode::OutOfRangeInput), "{name}");
        }
        assert_eq!(code(&["a"; 254].join("/")), Ok(()));
        assert_eq!(code(&["a"; 255].join("/")), Err(ErrorCode::InvalidResourceName));
    }
}
