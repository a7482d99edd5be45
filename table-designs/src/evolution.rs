//! Comparison of two versions of a design: what changes in stored data, what programs of the older version see, and the
//! order of deployment.
//!
//! Programs of both versions run at the same time during a deployment, on the same rows. A [`Change`] is a difference
//! that concerns these rows. It belongs to a class of the [catalog](ChangeCode) and has a [`Verdict`]. The worst verdict
//! is that of the design. Queries, load and descriptions are not stored and cause no change.
//!
//! ```
//! use table_designs::{evolution::{ChangeCode, Verdict, compare, verdict}, schema::Schema};
//! use table_schema::design::{EntityDesign, FieldDesign, FieldKind};
//!
//! let mut employee = EntityDesign::new("Employee");
//! employee.table = Some("Employees".into());
//! employee.partition = Some("{department}".into());
//! employee.row = Some("empid_{id:06}".into());
//! employee.fields = vec![
//!     FieldDesign::new("department", FieldKind::Text { max: Some(40) }),
//!     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
//! ];
//! let old = Schema { entities: vec![employee], ..Schema::default() };
//! let mut new = old.clone();
//! new.entities[0].fields.push(FieldDesign::new("age", FieldKind::Int { bits: 32, signed: true }));
//!
//! let changes = compare(&old, &new);
//! assert_eq!((changes[0].code, changes[0].subject.as_str()), (ChangeCode::C03, "Employee.age"));
//! assert_eq!(verdict(&changes), Verdict::Refused);
//!
//! new.entities[0].fields[2].optional = true;
//! assert_eq!(verdict(&compare(&old, &new)), Verdict::Safe);
//! ```

mod change;
mod class;
mod copies;
mod entity;
mod expires;
mod feeds;
mod fields;
mod indexes;
mod keys;
mod logs;
mod lookups;
mod meeting;
mod paired;
mod plan;
mod presence;
mod recovered;
mod renames;
mod sizes;
mod soft_delete;
mod step;
#[cfg(test)]
mod tests;
mod tokens;
mod totals;
mod types;
mod values;
mod wide;

pub use change::{Change, OldPrograms, UnknownChangeCode, Verdict};
pub use class::{CLASSES, ChangeClass, ChangeCode};
pub(crate) use fields::likeliest;
pub use plan::{Action, IndexName, Means, Plan, PlannedStep, Task, plan};
pub(crate) use recovered::is_only_in_keys;
pub use step::Step;

use self::paired::Pair;
use crate::schema::Schema;

/// Returns the changes from `old` to `new`, sorted by code and subject. Both designs must be valid: see
/// [`check_schema`](crate::check_schema).
pub fn compare(old: &Schema, new: &Schema) -> Vec<Change> {
    let pairs: Vec<Pair<'_>> = new
        .entities
        .iter()
        .filter_map(|entity| {
            let before = entity::former(old, new, entity)?;
            Some(Pair { is_typed: entity::is_typed(old, before), ..Pair::new(before, entity) })
        })
        .collect();
    let mut changes = Vec::new();
    entity::compare(old, new, &mut changes);
    for pair in &pairs {
        entity::types(new, pair, &mut changes);
        expires::compare(pair, &mut changes);
        keys::compare(pair, &mut changes);
        entity::keep_archived(pair, &mut changes);
        wide::compare(pair, &mut changes);
        fields::compare(pair, &mut changes);
        recovered::refuse(pair, &mut changes);
        indexes::compare(pair, &mut changes);
        feeds::compare(pair, &mut changes);
        soft_delete::compare(pair, &mut changes);
        lookups::compare(pair, &mut changes);
        totals::compare(pair, &pairs, &mut changes);
        meeting::refuse(old, new, pair, &mut changes);
    }
    logs::compare(old, new, &mut changes);
    changes.sort_by(|left, right| (left.code, &left.subject).cmp(&(right.code, &right.subject)));
    changes
}

/// Returns the worst verdict. Without changes the verdict is [`Verdict::Safe`].
pub fn verdict(changes: &[Change]) -> Verdict {
    changes.iter().map(|change| change.verdict).max().unwrap_or(Verdict::Safe)
}
