use table_store::{BlockingStore, OpenError, StorageFault, TableError, TableName};

use super::{
    call::{Call, insert, staff},
    prepared::{contents, contents_of, fill, options},
    told::{refusal_tells, tells},
};
use crate::reliability::{
    Contents, Fault, FaultOn, Platter, Seed, SimDisk, Violation, disk::Image, platter::Medium,
    violation::without_panic,
};

/// One operation on a prepared store.
#[derive(Debug)]
pub struct Trial {
    call: Call,
    /// The prepared disk.
    base: Image,
    /// The contents of the store before and after the call, without times.
    before: Contents,
    after: Contents,
}

/// Result of a run.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Number of disk failures.
    pub failures: u64,
    /// `true` if the operation succeeded.
    pub succeeded: bool,
}

impl Trial {
    /// Prepares a store for the call, and makes the call once on an intact disk.
    ///
    /// # Errors
    /// Returns a violation if the store cannot be prepared, or if the call fails on the intact disk.
    pub fn new(call: Call) -> Result<Self, Violation> {
        let disk = SimDisk::default();
        let store = options(call.durability()).open_disk(disk.clone())?.blocking();
        fill(&store).map_err(Violation::failed("filling the store"))?;
        store.flush().map_err(Violation::failed("flushing"))?;
        if call != Call::Recover {
            store.close().map_err(Violation::failed("closing"))?;
        }
        let base = disk.image();
        drop(store);
        let before = contents_of(base.clone())?;
        let disk = SimDisk::holding(base.clone());
        let store = options(call.durability()).open_disk(disk.clone())?.blocking();
        call.prepare(&store)
            .and_then(|()| call.make(&store))
            .map_err(Violation::failed("the call itself"))?;
        drop(store);
        let after = contents_of(disk.image())?;
        Ok(Self { call, base, before, after })
    }

    /// Returns the call.
    #[must_use]
    pub fn call(&self) -> Call {
        self.call
    }

    /// Makes the call on a faulty disk, and checks all possible results.
    ///
    /// # Errors
    /// Returns a violation if the call panics, or if its result is not one of the possible results.
    pub fn run(&self, fault: Fault) -> Result<Ended, Violation> {
        without_panic("making the call", || self.run_inner(fault))
    }

    fn run_inner(&self, fault: Fault) -> Result<Ended, Violation> {
        let disk = SimDisk::holding(self.base.clone());
        let mut options = options(self.call.durability());
        if fault.on == FaultOn::Read {
            // Reads must access the disk, not the cache.
            options = options.cache_bytes(0).verify_up_to(0);
        }
        if self.call.opens() {
            disk.fail(fault);
        }
        let store = match options.open_disk(disk.clone()) {
            Ok(store) => store.blocking(),
            Err(error) if self.call.opens() => return self.refused(&disk, fault, &error),
            Err(error) => return Err(error.into()),
        };
        self.call.prepare(&store).map_err(Violation::failed("preparing"))?;
        if !self.call.opens() {
            disk.fail(fault);
        }
        if self.call == Call::Drop {
            drop(store);
            return self.dropped(&disk);
        }
        let outcome = self.call.make(&store);
        let failures = disk.failures();
        if let Err(error) = &outcome {
            self.check_error(fault, error)?;
        }
        self.check_crashes(&disk, outcome.is_ok(), failures > 0)?;
        self.check_untouched(&disk, fault, outcome.as_ref().err())?;
        if fault.lasting && fault.on != FaultOn::Read && self.call != Call::Close {
            let read = staff().and_then(|staff| store.get(&staff, "Sales", "0001", None));
            let read = read.map_err(Violation::failed("reading while nothing can be written"))?;
            if read.is_none() {
                return Err(Violation::Visible {
                    what: "a row is missing while nothing can be written".to_owned(),
                });
            }
        }
        let ended = Ended { failures, succeeded: outcome.is_ok() };
        // In half of the cases the store is dropped while the disk still fails.
        if fault.lasting && fault.after % 2 == 1 {
            drop(store);
            disk.heal();
            self.allowed(&contents_of(disk.image())?, outcome.is_ok(), failures > 0)?;
            return Ok(ended);
        }
        disk.heal();
        if self.call != Call::Close {
            self.go_on(&store, &disk, outcome.is_ok(), failures > 0)?;
            // Expensive, so not every time.
            if fault.after.is_multiple_of(4) {
                self.end(&store, &disk)?;
            }
        }
        drop(store);
        Ok(ended)
    }

    /// The last handle was dropped and could not report an error: all previously acknowledged data must exist.
    fn dropped(&self, disk: &SimDisk) -> Result<Ended, Violation> {
        let failures = disk.heal();
        self.check_crashes(disk, true, failures > 0)?;
        self.allowed(&contents_of(disk.image())?, true, failures > 0)?;
        Ok(Ended { failures, succeeded: true })
    }

