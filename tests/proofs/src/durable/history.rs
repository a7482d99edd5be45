//! The history of an instance: a row for each event, and a row with the number of events, which every commit replaces.

use pollster::block_on;
use table_store::{Condition, ETag, Entity, Filter, Operation, Properties, Query, Row, TableError, Value};

use crate::durable::hub::Hub;

/// RowKey of the row with the number of events. It sorts after all events.
const SENTINEL: &str = "sentinel";

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Started,
    /// An activity was sent to the workers.
    Scheduled(u32),
    /// The result of an activity.
    Completed(u32, i64),
    /// The output of the orchestration.
    Finished(i64),
}

impl Event {
    fn entity(self, instance: &str, number: usize) -> Entity {
        let (kind, task, value) = match self {
            Self::Started => ("started", 0, 0),
            Self::Scheduled(task) => ("scheduled", task, 0),
            Self::Completed(task, result) => ("completed", task, result),
            Self::Finished(output) => ("finished", 0, output),
        };
        let entity = Entity::new(instance, row_key(number));
        entity.with("Kind", kind).with("Task", i64::from(task)).with("Value", value)
    }

    /// Reads the event of a row.
    pub(crate) fn read(properties: &Properties) -> Option<Self> {
        let number = |name| match properties.get(name) {
            Some(Value::Int64(number)) => Some(*number),
            _ => None,
        };
        let task = || u32::try_from(number("Task")?).ok();
        let Some(Value::String(kind)) = properties.get("Kind") else { return None };
        Some(match kind.as_str() {
            "started" => Self::Started,
            "scheduled" => Self::Scheduled(task()?),
            "completed" => Self::Completed(task()?, number("Value")?),
            "finished" => Self::Finished(number("Value")?),
            _ => return None,
        })
    }
}

fn row_key(number: usize) -> String {
    format!("{number:08}")
}

/// The history as it was read.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub events: Vec<Event>,
    /// Version of the row with the number of events; `None` before the first commit.
    pub(crate) sentinel: Option<ETag>,
    /// A gap, a row that cannot be read, or a wrong number of events.
    pub problem: Option<String>,
}

impl History {
    /// Reads the history of an instance.
    ///
    /// # Errors
    ///
    /// Returns the error of the request.
    pub fn read(hub: &Hub, instance: &str) -> Result<Self, TableError> {
        let mut query = Query::new().filter(Filter::eq("PartitionKey", instance));
        let mut rows = Vec::new();
        loop {
            let segment = block_on(hub.services.tables.query(&hub.history, query.clone()))?;
            rows.extend(segment.rows);
            match segment.continuation {
                Some(token) => query = query.continuation(token),
                None => return Ok(Self::of(&rows)),
            }
        }
    }

    /// Returns the history of rows in order.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut history = Self::default();
        let mut counted = None;
        for row in rows {
            let key = row.row_key.as_deref().unwrap_or_default();
            if key == SENTINEL {
                history.sentinel = Some(row.etag.clone());
                counted = row.properties.get("Events").cloned();
                continue;
            }
            match Event::read(&row.properties) {
                Some(event) if key == row_key(history.events.len()) => history.events.push(event),
                event => {
                    history.problem = Some(format!("row {key} after {}: {event:?}", history.events.len()));
                }
            }
        }
        let expected = (!history.events.is_empty()).then_some(number(history.events.len()));
        if counted != expected && history.problem.is_none() {
            history.problem = Some(format!("{counted:?} events, and {expected:?} rows"));
        }
        history
    }

    /// Appends events in one transaction, unless another worker has appended some since this history was read.
    ///
    /// # Errors
    ///
    /// Returns a conflict if another worker was faster, and the error of the request.
    pub fn append(&self, hub: &Hub, instance: &str, new: &[Event]) -> Result<(), TableError> {
        let first = self.events.len();
        let mut operations: Vec<Operation> = new
            .iter()
            .enumerate()
            .map(|(at, event)| Operation::Insert(event.entity(instance, first + at)))
            .collect();
        let count = Entity::new(instance, SENTINEL).with("Events", number(first + new.len()));
        operations.push(match &self.sentinel {
            None => Operation::Insert(count),
            Some(etag) => Operation::Replace(count, Condition::Matches(etag.clone())),
        });
        block_on(hub.services.tables.transact(&hub.history, &operations)).map(drop)
    }
}

/// Returns a number of events as a property.
fn number(events: usize) -> Value {
    Value::Int64(i64::try_from(events).unwrap_or(i64::MAX))
}
