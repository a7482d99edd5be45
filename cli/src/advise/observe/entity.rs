use table_advisor::sketch::{Distinct, hash};
use table_designs::schema::RecognizedRow;
use table_schema::{
    design::{EntityDesign, LookupDesign, Origin},
    key::KeyValue,
    template::{Shape, Template},
};
use table_store::{rows::RowRef, value::ValueRef};

use super::{field::FieldSeen, real};

/// Number of reported largest partitions.
const LARGEST: usize = 3;

/// The measurements of an entity: its own rows, their fields, its copies and lists.
#[derive(Debug)]
pub(crate) struct EntitySeen {
    pub(crate) name: String,
    /// Number of entities: of an entity with several rows, the first row is counted.
    pub(crate) entities: u64,
    /// By kind, in the order of [`EntityDesign::row_kinds`].
    pub(crate) kinds: Vec<KindSeen>,
    /// In the order of the design.
    pub(crate) fields: Vec<FieldSeen>,
    /// `true` if the entity's own key contains each field completely.
    recovered: Vec<bool>,
    partitions: Distinct,
    /// Number of entities in the current partition.
    run: u64,
    partition: String,
    /// The largest partitions, the largest first.
    pub(crate) largest: Vec<(String, u64)>,
}

/// The measurements of a row type.
#[derive(Debug, Default)]
pub(crate) struct KindSeen {
    /// `row` for the entity's own rows, otherwise the name of the index or lookup.
    pub(crate) name: String,
    pub(crate) rows: u64,
    /// By the documented formula, including properties of the library.
    pub(crate) bytes: u64,
    pub(crate) largest: u64,
    /// For a lookup: its lists, and the members of the longest list.
    pub(crate) lists: u64,
    pub(crate) longest: u64,
    /// The current list, and its members so far.
    list: (String, Vec<KeyValue<'static>>),
    members: u64,
}

impl EntitySeen {
    pub(super) fn new(design: &EntityDesign) -> Self {
        let kind = |kind: table_schema::design::RowKind| KindSeen { name: kind.name, ..KindSeen::default() };
        Self {
            name: design.name.clone(),
            entities: 0,
            kinds: design.row_kinds().into_iter().map(kind).collect(),
            fields: design.fields.iter().map(|_| FieldSeen::default()).collect(),
            recovered: design.fields.iter().map(|field| is_whole(design, &field.name)).collect(),
            partitions: Distinct::default(),
            run: 0,
            partition: String::new(),
            largest: Vec::new(),
        }
    }

    /// Returns the number of partitions of its own rows, and whether it is exact.
    pub(crate) fn partitions(&self) -> (u64, bool) {
        self.partitions.count()
    }

    /// Returns the share of entities in the largest partition.
    pub(crate) fn largest_share(&self) -> f64 {
        let largest = self.largest.first().map_or(0, |(_, entities)| *entities);
        if self.entities == 0 { 0.0 } else { real(largest) / real(self.entities) }
    }

    pub(super) fn add(&mut self, design: &EntityDesign, recognized: &RecognizedRow<'_>, row: &RowRef<'_>) {
        if let Some(kind) = self.kinds.get_mut(recognized.kind) {
            kind.add(row);
            if let Origin::Lookup(number) = recognized.origin
                && let Some(lookup) = design.lookups.get(number)
            {
                kind.member(lookup, recognized, row);
            }
        }
        if recognized.origin != Origin::Primary {
            return;
        }
        let part = recognized.values.iter().find(|(name, _)| *name == "part").map(|(_, part)| part);
        let is_first = part.is_none_or(|part| *part == KeyValue::Unsigned(0));
        if is_first {
            self.entity(row.partition_key.unwrap_or_default());
        }
        for ((field, seen), is_recovered) in design.fields.iter().zip(&mut self.fields).zip(&self.recovered) {
            let key = recognized.values.iter().find(|(name, _)| *name == field.name);
            match key.filter(|_| *is_recovered) {
                Some((_, value)) if is_first => seen.key(field, value),
                Some(_) => {}
                None if field.series.is_some() => {
                    for (_, value) in row.properties.iter().filter(|(name, _)| is_slot(&field.property, name))
                    {
                        seen.property(field, value);
                    }
                }
                None => {
                    if let Some(value) = row.properties.get(&field.property) {
                        seen.property(field, value);
                    }
                }
            }
        }
    }

