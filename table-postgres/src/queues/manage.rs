//! Creation, deletion and lists of queues.

use std::sync::Arc;

use table_model::{
    ErrorCode, Metadata,
    queue::{ListQueues, QueueCreated, QueueItem, QueueName, QueueProperties, QueuesSegment},
};
use tokio_postgres::Row;

use super::statements::Statements;
use crate::{bounds, connections::take, failure::Failure, options::invalid, postgres::Inner};

/// Number of messages that are counted. Above it, the number is an estimate of the database.
const COUNTED: i64 = 10_000;

impl Inner {
    pub(super) async fn create_queue(
        &self,
        name: &QueueName,
        metadata: &Metadata,
    ) -> Result<QueueCreated, Failure> {
        let mut client = take(&self.pool).await?;
        let transaction = client.transaction().await?;
        let (names, values) = columns(metadata);
        let insert = format!(
            "INSERT INTO {}.queues (name, metadata_names, metadata_values) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING \
             RETURNING id",
            self.options.quoted_schema()
        );
        let row = transaction.query_opt(&insert, &[&name.as_str(), &names, &values]).await?;
        let Some(row) = row else {
            let query = format!(
                "SELECT metadata_names, metadata_values FROM {}.queues WHERE name = $1",
                self.options.quoted_schema()
            );
            let row = transaction.query_opt(&query, &[&name.as_str()]).await?.ok_or(Failure::Again)?;
            let is_same = metadata_of(&row, 0)?.is_same(metadata);
            return if is_same {
                Ok(QueueCreated::Existing)
            } else {
                Err(ErrorCode::QueueAlreadyExists.into())
            };
        };
        let known = Statements::new(&self.options.quoted_schema(), row.get(0));
        transaction.batch_execute(&known.create).await?;
        transaction.commit().await?;
        self.remember_queue(name, Some(&Arc::new(known)));
        Ok(QueueCreated::New)
    }

    pub(super) async fn delete_queue(&self, name: &QueueName) -> Result<(), Failure> {
        let mut client = take(&self.pool).await?;
        let transaction = client.transaction().await?;
        let delete =
            format!("DELETE FROM {}.queues WHERE name = $1 RETURNING id", self.options.quoted_schema());
        let row = transaction.query_opt(&delete, &[&name.as_str()]).await?.ok_or(Failure::NoTable)?;
        transaction.batch_execute(&Statements::new(&self.options.quoted_schema(), row.get(0)).drop).await?;
        transaction.commit().await?;
        self.remember_queue(name, None);
        Ok(())
    }

    pub(super) async fn set_queue_metadata(
        &self,
        name: &QueueName,
        metadata: &Metadata,
    ) -> Result<(), Failure> {
        let (names, values) = columns(metadata);
        let update = format!(
            "UPDATE {}.queues SET metadata_names = $2, metadata_values = $3 WHERE name = $1",
            self.options.quoted_schema()
        );
        match take(&self.pool).await?.execute(&update, &[&name.as_str(), &names, &values]).await? {
            0 => Err(Failure::NoTable),
            _ => Ok(()),
        }
    }

    pub(super) async fn queue_properties(
        &self,
        name: &QueueName,
        queue: &Statements,
    ) -> Result<QueueProperties, Failure> {
        let client = take(&self.pool).await?;
        let query = format!(
            "SELECT metadata_names, metadata_values FROM {}.queues WHERE name = $1",
            self.options.quoted_schema()
        );
        let row = client.query_opt(&query, &[&name.as_str()]).await?.ok_or(Failure::NoTable)?;
        let counted = client.query_one(&queue.count, &[]).await?;
        let (first, estimate): (i64, i64) = (counted.get(0), counted.get(1));
        let approximate_messages = if first > COUNTED { first.max(estimate) } else { first };
        Ok(QueueProperties {
            metadata: metadata_of(&row, 0)?,
            approximate_messages: approximate_messages.unsigned_abs(),
        })
    }

    pub(super) async fn clear_messages(&self, queue: &Statements) -> Result<(), Failure> {
        take(&self.pool).await?.batch_execute(&queue.clear).await
    }

    pub(super) async fn list_queues(&self, request: &ListQueues) -> Result<QueuesSegment, Failure> {
        let most = request.results()?;
        let start = bounds::of_name(request.marker.as_deref().unwrap_or_default().max(&request.prefix));
        let prefix = bounds::of_name(&request.prefix);
        let query = format!(
            "SELECT metadata_names, metadata_values, name FROM {}.queues WHERE name >= $1 AND starts_with(name, $2) \
             ORDER BY name LIMIT $3",
            self.options.quoted_schema()
        );
        let limit = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
        let rows = take(&self.pool).await?.query(&query, &[&start, &prefix, &limit]).await?;
        let mut queues = Vec::new();
        for row in &rows {
            let name: String = row.get(2);
            if queues.len() == most {
                return Ok(QueuesSegment { queues, next_marker: Some(name) });
            }
            let metadata = request.metadata.then(|| metadata_of(row, 0)).transpose()?;
            queues.push(QueueItem { name: QueueName::new(name)?, metadata });
        }
        Ok(QueuesSegment { queues, next_marker: None })
    }
}

fn columns(metadata: &Metadata) -> (Vec<&str>, Vec<&str>) {
    metadata.iter().unzip()
}

fn metadata_of(row: &Row, first: usize) -> Result<Metadata, Failure> {
    let texts = |column| row.try_get::<_, Vec<String>>(column);
    let (names, values) = texts(first)
        .and_then(|names| Ok((names, texts(first + 1)?)))
        .map_err(|_| Failure::Refused(invalid("stored metadata are invalid")))?;
    let mut metadata = Metadata::new();
    for (name, value) in names.into_iter().zip(values) {
        metadata.set(name, value).map_err(|_| Failure::Refused(invalid("stored metadata are invalid")))?;
    }
    Ok(metadata)
}
