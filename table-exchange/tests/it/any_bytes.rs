//! Any input is a sequence of lines, and the lines after a position do not depend on the input before it.

use std::io::Cursor;

use proptest::prelude::*;
use table_exchange::{Format, Line, Reader};
use table_model::Entity;

const PIECES: [&[u8]; 18] = [
    b"\"",
    b"\"\"",
    b",",
    b"\n",
    b"\r\n",
    b"\r",
    b"#",
    b"p,1,",
    b"x",
    b",String\n",
    b"\xff",
    b"\xc3",
    b" ",
    b"{\"PartitionKey\":\"p\",\"RowKey\":\"",
    b"\"}\n",
    b"{",
    b"null",
    b"\xef\xbb\xbf",
];

fn files() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60).prop_map(|pieces| {
        let header: &[u8] = b"PartitionKey,RowKey,A,A@type\n";
        [header, &pieces.concat()].concat()
    })
}

fn said(line: &Line) -> (u64, Result<&Entity, &str>) {
    (line.number, line.entity.as_ref().map_err(|broken| broken.reason.as_str()))
}

proptest! {
    #[test]
    fn lines_rise_and_from_the_end_of_each_the_rest_is_the_same(file in files()) {
        for format in [Format::Csv, Format::JsonLines] {
            let start = || Reader::new(format, Cursor::new(file.as_slice())).unwrap();
            let mut before = start().place();
            let lines: Vec<Line> = start().map(Result::unwrap).collect();
            for (at, line) in lines.iter().enumerate() {
                prop_assert!(line.number >= before.line && line.end.offset > before.offset);
                before = line.end;
                let mut reader = start();
                reader.seek(line.end).unwrap();
                let rest: Vec<Line> = reader.map(Result::unwrap).collect();
                let behind = lines.iter().skip(at + 1);
                prop_assert!(rest.iter().map(said).eq(behind.map(said)), "{:?}, behind {:?}", format, line);
            }
        }
    }
}
