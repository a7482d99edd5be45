use std::{borrow::Cow, cell::OnceCell, ops::ControlFlow};

use table_model::{
    PropertiesRef, RowRef, Rows, StorageFault, Timestamp,
    filter::PropertySource,
    rows::{RowHead, Selection},
    service::VisitRow,
    value::ValueRef,
};

use super::{HEAD_BYTES, VERSION};
use crate::{
    checksum::{damaged, unseal},
    keys,
};

/// A stored entity in its encoded form. Its checksum was verified; properties are decoded on demand.
pub(crate) struct Record<'r> {
    key: &'r [u8],
    timestamp: Timestamp,
    packed: &'r [u8],
    properties: PropertiesRef<'r>,
    /// PartitionKey and RowKey, decoded on demand.
    texts: OnceCell<Option<Texts<'r>>>,
}

type Texts<'r> = (Cow<'r, str>, Cow<'r, str>);

impl<'r> Record<'r> {
    /// Decodes the record stored under `key`. Any bytes are allowed: an unsound record is a fault.
    #[inline]
    pub(crate) fn new(key: &'r [u8], record: &'r [u8]) -> Result<Self, StorageFault> {
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
        Some(Self { key, timestamp, packed, properties, texts: OnceCell::new() })
    }

    /// Returns the time of the last write.
    pub(crate) fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Returns the properties. Iteration ends at an invalid property, which cannot occur in a record with a valid
    /// checksum.
    pub(crate) fn properties(&self) -> PropertiesRef<'r> {
        self.properties
    }

    /// Appends the row as returned by a read. `keys` are those of the record.
    pub(crate) fn push_to(
        &self,
        rows: &mut Rows,
        select: &mut Selection<'_>,
        keys: Option<(&str, &str)>,
    ) -> Result<(), StorageFault> {
        let (partition_key, row_key) = keys.ok_or_else(|| damaged(self.key, "its key is invalid"))?;
        let head = RowHead::whole(partition_key, row_key, self.timestamp);
        let pushed = rows.push_selected(head, self.properties, self.packed, select);
        pushed.map_err(|error| damaged(self.key, &error.to_string()))
    }

    /// Passes the row to `visit`, with all its properties.
    pub(crate) fn lend(&self, partition_key: &str, row_key: &str, visit: VisitRow<'_>) -> ControlFlow<()> {
        visit(RowRef {
            etag: &self.timestamp.into(),
            partition_key: Some(partition_key),
            row_key: Some(row_key),
            timestamp: Some(self.timestamp),
            properties: self.properties,
        })
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
