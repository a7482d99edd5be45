//! Checks of a crash image: the real store opens it, reads it completely, writes to it, closes it and opens it again.

use table_store::{BlockingStore, Durability, Entity, LogMode, Operation, Timestamp};

use crate::reliability::{
    Contents, Platter, Seed, SimClock, SimDisk, Violation,
    disk::Image,
    history::{self, Allowed},
    platter::Medium,
    program::Program,
    violation::without_panic,
};

/// Compares crash images with the allowed contents.
#[derive(Clone, Copy, Debug)]
pub struct Inspection<'i> {
    /// The program that ran.
    pub program: &'i Program,
    /// The log of the store.
    pub log: LogMode,
    /// The allowed contents.
    pub allowed: Allowed<'i>,
    /// The disk, on which the recovery may crash again.
    pub medium: Medium,
}

impl Inspection<'_> {
    /// Checks an image; sometimes crashes again during recovery, up to `nested` times. Returns the number of these
    /// crashes.
    ///
    /// # Errors
    /// Returns a violation if the recovery fails, panics, or loses acknowledged data.
    pub fn of(&self, image: Image, nested: usize, seed: &mut Seed) -> Result<u64, Violation> {
        let disk = SimDisk::holding(image.clone());
        without_panic("recovering", || self.recover(&disk, seed))?;
        if nested == 0 || !seed.chance(1, 4) {
            return Ok(0);
        }
        let steps = disk.steps();
        let point = seed.below(steps.len() + 1);
        let mut platter = Platter::new(image, self.medium);
        for step in steps.iter().take(point) {
            platter.advance(step, seed);
        }
        let again = platter.crash(steps.get(point), seed);
        self.of(again, nested - 1, seed).map(|deeper| deeper + 1)
    }

    /// Opens and checks. Afterwards the disk's steps contain only the recovery.
    fn recover(&self, disk: &SimDisk, seed: &mut Seed) -> Result<(), Violation> {
        // This clock is before all times of the run.
        let clock = SimClock::default();
        clock.jump(-100_000_000);
        let options = history::options(&clock, Durability::Full).log_mode(self.log);
        let store = options.open_disk(disk.clone())?.blocking();
        store.swept().map_err(Violation::failed("sweeping after a crash"))?;
        let recovery = disk.steps();
        let found = Contents::of(&store).map_err(Violation::failed("reading after a crash"))?;
        if !self.allowed.contents.contains(&found) {
            let difference = self.allowed.contents.first().map(|earliest| found.difference(earliest));
            return Err(Violation::Contents {
                guaranteed: self.allowed.guaranteed,
                begun: self.allowed.begun,
                difference: difference.unwrap_or_default(),
            });
        }
        self.write(&store, &found)?;
        // Expensive, so not every time.
        if seed.chance(1, 12) {
            self.use_fully(&store, &found)?;
            store.close().map_err(Violation::failed("closing after a crash"))?;
        }
        // Closing is half of the work, and is not tested in this case.
        disk.unplug();
        drop(store);
        disk.put_back(recovery);
        Ok(())
    }

    /// Writes an entity: its time must be above all earlier times.
    fn write(&self, store: &BlockingStore, found: &Contents) -> Result<(), Violation> {
        let rows = found.tables.values().flat_map(|table| table.rows.values());
        let before = rows.filter_map(|row| row.timestamp).chain([self.allowed.latest]).max();
        let before = before.unwrap_or(Timestamp::MIN);
        let entity = Entity::new("after", "the crash").with("Text", "still here");
        let written = store.execute(self.program.base(), Operation::InsertOrReplace(entity));
        let given = written.map_err(Violation::failed("writing after a crash"))?.timestamp();
        if given.is_none_or(|given| given <= before) {
            return Err(Violation::Time { given, before });
        }
        Ok(())
    }

    /// Checks that table names agree with the tables: existing tables can be deleted, the others created, and are
    /// empty.
    fn use_fully(&self, store: &BlockingStore, found: &Contents) -> Result<(), Violation> {
        for table in self.program.tables() {
            if found.rows(table).is_some() {
                store.delete_table(table).map_err(Violation::failed("deleting a table after a crash"))?;
            }
        }
        store.swept().map_err(Violation::failed("sweeping after a crash"))?;
        for table in self.program.tables() {
            store.create_table(table).map_err(Violation::failed("creating a table after a crash"))?;
        }
        let contents = Contents::of(store).map_err(Violation::failed("reading after a crash"))?;
        match self
            .program
            .tables()
            .iter()
            .find(|table| contents.rows(table).is_none_or(|rows| !rows.is_empty()))
        {
            Some(table) => Err(Violation::Visible { what: format!("{table} is not there, or not empty") }),
            None => Ok(()),
        }
    }
}
