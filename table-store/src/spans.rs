//! The spans of the store, at the level `DEBUG` with the target `table_store`. Their names and fields are public and
//! described in `docs/guide/observability.md`. They contain neither keys nor values. A span that no subscriber records
//! costs one branch.

use table_model::StorageFault;
use tracing::{Span, debug_span, field::Empty};

use crate::{ScrubReport, core::Core, request};

/// Creates the span of a group of requests that share a commit.
pub(crate) fn commit(core: &Core, members: &[request::Member]) -> Span {
    // A disabled span evaluates none of its fields.
    let weight = std::cell::LazyCell::new(|| request::weight(members));
    debug_span!(
        target: "table_store",
        "commit",
        tables.requests = members.len(),
        tables.operations = weight.0,
        tables.bytes = weight.1,
        tables.waiting = core.counters.waiting(),
        tables.outcome = Empty,
        error.type = Empty,
    )
}

/// Creates the span of a sync of a file: `store`, or `log`.
pub(crate) fn sync(file: &'static str) -> Span {
    debug_span!(target: "table_store", "sync", tables.file = file)
}

/// Creates the span of a step that removes deleted data.
pub(crate) fn sweep(data: &'static str) -> Span {
    debug_span!(target: "table_store", "sweep", tables.data = data, tables.outcome = Empty, error.type = Empty)
}

/// Creates the span of a compaction of a file with a number of bytes.
pub(crate) fn compact(bytes_before: u64) -> Span {
    debug_span!(
        target: "table_store",
        "compact",
        tables.bytes_before = bytes_before,
        tables.bytes_after = Empty,
        error.type = Empty,
    )
}

/// Creates the span of a scrub: of all records, or of a pass over all pages in the background.
pub(crate) fn scrub() -> Span {
    debug_span!(
        target: "table_store",
        "scrub",
        tables.entities = Empty,
        tables.bytes = Empty,
        tables.pages = Empty,
        tables.unreadable = Empty,
        tables.damaged = Empty,
        error.type = Empty,
    )
}

/// Records the result of a scrub of all records.
pub(crate) fn scrubbed(span: &Span, report: &ScrubReport) {
    span.record("tables.entities", report.entities);
    span.record("tables.bytes", report.bytes);
    span.record("tables.damaged", report.damage.len() as u64 + report.unlisted);
}

/// Records the outcome of a commit or of a step of a sweep.
pub(crate) fn settled(span: &Span, outcome: Result<&'static str, &StorageFault>) {
    span.record("tables.outcome", outcome.unwrap_or("failed"));
    failed(span, outcome.err());
}

/// Records a fault, if there is one.
pub(crate) fn failed(span: &Span, fault: Option<&StorageFault>) {
    if let Some(fault) = fault {
        span.record("error.type", fault.name());
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fmt,
        sync::{Arc, Mutex},
    };

    use tracing::{
        Dispatch, Event, Metadata, Subscriber,
        dispatcher::with_default,
        field::{Field, Visit},
        span::{Attributes, Id, Record},
        subscriber::NoSubscriber,
    };

    use super::*;
    use crate::{MemoryDisk, OpenOptions};

    /// Names of the fields that were recorded after the start of their span.
    #[derive(Clone, Debug, Default)]
    struct Recorded(Arc<Mutex<Vec<&'static str>>>);

    impl Subscriber for Recorded {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == "table_store"
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut &*self);
        }
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, _: &Event<'_>) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    impl Visit for &Recorded {
        fn record_debug(&mut self, field: &Field, _: &dyn fmt::Debug) {
            self.0.lock().unwrap().push(field.name());
        }
    }

    /// Returns the result of `work`, and the fields that it recorded on this thread.
    fn recorded<T>(work: impl FnOnce() -> T) -> (T, Vec<&'static str>) {
        let fields = Recorded::default();
        let dispatch = Dispatch::new(fields.clone());
        // With only one subscriber, `tracing` would keep the answer of the first thread for all threads.
        let _second = Dispatch::new(NoSubscriber::default());
        let result = with_default(&dispatch, work);
        let fields = std::mem::take(&mut *fields.0.lock().unwrap());
        (result, fields)
    }

    #[test]
    fn the_names_of_spans_and_fields_are_these() {
        let store = OpenOptions::new().in_memory().unwrap();
        let all = || [commit(store.core(), &[]), sync("log"), sweep("table"), compact(0), scrub()];
        let names = recorded(all).0.map(|span| {
            let metadata = span.metadata().unwrap();
            let fields: Vec<_> = metadata.fields().iter().map(|field| field.name()).collect();
            format!("{}: {}", metadata.name(), fields.join(", "))
        });
        assert_eq!(
            names,
            [
                "commit: tables.requests, tables.operations, tables.bytes, tables.waiting, tables.outcome, error.type",
                "sync: tables.file",
                "sweep: tables.data, tables.outcome, error.type",
                "compact: tables.bytes_before, tables.bytes_after, error.type",
                "scrub: tables.entities, tables.bytes, tables.pages, tables.unreadable, tables.damaged, error.type",
            ]
        );
    }

    #[test]
    fn compactions_and_scrubs_record_their_results() {
        let disk = MemoryDisk::new();
        let store = OpenOptions::new().open_disk(disk.clone()).unwrap().blocking();
        let counts = ["tables.entities", "tables.bytes", "tables.damaged"];
        assert_eq!(recorded(|| store.scrub().unwrap()).1, counts);
        store.close().unwrap();
        assert_eq!(recorded(|| OpenOptions::new().scrub_disk(disk.clone()).unwrap()).1, counts);
        assert_eq!(recorded(|| OpenOptions::new().compact_disk(disk).unwrap()).1, ["tables.bytes_after"]);
    }
}
