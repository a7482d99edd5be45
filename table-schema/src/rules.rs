//! The design rules. Each rule is a small function documented with its reason. [`check`] applies all rules of an
//! entity, [`check_together`] those between entities that share a table. Every front end calls them: the derive, and the
//! reader of design files and the generator through `table_designs::check_schema`.

mod ambiguous;
mod append;
mod archive;
mod changes;
mod combine;
mod conditions;
mod contributions;
mod copies;
mod distinct;
mod fields;
mod formats;
mod indexes;
mod key_fields;
mod length;
mod lists;
mod maintained;
mod names;
mod properties;
mod roles;
mod split;
mod spread;
mod stamps;
mod table_names;
mod templates;
mod transaction;
mod words;

pub(crate) use combine::Feature;
pub use distinct::check_together;
pub use formats::default_hole;
pub use spread::{before_shard, same_shard};
pub(crate) use stamps::is_in_rows;
pub use words::{unknown_field, unknown_word};

use crate::{
    RuleViolation,
    catalogue::Code,
    design::{EntityDesign, TemplateText},
    template::Template,
};

/// Maximum number of properties of an entity, without `PartitionKey`, `RowKey` and `Timestamp` (REST reference).
pub const MOST_PROPERTIES: usize = 252;

/// Returns all violations of a design, including warnings, without duplicates and sorted by location.
///
/// ```
/// use table_schema::design::{EntityDesign, FieldDesign, FieldKind, TemplateText};
///
/// let mut employee = EntityDesign::new("Employee");
/// employee.table = Some(TemplateText::new("Employees"));
/// employee.partition = Some(TemplateText::new("{department}"));
/// employee.row = Some(TemplateText::new("empid_{id}"));
/// employee.fields = vec![
///     FieldDesign::new("department", FieldKind::Text { max: None }),
///     FieldDesign::new("id", FieldKind::Int { bits: 32, signed: false }),
/// ];
/// let mistakes = table_schema::rules::check(&employee);
/// assert_eq!(mistakes.len(), 1);
/// assert_eq!(mistakes[0].code.as_str(), "K10");
/// assert_eq!(
///     mistakes[0].to_string(),
///     r#"integer `id` has no width: 10 would sort before 9
///   "empid_{id}"
///          ^^^^
///
/// help: write `{id:010}` (or fewer digits, if values stay small)"#
/// );
/// ```
pub fn check(design: &EntityDesign) -> Vec<RuleViolation> {
    const RULES: [fn(&EntityDesign, &mut Vec<RuleViolation>); 25] = [
        templates::check,
        formats::check,
        ambiguous::check,
        key_fields::check,
        length::check,
        table_names::check,
        distinct::check,
        indexes::check,
        transaction::check,
        names::check,
        properties::check,
        split::check,
        append::check,
        combine::check,
        archive::check,
        changes::check,
        fields::check,
        lists::check,
        spread::check,
        copies::check,
        conditions::check,
        contributions::check,
        maintained::check,
        roles::check,
        stamps::check,
    ];
    let mut mistakes = Vec::new();
    for rule in RULES {
        rule(design, &mut mistakes);
    }
    mistakes.sort_by(|left, right| (&left.place, left.code).cmp(&(&right.place, right.code)));
    mistakes
}

/// Returns the violations of the fields of a nested struct. The names of its properties are suffixes, which may be equal
/// to a reserved name.
pub fn check_fields(design: &EntityDesign) -> Vec<RuleViolation> {
    let mut mistakes = Vec::new();
    names::check(design, &mut mistakes);
    fields::check(design, &mut mistakes);
    mistakes.retain(|mistake| mistake.code != Code::D022);
    mistakes
}

/// Returns whether the own key of the entity contains a field, exact or truncated.
pub(crate) fn in_own_key(design: &EntityDesign, name: &str) -> bool {
    let keys = [&design.partition, &design.row].into_iter().flatten().filter_map(TemplateText::template);
    keys.flat_map(Template::holes).any(|hole| hole.field == name)
}
