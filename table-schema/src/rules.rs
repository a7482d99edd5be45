//! The design rules. Each rule is a small function documented with its reason; [`check`] applies all of them.

mod ambiguous;
mod append;
mod distinct;
mod formats;
mod indexes;
mod key_fields;
mod length;
mod names;
mod properties;
mod split;
mod table_names;
mod templates;
mod words;

pub use distinct::check_together;
pub use formats::default_hole;
pub use words::{unknown_field, unknown_word};

use crate::{Mistake, design::EntityDesign};

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
pub fn check(design: &EntityDesign) -> Vec<Mistake> {
    const RULES: [fn(&EntityDesign, &mut Vec<Mistake>); 12] = [
        templates::check,
        formats::check,
        ambiguous::check,
        key_fields::check,
        length::check,
        table_names::check,
        distinct::check,
        indexes::check,
        names::check,
        properties::check,
        split::check,
        append::check,
    ];
    let mut mistakes = Vec::new();
    for rule in RULES {
        rule(design, &mut mistakes);
    }
    mistakes.sort_by(|left, right| (&left.place, left.code).cmp(&(&right.place, right.code)));
    mistakes
}
