use std::{
    marker::PhantomData,
    ops::{Bound, RangeBounds},
};

use table_schema::{
    bounds::{Bounds, OpenRange},
    key::KeyError,
};
use table_store::{Filter, QueryClass, TableName, Timestamp};

use super::{PartitionScan, PointQuery, RangeQuery, Spec, range, spec::Target};
use crate::{
    Address, Entity, Error, FromRow, Path, Predicate, Projection, Query, Resolved, Stored, TableEntity,
    design::Template,
    follow::{LIVE, STATE},
    key::{
        KeyProblem, KeyValue,
        part::{Part, TextPart},
        value::HoleValue,
    },
    row,
};

/// The rows of one partition, in key order, narrowed part by part of their RowKey: `at` fixes the next part, `between`
/// and `starts_with` bound it. It runs as it is, too.
///
/// `Parts` are the parts still open, as a tuple.
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let all = Employee::rows("Sales").all(&tables).await?;
/// let some = Employee::rows("Sales").between(2..).all(&tables).await?;
/// let one = Employee::rows("Sales").at(2).get(&tables).await?;
/// assert_eq!((all.len(), some.len(), one.is_some()), (3, 2, true));
/// # Ok(())
/// # })
/// # }
/// ```
pub struct Rows<E, Parts, R = E> {
    spec: Spec,
    partition: Partition,
    open: Result<OpenRange<'static>, Error>,
    types: Types<E, Parts, R>,
}

/// No value of these is held.
type Types<E, Parts, R> = PhantomData<fn() -> (E, Parts, R)>;

/// The table and the PartitionKey, or why there is none.
type Partition = Result<(TableName, String), Error>;

/// What is left open of a RowKey: a tuple of parts.
pub trait OpenParts: 'static {
    /// The next part.
    type First: Part;

    /// What `at` leaves: the other parts, or a point.
    type At<E: TableEntity, R: FromRow>;

    /// The rows with the next part fixed.
    #[doc(hidden)]
    fn narrowed<E: TableEntity, R: FromRow>(
        rows: Rows<E, Self, R>,
        open: Result<OpenRange<'static>, Error>,
    ) -> Self::At<E, R>
    where
        Self: Sized;
}

macro_rules! open_parts {
    ($($rest:ident)*) => {
        impl<First: Part + 'static, $($rest: Part + 'static),*> OpenParts for (First, $($rest),*) {
            type First = First;
            type At<E: TableEntity, R: FromRow> = open_parts!(@at E R $($rest)*);

            fn narrowed<E: TableEntity, R: FromRow>(
                rows: Rows<E, Self, R>,
                open: Result<OpenRange<'static>, Error>,
            ) -> Self::At<E, R> {
                open_parts!(@make rows open $($rest)*)
            }
        }
    };
    (@at $e:ident $r:ident) => { PointQuery<$e, $r> };
    (@at $e:ident $r:ident $($rest:ident)+) => { Rows<$e, ($($rest,)+), $r> };
    (@make $rows:ident $open:ident) => { $rows.point($open) };
    (@make $rows:ident $open:ident $($rest:ident)+) => { Rows::at_part($rows.spec, $rows.partition, $open) };
}

open_parts!();
open_parts!(B);
open_parts!(B C);
open_parts!(B C D);
open_parts!(B C D F);
open_parts!(B C D F G);

impl<E: TableEntity, Parts> Rows<E, Parts> {
    /// All rows of a kind in a partition.
    #[doc(hidden)]
    pub fn of(partition: &[(&'static str, HoleValue<'_>)]) -> Self {
        Self::by(Path::Own, partition)
    }
}

impl<E: TableEntity, Parts, R> Rows<E, Parts, R> {
    /// All rows of a partition by one of the entity's keys.
    #[doc(hidden)]
    pub fn by(path: Path, partition: &[(&'static str, HoleValue<'_>)]) -> Self {
        let partition = row::partition::<E>(path, partition);
        let (_, _, row) = path.keys(E::DESIGN);
        let open = row.form.open();
        let mut spec = Spec::by::<E>(path, QueryClass::RowRange, target(&partition, Ok(open.bounds())));
        if path.index(E::DESIGN).is_some_and(|index| !index.near) {
            spec.kind = Some(Filter::eq(STATE, LIVE));
        }
        Self { spec, partition, open: Ok(open), types: PhantomData }
    }

