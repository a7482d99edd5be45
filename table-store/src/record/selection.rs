use table_model::{Name, PropertiesRef, packed::Packer, rows::RowHead};

/// Selected properties of an entity: all, or some by name.
#[derive(Debug)]
pub(crate) struct Selection<'s> {
    names: Option<&'s [Name]>,
    pub(super) system: SystemProperties,
    /// Buffer for one row.
    packer: Packer,
}

/// Selected system properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemProperties {
    pub(super) partition_key: bool,
    pub(super) row_key: bool,
    pub(super) timestamp: bool,
}

impl SystemProperties {
    /// Returns the selected part of a row's head.
    pub(super) fn of(self, whole: RowHead<'_>) -> RowHead<'_> {
        RowHead {
            etag: whole.etag,
            partition_key: whole.partition_key.filter(|_| self.partition_key),
            row_key: whole.row_key.filter(|_| self.row_key),
            timestamp: whole.timestamp.filter(|_| self.timestamp),
        }
    }
}

impl<'s> Selection<'s> {
    /// Creates a selection. `*` among the names selects all properties.
    pub(crate) fn new(names: Option<&'s [Name]>) -> Self {
        let names = names.filter(|names| !names.iter().any(|name| name == "*"));
        let holds = |name: &str| names.is_none_or(|names| names.iter().any(|known| known == name));
        let system = SystemProperties {
            partition_key: holds("PartitionKey"),
            row_key: holds("RowKey"),
            timestamp: holds("Timestamp"),
        };
        Self { names, system, packer: Packer::default() }
    }

    pub(super) const fn is_all(&self) -> bool {
        self.names.is_none()
    }

    /// Packs the selected properties of an entity. Returns `None` if they exceed the limits of the encoding, which
    /// stored entities never do.
    pub(super) fn pack(&mut self, properties: PropertiesRef<'_>) -> Option<(SystemProperties, &Packer)> {
        self.packer.clear();
        let names = self.names.unwrap_or_default();
        let is_selected = |name: &[u8]| names.iter().any(|known| known.as_bytes() == name);
        self.packer.push_selected(properties, is_selected)?;
        Some((self.system, &self.packer))
    }
}
