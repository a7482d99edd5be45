//! Steps: queries on one entity, each served by one path.

use super::key::{Form, Key, descending};
use table_designs::{
    language::Delay,
    schema::{Order, Query, Workload},
};
use table_schema::{
    design::EntityDesign,
    language::{Comparison, Test},
};

/// The purpose of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A query of the workload, or a part of one.
    Query(String),
    /// Reads the fields that an entity copies when it is inserted, or when its reference changes.
    Copy,
    /// Finds the entities with a copy of a field that has changed.
    Owners,
    /// Finds the key of an entity before it is updated or deleted.
    Locate,
}

/// The start of what the documentation of a query says if its path has another order.
const UNSORTED: &str = "The path is not in the order";
/// The start of what it says if the query is one of several alternatives, each in order.
const APART: &str = "The alternatives are not in the order";

/// A query on one entity.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub purpose: Purpose,
    /// The query without the limit, which applies if a path has the required order.
    pub query: Query,
    pub order: Option<Order>,
    pub limit: Option<u32>,
    /// `true` for one of several alternatives of a condition, which are queries of their own.
    pub is_part: bool,
    /// The maximum number of consecutive requests.
    pub rounds: Option<f64>,
    /// How old the results may be.
    pub late: Option<Delay>,
}

impl Step {
    /// Creates a step without order and limit.
    pub(super) fn new(purpose: Purpose, query: Query) -> Self {
        Self { purpose, query, order: None, limit: None, is_part: false, rounds: None, late: None }
    }

    /// Returns the alternatives of the condition. A query without a condition has one without tests.
    pub(super) fn alternatives(&self) -> Vec<&[Test]> {
        match &self.query.filter {
            Some(filter) => filter.alternatives.iter().map(|all| all.tests.as_slice()).collect(),
            None => vec![&[]],
        }
    }

    pub(super) fn tests(&self) -> impl Iterator<Item = &Test> {
        self.query.filter.iter().flat_map(|filter| &filter.alternatives).flat_map(|all| &all.tests)
    }

    /// Returns the tested fields that a path must contain.
    pub(super) fn tested(&self, key: &Key) -> Vec<String> {
        self.tests().filter(|test| !key.implies(test)).map(|test| test.field.clone()).collect()
    }

    /// Returns the fields that a path must contain to serve the step alone: selected, tested and sorted.
    pub(super) fn needs(&self, entity: &EntityDesign, key: &Key) -> Vec<String> {
        let selected: Vec<&str> = match &self.query.select {
            Some(select) => select.iter().map(String::as_str).collect(),
            None => entity.fields.iter().map(|field| field.name.as_str()).collect(),
        };
        let sorted = self.order.iter().map(|order| order.field.as_str());
        let mut needs: Vec<String> = selected.into_iter().chain(sorted).map(str::to_owned).collect();
        needs.extend(self.tested(key));
        needs.sort();
        needs.dedup();
        needs
    }

    /// Returns whether a path returns the results in the required order.
    pub(super) fn is_in_order(&self, key: &Key, entity: &EntityDesign) -> bool {
        let Some(order) = &self.order else { return true };
        let [tests] = self.alternatives()[..] else { return false };
        let is_one = |field: &str| {
            tests.iter().any(|test| test.field == field && test.comparison == Comparison::Equal)
        };
        let is_bound = |field: &str| {
            tests.iter().any(|test| {
                test.field == field && matches!(test.comparison, Comparison::Equal | Comparison::In)
            })
        };
        let next = key.row.iter().find(|part| !is_one(&part.field));
        let form = match (order.is_descending, entity.field(&order.field)) {
            (true, Some(field)) => descending(&field.kind),
            _ => Some(Form::Ascending),
        };
        // Rows of several partitions are merged by their row keys.
        key.partition.iter().all(|part| matches!(part.form, Form::Shard(_)) || is_bound(&part.field))
            && next.is_some_and(|part| part.field == order.field && Some(part.form) == form)
    }

    /// Returns the documentation of the query on a path. If the path has another order, or alternatives have to be merged, it
    /// says what the program must do.
    pub(super) fn about(&self, is_in_order: bool) -> Option<String> {
        let own = self
            .query
            .about
            .as_deref()
            .map(|about| unsorted_at(about).and_then(|at| about.get(..at)).unwrap_or(about));
        let own = own.map(str::trim_end).filter(|own| !own.is_empty()).map(str::to_owned);
        let Some(order) = self.order.as_ref().filter(|_| self.is_part || !is_in_order) else { return own };
        let sign = if order.is_descending { "-" } else { "" };
        let start = if is_in_order { APART } else { UNSORTED };
        let sort =
            if self.is_part { "merge the results of all alternatives, sort them" } else { "sort the result" };
        let first = self.limit.map(|limit| format!(" and take the first {limit}")).unwrap_or_default();
        let words = format!("{start} `{sign}{}`: {sort}{first}.", order.field);
        Some(own.into_iter().chain([words]).collect::<Vec<_>>().join(" "))
    }

    /// Returns the query on a path.
    pub(super) fn on(&self, path: &str, key: &Key, entity: &EntityDesign) -> Query {
        let mut query = Query { using: Some(path.to_owned()), ..self.query.clone() };
        let is_in_order = self.is_in_order(key, entity);
        let limit = self.limit.filter(|_| is_in_order);
        if self.order.is_some() {
            query.about = self.about(is_in_order);
        }
        match &self.order {
            Some(order) if order.is_descending => query.latest = limit,
            _ => query.limit = limit,
        }
        query
    }
}

/// Returns what the program must do with a result that is not in the required order, as the documentation of a query says.
pub(super) fn unsorted(query: &Query) -> Option<&str> {
    let about = query.about.as_deref()?;
    about.get(unsorted_at(about)?..)
}

fn unsorted_at(about: &str) -> Option<usize> {
    about.find(UNSORTED).or_else(|| about.find(APART))
}

/// Returns whether the path of a query has another order than the result.
pub(super) fn is_sorted_later(query: &Query) -> bool {
    query.about.as_ref().is_some_and(|about| about.contains(UNSORTED))
}

/// Returns whether a query whose results may have some age can use what follows the writes later.
pub(super) fn may_be_late(workload: &Workload, query: &Query, age: Option<Delay>) -> bool {
    let lag = 1_000.0 * workload.content.targets.lag;
    !query.fresh && age.is_none_or(|age| age.milliseconds >= lag)
}
