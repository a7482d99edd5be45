//! Copying of the sound part of a damaged store to a new store.

mod lost;
#[cfg(test)]
mod tests;

pub use lost::{KeyPosition, LostRange};

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    path::Path,
    sync::Arc,
};

use table_model::{StorageFault, TableName, token::TokenKey};

use crate::{
    BackupError, Damage, Disk, OpenError, OpenOptions,
    catalog::{self, TableRow, TableState},
    checksum,
    engine::{self, Accept, Engine, FileEngine, LogRows, LostPage, Persist, Remains, Verdict},
    file,
    keys::TableId,
    meta,
    refusal::Refusal,
    scrub,
};

/// Cache size in bytes for the copy. Each page is written once.
const CACHE_BYTES: usize = 32 << 20;

/// Result of [`OpenOptions::salvage`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvage {
    /// Number of records in the new store, including internal records.
    pub records: u64,
    /// Ranges of keys in which records are lost, or may be lost.
    pub lost: Vec<LostRange>,
    /// Damage in the new store: what the lost records belonged to, for example a blob without a part of its content.
    pub damage: Vec<Damage>,
}

impl Salvage {
    /// Returns `true` if nothing is lost.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.lost.is_empty() && self.damage.is_empty()
    }
}

/// A range of keys that is lost, and the reason.
type Lost = (Option<Vec<u8>>, Option<Vec<u8>>, String);

/// Copies the sound part of the store at `path` to a new file.
pub(crate) fn file(options: &OpenOptions, path: &Path, new: &Path) -> Result<Salvage, BackupError> {
    let taken = || BackupError::Taken { place: new.into() };
    let Some(found) = file::find_to_read(path)? else {
        return Err(OpenError::Missing { place: path.into() }.into());
    };
    let source: Arc<dyn Disk> = Arc::new(found);
    let fill = |target: Arc<dyn Disk>| {
        disk(options, &source, target).map_err(|refusal| {
            // Only the new file is written.
            let is_full = matches!(refusal, Refusal::Storage(StorageFault::DiskFull { .. }));
            BackupError::File(refusal.at(if is_full { new } else { path }.into()))
        })
    };
    let made = file::create(new, &*options.random, fill);
    let released = source.close().map_err(|error| StorageFault::Io(Arc::new(error)));
    match made {
        Ok(made) => Ok(released.map(|()| made)?.ok_or_else(taken)?),
        Err(BackupError::File(OpenError::Missing { place })) => Err(BackupError::NoFolder { place }),
        Err(error) => Err(error),
    }
}

