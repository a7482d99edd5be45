//! Queries of entities by the values of their fields, by one access path.

mod target;

use std::ops::Bound;

use table_model::{Filter, Name, Properties, QueryClass, TableName, Value};
use table_schema::{
    key::succ,
    language::{Comparison, Literal},
};

use super::{
    DesignedEntities, FieldValues, codec,
    entity::{DesignedField, holes},
};
use crate::{
    AccessPath, DynamicEntity, Error, PropertyError, Report, Resolved, RunStats, Stored, ValueError,
    core::{
        cross_partition_row::{LIVE, STATE},
        reserved::ENTITY_TYPE,
        row,
        spec::{Spec, Target, row_policy::Handling},
        table::table_named,
    },
    handle::Pending,
};
use target::{Rows, Tested};

/// A test of a field; see [`DesignedEntities::query`].
#[derive(Clone, Debug, PartialEq)]
pub struct FieldTest {
    /// Name of the field.
    pub field: String,
    /// The operator.
    pub comparison: Comparison,
    /// The values: for `in` any number; for `between` the first and the last; for `within` the first, and the first
    /// after the last; otherwise one.
    pub values: Vec<Value>,
}

impl FieldTest {
    /// Creates a test for a single value.
    pub fn equal(field: &str, value: impl Into<Value>) -> Self {
        Self { field: field.to_owned(), comparison: Comparison::Equal, values: vec![value.into()] }
    }

    /// Returns the interval that a comparison of one value, or of two, stands for.
    fn interval<T: Clone>(&self, values: &[T]) -> Option<(Bound<T>, Bound<T>)> {
        let first = values.first()?.clone();
        Some(match self.comparison {
            Comparison::Equal => (Bound::Included(first.clone()), Bound::Included(first)),
            Comparison::Less => (Bound::Unbounded, Bound::Excluded(first)),
            Comparison::AtMost => (Bound::Unbounded, Bound::Included(first)),
            Comparison::Greater => (Bound::Excluded(first), Bound::Unbounded),
            Comparison::AtLeast => (Bound::Included(first), Bound::Unbounded),
            Comparison::Between => (Bound::Included(first), Bound::Included(values.get(1)?.clone())),
            Comparison::Within => (Bound::Included(first), Bound::Excluded(values.get(1)?.clone())),
            Comparison::NotEqual | Comparison::In | Comparison::Starts => return None,
        })
    }

    /// Returns the filter on a property.
    fn filter(&self, property: &str) -> Option<Filter> {
        let name = || Name::from(property.to_owned());
        let first = || self.values.first().cloned();
        match self.comparison {
            Comparison::NotEqual => Some(Filter::ne(name(), first()?)),
            Comparison::In => {
                self.values.iter().map(|value| Filter::eq(name(), value.clone())).reduce(Filter::or)
            }
            Comparison::Starts => {
                let Value::String(text) = first()? else { return None };
                let below = succ(&text).map(|end| Filter::lt(name(), end));
                std::iter::once(Filter::ge(name(), text)).chain(below).reduce(Filter::and)
            }
            Comparison::Equal => Some(Filter::eq(name(), first()?)),
            _ => {
                let (from, to) = self.interval(&self.values)?;
                let from = match from {
                    Bound::Included(value) => Some(Filter::ge(name(), value)),
                    Bound::Excluded(value) => Some(Filter::gt(name(), value)),
                    Bound::Unbounded => None,
                };
                let to = match to {
                    Bound::Included(value) => Some(Filter::le(name(), value)),
                    Bound::Excluded(value) => Some(Filter::lt(name(), value)),
                    Bound::Unbounded => None,
                };
                from.into_iter().chain(to).reduce(Filter::and)
            }
        }
    }
}

/// A query of entities by one access path; see [`DesignedEntities::query`].
#[derive(Clone, Debug)]
pub struct FieldQuery {
    entities: DesignedEntities,
    path: AccessPath,
    /// One query for each combination of the values of `in` in keys.
    specs: Vec<Spec>,
    /// Condition that the service does not test: on fields that the rows of the path lack, or that only their keys contain,
    /// and on points.
    late: Option<Filter>,
    take: Option<u64>,
    select: Option<Vec<String>>,
}

