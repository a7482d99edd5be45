//! How a line is imported: alone, with the rows that follow from it, or not.

use table_model::Properties;
use table_patterns::LibraryRow;

use crate::{
    design::{self, Sort},
    edit::maintained,
    show::plain,
    view::{Context, edit, entity::Keys},
};

/// How a row is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// No other row follows from it.
    Alone,
    /// It is an entity from which other rows follow, so it is written as its page writes it.
    ByDesign,
    /// It follows from entities, which write it.
    LeftOut,
    /// It is not imported, with the reason.
    Refused(String),
}

/// Returns how a row with these keys and properties is imported.
pub(super) fn treatment(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    properties: &Properties,
) -> Treatment {
    if context.shared.is_raw {
        return Treatment::Alone;
    }
    let design = edit::planned(context);
    let sort = design.map(|design| design.kind(table, (keys.partition, keys.row), properties).sort);
    if sort.is_some_and(follows) {
        return Treatment::LeftOut;
    }
    if let Some(reason) = edit::reason(context, table, keys, properties) {
        return Treatment::Refused(reason);
    }
    let is_entity = matches!(sort, Some(Sort::Entity(_)));
    match design.filter(|_| is_entity) {
        Some(design) if design.has_rules(table, (keys.partition, keys.row), properties) => {
            Treatment::ByDesign
        }
        _ => maintained(keys.row, properties).map_or(Treatment::Alone, Treatment::Refused),
    }
}

/// Returns whether writes of entities write the row.
const fn follows(sort: Sort) -> bool {
    use LibraryRow::{AbortRecord, CommitRecord, Contribution, Placeholder, Reservation};
    match sort {
        Sort::Index(_) | Sort::List(_) | Sort::Member(_) => true,
        Sort::Library(row) => {
            matches!(row, AbortRecord | CommitRecord | Contribution | Placeholder | Reservation)
        }
        Sort::Entity(_) | Sort::Foreign => false,
    }
}

/// Returns how a row is imported. Its values are checked by the design if these are all properties after the import.
pub(super) async fn checked(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    (properties, is_whole): (&Properties, bool),
) -> Treatment {
    let treatment = treatment(context, table, keys, properties);
    let is_written = matches!(treatment, Treatment::Alone | Treatment::ByDesign);
    let Some(design) = edit::planned(context).filter(|_| is_whole && is_written) else { return treatment };
    let row = ((keys.partition, keys.row), properties);
    design::invalid(design, context.place, table, row).await.map_or(treatment, Treatment::Refused)
}

/// Describes a line that is not imported.
pub(super) fn line(number: u64, keys: &Keys<'_>, reason: &str) -> String {
    plain(&format!("line {number}, `{}` / `{}`: {reason}", keys.partition, keys.row))
}
