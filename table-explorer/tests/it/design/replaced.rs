//! Entities that a row of another type has replaced.

use table_model::{Condition, Entity, Operation};
use table_schema::design::FieldKind;

use super::{COMPANY, Company};
use crate::write;

const NOTE: &str = r#"
    [entity.Note]
    table = "Employees"
    partition = "{department}"
    row = "note_{id:06}"
    entity_type = "always"
    [entity.Note.fields]
    department = "string"
    id = "u32"
"#;

/// Creates a company whose employee is replaced by a note, and returns it with the page of an index row.
fn replaced() -> (Company, &'static str) {
    let company = Company::with(&format!("{COMPANY}{NOTE}"));
    let note = Entity::new("Sales", "empid_000001").with("EntityType", "Note");
    write(&company.store, &Operation::Replace(note, Condition::Exists));
    (company, "/t/Employees/e?pk=Sales&rk=email_jo%40contoso.com")
}

#[test]
fn its_index_rows_are_orphaned_and_repaired() {
    let (company, index) = replaced();
    let served = company.writable();
    let page = served.get(index);
    page.has(">orphaned<");
    served.submit(&page, "/repair", |_| {}).is(303);
    served.get("/").has("Verified: 1 row repaired").lacks("is not known");
    assert!(!company.has("Sales", "email_jo@contoso.com"));
}

#[test]
fn a_type_that_cannot_be_known_is_named() {
    let (mut company, index) = replaced();
    // As of a field with a type that only a program knows.
    let fields = company.schema.entities.iter_mut().filter(|entity| entity.name == "Note");
    fields.flat_map(|entity| &mut entity.fields).for_each(|field| field.kind = FieldKind::Unknown);
    let served = company.writable();
    served.post("/t/Employees/e/repair", &[("pk", "Sales"), ("rk", "email_jo@contoso.com")]).is(303);
    served.get("/").has("Verified: 0 rows repaired").has("rows of `Note`").has("is not known");
    served.get(index).is(200);
}
