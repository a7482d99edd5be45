//! Verification of a store: every record and, for a file that is not open, every page.

mod damage;
mod report;
mod walk;

pub use damage::{Damage, DamagePlace};
pub use report::ScrubReport;

use std::{path::Path, sync::Arc, task::Poll};

use table_model::{Result, StorageFault};
use tracing::Instrument;

use self::walk::Walk;
use crate::{
    Disk, OpenError, OpenOptions, Place,
    engine::{Accept, Engine, FileEngine, LoggedEngine, Remains},
    file,
    refusal::Refusal,
    spans,
};

/// Verifies the records of a running store. Each snapshot covers a bounded number of records, so that old versions are
/// not retained for long. The future yields between two snapshots.
pub(crate) async fn running(engine: &dyn Engine) -> Result<ScrubReport> {
    let span = spans::scrub();
    let walked = async {
        let mut walk = Walk::default();
        while walk.step(engine)? {
            give_way().await;
        }
        Ok(walk.into_report())
    };
    let report: Result<ScrubReport> = walked.instrument(span.clone()).await;
    match &report {
        Ok(report) => spans::scrubbed(&span, report),
        Err(error) => spans::failed(&span, error.fault()),
    }
    report
}

async fn give_way() {
    let mut given = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Verifies a file that is not open. The file is locked and not modified.
pub(crate) fn file(options: &OpenOptions, path: &Path) -> Result<ScrubReport, OpenError> {
    let Some(found) = file::find_to_read(path)? else {
        return Err(OpenError::Missing { place: path.into() });
    };
    let found: Arc<dyn Disk> = Arc::new(found);
    whole(options, &found).map_err(|refusal| refusal.at(path.into()))
}

/// Verifies a store on a disk provided by the caller.
pub(crate) fn disk(options: &OpenOptions, disk: &Arc<dyn Disk>) -> Result<ScrubReport, OpenError> {
    whole(options, disk).map_err(|refusal| refusal.at(Place::Disk))
}

fn whole(options: &OpenOptions, disk: &Arc<dyn Disk>) -> Result<ScrubReport, Refusal> {
    let span = spans::scrub();
    let examined = span.in_scope(|| examine(options, Arc::clone(disk)));
    match &examined {
        Ok(report) => spans::scrubbed(&span, report),
        Err(Refusal::Storage(fault)) => spans::failed(&span, Some(fault)),
        Err(_) => {}
    }
    // Parts of an engine that panicked may reference the disk forever, but must not keep its lock.
    let released = disk.close().map_err(|error| StorageFault::Io(Arc::new(error)).into());
    examined.and_then(|report| released.map(|()| report))
}

/// Verifies the records of a store that nobody else uses.
pub(crate) fn records(engine: &dyn Engine) -> Result<ScrubReport> {
    let mut walk = Walk::default();
    while walk.step(engine)? {}
    Ok(walk.into_report())
}

/// Lists the damaged pages of a file with checksums of pages. Returns `None` for a file without them.
fn damaged_pages(disk: &Arc<dyn Disk>) -> Result<Option<Vec<Damage>>, Refusal> {
    let mut damage = Vec::new();
    match Remains::of(disk, Accept::Current) {
        Ok(remains) if !remains.are_summed() => return Ok(None),
        Ok(remains) => remains.check(&mut |page| damage.push(Damage::of_engine(page.what)))?,
        // Already reported.
        Err(Refusal::Damaged(_) | Refusal::Storage(StorageFault::Corrupt { .. })) => {}
        Err(refusal) => return Err(refusal),
    }
    Ok(Some(damage))
}

fn examine(options: &OpenOptions, disk: Arc<dyn Disk>) -> Result<ScrubReport, Refusal> {
    let (file, head) = FileEngine::examine(Arc::clone(&disk), options.cache_bytes)?;
    let mut walk = Walk::default();
    for damage in head {
        walk.note(damage);
    }
    let pages = damaged_pages(&disk)?;
    for damage in pages.iter().flatten() {
        walk.note(damage.clone());
    }
    let Some(file) = file else { return Ok(walk.into_report()) };
    // After damage of a page, redb can return errors without their cause.
    let damaged = pages.as_ref().is_some_and(|pages| !pages.is_empty());
    let unread = |refusal: Refusal| match refusal {
        Refusal::Storage(fault) if damaged => {
            Ok(Damage::of_engine(format!("the records could not be verified: {fault}")))
        }
        refusal => Err(refusal),
    };
    let (engine, log) = match LoggedEngine::examine(file, disk, Arc::clone(&options.random)) {
        Ok(examined) => examined,
        Err(refusal) => {
            walk.note(unread(refusal)?);
            return Ok(walk.into_report());
        }
    };
    if let Some(damage) = log {
        walk.note(damage);
    }
    loop {
        match walk.step(&engine) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let fault = error.fault().cloned();
                let fault = fault.unwrap_or_else(|| StorageFault::Bug { what: error.to_string() });
                walk.note(unread(fault.into())?);
                break;
            }
        }
    }
    let mut report = walk.into_report();
    if pages.is_none()
        && let Some(damage) = engine.check_pages()
    {
        report.note(damage);
    }
    Ok(report)
}
