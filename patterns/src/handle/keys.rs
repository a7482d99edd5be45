#[cfg(feature = "encryption")]
use std::sync::Arc;

use table_model::TableName;

use super::Tables;
#[cfg(feature = "encryption")]
use crate::KeyRing;
use crate::{AccessPath, Source, core::encryption::Sealing};

impl Tables {
    /// Returns a handle that encrypts and decrypts the properties marked `#[table(encrypt)]`.
    ///
    /// Without keys, writing or reading such a property fails.
    ///
    /// ```
    /// # use table_patterns::{KeyRing, prelude::*};
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// struct Employee {
    ///     department: String,
    ///     id: u32,
    ///     #[table(encrypt)]
    ///     national_id: String,
    /// }
    ///
    /// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    /// let tables = Tables::in_memory()?.with_keys(KeyRing::generate()?);
    /// let jo = Employee { department: "Sales".into(), id: 1, national_id: "AB 12 34".into() };
    /// tables.blocking().insert(&jo)?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "encryption")]
    #[must_use]
    pub fn with_keys(self, ring: KeyRing) -> Self {
        Self { sealing: Some(Arc::new(Sealing::new(ring))), ..self }
    }

    /// Returns a handle that also encrypts and decrypts properties of untyped entities. The closure selects the
    /// properties by PartitionKey, RowKey and property name (`G-ENC-1`). It must be deterministic, and has no effect on
    /// a handle without keys.
    ///
    /// ```
    /// # use table_patterns::{KeyRing, prelude::*};
    /// # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    /// let tables = Tables::in_memory()?.with_keys(KeyRing::generate()?);
    /// let sealing = tables.encrypting(|_, _, property| property == "NationalId");
    /// let mut jo = DynamicEntity::new("Employees", "Sales", "empid_000223")?;
    /// jo.set("NationalId", "AB 12 34");
    /// sealing.blocking().insert(&jo)?;
    ///
    /// let point = DynamicEntity::point("Employees", "Sales", "empid_000223");
    /// let opened = sealing.blocking().get(&point)?.expect("it was inserted");
    /// assert_eq!(opened.get::<String>("NationalId")?.as_deref(), Some("AB 12 34"));
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "encryption")]
    #[must_use]
    pub fn encrypting(&self, seals: impl Fn(&str, &str, &str) -> bool + Send + Sync + 'static) -> Self {
        let resolver = Arc::new(seals);
        let sealing = self.sealing.as_ref().map(|sealing| Arc::new(sealing.resolving(resolver)));
        Self { sealing, ..self.clone() }
    }

    pub(crate) fn sealing(&self) -> Option<&Sealing> {
        self.sealing.as_deref()
    }

    /// Returns the source description of a row that is read by the entity's own key.
    pub(crate) fn source<'s>(&'s self, table: &'s TableName) -> Source<'s> {
        Source { table, path: AccessPath::Own, sealing: self.sealing(), surplus: None, cache: None }
    }
}
