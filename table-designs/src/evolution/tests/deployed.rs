//! Change feeds, versions and moves: what running programs declare.

use super::{U32, changes, employee, told, unindexed};
use crate::{
    evolution::{Change, ChangeCode, Means, Step, compare, plan},
    schema::Schema,
};
use table_schema::{
    design::{
        ChangesDesign, CopiedFields, EntityDesign, EntityTypeRule, FieldDesign, IndexDesign, TotalDesign,
    },
    language::{Span, SpanUnit},
    static_design::Aggregate,
};

#[test]
fn a_feed_is_a_change_of_its_own() {
    let feed = |schema: &mut Schema| {
        schema.entities[0].entity_type = EntityTypeRule::Always;
        schema.entities[0].changes = Some(ChangesDesign::default());
    };
    let mut with = unindexed();
    feed(&mut with);
    let mut without = with.clone();
    without.entities[0].changes = None;
    assert_eq!(told(&changes(&without, feed)), [("C09", "Employee.changes", "ordered")]);
    let removed = changes(&with, |schema| schema.entities[0].changes = None);
    assert_eq!(told(&removed), [("C10", "Employee.changes", "ordered")]);
    assert_eq!(removed[0].steps, [Step::DropIndex, Step::Deploy]);
    let longer = changes(&with, |schema| {
        let keep = Span { number: 30, unit: SpanUnit::Day };
        schema.entities[0].changes = Some(ChangesDesign { keep, old: true });
    });
    assert_eq!(told(&longer), [("C00", "Employee.changes", "safe")]);
}

