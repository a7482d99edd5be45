//! Logs: contents, blob names, number of writes, and reading in order.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod service;

use std::time::Duration;

use pollster::block_on;
use proptest::prelude::*;
use service::{Bad, Fate};
use table_model::blob::{BlobAddress, BlobConditions, PutBlob, ReadBlob};
use table_patterns::{Error, Log, LogError, LogLine, Store, Tables, Timestamp};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns a time, in seconds after 18:00.
fn second(seconds: u64) -> Timestamp {
    at("2014-07-31T18:00:00Z").saturating_add(Duration::from_secs(seconds))
}

fn tables() -> (Tables, Bad) {
    let store = Store::in_memory().unwrap();
    let bad = Bad::new(store.clone());
    (Tables::new(store).with_blobs(bad.clone()), bad)
}

fn push(log: &Log, at: Timestamp, text: &str) -> Result<(), Error> {
    block_on(log.push(at, &[text]))
}

fn flush(log: &Log) -> Vec<String> {
    block_on(log.flush()).unwrap().iter().map(ToString::to_string).collect()
}

fn texts(lines: &[LogLine]) -> Vec<&str> {
    lines.iter().map(|line| line.fields[0].as_str()).collect()
}

fn all(log: &Log) -> Vec<LogLine> {
    block_on(log.between(..).all()).unwrap()
}

#[test]
fn a_blob_holds_the_lines_of_an_hour_and_says_their_times() {
    let (tables, _) = tables();
    let log = tables.log("queue");
    push(&log, at("2014-07-31T18:59:59.5Z"), "a").unwrap();
    push(&log, at("2014-07-31T19:00:00Z"), "c").unwrap();
    push(&log, at("2014-07-31T18:59:59.75Z"), "b\tb").unwrap();
    assert_eq!(flush(&log), ["queue/2014/07/31/1800/000001.log", "queue/2014/07/31/1900/000001.log"]);

    let address = BlobAddress::new("logs", "queue/2014/07/31/1800/000001.log").unwrap();
    let blobs = tables.blobs().unwrap();
    let content = block_on(blobs.get_blob(&address, ReadBlob::new())).unwrap();
    assert_eq!(content, "2014-07-31T18:59:59.5000000Z\ta\n2014-07-31T18:59:59.7500000Z\tb\\tb\n");
    let properties = block_on(blobs.blob_properties(&address, &BlobConditions::default())).unwrap();
    let metadata: Vec<_> = properties.metadata.iter().filter(|(name, _)| *name != "batch").collect();
    assert_eq!(
        metadata,
        [("first", "2014-07-31T18:59:59.5000000Z"), ("last", "2014-07-31T18:59:59.7500000Z"), ("lines", "2")]
    );
}

#[test]
fn a_push_that_finds_the_lines_due_writes_them() {
    let (tables, bad) = tables();
    let log = tables.log("queue").every(Duration::from_secs(60)).max_lines(3);
    push(&log, second(0), "a").unwrap();
    push(&log, second(59), "b").unwrap();
    assert_eq!((log.unwritten(), bad.requests()), (2, 0));
    push(&log, second(60), "c").unwrap();
    assert_eq!(log.unwritten(), 0);
    for number in 100..103 {
        push(&log, second(number), "d").unwrap();
    }
    assert_eq!(log.unwritten(), 0);
    // Clones share the waiting lines.
    push(&log.clone(), second(200), "e").unwrap();
    assert_eq!((log.unwritten(), all(&log).len()), (1, 6));
}

#[test]
fn writing_through_lets_nothing_wait_and_costs_a_request_for_each_line() {
    let (tables, bad) = tables();
    let log = tables.log("queue").write_through();
    push(&log, second(0), "a").unwrap();
    // The container was missing: a listing, a failed write, the creation of the container, and the write.
    assert_eq!(bad.requests(), 4);
    for number in 1..10 {
        push(&log, second(number), "b").unwrap();
        assert_eq!((log.unwritten(), bad.requests()), (0, 1));
    }
}

