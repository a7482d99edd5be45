mod queues;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

use table_model::{Result, StorageFault, queue::QueueName};

use super::{Damage, DamagePlace, ScrubReport};
use crate::{
    account, blobs,
    catalog::{self, TableRow, TableState},
    checksum,
    engine::{self, Engine, Read},
    kept_log::POSITION_BYTES,
    keys::{self, TableId},
    leftovers::Leftover,
    meta,
    queues::{QueueRow, Space},
    record::Record,
};

/// Maximum number of records, and of their bytes, that are checked in one snapshot.
const VIEW_RECORDS: u64 = 4_000;
const VIEW_BYTES: u64 = 16 << 20;

/// Iteration over all records in several snapshots. Concurrent writes may occur in between: each snapshot is checked
/// against its own catalog.
#[derive(Debug, Default)]
pub(super) struct Walk {
    report: ScrubReport,
    /// Key to continue from.
    from: Vec<u8>,
    /// Number of records per id that no table has.
    leftovers: BTreeMap<u32, u64>,
    /// Damaged pages are read around.
    around: bool,
}

/// Findings in one snapshot.
#[derive(Default)]
struct Seen {
    /// Number of checked records, and their bytes.
    records: u64,
    bytes: u64,
    report: ScrubReport,
    leftovers: BTreeMap<u32, u64>,
    /// All tables of this snapshot whose records can be decoded.
    tables: BTreeMap<u32, TableRow>,
    /// `tables` is complete.
    all_tables: bool,
    /// Queues of this snapshot whose records can be decoded, by the space of their messages.
    queues: BTreeMap<Space, (QueueName, QueueRow)>,
    /// `queues` is complete.
    all_queues: bool,
    last: Vec<u8>,
    next: Option<Vec<u8>>,
}

impl Walk {
    pub(super) fn note(&mut self, damage: Damage) {
        self.report.note(damage);
    }

    /// Checks the next records. Returns `false` if no records remain. Damage is recorded; an error is a disk error.
    pub(super) fn step(&mut self, engine: &dyn Engine) -> Result<bool> {
        let seen = RefCell::new(Seen::default());
        let look = |read: &dyn Read| {
            // The closure may be called again.
            *seen.borrow_mut() = Seen::default();
            Ok(seen.borrow_mut().look(read, &self.from)?)
        };
        let viewed = if self.around {
            engine::view_around(engine, look).map(drop)
        } else {
            engine::view(engine, look)
        };
        let mut seen = seen.into_inner();
        let next = match viewed {
            Ok(()) => seen.next.take(),
            Err(error) => {
                let damage = error.fault().filter(|fault| is_damage(fault)).map(damage_text);
                // After damage, redb can return errors without their cause.
                if damage.is_none() && (self.around || engine.damaged_pages() == 0) {
                    return Err(error);
                }
                if !self.around && engine::view_around(engine, |_| Ok(()))?.is_some() {
                    self.around = true;
                    if let Some(what) = damage {
                        self.note(Damage::of_engine(what));
                    }
                    return Ok(true);
                }
                let Some(what) = damage else { return Err(error) };
                self.note(Damage::of_engine(what));
                if self.around { seen.next.take() } else { seen.after_damage(&self.from) }
            }
        };
        self.add(seen);
        let more = next.is_some();
        self.from = next.unwrap_or_default();
        Ok(more)
    }

    fn add(&mut self, seen: Seen) {
        let ScrubReport { containers, blobs, chunks, entities_by_table, .. } = seen.report;
        let ScrubReport { tables, entities, queues, messages, deleted, bytes, damage, unlisted, .. } =
            seen.report;
        self.report.tables += tables;
        self.report.entities += entities;
        self.report.queues += queues;
        self.report.messages += messages;
        self.report.deleted += deleted;
        self.report.containers += containers;
        self.report.blobs += blobs;
        self.report.chunks += chunks;
        self.report.bytes += bytes;
        self.report.unlisted += unlisted;
        for damage in damage {
            self.note(damage);
        }
        for (table, count) in entities_by_table {
            *self.report.entities_by_table.entry(table).or_default() += count;
        }
        for (id, count) in seen.leftovers {
            *self.leftovers.entry(id).or_default() += count;
        }
    }

