//! Every input parses as lines or an error, in both file formats. Reading from the end of any line returns the same
//! remaining lines, and a valid entity round-trips.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use table_exchange::{Columns, Dialect, Format, Line, Place, Reader, Writer};
use table_store::{Entity, Properties, Rows, Timestamp, Value, rows::RowHead};

type Said = (u64, Result<Entity, String>);

fn reader(format: Format, data: &[u8]) -> Option<Reader<Cursor<&[u8]>>> {
    Reader::new(format, Cursor::new(data)).ok()
}

fn said(line: Line) -> Said {
    (line.number, line.entity.map_err(|broken| broken.reason))
}

/// Returns every line from a position on.
fn rest(format: Format, data: &[u8], place: Place) -> Vec<Said> {
    let mut reader = reader(format, data).expect("it was read");
    reader.seek(place).expect("it is in memory");
    reader.map(|line| said(line.expect("it is in memory"))).collect()
}

/// Normalizes values that a file does not distinguish: NaNs and signed zeros.
fn plain(entity: Entity) -> Entity {
    let mut properties = Properties::new();
    for (name, value) in entity.properties {
        properties.push_new(
            name,
            match value {
                Value::Double(number) if number.is_nan() => Value::Double(f64::NAN),
                Value::Double(number) => Value::Double(number + 0.0),
                other => other,
            },
        );
    }
    Entity { properties, ..entity }
}

fn reads_back(entity: &Entity) {
    let mut rows = Rows::new();
    let head = RowHead::whole(&entity.partition_key, &entity.row_key, Timestamp::MIN_STORED);
    rows.push(head, entity.properties.refs()).expect("a table can hold it");
    let row = rows.get(0).expect("it was pushed");
    let mut columns = Columns::new();
    columns.note(&row);
    for format in [Format::Csv, Format::JsonLines] {
        let mut file = Vec::new();
        let mut writer = match format {
            Format::Csv => Writer::csv(&mut file, columns.clone(), Dialect::Edm).expect("into memory"),
            Format::JsonLines => Writer::json_lines(&mut file),
        };
        writer.write(&row).expect("into memory");
        writer.finish().expect("into memory");
        let again: Vec<_> = reader(format, &file).expect("it was written").collect();
        let [Ok(Line { entity: Ok(again), .. })] = again.as_slice() else { panic!("{again:?}") };
        assert_eq!(&plain(again.clone()), entity);
    }
}

fuzz_target!(|data: &[u8]| {
    for format in [Format::Csv, Format::JsonLines] {
        let Some(reader) = reader(format, data) else { continue };
        let mut before = reader.place();
        let lines: Vec<Line> = reader.map(|line| line.expect("it is in memory")).collect();
        for line in &lines {
            assert!(
                line.end.offset > before.offset && line.number >= before.line && line.end.line >= line.number
            );
            before = line.end;
        }
        let all: Vec<Said> = lines.iter().cloned().map(said).collect();
        // One position per file, since all positions would be slow.
        if let Some(at) = data.len().checked_rem(lines.len()) {
            assert_eq!(rest(format, data, lines[at].end), all[at + 1..]);
        }
        for (_, entity) in all {
            if let Ok(entity) = entity
                && entity.check(Default::default()).is_ok()
            {
                reads_back(&plain(entity));
            }
        }
    }
});
