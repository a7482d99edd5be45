//! The operations of a window with the conditions under which they are sent: each row was read and checked before, and
//! a row that another writer changes in between is not overwritten.

use futures_util::future::join_all;
use hyper::StatusCode;
use table_exchange::Window;
use table_model::{Condition, ETag, Operation, Properties, Row, TableName};

use super::check::{self, Treatment};
use crate::{
    edit::applied,
    problem::Problem,
    view::{Context, entity::Keys},
};

/// Number of concurrent reads.
const AT_ONCE: usize = 16;

/// What remains of a window beside the operations that it sends.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Operations on entities from which other rows follow, with their lines.
    pub(super) by_design: Vec<(u64, Operation)>,
    /// Number of rows that follow from entities.
    pub(super) left_out: u64,
    /// Lines that require a row which does not exist.
    pub(super) missing: Vec<u64>,
}

/// Checks all rows of a window, also those that were changed after the preview.
///
/// # Errors
///
/// Returns the first row that is not imported, or an error of a read.
pub(super) async fn settle(
    context: &Context<'_>,
    table: &TableName,
    window: &mut Window,
) -> Result<Settled, Problem> {
    let mut settled = Settled::default();
    if context.shared.is_raw {
        return Ok(settled);
    }
    let operations: Vec<(u64, &Operation)> = window.operations().collect();
    let mut checked = Vec::with_capacity(operations.len());
    for some in operations.chunks(AT_ONCE) {
        let rows = read(context, table, some).await?;
        for ((line, operation), row) in some.iter().zip(rows) {
            let treatment = treatment(context, table, (*line, operation), row.as_ref()).await?;
            checked.push((treatment, row.map(|row| row.etag)));
        }
    }
    let mut checked = checked.into_iter();
    window.replace(|line, operation| {
        let (treatment, before) = checked.next()?;
        if treatment == Treatment::LeftOut {
            settled.left_out += 1;
            return None;
        }
        let Some(operation) = conditional(operation, before) else {
            settled.missing.push(line);
            return None;
        };
        if treatment == Treatment::ByDesign {
            settled.by_design.push((line, operation));
            return None;
        }
        Some(operation)
    });
    Ok(settled)
}

/// Reads the rows of operations. An insert writes nothing if the row exists, so its row is not read.
async fn read(
    context: &Context<'_>,
    table: &TableName,
    operations: &[(u64, &Operation)],
) -> Result<Vec<Option<Row>>, Problem> {
    let read = operations.iter().map(async |(_, operation)| match operation {
        Operation::Insert(_) => Ok(None),
        _ => context.place.tables.get(table, operation.partition_key(), operation.row_key(), None).await,
    });
    Ok(join_all(read).await.into_iter().collect::<Result<_, _>>()?)
}

/// Returns how an operation is sent, by its row before and after it.
async fn treatment(
    context: &Context<'_>,
    table: &TableName,
    (line, operation): (u64, &Operation),
    before: Option<&Row>,
) -> Result<Treatment, Problem> {
    let keys = Keys { partition: operation.partition_key(), row: operation.row_key() };
    let before = before.map(|row| &row.properties);
    let none = Properties::new();
    let after = applied(operation, before.unwrap_or(&none)).unwrap_or_default();
    // The service rejects a merge of a missing row, whose other properties are unknown.
    let is_whole = before.is_some() || !matches!(operation, Operation::Merge(..));
    let overwritten = before.map(|before| check::treatment(context, table.as_str(), &keys, before));
    let treatment = check::checked(context, table.as_str(), &keys, (&after, is_whole)).await;
    let reason = match (treatment, overwritten) {
        (Treatment::LeftOut, _) => return Ok(Treatment::LeftOut),
        (_, Some(Treatment::Refused(reason))) | (Treatment::Refused(reason), _) => reason,
        (_, Some(Treatment::LeftOut)) => "A row that follows from entities has these keys.".to_owned(),
        (treatment, _) => return Ok(treatment),
    };
    Err(Problem::new(StatusCode::FORBIDDEN, "Not imported", check::line(line, &keys, &reason)))
}

/// Returns an operation that requires the version that was read. `None` if it requires a row, and there is none.
fn conditional(operation: Operation, before: Option<ETag>) -> Option<Operation> {
    match (operation, before.map(Condition::Matches)) {
        (Operation::Replace(entity, _) | Operation::InsertOrReplace(entity), Some(condition)) => {
            Some(Operation::Replace(entity, condition))
        }
        (Operation::Merge(entity, _) | Operation::InsertOrMerge(entity), Some(condition)) => {
            Some(Operation::Merge(entity, condition))
        }
        (
            Operation::Insert(entity) | Operation::InsertOrReplace(entity) | Operation::InsertOrMerge(entity),
            None,
        ) => Some(Operation::Insert(entity)),
        _ => None,
    }
}