    pub(super) fn into_report(mut self) -> ScrubReport {
        for (id, count) in std::mem::take(&mut self.leftovers) {
            self.note(Damage::new(DamagePlace::Leftover { id }, format!("{count} records")));
        }
        self.report
    }
}

/// Returns whether a fault results from damaged pages, as opposed to a failing disk.
fn is_damage(fault: &StorageFault) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match fault {
        StorageFault::Corrupt { .. } | StorageFault::Bug { .. } => true,
        StorageFault::Io(error) => matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof),
        _ => false,
    }
}

fn damage_text(fault: &StorageFault) -> String {
    if let StorageFault::Corrupt { what } = fault { what.clone() } else { fault.to_string() }
}

impl Seen {
    fn look(&mut self, read: &dyn Read, from: &[u8]) -> Result<(), StorageFault> {
        self.read_tables(read);
        self.read_queues(read);
        if from.is_empty() {
            self.look_for_own(read)?;
        }
        let next_table = meta::next_table(read).ok();
        read.scan(from, &TableId(u32::MAX).end(), &mut |key, record| {
            if self.records >= VIEW_RECORDS || self.bytes >= VIEW_BYTES {
                self.next = Some(key.to_vec());
                return ControlFlow::Break(());
            }
            self.records += 1;
            self.bytes += (key.len() + record.len()) as u64;
            if !self.last.is_empty() && self.last.as_slice() >= key {
                self.report.note(Damage::of_engine("records are not in key order"));
            }
            let damage = self.check(read, key, record, next_table);
            self.last.clear();
            self.last.extend_from_slice(key);
            match damage {
                None => self.report.bytes += (key.len() + record.len()) as u64,
                Some(damage) => self.report.note(damage),
            }
            ControlFlow::Continue(())
        })
    }

    /// Reads all tables. The iteration reports damaged records when it reaches them.
    fn read_tables(&mut self, read: &dyn Read) {
        let mut unread = false;
        let scanned = read.scan(&TableId::CATALOG.prefix(), &TableId::CATALOG.end(), &mut |key, record| {
            match checksum::open(key, record).ok().and_then(catalog::decode) {
                Some(row) => drop(self.tables.insert(row.id.0, row)),
                None => unread = true,
            }
            ControlFlow::Continue(())
        });
        self.all_tables = scanned.is_ok() && !unread;
    }

    /// Reports missing internal records.
    fn look_for_own(&mut self, read: &dyn Read) -> Result<(), StorageFault> {
        for (name, _) in meta::RECORDS {
            let is_missing = match read.get(&TableId::META.key(name), &mut |_| ()) {
                // The iteration reports the damage.
                Err(fault) if is_damage(&fault) => false,
                found => !found?,
            };
            if is_missing {
                let name = String::from_utf8_lossy(name).into_owned();
                self.report.note(Damage::new(DamagePlace::Own { name }, "it is missing"));
            }
        }
        Ok(())
    }

    /// Returns the damage of a record; counts the record if it is sound.
    fn check(
        &mut self,
        read: &dyn Read,
        key: &[u8],
        record: &[u8],
        next_table: Option<TableId>,
    ) -> Option<Damage> {
        let Some((id, rest)) = key.split_first_chunk() else {
            return Some(Damage::of_engine(format!("unexpected record with the key {key:02x?}")));
        };
        let name = || String::from_utf8_lossy(rest).into_owned();
        match TableId(u32::from_be_bytes(*id)) {
            TableId::META => {
                let what = check_own(key, rest, record).err()?;
                Some(Damage::new(DamagePlace::Own { name: name() }, what))
            }
            TableId::CATALOG => {
                let what = self.check_table(key, record, next_table).err()?;
                Some(Damage::new(DamagePlace::Catalog { name: name() }, what))
            }
            TableId::OUTBOX => {
                let what = checksum::open(key, record).err()?;
                Some(Damage::new(DamagePlace::Own { name: name() }, what))
            }
            TableId::SETTINGS => {
                let what = account::check(key, record).err()?;
                Some(Damage::new(DamagePlace::Own { name: account::name(key) }, what))
            }
            space if blobs::owns(space) => self.check_blobs(read, key, record),
            TableId::LEFTOVERS => {
                let what = check_leftover(key, record).err()?;
                Some(Damage::new(DamagePlace::Removal, what))
            }
            TableId::QUEUES => self.check_queue(read, key, record),
            TableId::MESSAGES => self.check_message(read, key, record),
            table => self.check_entity(table, key, record),
        }
    }

