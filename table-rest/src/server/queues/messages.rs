use http::StatusCode;
use table_model::{
    TableError,
    queue::{
        QueueName,
        limits::{MESSAGES, VISIBILITY},
    },
};

use super::{facts, xml};
use crate::{
    server::{Call, Refusal, Reply, RequestBody, ServedAccount, resource::explain, share::Reservation},
    wire::queues::{
        MESSAGE_BODY_BYTES, read_get_parameters, read_message, read_peek_parameters, read_put_parameters,
        write_got, write_peeked, write_put,
    },
};

const MOST_SECONDS: u64 = VISIBILITY.as_secs();

/// Puts a message.
pub(super) async fn put(
    account: &ServedAccount,
    call: &Call,
    queue: &QueueName,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let text = read_message(&body.whole(MESSAGE_BODY_BYTES).await?)?;
    let bounds = [("visibilitytimeout", 0, MOST_SECONDS), ("messagettl", 1, i64::MAX.unsigned_abs())];
    let put = read_put_parameters(&call.query, text).map_err(|error| explain(call, error, &bounds))?;
    let put = account.queues.put_message(queue, put).await?;
    Ok(xml(StatusCode::CREATED, write_put(&put)))
}

/// Gets messages and makes them invisible.
pub(super) async fn get(account: &ServedAccount, call: &Call, queue: &QueueName) -> Result<Reply, Refusal> {
    let get = read_get_parameters(&call.query).map_err(|error| explain_count(call, error, 1))?;
    // Before the messages become invisible.
    let (bytes, held) = reserve(account, get.count).await?;
    let got = account.share.weigh(&call.probe, bytes, async {
        let messages = account.queues.get_messages(queue, get).await?;
        Ok::<_, Refusal>((write_got(&messages), messages.len()))
    });
    let (body, count) = got.await?;
    Ok(xml(StatusCode::OK, body).held(held).facts(facts(count)))
}

/// Peeks at messages without changing them.
pub(super) async fn peek(account: &ServedAccount, call: &Call, queue: &QueueName) -> Result<Reply, Refusal> {
    let count = read_peek_parameters(&call.query).map_err(|error| explain_count(call, error, 0))?;
    let count = count.unwrap_or(1);
    let (bytes, held) = reserve(account, count).await?;
    let peeked = account.share.weigh(&call.probe, bytes, async {
        let messages = account.queues.peek_messages(queue, count).await?;
        Ok::<_, Refusal>((write_peeked(&messages), messages.len()))
    });
    let (body, count) = peeked.await?;
    Ok(xml(StatusCode::OK, body).held(held).facts(facts(count)))
}

/// Reserves the memory of the largest possible messages. A single message is short work.
async fn reserve(account: &ServedAccount, count: u32) -> Result<(usize, Reservation), Refusal> {
    let count = count.clamp(1, MESSAGES) as usize;
    let bytes = if count > 1 { count * MESSAGE_BODY_BYTES } else { 0 };
    Ok((bytes, account.share.reserve(bytes).await?))
}

/// Deletes all messages.
pub(super) async fn clear(account: &ServedAccount, queue: &QueueName) -> Result<Reply, Refusal> {
    account.queues.clear_messages(queue).await?;
    Ok(Reply::new(StatusCode::NO_CONTENT))
}

fn explain_count(call: &Call, error: TableError, least: u64) -> Refusal {
    let bounds = [("numofmessages", 1, MESSAGES.into()), ("visibilitytimeout", least, MOST_SECONDS)];
    explain(call, error, &bounds)
}
