use crate::{
    Field, Path, TableEntity,
    design::Design,
    key::{KeyReader, hole::Hole},
    properties::{PropertyError, Reader},
};

/// Reads the entity's key out of a row of an index: part of it stands in the row's own key, the rest in properties.
#[derive(Debug)]
pub struct CopyReader<'k, 'r, 'f> {
    keys: KeyReader<'k>,
    from: &'f mut Reader<'r>,
}

/// Why a row could not be read as one of an index.
#[derive(Debug)]
pub enum NotACopy {
    /// Its key is not of the index's templates.
    Foreign,
    /// A property cannot be read.
    Property(PropertyError),
}

impl From<PropertyError> for NotACopy {
    fn from(error: PropertyError) -> Self {
        Self::Property(error)
    }
}

impl<'k, 'r, 'f> CopyReader<'k, 'r, 'f> {
    pub(crate) fn new(
        path: Path,
        design: &'static Design,
        partition_key: &'k str,
        row_key: &'k str,
        from: &'f mut Reader<'r>,
    ) -> Self {
        let (_, partition, row) = path.keys(design);
        Self { keys: KeyReader::new((partition, row), partition_key, row_key), from }
    }

    /// The entity's key. What else the row's key gives back is from now on read as properties.
    pub(crate) fn key<E: TableEntity>(mut self, number: usize) -> Result<E::Key, NotACopy> {
        let key = E::read_copy(number, &mut self)?;
        self.keys.finish().ok_or(NotACopy::Foreign)?;
        Ok(key)
    }

    /// The next hole of the row's key: a part of the entity's key.
    pub fn hole<T>(&mut self, hole: &Hole<T>) -> Result<T, NotACopy> {
        hole.read(&mut self.keys).ok_or(NotACopy::Foreign)
    }

    /// The next hole of the row's key: a property of the entity, which the row does not store again.
    pub fn give<T, Form>(&mut self, field: &Field<T, Form>, hole: &Hole<T>) -> Result<T, NotACopy> {
        let value = self.hole(hole)?;
        self.from.give(field.name(), field.value(&value)?);
        Ok(value)
    }

    /// The next hole of the row's key: an optional property, which is there as the row is.
    pub fn give_some<T, Form>(
        &mut self,
        field: &Field<Option<T>, Form>,
        hole: &Hole<T>,
    ) -> Result<(), NotACopy> {
        let value = Some(self.hole(hole)?);
        self.from.give(field.name(), field.value(&value)?);
        Ok(())
    }

    /// Passes over the next hole: the row stores the property, or another hole says the same.
    pub fn skip(&mut self) -> Result<(), NotACopy> {
        self.keys.skip().ok_or(NotACopy::Foreign)
    }

    /// A part of the entity's key that the row stores as a property.
    pub fn property<T>(&mut self, field: &Field<T>) -> Result<T, NotACopy> {
        Ok(field.take(self.from)?)
    }
}
