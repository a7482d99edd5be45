use std::{borrow::Cow, cell::OnceCell};

use super::{ENTRY_BYTES, HEAD_BYTES, VERSION, kind};
use crate::{
    ETag, Name, Properties, Row, StorageFault, Timestamp, Uuid,
    embedded::{
        keys,
        seal::{damaged, unseal},
    },
    filter::PropertySource,
    value::ValueRef,
};

/// A stored entity, as the bytes it is. Its checksum has been verified; properties are decoded when asked for.
pub(in crate::embedded) struct Record<'r> {
    key: &'r [u8],
    timestamp: Timestamp,
    entries: &'r [u8],
    names: &'r [u8],
    values: &'r [u8],
    /// PartitionKey and RowKey, once a filter has asked for one.
    texts: OnceCell<Option<Texts<'r>>>,
}

type Texts<'r> = (Cow<'r, str>, Cow<'r, str>);

impl<'r> Record<'r> {
    /// Takes the record stored under `key`. Any bytes may be given: what is no sound record is a fault.
    pub(in crate::embedded) fn new(key: &'r [u8], record: &'r [u8]) -> Result<Self, StorageFault> {
        let body = unseal(key, record)?;
        Self::parse(key, body).ok_or_else(|| damaged(key, "its layout cannot be read"))
    }

    fn parse(key: &'r [u8], body: &'r [u8]) -> Option<Self> {
        let (head, rest) = body.split_at_checked(HEAD_BYTES)?;
        let (version, head) = head.split_first()?;
        let (ticks, count) = head.split_at_checked(8)?;
        if *version != VERSION {
            return None;
        }
        let timestamp = Timestamp::from_ticks(i64::from_le_bytes(ticks.try_into().ok()?))?;
        let count = usize::from(u16::from_le_bytes(count.try_into().ok()?));
        let (entries, rest) = rest.split_at_checked(count * ENTRY_BYTES)?;
        let names_end = entries.last_chunk().map_or(0, |last| Entry::read(*last).name_end);
        let (names, values) = rest.split_at_checked(names_end)?;
        Some(Self { key, timestamp, entries, names, values, texts: OnceCell::new() })
    }

    /// When it was written.
    pub(in crate::embedded) fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Names, types and values in stored order; none in place of one that lies outside the record.
    fn raw(&self) -> impl Iterator<Item = Option<(&'r [u8], u8, &'r [u8])>> + use<'r> {
        let (names, values) = (self.names, self.values);
        let (mut name_start, mut value_start) = (0, 0);
        self.entries.chunks_exact(ENTRY_BYTES).map(move |entry| {
            let Entry { name_end, kind, value_end } = Entry::read(*entry.first_chunk()?);
            let name = names.get(name_start..name_end)?;
            let value = values.get(value_start..value_end)?;
            (name_start, value_start) = (name_end, value_end);
            Some((name, kind, value))
        })
    }

    /// All properties, or those selected, in stored order.
    pub(in crate::embedded) fn properties(&self, select: &Selection<'_>) -> Result<Properties, StorageFault> {
        let mut properties = Properties::with_capacity(select.most(self.entries.len() / ENTRY_BYTES));
        for raw in self.raw() {
            let (name, kind, bytes) = raw.ok_or_else(|| damaged(self.key, "a property lies outside it"))?;
            let name = std::str::from_utf8(name).map_err(|_| damaged(self.key, "a name is no text"))?;
            if let Some(name) = select.take(name) {
                let value = value(kind, bytes).ok_or_else(|| damaged(self.key, "a value cannot be read"))?;
                properties.push_new(name, value.to_value());
            }
        }
        Ok(properties)
    }

    /// The row as a read answers it.
    pub(in crate::embedded) fn row(&self, select: &Selection<'_>) -> Result<Row, StorageFault> {
        let (mut partition_key, mut row_key) = (None, None);
        if select.holds("PartitionKey") || select.holds("RowKey") {
            let (partition, row) =
                keys::split(self.key).ok_or_else(|| damaged(self.key, "its key is none"))?;
            partition_key = select.holds("PartitionKey").then(|| partition.into_owned());
            row_key = select.holds("RowKey").then(|| row.into_owned());
        }
        Ok(Row {
            etag: ETag::from(self.timestamp),
            partition_key,
            row_key,
            timestamp: select.holds("Timestamp").then_some(self.timestamp),
            properties: self.properties(select)?,
        })
    }

    fn texts(&self) -> Option<&Texts<'r>> {
        self.texts.get_or_init(|| keys::split(self.key)).as_ref()
    }
}

/// What filters see. A value that cannot be read is none: its checksum matched, so nobody can have stored one.
impl PropertySource for Record<'_> {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        match name {
            "PartitionKey" => Some(ValueRef::String(&self.texts()?.0)),
            "RowKey" => Some(ValueRef::String(&self.texts()?.1)),
            "Timestamp" => Some(ValueRef::DateTime(self.timestamp)),
            _ => {
                let (_, kind, bytes) = self.raw().flatten().find(|(known, ..)| *known == name.as_bytes())?;
                value(kind, bytes)
            }
        }
    }
}

/// Where a property's name and value end, and the value's type.
struct Entry {
    name_end: usize,
    kind: u8,
    value_end: usize,
}

impl Entry {
    fn read(bytes: [u8; ENTRY_BYTES]) -> Self {
        let [name0, name1, name2, kind, value0, value1, value2] = bytes;
        let end = |low: u8, middle: u8, high: u8| {
            usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16
        };
        Self { name_end: end(name0, name1, name2), kind, value_end: end(value0, value1, value2) }
    }
}

fn value(code: u8, bytes: &[u8]) -> Option<ValueRef<'_>> {
    Some(match code {
        kind::BINARY => ValueRef::Binary(bytes),
        kind::BOOLEAN => ValueRef::Boolean(match bytes {
            [0] => false,
            [1] => true,
            _ => return None,
        }),
        kind::DATE_TIME => {
            ValueRef::DateTime(Timestamp::from_ticks(i64::from_le_bytes(bytes.try_into().ok()?))?)
        }
        kind::DOUBLE => ValueRef::Double(f64::from_bits(u64::from_le_bytes(bytes.try_into().ok()?))),
        kind::GUID => ValueRef::Guid(Uuid::from_bytes(bytes.try_into().ok()?)),
        kind::INT32 => ValueRef::Int32(i32::from_le_bytes(bytes.try_into().ok()?)),
        kind::INT64 => ValueRef::Int64(i64::from_le_bytes(bytes.try_into().ok()?)),
        kind::STRING => ValueRef::String(std::str::from_utf8(bytes).ok()?),
        _ => return None,
    })
}

/// Which properties of an entity are wanted: all, or some by name.
#[derive(Clone, Copy, Debug)]
pub(in crate::embedded) struct Selection<'s>(Option<&'s [Name]>);

impl<'s> Selection<'s> {
    /// `*` among the names stands for all.
    pub(in crate::embedded) fn new(names: Option<&'s [Name]>) -> Self {
        Self(names.filter(|names| !names.iter().any(|name| name == "*")))
    }

    fn holds(self, name: &str) -> bool {
        self.0.is_none_or(|names| names.iter().any(|known| known == name))
    }

    /// The name to give a stored property, if it is wanted: the caller's own where it costs nothing.
    fn take(self, name: &str) -> Option<Name> {
        let Some(names) = self.0 else { return Some(Cow::Owned(name.to_owned())) };
        names.iter().find(|known| *known == name).cloned()
    }

    fn most(self, stored: usize) -> usize {
        self.0.map_or(stored, |names| names.len().min(stored))
    }
}
