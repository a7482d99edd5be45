use std::{
    marker::PhantomData,
    ops::{Bound, RangeBounds},
};

use table_model::{Filter, QueryClass, TableName, Timestamp};
use table_schema::{
    bounds::{Bounds, OpenRange},
    key::KeyError,
};

use super::{FanOut, FanOutScan, PartitionScan, PointQuery, RangeQuery, range};
use crate::{
    AccessPath, Address, DynamicEntity, Error, FromRow, Predicate, Projection, Query, Resolved, Stored,
    TableEntity,
    core::{
        key::{
            EntityKeyError, KeyValue,
            part::{Part, TextPart},
            value::FieldValue,
        },
        placement::{Interval, Known},
        row,
        spec::{Spec, Target, visible::Visible},
    },
    design::Template,
};

/// Query for the rows of one partition in key order. Each part of the RowKey can be restricted in turn: `at` fixes the
/// next part, `between` and `starts_with` bound it. An unrestricted query can be run too.
///
/// `Parts` is the tuple of the parts that are not fixed yet.
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
pub struct Rows<E, Parts, R = E, W = One> {
    spec: Spec,
    home: Result<Home, Error>,
    open: Result<OpenRange<'static>, Error>,
    types: Types<E, Parts, R, W>,
}

/// Query for the rows of several partitions or tables, of an entity with a table for each period or with sharded keys.
/// Rows are returned in RowKey order, as by [`FanOut`].
///
/// If the values passed to `at` and `between` determine the partitions or tables, only these are read.
pub type FanOutRows<E, Parts, R = E> = Rows<E, Parts, R, Many>;

/// Type parameters that are not stored as values.
type Types<E, Parts, R, W> = PhantomData<fn() -> (E, Parts, R, W)>;

/// Location of the rows.
#[derive(Clone, Debug)]
enum Home {
    /// One partition: its table and PartitionKey.
    One(TableName, String),
    /// The partitions and tables that these values determine.
    Many(Known),
}

/// Number of partitions and tables over which the rows are distributed: [`One`] or [`Many`].
pub trait Reach: 'static {
    /// Type of a range query.
    type Range<E: TableEntity, R: FromRow>: Query<Row = R>;

    /// Type of a scan.
    type Scan<E: TableEntity, R: FromRow>: Query<Row = R>;

    /// Class of a query for all rows.
    #[doc(hidden)]
    const CLASS: QueryClass;

    #[doc(hidden)]
    fn range<E: TableEntity, R: FromRow>(spec: Spec) -> Self::Range<E, R>;

    #[doc(hidden)]
    fn scan<E: TableEntity, R: FromRow>(
        spec: Spec,
        condition: impl FnOnce(&E::Fields) -> Predicate,
    ) -> Self::Scan<E, R>;
}

/// Rows in one partition.
#[derive(Debug)]
pub struct One(());

/// Rows in several partitions or tables.
#[derive(Debug)]
pub struct Many(());

macro_rules! reach {
    ($reach:ident, $class:ident, $range:ident, $scan:ident) => {
        impl Reach for $reach {
            type Range<E: TableEntity, R: FromRow> = $range<E, R>;
            type Scan<E: TableEntity, R: FromRow> = $scan<E, R>;
            const CLASS: QueryClass = QueryClass::$class;

            fn range<E: TableEntity, R: FromRow>(mut spec: Spec) -> $range<E, R> {
                spec.class = QueryClass::$class;
                $range::from_spec(spec)
            }

            fn scan<E: TableEntity, R: FromRow>(
                spec: Spec,
                condition: impl FnOnce(&E::Fields) -> Predicate,
            ) -> $scan<E, R> {
                $range::<E, R>::from_spec(spec).scan(condition)
            }
        }
    };
}

reach!(One, RowRange, RangeQuery, PartitionScan);
reach!(Many, FanOut, FanOut, FanOutScan);