    fn check_table(
        &mut self,
        key: &[u8],
        record: &[u8],
        next_table: Option<TableId>,
    ) -> Result<(), &'static str> {
        let row = catalog::decode(checksum::open(key, record)?).ok_or("its layout is invalid")?;
        if catalog::row_key(&row.name) != key {
            return Err("it belongs to another table");
        }
        if row.id < TableId::FIRST || next_table.is_some_and(|next| row.id >= next) {
            return Err("its id was never allocated");
        }
        if self.tables.get(&row.id.0).is_some_and(|other| *other != row) {
            return Err("another table has the same id");
        }
        self.report.tables += u64::from(row.state == TableState::Live);
        Ok(())
    }

    fn check_blobs(&mut self, read: &dyn Read, key: &[u8], record: &[u8]) -> Option<Damage> {
        match blobs::inspect(read, &self.last, key, record) {
            Ok(blobs::Seen::Container) => self.report.containers += 1,
            Ok(blobs::Seen::Blob) => self.report.blobs += 1,
            Ok(blobs::Seen::Chunk) => self.report.chunks += 1,
            Ok(blobs::Seen::Other) => {}
            Err(what) => return Some(Damage::new(DamagePlace::Blobs { record: blobs::name(key) }, what)),
        }
        None
    }

    fn check_entity(&mut self, table: TableId, key: &[u8], record: &[u8]) -> Option<Damage> {
        let row = self.tables.get(&table.0);
        let texts = keys::split(key)
            .filter(|(partition_key, row_key)| table.entity_key(partition_key, row_key) == key);
        let what = match checksum::open(key, record) {
            Err(what) => Some(what),
            Ok(_) if texts.is_none() => Some("its key is not a valid entity key"),
            Ok(_) => match Record::new(key, record) {
                Ok(record) if record.properties().is_sound() => None,
                _ => Some("its layout is invalid"),
            },
        };
        if let Some(what) = what {
            let table_id = table.0;
            let table = row.map(|row| row.name.clone());
            let keys =
                texts.map(|(partition_key, row_key)| (partition_key.into_owned(), row_key.into_owned()));
            return Some(Damage::new(DamagePlace::Entity { id: table_id, table, keys }, what));
        }
        match row {
            Some(row) if row.state == TableState::Live => {
                self.report.entities += 1;
                *self.report.entities_by_table.entry(row.name.clone()).or_default() += 1;
            }
            Some(_) => self.report.deleted += 1,
            None if table < TableId::FIRST || self.all_tables => {
                *self.leftovers.entry(table.0).or_default() += 1;
            }
            // It may belong to the table whose record is damaged, which is already reported.
            None => self.report.entities += 1,
        }
        None
    }

    /// Returns the key to continue from after damage that cannot be read around: the table after the damaged one.
    fn after_damage(&self, from: &[u8]) -> Option<Vec<u8>> {
        let place = if self.last.is_empty() { from } else { &self.last };
        let at = place.first_chunk().map_or(0, |id| u32::from_be_bytes(*id));
        let mut ids: BTreeSet<u32> = self.tables.keys().copied().collect();
        ids.extend([TableId::CATALOG.0, TableId::LEFTOVERS.0, TableId::QUEUES.0, TableId::MESSAGES.0]);
        ids.extend(blobs::SPACES.map(|space| space.0));
        ids.extend([TableId::SETTINGS.0, TableId::FIRST.0]);
        ids.into_iter().find(|id| *id > at).map(|id| TableId(id).prefix().to_vec())
    }
}

fn check_leftover(key: &[u8], record: &[u8]) -> Result<(), &'static str> {
    Leftover::decode(key, checksum::open(key, record)?).map(drop).ok_or("its layout is invalid")
}

fn check_own(key: &[u8], name: &[u8], record: &[u8]) -> Result<(), &'static str> {
    let body = checksum::open(key, record)?;
    match meta::RECORDS.iter().chain([&(meta::KEPT_LOG, POSITION_BYTES)]).find(|(known, _)| *known == name) {
        Some((_, bytes)) if body.len() == *bytes => Ok(()),
        Some(_) => Err("its length is invalid"),
        None => Err("its name is unknown"),
    }
}

#[cfg(test)]
mod tests;
