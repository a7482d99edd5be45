//! Moves: what running programs declare.

use super::{U32, changes, told, unindexed};
use crate::{
    design::{EntityTypeRule, FieldDesign},
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