/// Parts of a RowKey that are not fixed yet, as a tuple.
pub trait OpenParts: 'static {
    /// The next part.
    type First: Part;

    /// Result of `at`: a query with the remaining parts, or a point query.
    type At<E: TableEntity, R: FromRow, W: Reach>;

    /// Returns the query with the next part fixed.
    #[doc(hidden)]
    fn narrowed<E: TableEntity, R: FromRow, W: Reach>(
        rows: Rows<E, Self, R, W>,
        open: Result<OpenRange<'static>, Error>,
    ) -> Self::At<E, R, W>
    where
        Self: Sized;
}

macro_rules! open_parts {
    ($($rest:ident)*) => {
        impl<First: Part + 'static, $($rest: Part + 'static),*> OpenParts for (First, $($rest),*) {
            type First = First;
            type At<E: TableEntity, R: FromRow, W: Reach> = open_parts!(@at E R W $($rest)*);

            fn narrowed<E: TableEntity, R: FromRow, W: Reach>(
                rows: Rows<E, Self, R, W>,
                open: Result<OpenRange<'static>, Error>,
            ) -> Self::At<E, R, W> {
                open_parts!(@make rows open $($rest)*)
            }
        }
    };
    (@at $e:ident $r:ident $w:ident) => { PointQuery<$e, $r> };
    (@at $e:ident $r:ident $w:ident $($rest:ident)+) => { Rows<$e, ($($rest,)+), $r, $w> };
    (@make $rows:ident $open:ident) => { $rows.point($open) };
    (@make $rows:ident $open:ident $($rest:ident)+) => { Rows::at_part($rows.spec, $rows.home, $open) };
}

open_parts!();
open_parts!(B);
open_parts!(B C);
open_parts!(B C D);
open_parts!(B C D F);
open_parts!(B C D F G);

impl<E: TableEntity, Parts> Rows<E, Parts> {
    /// Creates a query for all rows of an entity type in a partition.
    #[doc(hidden)]
    pub fn of(partition: &[(&'static str, FieldValue<'_>)]) -> Self {
        Self::by(AccessPath::Own, partition)
    }
}

impl<E: TableEntity, Parts, R: FromRow> Rows<E, Parts, R> {
    /// Creates a query for all rows of a partition, by one access path of the entity.
    #[doc(hidden)]
    pub fn by(path: AccessPath, partition: &[(&'static str, FieldValue<'_>)]) -> Self {
        let home = row::partition::<E>(path, partition).map(|(table, key)| Home::One(table, key));
        let mut rows = Self::begin(path, home);
        if path.index(E::DESIGN).is_some_and(|index| !index.near) {
            rows.spec.clauses.visible = Some(Visible::Live);
        }
        rows
    }
}

impl<E: TableEntity, Parts, R: FromRow> Rows<E, Parts, R> {
    /// Returns the table and the PartitionKey.
    pub(super) fn home(&self) -> Result<(TableName, String), Error> {
        match self.home.clone()? {
            Home::One(table, partition_key) => Ok((table, partition_key)),
            Home::Many(known) => known.place(),
        }
    }
}

impl<E: TableEntity, Parts, R: FromRow> Rows<E, Parts, R, Many> {
    /// Creates a query for all rows of an entity type with these values in the PartitionKey.
    #[doc(hidden)]
    pub fn spread(partition: &[(&'static str, FieldValue<'_>)]) -> Self {
        Self::begin(AccessPath::Own, Known::of(E::DESIGN, partition).map(Home::Many))
    }
}

impl<E: TableEntity, Parts, R, W> Rows<E, Parts, R, W> {
    /// Returns the template of the RowKey.
    fn template(&self) -> &'static Template {
        let (_, _, row) = self.spec.subject.path.keys(E::DESIGN);
        row
    }
}

impl<E: TableEntity, Parts, R: FromRow, W: Reach> Rows<E, Parts, R, W> {
    fn begin(path: AccessPath, home: Result<Home, Error>) -> Self {
        let open = path.keys(E::DESIGN).2.form.open();
        let target = target(&home, Ok(open.bounds()), open.field(), None);
        Self { spec: Spec::by::<E>(path, W::CLASS, target), home, open: Ok(open), types: PhantomData }
    }

