//! Entities by their design: a list of fields that does the work of the derive's generated code.

use table_model::{Properties, PropertiesRef, RowRef, Value, ValueRef};
use table_schema::{
    design::{FieldKind, holes_to_read},
    key::KeyValue,
    role::Role,
    template::Part,
};

use super::codec;
use crate::{
    AccessPath, Address, Error, Source, ValueError,
    core::{
        cross_partition_row::is_stub,
        derived::DerivedRows,
        derived_row::DerivedRow,
        entity_types::Deriving,
        error::{DecodeError, RowError, property::PropertyError},
        key::{KeyReader, hole::Named},
        place::Place,
        properties::{Reader, Writer},
        row,
        unread::Unread,
    },
    design::{Design, Index, Template},
};

/// Derivation of rows by a design.
#[derive(Debug)]
pub(super) struct DesignedEntity {
    pub(super) design: &'static Design,
    pub(super) fields: Vec<DesignedField>,
    /// One entry for each index of the design.
    pub(super) indexes: Vec<DesignedIndex>,
    /// Indexes that the design does not determine.
    pub(super) skipped: Vec<&'static Index>,
}

/// A field of the keys, or a stored field.
#[derive(Debug)]
pub(super) struct DesignedField {
    pub(super) name: &'static str,
    pub(super) property: &'static str,
    /// Property names of a series' slots.
    pub(super) slots: &'static [&'static str],
    pub(super) kind: &'static FieldKind,
    pub(super) storage: Storage,
    pub(super) is_optional: bool,
    /// The value of rows without the property.
    pub(super) default: Option<Value>,
    pub(super) is_sealed: bool,
}

/// Location of a field in the entity's own row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Only in the key.
    Key,
    /// In the key, and in a property that must be equal to it.
    KeyAndProperty,
    /// In a property.
    Property,
}

/// Condition of an index, and the properties of its rows that are not in its key.
#[derive(Debug, Default)]
pub(super) struct DesignedIndex {
    /// Field numbers, with the values that the fields must have.
    pub(super) when: Vec<(usize, Value)>,
    /// Fields of the entity's key that the index rows store and the entity's own row does not.
    pub(super) own: Vec<usize>,
    /// `true` if the key and properties of a row identify its entity.
    pub(super) leads_back: bool,
}

/// Value of a field, as encoded in keys and as stored.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    pub(super) in_key: Option<KeyValue<'static>>,
    pub(super) stored: Option<Result<Value, ValueError>>,
}

/// Values of an entity, in field order.
pub(super) type Values = Vec<Held>;

impl Deriving for DesignedEntity {
    fn derive(&self, source: Source<'_>, row: RowRef<'_>) -> Result<Vec<DerivedRow>, Error> {
        let (values, properties) = self.read(source, row)?;
        self.derived(&values, &properties)
    }

    fn owner(&self, number: usize, row: RowRef<'_>) -> Option<Address> {
        let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
        let index = self.design.indexes.get(number)?;
        if !self.indexes.get(number)?.leads_back {
            return None;
        }
        let mut keys = KeyReader::new((&index.partition, &index.row), partition_key, row_key);
        let mut values = self.read_holes(&index.partition, &index.row, &mut keys, true)?;
        keys.finish()?;
        for key in self.design.key {
            let (field, held) =
                self.fields.iter().zip(&mut values).find(|(field, _)| field.name == key.field)?;
            if held.in_key.is_none() {
                *held = field.of_property(row.properties).ok()?;
            }
        }
        self.address(&values).ok()
    }

    fn is_whole(&self) -> bool {
        false
    }

    fn skipped(&self) -> &[&'static Index] {
        &self.skipped
    }
}

