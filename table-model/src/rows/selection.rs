use super::{RowHead, Rows, TooLarge};
use crate::{Name, PropertiesRef, packed::Packer};

/// Selected properties of an entity: all, or some by name. A backend keeps it for all rows of a response.
///
/// ```
/// use table_model::{PropertiesRef, Rows, Timestamp, rows::{RowHead, Selection}};
///
/// let names = ["RowKey".into()];
/// let mut select = Selection::new(Some(&names));
/// let mut rows = Rows::new();
/// let nothing = PropertiesRef::new(0, &[]).ok_or("encoding")?;
/// rows.push_selected(RowHead::whole("Sales", "1", Timestamp::UNIX_EPOCH), nothing, &[], &mut select)?;
/// assert_eq!(rows.get(0).and_then(|row| row.partition_key), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Selection<'s> {
    names: Option<&'s [Name]>,
    system: SystemProperties,
    /// Buffer for one row.
    packer: Packer,
}

/// Selected system properties.
#[derive(Clone, Copy, Debug)]
struct SystemProperties {
    partition_key: bool,
    row_key: bool,
    timestamp: bool,
}

impl SystemProperties {
    /// Returns the selected part of a row's head.
    fn of(self, whole: RowHead<'_>) -> RowHead<'_> {
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
    #[must_use]
    pub fn new(names: Option<&'s [Name]>) -> Self {
        let names = names.filter(|names| !names.iter().any(|name| name == "*"));
        let holds = |name: &str| names.is_none_or(|names| names.iter().any(|known| known == name));
        let system = SystemProperties {
            partition_key: holds("PartitionKey"),
            row_key: holds("RowKey"),
            timestamp: holds("Timestamp"),
        };
        Self { names, system, packer: Packer::default() }
    }

    const fn is_all(&self) -> bool {
        self.names.is_none()
    }

    /// Packs the selected properties of an entity. Returns `None` if they exceed the limits of the encoding, which
    /// stored entities never do.
    fn pack(&mut self, properties: PropertiesRef<'_>) -> Option<(SystemProperties, &Packer)> {
        self.packer.clear();
        let names = self.names.unwrap_or_default();
        let is_selected = |name: &[u8]| names.iter().any(|known| known.as_bytes() == name);
        self.packer.push_selected(properties, is_selected)?;
        Some((self.system, &self.packer))
    }
}

impl Rows {
    /// Appends the selected part of a row with the given properties, whose encoding is `packed`.
    ///
    /// # Errors
    /// [`TooLarge`] if a capacity limit is exceeded; the rows are then unchanged.
    pub fn push_selected(
        &mut self,
        head: RowHead<'_>,
        properties: PropertiesRef<'_>,
        packed: &[u8],
        select: &mut Selection<'_>,
    ) -> Result<(), TooLarge> {
        if select.is_all() {
            let count = u16::try_from(properties.len()).map_err(|_| TooLarge)?;
            return self.push_packed(head, count, packed);
        }
        let (system, selected) = select.pack(properties).ok_or(TooLarge)?;
        self.push_packer(system.of(head), selected)
    }
}
