//! The queue client.

use std::{fmt, sync::Arc};

use azure_core::http::Method;
use http::HeaderMap;
use table_model::{
    ErrorCode, Metadata, Pending, QueueService, Result, TableError, Uuid,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueuesSegment, UpdateMessage, check_count,
    },
};

use super::{
    Endpoint,
    answer::no_sense,
    endpoint::{Parameters, encoded},
    outgoing::Outgoing,
    reactor::driven,
    sender::Sender,
};
use crate::wire::{metadata, queues};

/// The protocol version.
const VERSION: &str = "2020-12-06";
/// The server timeout in seconds, the maximum allowed value.
const TIMEOUT: u32 = 30;
const XML: &str = "application/xml";

/// The queues of an account, as a [`QueueService`]. Cloning is cheap.
///
/// Requests are validated before they are sent, with the error codes of the service. A request whose response was lost
/// has an [unknown](table_model::TableError::is_outcome_unknown) outcome: messages are delivered at least once in any
/// case.
#[derive(Clone)]
pub struct QueueClient(Arc<Sender>);

impl QueueClient {
    pub(super) fn new(sender: Sender) -> Self {
        Self(Arc::new(sender))
    }

    /// Returns the queue endpoint.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.0.endpoint
    }

    async fn create(&self, queue: &QueueName, metadata: Metadata) -> Result<QueueCreated> {
        let outgoing = with_metadata(request(Method::Put, &path(queue), ""), &metadata)?;
        let answer = self.0.send(&outgoing).await?;
        Ok(if answer.status == 204 { QueueCreated::Existing } else { QueueCreated::New })
    }

    async fn delete(&self, queue: &QueueName) -> Result<()> {
        self.0.send(&request(Method::Delete, &path(queue), "")).await.map(drop)
    }

    async fn properties(&self, queue: &QueueName) -> Result<QueueProperties> {
        let answer = self.0.send(&request(Method::Get, &path(queue), "comp=metadata")).await?;
        queues::read_properties(&answer.headers).map_err(no_sense)
    }

    async fn set_metadata(&self, queue: &QueueName, metadata: Metadata) -> Result<()> {
        let outgoing = request(Method::Put, &path(queue), "comp=metadata");
        self.0.send(&with_metadata(outgoing, &metadata)?).await.map(drop)
    }

    async fn list(&self, list: ListQueues) -> Result<QueuesSegment> {
        list.results()?;
        let mut outgoing = request(Method::Get, "", "");
        outgoing.query = outgoing.query.and(queues::list_parameters(&list));
        let answer = self.0.send(&outgoing).await?;
        let segment = queues::read_queues(&answer.body).map_err(no_sense)?;
        let (from, to) = (list.marker.as_deref(), segment.next_marker.as_deref());
        self.0.empty_pages.check(from, to, segment.queues.is_empty())?;
        Ok(segment)
    }

    async fn put(&self, queue: &QueueName, message: PutMessage) -> Result<MessagePut> {
        message.check()?;
        let mut outgoing =
            request(Method::Post, &messages(queue), "").body(XML, queues::write_message(&message.text));
        outgoing.query = outgoing.query.and(queues::put_parameters(&message));
        let answer = self.0.send(&outgoing).await?;
        queues::read_put(&answer.body).map_err(no_sense)
    }

    async fn get(&self, queue: &QueueName, get: GetMessages) -> Result<Vec<Message>> {
        get.check()?;
        // If the response is lost, its messages become visible again when their visibility timeout expires.
        let mut outgoing = request(Method::Get, &messages(queue), "");
        outgoing.query = outgoing.query.and(queues::get_parameters(&get));
        let answer = self.0.send(&outgoing).await?;
        queues::read_got(&answer.body).map_err(no_sense)
    }

    async fn peek(&self, queue: &QueueName, count: u32) -> Result<Vec<PeekedMessage>> {
        check_count(count)?;
        let mut outgoing = request(Method::Get, &messages(queue), "");
        outgoing.query = outgoing.query.and(queues::peek_parameters(count));
        let answer = self.0.send(&outgoing).await?;
        queues::read_peeked(&answer.body).map_err(no_sense)
    }

    async fn update(
        &self,
        queue: &QueueName,
        id: Uuid,
        receipt: &PopReceipt,
        update: UpdateMessage,
    ) -> Result<MessageUpdated> {
        update.check()?;
        let mut outgoing = request(Method::Put, &message(queue, id), "");
        outgoing.query = outgoing.query.and(queues::update_parameters(receipt, &update));
        if let Some(text) = &update.text {
            outgoing = outgoing.body(XML, queues::write_message(text));
        }
        let answer = self.0.send(&outgoing).await?;
        queues::read_updated(&answer.headers).map_err(no_sense)
    }

    async fn delete_one(&self, queue: &QueueName, id: Uuid, receipt: &PopReceipt) -> Result<()> {
        let mut outgoing = request(Method::Delete, &message(queue, id), "");
        outgoing.query = outgoing.query.and(queues::receipt_parameters(receipt));
        self.0.send(&outgoing).await.map(drop)
    }

    async fn clear(&self, queue: &QueueName) -> Result<()> {
        self.0.send(&request(Method::Delete, &messages(queue), "")).await.map(drop)
    }
}

