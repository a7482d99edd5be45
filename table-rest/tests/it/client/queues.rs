use std::time::Duration;

use table_model::{
    ErrorCode, Metadata, QueueService,
    queue::{GetMessages, ListQueues, PutMessage, QueueCreated, UpdateMessage},
};
use table_rest::client::Account;

use super::{code, fresh};

/// Tests all queue operations.
pub(crate) async fn all(account: &Account) {
    hold_messages(&account.queues().unwrap()).await;
}

async fn hold_messages(queues: &dyn QueueService) {
    let queue = fresh("q-").parse().unwrap();
    let metadata = Metadata::new().with("owner", "Jo").unwrap();
    assert_eq!(queues.create_queue(&queue, metadata.clone()).await.unwrap(), QueueCreated::New);
    assert_eq!(queues.create_queue(&queue, metadata.clone()).await.unwrap(), QueueCreated::Existing);
    assert_eq!(code(queues.create_queue(&queue, Metadata::new()).await), ErrorCode::QueueAlreadyExists);
    assert_eq!(queues.queue_properties(&queue).await.unwrap().metadata, metadata);
    queues.set_queue_metadata(&queue, Metadata::new()).await.unwrap();
    let segment = queues.list_queues(ListQueues::new().prefix(queue.as_str()).with_metadata()).await.unwrap();
    assert_eq!(segment.queues.len(), 1);

    let put = queues.put_message(&queue, PutMessage::new("<a & \"b\"> ä")).await.unwrap();
    assert_eq!(queues.peek_messages(&queue, 1).await.unwrap()[0].text, "<a & \"b\"> ä");
    let got = queues.get_messages(&queue, GetMessages::new().count(32)).await.unwrap();
    assert_eq!((got.len(), got[0].id, got[0].dequeue_count), (1, put.id, 1));
    let update = UpdateMessage::new(Duration::from_secs(60)).text("more");
    let updated = queues.update_message(&queue, got[0].id, &got[0].pop_receipt, update).await.unwrap();
    let stale = queues.delete_message(&queue, got[0].id, &got[0].pop_receipt).await;
    assert!(matches!(code(stale), ErrorCode::PopReceiptMismatch | ErrorCode::MessageNotFound));
    queues.delete_message(&queue, got[0].id, &updated.pop_receipt).await.unwrap();
    queues.put_message(&queue, PutMessage::new("")).await.unwrap();
    queues.clear_messages(&queue).await.unwrap();
    assert!(queues.get_messages(&queue, GetMessages::new()).await.unwrap().is_empty());
    queues.delete_queue(&queue).await.unwrap();
    assert_eq!(code(queues.delete_queue(&queue).await), ErrorCode::QueueNotFound);
}
