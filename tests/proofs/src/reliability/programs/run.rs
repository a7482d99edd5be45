//! One program, run on a store and on the model.

use std::collections::BTreeMap;

use table_store::{
    BlockingStore, Condition, Durability, ETag, Entity, Operation, Result, TableName, Timestamp, Written,
    service::ListTables,
};

use super::{
    Engine, Mistake, Program, Step,
    paging::Paused,
    reads::same,
    step::{self, Act, Flaw},
};
use crate::reliability::{
    Contents, Request, SimClock, Violation, contents::Key, history::RELAXED, model::Model,
};

/// The state of a run.
#[derive(Debug)]
pub struct Run {
    engine: Engine,
    clock: SimClock,
    durability: Durability,
    pub(super) store: BlockingStore,
    pub(super) model: Model,
    pub(super) mistake: Option<Mistake>,
    /// All versions of each row, including earlier tables of the same name.
    versions: BTreeMap<(String, Key), Vec<ETag>>,
    /// The latest assigned time.
    latest: Timestamp,
    /// Number of created tables per name.
    created: BTreeMap<String, u64>,
    pub(super) paused: Option<Paused>,
}

/// Runs a program on an empty engine, with an optional injected bug.
///
/// # Errors
/// Returns a violation if a response does not match the model.
pub fn run(program: &Program, engine: Engine, mistake: Option<Mistake>) -> Result<(), Violation> {
    let clock = SimClock::default();
    let durability = if program.relaxed { RELAXED } else { Durability::Full };
    let store = engine.open(&clock, durability)?;
    let mut run = Run {
        engine,
        clock,
        durability,
        store,
        model: Model::default(),
        mistake,
        versions: BTreeMap::new(),
        latest: Timestamp::MIN,
        created: BTreeMap::new(),
        paused: None,
    };
    program.steps.iter().try_for_each(|step| run.step(step))?;
    run.compare()?;
    run.store.close().map_err(Violation::failed("closing"))
}

impl Run {
    fn step(&mut self, step: &Step) -> Result<(), Violation> {
        let named = |table| step::table(table).map_err(Violation::failed("naming a table"));
        match step {
            Step::Create(table) => self.create(&named(*table)?),
            Step::Drop(table, wait) => {
                self.ask(&Request::Drop(named(*table)?))?;
                if *wait { self.sweep() } else { Ok(()) }
            }
            Step::List(filter, top) => {
                let mut request = ListTables::new();
                (request.filter, request.top) = (filter.clone(), *top);
                self.list(request)
            }
            Step::Write(table, act) => {
                let table = named(*table)?;
                let operation = self.operation(&table, act);
                self.ask(&Request::Write(table, operation))
            }
            Step::Transact(table, acts, flaw) => {
                let table = named(*table)?;
                let operations = self.operations(&table, acts, *flaw);
                self.ask(&Request::Transact(table, operations))
            }
            Step::Bulk(table) => self.bulk(&named(*table)?),
            Step::Get(table, keys, selected) => self.get(&named(*table)?, *keys, selected),
            Step::Query(table, ask, all) => self.query(named(*table)?, ask, *all),
            Step::Resume => self.resume(),
            Step::Flush => self.store.flush().map_err(Violation::failed("flushing")),
            Step::Reopen => {
                self.store.close().map_err(Violation::failed("closing"))?;
                self.open()
            }
            Step::Copy => {
                self.store.flush().map_err(Violation::failed("flushing"))?;
                self.engine = self.engine.copy();
                self.open()
            }
            Step::Jump(ticks) => {
                self.clock.jump(*ticks);
                Ok(())
            }
        }
    }

    fn open(&mut self) -> Result<(), Violation> {
        self.store = self.engine.open(&self.clock, self.durability)?;
        self.compare()
    }

    fn sweep(&mut self) -> Result<(), Violation> {
        self.store.swept().map_err(Violation::failed("sweeping"))
    }

