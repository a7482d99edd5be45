use std::{borrow::Cow, cell::OnceCell};

use super::{HEAD_BYTES, Selection, VERSION};
use crate::{
    PropertiesRef, Rows, StorageFault, Timestamp,
    embedded::{
        keys,
        seal::{damaged, unseal},
    },
    filter::PropertySource,
    rows::{RowHead, TooLarge},
    value::ValueRef,
};

/// A stored entity in its encoded form. Its checksum was verified; properties are decoded on demand.
pub(in crate::embedded) struct Record<'r> {
    key: &'r [u8],
    timestamp: Timestamp,
    count: u16,
    packed: &'r [u8],
    properties: PropertiesRef<'r>,
    /// PartitionKey and RowKey, decoded on demand.
    texts: OnceCell<Option<Texts<'r>>>,
}

type Texts<'r> = (Cow<'r, str>, Cow<'r, str>);

impl<'r> Record<'r> {
    /// Decodes the record stored under `key`. Any bytes are allowed: an unsound record is a fault.
    pub(in crate::embedded) fn new(key: &'r [u8], record: &'r [u8]) -> Result<Self, StorageFault> {
        let body = unseal(key, record)?;
        Self::parse(key, body).ok_or_else(|| damaged(key, "its layout is invalid"))
    }

    fn parse(key: &'r [u8], body: &'r [u8]) -> Option<Self> {
        let (head, packed) = body.split_at_checked(HEAD_BYTES)?;
        let (version, head) = head.split_first()?;
        let (ticks, count) = head.split_at_checked(8)?;
        if *version != VERSION {
            return None;
        }
        let timestamp = Timestamp::from_ticks(i64::from_le_bytes(ticks.try_into().ok()?))?;
        let count = u16::from_le_bytes(count.try_into().ok()?);
        let properties = PropertiesRef::new(count.into(), packed)?;
        Some(Self { key, timestamp, count, packed, properties, texts: OnceCell::new() })
    }

    /// Returns the time of the last write.
    pub(in crate::embedded) fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Returns the properties. Iteration ends at an invalid property, which cannot occur in a record with a valid
    /// checksum.
    pub(in crate::embedded) fn properties(&self) -> PropertiesRef<'r> {
        self.properties
    }

    /// Appends the row as returned by a read.
    pub(in crate::embedded) fn push_to(
        &self,
        rows: &mut Rows,
        select: &mut Selection<'_>,
    ) -> Result<(), StorageFault> {
        let texts = self.texts().ok_or_else(|| damaged(self.key, "its key is invalid"))?;
        let head = RowHead::whole(&texts.0, &texts.1, self.timestamp);
        let pushed = if select.is_all() {
            rows.push_packed(head, self.count, self.packed)
        } else {
            let packed = select.pack(self.properties).ok_or(TooLarge);
            packed.and_then(|(system, packer)| rows.push_packer(system.of(head), packer))
        };
        pushed.map_err(|error| damaged(self.key, &error.to_string()))
    }

    fn texts(&self) -> Option<&Texts<'r>> {
        self.texts.get_or_init(|| keys::split(self.key)).as_ref()
    }
}

/// Provides the properties to filters.
impl PropertySource for Record<'_> {
    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        match name {
            "PartitionKey" => Some(ValueRef::String(&self.texts()?.0)),
            "RowKey" => Some(ValueRef::String(&self.texts()?.1)),
            "Timestamp" => Some(ValueRef::DateTime(self.timestamp)),
            _ => self.properties.get(name),
        }
    }
}