    /// The template of the RowKey.
    fn template(&self) -> &'static Template {
        let (_, _, row) = self.spec.path.keys(E::DESIGN);
        row
    }
}

impl<E: TableEntity, Parts, R: FromRow> Rows<E, Parts, R> {
    fn at_part(mut spec: Spec, partition: Partition, open: Result<OpenRange<'static>, Error>) -> Self {
        spec.target = target(&partition, open.as_ref().map(OpenRange::bounds).map_err(Clone::clone));
        Self { spec, partition, open, types: PhantomData }
    }

    fn point(self, open: Result<OpenRange<'static>, Error>) -> PointQuery<E, R> {
        let mut spec = self.spec;
        spec.class = QueryClass::Point;
        spec.target = self.partition.and_then(|(table, partition_key)| match open?.bounds() {
            Bounds::Point(row_key) => Ok(Target::Points(vec![Address { table, partition_key, row_key }])),
            Bounds::Empty | Bounds::Range(_) => Ok(Target::Nothing(table)),
        });
        PointQuery::from_spec(spec)
    }

    fn range(
        self,
        bounds: Result<Bounds, KeyError>,
        check: impl FnOnce() -> Option<Filter>,
    ) -> RangeQuery<E, R> {
        let mut spec = self.spec;
        let template = spec.path.keys(E::DESIGN).2;
        let bounds = self.open.and_then(|_| bounds.map_err(|error| problem::<E>(template, error)));
        if bounds.as_ref().is_ok_and(Bounds::is_residual)
            && let Some(filter) = check()
        {
            spec.and(Ok(filter));
        }
        spec.target = target(&self.partition, bounds);
        RangeQuery::from_spec(spec)
    }

    /// The rows as property bags, whatever they are.
    pub fn bag(self) -> Rows<E, Parts, Entity> {
        Rows { spec: self.spec, partition: self.partition, open: self.open, types: PhantomData }
    }

    /// Only some properties of the rows: less to send, and a type that says so.
    pub fn select<P: Projection<Of = E>>(self) -> Rows<E, Parts, P> {
        Rows { spec: self.spec, partition: self.partition, open: self.open, types: PhantomData }
    }

    /// The rows as what a closure makes of their property bags.
    pub fn resolve<T: Send + 'static>(
        self,
        resolver: impl Fn(Stored<Entity>) -> T + Send + Sync + 'static,
    ) -> Resolved<T> {
        Resolved::new(self.spec, resolver)
    }

    /// Reads the range and keeps what satisfies a condition: a partition scan, within the range. It costs what the
    /// range holds.
    pub fn scan(self, condition: impl FnOnce(&E::Fields) -> Predicate) -> PartitionScan<E, R> {
        RangeQuery::<E, R>::from_spec(self.spec).scan(condition)
    }

    /// There is no `filter` on a range.
    #[doc(hidden)]
    #[must_use]
    pub fn filter<F>(self, _condition: F) -> Self
    where
        Self: range::ReturnsAllItReads,
    {
        self
    }
}

impl<E: TableEntity, Parts: OpenParts, R: FromRow> Rows<E, Parts, R> {
    /// Fixes the next part of the RowKey. When it was the last, it is a point.
    ///
    /// A part is fixed as the key holds it: a time in `{at:%Y%m%d}` gives all rows of its day.
    #[expect(clippy::needless_pass_by_value, reason = "arguments are given as they are in `between`")]
    pub fn at(self, value: <Parts::First as Part>::Arg<'_>) -> Parts::At<E, R> {
        let template = self.template();
        let open = self.open.clone().and_then(|open| fix::<E, Parts::First>(template, &open, &value));
        Parts::narrowed(self, open)
    }

