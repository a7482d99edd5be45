use table_store::{
    StorageFault, TableError, TableName,
    embedded::{BlockingStore, OpenError},
};

use super::{
    call::{Call, insert, staff},
    prepared::{contents, contents_of, fill, options},
    told::{refusal_tells, tells},
};
use crate::{
    Contents, Fault, FaultOn, Platter, Seed, SimDisk, Violation, disk::Image, platter::Medium,
    violation::without_panic,
};

/// One operation on a prepared store.
#[derive(Debug)]
pub struct Trial {
    call: Call,
    /// The prepared disk.
    base: Image,
    /// What the store holds before the call, and after it; without times.
    before: Contents,
    after: Contents,
}

/// How a run ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// How often the disk failed.
    pub failures: u64,
    /// Whether the operation went well.
    pub succeeded: bool,
}

impl Trial {
    /// Prepares a store for the call, and makes it once on a sound disk.
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

    /// The call.
    #[must_use]
    pub fn call(&self) -> Call {
        self.call
    }

    /// Makes the call on a disk with a fault, and checks all that it may have left.
    pub fn run(&self, fault: Fault) -> Result<Ended, Violation> {
        without_panic("making the call", || self.run_inner(fault))
    }

    fn run_inner(&self, fault: Fault) -> Result<Ended, Violation> {
        let disk = SimDisk::holding(self.base.clone());
        let mut options = options(self.call.durability());
        if fault.on == FaultOn::Read {
            // Reads are to come to the disk, not from memory.
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
        // Every other time the store ends while the disk still fails.
        if fault.lasting && fault.after % 2 == 1 {
            drop(store);
            disk.heal();
            self.allowed(&contents_of(disk.image())?, outcome.is_ok(), failures > 0)?;
            return Ok(ended);
        }
        disk.heal();
        if self.call != Call::Close {
            self.go_on(&store, &disk, outcome.is_ok(), failures > 0)?;
            // Much work, so not every time.
            if fault.after.is_multiple_of(4) {
                self.end(&store, &disk)?;
            }
        }
        drop(store);
        Ok(ended)
    }

    /// The last handle went, and could report nothing: all that was acknowledged before must be there.
    fn dropped(&self, disk: &SimDisk) -> Result<Ended, Violation> {
        let failures = disk.heal();
        self.check_crashes(disk, true, failures > 0)?;
        self.allowed(&contents_of(disk.image())?, true, failures > 0)?;
        Ok(Ended { failures, succeeded: true })
    }

    /// The store was not opened: the disk must hold what it held.
    fn refused(&self, disk: &SimDisk, fault: Fault, error: &OpenError) -> Result<Ended, Violation> {
        let failures = disk.heal();
        if !refusal_tells(error, fault.kind) {
            return Err(Violation::Visible { what: format!("a failing disk is reported as: {error}") });
        }
        self.check_crashes(disk, false, true)?;
        self.allowed(&contents_of(disk.image())?, false, true)?;
        Ok(Ended { failures, succeeded: false })
    }

    /// An error must say what the disk said.
    fn check_error(&self, fault: Fault, error: &TableError) -> Result<(), Violation> {
        if error.fault().is_some_and(|told| tells(told, fault.kind)) {
            return Ok(());
        }
        Err(Violation::Visible {
            what: format!("{:?} on a disk with {fault:?} is reported as: {error}", self.call),
        })
    }

    /// A disk that has no room to grow must have changed nothing.
    fn check_untouched(
        &self,
        disk: &SimDisk,
        fault: Fault,
        error: Option<&TableError>,
    ) -> Result<(), Violation> {
        let full =
            error.and_then(TableError::fault).is_some_and(|fault| matches!(fault, StorageFault::DiskFull));
        if !full || fault.on != FaultOn::SetLen {
            return Ok(());
        }
        self.same(&contents_of(disk.image())?, &self.before)
    }

    /// A power cut now must leave what is allowed.
    fn check_crashes(&self, disk: &SimDisk, succeeded: bool, failed: bool) -> Result<(), Violation> {
        let mut seed = Seed::new(disk.steps_done() as u64);
        let mut platter = Platter::new(self.base.clone(), Medium::Tearing);
        for step in disk.steps() {
            platter.advance(&step, &mut seed);
        }
        for image in [platter.only_stable().clone(), platter.crash(None, &mut seed)] {
            let found = if image == self.base { self.before.clone() } else { contents_of(image)? };
            self.allowed(&found, succeeded, failed)?;
        }
        Ok(())
    }

    /// What is found must be what the answer says, or after an error the state before or after the call.
    fn allowed(&self, found: &Contents, succeeded: bool, failed: bool) -> Result<(), Violation> {
        let (before, after) = (*found == self.before, *found == self.after);
        let allowed = match (succeeded, failed) {
            // Nothing failed, so nothing was reported; or it was, and then nothing is certain.
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

    /// The disk works again: so must the store, without being opened again, and what it shows must be what is on
    /// stable storage.
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
        self.same(&found, &contents_of(platter.only_stable().clone())?)
    }

    /// Tables that are listed can be deleted, others created, and the file that is left holds the same.
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
