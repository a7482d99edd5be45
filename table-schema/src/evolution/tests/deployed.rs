//! Moves and copied fields: what running programs declare.

use super::{U32, changes, employee, told, unindexed};
use crate::{
    design::{CopiedFields, EntityTypeRule, FieldDesign},
    schema::Schema,
};

#[test]
fn the_old_struct_of_a_move_is_no_new_entity() {
    let mut base = unindexed();
    base.entities[0].entity_type = EntityTypeRule::Always;
    let moved = |schema: &mut Schema| {
        let mut old = schema.entities[0].clone();
        (old.name, old.entity_type) = ("EmployeeV1".to_owned(), EntityTypeRule::Named("Employee".to_owned()));
        schema.entities[0].table = Some("Staff".into());
        schema.entities.push(old);
    };
    let found = changes(&base, moved);
    assert_eq!(told(&found), [("C00", "EmployeeV1", "safe"), ("C18", "Employee", "migrate")]);
    assert!(found[0].reason.starts_with("the old struct of `Employee`"), "{}", found[0].reason);
    // It has all rows, so its changes are those of the entity.
    let found = changes(&base, |schema| {
        moved(schema);
        schema.entities[1].fields.push(FieldDesign { default: None, ..FieldDesign::new("level", U32) });
    });
    assert!(told(&found).contains(&("C03", "EmployeeV1.level", "refused")), "{found:?}");
}

#[test]
fn a_copied_field_with_another_stored_name_is_a_change() {
    let mut base = employee();
    base.entities[0].entity_type = EntityTypeRule::Always;
    let renamed = |schema: &mut Schema| {
        let entity = &mut schema.entities[0];
        (entity.version, entity.from) = (2, vec!["EmployeeV1".to_owned()]);
        entity.fields[3] = FieldDesign { was: Some("age".to_owned()), ..FieldDesign::new("years", U32) };
        entity.indexes[0].copy = CopiedFields::Only(vec!["years".to_owned()]);
    };
    let found = changes(&base, renamed);
    assert_eq!(told(&found), [("C04", "Employee.years", "ordered"), ("C11", "Employee.by_email", "migrate")]);
    assert!(found[1].reason.starts_with("its rows contain `age` (now `years`) "), "{}", found[1].reason);
    // An index that contains all fields, or none of them, has the same definition in both versions.
    for copy in [CopiedFields::All, CopiedFields::Only(Vec::new())] {
        base.entities[0].indexes[0].copy = copy.clone();
        let found = changes(&base, |schema| {
            renamed(schema);
            schema.entities[0].indexes[0].copy = copy;
        });
        assert_eq!(told(&found), [("C04", "Employee.years", "ordered")]);
    }
}
