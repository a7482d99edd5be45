//! Placement: derives tables and partitions from the values of fields.

use std::ops::Bound;

use table_model::TableName;
use table_schema::{
    bounds::{Bounds, KeyRange},
    key::{KeyValue, periods},
    template::{Part, Shape},
};

use crate::{
    Error,
    core::{
        key::{self, EntityKeyError, hole::Named},
        shard,
        spec::spread::{Order, Spread, TableSet},
        table::table_of,
    },
    design::{Design, Template},
};

/// Maximum number of periods that are enumerated. For more periods, listing the existing tables is cheaper.
const MOST_COUNTED: usize = 100;

/// Interval of a field's values.
pub(crate) type Interval<'v> = (&'static str, Bound<KeyValue<'v>>, Bound<KeyValue<'v>>);

/// Values of some key fields, as specified by a query so far.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    design: &'static Design,
    values: Vec<Named<'static>>,
}

impl Known {
    pub(crate) fn of(design: &'static Design, values: &[Named<'_>]) -> Result<Self, Error> {
        let mut known = Self { design, values: Vec::with_capacity(values.len()) };
        for (field, value) in values {
            match value {
                Ok(value) => known.values.push((field, Ok(value.clone().into_owned()))),
                Err(reason) => {
                    return Err(
                        EntityKeyError::value(design.name, &design.partition, field, reason.clone()).into()
                    );
                }
            }
        }
        Ok(known)
    }

    /// Adds the value of a field.
    pub(crate) fn with(mut self, field: &'static str, value: KeyValue<'_>) -> Self {
        self.values.push((field, Ok(value.into_owned())));
        self
    }

    fn value(&self, field: &str) -> Option<&KeyValue<'static>> {
        self.values.iter().find(|(name, _)| *name == field).and_then(|(_, value)| value.as_ref().ok())
    }

    /// Returns the table and the partition key of a row, if all values are specified.
    pub(crate) fn place(&self) -> Result<(TableName, String), Error> {
        place(self.design, &self.values)
    }

    /// Returns all tables and partitions that can contain rows with these values and a row key in `keys`. `open` is the
    /// first field of the row key that is not fixed.
    pub(crate) fn spread(
        &self,
        keys: Bounds,
        open: Option<&'static str>,
        interval: Option<Interval<'_>>,
    ) -> Result<Spread, Error> {
        let (tables, varying) = self.tables(interval)?;
        let partitions = match self.design.shard {
            Some(shard) if self.value(shard.of).is_none() => (0..shard.count)
                .map(|number| self.partition_key(&[shard::value(number)]))
                .collect::<Result<Vec<_>, _>>()?,
            Some(shard) => {
                let number = shard::of_values(self.design, shard, &self.values)?;
                vec![self.partition_key(&[shard::value(number)])?]
            }
            None => vec![self.partition_key(&[])?],
        };
        let order = match (varying, open) {
            // The rows are sorted by the field that distinguishes their tables, so the tables can be read sequentially.
            (Some(field), Some(open)) if field == open => {
                let is_descending = shape_of(&self.design.row, field).is_some_and(Shape::is_descending);
                if is_descending { Order::Descending } else { Order::Ascending }
            }
            _ => Order::Merged,
        };
        Ok(Spread {
            tables,
            partitions: Some(partitions),
            is_by_partition: false,
            keys,
            order,
            descending: false,
        })
    }

    fn partition_key(&self, more: &[Named<'static>]) -> Result<String, Error> {
        let values: Vec<_> = self.values.iter().chain(more).cloned().collect();
        Ok(key::encode(self.design.name, &self.design.partition, &values)?)
    }

    /// Returns the tables, and the field that distinguishes them, if it is a single field.
    fn tables(&self, interval: Option<Interval<'_>>) -> Result<(TableSet, Option<&'static str>), Error> {
        let Some(template) = &self.design.tables else {
            return Ok((TableSet::Named(vec![table_of(self.design)?]), None));
        };
        let refused = |error| EntityKeyError::key(self.design.name, template, error);
        let mut open = template.form.open();
        while let Some(value) = open.field().and_then(|field| self.value(field)) {
            open = open.fix(value).map_err(refused)?;
        }
        let Some(field) = open.field() else {
            let name = key::encode(self.design.name, template, &self.values)?;
            return Ok((TableSet::Named(vec![TableName::new(name)?]), None));
        };
        let unknown =
            |part: &&Part<'_>| matches!(part, Part::Field { field, .. } if self.value(field).is_none());
        let varying = (template.form.parts().iter().filter(unknown).count() == 1).then_some(field);
        let interval =
            interval.filter(|(name, ..)| *name == field).map(|(_, from, to)| (least(from), most(to)));
        let Some((from, to)) = interval else {
            return Ok((TableSet::listed(template, open.bounds()), varying));
        };
        if let (Some(_), Some(names)) = (varying, self.counted(template, field, &from, &to)?) {
            return Ok((TableSet::Named(names), varying));
        }
        let bounds = open.between_values(&from, &to).map_err(refused)?;
        Ok((TableSet::listed(template, bounds), varying))
    }

    /// Returns the names of the periods between two times, if both are specified and the number of periods is below the
    /// limit.
    fn counted(
        &self,
        template: &Template,
        field: &'static str,
        from: &Bound<KeyValue<'_>>,
        to: &Bound<KeyValue<'_>>,
    ) -> Result<Option<Vec<TableName>>, Error> {
        let (Some(Shape::Date(format)), Some(from), Some(to)) =
            (shape_of(template, field), ticks(from), ticks(to))
        else {
            return Ok(None);
        };
        if from > to {
            return Ok(Some(Vec::new()));
        }
        let starts: Vec<i64> = periods(format.finest(), from, to).take(MOST_COUNTED + 1).collect();
        if starts.is_empty() || starts.len() > MOST_COUNTED {
            return Ok(None);
        }
        let named = |start| {
            let known = self.clone().with(field, KeyValue::Ticks(start));
            Ok(TableName::new(key::encode(self.design.name, template, &known.values)?)?)
        };
        starts.into_iter().map(named).collect::<Result<Vec<_>, Error>>().map(Some)
    }
}

