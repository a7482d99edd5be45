//! Point queries as the targets of deletes and of reads in a transaction.

use table_model::{Condition, Operation};

use super::PointQuery;
use crate::{
    Address, DeleteTarget, Error, FromRow, OnePoint, Pending, Tables,
    core::{entity::Writable, entity_types::EntityInfo},
    write::{Blind, Deletion, Intent, Write, depends_on_old},
};

impl<E: Writable, R> DeleteTarget for PointQuery<E, R> {
    fn target(self) -> Result<Deletion, Error> {
        (&self).target()
    }
}

impl<E: Writable, R> DeleteTarget for &PointQuery<E, R> {
    fn target(self) -> Result<Deletion, Error> {
        let (address, path) = (self.address()?, self.path());
        // A row of a newer version or of another type is not deleted.
        if depends_on_old::<E>() || E::entity().is_some_and(|kind| kind.newest().checks_version()) {
            return Ok(Deletion::of(Intent::Blind(Blind::delete::<E>(address, path))));
        }
        let Address { table, partition_key, row_key } = address;
        let condition = Condition::Exists;
        let operation = Operation::Delete { partition_key, row_key, condition };
        Ok(Deletion::of(Intent::Ready(
            Write::alone(table, operation).of(E::entity().map(EntityInfo::newest)),
        )))
    }
}

impl<E: 'static, R: FromRow> OnePoint for PointQuery<E, R> {
    type Out = R::Out;

    fn whereabouts(&self) -> Result<Address, Error> {
        self.address()
    }

    fn find<'t>(&self, tables: &'t Tables) -> Pending<'t, Option<R::Out>> {
        self.get(tables)
    }
}