    /// The rows whose next part lies in an interval, in the order of the part's type: `100..=199`, `100..`, `"a".."b"`.
    ///
    /// A text that is followed by a separator sorts as text and separator together; times in `inverted_ticks` are asked
    /// for in the order of time, and come newest first. Of a part that holds less than its field, such as the day of a
    /// time, rows are checked again by the field itself.
    pub fn between<'a>(
        self,
        interval: impl RangeBounds<<Parts::First as Part>::Arg<'a>>,
    ) -> RangeQuery<E, R> {
        let Ok(open) = &self.open else { return self.range(Ok(Bounds::Empty), || None) };
        let field = open.field().unwrap_or_default();
        let from = end::<Parts::First>(interval.start_bound());
        let to = end::<Parts::First>(interval.end_bound());
        match (from, to) {
            (Ok(from), Ok(to)) => {
                let bounds = open.between_values(&from, &to);
                self.range(bounds, || recheck::<E>(field, &from, &to))
            }
            (Err(why), _) | (_, Err(why)) => {
                let error = KeyProblem::value(E::DESIGN.name, self.template(), field, why);
                let mut spec = self.spec;
                spec.target = Err(error.into());
                RangeQuery::from_spec(spec)
            }
        }
    }

    /// The rows whose next part, a text, begins so.
    pub fn starts_with(self, beginning: &str) -> RangeQuery<E, R>
    where
        Parts::First: TextPart,
    {
        let Ok(open) = &self.open else { return self.range(Ok(Bounds::Empty), || None) };
        let bounds = open.starts_with(beginning);
        self.range(bounds, || None)
    }
}

fn target(partition: &Partition, bounds: Result<Bounds, Error>) -> Result<Target, Error> {
    let (table, partition_key) = partition.clone()?;
    Ok(range::target(table, partition_key, bounds?))
}

fn problem<E: TableEntity>(template: &Template, error: KeyError) -> Error {
    KeyProblem::key(E::DESIGN.name, template, error).into()
}

fn fix<E: TableEntity, P: Part>(
    template: &Template,
    open: &OpenRange<'static>,
    value: &P::Arg<'_>,
) -> Result<OpenRange<'static>, Error> {
    let value = P::value(value)
        .map_err(|why| KeyProblem::value(E::DESIGN.name, template, open.field().unwrap_or_default(), why))?;
    open.fix(&value).map_err(|error| problem::<E>(template, error))
}

fn end<'v, P: Part>(bound: Bound<&'v P::Arg<'_>>) -> Result<Bound<KeyValue<'v>>, crate::ValueError> {
    Ok(match bound {
        Bound::Included(value) => Bound::Included(P::value(value)?),
        Bound::Excluded(value) => Bound::Excluded(P::value(value)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}

/// The interval once more, of the property: where the key holds a date, the rows of its first and last period are
/// checked by the time itself.
fn recheck<E: TableEntity>(
    field: &str,
    from: &Bound<KeyValue<'_>>,
    to: &Bound<KeyValue<'_>>,
) -> Option<Filter> {
    let property = E::DESIGN.property_of(field)?.name;
    let time = |value: &KeyValue<'_>| match value {
        KeyValue::Ticks(ticks) => Timestamp::from_ticks(*ticks),
        _ => None,
    };
    let from = match from {
        Bound::Included(value) => time(value).map(|at| Filter::ge(property, at)),
        Bound::Excluded(value) => time(value).map(|at| Filter::gt(property, at)),
        Bound::Unbounded => None,
    };
    let to = match to {
        Bound::Included(value) => time(value).map(|at| Filter::le(property, at)),
        Bound::Excluded(value) => time(value).map(|at| Filter::lt(property, at)),
        Bound::Unbounded => None,
    };
    from.into_iter().chain(to).reduce(Filter::and)
}

impl<E: TableEntity, Parts: 'static, R: FromRow> Query for Rows<E, Parts, R> {
    type Row = R;
    const CLASS: QueryClass = QueryClass::RowRange;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn spec_mut(&mut self) -> &mut Spec {
        &mut self.spec
    }
}

impl<E, Parts, R> Clone for Rows<E, Parts, R> {
    fn clone(&self) -> Self {
        let Self { spec, partition, open, .. } = self;
        Self { spec: spec.clone(), partition: partition.clone(), open: open.clone(), types: PhantomData }
    }
}

impl<E, Parts, R> std::fmt::Debug for Rows<E, Parts, R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rows").field(&self.spec).finish()
    }
}
