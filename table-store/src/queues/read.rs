//! Read-only requests to queues.

use std::ops::ControlFlow;

use table_model::{
    Result,
    queue::{ListQueues, PeekedMessage, QueueItem, QueueName, QueueProperties, QueuesSegment},
};

use super::{
    Body, QueueState, Tally,
    place::Head,
    row::{self, live},
};
use crate::{checksum, core::Core, engine, keys::TableId};

/// Returns the messages at the head, and whether the scan ended early among expired messages.
pub(crate) fn peek(core: &Core, queue: &QueueName, count: u32) -> Result<(Vec<PeekedMessage>, bool)> {
    let now = core.now();
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    engine::view(&*core.engine, |read| {
        let space = live(read, queue)?.space;
        let head = Head::read(read, space, now, count)?;
        let peeked = head.live.iter().map(|placed| {
            let Body { inserted, expiry, text } = Body::read(read, space, placed.id)?;
            let (id, expires, dequeue_count) = (placed.id, expiry.time(), placed.dequeued);
            Ok(PeekedMessage { id, inserted, expires, dequeue_count, text })
        });
        Ok((peeked.collect::<Result<_>>()?, head.more))
    })
}

pub(crate) fn properties(core: &Core, queue: &QueueName) -> Result<QueueProperties> {
    engine::view(&*core.engine, |read| {
        let row = live(read, queue)?;
        let approximate_messages = Tally::read(read, row.space)?.messages;
        Ok(QueueProperties { metadata: row.metadata, approximate_messages })
    })
}

/// Returns one segment of the list of queues. Its marker is the first name of the next segment.
pub(crate) fn list(core: &Core, request: &ListQueues) -> Result<QueuesSegment> {
    let most = request.results()?;
    let start = request.marker.as_deref().unwrap_or_default().max(&request.prefix);
    engine::view(&*core.engine, |read| {
        let (mut queues, mut next_marker, mut fault) = (Vec::new(), None, None);
        let from = TableId::QUEUES.key(start.as_bytes());
        read.scan_whole(&from, &TableId::QUEUES.end(), &mut |key, record| {
            let name = key.get(4..).unwrap_or_default();
            let row = checksum::unseal(key, record).and_then(|content| {
                let name = std::str::from_utf8(name).ok().and_then(|name| QueueName::new(name).ok());
                let row = name.zip(row::decode(content));
                row.ok_or_else(|| checksum::damaged(key, "its layout is invalid"))
            });
            match row {
                Ok(_) if !name.starts_with(request.prefix.as_bytes()) => ControlFlow::Break(()),
                Ok((_, row)) if row.state == QueueState::Deleted => ControlFlow::Continue(()),
                Ok((name, _)) if queues.len() == most => {
                    next_marker = Some(name.to_string());
                    ControlFlow::Break(())
                }
                Ok((name, row)) => {
                    queues.push(QueueItem { name, metadata: request.metadata.then_some(row.metadata) });
                    ControlFlow::Continue(())
                }
                Err(damage) => {
                    fault = Some(damage);
                    ControlFlow::Break(())
                }
            }
        })?;
        match fault {
            Some(fault) => Err(fault.into()),
            None => Ok(QueuesSegment { queues, next_marker }),
        }
    })
}
