use crate::{
    EntityKey, Error, TableEntity,
    core::{derived::DerivedRows, derived_row::DerivedRow, rule::Rule},
    pattern::aggregate::target_entity::{ContributionValues, Parts, TargetEntity, contribution_key},
};

impl DerivedRows<'_> {
    /// Adds the entity's contribution to a target whose key consists of `parts`. If an optional part is absent, the
    /// entity contributes nothing.
    ///
    /// In the target's partition, the contribution is stored only in the target row. In another partition, it is also
    /// stored in a separate row next to the target row.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if a part cannot be part of the target's key, and the error of `values`.
    pub fn feed<E: TableEntity, S: TargetEntity>(
        &mut self,
        number: usize,
        parts: &Parts<'_>,
        values: impl FnOnce(&mut ContributionValues<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let design = self.design;
        let (Some(feed), Some(entity)) = (design.feeds.get(number), &self.entity) else { return Ok(()) };
        let Some(key) = S::key_among(parts) else {
            return if S::DESIGN.key.iter().any(|field| parts.lacks(field.field)) {
                Ok(())
            } else {
                Err(Error::TargetKeyMismatch { entity: design.name, sink: S::DESIGN.name })
            };
        };
        let mut address = key.address()?;
        let mut adds = ContributionValues::new(feed, entity, self.source);
        values(&mut adds)?;
        let mut properties = adds.into_adds();
        if !feed.is_near(design) {
            address.row_key = contribution_key(feed, design, &address, entity)?;
            if !properties.is_empty() {
                self.say_whose(&mut properties);
            }
        }
        self.rows.push(DerivedRow::new(Rule::Contribution(design, feed), address, properties));
        Ok(())
    }
}
