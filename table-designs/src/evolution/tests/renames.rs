//! Proposals of renames.

use super::{TEXT, changes, unindexed};
use table_schema::design::FieldDesign;

/// Fields of nested structs are renamed in each struct.
#[test]
fn renames_are_proposed_within_a_nested_struct() {
    let mut from = unindexed();
    let fields =
        |name: &str| ["billing", "home"].map(|part| FieldDesign::new(format!("{part}_{name}"), TEXT));
    from.entities[0].fields.extend(fields("zip"));
    let found = changes(&from, |schema| {
        schema.entities[0].fields.truncate(4);
        schema.entities[0].fields.extend(fields("postcode"));
    });
    let reason = |subject: &str| &found.iter().find(|change| change.subject == subject).unwrap().reason;
    for part in ["billing", "home"] {
        let (old, new) = (format!("{part}_zip"), format!("{part}_postcode"));
        let added = reason(&format!("Employee.{new}"));
        assert!(added.contains(&format!("if `{old}` was renamed: `was = \"{old}\"`")), "{added}");
        let removed = reason(&format!("Employee.{old}"));
        assert!(removed.contains(&format!("if it was renamed to `{new}`")), "{removed}");
    }
}
