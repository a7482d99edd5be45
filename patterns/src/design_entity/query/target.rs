//! The rows that a query by field values reads.

use std::ops::Bound;

use table_model::{Filter, QueryClass, Value};
use table_schema::{
    bounds::{Bounds, OpenRange},
    key::KeyValue,
    language::Comparison,
};

use super::FieldTest;
use crate::{
    AccessPath, Address, Error,
    core::{
        key::{self, EntityKeyError, hole::Named},
        placement::{self, Known},
        shard::SHARD,
        spec::{Spec, Target, filter},
        table::table_named,
    },
    design::Template,
    design_entity::{
        DesignedEntities,
        entity::{DesignedField, holes},
    },
    query::{fan_out::periods, range},
};

/// A test, and its field.
pub(super) type Tested<'t> = (&'t FieldTest, &'static DesignedField);

/// The ends of an interval of values, as encoded in keys.
type Ends = (Bound<KeyValue<'static>>, Bound<KeyValue<'static>>);

/// The rows of a query.
pub(super) struct Rows {
    pub(super) target: Target,
    pub(super) class: QueryClass,
    /// Numbers of the tests that all these rows satisfy.
    pub(super) used: Vec<usize>,
}

impl DesignedEntities {
    /// Returns the combinations of the values that the tests give the leading fields of the keys.
    pub(super) fn combinations(
        &self,
        path: AccessPath,
        tests: &[Tested<'_>],
    ) -> Result<Vec<Vec<Named<'static>>>, Error> {
        let (_, partition, row) = path.keys(self.by.design);
        let values = |name: &str| {
            let is_one = |test: &FieldTest| matches!(test.comparison, Comparison::Equal | Comparison::In);
            let tested = tests.iter().find(|(test, field)| field.name == name && is_one(test));
            tested.map(|tested| Ok::<_, Error>((tested.1.name, self.in_key(*tested)?)))
        };
        let partition = || holes(partition).map(|(name, _)| name).filter(|name| *name != SHARD);
        if partition().any(|name| values(name).is_none()) {
            return Ok(vec![Vec::new()]);
        }
        let lead = holes(row).map(|(name, _)| name).take_while(|name| values(name).is_some());
        let mut combinations: Vec<Vec<Named<'static>>> = vec![Vec::new()];
        let mut done: Vec<&str> = Vec::new();
        for name in partition().chain(lead) {
            let Some(values) = values(name).filter(|_| !done.contains(&name)) else { continue };
            let (name, values): (&'static str, Vec<KeyValue<'static>>) = values?;
            done.push(name);
            combinations = combinations
                .into_iter()
                .flat_map(|known| {
                    values.iter().map(move |value| {
                        known.iter().cloned().chain([(name, Ok(value.clone()))]).collect::<Vec<_>>()
                    })
                })
                .collect();
        }
        Ok(combinations)
    }