#[test]
fn what_was_flushed_is_there_after_a_restart_and_numbers_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("company.tables");
    for round in 1..=3 {
        let log = Tables::open(&file).unwrap().log("queue");
        assert_eq!(all(&log).len(), round - 1);
        push(&log, second(0), &round.to_string()).unwrap();
        assert_eq!(flush(&log), [format!("queue/2014/07/31/1800/{round:06}.log")]);
        // Lost, because it was not flushed.
        push(&log, second(1), "lost").unwrap();
    }
    let log = Tables::open(&file).unwrap().log("queue");
    assert_eq!(texts(&all(&log)), ["1", "2", "3"]);
}

#[test]
fn writers_of_one_log_never_take_the_same_number() {
    let (tables, bad) = tables();
    let (one, other) = (tables.log("queue"), tables.log("queue"));
    let mut names = Vec::new();
    for round in 0..40 {
        for (log, writes) in [(&one, round % 3), (&other, 1)] {
            for _ in 0..writes {
                push(log, second(round), "x").unwrap();
                names.extend(flush(log));
            }
        }
    }
    let numbers: Vec<_> = (1..=names.len()).map(|n| format!("queue/2014/07/31/1800/{n:06}.log")).collect();
    assert_eq!(names, numbers);
    assert_eq!(all(&one).len(), names.len());

    // A writer that is far behind lists the numbers of the other writers.
    for round in 0..100 {
        push(&other, second(round), "y").unwrap();
        flush(&other);
    }
    bad.requests();
    push(&one, second(0), "z").unwrap();
    flush(&one);
    assert!(bad.requests() <= 18, "eight numbers in vain, then a listing");
}

#[test]
fn lines_of_several_writers_come_in_the_order_of_time() {
    let (tables, _) = tables();
    let (one, other) = (tables.log("queue"), tables.log("queue"));
    for number in 0..50 {
        let log = if number % 3 == 0 { &one } else { &other };
        push(log, second(number * 100), &number.to_string()).unwrap();
        if number % 7 == 0 {
            flush(log);
        }
    }
    // Late lines are written to their hours.
    push(&one, second(1_050), "late").unwrap();
    flush(&one);
    flush(&other);
    let lines = all(&one);
    assert_eq!(lines.len(), 51);
    assert!(lines.is_sorted_by_key(|line| line.at));
}

#[test]
fn lines_of_one_time_come_by_the_numbers_of_their_blobs() {
    let (tables, _) = tables();
    let (one, other) = (tables.log("queue"), tables.log("queue"));
    push(&one, second(5), "first").unwrap();
    assert_eq!(flush(&one), ["queue/2014/07/31/1800/000001.log"]);
    // The later blob starts earlier, and is open when the line with the same time is reached.
    push(&other, second(5), "second").unwrap();
    push(&other, second(0), "before").unwrap();
    push(&other, second(5), "third").unwrap();
    flush(&other);
    assert_eq!(texts(&all(&one)), ["before", "first", "second", "third"]);
}