/// Returns the table and the partition key of these values.
pub(crate) fn place(design: &'static Design, values: &[Named<'_>]) -> Result<(TableName, String), Error> {
    let table = match &design.tables {
        None => table_of(design)?,
        Some(template) => TableName::new(key::encode(design.name, template, values)?)?,
    };
    let partition_key = match design.shard {
        None => key::encode(design.name, &design.partition, values)?,
        Some(shard) => {
            let shard = shard::value(shard::of_values(design, shard, values)?);
            let values: Vec<_> = values.iter().cloned().chain([shard]).collect();
            key::encode(design.name, &design.partition, &values)?
        }
    };
    Ok((table, partition_key))
}

/// Returns all rows of all tables of a design, table by table.
pub(crate) fn everywhere(template: &'static Template) -> Spread {
    Spread {
        tables: TableSet::listed(template, template.form.all()),
        partitions: None,
        is_by_partition: false,
        keys: Bounds::Range(KeyRange::default()),
        order: Order::Ascending,
        descending: false,
    }
}

/// Returns the format of a field in a template, if the template contains the field.
pub(crate) fn shape_of(template: &Template, field: &str) -> Option<Shape> {
    template.form.parts().iter().find_map(|part| match part {
        Part::Field { field: name, shape, .. } if *name == field => Some(*shape),
        _ => None,
    })
}

/// Times are counted in ticks: an excluded bound is replaced with the adjacent tick. A range up to midnight therefore
/// does not read the next day's table.
fn least(from: Bound<KeyValue<'_>>) -> Bound<KeyValue<'_>> {
    match from {
        Bound::Excluded(KeyValue::Ticks(ticks)) => Bound::Included(KeyValue::Ticks(ticks.saturating_add(1))),
        other => other,
    }
}

fn most(to: Bound<KeyValue<'_>>) -> Bound<KeyValue<'_>> {
    match to {
        Bound::Excluded(KeyValue::Ticks(ticks)) => Bound::Included(KeyValue::Ticks(ticks.saturating_sub(1))),
        other => other,
    }
}

/// Returns the first and the last tick of an interval of times, where it has ends.
pub(crate) fn ticks_of((from, to): (Bound<KeyValue<'_>>, Bound<KeyValue<'_>>)) -> (Option<i64>, Option<i64>) {
    (ticks(&least(from)), ticks(&most(to)))
}

const fn ticks(bound: &Bound<KeyValue<'_>>) -> Option<i64> {
    match bound {
        Bound::Included(KeyValue::Ticks(ticks)) => Some(*ticks),
        _ => None,
    }
}
