//! Rotation of encryption keys: encrypts values under another key than the current one again, in the rows that contain
//! them.
//!
//! A value is found by its own form, which contains the id of its key, and by its tag, which proves its row and its
//! property. Names, types and versions play no part: a property of a version that the program no longer knows, a row of
//! an index that no version declares any more, and a record of a change feed are found like the newest entity. The row
//! is merged with the new ciphertext, under the condition that it is unchanged. It keeps its version, its token and
//! its times, so that older programs read it as before.

mod report;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Condition, Operation, Properties, RowRef, TableName, Value};

pub use report::ReencryptReport;

use crate::{
    Address, DecodeError, DecryptError, Error, Job, Pending, RowError, Sweep, TableEntity, Tables,
    ValueError,
    core::{
        encryption::Sealing,
        error::{PropertyValueError, may_pass, property::PropertyError},
        proof::is_derived,
        reserved::entity_type,
        row::version_problem,
        table::table_of,
        versions::Versions,
    },
    design::Design,
    maintain::sweep::{Periods, Walk, WalkPage, address_of},
    pattern::changes::rewrite::{is_of_feed, keep_time, recorded_entity, recorded_type},
    write::at,
};

/// Number of rows that are written concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of attempts for one row after concurrent writes.
const ATTEMPTS: u32 = 64;

/// The job of [`Tables::reencrypt`] and [`Tables::reencrypt_all`].
#[derive(Debug)]
pub struct Reencrypt {
    /// The entity type whose unreadable values are failures. `None` for all tables.
    design: Option<&'static Design>,
}

impl Tables {
    /// Creates a sweep that encrypts all values under another key than the current one again, in the tables of an entity
    /// type: those of its entities, of the indexes of all its versions, and of its archive. It reads all rows: entities of
    /// every version, also soft-deleted ones and those of versions that the program no longer reads, rows of indexes,
    /// and records of the change feed. Concurrent writes are safe.
    ///
    /// First all programs need a key ring with the new key as the current one, so that no program writes with an older
    /// one. An older key can be removed when a run of [`reencrypt_all`](Self::reencrypt_all)
    /// [is complete](ReencryptReport::is_complete). Backups keep it.
    ///
    /// A row is not written as another version, and only its ETag changes: `#[table(updated)]` keeps its time, and a change
    /// feed has no record of it. The cost is a scan of the tables, and one request for each row with such a value.
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
    pub fn reencrypt<E: TableEntity>(&self) -> Sweep<Reencrypt> {
        let (design, job) = (E::DESIGN, Reencrypt { design: Some(E::DESIGN) });
        let secret = Versions::new(design).all().find_map(|version| version.encrypted.first());
        let walk = match (self.sealing(), secret) {
            (Some(_), _) => walk_of(design),
            (None, Some(secret)) => Err(without_keys(design.name, secret)),
            (None, None) => Ok(Walk::new("reencrypt", design.name, Vec::new(), None)),
        };
        Sweep::new(self, job, walk)
    }

    /// Creates a sweep that encrypts all values under another key than the current one again, in all tables of the service:
    /// those of all entity types, also of types that no program contains any more, their archives, and untyped entities.
    ///
    /// An older key can be removed when a run [is complete](ReencryptReport::is_complete): the run has read each row, and
    /// found no value of an older key. See [`reencrypt`](Self::reencrypt) for what it writes.
    ///
    /// ```
    /// # use table_patterns::{KeyRing, prelude::*};
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?.with_keys(KeyRing::generate().unwrap());
    /// let report = tables.reencrypt_all().run().await?;
    /// assert!(report.is_complete(), "{report}");
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn reencrypt_all(&self) -> Sweep<Reencrypt> {
        let walk = match self.sealing() {
            Some(_) => Ok(Walk::over("reencrypt", "Entity", Periods::All, None)),
            None => Err(without_keys("Entity", "*")),
        };
        Sweep::new(self, Reencrypt { design: None }, walk)
    }
}

fn without_keys(entity: &'static str, property: &str) -> Error {
    let (property, reason) = (property.to_owned(), ValueError::Encrypted(DecryptError::NoKeys));
    PropertyValueError { entity, property, reason }.into()
}

/// Returns the iteration over the tables of an entity type. An index, an archive or periods can belong to an older
/// version only.
fn walk_of(design: &'static Design) -> Result<Walk, Error> {
    let (mut tables, mut periods) = (Vec::new(), None);
    for version in Versions::new(design).all() {
        match &version.tables {
            Some(template) => periods = periods.or(Some(Periods::Type(template))),
            None => tables.push(table_of(version)?),
        }
        for name in version.indexes.iter().map(|index| index.table).chain(version.archive) {
            // The indexes of an entity with a table for each period are in its tables.
            tables.extend(TableName::new(name).ok());
        }
    }
    Ok(match periods {
        Some(periods) => Walk::over("reencrypt", design.name, periods, None).and(tables),
        None => Walk::new("reencrypt", design.name, tables, None),
    })
}

/// Values of one row.
#[derive(Default)]
struct Values {
    /// The values under the current key.
    changed: Properties,
    /// Counts and failures.
    report: ReencryptReport,
}