impl DesignedEntity {
    /// Returns the rows derived from an entity with these values and properties.
    pub(super) fn derived(&self, values: &Values, properties: &Properties) -> Result<Vec<DerivedRow>, Error> {
        let address = || self.address(values);
        let is_deleted =
            self.design.role(Role::SoftDelete).is_some_and(|name| properties.get(name).is_some());
        DerivedRows::by(self.design, Some(properties), address, |rows| {
            if is_deleted {
                return Ok(());
            }
            for (number, (index, designed)) in self.design.indexes.iter().zip(&self.indexes).enumerate() {
                self.derive_row(values, (number, index, designed), rows)?;
            }
            Ok(())
        })
    }

    /// Returns the values of a row, and the properties that the entity is stored with.
    fn read(&self, source: Source<'_>, row: RowRef<'_>) -> Result<(Values, Properties), DecodeError> {
        let design = self.design;
        let (partition_key, row_key, properties) = row::open(design, row)?;
        if !design.fed.is_empty() && is_stub(row) {
            return Err(row::refuse(design, partition_key, row_key, RowError::NotLive));
        }
        let Some(mut values) = self.read_key(partition_key, row_key) else {
            return Err(row::foreign_key(design, AccessPath::Own, partition_key, row_key));
        };
        let place = Place { table: source.table.as_str(), partition_key, row_key };
        let mut reader = Reader::new(properties, source.sealing, place);
        let mut writer = Writer::with_capacity(design.property_count());
        for (field, held) in self.fields.iter().zip(&mut values) {
            let read = field.read(held, &mut reader, &mut writer);
            read.map_err(|error| row::refuse(design, partition_key, row_key, RowError::Property(error)))?;
        }
        let mut stored = writer.into_properties();
        Unread::of(design, AccessPath::Own, row).add_to(&mut stored);
        Ok((values, stored))
    }

    /// Returns the values that the entity's key contains, or `None` if the key does not match the templates.
    fn read_key(&self, partition_key: &str, row_key: &str) -> Option<Values> {
        let (partition, row) = (&self.design.partition, &self.design.row);
        let read = |keys: &mut KeyReader<'_>| self.read_holes(partition, row, keys, false);
        row::parse_key_as(self.design, partition_key, row_key, read, |values| self.address(values).ok())
    }

    /// Reads the fields of two templates in order. Each field is read from its first exact occurrence, otherwise from
    /// its first occurrence. With `only_exact`, which is used for index rows, only exact occurrences are read.
    pub(super) fn read_holes(
        &self,
        partition: &'static Template,
        row: &'static Template,
        keys: &mut KeyReader<'_>,
        only_exact: bool,
    ) -> Option<Values> {
        let holes: Vec<(&'static str, bool)> = holes(partition).chain(holes(row)).collect();
        let mut values = vec![Held::default(); self.fields.len()];
        for ((name, exact), is_read) in holes.iter().zip(holes_to_read(&holes.iter().copied())) {
            let field = self.fields.iter().zip(&mut values).find(|(field, _)| field.name == *name);
            match field.filter(|_| is_read && (*exact || !only_exact)) {
                Some((field, held)) => {
                    let (in_key, stored) = codec::read(field.kind, keys)?;
                    *held = Held { in_key: Some(in_key), stored: Some(stored) };
                }
                None => keys.skip()?,
            }
        }
        Some(values)
    }

    /// Returns the address of the entity with these values.
    pub(super) fn address(&self, values: &Values) -> Result<Address, Error> {
        let Design { partition, row, .. } = self.design;
        row::address_in(self.design, &self.named(partition, values), &self.named(row, values))
    }

    /// Returns the values of a template's fields.
    fn named(&self, template: &Template, values: &Values) -> Vec<Named<'static>> {
        let of = |name: &str| {
            let (field, held) = self.fields.iter().zip(values).find(|(field, _)| field.name == name)?;
            Some((field.name, held.in_key.clone().ok_or(ValueError::Missing)))
        };
        holes(template).filter_map(|(name, _)| of(name)).collect()
    }

