//! Fixes are tested changes, and causes come before symptoms.

use table_advisor::{Advice, Model};
use table_codegen::Schema;
use table_schema::catalogue::{Code, Severity};

fn read(text: &str) -> Schema {
    table_codegen::read(&format!("tables = 1\n{text}"), "t.toml")
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn fix_of(advice: &Advice, code: Code) -> String {
    let found = advice.findings.iter().find(|finding| finding.code == code);
    found.unwrap_or_else(|| panic!("no {code}")).fix.clone()
}

fn codes<'f>(findings: impl Iterator<Item = &'f table_advisor::Finding>) -> Vec<Code> {
    findings.map(|finding| finding.code).collect()
}

const NEWEST: &str = "[entity.Item]\ntable = \"Items\"\npartition = \"{p:02}\"\nrow = \"{at:ticks}_{r:07}\"\n[entity.Item.fields]\np = \"u8\"\nat = \"datetime\"\nr = \"u32\"\nnote = \"string(100)\"\n\
     [query.newest]\nfind = \"Item\"\nwhere = \"p = ?\"\nlatest = 50\nrate = \"100/s\"\n\
     [load.Item]\ncount = 2_000_000\ninsert = \"1/s\"\nvalues.p = { distinct = 10 }";

/// C6: the order of rows is the cause of the load, of the pages, and of the bill.
#[test]
fn symptoms_are_below_the_finding_whose_fix_removes_them() {
    let schema = read(NEWEST);
    let advice = Model::new(&schema).advice();
    let cause = advice.findings.iter().find(|finding| finding.code == Code::Q08).expect("the cause");
    assert_eq!(cause.fix, "[entity.Item]\nrow = \"{at:inverted_ticks}_{r:07}\"");
    assert_eq!(codes(advice.symptoms(cause)), [Code::K01, Code::T06, Code::Q06, Code::Q09, Code::T08]);
    assert_eq!(codes(advice.causes()), [Code::Q08, Code::K07]);
}

/// C6: a query that reads little needs no index.
#[test]
fn a_scan_of_few_rows_is_a_note_without_a_fix() {
    let of = |rate: &str, count: u32| {
        let schema = read(&format!(
            "[entity.Item]\ntable = \"Items\"\npartition = \"{{p}}\"\nrow = \"{{r:07}}\"\n[entity.Item.fields]\np = \"string(20)\"\nr = \"u32\"\nn = \"u32\"\n\
             [query.q]\nfind = \"Item\"\nwhere = \"p = ? and n = ?\"\nrate = \"{rate}\"\n[load.Item]\ncount = {count}\nvalues.p = {{ distinct = 1 }}"
        ));
        let advice = Model::new(&schema).advice();
        let severity =
            advice.findings.iter().find(|finding| finding.code == Code::Q02).map(|finding| finding.severity);
        let is_proposed = advice.suggestions.iter().any(|suggestion| suggestion.code == Code::Q02);
        (severity, is_proposed)
    };
    assert_eq!(of("100/day", 20), (Some(Severity::Note), false));
    assert_eq!(of("1/day", 20_000), (Some(Severity::Note), false), "less than a row per second");
    assert_eq!(of("100/s", 20_000), (Some(Severity::Warning), true));
}

/// C2: the period of tables is one of the field that the design has.
#[test]
fn the_fix_of_retention_names_a_field_of_the_design() {
    let schema = read(
        "[entity.Ticket]\ntable = \"Tickets\"\npartition = \"{queue}\"\nrow = \"t_{number:08}\"\nkeep = \"400d\"\n[entity.Ticket.fields]\nqueue = \"string(20)\"\nnumber = \"u32\"\nopened = \"datetime\"\n\
         [query.newest]\nfind = \"Ticket\"\nwhere = \"queue = ?\"\nlatest = 10\nrate = \"1/s\"\n\
         [load]\npeak = 2.0\n[load.Ticket]\ninsert = \"10/s\"\nvalues.queue = { distinct = 50 }",
    );
    let fix = fix_of(&Model::new(&schema).advice(), Code::T01);
    assert!(fix.contains("{opened:%Y%m}"), "{fix}");
}

/// C2: no key of the language distributes the reads of one entity.
#[test]
fn point_reads_of_one_entity_have_no_shards() {
    let schema = read(
        "[entity.Link]\ntable = \"Links\"\npartition = \"{code}\"\nrow = \"link\"\n[entity.Link.fields]\ncode = \"string(8)\"\nurl = \"string(200)\"\n\
         [query.resolve]\nfind = \"Link\"\nwhere = \"code = ?\"\nrate = \"200_000/s\"\n[load.Link]\ncount = 200_000\nvalues.code = { zipf = 1.0 }",
    );
    let fix = fix_of(&Model::new(&schema).advice(), Code::K01);
    assert!(!fix.contains("shard") && fix.contains("cache"), "{fix}");
}

/// C2, C9: a time is no order of points, their complement is.
#[test]
fn the_greatest_of_a_number_are_first_in_its_descending_format() {
    let schema = read(
        "[entity.Score]\ntable = \"Scores\"\npartition = \"{board}\"\nrow = \"{points:08}_{player:08}\"\n[entity.Score.fields]\nboard = \"string(20)\"\npoints = \"u32\"\nplayer = \"u32\"\n\
         [query.top]\nfind = \"Score\"\nwhere = \"board = ?\"\nlatest = 10\nrate = \"10/s\"\n[load.Score]\ncount = 1_000_000\nvalues.board = { distinct = 100 }\nvalues.points = { rising = true }",
    );
    let fix = fix_of(&Model::new(&schema).advice(), Code::Q08);
    assert_eq!(fix, "[entity.Score]\nrow = \"{points:inverted_08}_{player:08}\"");
}
