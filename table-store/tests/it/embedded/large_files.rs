//! Faults of the blocks of large files. Rows near the fault, and others, are read.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, Mutex},
};

use table_store::{
    BlockingStore, Disk, Entity, Filter, LogMode, MemoryDisk, OpenError, OpenOptions, Operation, Query,
    StorageFault, TableError, TableName, Value,
};

use crate::embedded::crashes::Dice;

const BLOCK: usize = 4096;
/// Number of rows of a partition.
const PARTITION: u64 = 5_000;
/// Number of blocks that share the first level of their checksums, about.
const GROUP: usize = 1022;

fn options() -> OpenOptions {
    OpenOptions::new().log_mode(LogMode::Off).cache_bytes(8 << 20)
}

fn table() -> TableName {
    "Orders".parse().unwrap()
}

fn keys(number: u64) -> (String, String) {
    (format!("p{:04}", number / PARTITION), format!("k{number:08}"))
}

fn text(number: u64, round: u64) -> String {
    format!("{number} {round} ").repeat(100)
}

/// The last round in which a row was written.
fn round_of(number: u64) -> u64 {
    u64::from(number % 17 == 3)
}

fn write(store: &BlockingStore, numbers: impl Iterator<Item = u64>, round: u64) {
    let mut parts: BTreeMap<u64, Vec<Operation>> = BTreeMap::new();
    for number in numbers {
        let (partition_key, row_key) = keys(number);
        let entity = Entity::new(partition_key, row_key).with("Text", text(number, round).as_str());
        let part = parts.entry(number / PARTITION).or_default();
        part.push(Operation::InsertOrReplace(entity));
        if part.len() == 100 {
            store.transact(&table(), parts.remove(&(number / PARTITION)).unwrap()).unwrap();
        }
    }
    for part in parts.into_values() {
        store.transact(&table(), part).unwrap();
    }
}

fn block(bytes: &[u8], number: usize) -> Option<&[u8]> {
    bytes.get(number * BLOCK..(number + 1) * BLOCK)
}

/// Blocks of a file that replace those of another one.
type Blocks = BTreeMap<usize, Vec<u8>>;

/// A file, and what differs from it in its earlier states.
struct Specimen {
    bytes: Arc<Vec<u8>>,
    rows: u64,
    /// Blocks before the last third of the writes.
    stale: Blocks,
    /// Blocks before the file was closed, and its length.
    unclosed: Blocks,
    unclosed_len: usize,
    used: Vec<usize>,
    /// Inner pages, and checksums.
    inner: Vec<usize>,
}

impl Specimen {
    fn new(least_bytes: usize) -> Self {
        let disk = MemoryDisk::new();
        let store = options().open_disk(disk.clone()).unwrap().blocking();
        store.create_table(&table()).unwrap();
        let mut rows = 0;
        while disk.len().unwrap() < least_bytes as u64 {
            write(&store, rows..rows + PARTITION, 0);
            rows += PARTITION;
        }
        let older = disk.bytes();
        write(&store, (0..rows).filter(|number| round_of(*number) == 1), 1);
        let unclosed = disk.bytes();
        store.close().unwrap();
        let bytes = disk.bytes();
        let differing = |other: &[u8]| -> Blocks {
            let differs = |number: &usize| block(other, *number) != block(&bytes, *number);
            let blocks = (0..bytes.len() / BLOCK).filter(differs);
            blocks.filter_map(|number| Some((number, block(other, number)?.to_vec()))).collect()
        };
        let (stale, unclosed, unclosed_len) = (differing(&older), differing(&unclosed), unclosed.len());
        let content = |number: &usize| block(&bytes, *number).unwrap();
        let used: Vec<_> =
            (0..bytes.len() / BLOCK).filter(|number| content(number).iter().any(|byte| *byte != 0)).collect();
        // redb marks inner pages with 2. Nodes of checksums precede the blocks that they cover.
        let is_inner = |number: &usize| content(number)[..2] == [2, 0] || number % (GROUP + 3) < 16;
        let inner = used.iter().copied().filter(is_inner).collect();
        Self { rows, stale, unclosed, unclosed_len, used, inner, bytes: Arc::new(bytes) }
    }
}

