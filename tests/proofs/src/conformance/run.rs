use std::{collections::BTreeMap, fmt};

use table_rest::wire::entity::EntityBody;
use table_store::{
    Condition, ETag, Entity, Filter, Name, Operation, Properties, Query, Row, TableError, TableName,
    TableService,
};

use crate::conformance::{Case, Change, Step};

/// A step with an unexpected result.
#[derive(Debug)]
pub struct Mismatch {
    /// Number of the step, counted from 1.
    pub step: usize,
    /// The actual and the expected result.
    pub reason: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.reason)
    }
}

/// Runs a case on a backend, in a table of this name, which must not exist.
///
/// # Errors
///
/// Returns the first step with an unexpected result.
pub async fn run(service: &dyn TableService, case: &Case, table: &str) -> Result<(), Mismatch> {
    let mut runner = Runner { service, table: table.to_owned(), kept: BTreeMap::new() };
    let made = service.create_table(&name(table).map_err(|reason| Mismatch { step: 0, reason })?).await;
    made.map_err(|error| Mismatch { step: 0, reason: error.to_string() })?;
    for (place, step) in case.step.iter().enumerate() {
        runner.step(step).await.map_err(|reason| Mismatch { step: place + 1, reason })?;
    }
    Ok(())
}

/// The result of a step.
#[derive(Default)]
struct Given {
    rows: Option<Vec<Row>>,
    pages: usize,
    etag: Option<ETag>,
}

struct Runner<'s> {
    service: &'s dyn TableService,
    table: String,
    kept: BTreeMap<String, ETag>,
}

impl Runner<'_> {
    async fn step(&mut self, step: &Step) -> Result<(), String> {
        let outcome = self.act(step).await?;
        let given = match (outcome, &step.refused) {
            (Ok(given), None) => given,
            (Ok(_), Some(code)) => return Err(format!("was done, and is to be refused with {code}")),
            (Err(error), None) => return Err(format!("was refused: {error}")),
            (Err(error), Some(code)) if error.code().as_str() == code && error.index() == step.at => {
                return Ok(());
            }
            (Err(error), Some(code)) => {
                let at = step.at.map(|at| format!(" of operation {at}")).unwrap_or_default();
                return Err(format!("was refused with {error}, not with {code}{at}"));
            }
        };
        if let (Some(name), Some(etag)) = (&step.keep, &given.etag) {
            self.kept.insert(name.clone(), etag.clone());
        }
        if step.pages.is_some_and(|pages| given.pages < pages) {
            return Err(format!("came in {} pages", given.pages));
        }
        let Some(rows) = given.rows else { return Ok(()) };
        if step.count.is_some_and(|count| count != rows.len()) {
            return Err(format!("gave {} entities", rows.len()));
        }
        let Some(expected) = &step.gives else { return Ok(()) };
        if expected.len() != rows.len() {
            return Err(format!("gave {} entities: {rows:?}", rows.len()));
        }
        expected.iter().zip(&rows).try_for_each(|(expected, row)| same(row, expected))
    }

    /// Returns the result of the service; the outer error means that the case itself cannot be parsed.
    async fn act(&self, step: &Step) -> Result<Result<Given, TableError>, String> {
        let table = name(step.table.as_deref().unwrap_or(&self.table))?;
        if let Some(named) = &step.create_table {
            return Ok(self.service.create_table(&name(named)?).await.map(|()| Given::default()));
        }
        if let Some(named) = &step.delete_table {
            return Ok(self.service.delete_table(&name(named)?).await.map(|()| Given::default()));
        }
        if let Some(change) = step.change() {
            let operation = self.operation(&change)?;
            let written = self.service.execute(&table, &operation).await;
            return Ok(written.map(|written| Given { etag: written.etag().cloned(), ..Given::default() }));
        }
        if let Some(changes) = &step.transact {
            let operations =
                changes.iter().map(|change| self.operation(change)).collect::<Result<Vec<_>, _>>()?;
            return Ok(self.service.transact(&table, &operations).await.map(|_| Given::default()));
        }
        if let Some(fill) = &step.fill {
            return self.fill(&table, fill).await.map(Ok);
        }
        let select = step
            .select
            .as_ref()
            .map(|names| names.iter().map(|name| Name::from(name.clone())).collect::<Vec<_>>());
        if let Some([partition, row]) = &step.get {
            let found = self.service.get(&table, partition, row, select.as_deref()).await;
            return Ok(found.map(|row| Given {
                etag: row.as_ref().map(|row| row.etag.clone()),
                rows: Some(row.into_iter().collect()),
                pages: 1,
            }));
        }
        let Some(filter) = &step.query else { return Err("the step does nothing".to_owned()) };
        Ok(self.query(&table, filter, select, step.top).await)
    }

    async fn query(
        &self,
        table: &TableName,
        filter: &str,
        select: Option<Vec<Name>>,
        top: Option<u32>,
    ) -> Result<Given, TableError> {
        let filter = if filter.is_empty() { None } else { Some(Filter::parse(filter)?) };
        let mut query = Query { filter, select, top, ..Query::default() };
        let (mut rows, mut pages) = (Vec::new(), 0);
        loop {
            let segment = self.service.query(table, query.clone()).await?;
            rows.extend(segment.rows);
            pages += 1;
            match segment.continuation {
                Some(token) => query.continuation = Some(token),
                None => return Ok(Given { rows: Some(rows), pages, etag: None }),
            }
        }
    }

    async fn fill(&self, table: &TableName, fill: &str) -> Result<Given, String> {
        let (partition, count) = fill.split_once(' ').ok_or("fill = \"PARTITION COUNT\"")?;
        let count: i32 = count.parse().map_err(|error| format!("{error}"))?;
        let all: Vec<Operation> = (0..count)
            .map(|number| {
                Operation::InsertOrReplace(Entity::new(partition, format!("{number:06}")).with("N", number))
            })
            .collect();
        for operations in all.chunks(100) {
            self.service.transact(table, operations).await.map_err(|error| error.to_string())?;
        }
        Ok(Given::default())
    }

    fn operation(&self, change: &Change) -> Result<Operation, String> {
        let condition = || match change.condition.as_deref() {
            None | Some("*") => Ok(Condition::Exists),
            Some(kept) => {
                let etag = self.kept.get(kept).ok_or_else(|| format!("no version is kept as `{kept}`"))?;
                Ok::<_, String>(Condition::Matches(etag.clone()))
            }
        };
        Ok(match change {
            Change { insert: Some(text), .. } => Operation::Insert(entity(text)?),
            Change { replace: Some(text), .. } => Operation::Replace(entity(text)?, condition()?),
            Change { merge: Some(text), .. } => Operation::Merge(entity(text)?, condition()?),
            Change { upsert: Some(text), .. } => Operation::InsertOrReplace(entity(text)?),
            Change { upsert_merge: Some(text), .. } => Operation::InsertOrMerge(entity(text)?),
            Change { delete: Some([partition, row]), .. } => Operation::Delete {
                partition_key: partition.clone(),
                row_key: row.clone(),
                condition: condition()?,
            },
            _ => return Err("a change without a verb".to_owned()),
        })
    }
}

