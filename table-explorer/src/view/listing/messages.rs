//! The number of messages of queues.

use std::collections::HashMap;

use table_model::queue::QueueName;

use super::Names;
use crate::Place;

/// Suffix of the name of a queue with messages that could not be processed.
const POISON: &str = "-poison";
/// Number of queues whose messages are counted: each is a request, which is fast in this process only.
const LOCAL: usize = 100;
const REMOTE: usize = 20;

/// Approximate number of messages of each queue that was counted.
pub(in crate::view) type Messages = HashMap<String, u64>;

/// Returns whether the messages of a queue could not be processed.
pub(in crate::view) fn is_poison(queue: &str) -> bool {
    queue.ends_with(POISON)
}

/// Returns the name of the queue whose messages could not be processed.
pub(in crate::view) fn source(poison: &str) -> Option<&str> {
    poison.strip_suffix(POISON)
}

/// Counts the messages of the queues, first of those with messages that could not be processed.
pub(in crate::view) async fn count(place: &Place, queues: Option<&Names>) -> Messages {
    let mut counts = Messages::new();
    let (Some(service), Some(Ok(names))) = (&place.queues, queues.map(|queues| &queues.names)) else {
        return counts;
    };
    let most = if place.is_local() { LOCAL } else { REMOTE };
    let mut names: Vec<&String> = names.iter().collect();
    names.sort_by_key(|name| !is_poison(name));
    for name in names.into_iter().take(most) {
        let Ok(queue) = name.parse::<QueueName>() else { continue };
        // A queue that was deleted meanwhile has no count.
        if let Ok(properties) = service.queue_properties(&queue).await {
            counts.insert(name.clone(), properties.approximate_messages);
        }
    }
    counts
}
