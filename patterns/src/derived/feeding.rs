use super::{DerivedRow, DerivedRows};
use crate::{
    EntityKey, Error, TableEntity,
    sink::{FeedValues, Parts, Sink, contribution_key},
};

impl DerivedRows<'_> {
    /// What the entity adds to a sink, whose key is made of `parts`. An optional part that is absent: it adds nothing.
    ///
    /// In the sink's partition that is kept in the sink's row alone; elsewhere in a row of its own beside the sink's.
    pub fn feed<E: TableEntity, S: Sink>(
        &mut self,
        number: usize,
        parts: &Parts<'_>,
        values: impl FnOnce(&mut FeedValues<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let design = self.design;
        let (Some(feed), Some(entity)) = (design.feeds.get(number), &self.entity) else { return Ok(()) };
        let Some(key) = S::key_among(parts) else {
            return if S::DESIGN.key.iter().any(|field| parts.lacks(field.field)) {
                Ok(())
            } else {
                Err(Error::NoSinkKey { entity: design.name, sink: S::DESIGN.name })
            };
        };
        let mut address = key.address()?;
        let mut adds = FeedValues::new(feed, entity, self.source);
        values(&mut adds)?;
        let mut properties = adds.into_adds();
        if !feed.is_near(design) {
            address.row_key = contribution_key(feed, design, &address, entity)?;
            if !properties.is_empty() {
                self.say_whose(&mut properties);
            }
        }
        self.rows.push(DerivedRow { number: design.indexes.len() + number, address, properties });
        Ok(())
    }
}