impl DesignedEntities {
    /// Creates a query of the entities that satisfy all tests, by `primary` or by an index, as the functions of the type
    /// do: a point, a range, a scan of a partition or of the table. Values of `in` in keys are separate requests.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchIndex`] for an unknown path or a lookup, [`Error::Property`] for an unknown field or an
    /// invalid value, and [`Error::Key`] for a value that is invalid in the key.
    pub fn query(&self, path: &str, tests: &[FieldTest]) -> Result<FieldQuery, Error> {
        let path = self.path(path)?;
        let mut specs = Vec::new();
        let mut late = None;
        let tests = tests.iter().map(|test| Ok((test, self.field(&test.field)?)));
        let tests = tests.collect::<Result<Vec<Tested<'_>>, Error>>()?;
        for fixed in self.combinations(path, &tests)? {
            let Rows { target, class, used } = self.rows(path, &fixed, &tests)?;
            let mut spec = Spec::of_kind(self.kind, path, class, Ok(target));
            spec.foreign = Handling::Ignore;
            let near = path.index(self.by.design).is_none_or(|index| index.near);
            if !near {
                spec.state = Some(Filter::eq(STATE, LIVE));
            }
            let mut is_scan = matches!(class, QueryClass::KeyRange | QueryClass::TableScan);
            late = None;
            for (number, (test, field)) in tests.iter().enumerate() {
                if used.contains(&number) {
                    continue;
                }
                let is_stored = self.has_property(path, field);
                if is_stored && let Some(filter) = test.filter(field.property) {
                    is_scan = true;
                    spec.and(Ok(filter));
                }
                // A point is read without a filter.
                let is_tested = is_stored && class != QueryClass::Point || self.implies(path, field, test);
                if !is_tested {
                    late = late.into_iter().chain(test.filter(field.name)).reduce(Filter::and);
                }
            }
            if let Some(entity_type) = self.by.design.entity_type.filter(|_| is_scan) {
                spec.and(Ok(Filter::eq(ENTITY_TYPE, entity_type)));
            }
            specs.push(spec);
        }
        Ok(FieldQuery { entities: self.clone(), path, specs, late, take: None, select: None })
    }

    pub(super) fn parse(&self, field: &str, text: &str) -> Result<Value, Error> {
        let field = self.field(field)?;
        let value = codec::literal(field.kind, &Literal::Text(text.to_owned()));
        value.ok_or_else(|| {
            let type_name = codec::type_name(field.kind).unwrap_or_default();
            let reason = ValueError::unreadable(text, format!("a value of `{type_name}`"));
            self.by.invalid(PropertyError { property: field.property.into(), reason })
        })
    }

    fn path(&self, name: &str) -> Result<AccessPath, Error> {
        let design = self.by.design;
        if name == "primary" {
            return Ok(AccessPath::Own);
        }
        let found = design.indexes.iter().position(|index| index.name == name && index.lookup.is_none());
        found.map(AccessPath::Index).ok_or_else(|| Error::NoSuchIndex {
            entity: design.name,
            index: name.to_owned(),
            known: design.indexes.iter().map(|index| index.name).collect(),
        })
    }

    fn field(&self, name: &str) -> Result<&'static DesignedField, Error> {
        self.by.fields.iter().find(|field| field.name == name).ok_or_else(|| {
            let reason = ValueError::unreadable(name, "a field of the design".to_owned());
            self.by.invalid(PropertyError { property: name.to_owned().into(), reason })
        })
    }

    fn has_property(&self, path: AccessPath, field: &DesignedField) -> bool {
        let design = self.by.design;
        path.index(design).map_or_else(
            || design.stores(field.property),
            |index| index.holds(field.property) || index.whole && design.stores(field.property),
        )
    }

    /// Returns whether all rows of an index pass a test, because its condition compares the field with the same value.
    fn implies(&self, path: AccessPath, field: &DesignedField, test: &FieldTest) -> bool {
        let AccessPath::Index(number) = path else { return false };
        let is_field = |place: usize| self.by.fields.get(place).is_some_and(|one| one.name == field.name);
        let mut when = self.by.indexes.get(number).into_iter().flat_map(|index| &index.when);
        test.comparison == Comparison::Equal
            && when.any(|(place, value)| is_field(*place) && test.values == [value.clone()])
    }

    /// Returns whether the rows of a path contain a field.
    fn gives(&self, path: AccessPath, field: &DesignedField) -> bool {
        let (_, partition, row) = path.keys(self.by.design);
        let mut keys = holes(partition).chain(holes(row));
        path == AccessPath::Own
            || self.has_property(path, field)
            || keys.any(|(name, exact)| exact && name == field.name)
    }
}

impl FieldQuery {
    /// Returns at most a number of entities, the first in the order of the keys.
    #[must_use]
    pub const fn take(mut self, most: u64) -> Self {
        self.take = Some(most);
        self
    }

    /// Returns only some fields of the entities. Key fields are always returned.
    #[must_use]
    pub fn select(mut self, fields: &[String]) -> Self {
        self.select = Some(fields.to_vec());
        self
    }

