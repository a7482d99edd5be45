use std::marker::PhantomData;

use table_store::QueryClass;

use super::{PointQuery, Query, Spec, shape::query_type, spec::Target};
use crate::{FromRow, TableEntity};

/// Several rows by both keys, one request for each: in the order of the points, without those that are not there.
///
/// `points.into_iter().collect::<MultiPoint<_>>()`
pub struct MultiPoint<E, R = E> {
    spec: Spec,
    types: PhantomData<fn() -> (E, R)>,
}

query_type!(MultiPoint<E, R>, MultiPoint);

/// Several points as one query. All are of one entity, hence of one table.
impl<E: TableEntity, R: FromRow> FromIterator<PointQuery<E, R>> for MultiPoint<E, R> {
    fn from_iter<I: IntoIterator<Item = PointQuery<E, R>>>(points: I) -> Self {
        let target = points.into_iter().map(|point| point.address()).collect::<Result<Vec<_>, _>>();
        Self::from_spec(Spec::of::<E>(QueryClass::MultiPoint, target.map(Target::Points)))
    }
}

impl<E: TableEntity, R: FromRow> From<PointQuery<E, R>> for MultiPoint<E, R> {
    fn from(point: PointQuery<E, R>) -> Self {
        let mut spec = point.spec().clone();
        spec.class = QueryClass::MultiPoint;
        Self::from_spec(spec)
    }
}
