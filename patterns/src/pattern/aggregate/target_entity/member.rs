//! A source of an aggregate: its contribution and the target.

use table_model::Properties;
use table_schema::key::{KeyKind, KeyWriter, STRICT_UNITS};

use super::tally::added;
use crate::{
    Address, CopiedFields, Error, Field, TableEntity, Writable,
    core::{
        cross_partition_row::source_text, derived_row::DerivedRow, error::PropertyValueError,
        key::EntityKeyError, rule::Rule,
    },
    design::{Contribution, Design},
};

/// RowKey prefix of contributions: rows in the partition of an aggregate with the contribution of each source in other
/// partitions.
const CONTRIBUTION: &str = "!c_";

/// Builder for the contribution of an entity to the aggregates of a feed.
#[derive(Debug)]
pub struct ContributionValues<'e> {
    feed: &'static Contribution,
    sink: &'static Design,
    /// Address of the entity, and its properties if they are already encoded.
    entity: &'e Address,
    source: Option<&'e Properties>,
    adds: Properties,
}

impl<'e> ContributionValues<'e> {
    pub(crate) fn new(
        feed: &'static Contribution,
        entity: &'e Address,
        source: Option<&'e Properties>,
    ) -> Self {
        Self { feed, sink: (feed.sink)(), entity, source, adds: Properties::new() }
    }

    pub(crate) fn into_adds(self) -> Properties {
        self.adds
    }

    /// Counts the entity in the aggregate with this number.
    pub fn count(&mut self, number: usize) {
        let total = self.feed.totals.get(number);
        if let Some(property) = total.and_then(|total| total.property(self.sink)) {
            self.adds.set(property, 1_i64);
        }
    }

    /// Adds the value of a property to the aggregate with this number, if it is set.
    ///
    /// # Errors
    /// Returns [`Error::Property`] if the value cannot be aggregated.
    pub fn add<T, Form>(&mut self, number: usize, field: &Field<T, Form>, value: &T) -> Result<(), Error> {
        let Some(total) = self.feed.totals.get(number) else { return Ok(()) };
        let fail =
            |reason| PropertyValueError { entity: self.sink.name, property: total.field.to_owned(), reason };
        let value = field.value(value).map_err(|error| PropertyValueError::new(self.sink.name, error))?;
        if let (Some(property), Some(value)) = (total.property(self.sink), value) {
            self.adds.set(property, added(total, value).map_err(fail)?);
        }
        Ok(())
    }

    /// Copies fields of the entity: the fields of the projection in the target field.
    ///
    /// # Errors
    /// Returns [`Error::Property`] if a value cannot be stored.
    pub fn copy<E: TableEntity, P: CopiedFields<Of = E>>(
        &mut self,
        number: usize,
        _sink: &Field<Option<P>>,
        entity: &E,
    ) -> Result<(), Error> {
        let slots = self.feed.totals.get(number).map_or(&[][..], |total| total.properties(self.sink));
        let Some((marker, slots)) = slots.split_first() else { return Ok(()) };
        let written;
        let source = if let Some(source) = self.source {
            source
        } else {
            (written, _) = entity.contents()?;
            &written
        };
        let fail = |error| PropertyValueError::new(E::DESIGN.name, error);
        let values = P::values(&entity.key(), source).map_err(fail)?;
        self.adds.set(*marker, source_text(self.entity));
        for (slot, value) in slots.iter().zip(values) {
            if let Some(value) = value {
                self.adds.set(*slot, value);
            }
        }
        Ok(())
    }
}

/// A source of an aggregate in the same partition.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) rule: Rule,
    pub(crate) feed: &'static Contribution,
    pub(crate) sink: Address,
    pub(crate) adds: Properties,
}

impl Member {
    pub(crate) fn of((rule, feed): (Rule, &'static Contribution), row: &DerivedRow) -> Self {
        Self { rule, feed, sink: row.address.clone(), adds: row.properties.clone() }
    }
}

/// Returns the RowKey of a contribution row for a source in another partition. Each part is preceded by its length, so
/// that the keys of different sources differ.
pub(crate) fn contribution_key(
    feed: &Contribution,
    source: &Design,
    sink: &Address,
    entity: &Address,
) -> Result<String, Error> {
    let parts = [source.stored_name(), entity.table.as_str(), &entity.partition_key, &entity.row_key];
    let mut writer = KeyWriter::new(KeyKind::Row);
    writer.literal(&contributions_of(feed, &sink.row_key));
    for part in parts {
        writer.literal(&format!("{}_{part}", part.len()));
    }
    let problem = |error| EntityKeyError::key(source.name, &source.row, error);
    Ok(writer.finish(STRICT_UNITS).map_err(problem)?)
}

/// Returns the common RowKey prefix of all contributions to an aggregate.
pub(crate) fn contributions_of(feed: &Contribution, sink: &str) -> String {
    let name = feed.stored_name();
    format!("{CONTRIBUTION}{}_{name}{}_{sink}", name.len(), sink.len())
}

/// Returns the address of the aggregate that a contribution belongs to.
pub(crate) fn sink_of(contribution: &Address) -> Option<Address> {
    let (_, rest) = part(contribution.row_key.strip_prefix(CONTRIBUTION)?)?;
    let (sink, _) = part(rest)?;
    Some(Address { row_key: sink.to_owned(), ..contribution.clone() })
}

/// Returns the feed and the source type in the RowKey of a contribution.
pub(crate) fn contribution_of(row_key: &str) -> Option<(&str, &str)> {
    let (feed, rest) = part(row_key.strip_prefix(CONTRIBUTION)?)?;
    let (_, rest) = part(rest)?;
    let (source, _) = part(rest)?;
    Some((feed, source))
}

/// Splits the first part from a key.
fn part(text: &str) -> Option<(&str, &str)> {
    let (length, rest) = text.split_once('_')?;
    rest.split_at_checked(length.parse().ok()?)
}