    /// Returns the table and the filter of the requests, one of them after the other as an `or`.
    pub(super) fn filter(&self) -> Result<(TableName, Option<Filter>), Error> {
        let table = table_named(self.path.keys(self.entities.by.design).0)?;
        let filters = self.specs.iter().map(|spec| Ok(spec.filter()?.1));
        // Without a filter, all rows match.
        let filters = filters.collect::<Result<Option<Vec<Filter>>, Error>>()?;
        let any = |all: Vec<Filter>| all.into_iter().reduce(Filter::or).unwrap_or(Filter::Constant(false));
        Ok((table, filters.map(any)))
    }

    /// Reads the entities. Fields that the path lacks are read from the entities themselves, with one more request for
    /// each.
    ///
    /// # Errors
    /// Returns the errors of [`Query::report`](crate::Query::report).
    pub fn report(&self) -> Pending<'_, Report<FieldValues>> {
        Box::pin(async move {
            let by = self.entities.by;
            let fetches = self.lacks();
            let select = if fetches { None } else { self.names(self.path) };
            let mut done = Done { items: Vec::new(), stats: RunStats::new(QueryClass::TableScan) };
            for spec in &self.specs {
                let mut spec = spec.clone();
                spec.take = self.take.filter(|_| self.late.is_none());
                self.run(spec, select.clone(), self.path, &mut done).await?;
            }
            if fetches {
                let points = done.items.drain(..).map(|item| by.address_of(&item));
                let points = points.collect::<Result<Vec<_>, _>>()?;
                if !points.is_empty() {
                    let target = Ok(Target::Points(points));
                    let spec =
                        Spec::of_kind(self.entities.kind, AccessPath::Own, QueryClass::MultiPoint, target);
                    self.run(spec, self.names(AccessPath::Own), AccessPath::Own, &mut done).await?;
                }
            }
            done.items.retain(|item| self.late.as_ref().is_none_or(|late| holds(late, item)));
            let most = self.take.and_then(|take| usize::try_from(take).ok()).unwrap_or(usize::MAX);
            done.items.truncate(most);
            done.stats.returned = u64::try_from(done.items.len()).unwrap_or(u64::MAX);
            Ok(Report { items: done.items, skipped: Vec::new(), stats: done.stats })
        })
    }

    async fn run(
        &self,
        spec: Spec,
        select: Option<Vec<Name>>,
        path: AccessPath,
        done: &mut Done,
    ) -> Result<(), Error> {
        let class = spec.class;
        let rows: Resolved<Stored<DynamicEntity>> = Resolved::new(spec, |row| row).selecting(select);
        let report = rows.report(&self.entities.tables).await?;
        let of = |row: Stored<DynamicEntity>| self.entities.fields_of(path, &row);
        done.items.extend(report.items.into_iter().filter_map(of));
        if done.stats.requests == 0 {
            done.stats.class = class;
        }
        done.stats.requests += report.stats.requests;
        done.stats.ranges += report.stats.ranges;
        done.stats.read += report.stats.read;
        Ok(())
    }

    fn wanted(&self) -> impl Iterator<Item = &'static DesignedField> + '_ {
        let is_wanted = |field: &&DesignedField| {
            self.select.as_ref().is_none_or(|names| names.iter().any(|name| name == field.name))
        };
        self.entities.by.fields.iter().filter(is_wanted)
    }

    /// Returns the fields of the condition that the service cannot test.
    fn tested(&self) -> impl Iterator<Item = &'static DesignedField> + '_ {
        let names = self.late.iter().flat_map(Filter::properties);
        names.filter_map(|name| self.entities.by.fields.iter().find(|field| field.name == name))
    }

    /// Returns whether the rows of the path lack a selected or tested field.
    fn lacks(&self) -> bool {
        self.wanted().chain(self.tested()).any(|field| !self.entities.gives(self.path, field))
    }

    /// Returns the properties to request, or `None` for all.
    fn names(&self, path: AccessPath) -> Option<Vec<Name>> {
        self.select.as_ref()?;
        let stored =
            self.wanted().chain(self.tested()).filter(|field| self.entities.has_property(path, field));
        let names =
            stored.flat_map(
                |field| {
                    if field.slots.is_empty() { vec![field.property] } else { field.slots.to_vec() }
                },
            );
        let mut select: Vec<Name> = vec!["PartitionKey".into(), "RowKey".into()];
        row::add(&mut select, names);
        Some(select)
    }
}

/// Results of the queries so far.
struct Done {
    items: Vec<FieldValues>,
    stats: RunStats,
}

/// Returns whether the values satisfy a condition on fields.
fn holds(condition: &Filter, values: &FieldValues) -> bool {
    let properties: Properties =
        values.iter().map(|(name, value)| (Name::from(name.clone()), value.clone())).collect();
    condition.matches(&properties)
}