#[test]
fn writers_at_the_same_time_lose_and_repeat_nothing() {
    let (tables, _) = tables();
    let shared = tables.log("queue").max_lines(3);
    std::thread::scope(|scope| {
        for writer in 0..4_u64 {
            // Two writers with separate logs, and two writers that share a log.
            let log = if writer < 2 { tables.log("queue").max_lines(2) } else { shared.clone() };
            scope.spawn(move || {
                for number in 0..50 {
                    push(&log, second(number * 60), &format!("{writer}-{number}")).unwrap();
                }
                // If another writer flushes a clone, nothing is left when this call returns either.
                flush(&log);
            });
        }
    });
    assert_eq!(shared.unwritten(), 0);
    let lines = all(&shared);
    assert!(lines.is_sorted_by_key(|line| line.at));
    let mut found: Vec<_> = texts(&lines).into_iter().map(str::to_owned).collect();
    let mut expected: Vec<_> = (0..4).flat_map(|w| (0..50).map(move |n| format!("{w}-{n}"))).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_span_reads_only_what_can_hold_it() {
    let (tables, bad) = tables();
    let log = tables.log("queue");
    for hour in 0..72 {
        for minute in [0, 30] {
            push(&log, second(hour * 3_600 + minute * 60), &format!("{hour}:{minute}")).unwrap();
            flush(&log);
        }
    }
    bad.requests();
    let read = |from, to| {
        let lines = block_on(log.between(second(from)..second(to)).all()).unwrap();
        (lines.len(), bad.requests())
    };
    // A listing of the hour, and the blob whose times overlap with the span.
    assert_eq!(read(0, 60), (1, 2));
    assert_eq!(read(60, 1_800), (0, 1));
    assert_eq!(read(1_800, 3_601), (2, 4));
    // The rest of the first day, one day, and two hours: eight listings for 64 blobs.
    assert_eq!(read(0, 32 * 3_600), (64, 6 + 1 + 2 + 64));
    assert_eq!(read(60, 60), (0, 0));
    assert_eq!(block_on(log.between(second(3_600)..=second(5_400)).all()).unwrap().len(), 2);
    bad.requests();
    // Open span: a listing of the years, then that year.
    assert_eq!((all(&log).len(), bad.requests()), (144, 2 + 144));
}

#[test]
fn listings_that_end_in_the_middle_of_an_hour_are_gone_on_with() {
    let (tables, _) = tables();
    let log = tables.log("queue").write_through();
    // A listing returns at most 5,000 names per segment.
    for number in 0..5_003 {
        push(&log, second(number / 2), &number.to_string()).unwrap();
    }
    let lines = all(&log);
    assert_eq!(lines.len(), 5_003);
    assert!(lines.is_sorted_by_key(|line| line.at));
    assert_eq!(texts(&lines)[5_002], "5002");
    push(&tables.log("queue").write_through(), second(3_000), "next").unwrap();
    assert_eq!(texts(&all(&log))[5_003], "next");
}

#[test]
fn a_lost_answer_writes_nothing_twice_and_a_refusal_loses_nothing() {
    let (tables, bad) = tables();
    let log = tables.log("queue").max_lines(2);
    flush(&log);
    for fate in [Fate::AnswerLost, Fate::Refused] {
        bad.next(&[fate, fate]);
        push(&log, second(0), "a").unwrap();
        // Lines that could not be written are written by the next call.
        assert!(push(&log, second(1), "b").is_err());
        assert_eq!(log.unwritten(), 2);
        assert!(block_on(log.flush()).is_err() || fate == Fate::AnswerLost);
        assert_eq!(flush(&log).len(), usize::from(fate == Fate::Refused));
        assert_eq!(log.unwritten(), 0);
    }
    assert_eq!(texts(&all(&log)), ["a", "a", "b", "b"]);
}

#[test]
fn a_flush_that_is_dropped_is_taken_up_again() {
    let (tables, bad) = tables();
    let log = tables.log("queue").write_through();
    push(&log, second(0), "a").unwrap();
    bad.next(&[Fate::Hangs]);
    {
        let mut dropped = log.push(second(1), &["b"]);
        let waker = std::task::Waker::noop();
        while dropped.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending() {
            if all(&log).len() == 2 {
                break;
            }
        }
    }
    // The error is lost when the handle is dropped; the next flush reports it.
    assert_eq!(log.unwritten(), 1);
    assert_eq!(flush(&log), ["queue/2014/07/31/1800/000002.log"]);
    assert_eq!((log.unwritten(), texts(&all(&log))), (0, vec!["a", "b"]));
}

#[test]
fn a_name_or_a_line_that_cannot_be_changes_nothing() {
    let (tables, bad) = tables();
    for service in ["", "a/b"] {
        let log = tables.log(service).write_through();
        assert!(matches!(push(&log, second(0), "a"), Err(Error::Log(LogError::Name { .. }))));
        assert!(block_on(log.between(..).all()).is_err());
        assert_eq!(log.unwritten(), 0);
    }
    let log = tables.log("queue").write_through();
    let too_much = "x".repeat(1 << 20);
    assert!(matches!(push(&log, second(0), &too_much), Err(Error::Log(LogError::LineTooLong { .. }))));
    assert_eq!((log.unwritten(), bad.requests()), (0, 0));
}

#[test]
fn tables_without_blobs_say_so() {
    let log = Tables::new(Store::in_memory().unwrap()).log("queue");
    assert!(matches!(push(&log, second(0), "a"), Err(Error::BlobsNotConfigured)));
    assert!(matches!(block_on(log.between(..).all()), Err(Error::BlobsNotConfigured)));
    assert_eq!(log.unwritten(), 0);
}

#[test]
fn logs_do_not_see_each_other_nor_other_blobs() {
    let (tables, _) = tables();
    for service in ["queue", "queues", "queu"] {
        let log = tables.log(service).write_through();
        push(&log, second(0), service).unwrap();
    }
    let here = tables.log("queue");
    push(&here, second(0), "waits").unwrap();
    let other = here.clone().container("elsewhere".parse().unwrap());
    push(&other, second(0), "elsewhere").unwrap();
    assert_eq!(flush(&other).len(), 1);
    assert_eq!((here.unwritten(), other.unwritten()), (1, 0));
    let blobs = tables.blobs().unwrap();
    for name in ["queue/readme.txt", "queue/2014/07/31/1800/notes.txt", "queue/20x4/a"] {
        let address = BlobAddress::new("logs", name).unwrap();
        block_on(blobs.put_blob(&address, "?".into(), PutBlob::new())).unwrap();
    }
    assert_eq!(texts(&all(&tables.log("queue"))), ["queue"]);
    assert_eq!(texts(&all(&other)), ["elsewhere"]);
}

#[test]
fn a_blob_that_is_no_log_is_named_with_its_line() {
    let (tables, _) = tables();
    let blob = BlobAddress::new("logs", "queue/2014/07/31/1800/000002.log").unwrap();
    let log = tables.log("queue").write_through();
    push(&log, second(0), "a").unwrap();
    let content = "2014-07-31T18:00:00Z\tfine\nnot fine\n";
    block_on(tables.blobs().unwrap().put_blob(&blob, content.into(), PutBlob::new())).unwrap();
    let error = block_on(log.between(..).all()).unwrap_err();
    assert!(matches!(error, Error::Log(LogError::Unreadable { blob: at, line: 2 }) if at == blob));
    // Valid lines of another program are read, in order.
    let content = "2014-07-31T18:00:05Z\tc\n2014-07-31T18:00:01Z\tb\n";
    block_on(tables.blobs().unwrap().put_blob(&blob, content.into(), PutBlob::new())).unwrap();
    assert_eq!(texts(&all(&log)), ["a", "b", "c"]);
    // The metadata contain no times, so the complete hour is read.
    let narrow = block_on(log.between(second(5)..second(6)).all()).unwrap();
    assert_eq!(texts(&narrow), ["c"]);
}

#[derive(Clone, Debug)]
enum Step {
    Push { writer: usize, second: u64 },
    Flush { writer: usize },
    Fates(Vec<Fate>),
}

fn step() -> impl Strategy<Value = Step> {
    let fate = prop_oneof![Just(Fate::Done), Just(Fate::AnswerLost), Just(Fate::Refused)];
    prop_oneof![
        6 => (0..3_usize, 0..10_000_u64).prop_map(|(writer, second)| Step::Push { writer, second }),
        2 => (0..3_usize).prop_map(|writer| Step::Flush { writer }),
        1 => prop::collection::vec(fate, 0..4).prop_map(Step::Fates),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_line_is_found_once_whatever_fails(
        steps in prop::collection::vec(step(), 1..60),
        span in (0..10_000_u64, 0..10_000_u64),
    ) {
        let (tables, bad) = tables();
        let writers = [2, 4, 100].map(|lines| tables.log("queue").max_lines(lines));
        let mut pushed = Vec::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Push { writer, second: seconds } => {
                    // A failed write is not a failure to add the line.
                    let _ = push(&writers[writer], second(seconds), &number.to_string());
                    pushed.push((second(seconds), number.to_string()));
                }
                Step::Flush { writer } => drop(block_on(writers[writer].flush())),
                Step::Fates(fates) => bad.next(&fates),
            }
        }
        bad.next(&[]);
        for writer in &writers {
            flush(writer);
            prop_assert_eq!(writer.unwritten(), 0);
        }
        let (from, to) = (second(span.0), second(span.1));
        for (low, high) in [(Timestamp::MIN, Timestamp::MAX), (from, to)] {
            let found = block_on(tables.log("queue").between(low..high).all()).unwrap();
            prop_assert!(found.is_sorted_by_key(|line| line.at));
            let mut found: Vec<_> = found.into_iter().map(|line| (line.at, line.fields[0].clone())).collect();
            let mut expected: Vec<_> = pushed.iter().filter(|(at, _)| low <= *at && *at < high).cloned().collect();
            found.sort();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}