/// Copies the sound part of a store to an empty disk.
pub(crate) fn disk(
    options: &OpenOptions,
    source: &Arc<dyn Disk>,
    target: Arc<dyn Disk>,
) -> Result<Salvage, Refusal> {
    let remains = Remains::of(source, Accept::AnyCopy)?;
    let truncation = remains.truncation()?.map(|what| (None, None, format!("records may be lost: {what}")));
    let lost = RefCell::new(Vec::from_iter(truncation));
    let rows = log_rows(source, &remains, &mut lost.borrow_mut())?;
    let engine = FileEngine::create(target, CACHE_BYTES, options.page_sums)?;
    let kept = RefCell::new(Kept::default());
    engine.load(|push| {
        let mut failed = Ok(());
        let mut note = |page: LostPage| lost.borrow_mut().push((page.after, page.up_to, page.what));
        let base = |visit: engine::Visit<'_>| remains.records(visit, &mut note);
        let position = TableId::META.key(meta::KEPT_LOG);
        rows.over(base, &mut |key, record| {
            // The new store may lack rows, so it is no base for the commits of the kept log.
            if key == &position[..] {
                return ControlFlow::Continue(());
            }
            if let Err(what) = kept.borrow_mut().check(key, record) {
                let key = Some(key.to_vec());
                lost.borrow_mut().push((key.clone(), key, what.to_owned()));
                return ControlFlow::Continue(());
            }
            failed = push(key, record);
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .and(failed)
    })??;
    let mut kept = kept.into_inner();
    kept.complete(options, &engine)?;
    let report = scrub::records(&engine).map_err(|error| match error.fault() {
        Some(fault) => fault.clone(),
        None => StorageFault::Bug { what: error.to_string() },
    })?;
    engine.compact()?;
    engine.close()?;
    let name = |lost: Lost| LostRange::new(&lost, &kept.tables);
    let lost = lost.into_inner().into_iter().map(name).collect();
    Ok(Salvage { records: kept.records, lost, damage: report.damage })
}

/// Reads the rows of the log. A damaged log is lost.
fn log_rows(source: &Arc<dyn Disk>, remains: &Remains, lost: &mut Vec<Lost>) -> Result<LogRows, Refusal> {
    let read = match remains.applied()? {
        Some(applied) => LogRows::read(source, applied),
        None => {
            Err(Refusal::BadLog("the position up to which the file contains it cannot be read".to_owned()))
        }
    };
    let (rows, what) = match read {
        Ok((rows, damage)) => (rows, damage),
        Err(
            Refusal::Damaged(what) | Refusal::BadLog(what) | Refusal::Storage(StorageFault::Corrupt { what }),
        ) => (LogRows::none(), Some(what)),
        Err(Refusal::NoLog(what)) => (LogRows::none(), Some(format!("it {what}"))),
        // Another file.
        Err(Refusal::StrayLog(_)) => (LogRows::none(), None),
        Err(refusal) => return Err(refusal),
    };
    lost.extend(what.map(|what| (None, None, format!("later values may be lost with the log: {what}"))));
    Ok(rows)
}

/// The records of the new store.
#[derive(Default)]
struct Kept {
    records: u64,
    last: Vec<u8>,
    /// Names of tables by id.
    tables: BTreeMap<u32, TableName>,
    /// Ids with entities.
    used: BTreeSet<u32>,
    own: BTreeSet<Vec<u8>>,
    /// Latest timestamp of an entity.
    ticks: i64,
}

impl Kept {
    /// Checks a record and counts it.
    fn check(&mut self, key: &[u8], record: &[u8]) -> Result<(), &'static str> {
        let content = checksum::open(key, record)?;
        let (id, rest) = key.split_first_chunk().ok_or("its key is too short")?;
        if self.records > 0 && self.last.as_slice() >= key {
            return Err("it is not in key order");
        }
        let id = TableId(u32::from_be_bytes(*id));
        match id {
            TableId::META => drop(self.own.insert(rest.to_vec())),
            TableId::CATALOG => {
                let row = catalog::decode(content).ok_or("its layout is invalid")?;
                self.tables.insert(row.id.0, row.name);
            }
            id if id >= TableId::FIRST => {
                self.used.insert(id.0);
                let ticks =
                    content.get(1..9).and_then(|ticks| ticks.try_into().ok()).map_or(0, i64::from_le_bytes);
                self.ticks = self.ticks.max(ticks);
            }
            _ => {}
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        self.records += 1;
        Ok(())
    }

    /// Writes the records without which the new store could not be opened, or its rows not be read: lost metadata, and
    /// tables whose names are lost.
    fn complete(&mut self, options: &OpenOptions, engine: &FileEngine) -> Result<(), StorageFault> {
        let mut token_key = [0; 32];
        options.random.fill(&mut token_key).map_err(|error| StorageFault::Io(Arc::new(error)))?;
        let next = self.used.iter().chain(self.tables.keys()).max().map_or(TableId::FIRST.0, |id| id + 1);
        let ticks = self.ticks.max(options.clock.now().ticks());
        let unnamed: Vec<u32> =
            self.used.iter().filter(|id| !self.tables.contains_key(id)).copied().collect();
        for id in unnamed {
            let names = (0..=self.tables.len()).filter_map(|number| {
                let end = if number == 0 { String::new() } else { format!("x{number}") };
                TableName::new(format!("Recovered{id}{end}")).ok()
            });
            let is_free =
                |name: &TableName| self.tables.values().all(|other| other.folded() != name.folded());
            if let Some(name) = names.into_iter().find(is_free) {
                self.tables.insert(id, name);
            }
        }
        engine::commit(engine, |write| {
            let missing = |name: &[u8]| !self.own.contains(name);
            if missing(meta::TOKEN_KEY) {
                meta::put_token_key(write, &TokenKey(token_key))?;
            }
            if missing(meta::NEXT_TABLE) {
                meta::put_next_table(write, TableId(next))?;
            }
            if missing(meta::CLOCK) {
                meta::put_clock(write, ticks)?;
            }
            for (id, name) in &self.tables {
                if catalog::find(write, name)?.is_none() {
                    let row = TableRow { id: TableId(*id), name: name.clone(), state: TableState::Live };
                    catalog::put(write, &row)?;
                }
            }
            Ok(Verdict::Commit(Persist::Now))
        })
        .map(drop)
    }
}