/// A copy of a file with changed blocks. The file itself is shared.
#[derive(Clone, Debug)]
struct Damaged(Arc<Vec<u8>>, Arc<Mutex<Changed>>);

#[derive(Debug, PartialEq, Eq)]
struct Changed {
    len: usize,
    blocks: Blocks,
}

impl Damaged {
    fn new(bytes: &Arc<Vec<u8>>, len: usize, blocks: Blocks) -> Self {
        Self(Arc::clone(bytes), Arc::new(Mutex::new(Changed { len, blocks })))
    }

    fn get(&self, number: usize) -> Vec<u8> {
        let changed = self.1.lock().unwrap();
        let found = changed.blocks.get(&number).map(Vec::as_slice).or_else(|| block(&self.0, number));
        found.map_or(vec![0; BLOCK], <[u8]>::to_vec)
    }

    fn set(&self, number: usize, content: Vec<u8>) {
        self.1.lock().unwrap().blocks.insert(number, content);
    }

    fn change(&self, number: usize, change: impl FnOnce(&mut [u8])) {
        let mut content = self.get(number);
        change(&mut content);
        self.set(number, content);
    }
}

impl Disk for Damaged {
    fn len(&self) -> io::Result<u64> {
        Ok(self.1.lock().unwrap().len as u64)
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        if offset + into.len() as u64 > self.len()? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut at = usize::try_from(offset).unwrap();
        let mut rest = into;
        while !rest.is_empty() {
            let (part, more) = rest.split_at_mut(rest.len().min(BLOCK - at % BLOCK));
            part.copy_from_slice(&self.get(at / BLOCK)[at % BLOCK..at % BLOCK + part.len()]);
            (at, rest) = (at + part.len(), more);
        }
        Ok(())
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let (mut at, mut rest) = (usize::try_from(offset).unwrap(), bytes);
        while !rest.is_empty() {
            let (part, more) = rest.split_at(rest.len().min(BLOCK - at % BLOCK));
            self.change(at / BLOCK, |content| {
                content[at % BLOCK..at % BLOCK + part.len()].copy_from_slice(part);
            });
            (at, rest) = (at + part.len(), more);
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut changed = self.1.lock().unwrap();
        let len = usize::try_from(len).unwrap();
        // Blocks beyond the end are zeros if the file grows again.
        for number in len.div_ceil(BLOCK)..changed.len.max(len).div_ceil(BLOCK) {
            changed.blocks.insert(number, vec![0; BLOCK]);
        }
        changed.len = len;
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bit,
    ZeroedBlock,
    ZeroedSector,
    GarbageSector,
    GarbageBlock,
    SwappedBlocks,
    CopiedBlock,
    StaleBlock,
    /// All writes to blocks that share their checksums, and to these.
    LostWrites,
    Truncation,
}

const KINDS: [Kind; 10] = [
    Kind::Bit,
    Kind::ZeroedBlock,
    Kind::ZeroedSector,
    Kind::GarbageSector,
    Kind::GarbageBlock,
    Kind::SwappedBlocks,
    Kind::CopiedBlock,
    Kind::StaleBlock,
    Kind::LostWrites,
    Kind::Truncation,
];

impl Specimen {
    /// Damages a copy. Returns the blocks.
    fn damage(&self, kind: Kind, copy: &Damaged, dice: &mut Dice, closed: bool) -> Vec<usize> {
        let pick =
            |dice: &mut Dice, from: &[usize]| from[usize::try_from(dice.roll(from.len() as u64)).unwrap()];
        let any = |dice: &mut Dice| loop {
            let found = if dice.roll(3) == 0 { pick(dice, &self.inner) } else { pick(dice, &self.used) };
            // Without the last header and its copy, an unclosed file is the same as after a power failure before it.
            if closed || !(1..6).contains(&found) {
                return found;
            }
        };
        let (one, two) = (any(dice), any(dice));
        let random =
            |dice: &mut Dice, bytes: &mut [u8]| bytes.fill_with(|| u8::try_from(dice.roll(256)).unwrap());
        let sector = usize::try_from(dice.roll(8)).unwrap() * 512;
        match kind {
            Kind::Bit => {
                let bit = usize::try_from(dice.roll(8 * BLOCK as u64)).unwrap();
                copy.change(one, |content| content[bit / 8] ^= 1 << (bit % 8));
            }
            Kind::ZeroedBlock => copy.set(one, vec![0; BLOCK]),
            Kind::ZeroedSector => copy.change(one, |content| content[sector..sector + 512].fill(0)),
            Kind::GarbageSector => {
                copy.change(one, |content| random(dice, &mut content[sector..sector + 512]));
            }
            Kind::GarbageBlock => copy.change(one, |content| random(dice, content)),
            Kind::SwappedBlocks => {
                let content = copy.get(one);
                copy.set(one, copy.get(two));
                copy.set(two, content);
                return vec![one, two];
            }
            Kind::CopiedBlock => copy.set(one, copy.get(two)),
            Kind::StaleBlock => {
                let stale: Vec<_> =
                    self.stale.keys().copied().filter(|number| closed || !(1..6).contains(number)).collect();
                let number = pick(dice, &stale);
                copy.set(number, self.stale[&number].clone());
                return vec![number];
            }
            Kind::LostWrites => {
                let stale: Vec<_> = self.stale.keys().copied().filter(|number| *number >= 6).collect();
                let first = pick(dice, &stale) / GROUP * GROUP;
                let lost = self.stale.range(first.max(6)..first + GROUP);
                return lost
                    .map(|(number, content)| {
                        copy.set(*number, content.clone());
                        *number
                    })
                    .collect();
            }
            Kind::Truncation => copy.set_len((one.max(1) * BLOCK) as u64).unwrap(),
        }
        vec![one]
    }

    /// Returns numbers of rows in, or next to, blocks.
    fn rows_near(&self, blocks: &[usize], dice: &mut Dice) -> Vec<u64> {
        let mut near = BTreeSet::new();
        for number in blocks.iter().rev().take(6) {
            let contents = [block(&self.bytes, *number), self.stale.get(number).map(Vec::as_slice)];
            for content in contents.into_iter().flatten() {
                near.extend(content.windows(9).filter(|window| window[0] == b'k').filter_map(|window| {
                    std::str::from_utf8(&window[1..])
                        .ok()?
                        .parse()
                        .ok()
                        .filter(|number: &u64| *number < self.rows)
                }));
            }
        }
        let mut near: Vec<u64> = near.into_iter().collect();
        while near.len() > 6 {
            near.swap_remove(usize::try_from(dice.roll(near.len() as u64)).unwrap());
        }
        near
    }
}

/// Outcome of the reads of a damaged file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Rejected,
    Reported,
    Harmless,
}

/// Checks the error of a read.
fn reported(error: &TableError, what: &str) {
    assert!(matches!(error.fault(), Some(StorageFault::Corrupt { .. })), "{what}: {error}");
    assert!(error.to_string().contains("page at byte"), "{what}: {error}");
}

/// Reads a row. Returns `false` if the damage was reported.
fn read_row(store: &BlockingStore, number: u64, what: &str) -> bool {
    let (partition_key, row_key) = keys(number);
    match store.get(&table(), &partition_key, &row_key, None) {
        Ok(Some(row)) => {
            let expected = Value::from(text(number, round_of(number)).as_str());
            assert_eq!(row.properties.get("Text"), Some(&expected), "{what}: row {number}");
            true
        }
        Ok(None) => panic!("{what}: row {number} is missing"),
        Err(error) => {
            reported(&error, what);
            false
        }
    }
}

/// Reads consecutive rows. Returns `false` if the damage was reported.
fn read_range(store: &BlockingStore, first: u64, what: &str) -> bool {
    let end = (first + 40).min((first / PARTITION + 1) * PARTITION);
    let ((partition_key, from), (_, to)) = (keys(first), keys(end));
    let range = format!("PartitionKey eq '{partition_key}' and RowKey ge '{from}' and RowKey lt '{to}'");
    match store.query(&table(), Query::new().filter(Filter::parse(&range).unwrap())) {
        Ok(segment) => {
            assert!(segment.continuation.is_none(), "{what}");
            let found: Vec<_> = segment.rows.iter().map(table_store::RowRef::to_row).collect();
            assert_eq!(found.len() as u64, end - first, "{what}: rows from {first}");
            for (number, row) in (first..end).zip(&found) {
                assert_eq!(row.row_key, Some(keys(number).1), "{what}: rows from {first}");
                let expected = Value::from(text(number, round_of(number)).as_str());
                assert_eq!(row.properties.get("Text"), Some(&expected), "{what}: row {number} of a range");
            }
            true
        }
        Err(error) => {
            reported(&error, what);
            false
        }
    }
}

impl Specimen {
    /// Opens a damaged copy, and reads rows near the damage and others.
    fn check(&self, copy: &Damaged, near: &[u64], dice: &mut Dice, what: &str) -> Outcome {
        let store = match options().open_disk(copy.clone()) {
            Ok(store) => store.blocking(),
            Err(OpenError::Damaged { .. } | OpenError::NotOurs { .. }) => return Outcome::Rejected,
            Err(error) => panic!("{what}: {error}"),
        };
        let others = [dice.roll(self.rows), dice.roll(self.rows)];
        let mut sound = true;
        for number in near.iter().chain(&others) {
            sound &= read_row(&store, *number, what);
        }
        for number in near.first().into_iter().chain(near.last()).chain(&others[..1]) {
            sound &= read_range(&store, number.saturating_sub(20), what);
        }
        if sound {
            return Outcome::Harmless;
        }
        let before = copy.1.lock().unwrap().blocks.clone();
        let error = store.create_table(&"Later".parse().unwrap()).unwrap_err();
        reported(&error, what);
        assert!(store.stats().damaged_pages > 0, "{what}");
        store.close().unwrap_err();
        assert!(copy.1.lock().unwrap().blocks == before, "{what}: a damaged file is not changed");
        Outcome::Reported
    }
}

/// Damages copies of a file of at least this size. Returns the numbers of files by kind of damage and outcome.
fn try_files(least_bytes: usize, seeds: std::ops::Range<u64>) -> BTreeMap<Kind, BTreeMap<Outcome, u64>> {
    let specimen = Specimen::new(least_bytes);
    let mut counts: BTreeMap<Kind, BTreeMap<Outcome, u64>> = BTreeMap::new();
    for seed in seeds {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let kind = KINDS[usize::try_from(seed).unwrap() % KINDS.len()];
        let (closed, double) = (dice.roll(3) > 0, dice.roll(3) == 0);
        let (len, blocks) = if closed {
            (specimen.bytes.len(), Blocks::new())
        } else {
            (specimen.unclosed_len, specimen.unclosed.clone())
        };
        let copy = Damaged::new(&specimen.bytes, len, blocks.clone());
        let mut damaged = specimen.damage(kind, &copy, &mut dice, closed);
        let mut what = format!("seed {seed}, closed {closed}, {kind:?}");
        if double {
            let other = KINDS[usize::try_from(dice.roll(KINDS.len() as u64)).unwrap()];
            damaged.extend(specimen.damage(other, &copy, &mut dice, closed));
            what = format!("{what} and {other:?}");
        }
        if *copy.1.lock().unwrap() == (Changed { len, blocks }) {
            continue;
        }
        let near = specimen.rows_near(&damaged, &mut dice);
        let outcome = specimen.check(&copy, &near, &mut dice, &format!("{what} of the blocks {damaged:?}"));
        *counts.entry(kind).or_default().entry(outcome).or_default() += 1;
    }
    counts
}

fn total(counts: &BTreeMap<Kind, BTreeMap<Outcome, u64>>, outcome: Outcome) -> u64 {
    counts.values().filter_map(|outcomes| outcomes.get(&outcome)).sum()
}

#[test]
fn faults_of_a_file_are_reported_or_change_nothing_near_them() {
    let counts = try_files(2 << 20, 0..100);
    assert!(total(&counts, Outcome::Rejected) > 5 && total(&counts, Outcome::Reported) > 30, "{counts:?}");
}

#[test]
#[ignore = "takes minutes; run it before a release"]
fn faults_of_files_up_to_a_gibibyte_are_reported_or_change_nothing() {
    for (mebibytes, files) in [(17, 5_000), (128, 4_000), (1_024, 2_000)] {
        let counts = try_files(mebibytes << 20, 0..files);
        println!("{mebibytes} MiB");
        for (kind, outcomes) in &counts {
            println!("  {kind:?}: {outcomes:?}");
        }
        assert!(total(&counts, Outcome::Reported) > files / 3, "{counts:?}");
    }
}
