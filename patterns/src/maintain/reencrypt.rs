//! Rotation of encryption keys: rewrites rows with values under another key than the current one.

use std::{fmt, marker::PhantomData};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{RowRef, ValueRef};

use crate::{
    Address, Error, Job, Pending, Sweep, TableEntity, Tables, UpgradeReport,
    core::{entity::Writable, error::may_pass, table::table_of},
    maintain::{
        sweep::{Walk, WalkPage, address_of, of_design},
        upgrade::{AT_ONCE, ATTEMPTS},
    },
};

/// The job of [`Tables::reencrypt`].
pub struct Reencrypt<E>(PhantomData<fn() -> E>);

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
    pub fn reencrypt<E: TableEntity>(&self) -> Sweep<Reencrypt<E>> {
        let design = E::DESIGN;
        let walk = if design.encrypted.is_empty() {
            Ok(Walk::new("reencrypt", design.name, Vec::new(), None))
        } else {
            let table = table_of(design);
            table.map(|table| Walk::new("reencrypt", design.name, vec![table], of_design(design)))
        };
        Sweep::new(self, Reencrypt(PhantomData), walk)
    }

    /// Returns whether a row has a value that is encrypted with another key than the current one.
    fn has_other_key(&self, names: &[&str], row: RowRef<'_>) -> bool {
        let is_other = |sealed: &[u8]| self.sealing().is_some_and(|sealing| !sealing.is_current(sealed));
        names.iter().any(
            |name| matches!(row.properties.get(name), Some(ValueRef::Binary(sealed)) if is_other(sealed)),
        )
    }
}

impl<E: TableEntity> Job for Reencrypt<E> {
    type Report = UpgradeReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, UpgradeReport> {
        Box::pin(async move {
            let is_other = |row: &RowRef<'_>| tables.has_other_key(E::DESIGN.encrypted, *row);
            let rows = page.rows.iter().filter(is_other);
            let addresses = rows.filter_map(|row| address_of(&page.table, row));
            let work: Vec<Pending<'_, _>> = addresses.map(|address| write::<E>(tables, address)).collect();
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            let mut report = UpgradeReport::default();
            for (address, outcome) in done {
                report.count(address, outcome);
            }
            Ok(report)
        })
    }

    fn add(report: &mut UpgradeReport, page: UpgradeReport) {
        report.append(page);
    }
}

/// Returns whether an entity was written, or the error if it is not transient.
fn write<E: TableEntity>(tables: &Tables, address: Address) -> Pending<'_, (Address, Result<bool, Error>)> {
    Box::pin(async move {
        match rewritten::<E>(tables, &address).await {
            Err(error) if may_pass(&error) => Err(error),
            outcome => Ok((address, outcome)),
        }
    })
}

async fn rewritten<E: TableEntity>(tables: &Tables, address: &Address) -> Result<bool, Error> {
    for _ in 0..ATTEMPTS {
        let rows = tables.read(address, None).await?;
        let row = rows.get(0).filter(|row| tables.has_other_key(E::DESIGN.encrypted, *row));
        let Some(row) = row else { return Ok(false) };
        let stored = match <E as Writable>::stored(tables.source(&address.table), row) {
            // An index row, which is written together with its entity.
            Err(Error::Decode(error)) if error.is_foreign() => return Ok(false),
            other => other?,
        };
        match tables.replace(&stored).await {
            Ok(_) => return Ok(true),
            Err(error) if error.is_conflict() || error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
}

impl<E> fmt::Debug for Reencrypt<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reencrypt")
    }
}
