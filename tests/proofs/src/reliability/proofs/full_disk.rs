mod mounted;

use std::{fs, path::PathBuf, sync::OnceLock};

use self::mounted::Mounted;
use crate::reliability::{
    Contents, Seed,
    proof::{Counts, Depth, Proof, Refutation},
};
use table_store::{
    BlockingStore, Condition, Entity, OpenError, OpenOptions, Operation, StorageFault, TableError, TableName,
};

/// Maximum size of the file system in megabytes.
const LARGE: u32 = 16;

/// A real file system without free space.
#[derive(Debug)]
pub(super) struct FullDisk;

impl Proof for FullDisk {
    fn name(&self) -> &'static str {
        "full-disk"
    }

    fn promise(&self) -> &'static str {
        "on a full file system reads go on, writes say so, and go on when there is room again"
    }

    fn cases_with_every_change(&self) -> u64 {
        3
    }

    fn hindrance(&self) -> Option<String> {
        static MOUNTED: OnceLock<Option<String>> = OnceLock::new();
        let hindrance = MOUNTED.get_or_init(|| Mounted::new().err().map(|error| error.to_string()));
        hindrance.as_ref().map(|reason| format!("no small file system can be mounted here: {reason}"))
    }

    fn try_case(&self, seed: u64, _: Depth) -> Result<Counts, Refutation> {
        let disk = Mounted::new()?;
        let mut run = Run::start(&disk, &mut Seed::new(seed))?;
        let written = run.fill()?;
        let deletes = seed % 3 == 2;
        let refused = deletes && run.empty()?;
        if seed.is_multiple_of(3) {
            disk.resize(LARGE)?;
        } else if refused || !deletes {
            fs::remove_file(disk.ballast())?;
        }
        let again = run.fill()?;
        run.end(&disk)?;
        Ok(Counts::of([
            ("file systems", 1),
            ("where rows were deleted", u64::from(deletes)),
            ("of them too full for one", u64::from(refused)),
            ("rows until it was full", written),
            ("more after that", again),
        ]))
    }
}

/// A store on a file system that is nearly full, and its expected contents.
struct Run {
    path: PathBuf,
    table: TableName,
    store: BlockingStore,
    rows: Vec<usize>,
    next: usize,
    size: usize,
}

impl Run {
    fn start(disk: &Mounted, seed: &mut Seed) -> Result<Self, Refutation> {
        let path = disk.path().join("staff.tables");
        // If the creation of a store fails for lack of space, its file must not exist afterwards.
        disk.leave(0)?;
        match OpenOptions::new().open(&path) {
            Err(OpenError::Storage { fault: StorageFault::DiskFull { .. }, .. }) => {}
            other => return Err(format!("a store is made without room: {other:?}").into()),
        }
        let left = fs::read_dir(disk.path())?.count();
        if left != 1 {
            return Err(format!("{left} files are there, where the ballast should be alone").into());
        }
        fs::remove_file(disk.ballast())?;
        let store = OpenOptions::new().open(&path)?.blocking();
        disk.leave(5 << 20)?;
        let table = TableName::new("Staff")?;
        store.create_table(&table)?;
        let size = 1_000 + seed.below(30_000);
        Ok(Self { path, table, store, rows: Vec::new(), next: 0, size })
    }

    /// Writes until no space is left, and a few more times: reads must continue. Returns the number of written rows.
    fn fill(&mut self) -> Result<u64, Refutation> {
        let before = self.rows.len();
        let mut refused = 0;
        while refused < 5 {
            let row = Entity::new("p", format!("{:06}", self.next)).with("Bytes", vec![7; self.size]);
            match self.store.execute(&self.table, Operation::Insert(row)) {
                Ok(_) => self.rows.push(self.next),
                Err(error) if is_full(&error) => {
                    refused += 1;
                    self.compare()?;
                }
                Err(error) => return Err(format!("a full disk is reported as: {error}").into()),
            }
            self.next += 1;
        }
        match (self.rows.len() - before) as u64 {
            0..10 => Err("there seems to have been no room at all".into()),
            written => Ok(written),
        }
    }

    /// Deletes rows. A delete writes before it releases space, so on a full disk it may be rejected like a write.
    /// Returns whether it was rejected.
    fn empty(&mut self) -> Result<bool, Refutation> {
        while let Some(row) = self.rows.pop() {
            let (partition_key, row_key) = ("p".to_owned(), format!("{row:06}"));
            let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
            match self.store.execute(&self.table, delete) {
                Ok(_) => {}
                Err(error) if is_full(&error) => {
                    self.rows.push(row);
                    self.compare()?;
                    return Ok(true);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(false)
    }

    fn compare(&self) -> Result<(), Refutation> {
        self.same(&Contents::of(&self.store)?)
    }

    fn same(&self, found: &Contents) -> Result<(), Refutation> {
        let rows = found.rows(&self.table).ok_or("the table is not there")?;
        let wanted = self.rows.iter().map(|row| format!("{row:06}"));
        if rows.keys().map(|(_, row)| row.clone()).eq(wanted) {
            return Ok(());
        }
        Err(format!("{} rows are there, {} were acknowledged", rows.len(), self.rows.len()).into())
    }

    /// Closes the store and opens it again with free space.
    fn end(self, disk: &Mounted) -> Result<(), Refutation> {
        let closed = self.store.close();
        if let Some(error) = closed.err().filter(|error| !is_full(error)) {
            return Err(error.into());
        }
        disk.resize(4 * LARGE)?;
        let store = OpenOptions::new().open(&self.path)?.blocking();
        self.same(&Contents::of(&store)?)?;
        store.execute(&self.table, Operation::Insert(Entity::new("p", "later")))?;
        Ok(store.close()?)
    }
}

fn is_full(error: &TableError) -> bool {
    matches!(error.fault(), Some(StorageFault::DiskFull { .. }))
}
