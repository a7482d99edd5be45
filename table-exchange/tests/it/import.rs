//! Import of lines into a table.

use std::{fmt::Write, io::Cursor};

use table_exchange::{Format, Import, Mode, Reader, Windows};
use table_model::{Capabilities, Entity, ErrorCode, Operation, TableService};

use crate::Table;

const HEADER: &str = "PartitionKey,RowKey,A,A@type\n";

fn file(lines: impl Iterator<Item = (String, String)>) -> String {
    lines.enumerate().fold(HEADER.to_owned(), |mut file, (at, (partition, row))| {
        let _ = writeln!(file, "{partition},{row},{at},Int64");
        file
    })
}

#[test]
fn lines_of_a_partition_share_transactions_wherever_they_stand() {
    let lines = (0..500).map(|at| (format!("p{}", at % 2), format!("{at:04}")));
    let table = Table::new();
    let sent = table.import(Format::Csv, file(lines).as_bytes(), Mode::Insert);
    // 250 entities in each of two partitions: 100, 100 and 50.
    assert_eq!((sent.written, sent.transactions), (500, 6));
    assert_eq!(table.content().len(), 500);
}

#[test]
fn large_entities_make_small_transactions() {
    let text = "x".repeat(30_000);
    let mut file = "PartitionKey,RowKey,A,B,C,D,E,F,G,H\n".to_owned();
    for row in 0..20 {
        let _ = writeln!(file, "p,{row:02}{}", format!(",{text}").repeat(8));
    }
    let table = Table::new();
    let sent = table.import(Format::Csv, file.as_bytes(), Mode::Upsert);
    assert_eq!((sent.written, sent.transactions), (20, 3));
}

#[test]
fn operations_are_replaced_before_they_are_sent() {
    let rows = ["1", "2", "3"].map(|row| ("p".to_owned(), row.to_owned()));
    let file = file(rows.into_iter());
    let table = Table::new();
    table.import(Format::Csv, b"PartitionKey,RowKey\np,1\n", Mode::Insert);
    let reader = Reader::new(Format::Csv, file.as_bytes()).unwrap();
    let can = table.store.capabilities().clone();
    let mut window = Windows::new(reader, Mode::Upsert, can).next().unwrap().unwrap();
    window.replace(|line, operation| match operation {
        Operation::InsertOrReplace(entity) => (line != 4).then_some(Operation::Insert(entity)),
        other => panic!("{other:?}"),
    });
    let sent = pollster::block_on(Import::new(&table.store, &table.name).send(window)).unwrap();
    let refused: Vec<_> = sent.refused.iter().map(|refused| (refused.line, refused.code)).collect();
    assert_eq!((sent.written, refused), (1, vec![(2, ErrorCode::EntityAlreadyExists)]));
    assert_eq!(table.content(), [Entity::new("p", "1"), Entity::new("p", "2").with("A", 1_i64)]);
}

#[test]
fn the_last_line_of_a_key_stays() {
    let rows = ["1", "2", "1", "3", "2", "1"].map(|row| ("p".to_owned(), row.to_owned()));
    let table = Table::new();
    let sent = table.import(Format::Csv, file(rows.into_iter()).as_bytes(), Mode::Upsert);
    assert_eq!(sent.written, 6);
    let expected = [("1", 5_i64), ("2", 4), ("3", 3)].map(|(row, at)| Entity::new("p", row).with("A", at));
    assert_eq!(table.content(), expected);
}

