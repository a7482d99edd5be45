use std::{collections::HashSet, marker::PhantomData};

use table_store::QueryClass;

use super::{PointQuery, Query, Spec, shape::query_type, spec::Target};
use crate::{FromRow, TableEntity};

/// Several rows by both keys, one request for each: in the order of the points, each once, without those that are not
/// there.
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
        let mut seen = HashSet::new();
        let addresses = points.into_iter().map(|point| point.address());
        let target = addresses.collect::<Result<Vec<_>, _>>().map(|mut addresses| {
            addresses.retain(|address| seen.insert(address.clone()));
            Target::Points(addresses)
        });
        Self::from_spec(Spec::of::<E>(QueryClass::MultiPoint, target))
    }
}

impl<E: TableEntity, R: FromRow> From<PointQuery<E, R>> for MultiPoint<E, R> {
    fn from(point: PointQuery<E, R>) -> Self {
        let mut spec = point.spec().clone();
        spec.class = QueryClass::MultiPoint;
        Self::from_spec(spec)
    }
}
