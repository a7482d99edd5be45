//! The corpus of rule violations: the code, the location and the complete text of each, as printed by every front end.

#![expect(clippy::expect_used, reason = "a test may stop where its own data is wrong")]

mod entities;
mod paths;
mod templates;

use table_schema::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, FieldDesign, FieldKind, IndexDesign, Place, Which},
    rules::check,
};

const TEXT: FieldKind = FieldKind::Text { max: None };
const U32: FieldKind = FieldKind::Int { bits: 32, signed: false };
const I32: FieldKind = FieldKind::Int { bits: 32, signed: true };

fn text(max: usize) -> FieldKind {
    FieldKind::Text { max: Some(max) }
}

/// Creates an entity with these templates and fields.
fn entity(name: &str, partition: &str, row: &str, fields: &[(&str, FieldKind)]) -> EntityDesign {
    let mut design = EntityDesign::new(name);
    design.table = Some("Employees".into());
    design.partition = Some(partition.into());
    design.row = Some(row.into());
    design.fields = fields.iter().map(|(name, kind)| FieldDesign::new(*name, kind.clone())).collect();
    design
}

fn employee() -> EntityDesign {
    let fields = [
        ("department", TEXT),
        ("id", U32),
        ("first_name", TEXT),
        ("last_name", TEXT),
        ("email", TEXT),
        ("badge", U32),
        ("age", I32),
    ];
    entity("Employee", "{department}", "empid_{id:06}", &fields)
}

fn with_index(index: IndexDesign) -> EntityDesign {
    let mut design = employee();
    design.indexes.push(index);
    design
}

fn field<'d>(design: &'d mut EntityDesign, name: &str) -> &'d mut FieldDesign {
    design.fields.iter_mut().find(|field| field.name == name).expect("a field of the test's own")
}

/// Returns the only violation of a design.
fn only(design: &EntityDesign) -> RuleViolation {
    let mut mistakes = check(design);
    assert_eq!(mistakes.len(), 1, "{mistakes:#?}");
    mistakes.remove(0)
}

fn is(design: &EntityDesign, code: Code, place: &Place, text: &str) {
    let mistake = only(design);
    assert_eq!(mistake.to_string(), text);
    assert_eq!((mistake.code, &mistake.place), (code, place));
}

/// Asserts the only violation of an entity `E` with the text field `p`, this row template and these fields. It must be
/// in the row template.
fn row_is(row: &str, fields: &[(&str, FieldKind)], code: Code, carets: &str, message: &str, help: &str) {
    let fields: Vec<_> = [("p", TEXT)].into_iter().chain(fields.iter().cloned()).collect();
    let mistake = only(&entity("E", "{p}", row, &fields));
    let expected = format!("{message}\n  \"{row}\"\n   {carets}\n\nhelp: {help}");
    assert_eq!(mistake.to_string(), expected);
    assert_eq!(mistake.code, code);
    assert!(matches!(mistake.place, Place::Template { which: Which::Row, .. }), "{:?}", mistake.place);
}
