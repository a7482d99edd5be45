//! Queues behind latency and faults.

use table_model::{
    Metadata, Pending, Uuid,
    queue::{
        GetMessages, ListQueues, Message, MessagePut, MessageUpdated, PeekedMessage, PopReceipt, PutMessage,
        QueueCreated, QueueName, QueueProperties, QueueService, QueuesSegment, UpdateMessage,
    },
};

use super::service::{Faulty, requests};

impl QueueService for Faulty {
    requests! { QueueService:
        create_queue(queue: &'a QueueName, metadata: Metadata) -> QueueCreated;
        delete_queue(queue: &'a QueueName) -> ();
        queue_properties(queue: &'a QueueName) -> QueueProperties;
        set_queue_metadata(queue: &'a QueueName, metadata: Metadata) -> ();
        list_queues(request: ListQueues) -> QueuesSegment;
        put_message(queue: &'a QueueName, message: PutMessage) -> MessagePut;
        get_messages(queue: &'a QueueName, get: GetMessages) -> Vec<Message>;
        peek_messages(queue: &'a QueueName, count: u32) -> Vec<PeekedMessage>;
        update_message(queue: &'a QueueName, id: Uuid, receipt: &'a PopReceipt, update: UpdateMessage) -> MessageUpdated;
        delete_message(queue: &'a QueueName, id: Uuid, receipt: &'a PopReceipt) -> ();
        clear_messages(queue: &'a QueueName) -> ();
    }
}
