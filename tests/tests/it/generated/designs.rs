//! The reverse direction: the derives of the generated code describe the design from which it was generated.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::collections::BTreeMap;

use table_codegen::{Schema, from_designs, generate, read, write};
use table_patterns::{Design, TableEntity};
use table_schema::design::{EntityDesign, FieldKind};
use table_tests::generated::{company, iot, logins, orders};

fn original(name: &str) -> Schema {
    let path = format!("{}/../table-codegen/tests/schemas/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    read(&text, name).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Returns the parts of an entity that a derive preserves.
fn kept(entity: &EntityDesign) -> String {
    let text =
        |text: &Option<table_schema::design::TemplateText>| text.as_ref().map(|text| text.text().to_owned());
    let kind = |kind: &FieldKind| match kind {
        FieldKind::Text { .. } | FieldKind::Enum { .. } => "text".to_owned(),
        other => format!("{other:?}"),
    };
    let fields: BTreeMap<&str, String> = entity
        .fields
        .iter()
        .map(|field| {
            let said =
                format!("{} {} {} {:?}", kind(&field.kind), field.optional, field.encrypted, field.series);
            (field.name.as_str(), said)
        })
        .collect();
    let indexes: Vec<_> = entity
        .indexes
        .iter()
        .map(|index| (&index.name, text(&index.partition), text(&index.row), index.unique))
        .collect();
    let lookups: Vec<_> =
        entity.lookups.iter().map(|lookup| (&lookup.name, &lookup.on, lookup.place)).collect();
    let keys = [text(&entity.table), text(&entity.partition), text(&entity.row)];
    format!("{keys:?} {fields:#?} {indexes:?} {lookups:?} {:?} {:?}", entity.wide, entity.shard)
}

fn there_and_back(name: &str, designs: &[&Design]) {
    let back = from_designs(name, designs).schema;
    let again = read(&write(&back), name).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(again, back);
    for entity in &original(name).entities {
        // Its key has the name of its source's key, and its copies are plain fields.
        if entity.name != "Department" {
            assert_eq!(back.entity(&entity.name).map(kept), Some(kept(entity)));
        }
    }
    let rust = generate::generate(&back, &generate::Options::default());
    assert!(rust.is_ok(), "{rust:?}");
}

#[test]
fn the_derives_of_what_is_written_say_the_design() {
    there_and_back(
        "company",
        &[company::Department::DESIGN, company::Employee::DESIGN, company::Review::DESIGN],
    );
    there_and_back("iot", &[iot::Day::DESIGN, iot::Latest::DESIGN]);
    there_and_back("logins", &[logins::Login::DESIGN, logins::LastLogin::DESIGN]);
    there_and_back("orders", &[orders::Order::DESIGN, orders::Line::DESIGN]);
}

#[test]
fn a_total_comes_back_at_its_reader() {
    let back = from_designs("company", &[company::Department::DESIGN, company::Employee::DESIGN]);
    let total = &back.schema.entity("Department").unwrap().totals[0];
    assert_eq!((total.name.as_str(), total.entity.as_str()), ("employee_count", "Employee"));
    assert_eq!(total.matches, [("department".to_owned(), "department".to_owned())]);
    assert!(back.notes.is_empty(), "{:?}", back.notes);
}