    /// Checks that the store has the contents of the model, and that a scrub finds no damage and the expected size.
    fn compare(&self) -> Result<(), Violation> {
        let (found, expected) =
            (Contents::of(&self.store).map_err(Violation::failed("reading"))?, self.model.contents());
        if found != *expected {
            return Err(Violation::Visible { what: found.difference(expected) });
        }
        let report = self.store.scrub().map_err(Violation::failed("scrubbing"))?;
        let rows: usize = expected.tables.values().map(|table| table.rows.len()).sum();
        let counts = (report.is_sound(), report.tables, report.entities);
        same("a scrub", &counts, &(true, expected.tables.len() as u64, rows as u64))
    }

    /// Creates a table.
    fn create(&mut self, table: &TableName) -> Result<(), Violation> {
        let request = Request::Create(table.clone());
        let answer = pollster::block_on(request.begin(self.store.store()));
        if answer.is_ok() {
            *self.created.entry(table.folded().to_owned()).or_default() += 1;
        }
        self.model.answered(&request, &answer)
    }

    fn ask(&mut self, request: &Request) -> Result<(), Violation> {
        let sent = self.mistake.map_or_else(|| request.clone(), |mistake| mistake.request(request.clone()));
        let answer = pollster::block_on(sent.begin(self.store.store()));
        self.model.answered(request, &answer)?;
        let operations = match request {
            Request::Write(_, operation) => std::slice::from_ref(operation),
            Request::Transact(_, operations) => operations,
            _ => &[],
        };
        let written = answer.unwrap_or_default();
        let times = || written.iter().filter_map(Written::timestamp);
        if let Some(given) = times().find(|time| *time <= self.latest) {
            return Err(Violation::Time { given: Some(given), before: self.latest });
        }
        self.latest = times().max().unwrap_or(self.latest);
        for (operation, written) in operations.iter().zip(&written) {
            let key = (operation.partition_key().to_owned(), operation.row_key().to_owned());
            let versions = self.versions.entry((request.table().folded().to_owned(), key)).or_default();
            versions.extend(written.etag().cloned());
        }
        Ok(())
    }

    fn operation(&self, table: &TableName, act: &Act) -> Operation {
        let versions = self.versions.get(&(table.folded().to_owned(), step::key(act.keys)));
        act.operation(versions.map_or(&[], Vec::as_slice))
    }

    /// Returns the acts as a transaction: all in the partition of the first, each row once, except for the flaw.
    fn operations(&self, table: &TableName, acts: &[Act], flaw: Flaw) -> Vec<Operation> {
        let partition = acts.first().map_or(0, |act| act.keys.0);
        let mut rows = Vec::new();
        let mut operations = Vec::new();
        for act in acts {
            let act = Act { keys: (partition, act.keys.1), ..act.clone() };
            if !rows.contains(&act.keys.1) {
                rows.push(act.keys.1);
                operations.push(self.operation(table, &act));
            }
        }
        match flaw {
            Flaw::None => {}
            Flaw::Empty => operations.clear(),
            Flaw::Twice => operations.extend(operations.first().cloned()),
            Flaw::Elsewhere => operations.push(Operation::Insert(Entity::new("elsewhere", ""))),
            Flaw::TooMany => {
                let (partition, _) = step::key((partition, 0));
                let row = |row| Entity::new(partition.clone(), format!("many{row:03}"));
                operations = (0..101).map(row).map(Operation::InsertOrReplace).collect();
            }
        }
        operations
    }

    fn bulk(&mut self, table: &TableName) -> Result<(), Violation> {
        let entity = |row| Entity::new("bulk", format!("{row:03}")).with("P0", row);
        let rows: Vec<_> = (0..300).map(entity).map(Operation::InsertOrMerge).collect();
        rows.chunks(100).try_for_each(|part| self.ask(&Request::Transact(table.clone(), part.to_vec())))?;
        let delete = |row: i32| Operation::Delete {
            partition_key: "bulk".to_owned(),
            row_key: format!("{row:03}"),
            condition: Condition::Exists,
        };
        self.ask(&Request::Transact(table.clone(), (0..300).step_by(7).map(delete).collect()))
    }

    /// Returns the number of tables created with this name.
    pub(super) fn created(&self, table: &TableName) -> u64 {
        self.created.get(table.folded()).copied().unwrap_or(0)
    }
}