    fn at_part(mut spec: Spec, home: Result<Home, Error>, open: Result<OpenRange<'static>, Error>) -> Self {
        let field = open.as_ref().ok().and_then(OpenRange::field);
        let bounds = open.as_ref().map(OpenRange::bounds).map_err(Clone::clone);
        spec.target = target(&home, bounds, field, None);
        Self { spec, home, open, types: PhantomData }
    }

    fn point(self, open: Result<OpenRange<'static>, Error>) -> PointQuery<E, R> {
        let mut spec = self.spec;
        spec.class = QueryClass::Point;
        spec.target = self.home.and_then(|home| {
            let (table, partition_key) = match home {
                Home::One(table, partition_key) => (table, partition_key),
                Home::Many(known) => known.place()?,
            };
            Ok(match open?.bounds() {
                Bounds::Point(row_key) => Target::Points(vec![Address { table, partition_key, row_key }]),
                Bounds::Empty | Bounds::Range(_) => Target::Nothing(table),
            })
        });
        PointQuery::from_spec(spec)
    }

    fn range(
        self,
        bounds: Result<Bounds, KeyError>,
        interval: Option<Interval<'_>>,
        check: impl FnOnce() -> Option<Filter>,
    ) -> W::Range<E, R> {
        let mut spec = self.spec;
        let template = spec.subject.path.keys(E::DESIGN).2;
        let field = self.open.as_ref().ok().and_then(OpenRange::field);
        let bounds = self.open.and_then(|_| bounds.map_err(|error| problem::<E>(template, error)));
        if bounds.as_ref().is_ok_and(Bounds::is_residual)
            && let Some(filter) = check()
        {
            spec.and(Ok(filter));
        }
        spec.target = target(&self.home, bounds, field, interval);
        W::range(spec)
    }

    /// Converts the query to another row type.
    fn shaped<S>(self) -> Rows<E, Parts, S, W> {
        Rows { spec: self.spec, home: self.home, open: self.open, types: PhantomData }
    }

    /// Returns the rows as untyped entities of any entity type.
    pub fn bag(self) -> Rows<E, Parts, DynamicEntity, W> {
        self.shaped()
    }

    /// Selects some properties of the rows. Responses are smaller, and the row type contains only these properties.
    pub fn select<P: Projection<Of = E>>(self) -> Rows<E, Parts, P, W> {
        self.shaped()
    }

    /// Converts each row with a closure that receives it as an untyped entity.
    pub fn resolve<T: Send + 'static>(
        self,
        resolver: impl Fn(Stored<DynamicEntity>) -> T + Send + Sync + 'static,
    ) -> Resolved<T> {
        Resolved::new(self.spec, resolver)
    }

    /// Returns the rows of the range that satisfy a condition: a scan, whose cost depends on the size of the range.
    pub fn scan(self, condition: impl FnOnce(&E::Fields) -> Predicate) -> W::Scan<E, R> {
        W::scan(self.spec, condition)
    }

    /// Not available: a range has no `filter`.
    #[doc(hidden)]
    #[must_use]
    pub fn filter<F>(self, _condition: F) -> Self
    where
        Self: range::SupportsFilter,
    {
        self
    }
}

impl<E: TableEntity, Parts: OpenParts, R: FromRow, W: Reach> Rows<E, Parts, R, W> {
    /// Fixes the next part of the RowKey. Fixing the last part yields a point query.
    ///
    /// A part is compared in its key form: a time in `{at:%Y%m%d}` matches all rows of its day.
    #[expect(clippy::needless_pass_by_value, reason = "arguments are passed by value, as in `between`")]
    pub fn at(mut self, value: <Parts::First as Part>::Arg<'_>) -> Parts::At<E, R, W> {
        let template = self.template();
        let open = self.open.clone().and_then(|open| fix::<E, Parts::First>(template, &open, &value));
        if let (Ok(Home::Many(known)), Ok(value), Some(field)) =
            (&self.home, Parts::First::value(&value), self.open.as_ref().ok().and_then(OpenRange::field))
        {
            self.home = Ok(Home::Many(known.clone().with(field, value)));
        }
        Parts::narrowed(self, open)
    }

