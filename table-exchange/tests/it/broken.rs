//! Invalid lines are reported with their numbers, and the lines after them are read.

use table_exchange::{Format, MOST_BYTES};
use table_model::Entity;

use crate::lines;

fn csv(records: &[&[u8]]) -> Vec<Result<Entity, String>> {
    let header: &[u8] = b"PartitionKey,RowKey,A,A@type\n";
    lines(Format::Csv, &[&[header], records].concat().concat())
}

fn whys(lines: Vec<Result<Entity, String>>) -> Vec<String> {
    lines.into_iter().map(|line| line.map_or_else(|reason| reason, |entity| entity.row_key)).collect()
}

#[test]
fn a_line_of_csv_says_what_is_wrong_with_it() {
    let records: [&[u8]; 10] = [
        b"p,1,x,Int32\n",
        b"p,ok,\"two\nlines\",String\n",
        b"p,2,1,Int128\n",
        b"p,3,1\n",
        b"p,4,1,Int32,\n",
        b"p,5,\xff,String\n",
        // Bytes that form a character only if the comma between them is ignored.
        b"p,\xc3,\xa9,String\n",
        b"p,6,,Guid\n",
        b"p,ok,1,Int64\n",
        b"p,7,\"never",
    ];
    assert_eq!(
        whys(csv(&records)),
        [
            "line 2: `A`: `x` is no Int32",
            "ok",
            "line 5: `A`: `Int128` is no type",
            "line 6: it has 3 fields, and there are 4 columns",
            "line 7: it has 5 fields, and there are 4 columns",
            "line 8: it is not UTF-8",
            "line 9: it is not UTF-8",
            "line 10: `A`: `` is no Guid",
            "ok",
            "line 12: a quote in it is not closed; it goes to the end, line 12",
        ]
    );
}

#[test]
fn a_line_of_json_says_what_is_wrong_with_it() {
    let file = b"{\"PartitionKey\":\"p\",\"RowKey\":\"ok\"}\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"A\":\"x\",\"A@odata.type\":\"Edm.Int32\"}\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"2\",\"A\":[1]}\n\
        {\"PartitionKey\":\"p\"}\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"3\"\n\
        {\"PartitionKey\":\"p\";\n\
        [1]\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"4\",\"A\":1,\"A\":2}\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"\xff\"}\n\
        {\"PartitionKey\":1,\"RowKey\":\"5\"}\n\
        {\"PartitionKey\":\"p\",\"RowKey\":\"ok\"}";
    assert_eq!(
        whys(lines(Format::JsonLines, file)),
        [
            "ok",
            "line 2: `A`: \"x\" is no Edm.Int32",
            "line 3: `A`: [1] is no value",
            "line 4: there is no `RowKey`",
            "line 5: it ends too early",
            "line 6: expected `,` or `}`, at column 20",
            "line 7: it is no object",
            "line 8: A property is specified more than one time.",
            "line 9: it is not UTF-8",
            "line 10: `PartitionKey`: 1 is no value",
            "ok",
        ]
    );
}

#[test]
fn what_is_shown_of_a_line_is_short_and_moves_no_cursor() {
    let text = format!("\u{1b}[2J\u{202e}{}", "x".repeat(100));
    let record = format!("p,1,{text},Int32\np,2,1,{text}\n");
    let json = format!("{{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"A\":[\"{}\"]}}", "x".repeat(100));
    let found = [whys(csv(&[record.as_bytes()])), whys(lines(Format::JsonLines, json.as_bytes()))].concat();
    assert_eq!(found.len(), 3);
    for reason in found {
        assert!(reason.contains('…') && reason.chars().count() < 100, "{reason}");
        assert!(!reason.chars().any(char::is_control), "{reason:?}");
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let long = "x".repeat(MOST_BYTES);
    let record = format!("p,1,\"{long}\n\",String\n");
    let mut found = csv(&[record.as_bytes(), b"p,ok,1,Int32\n"]);
    assert_eq!(whys(found.split_off(1)), ["ok"]);
    assert_eq!(whys(found), [format!("line 2: it is longer than {MOST_BYTES} bytes; it goes over 2 lines")]);
    let json = format!(
        "{{\"PartitionKey\":\"p\",\"RowKey\":\"{long}\"}}\n{{\"PartitionKey\":\"p\",\"RowKey\":\"ok\"}}"
    );
    let found = whys(lines(Format::JsonLines, json.as_bytes()));
    assert_eq!(found, [format!("line 1: it is longer than {MOST_BYTES} bytes"), "ok".to_owned()]);
}

#[test]
fn a_line_of_nothing_but_commas_is_bounded() {
    let commas = ",".repeat(1 << 20);
    let found = whys(csv(&[commas.as_bytes(), b"\np,ok,1,Int32\n"]));
    assert_eq!(found, ["line 2: it has more than 65536 fields", "ok"]);
}