    fn entity(&mut self, partition: &str) {
        self.entities += 1;
        if self.run == 0 || self.partition != partition {
            self.finish();
            self.partitions.add(hash(partition.as_bytes()));
            partition.clone_into(&mut self.partition);
        }
        self.run += 1;
    }

    /// Ends the current partition and table.
    pub(super) fn finish(&mut self) {
        for kind in &mut self.kinds {
            kind.finish();
        }
        let (run, partition) = (std::mem::take(&mut self.run), std::mem::take(&mut self.partition));
        if run == 0 {
            return;
        }
        let place = self.largest.partition_point(|(_, entities)| *entities >= run);
        if place < LARGEST {
            self.largest.insert(place, (partition, run));
            self.largest.truncate(LARGEST);
        }
    }
}

impl KindSeen {
    fn add(&mut self, row: &RowRef<'_>) {
        let size = size(row);
        self.rows += 1;
        self.bytes += size;
        self.largest = self.largest.max(size);
    }

    /// Adds a row of a list: one member, or all members of a property. The rows of a list are contiguous.
    fn member(&mut self, lookup: &LookupDesign, recognized: &RecognizedRow<'_>, row: &RowRef<'_>) {
        let values = recognized.values.iter().filter(|(name, _)| lookup.on.iter().any(|on| on == name));
        let partition = row.partition_key.unwrap_or_default();
        let is_same =
            self.list.0 == partition && self.list.1.iter().eq(values.clone().map(|(_, value)| value));
        if self.members == 0 || !is_same {
            self.finish();
            self.list = (partition.to_owned(), values.map(|(_, value)| value.clone().into_owned()).collect());
        }
        let listed = lookup.ids.as_ref().and_then(|ids| row.properties.get(ids));
        self.members += match listed {
            Some(ValueRef::String(text)) => listed_in(text),
            _ => 1,
        };
    }

    fn finish(&mut self) {
        let members = std::mem::take(&mut self.members);
        self.lists += u64::from(members > 0);
        self.longest = self.longest.max(members);
    }

    /// Returns the average size of a row.
    pub(crate) fn average(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { real(self.bytes) / real(self.rows) }
    }
}

/// Returns whether the entity's keys contain the complete field.
fn is_whole(design: &EntityDesign, field: &str) -> bool {
    design.recovered_fields().any(|known| known.name == field)
}

/// Returns whether the number of values of a field equals the number of periods: no template truncates it.
pub(super) fn is_counted(design: &EntityDesign, field: &str) -> bool {
    let cuts = |template: &Template| {
        template.holes().any(|hole| hole.field == field && matches!(hole.shape, Shape::Date(_)))
    };
    design.row_kinds().iter().all(|kind| !cuts(&kind.table) && !cuts(&kind.partition) && !cuts(&kind.row))
}

fn is_slot(series: &str, property: &str) -> bool {
    let slot = property.strip_prefix(series).and_then(|rest| rest.strip_prefix('_'));
    slot.is_some_and(|slot| !slot.is_empty() && slot.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the number of members in a property with a JSON array.
fn listed_in(text: &str) -> u64 {
    let members: Result<Vec<serde_json::Value>, _> = serde_json::from_str(text);
    members.map_or(1, |members| members.len() as u64)
}

/// Returns the size of a row by the documented formula.
fn size(row: &RowRef<'_>) -> u64 {
    let units = |text: &str| 2 * table_schema::key::units(text);
    let keys = units(row.partition_key.unwrap_or_default()) + units(row.row_key.unwrap_or_default());
    let value = |value: ValueRef<'_>| match value {
        ValueRef::String(text) => units(text) + 4,
        ValueRef::Binary(bytes) => bytes.len() + 4,
        other => other.to_value().size(),
    };
    let properties = row.properties.iter().map(|(name, one)| 8 + units(name) + value(one));
    (4 + keys + properties.sum::<usize>()) as u64
}