    /// Adds the row of an index, if the index includes the entity.
    fn derive_row(
        &self,
        values: &Values,
        (number, index, designed): (usize, &'static Index, &DesignedIndex),
        rows: &mut DerivedRows<'_>,
    ) -> Result<(), Error> {
        let stored = |field: usize| values.get(field).and_then(|held| held.stored.as_ref()?.as_ref().ok());
        let is_in = designed.when.iter().all(|(field, value)| stored(*field) == Some(value));
        let lacks = |name: &str| {
            let held = self.fields.iter().zip(values).find(|(field, _)| field.name == name);
            held.is_some_and(|(field, held)| field.is_optional && held.in_key.is_none())
        };
        if !is_in || holes(&index.partition).chain(holes(&index.row)).any(|(name, _)| lacks(name)) {
            return Ok(());
        }
        let (partition, row) = (self.named(&index.partition, values), self.named(&index.row, values));
        let address = row::address_of(self.design, AccessPath::Index(number), &partition, &row)?;
        rows.row_at(number, address, |own| {
            let fields =
                designed.own.iter().filter_map(|field| Some((self.fields.get(*field)?, values.get(*field)?)));
            fields
                .into_iter()
                .try_for_each(|(field, held)| own.put(field.property, held.stored.clone().transpose()))
        })
    }
}

impl DesignedField {
    /// Reads the field's property, and writes the property that the entity is stored with.
    fn read(&self, held: &mut Held, from: &mut Reader<'_>, into: &mut Writer) -> Result<(), PropertyError> {
        match self.storage {
            Storage::Key => return Ok(()),
            Storage::KeyAndProperty => from.same(self.property, held.stored.clone().transpose())?,
            Storage::Property if !self.slots.is_empty() => {
                for slot in self.slots {
                    let value = from.take(slot, owned)?;
                    into.put(slot, self.again(value))?;
                }
                return Ok(());
            }
            Storage::Property => {
                let value = if self.is_sealed {
                    from.take_sealed(self.property, owned)?
                } else {
                    from.take(self.property, owned)?
                };
                *held = self.held(value)?;
            }
        }
        into.put(self.property, held.stored.clone().transpose())
    }

    /// Returns the field's value in an index row.
    fn of_property(&self, properties: PropertiesRef<'_>) -> Result<Held, PropertyError> {
        self.held(properties.get(self.property).map(|value| value.to_value()))
    }

    pub(super) fn held(&self, value: Option<Value>) -> Result<Held, PropertyError> {
        let found = value.as_ref().map(Value::edm_type);
        let value = self.again(value).map_err(|reason| {
            let type_name = codec::type_name(self.kind).unwrap_or_default();
            let reason = if self.is_sealed { reason.hidden(type_name, found) } else { reason };
            PropertyError { property: self.property.into(), reason }
        })?;
        let in_key = value.as_ref().and_then(|value| codec::in_key(self.kind, value).ok());
        Ok(Held { in_key, stored: value.map(Ok) })
    }

    /// Decodes and encodes a value again. Returns `None` for an absent property.
    pub(super) fn again(&self, value: Option<Value>) -> Result<Option<Value>, ValueError> {
        match value {
            Some(value) => codec::again(self.kind, value).map(Some),
            // As JSON, an absent value is written as well.
            None if self.is_optional && matches!(self.kind, FieldKind::Json { .. }) => {
                Ok(Some(Value::from("null")))
            }
            None if self.is_optional => Ok(None),
            None => self.default.clone().map(Some).ok_or(ValueError::Missing),
        }
    }
}

/// Returns the fields of a template, and whether the template contains their exact values.
pub(super) fn holes(template: &Template) -> impl Iterator<Item = (&'static str, bool)> + '_ {
    template.form.parts().iter().filter_map(|part| match part {
        Part::Field { field, exact, .. } => Some((*field, *exact)),
        Part::Literal(_) => None,
    })
}

/// Reads a value without converting it.
#[expect(clippy::unnecessary_wraps, reason = "the type of a field's reader")]
fn owned(value: Option<ValueRef<'_>>) -> Result<Option<Value>, ValueError> {
    Ok(value.map(|value| value.to_value()))
}