    /// The store was not opened: the contents of the disk must be unchanged.
    fn refused(&self, disk: &SimDisk, fault: Fault, error: &OpenError) -> Result<Ended, Violation> {
        let failures = disk.heal();
        if !refusal_tells(error, fault.kind) {
            return Err(Violation::Visible { what: format!("a failing disk is reported as: {error}") });
        }
        self.check_crashes(disk, false, true)?;
        self.allowed(&contents_of(disk.image())?, false, true)?;
        Ok(Ended { failures, succeeded: false })
    }

    /// Checks that an error reports the disk's error.
    fn check_error(&self, fault: Fault, error: &TableError) -> Result<(), Violation> {
        if error.fault().is_some_and(|told| tells(told, fault.kind)) {
            return Ok(());
        }
        Err(Violation::Visible {
            what: format!("{:?} on a disk with {fault:?} is reported as: {error}", self.call),
        })
    }

    /// Checks that a disk without space to grow has changed nothing.
    fn check_untouched(
        &self,
        disk: &SimDisk,
        fault: Fault,
        error: Option<&TableError>,
    ) -> Result<(), Violation> {
        let full = error
            .and_then(TableError::fault)
            .is_some_and(|fault| matches!(fault, StorageFault::DiskFull { .. }));
        if !full || fault.on != FaultOn::SetLen {
            return Ok(());
        }
        self.same(&contents_of(disk.image())?, &self.before)
    }

    /// Checks that a power cut at this point leaves allowed contents.
    fn check_crashes(&self, disk: &SimDisk, succeeded: bool, failed: bool) -> Result<(), Violation> {
        let mut seed = Seed::new(disk.steps_done() as u64);
        let mut platter = Platter::new(self.base.clone(), Medium::Tearing);
        for step in disk.steps() {
            platter.advance(&step, &mut seed);
        }
        for image in [platter.only_stable(), platter.crash(None, &mut seed)] {
            let found = if image == self.base { self.before.clone() } else { contents_of(image)? };
            self.allowed(&found, succeeded, failed)?;
        }
        Ok(())
    }

    /// Checks that the contents match the response, or, after an error, the state before or after the call.
    fn allowed(&self, found: &Contents, succeeded: bool, failed: bool) -> Result<(), Violation> {
        let (before, after) = (*found == self.before, *found == self.after);
        let allowed = match (succeeded, failed) {
            // Without a failure, no error was reported; with a reported failure, the outcome is uncertain.
            (true, _) => after,
            (false, true) => before || after,
            (false, false) => false,
        };
        if allowed {
            return Ok(());
        }
        let (guaranteed, begun) = (usize::from(succeeded), 1);
        Err(Violation::Contents { guaranteed, begun, difference: found.difference(&self.after) })
    }

    /// Repairs the disk: the store must work without being reopened, and show the contents of stable storage.
    fn go_on(
        &self,
        store: &BlockingStore,
        disk: &SimDisk,
        succeeded: bool,
        failed: bool,
    ) -> Result<(), Violation> {
        let found = contents(store)?;
        self.allowed(&found, succeeded, failed)?;
        insert(store, "later").map_err(Violation::failed("writing on a disk that works again"))?;
        store.flush().map_err(Violation::failed("flushing on a disk that works again"))?;
        let found = contents(store)?;
        let mut seed = Seed::new(disk.steps_done() as u64);
        let mut platter = Platter::new(self.base.clone(), Medium::Tearing);
        for step in disk.steps() {
            platter.advance(&step, &mut seed);
        }
        self.same(&found, &contents_of(platter.only_stable())?)
    }

    /// Checks that listed tables can be deleted and others created, and that the resulting file has the same contents.
    fn end(&self, store: &BlockingStore, disk: &SimDisk) -> Result<(), Violation> {
        let found = contents(store)?;
        for table in found.tables.values() {
            let name = TableName::new(table.name.clone()).map_err(Violation::failed("naming"))?;
            store.delete_table(&name).map_err(Violation::failed("deleting a table that is listed"))?;
        }
        store.swept().map_err(Violation::failed("sweeping on a disk that works again"))?;
        for name in ["Staff", "Leaving", "Fresh", "Early"] {
            let name = TableName::new(name).map_err(Violation::failed("naming"))?;
            store.create_table(&name).map_err(Violation::failed("creating a table that is not listed"))?;
        }
        let found = contents(store)?;
        store.close().map_err(Violation::failed("closing on a disk that works again"))?;
        self.same(&found, &contents_of(disk.image())?)
    }

    fn same(&self, shown: &Contents, stored: &Contents) -> Result<(), Violation> {
        if shown == stored {
            return Ok(());
        }
        let what = format!("after {:?}, shown against stored: {}", self.call, shown.difference(stored));
        Err(Violation::Visible { what })
    }
}
