//! Programs of requests, generated from seeds.

use table_store::{Condition, Entity, Operation, TableError, TableName, Timestamp, Value};

use crate::reliability::{Contents, Request, Seed, contents::Key};

const TABLES: [&str; 4] = ["Staff", "Audit", "Orders", "orderLines"];
const PARTITIONS: [&str; 3] = ["Sales", "R&D", "\u{10348}"];
const ROWS: usize = 14;
/// Number of rows in a bulk load: more than one step of a sweep removes.
const BULK: usize = 300;

/// One action of a program.
#[derive(Clone, Debug)]
pub enum Action {
    /// Requests that wait together. Of several requests, the first changes the disk.
    Ask(Vec<Request>),
    /// Moves all acknowledged data to stable storage.
    Flush,
    /// Closes the store and opens it again, with the clock moved by this number of ticks.
    Reopen(i64),
    /// Moves the clock by this number of ticks.
    Jump(i64),
}

/// The way in which requests are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One request at a time.
    Single,
    /// Up to six requests at a time, which share a group.
    Grouped,
}

/// A generator of requests on a few tables.
#[derive(Clone, Debug)]
pub struct Program {
    style: Style,
    /// A table that every program starts with, and never deletes.
    base: TableName,
    tables: Vec<TableName>,
}

impl Program {
    /// Creates a generator of programs of a style.
    ///
    /// # Errors
    /// Returns an error if a table name is invalid.
    pub fn new(style: Style) -> Result<Self, TableError> {
        let tables = TABLES.map(TableName::new).into_iter().collect::<Result<_, _>>()?;
        Ok(Self { style, base: TableName::new("Base")?, tables })
    }

    /// Returns the table that every program starts with, and never deletes.
    #[must_use]
    pub fn base(&self) -> &TableName {
        &self.base
    }

    /// Returns the tables that a program creates and deletes.
    #[must_use]
    pub fn tables(&self) -> &[TableName] {
        &self.tables
    }

    /// Returns the next action, given the contents of the store.
    pub fn next(&self, seed: &mut Seed, contents: &Contents) -> Action {
        match seed.below(40) {
            0 => Action::Reopen(jump(seed)),
            1 => Action::Jump(jump(seed)),
            2 => Action::Flush,
            3 if contents.tables.values().all(|table| table.rows.len() < BULK) => {
                Action::Ask(self.bulk(seed))
            }
            _ => Action::Ask(match self.style {
                Style::Single => vec![self.request(seed, contents)],
                Style::Grouped => {
                    let more = (0..seed.below(6)).map(|_| self.request(seed, contents)).collect::<Vec<_>>();
                    [self.sure(seed)].into_iter().chain(more).collect()
                }
            }),
        }
    }

    /// Returns a request that certainly changes the disk.
    fn sure(&self, seed: &mut Seed) -> Request {
        let key = key(seed);
        Request::Write(self.base.clone(), Operation::InsertOrReplace(entity(seed, key)))
    }

    fn table(&self, seed: &mut Seed) -> TableName {
        seed.pick(&self.tables).unwrap_or(&self.base).clone()
    }

    fn request(&self, seed: &mut Seed, contents: &Contents) -> Request {
        let table = self.table(seed);
        let live = contents.rows(&table).is_some();
        match seed.below(20) {
            _ if !live && seed.chance(3, 4) => Request::Create(table),
            0 => Request::Create(table),
            1 | 2 => Request::Drop(table),
            3..=6 => {
                let operations = group(seed, contents, &table);
                Request::Transact(table, operations)
            }
            _ => {
                let key = key(seed);
                let operation = operation(seed, contents, &table, key);
                Request::Write(table, operation)
            }
        }
    }