    /// Returns the rows whose next part is in an interval, in the order of the type of the part: `100..=199`, `100..`,
    /// `"a".."b"`.
    ///
    /// A string that is followed by a separator sorts together with its separator. Intervals of a part in descending order, such
    /// as `inverted_ticks`, are given from the least to the greatest value, and the greatest is returned first. If a part contains
    /// less than its field, such as the day of a time, rows are also filtered by the field.
    pub fn between<'a>(self, interval: impl RangeBounds<<Parts::First as Part>::Arg<'a>>) -> W::Range<E, R> {
        let Ok(open) = &self.open else { return self.range(Ok(Bounds::Empty), None, || None) };
        let field = open.field().unwrap_or_default();
        let from = end::<Parts::First>(interval.start_bound());
        let to = end::<Parts::First>(interval.end_bound());
        match (from, to) {
            (Ok(from), Ok(to)) => {
                let bounds = open.between_values(&from, &to);
                let interval = (field, from.clone(), to.clone());
                self.range(bounds, Some(interval), || recheck::<E>(field, &from, &to))
            }
            (Err(reason), _) | (_, Err(reason)) => {
                let error = EntityKeyError::value(E::DESIGN.name, self.template(), field, reason);
                let mut spec = self.spec;
                spec.target = Err(error.into());
                W::range(spec)
            }
        }
    }

    /// Returns the rows whose next part starts with a string.
    pub fn starts_with(self, beginning: &str) -> W::Range<E, R>
    where
        Parts::First: TextPart,
    {
        let Ok(open) = &self.open else { return self.range(Ok(Bounds::Empty), None, || None) };
        let bounds = open.starts_with(beginning);
        self.range(bounds, None, || None)
    }
}

fn target(
    home: &Result<Home, Error>,
    bounds: Result<Bounds, Error>,
    open: Option<&'static str>,
    interval: Option<Interval<'_>>,
) -> Result<Target, Error> {
    match home.clone()? {
        Home::One(table, partition_key) => Ok(range::target(table, partition_key, bounds?, open)),
        Home::Many(known) => Ok(Target::Spread(Box::new(known.spread(bounds?, open, interval)?))),
    }
}

fn problem<E: TableEntity>(template: &Template, error: KeyError) -> Error {
    EntityKeyError::key(E::DESIGN.name, template, error).into()
}

fn fix<E: TableEntity, P: Part>(
    template: &Template,
    open: &OpenRange<'static>,
    value: &P::Arg<'_>,
) -> Result<OpenRange<'static>, Error> {
    let value = P::value(value).map_err(|reason| {
        EntityKeyError::value(E::DESIGN.name, template, open.field().unwrap_or_default(), reason)
    })?;
    open.fix(&value).map_err(|error| problem::<E>(template, error))
}

fn end<'v, P: Part>(bound: Bound<&'v P::Arg<'_>>) -> Result<Bound<KeyValue<'v>>, crate::ValueError> {
    Ok(match bound {
        Bound::Included(value) => Bound::Included(P::value(value)?),
        Bound::Excluded(value) => Bound::Excluded(P::value(value)?),
        Bound::Unbounded => Bound::Unbounded,
    })
}

/// Returns the interval as a filter on the property. If the key contains only a date, the rows of the first and last
/// period must be checked by their time.
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

impl<E: TableEntity, Parts: 'static, R: FromRow, W: Reach> Query for Rows<E, Parts, R, W> {
    type Row = R;
    const CLASS: QueryClass = W::CLASS;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn spec_mut(&mut self) -> &mut Spec {
        &mut self.spec
    }
}

impl<E, Parts, R, W> Clone for Rows<E, Parts, R, W> {
    fn clone(&self) -> Self {
        let Self { spec, home, open, .. } = self;
        Self { spec: spec.clone(), home: home.clone(), open: open.clone(), types: PhantomData }
    }
}

impl<E, Parts, R, W> std::fmt::Debug for Rows<E, Parts, R, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rows").field(&self.spec).finish()
    }
}
