use super::copy;
use crate::{
    Address, Error, Tables,
    core::{
        entity_types::EntityInfo,
        outbox::{AffectedRow, Maker, Role},
        rule::Rule,
    },
    write::primary::Primary,
};

/// Updates one row of an index to match its entity, by the same rule as a worker that applies a
/// commit record. Any process can call it.
pub(crate) async fn reconcile(
    tables: &Tables,
    kind: EntityInfo,
    rule: Rule,
    row: &Address,
    entity: &Address,
) -> Result<(), Error> {
    let maker = Maker { entity: kind.stored_name().to_owned(), index: rule.name().to_owned() };
    // The row exists or is not required: the writer of an entity lists new rows in its commit.
    let touch = AffectedRow { maker, role: Role::Old, address: row.clone(), row_key: entity.row_key.clone() };
    let seen = copy::fence(tables, kind, &touch, entity).await?;
    let primary = Primary::of_row(tables, (kind, rule), entity.clone()).await?;
    // Not for a commit: a pending reservation is handled by its own attempt.
    copy::conclude(tables, (kind, rule), &touch, "", seen, &primary).await
}
