use table_schema::{
    design::{EntityDesign, LookupDesign, Origin},
    key::KeyValue,
    template::{Shape, Template},
};
use table_store::{rows::RowRef, value::ValueRef};

use super::{distinct::Distinct, field::FieldSeen, hash::hash, kinds::Recognised, real};

/// As many of the largest partitions are told.
const LARGEST: usize = 3;

/// What was seen of an entity: its own rows, their fields, its copies and lists.
#[derive(Debug)]
pub(crate) struct EntitySeen {
    pub(crate) name: String,
    /// Entities: of one that takes several rows the first is counted.
    pub(crate) entities: u64,
    /// By kind, in the order of [`EntityDesign::row_kinds`].
    pub(crate) kinds: Vec<KindSeen>,
    /// In the order of the design's.
    pub(crate) fields: Vec<FieldSeen>,
    /// Of each field, whether the entity's own key gives it back whole.
    recovered: Vec<bool>,
    partitions: Distinct,
    /// The entities of the partition that is being read.
    run: u64,
    partition: String,
    /// The largest partitions, the largest first.
    pub(crate) largest: Vec<(String, u64)>,
}

/// What was seen of a kind of rows.
#[derive(Debug, Default)]
pub(crate) struct KindSeen {
    /// `row` for the entity's own, else the name of the index or lookup.
    pub(crate) name: String,
    pub(crate) rows: u64,
    /// By the documented formula, with what the library keeps in them.
    pub(crate) bytes: u64,
    pub(crate) largest: u64,
    /// Of a lookup: its lists, and the members of the longest.
    pub(crate) lists: u64,
    pub(crate) longest: u64,
    /// The list that is being read, and its members so far.
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

    /// How many partitions its own rows have, and whether that is exact.
    pub(crate) fn partitions(&self) -> (u64, bool) {
        self.partitions.count()
    }

    /// The share of its entities that the largest partition has.
    pub(crate) fn largest_share(&self) -> f64 {
        let largest = self.largest.first().map_or(0, |(_, entities)| *entities);
        if self.entities == 0 { 0.0 } else { real(largest) / real(self.entities) }
    }

    pub(super) fn add(&mut self, design: &EntityDesign, recognised: &Recognised<'_>, row: &RowRef<'_>) {
        if let Some(kind) = self.kinds.get_mut(recognised.kind) {
            kind.add(row);
            if let Origin::Lookup(number) = recognised.origin
                && let Some(lookup) = design.lookups.get(number)
            {
                kind.member(lookup, recognised, row);
            }
        }
        if recognised.origin != Origin::Primary {
            return;
        }
        let part = recognised.values.iter().find(|(name, _)| *name == "part").map(|(_, part)| part);
        let is_first = part.is_none_or(|part| *part == KeyValue::Unsigned(0));
        if is_first {
            self.entity(row.partition_key.unwrap_or_default());
        }
        for ((field, seen), is_recovered) in design.fields.iter().zip(&mut self.fields).zip(&self.recovered) {
            let key = recognised.values.iter().find(|(name, _)| *name == field.name);
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

    /// No more rows of this partition come, or of this table.
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

    /// A row of a list: a member, or all that stand in one property. The rows of a list follow one another.
    fn member(&mut self, lookup: &LookupDesign, recognised: &Recognised<'_>, row: &RowRef<'_>) {
        let values = recognised.values.iter().filter(|(name, _)| lookup.on.iter().any(|on| on == name));
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

    /// The average size of a row.
    pub(crate) fn average(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { real(self.bytes) / real(self.rows) }
    }
}

/// Whether the entity's keys give the field back whole.
fn is_whole(design: &EntityDesign, field: &str) -> bool {
    design.recovered_fields().any(|known| known.name == field)
}

/// Whether the number of values of a field says how many periods there are: no template cuts it.
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

/// The members of a list that stand in a property, as a JSON array.
fn listed_in(text: &str) -> u64 {
    let members: Result<Vec<serde_json::Value>, _> = serde_json::from_str(text);
    members.map_or(1, |members| members.len() as u64)
}

/// The size of a row by the documented formula.
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
