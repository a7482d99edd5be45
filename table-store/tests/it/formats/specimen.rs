//! Content of the files of every version.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use table_store::{
    BlockingStore, Clock, Disk, Entity, MemoryDisk, OpenOptions, Operation, Random, TableName, Timestamp,
    Uuid, Value,
};

/// A clock that advances by one second per reading.
#[derive(Debug)]
struct SteppingClock(AtomicI64);

impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_ticks(self.0.fetch_add(10_000_000, Ordering::SeqCst)).unwrap()
    }
}

#[derive(Debug)]
struct NoRandom;

impl Random for NoRandom {
    fn fill(&self, into: &mut [u8]) -> io::Result<()> {
        into.fill(0x5a);
        Ok(())
    }
}

/// A disk whose syncs can fail, and that stores its state after each successful sync.
#[derive(Clone, Debug, Default)]
struct KeepingDisk {
    bytes: MemoryDisk,
    /// Number of syncs that still succeed; `None` for all.
    left: Arc<Mutex<Option<u32>>>,
    kept: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Disk for KeepingDisk {
    fn len(&self) -> io::Result<u64> {
        self.bytes.len()
    }

    fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        self.bytes.read(offset, into)
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.bytes.write(offset, bytes)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.bytes.set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        let left = &mut *self.left.lock().unwrap();
        *left = match left {
            Some(0) => return Err(io::ErrorKind::Other.into()),
            ref left => left.map(|left| left - 1),
        };
        self.kept.lock().unwrap().push(self.bytes.bytes());
        Ok(())
    }
}

pub(crate) fn name(text: &str) -> TableName {
    text.parse().unwrap()
}

/// Number of entities of the deleted table.
pub(crate) const DELETED: u64 = 9;

fn values() -> Vec<(&'static str, Vec<Value>)> {
    let time = |text: &str| Value::DateTime(text.parse().unwrap());
    vec![
        ("Binary", vec![Value::Binary(vec![]), Value::Binary((0..=255).collect())]),
        ("Boolean", vec![Value::Boolean(false), Value::Boolean(true)]),
        (
            "DateTime",
            vec![
                time("1601-01-01T00:00:00Z"),
                time("9999-12-31T23:59:59.9999999Z"),
                time("2017-08-30T13:20:33.413914Z"),
            ],
        ),
        (
            "Double",
            [
                0.0,
                -0.0,
                f64::MIN,
                f64::MAX,
                f64::MIN_POSITIVE,
                5e-324,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
            ]
            .map(Value::Double)
            .to_vec(),
        ),
        (
            "Guid",
            [0, u128::MAX, 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff]
                .map(|guid| Value::Guid(Uuid::from_u128(guid)))
                .to_vec(),
        ),
        ("Int32", [i32::MIN, -1, 0, i32::MAX].map(Value::Int32).to_vec()),
        ("Int64", [i64::MIN, -1, 0, i64::MAX].map(Value::Int64).to_vec()),
        (
            "String",
            ["", "Größe", "\u{0}\t\n", "\u{ffff}\u{10000}\u{10ffff}", &"long ".repeat(1_000)]
                .map(|text| Value::String(text.to_owned()))
                .to_vec(),
        ),
    ]
}

fn fill(store: &BlockingStore) {
    for table in ["Types", "Keys", "Empty", "Gone"] {
        store.create_table(&name(table)).unwrap();
    }
    let mut entities = Vec::new();
    for (kind, values) in values() {
        let mut entity = Entity::new("Sales", kind);
        for (number, value) in values.into_iter().enumerate() {
            entity = entity.with(format!("{kind}{number}"), value);
        }
        entities.push(entity);
    }
    let mut full = Entity::new("Sales", "252 properties");
    for number in 0..252 {
        full = full.with(format!("P{number}"), number);
    }
    entities.extend([full, Entity::new("Sales", "none")]);
    store.transact(&name("Types"), entities.into_iter().map(Operation::Insert).collect::<Vec<_>>()).unwrap();
    for (partition, row) in [
        ("", ""),
        ("", "row"),
        ("p", ""),
        ("Größe", "\u{e000}"),
        ("Größe", "\u{10000}"),
        (&*"k".repeat(512), &*"r".repeat(512)),
    ] {
        store
            .execute(&name("Keys"), Operation::Insert(Entity::new(partition, row).with("Version", 1)))
            .unwrap();
    }
    // Later versions, with an additional property after the others.
    let again = Entity::new("p", "").with("Version", 2).with("Added", true);
    store.execute(&name("Keys"), Operation::InsertOrMerge(again)).unwrap();
    let gone = |row: u64| {
        Operation::Insert(Entity::new("p", format!("{row}")).with("Number", i64::try_from(row).unwrap()))
    };
    store.transact(&name("Gone"), (0..DELETED).map(gone).collect::<Vec<_>>()).unwrap();
}

/// Writes a closed and an open file, both with remaining entities of the deleted table `Gone`.
pub(crate) fn write() -> [(&'static str, Vec<u8>); 2] {
    let disk = KeepingDisk::default();
    let start = "2026-11-21T12:00:00Z".parse::<Timestamp>().unwrap().ticks();
    let options = OpenOptions::new().clock(SteppingClock(AtomicI64::new(start))).random(NoRandom);
    let store = options.open_disk(disk.clone()).unwrap().blocking();
    fill(&store);
    store.delete_table(&name("Gone")).unwrap();
    // The sweep is already running. This is the last state of the disk before it removed anything:
    let kept = || disk.kept.lock().unwrap().clone();
    let untouched = |bytes: &Vec<u8>| {
        let report = OpenOptions::new().scrub_disk(MemoryDisk::with_bytes(bytes.clone())).unwrap();
        report.is_sound() && report.deleted == DELETED
    };
    store.swept().unwrap();
    let open = kept().into_iter().rfind(untouched).unwrap();

    // Opened on a disk with just enough successful syncs, so that the sweep fails, and then closed successfully.
    let opened = (0..100).find_map(|syncs| {
        let (bytes, left) = (MemoryDisk::with_bytes(open.clone()), Arc::new(Mutex::new(Some(syncs))));
        let disk = KeepingDisk { bytes, left, ..KeepingDisk::default() };
        options.open_disk(disk.clone()).ok().map(|store| (disk, store.blocking()))
    });
    let (disk, store) = opened.unwrap();
    store.swept().unwrap_err();
    *disk.left.lock().unwrap() = None;
    store.close().unwrap();
    assert!(untouched(&disk.bytes.bytes()));
    [("closed", disk.bytes.bytes()), ("open", open)]
}