impl Reencrypt {
    /// Encrypts the values of a row again, until the row is unchanged since it was read.
    async fn row(
        &self,
        (tables, sealing): (&Tables, &Sealing),
        address: Address,
        row: RowRef<'_>,
    ) -> Result<ReencryptReport, Error> {
        if let Some(done) = self.attempt((tables, sealing), &address, row).await? {
            return Ok(done);
        }
        for _ in 1..ATTEMPTS {
            let rows = tables.read(&address, None).await?;
            let Some(row) = rows.get(0) else { return Ok(ReencryptReport::default()) };
            if let Some(done) = self.attempt((tables, sealing), &address, row).await? {
                return Ok(done);
            }
        }
        Err(Error::Contended { address: Box::new(address), attempts: ATTEMPTS })
    }

    /// Returns `None` if the row was changed concurrently.
    async fn attempt(
        &self,
        (tables, sealing): (&Tables, &Sealing),
        address: &Address,
        row: RowRef<'_>,
    ) -> Result<Option<ReencryptReport>, Error> {
        let is_recorded = is_of_feed(&address.row_key);
        let entity =
            if is_recorded { recorded_entity(tables, address, row).await? } else { Some(address.clone()) };
        let Some(entity) = entity else { return Ok(Some(ReencryptReport::default())) };
        let Values { mut changed, mut report } = self.values((tables, sealing), (address, row), &entity)?;
        if changed.is_empty() {
            return Ok(Some(report));
        }
        if is_recorded {
            keep_time(row, &mut changed);
        }
        let condition = Condition::Matches(row.etag.clone());
        let merge = at(address.clone(), changed, |entity| Operation::Merge(entity, condition));
        match tables.execute(&address.table, &merge).await {
            Ok(_) if is_derived(row) || address.row_key.starts_with('!') => report.other_rows += 1,
            Ok(_) => report.written += 1,
            Err(error) if error.is_conflict() || error.is_not_found() => return Ok(None),
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => report.failed.push((address.clone(), error)),
        }
        Ok(Some(report))
    }

    /// Decrypts the values that are bound to an entity, and encrypts them with the current key.
    fn values(
        &self,
        (tables, sealing): (&Tables, &Sealing),
        (address, row): (&Address, RowRef<'_>),
        entity: &Address,
    ) -> Result<Values, Error> {
        let mut values = Values::default();
        for (name, stored) in row.properties {
            let Some(id) = sealing.other_key(stored) else { continue };
            let opened = sealing.open(entity.place(), name, stored);
            let sealed = match opened {
                Ok(value) => sealing.seal(tables.tokens().nonce()?, entity.place(), name, &value),
                Err(reason) => Err(reason),
            };
            let report = &mut values.report;
            match sealed {
                Ok(sealed) => {
                    values.changed.push_new(name.to_owned(), Value::Binary(sealed));
                    *report.older_keys.entry(id).or_default() += 1;
                }
                Err(reason) if self.requires(row, name) => {
                    *report.older_keys.entry(id).or_default() += 1;
                    report.failed.push((address.clone(), self.failure(address, name, reason)));
                }
                // Bytes of another program can have this form.
                Err(_) if address.row_key.starts_with('!') || !sealing.has_key(id) => {}
                Err(_) => report.unreadable += 1,
            }
        }
        Ok(values)
    }

    /// Returns whether a value with the form of an encrypted value is one: a version of the type declares it as
    /// encrypted, or no known version declares it.
    fn requires(&self, row: RowRef<'_>, name: &str) -> bool {
        let Some(design) = self.design else { return false };
        let is_secret = || {
            let is_stored = Versions::new(design).all().any(|version| version.stores(name));
            !is_stored || Versions::new(design).all().any(|version| version.encrypted.contains(&name))
        };
        is_of(design, row) && is_secret()
    }

    fn failure(&self, address: &Address, name: &str, reason: DecryptError) -> Error {
        let (property, reason) = (name.to_owned().into(), ValueError::Encrypted(reason));
        let problem = RowError::Property(PropertyError { property, reason });
        let entity = self.design.map_or("Entity", |design| design.name);
        let Address { partition_key, row_key, .. } = address.clone();
        Box::new(DecodeError { entity, partition_key, row_key, problem: Box::new(problem) }).into()
    }
}

/// Returns whether a row was written for an entity of the type, in any version. Other rows of the library are not.
fn is_of(design: &Design, row: RowRef<'_>) -> bool {
    let is_own = |written: &str| design.reads(written) || version_problem(design, written).is_some();
    let is_library_row = row.row_key.is_some_and(|row_key| row_key.starts_with('!'));
    match recorded_type(row).or_else(|| entity_type(row).filter(|_| !is_library_row)) {
        Some(written) => design.entity_type.is_some() && is_own(written),
        None => !is_library_row,
    }
}

impl Job for Reencrypt {
    type Report = ReencryptReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, ReencryptReport> {
        Box::pin(async move {
            let Some(sealing) = tables.sealing() else { return Ok(ReencryptReport::default()) };
            let is_due =
                |row: &RowRef<'_>| row.properties.iter().any(|(_, value)| sealing.other_key(value).is_some());
            let due = page.rows.iter().filter(is_due);
            let due = due.filter_map(|row| Some((address_of(&page.table, row)?, row)));
            let work = due.map(|(address, row)| -> Pending<'_, ReencryptReport> {
                Box::pin(self.row((tables, sealing), address, row))
            });
            let work: Vec<_> = work.collect();
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            let mut report = ReencryptReport::default();
            for row in done {
                report.add(row);
            }
            Ok(report)
        })
    }

    fn add(report: &mut ReencryptReport, page: ReencryptReport) {
        report.add(page);
    }
}