fn request(method: Method, path: &str, fixed: &'static str) -> Outgoing {
    let parameters = Parameters::fixed(fixed).with("timeout", Some(TIMEOUT));
    Outgoing::new(method, path.to_owned(), parameters).header("x-ms-version", VERSION)
}

fn path(queue: &QueueName) -> String {
    format!("/{queue}")
}

fn messages(queue: &QueueName) -> String {
    format!("/{queue}/messages")
}

fn message(queue: &QueueName, id: Uuid) -> String {
    format!("/{queue}/messages/{}", encoded(&id.to_string()))
}

/// Adds metadata as headers.
///
/// # Errors
///
/// Returns `InvalidMetadata` for a name that is not a valid header name.
pub(super) fn with_metadata(mut outgoing: Outgoing, pairs: &Metadata) -> Result<Outgoing> {
    if let Some((name, _)) = pairs.iter().find(|(name, _)| !name.is_ascii()) {
        let message = format!("The metadata name `{name}` is invalid: names must be ASCII over HTTP.");
        return Err(TableError::with_message(ErrorCode::InvalidMetadata, message));
    }
    let mut headers = HeaderMap::new();
    metadata::write(pairs, &mut headers);
    outgoing.headers.extend(headers);
    Ok(outgoing)
}

impl QueueService for QueueClient {
    fn create_queue<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, QueueCreated> {
        driven(self.create(queue, metadata))
    }

    fn delete_queue<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        driven(self.delete(queue))
    }

    fn queue_properties<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, QueueProperties> {
        driven(self.properties(queue))
    }

    fn set_queue_metadata<'a>(&'a self, queue: &'a QueueName, metadata: Metadata) -> Pending<'a, ()> {
        driven(self.set_metadata(queue, metadata))
    }

    fn list_queues(&self, request: ListQueues) -> Pending<'_, QueuesSegment> {
        driven(self.list(request))
    }

    fn put_message<'a>(&'a self, queue: &'a QueueName, message: PutMessage) -> Pending<'a, MessagePut> {
        driven(self.put(queue, message))
    }

    fn get_messages<'a>(&'a self, queue: &'a QueueName, get: GetMessages) -> Pending<'a, Vec<Message>> {
        driven(self.get(queue, get))
    }

    fn peek_messages<'a>(&'a self, queue: &'a QueueName, count: u32) -> Pending<'a, Vec<PeekedMessage>> {
        driven(self.peek(queue, count))
    }

    fn update_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
        update: UpdateMessage,
    ) -> Pending<'a, MessageUpdated> {
        driven(self.update(queue, id, pop_receipt, update))
    }

    fn delete_message<'a>(
        &'a self,
        queue: &'a QueueName,
        id: Uuid,
        pop_receipt: &'a PopReceipt,
    ) -> Pending<'a, ()> {
        driven(self.delete_one(queue, id, pop_receipt))
    }

    fn clear_messages<'a>(&'a self, queue: &'a QueueName) -> Pending<'a, ()> {
        driven(self.clear(queue))
    }
}

impl fmt::Debug for QueueClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueClient").field("endpoint", self.endpoint()).finish_non_exhaustive()
    }
}
