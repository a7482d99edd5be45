//! Requests to the messages of a queue, whose content was checked.

use table_model::{
    ErrorCode, Timestamp,
    queue::{
        GetMessages, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        UpdateMessage, out_of_range,
    },
};
use tokio_postgres::types::ToSql;
use uuid::{Builder, Uuid};

use super::{receipt, statements::Statements};
use crate::{connections::take, failure::Failure, postgres::Inner};

/// Ticks of a duration. More than the service's time are cut.
fn ticks(duration: std::time::Duration) -> i64 {
    i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX).min(Timestamp::MAX.ticks())
}

fn time(ticks: i64) -> Timestamp {
    Timestamp::from_ticks(ticks).unwrap_or(Timestamp::MAX)
}

impl Inner {
    pub(super) async fn put_message(
        &self,
        queue: &Statements,
        message: &PutMessage,
    ) -> Result<MessagePut, Failure> {
        let stamp = self.stamps.next(&self.pool).await?;
        let mut id = [0; 16];
        getrandom::fill(&mut id).map_err(|error| Failure::Unknown(format!("no random numbers: {error}")))?;
        let id = Builder::from_random_bytes(id).into_uuid();
        let life = message.life().map_or(i64::MAX, ticks);
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&queue.put).await?;
        let row = client
            .query_one(&statement, &[&id, &ticks(message.visibility), &stamp, &life, &message.text])
            .await?;
        Ok(MessagePut {
            id,
            inserted: time(row.get(0)),
            expires: Timestamp::from_ticks(row.get(1)),
            pop_receipt: receipt::of(stamp),
            next_visible: time(row.get(2)),
        })
    }

    pub(super) async fn get_messages(
        &self,
        queue: &Statements,
        get: GetMessages,
    ) -> Result<Vec<Message>, Failure> {
        let stamp = self.stamps.next(&self.pool).await?;
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&queue.get).await?;
        let (count, visibility) = (i64::from(get.count), ticks(get.visibility));
        let mut rows = client.query(&statement, &[&count, &visibility, &stamp]).await?;
        rows.sort_by_key(|row| (row.get::<_, i64>(6), row.get::<_, i64>(7)));
        let message = |row: &tokio_postgres::Row| Message {
            id: row.get(0),
            inserted: time(row.get(1)),
            expires: Timestamp::from_ticks(row.get(2)),
            pop_receipt: receipt::of(stamp),
            next_visible: time(row.get(5)),
            dequeue_count: row.get::<_, i32>(3).unsigned_abs(),
            text: row.get(4),
        };
        Ok(rows.iter().map(message).collect())
    }

    pub(super) async fn peek_messages(
        &self,
        queue: &Statements,
        count: u32,
    ) -> Result<Vec<PeekedMessage>, Failure> {
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&queue.peek).await?;
        let rows = client.query(&statement, &[&i64::from(count)]).await?;
        let message = |row: &tokio_postgres::Row| PeekedMessage {
            id: row.get(0),
            inserted: time(row.get(1)),
            expires: Timestamp::from_ticks(row.get(2)),
            dequeue_count: row.get::<_, i32>(3).unsigned_abs(),
            text: row.get(4),
        };
        Ok(rows.iter().map(message).collect())
    }

    pub(super) async fn update_message(
        &self,
        queue: &Statements,
        id: Uuid,
        pop_receipt: &PopReceipt,
        update: &UpdateMessage,
    ) -> Result<MessageUpdated, Failure> {
        let stamp = self.stamps.next(&self.pool).await?;
        let required = receipt::stamp(pop_receipt);
        let visibility = ticks(update.visibility);
        let params: [&(dyn ToSql + Sync); 5] = [&id, &required, &visibility, &stamp, &update.text];
        let visible = self.settle_message(&queue.update, &params, required).await?;
        Ok(MessageUpdated { pop_receipt: receipt::of(stamp), next_visible: time(visible) })
    }

    pub(super) async fn delete_message(
        &self,
        queue: &Statements,
        id: Uuid,
        pop_receipt: &PopReceipt,
    ) -> Result<(), Failure> {
        let required = receipt::stamp(pop_receipt);
        self.settle_message(&queue.delete, &[&id, &required], required).await.map(drop)
    }

    /// Executes a statement on a received message. Returns when it becomes visible.
    async fn settle_message(
        &self,
        text: &str,
        params: &[&(dyn ToSql + Sync)],
        required: i64,
    ) -> Result<i64, Failure> {
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(text).await?;
        let row = client.query_one(&statement, params).await?;
        match (row.get(0), row.get::<_, Option<i64>>(1)) {
            (Some(visible), _) => Ok(visible),
            (None, None) => Err(ErrorCode::MessageNotFound.into()),
            (None, Some(receipt)) if receipt == required => {
                Err(out_of_range("visibilitytimeout", "at most the remaining time to live").into())
            }
            (None, Some(_)) => Err(ErrorCode::PopReceiptMismatch.into()),
        }
    }
}
