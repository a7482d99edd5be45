use table_model::Properties;
use table_schema::{
    key::{KeyKind, KeyValue, KeyWriter, STRICT_UNITS},
    template::{Part, Shape},
};

use crate::{
    Error,
    core::{
        entity::Writable,
        key::{EntityKeyError, PART},
        reserved::ENTITY_TYPE,
    },
    design::Design,
};

/// Assignment of properties to the parts of a wide entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    design: &'static Design,
    /// Maximum number of entity properties per part.
    most: usize,
}

impl Layout {
    /// Returns the layout of a wide design.
    pub(crate) fn of(design: &'static Design) -> Option<Self> {
        design.wide.filter(|most| *most > 0).map(|most| Self { design, most })
    }

    /// Returns the design.
    pub(crate) const fn design(self) -> &'static Design {
        self.design
    }

    /// Returns the layout of an entity type, if it is wide.
    pub(crate) fn of_entity<E: Writable>() -> Option<Self> {
        Self::of(E::entity()?.newest())
    }

    /// Returns the part that contains a property. Properties that the entity does not declare are in the head.
    pub(crate) fn part_of(self, property: &str) -> usize {
        self.design.stored_names().position(|name| name == property).unwrap_or(0) / self.most
    }

    /// Distributes the properties to the parts, starting with the head. The input is in declaration order, followed by
    /// `EntityType`.
    pub(crate) fn split(self, properties: Properties) -> Vec<Properties> {
        let mut parts = vec![Properties::new()];
        let mut names = self.design.stored_names().enumerate();
        for (name, value) in properties {
            let Some((place, _)) = names.find(|(_, known)| *known == name) else { break };
            let part = place / self.most;
            if parts.len() <= part {
                parts.resize_with(part + 1, Properties::new);
            }
            if let Some(part) = parts.get_mut(part) {
                part.push_new(name, value);
            }
        }
        parts
    }

    /// Sorts properties by declaration order.
    pub(crate) fn in_order(self, mut properties: Properties) -> Properties {
        let names = self.design.stored_names();
        names.filter_map(|name| properties.remove(name).map(|value| (name, value))).collect()
    }

    /// Adds the properties of every row.
    pub(crate) fn name_type(self, properties: &mut Properties) {
        if let Some(entity_type) = self.design.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
    }

    /// Returns the number of digits of `{part:02}`, which ends the RowKey.
    pub(crate) fn digits(self) -> usize {
        self.shape().and_then(|shape| shape.longest(None)).unwrap_or(0)
    }

    fn shape(self) -> Option<Shape> {
        match self.design.row.form.parts().last() {
            Some(Part::Field { field: PART, shape, .. }) => Some(*shape),
            _ => None,
        }
    }

    /// Returns the common prefix of the RowKeys of all parts.
    pub(crate) fn stem(self, head: &str) -> &str {
        head.len().checked_sub(self.digits()).and_then(|end| head.get(..end)).unwrap_or(head)
    }

    /// Returns the RowKey of a part. Fails if the part number has too many digits.
    pub(crate) fn row_key(self, head: &str, part: usize) -> Result<String, Error> {
        let mut writer = KeyWriter::new(KeyKind::Row);
        writer.literal(self.stem(head));
        let number = KeyValue::from(part as u64);
        let written = self.shape().map(|shape| writer.value(PART, shape, None, &number));
        let key = written.unwrap_or(Ok(())).and_then(|()| writer.finish(STRICT_UNITS));
        key.map_err(|error| EntityKeyError::key(self.design.name, &self.design.row, error).into())
    }

    /// Returns the part number of a RowKey of this entity.
    pub(crate) fn part_at(self, head: &str, row_key: &str) -> Option<usize> {
        let number = row_key.strip_prefix(self.stem(head))?;
        let is_number = number.len() == self.digits() && number.bytes().all(|digit| digit.is_ascii_digit());
        number.parse().ok().filter(|_| is_number)
    }
}