    /// Returns the rows with these values in their keys.
    pub(super) fn rows(
        &self,
        path: AccessPath,
        fixed: &[Named<'static>],
        tests: &[Tested<'_>],
    ) -> Result<Rows, Error> {
        let (_, partition, _) = path.keys(self.by.design);
        let is_fixed = |name: &str| name == SHARD || fixed.iter().any(|(known, _)| *known == name);
        if holes(partition).all(|(name, _)| is_fixed(name)) {
            return self.in_partition(path, [fixed, fixed], tests);
        }
        match self.in_periods(path, tests)? {
            Some(rows) => Ok(rows),
            None => self.over_partitions(path, tests),
        }
    }

    /// Returns the rows of one partition, or of all tables and shards that the values do not exclude.
    fn in_partition(
        &self,
        path: AccessPath,
        [in_partition, in_row]: [&[Named<'static>]; 2],
        tests: &[Tested<'_>],
    ) -> Result<Rows, Error> {
        let design = self.by.design;
        let (table, partition, row) = path.keys(design);
        let open = fixed(design.name, row, in_row)?;
        let (bounds, ranged) = self.bounds(row, &open, tests)?;
        let is_exact = |name: &str| {
            holes(partition).chain(holes(row)).any(|(known, is_exact)| is_exact && known == name)
        };
        let is_used = |(number, (test, field)): &(usize, &Tested<'_>)| {
            let mut values = in_partition.iter().chain(in_row).map(|(name, _)| *name);
            ranged == Some(*number)
                || matches!(test.comparison, Comparison::Equal | Comparison::In)
                    && is_exact(field.name)
                    && values.any(|name| name == field.name)
        };
        let used = tests.iter().enumerate().filter(is_used).map(|(number, _)| number).collect();
        let is_all = open.bounds() == row.form.all() && ranged.is_none();
        let rows = |target, class| Ok(Rows { target, class, used });
        if path != AccessPath::Own || design.is_in_one_place() {
            let (table, partition_key) =
                (table_named(table)?, key::encode(design.name, partition, in_partition)?);
            return match (open.field(), bounds) {
                (None, Bounds::Point(row_key)) => {
                    rows(Target::Points(vec![Address { table, partition_key, row_key }]), QueryClass::Point)
                }
                (None, _) => rows(Target::Nothing(table), QueryClass::Point),
                (open, bounds) => rows(
                    range::target(table, partition_key, bounds, open),
                    if is_all { QueryClass::PartitionScan } else { QueryClass::RowRange },
                ),
            };
        }
        let known = Known::of(design, &[in_partition, &self.equal(path, tests)?].concat())?;
        if let (None, Bounds::Point(row_key)) = (open.field(), &bounds) {
            let (table, partition_key) = known.place()?;
            let row_key = row_key.clone();
            return rows(Target::Points(vec![Address { table, partition_key, row_key }]), QueryClass::Point);
        }
        let of_table = |(_, field): &&Tested<'_>| {
            let mut names = design.tables.iter().flat_map(holes);
            names.any(|(name, _)| name == field.name)
        };
        let times = tests.iter().filter(of_table).filter(|(test, _)| is_range(test)).find_map(|tested| {
            let interval = self.interval(*tested).transpose()?;
            Some(interval.map(|(from, to)| (tested.1.name, from, to)))
        });
        let spread = known.spread(bounds, open.field(), times.transpose()?)?;
        rows(
            Target::Spread(Box::new(spread)),
            if is_all { QueryClass::FanOutScan } else { QueryClass::FanOut },
        )
    }

    /// Returns the rows of the partitions of the periods in a range of times, if the tests specify one.
    fn in_periods(&self, path: AccessPath, tests: &[Tested<'_>]) -> Result<Option<Rows>, Error> {
        let design = self.by.design;
        let (_, partition, row) = path.keys(design);
        let equal = self.equal(path, tests)?;
        let is_equal = |name: &str| equal.iter().any(|(known, _)| *known == name);
        let mut open = holes(partition).map(|(name, _)| name).filter(|name| !is_equal(name));
        let (Some(period), None) = (open.next(), open.next()) else { return Ok(None) };
        let Some(tested) = tests.iter().find(|(test, field)| field.name == period && is_range(test)) else {
            return Ok(None);
        };
        let Some((Some(from), Some(to))) = self.interval(*tested)?.map(placement::ticks_of) else {
            return Ok(None);
        };
        let lead: Vec<&str> = holes(row).map(|(name, _)| name).take_while(|name| is_equal(name)).collect();
        let in_row: Vec<_> = equal.iter().filter(|(name, _)| lead.contains(name)).cloned().collect();
        let mut used = Vec::new();
        let spec = periods::over(design, (from, to), |start| {
            let period = (tested.1.name, Ok(KeyValue::Ticks(start)));
            let in_partition: Vec<_> = equal.iter().cloned().chain([period]).collect();
            let rows = self.in_partition(path, [&in_partition, &in_row], tests)?;
            used = rows.used;
            Ok(Spec::of_kind(self.kind, path, rows.class, Ok(rows.target)))
        })?;
        let Spec { target, class, .. } = spec;
        Ok(Some(Rows { target: target?, class, used }))
    }

    /// Returns the rows of a range of partitions, or of the whole table. The service reads all of them, and returns those
    /// whose RowKeys the tests allow.
    fn over_partitions(&self, path: AccessPath, tests: &[Tested<'_>]) -> Result<Rows, Error> {
        let design = self.by.design;
        let (table, partition, row) = path.keys(design);
        if let (AccessPath::Own, Some(tables)) = (path, &design.tables) {
            let target = Target::Spread(Box::new(placement::everywhere(tables)));
            return Ok(Rows { target, class: QueryClass::TableScan, used: Vec::new() });
        }
        let equal = self.equal(path, tests)?;
        let mut used = Vec::new();
        let mut within = |template: &'static Template| {
            let open = fixed(design.name, template, &equal)?;
            let (bounds, ranged) = self.bounds(template, &open, tests)?;
            let exact = holes(template).take_while(|(name, _)| Some(*name) != open.field());
            let exact = exact.filter(|(_, is_exact)| *is_exact);
            let exact: Vec<&str> = exact.map(|(name, _)| name).collect();
            let is_used = |(number, (test, field)): &(usize, &Tested<'_>)| {
                ranged == Some(*number) || test.comparison == Comparison::Equal && exact.contains(&field.name)
            };
            used.extend(tests.iter().enumerate().filter(is_used).map(|(number, _)| number));
            Ok::<_, Error>(bounds)
        };
        let (partitions, rows) = (within(partition)?, within(row)?);
        let is_all = partitions == partition.form.all();
        let class = if is_all { QueryClass::TableScan } else { QueryClass::KeyRange };
        let partitions = Some(partitions).filter(|_| !is_all);
        let keys = partitions.and_then(|bounds| filter::on("PartitionKey", bounds));
        let keys = keys.into_iter().chain(filter::on("RowKey", rows)).reduce(Filter::and);
        Ok(Rows { target: Target::Keys(table_named(table)?, keys), class, used })
    }

    /// Returns the keys that satisfy the test of the first open field, and the number of the test if they satisfy it
    /// exactly.
    fn bounds(
        &self,
        template: &'static Template,
        open: &OpenRange<'static>,
        tests: &[Tested<'_>],
    ) -> Result<(Bounds, Option<usize>), Error> {
        let is_next = |(test, field): &Tested<'_>| Some(field.name) == open.field() && is_range(test);
        let Some(number) = tests.iter().position(is_next) else { return Ok((open.bounds(), None)) };
        let Some(tested) = tests.get(number) else { return Ok((open.bounds(), None)) };
        let bounds = match (tested.0.comparison, tested.0.values.first()) {
            (Comparison::Starts, Some(Value::String(text))) => open.starts_with(text),
            _ => match self.interval(*tested)? {
                Some((from, to)) => open.between_values(&from, &to),
                None => return Ok((open.bounds(), None)),
            },
        };
        let bounds = bounds.map_err(|error| EntityKeyError::key(self.by.design.name, template, error))?;
        // Rows at both ends of a coarse range are tested by their property too.
        let used = (!bounds.is_residual()).then_some(number);
        Ok((bounds, used))
    }

    fn interval(&self, tested: Tested<'_>) -> Result<Option<Ends>, Error> {
        Ok(tested.0.interval(&self.in_key(tested)?))
    }

    /// Returns the values of the key fields that are tested for a single one.
    fn equal(&self, path: AccessPath, tests: &[Tested<'_>]) -> Result<Vec<Named<'static>>, Error> {
        let (_, partition, row) = path.keys(self.by.design);
        let mut found: Vec<Named<'static>> = Vec::new();
        for tested in tests.iter().filter(|(test, _)| test.comparison == Comparison::Equal) {
            // Other fields may have no value in keys.
            let is_key = holes(partition).chain(holes(row)).any(|(name, _)| name == tested.1.name);
            let is_known = found.iter().any(|(name, _)| *name == tested.1.name);
            if is_key && !is_known {
                found.extend(self.in_key(*tested)?.pop().map(|value| (tested.1.name, Ok(value))));
            }
        }
        Ok(found)
    }

    /// Returns the values of a test as encoded in keys.
    fn in_key(&self, (test, field): Tested<'_>) -> Result<Vec<KeyValue<'static>>, Error> {
        let values = test.values.iter().map(|value| field.in_key(value));
        values.collect::<Result<_, _>>().map_err(|error| self.by.invalid(error))
    }
}

/// Returns whether a test selects an interval of values.
const fn is_range(test: &FieldTest) -> bool {
    !matches!(test.comparison, Comparison::Equal | Comparison::NotEqual | Comparison::In)
}

/// Returns the keys with these values of the leading fields.
fn fixed(
    entity: &'static str,
    template: &'static Template,
    values: &[Named<'static>],
) -> Result<OpenRange<'static>, Error> {
    let mut open = template.form.open();
    let value = |field: &str| values.iter().find(|(name, _)| *name == field)?.1.as_ref().ok();
    while let Some(value) = open.field().and_then(value) {
        open = open.fix(value).map_err(|error| EntityKeyError::key(entity, template, error))?;
    }
    Ok(open)
}
