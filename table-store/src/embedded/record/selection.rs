use crate::{Name, PropertiesRef, packed::Packer, rows::RowHead};

/// Which properties of an entity are wanted: all, or some by name.
#[derive(Debug)]
pub(in crate::embedded) struct Selection<'s> {
    names: Option<&'s [Name]>,
    pub(super) system: SystemProperties,
    /// Memory for one row.
    packer: Packer,
}

/// Which of the service's own properties are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemProperties {
    pub(super) partition_key: bool,
    pub(super) row_key: bool,
    pub(super) timestamp: bool,
}

impl SystemProperties {
    /// What is wanted of a row's head.
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
    /// `*` among the names stands for all.
    pub(in crate::embedded) fn new(names: Option<&'s [Name]>) -> Self {
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

    /// The wanted ones among an entity's properties, packed; none if that cannot be, as of no entity that was stored.
    pub(super) fn pack(&mut self, properties: PropertiesRef<'_>) -> Option<(SystemProperties, &Packer)> {
        self.packer.clear();
        let names = self.names.unwrap_or_default();
        for (name, value) in properties {
            if names.iter().any(|known| known == name) {
                self.packer.push(name, &value)?;
            }
        }
        Some((self.system, &self.packer))
    }
}