fn name(text: &str) -> Result<TableName, String> {
    TableName::new(text).map_err(|error| error.to_string())
}

/// Parses an entity in OData's JSON, in which `{{x 300}}` is replaced by 300 times `x`.
fn entity(text: &str) -> Result<Entity, String> {
    let body = body(text)?;
    let (partition_key, row_key) = (body.partition_key.unwrap_or_default(), body.row_key.unwrap_or_default());
    Ok(Entity { partition_key, row_key, properties: body.properties })
}

fn body(text: &str) -> Result<EntityBody, String> {
    EntityBody::read(repeated(text)?.as_bytes()).map_err(|error| format!("{error} in {text}"))
}

fn repeated(text: &str) -> Result<String, String> {
    let mut parts = text.split("{{");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (times, rest) = part.split_once("}}").ok_or("an unclosed `{{`")?;
        let (what, count) = times.rsplit_once(' ').ok_or("`{{x 300}}`")?;
        whole.push_str(&what.repeat(count.parse().map_err(|error| format!("{error}"))?));
        whole.push_str(rest);
    }
    Ok(whole)
}

/// Checks that a row matches the expected entity; keys are compared only if the entity contains them.
fn same(row: &Row, expected: &str) -> Result<(), String> {
    let wanted = body(expected)?;
    let sorted = |properties: &Properties| {
        let mut all: Vec<_> = properties.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    };
    let keys = (wanted.partition_key.is_none() || wanted.partition_key == row.partition_key)
        && (wanted.row_key.is_none() || wanted.row_key == row.row_key);
    if keys && sorted(&wanted.properties) == sorted(&row.properties) {
        return Ok(());
    }
    Err(format!("gave {:?} {:?} {:?} for {expected}", row.partition_key, row.row_key, row.properties))
}
