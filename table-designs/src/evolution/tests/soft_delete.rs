//! The field of soft deletes.

use super::{
    super::{ChangeCode, Step, Verdict, compare},
    unindexed,
};
use crate::schema::Schema;
use table_schema::{
    design::{FieldDesign, FieldKind},
    role::Role,
};

#[test]
fn the_field_of_soft_deletes_is_not_exchanged() {
    let with = |soft_delete: Option<&str>, fields: &[&str]| {
        let mut schema = unindexed();
        for name in fields {
            let mut field = FieldDesign::new(*name, FieldKind::Time);
            field.optional = true;
            schema.entities[0].fields.push(field);
        }
        schema.entities[0].roles.set(Role::SoftDelete, soft_delete.map(str::to_owned));
        schema
    };
    let told_of = |old: &Schema, new: &Schema| {
        let found = compare(old, new);
        let soft = found.iter().filter(|change| change.code == ChangeCode::C32);
        soft.map(|change| (change.verdict, change.steps.clone())).collect::<Vec<_>>()
    };
    let (none, field, soft) = (with(None, &[]), with(None, &["gone"]), with(Some("gone"), &["gone"]));
    let verified = vec![Step::Deploy, Step::Verify];
    let purged = vec![Step::Purge, Step::Deploy, Step::Verify];
    assert_eq!(told_of(&soft, &soft), []);
    assert_eq!(told_of(&none, &soft), [(Verdict::Ordered, vec![Step::DeployReaders, Step::DeployWriters])]);
    assert_eq!(told_of(&field, &soft), [(Verdict::Migrate, verified)]);
    assert_eq!(told_of(&soft, &field), [(Verdict::Migrate, purged)]);
    let both = |name| with(Some(name), &["gone", "deleted"]);
    assert_eq!(told_of(&both("gone"), &both("deleted"))[0].0, Verdict::Refused);
    let mut renamed = with(Some("deleted"), &["deleted"]);
    renamed.entities[0].fields.last_mut().unwrap().was = Some("gone".to_owned());
    renamed.entities[0].version = 2;
    assert_eq!(told_of(&soft, &renamed), []);
}