#[test]
fn what_is_refused_is_told_by_its_line_and_all_else_is_written() {
    let table = Table::new();
    let row = |row: u32| ("p".to_owned(), format!("{row:03}"));
    table.import(Format::Csv, file([row(7), row(42)].into_iter()).as_bytes(), Mode::Insert);
    let sent = table.import(Format::Csv, file((0..50).map(row)).as_bytes(), Mode::Insert);
    let refused: Vec<_> = sent.refused.iter().map(|refused| (refused.line, refused.code)).collect();
    assert_eq!(refused, [(9, ErrorCode::EntityAlreadyExists), (44, ErrorCode::EntityAlreadyExists)]);
    assert_eq!((sent.written, table.content().len()), (48, 50));

    for (mode, written) in
        [(Mode::Replace, 50), (Mode::Merge, 50), (Mode::Upsert, 60), (Mode::UpsertMerge, 60)]
    {
        let sent = table.import(Format::Csv, file((0..60).map(row)).as_bytes(), mode);
        assert_eq!(sent.written, written, "{mode:?}");
        assert!(sent.refused.iter().all(|refused| refused.code == ErrorCode::ResourceNotFound), "{mode:?}");
        if written == 60 {
            break;
        }
    }
}

#[test]
fn what_a_line_does_not_say_stays_under_merge_and_goes_under_replace() {
    let first = br#"{"PartitionKey":"p","RowKey":"r","A":1,"B":1}"#;
    let second = br#"{"PartitionKey":"p","RowKey":"r","A":2}"#;
    let both = Entity::new("p", "r").with("A", 2).with("B", 1);
    let one = Entity::new("p", "r").with("A", 2);
    for (mode, expected) in
        [(Mode::Merge, &both), (Mode::UpsertMerge, &both), (Mode::Replace, &one), (Mode::Upsert, &one)]
    {
        let table = Table::of(Format::JsonLines, first);
        table.import(Format::JsonLines, second, mode);
        assert_eq!(table.content(), std::slice::from_ref(expected), "{mode:?}");
    }
}

#[test]
fn what_the_service_would_not_take_is_broken_before_it_is_sent() {
    let file = format!("{HEADER}p#,1,1,Int32\np,2,1601-01-01,DateTime\np,3,1600-01-01,DateTime\n");
    let reader = Reader::new(Format::Csv, file.as_bytes()).unwrap();
    let mut windows = Windows::new(reader, Mode::Insert, Capabilities::azure());
    let broken: Vec<_> = windows.next().unwrap().unwrap().broken.iter().map(|broken| broken.line).collect();
    assert_eq!(broken, [2, 4]);
    assert!(windows.next().is_none());
}

#[test]
fn a_file_of_nothing_but_broken_lines_is_read_in_pieces() {
    let file = format!("{HEADER}{}", "broken\n".repeat(25_000));
    let reader = Reader::new(Format::Csv, file.as_bytes()).unwrap();
    let windows = Windows::new(reader, Mode::Insert, Capabilities::azure());
    let broken: Vec<_> = windows.map(|window| window.unwrap().broken.len()).collect();
    assert_eq!(broken, [10_000, 10_000, 5_000]);
}

/// Interrupts an import after every possible number of windows and resumes it with another import. The final content
/// equals that of an uninterrupted import.
#[test]
fn an_import_goes_on_where_it_was_ended() {
    // Repeated keys and invalid lines create windows of all sizes.
    let mut text = file((0..300).map(|at| (format!("p{}", at % 3), format!("{}", at * 7 % 40))));
    text.push_str("p,1,\"text\nof lines\",String\np,broken\np,2,\"\",String");
    let whole = Table::new();
    let start = || Reader::new(Format::Csv, Cursor::new(text.as_bytes())).unwrap();
    let run = |table: &Table, reader, most: usize| {
        let windows = Windows::new(reader, Mode::Upsert, Capabilities::embedded()).ending_at_broken(true);
        let import = Import::new(&table.store, &table.name);
        pollster::block_on(async {
            import.prepare().await.unwrap();
            let mut end = None;
            for window in windows.take(most) {
                let window = window.unwrap();
                end = Some(window.end);
                import.send(window).await.unwrap();
            }
            end
        })
    };
    run(&whole, start(), usize::MAX);
    let content = whole.content();
    for most in 1.. {
        let table = Table::new();
        let end = run(&table, start(), most).unwrap();
        let mut reader = start();
        reader.seek(end).unwrap();
        let rest = run(&table, reader, usize::MAX);
        assert_eq!(table.content(), content, "ended after {most}");
        if rest.is_none() {
            assert!(most > 3, "there were several windows");
            return;
        }
    }
}
