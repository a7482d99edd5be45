use crate::core::{error::property::PropertyError, properties::Reader};

/// Reader for a field whose value is a copy, which is stored in several properties.
pub(crate) struct CopyIn<T> {
    /// Property names. The first property identifies the source entity.
    pub(crate) names: &'static [&'static str],
    pub(crate) take: fn(&'static [&'static str], &mut Reader<'_>) -> Result<T, PropertyError>,
}

impl<T> Clone for CopyIn<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for CopyIn<T> {}

impl<T> CopyIn<T> {
    pub(crate) const fn names(&self) -> &'static [&'static str] {
        self.names
    }

    pub(crate) fn take(&self, from: &mut Reader<'_>) -> Result<T, PropertyError> {
        (self.take)(self.names, from)
    }
}
