use super::copy::{self, Primary};
use crate::{
    Address, Error, Tables,
    kinds::Kind,
    outbox::{Maker, Role, Touch},
};

/// Makes one row of the index of this number what its entity says now, by the same rule as who works off a record. Anyone may do that.
pub(crate) async fn reconcile(
    tables: &Tables,
    kind: Kind,
    number: usize,
    row: &Address,
    entity: &Address,
) -> Result<(), Error> {
    let Some(index) = kind.design.indexes.get(number) else { return Ok(()) };
    let maker = Maker { entity: kind.design.name.to_owned(), index: index.name.to_owned() };
    // It is there, or need not be: who writes the entity names a row that comes.
    let touch = Touch { maker, role: Role::Old, address: row.clone(), row_key: entity.row_key.clone() };
    let seen = copy::fence(tables, &touch, entity).await?;
    let primary = Primary::read(tables, kind, entity.clone()).await?;
    // For no commit: a reservation that is pending is left to those of its own attempt.
    copy::conclude(tables, (kind, number), &touch, "", seen, &primary).await
}