    /// Returns a partition with more rows than a step of a sweep removes, in transactions of a hundred; sometimes
    /// deleted immediately.
    fn bulk(&self, seed: &mut Seed) -> Vec<Request> {
        let table = self.table(seed);
        let rows: Vec<Operation> = (0..BULK)
            .map(|row| Entity::new("Bulk", format!("{row:04}")).with("Number", 7).with("Text", "bulk"))
            .map(Operation::InsertOrReplace)
            .collect();
        let mut requests = vec![self.sure(seed), Request::Create(table.clone())];
        requests.extend(rows.chunks(100).map(|part| Request::Transact(table.clone(), part.to_vec())));
        if seed.chance(1, 2) {
            requests.push(Request::Drop(table));
        }
        requests
    }
}

/// Returns up to ten seconds, forwards or back.
fn jump(seed: &mut Seed) -> i64 {
    i64::try_from(seed.below(200_000_000)).unwrap_or(0) - 100_000_000
}

fn group(seed: &mut Seed, contents: &Contents, table: &TableName) -> Vec<Operation> {
    let partition = seed.pick(&PARTITIONS).copied().unwrap_or_default().to_owned();
    // Usually the transaction is accepted: one rejected operation rejects all of them.
    let bold = seed.chance(1, 4);
    let first = seed.below(ROWS);
    (0..=seed.below(ROWS - 1))
        .map(|offset| {
            let key = (partition.clone(), format!("{:02}", (first + offset) % ROWS));
            let stored = contents.row(table, &key);
            if bold {
                return operation(seed, contents, table, key);
            }
            match (stored, seed.below(4)) {
                (Some(row), 0) => delete(key, row.etag.clone().into()),
                (Some(row), 1) => Operation::Merge(entity(seed, key), row.etag.clone().into()),
                (Some(_), 2) => Operation::Replace(entity(seed, key), Condition::Exists),
                (None, 0..=2) => Operation::Insert(entity(seed, key)),
                (_, _) if seed.chance(1, 2) => Operation::InsertOrMerge(entity(seed, key)),
                _ => Operation::InsertOrReplace(entity(seed, key)),
            }
        })
        .collect()
}

fn operation(seed: &mut Seed, contents: &Contents, table: &TableName, key: Key) -> Operation {
    let stored = contents.row(table, &key).map(|row| row.etag.clone());
    let stale = Timestamp::MIN_STORED.into();
    let condition = match (seed.below(5), stored) {
        (0, _) => Condition::Matches(stale),
        (1 | 2, Some(etag)) => Condition::Matches(etag),
        _ => Condition::Exists,
    };
    match seed.below(7) {
        0 | 1 => Operation::Insert(entity(seed, key)),
        2 => Operation::Replace(entity(seed, key), condition),
        3 => Operation::Merge(entity(seed, key), condition),
        4 => Operation::InsertOrReplace(entity(seed, key)),
        5 => Operation::InsertOrMerge(entity(seed, key)),
        _ => delete(key, condition),
    }
}

fn delete((partition_key, row_key): Key, condition: Condition) -> Operation {
    Operation::Delete { partition_key, row_key, condition }
}

fn key(seed: &mut Seed) -> Key {
    let partition = seed.pick(&PARTITIONS).copied().unwrap_or_default();
    (partition.to_owned(), format!("{:02}", seed.below(ROWS)))
}

/// Returns an entity with one to four of eight properties, sometimes with a property of up to 40 KB.
fn entity(seed: &mut Seed, (partition_key, row_key): Key) -> Entity {
    let mut entity = Entity::new(partition_key, row_key);
    for _ in 0..=seed.below(4) {
        let name = format!("P{}", seed.below(8));
        let drawn = seed.draw();
        let value = match seed.below(12) {
            0 => {
                let most = if seed.chance(1, 6) { 40_000 } else { 2_000 };
                Value::Binary(drawn.to_le_bytes().repeat(seed.below(most / 8)))
            }
            1 => Value::Double(f64::from_bits(drawn)),
            2 => Value::Boolean(drawn.is_multiple_of(2)),
            3 => Value::Guid(table_store::Uuid::from_u64_pair(drawn, drawn)),
            4..=6 => Value::String(format!("{drawn:x}").repeat(seed.below(60))),
            _ => Value::Int64(i64::from_le_bytes(drawn.to_le_bytes())),
        };
        entity.properties.set(name, value);
    }
    entity
}
