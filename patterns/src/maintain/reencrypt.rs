//! Rotation of encryption keys: rewrites rows with values under another key than the current one.

use table_model::{RowRef, ValueRef};

use crate::{
    Rewrite, Sweep, TableEntity, Tables,
    core::table::table_of,
    maintain::sweep::{Walk, of_design},
};

impl Tables {
    /// Creates a sweep that reads the entities with a value that is encrypted with another key than the current one of
    /// the key ring, and replaces them: their rows, also those of indexes, then have the current key. Concurrent writes
    /// are safe.
    ///
    /// First all programs need a key ring with the new key, so that no program writes with an older one. An older key can
    /// be removed when a run reports 0 written and 0 failed entities, and [`catch_up`](Self::catch_up) has applied all
    /// commits: then no row of the entity's table has it. Backups, archives and dead-lettered commits keep it.
    ///
    /// ```
    /// # use table_patterns::{KeyRing, prelude::*};
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "People", partition = "{team}", row = "p_{id:04}")]
    /// struct Person { team: String, id: u32, #[table(encrypt)] salary: i64 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let keys = [(1, [7; 32]), (2, [8; 32])];
    /// # let tables = Tables::in_memory()?;
    /// # let (first, both) = (KeyRing::from_keys(1, keys).unwrap(), KeyRing::from_keys(2, keys).unwrap());
    /// # let only_new = KeyRing::from_keys(2, [(2, [8; 32])]).unwrap();
    /// let old = tables.clone().with_keys(first);
    /// old.insert(&Person { team: "a".into(), id: 1, salary: 100 }).await?;
    /// let rotated = tables.clone().with_keys(both);
    /// assert_eq!(rotated.reencrypt::<Person>().run().await?.written, 1);
    /// assert_eq!(rotated.reencrypt::<Person>().run().await?.written, 0);
    /// let new = tables.with_keys(only_new);
    /// assert_eq!(Person::point("a", 1).get(&new).await?.map(|jo| jo.salary), Some(100));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn reencrypt<E: TableEntity>(&self) -> Sweep<Rewrite<E>> {
        let design = E::DESIGN;
        let walk = if design.encrypted.is_empty() {
            Ok(Walk::new("reencrypt", design.name, Vec::new(), None))
        } else {
            let table = table_of(design);
            table.map(|table| Walk::new("reencrypt", design.name, vec![table], of_design(design)))
        };
        Sweep::new(self, Rewrite::of(|tables, row| tables.has_other_key(E::DESIGN.encrypted, row)), walk)
    }

    /// Returns whether a row has a value that is encrypted with another key than the current one.
    fn has_other_key(&self, names: &[&str], row: RowRef<'_>) -> bool {
        let is_other = |sealed: &[u8]| self.sealing().is_some_and(|sealing| !sealing.is_current(sealed));
        names.iter().any(
            |name| matches!(row.properties.get(name), Some(ValueRef::Binary(sealed)) if is_other(sealed)),
        )
    }
}