#[test]
fn a_version_that_is_no_longer_read_is_a_change() {
    let mut base = unindexed();
    let read = |entity: &mut EntityDesign, version: u32, oldest: u32| {
        (entity.version, entity.oldest) = (version, oldest);
        entity.from.clear();
        if version > oldest {
            entity.from.push(format!("EmployeeV{}", version - 1));
        }
    };
    base.entities[0].entity_type = EntityTypeRule::Always;
    read(&mut base.entities[0], 2, 1);
    let found = changes(&base, |schema| read(&mut schema.entities[0], 2, 2));
    assert_eq!(told(&found), [("C07", "Employee.oldest", "ordered")]);
    assert_eq!(found[0].steps, [Step::Upgrade, Step::Retire]);
    let raised = changes(&base, |schema| read(&mut schema.entities[0], 3, 2));
    assert_eq!(told(&raised), [("C07", "Employee", "ordered"), ("C07", "Employee.oldest", "ordered")]);
    // No program could read and upgrade the rows of version 2.
    let both = changes(&base, |schema| read(&mut schema.entities[0], 3, 3));
    let refused = both.iter().find(|change| change.subject == "Employee.oldest").unwrap();
    assert_eq!((refused.code.as_str(), refused.verdict.as_str()), ("C07", "refused"));
    assert!(refused.reason.contains("deploy version 3 with `oldest = 2`"), "{}", refused.reason);
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
fn the_type_name_of_derived_rows_is_kept() {
    let mut base = employee();
    base.entities[0].entity_type = EntityTypeRule::Named("Staff".to_owned());
    let renamed = |schema: &mut Schema| {
        schema.entities[0].entity_type = EntityTypeRule::Named("Emp".to_owned());
        schema.entities[0].aliases = vec!["Staff".to_owned()];
    };
    assert_eq!(told(&changes(&base, renamed)), [("C29", "Employee", "ordered")]);
    // A change feed.
    let mut with = base.clone();
    with.entities[0].changes = Some(ChangesDesign::default());
    let found = changes(&with, renamed);
    assert_eq!(told(&found), [("C29", "Employee", "refused")]);
    assert!(found[0].reason.starts_with("records of its change feed are stored"), "{}", found[0].reason);
    // The source of an aggregate, and its target.
    let counted = |source: &str| TotalDesign {
        name: "staff".to_owned(),
        about: None,
        by: Aggregate::Count,
        entity: source.to_owned(),
        field: None,
        matches: Vec::new(),
        when: None,
    };
    let is_refused = |with: &Schema| {
        let mut new = with.clone();
        renamed(&mut new);
        told(&compare(with, &new)).contains(&("C29", "Employee", "refused"))
    };
    assert!(!is_refused(&base));
    let mut with = base.clone();
    with.entities.push(EntityDesign { totals: vec![counted("Employee")], ..EntityDesign::new("Office") });
    assert!(is_refused(&with));
    let mut with = base;
    with.entities[0].totals = vec![counted("Desk")];
    assert!(is_refused(&with));
}

/// Jobs find the rows of an index by their keys, so these must not be those of an entity in the other design.
#[test]
fn an_index_at_keys_of_entities_of_the_other_design_is_refused() {
    let base = unindexed();
    let moved = |schema: &mut Schema| schema.entities[0].row = Some("e_{id:08}".into());
    let index = |schema: &mut Schema, row: &str| {
        moved(schema);
        schema.entities[0].indexes.push(IndexDesign::new("by_old", row));
    };
    let found = changes(&base, |schema| index(schema, "empid_{id:06}"));
    assert_eq!(
        told(&found),
        [("C09", "Employee.by_old", "refused"), ("C17", "Employee", "migrate")],
        "{found:?}"
    );
    let mut with = base.clone();
    index(&mut with, "empid_{id:06}");
    let back = changes(&with, |schema| *schema = base.clone());
    assert_eq!(told(&back), [("C10", "Employee.by_old", "refused"), ("C17", "Employee", "migrate")]);
    assert!(back[0].steps.is_empty() && back[0].reason.contains("keys of `Employee` in the newer design"));
    // With a word of its own, and without a move, nothing is met.
    let found = changes(&base, |schema| index(schema, "old_{id:06}"));
    assert_eq!(told(&found), [("C09", "Employee.by_old", "migrate"), ("C17", "Employee", "migrate")]);
    let dropped = changes(&with, |schema| schema.entities[0].indexes.clear());
    assert_eq!(told(&dropped), [("C10", "Employee.by_old", "migrate")]);

    // An index with another name at the same keys would lose its rows.
    let mut named = employee();
    named.entities[0].indexes[0].name = "by_mail".to_owned();
    let renamed = changes(&employee(), |schema| *schema = named);
    assert_eq!(
        told(&renamed),
        [("C09", "Employee.by_mail", "refused"), ("C10", "Employee.by_email", "refused")]
    );
}

#[test]
fn another_form_of_a_value_is_upgraded_with_a_version() {
    let mut base = unindexed();
    base.entities[0].entity_type = EntityTypeRule::Always;
    let encrypt = |schema: &mut Schema| schema.entities[0].fields[2].encrypted = true;
    let plain = changes(&base, encrypt);
    assert!(told(&plain) == [("C20", "Employee.email", "ordered")] && !plain[0].is_by_version());
    let raised = changes(&base, |schema| {
        encrypt(schema);
        (schema.entities[0].version, schema.entities[0].from) = (2, vec!["EmployeeV1".to_owned()]);
    });
    let change = raised.iter().find(|change| change.code == ChangeCode::C20).unwrap();
    assert!(change.is_by_version() && change.steps.ends_with(&[Step::Upgrade, Step::Retire]), "{change:?}");
    let schema = base;
    let means = |_: &Change| Means::default();
    assert_eq!(plan(&plain, &schema, &means).blocked.len(), 1);
    let planned = plan(&raised, &schema, &means);
    assert!(planned.blocked.is_empty());
    let actions: Vec<&str> = planned.steps.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(actions, ["deploy-readers", "deploy", "upgrade", "check-versions"]);
}

/// Either struct of a move can have the name that the entity had.
#[test]
fn the_new_struct_of_a_move_is_no_new_entity() {
    let mut base = unindexed();
    base.entities[0].entity_type = EntityTypeRule::Always;
    let moved = |schema: &mut Schema| {
        let mut new = schema.entities[0].clone();
        (new.name, new.entity_type) = ("Staff".to_owned(), EntityTypeRule::Named("Employee".to_owned()));
        new.table = Some("Staff".into());
        schema.entities.push(new);
    };
    let found = changes(&base, moved);
    assert_eq!(told(&found), [("C00", "Staff", "safe"), ("C18", "Staff", "migrate")]);
    assert!(found[0].reason.starts_with("the new struct of `Employee`"), "{}", found[0].reason);
    // A required field of the new struct is determined by the conversion of the move, not by stored rows.
    let mut both = base.clone();
    moved(&mut both);
    assert!(changes(&both, |_| {}).is_empty());
}
