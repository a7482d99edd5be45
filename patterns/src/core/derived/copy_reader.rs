use crate::{
    AccessPath, Field, TableEntity,
    core::{
        error::property::PropertyError,
        key::{KeyReader, hole::TemplateField},
        properties::Reader,
    },
    design::Design,
};

/// Reads the entity's key from an index row: some parts are in the row's own key, the others in properties.
#[derive(Debug)]
pub struct CopyReader<'k, 'r, 'f> {
    keys: KeyReader<'k>,
    from: &'f mut Reader<'r>,
}

/// Reason why a row could not be decoded as an index row.
#[derive(Debug)]
pub enum IndexRowError {
    /// Its key does not match the index's templates.
    Foreign,
    /// A property cannot be decoded.
    Property(PropertyError),
}

impl From<PropertyError> for IndexRowError {
    fn from(error: PropertyError) -> Self {
        Self::Property(error)
    }
}

impl<'k, 'r, 'f> CopyReader<'k, 'r, 'f> {
    pub(crate) fn new(
        path: AccessPath,
        design: &'static Design,
        partition_key: &'k str,
        row_key: &'k str,
        from: &'f mut Reader<'r>,
    ) -> Self {
        let (_, partition, row) = path.keys(design);
        Self { keys: KeyReader::new((partition, row), partition_key, row_key), from }
    }

    /// Returns the entity's key. The other values of the row's key are then available as properties.
    pub(crate) fn key<E: TableEntity>(mut self, number: usize) -> Result<E::Key, IndexRowError> {
        let key = E::read_copy(number, &mut self)?;
        self.keys.finish().ok_or(IndexRowError::Foreign)?;
        Ok(key)
    }

    /// Reads the next template field of the row's key, which is a part of the entity's key.
    ///
    /// # Errors
    /// Returns [`IndexRowError::Foreign`] if the row's key does not match its template.
    pub fn hole<T>(&mut self, hole: &TemplateField<T>) -> Result<T, IndexRowError> {
        hole.read(&mut self.keys).ok_or(IndexRowError::Foreign)
    }

    /// Reads the next template field of the row's key, which is a property of the entity that the row does not store
    /// again.
    ///
    /// # Errors
    /// Returns [`IndexRowError::Foreign`] if the row's key does not match its template, and an error if the value
    /// cannot be a property.
    pub fn give<T, Form>(
        &mut self,
        field: &Field<T, Form>,
        hole: &TemplateField<T>,
    ) -> Result<T, IndexRowError> {
        let value = self.hole(hole)?;
        self.from.give(field.name(), field.value(&value)?);
        Ok(value)
    }

    /// Reads the next template field of the row's key, which is an optional property. It is present because the row
    /// exists.
    ///
    /// # Errors
    /// Returns [`IndexRowError::Foreign`] if the row's key does not match its template, and an error if the value
    /// cannot be a property.
    pub fn give_some<T, Form>(
        &mut self,
        field: &Field<Option<T>, Form>,
        hole: &TemplateField<T>,
    ) -> Result<(), IndexRowError> {
        let value = Some(self.hole(hole)?);
        self.from.give(field.name(), field.value(&value)?);
        Ok(())
    }

    /// Skips the next template field, because the row stores the property, or another template field contains it.
    ///
    /// # Errors
    /// Returns [`IndexRowError::Foreign`] if the row's key does not match its template.
    pub fn skip(&mut self) -> Result<(), IndexRowError> {
        self.keys.skip().ok_or(IndexRowError::Foreign)
    }

    /// Reads a part of the entity's key that the row stores as a property.
    ///
    /// # Errors
    /// Returns an error if the row does not contain the property, or contains it with another type.
    pub fn property<T>(&mut self, field: &Field<T>) -> Result<T, IndexRowError> {
        Ok(field.take(self.from)?)
    }
}
