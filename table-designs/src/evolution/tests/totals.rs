//! Aggregates.

use super::{I64, TEXT, changes, told, unindexed};
use crate::evolution::{ChangeCode, Verdict, verdict};
use table_schema::{
    design::{EntityDesign, FieldDesign, TotalDesign},
    static_design::Aggregate,
};

#[test]
fn a_field_does_not_become_an_aggregate() {
    let mut from = unindexed();
    let mut office = EntityDesign::new("Office");
    (office.table, office.partition) = (Some("Offices".into()), Some("{department}".into()));
    (office.row, office.fields) = (Some("office".into()), vec![FieldDesign::new("department", TEXT)]);
    office.fields.push(FieldDesign { optional: true, ..FieldDesign::new("employees", I64) });
    from.entities.push(office);
    let total = TotalDesign {
        name: "employees".to_owned(),
        about: None,
        by: Aggregate::Count,
        entity: "Employee".to_owned(),
        field: None,
        matches: vec![("department".to_owned(), "department".to_owned())],
        when: None,
    };
    let found = changes(&from, |schema| {
        schema.entities[1].fields.pop();
        schema.entities[1].totals.push(total);
    });
    assert_eq!(verdict(&found), Verdict::Refused);
    assert!(told(&found).contains(&("C28", "Office.employees", "refused")), "{found:?}");
}

#[test]
fn another_condition_of_an_aggregate_requires_another_name() {
    let with = |when: Option<&str>| {
        let mut schema = unindexed();
        schema.entities.push(EntityDesign {
            table: Some("Offices".into()),
            partition: Some("{department}".into()),
            row: Some("office".into()),
            fields: vec![FieldDesign::new("department", TEXT)],
            totals: vec![TotalDesign {
                name: "staff".to_owned(),
                about: None,
                by: Aggregate::Count,
                entity: "Employee".to_owned(),
                field: None,
                matches: vec![("department".to_owned(), "department".to_owned())],
                when: when.map(|when| when.parse().unwrap()),
            }],
            ..EntityDesign::new("Office")
        });
        schema
    };
    let to = |from: &str, to: Option<&str>| {
        let found = changes(&with(Some(from)), |schema| *schema = with(to));
        found.iter().any(|change| change.code == ChangeCode::C28)
    };
    assert!(to("id = 3", None) && to("id = 3", Some("id = 4")));
    assert!(!to("id = 3 and department = 'x'", Some("department = 'x' and id = 3")));
}
