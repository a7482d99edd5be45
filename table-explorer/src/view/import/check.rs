//! Rows that an import does not write: those that a design maintains, and entities that it excludes.

use table_model::Properties;

use crate::{
    design,
    edit::maintained,
    show::plain,
    view::{Context, edit, entity::Keys},
};

/// Returns why a row is not written alone.
pub(super) fn rule(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    properties: &Properties,
) -> Option<String> {
    if context.shared.is_raw {
        return None;
    }
    let has_rules = || {
        context.design().is_some_and(|design| design.has_rules(table, (keys.partition, keys.row), properties))
    };
    edit::reason(context, table, keys, properties)
        .or_else(|| maintained(keys.row, properties))
        .or_else(|| has_rules().then(|| "Other rows follow from this one in its design.".to_owned()))
}

/// Returns why a row is not imported. Its values are checked by the design if these are all properties after the import.
pub(super) async fn refusal(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    (properties, is_whole): (&Properties, bool),
) -> Option<String> {
    let rule = rule(context, table, keys, properties);
    match edit::planned(context).filter(|_| is_whole && rule.is_none()) {
        Some(design) => {
            design::invalid(design, context.place, table, ((keys.partition, keys.row), properties)).await
        }
        None => rule,
    }
}

/// Describes a line that is not imported.
pub(super) fn line(number: u64, keys: &Keys<'_>, reason: &str) -> String {
    plain(&format!("line {number}, `{}` / `{}`: {reason}", keys.partition, keys.row))
}
