#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Action, Means, Plan, plan};
use crate::{
    evolution::{Change, compare},
    schema::Schema,
};
use table_schema::design::{CopiedFields, EntityDesign, FieldDesign, FieldKind, IndexDesign};

const DESIGN: Means = Means { is_registered: false, is_by_design: true, is_versioned: false };
const REGISTRY: Means = Means { is_registered: true, ..DESIGN };

fn employee(indexes: &[&str]) -> Schema {
    let mut employee = EntityDesign::new("Employee");
    employee.table = Some("Employees".into());
    employee.partition = Some("{department}".into());
    employee.row = Some("empid_{id:06}".into());
    let text = FieldKind::Text { max: None };
    employee.fields = ["department", "email", "name"].map(|name| FieldDesign::new(name, text.clone())).into();
    employee.fields.push(FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }));
    employee.indexes = indexes
        .iter()
        .map(|name| IndexDesign {
            unique: *name == "by_email",
            ..IndexDesign::new(*name, format!("{name}_{{email}}"))
        })
        .collect();
    Schema { entities: vec![employee], ..Schema::default() }
}

/// Returns the steps as words, with the names of the indexes.
fn told(plan: &Plan<'_>) -> Vec<String> {
    let step = |step: &super::PlannedStep<'_>| {
        let subjects: Vec<&str> = step.changes.iter().map(|(_, change)| change.subject.as_str()).collect();
        let by = match step.action {
            Action::Deployment(_) => "deployment",
            Action::Program(_) => "program",
            Action::Job(_) => "job",
        };
        format!("{by} {} {}", step.action.as_str(), subjects.join(",").replace("Employee.", ""))
            .trim()
            .to_owned()
    };
    plan.steps.iter().map(step).collect()
}

fn changes(from: &Schema, to: &Schema) -> Vec<Change> {
    compare(from, to)
}

#[test]
fn an_index_is_added_with_and_without_the_registry() {
    let (old, new) = (employee(&[]), employee(&["by_email"]));
    let changes = changes(&old, &new);
    assert_eq!(
        told(&plan(&changes, &new, &|_| DESIGN)),
        [
            "job check-unique by_email",
            "deployment deploy by_email",
            "job reindex by_email",
            "job repair by_email",
            "job verify"
        ]
    );
    assert_eq!(
        told(&plan(&changes, &new, &|_| REGISTRY)),
        ["job check-unique by_email", "deployment deploy by_email", "job add-index by_email", "job verify"]
    );
    let code = Means { is_by_design: false, ..REGISTRY };
    assert_eq!(
        told(&plan(&changes, &new, &|_| code)),
        ["deployment deploy by_email", "program add-index by_email"]
    );
}

/// With the registry, the old index is removed before programs without it are deployed.
#[test]
fn indexes_are_exchanged_with_one_deployment_of_the_new_version() {
    let (old, new) = (employee(&["by_name", "by_other"]), employee(&["by_mail", "by_more"]));
    let changes = changes(&old, &new);
    assert_eq!(
        told(&plan(&changes, &new, &|_| REGISTRY)),
        [
            "deployment stop-reading by_name,by_other",
            "job drop-index by_name",
            "job drop-index by_other",
            "deployment deploy by_mail,by_more,by_name,by_other",
            "job add-index by_mail",
            "job add-index by_more",
            "job verify"
        ]
    );
    assert_eq!(
        told(&plan(&changes, &new, &|_| DESIGN)),
        [
            "deployment deploy by_mail,by_more,by_name,by_other",
            "job reindex by_mail",
            "job reindex by_more",
            "job delete-rows by_name",
            "job delete-rows by_other",
            "job repair by_mail,by_more",
            "job verify"
        ]
    );
}

/// A design does not contain older versions, so a job by a design waits until no row has one.
#[test]
fn index_jobs_wait_for_the_upgrade() {
    let (old, mut new) = (employee(&[]), employee(&["by_email"]));
    new.entities[0].version = 2;
    let mut renamed = FieldDesign::new("full_name", FieldKind::Text { max: None });
    renamed.was = Some("name".to_owned());
    new.entities[0].fields[2] = renamed;
    let changes = changes(&old, &new);
    let means = Means { is_versioned: true, ..REGISTRY };
    let planned = plan(&changes, &new, &|_| means);
    assert_eq!(
        told(&planned),
        [
            "deployment deploy-readers full_name",
            "deployment deploy full_name,by_email",
            "program upgrade full_name",
            "job check-versions full_name,by_email",
            "job check-unique by_email",
            "job add-index by_email",
            "job verify"
        ]
    );
    assert_eq!(planned.later.len(), 1);
}

/// One move changes the table and the keys of an entity.
#[test]
fn entities_are_moved_once() {
    let (old, mut new) = (employee(&[]), employee(&[]));
    (new.entities[0].table, new.entities[0].row) = (Some("Staff".into()), Some("e_{id:08}".into()));
    let changes = changes(&old, &new);
    assert_eq!(
        told(&plan(&changes, &new, &|_| DESIGN)),
        ["deployment deploy Employee,Employee", "program backfill Employee,Employee"]
    );
}

/// The registry accepts one definition of an index, so programs with another list of copied fields cannot write.
#[test]
fn another_list_of_copied_fields_is_blocked_with_the_registry() {
    let copying = |fields: &[&str]| {
        let mut schema = employee(&["by_mail"]);
        schema.entities[0].indexes[0].copy =
            CopiedFields::Only(fields.iter().map(|&field| field.to_owned()).collect());
        schema
    };
    let (short, long) = (copying(&[]), copying(&["name"]));
    for (old, new) in [(&short, &long), (&long, &short)] {
        let changes = changes(old, new);
        let with = plan(&changes, new, &|_| REGISTRY);
        assert_eq!((with.blocked.len(), with.steps.len()), (1, 0));
        let without = plan(&changes, new, &|_| DESIGN);
        assert!(without.blocked.is_empty() && !without.steps.is_empty());
    }
}

/// A version without rows is retired without a job of a program.
#[test]
fn retirement_requires_a_check_only() {
    let (mut old, mut new) = (employee(&[]), employee(&[]));
    (old.entities[0].version, new.entities[0].version, new.entities[0].oldest) = (2, 2, 2);
    let changes = changes(&old, &new);
    let planned = plan(&changes, &new, &|_| DESIGN);
    assert_eq!(told(&planned), ["job check-versions oldest"]);
    assert_eq!(planned.later.len(), 1);
}

#[test]
fn changes_that_two_designs_do_not_allow_are_blocked() {
    let (old, mut new) = (employee(&["by_mail"]), employee(&["by_mail"]));
    new.entities[0].indexes[0].unique = true;
    let changes = changes(&old, &new);
    let planned = plan(&changes, &new, &|_| DESIGN);
    assert_eq!((planned.blocked.len(), planned.steps.len()), (1, 0));
}
