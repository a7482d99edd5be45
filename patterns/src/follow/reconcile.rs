use super::copy::{self, Primary};
use crate::{
    Address, Error, Tables,
    kinds::Kind,
    outbox::{Maker, Role, Touch},
};

/// Makes one row of an index what its entity says now, by the same rule as who works off a record. Anyone may do that.
pub(crate) async fn reconcile(
    tables: &Tables,
    kind: Kind,
    index: &str,
    row: &Address,
    entity: &Address,
) -> Result<(), Error> {
    let maker = Maker { entity: kind.design.name.to_owned(), index: index.to_owned() };
    // It is there, or need not be: who writes the entity names a row that comes.
    let touch = Touch { maker, role: Role::Old, address: row.clone(), row_key: entity.row_key.clone() };
    let seen = copy::fence(tables, &touch, entity).await?;
    let primary = Primary::read(tables, kind, entity.clone()).await?;
    copy::conclude(tables, kind, &touch, seen, &primary).await
}
