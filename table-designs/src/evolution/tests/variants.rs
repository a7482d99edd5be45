//! Fields of enums, which only some variants require.

use super::*;
use table_schema::design::RequiredIf;

/// Returns an entity with a tag and a field that these variants require, if it has the field.
fn with(words: &[&str], required_in: Option<&[&str]>) -> Schema {
    let mut schema = unindexed();
    let fields = &mut schema.entities[0].fields;
    let variants = words.iter().map(|word| (*word).to_owned()).collect();
    fields.push(FieldDesign::new("payment_kind", FieldKind::Enum { variants }));
    fields.extend(required_in.map(|words| FieldDesign {
        optional: true,
        required_if: (!words.is_empty()).then(|| RequiredIf::new("payment_kind", words.iter().copied())),
        ..FieldDesign::new("payment_last4", TEXT)
    }));
    schema
}

#[test]
fn a_new_variant_is_read_first_and_its_fields_are_safe() {
    let found = changes(&with(&["cash"], None), |schema| *schema = with(&["card", "cash"], Some(&["card"])));
    let expected = [("C01", "Employee.payment_last4", "safe"), ("C24", "Employee.payment_kind", "ordered")];
    assert_eq!(told(&found), expected);
    assert_eq!(found[1].old_programs, OldPrograms::RefuseRows);
}

#[test]
fn a_required_field_of_an_existing_variant_is_refused() {
    let (none, optional) = (with(&["card", "cash"], None), with(&["card", "cash"], Some(&[])));
    let (required, shared) =
        (with(&["card", "cash"], Some(&["card"])), with(&["card", "cash"], Some(&["card", "cash"])));
    let found = |from: &Schema, to: &Schema| {
        let changes = changes(from, |schema| *schema = to.clone());
        changes.iter().map(|one| (one.code.as_str(), one.verdict.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(found(&none, &required), [("C03", "refused")]);
    assert_eq!(found(&none, &optional), [("C01", "safe")]);
    assert_eq!(found(&optional, &required), [("C22", "refused")]);
    assert_eq!(found(&required, &shared), [("C22", "refused")]);
    // Older programs reject rows of the variant without the field.
    assert_eq!(found(&required, &optional), [("C23", "ordered")]);
    assert_eq!(found(&shared, &required), [("C23", "ordered")]);
    assert_eq!(found(&required, &none), [("C08", "ordered")]);
    assert_eq!(found(&shared, &shared), []);
}
