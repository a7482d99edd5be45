//! The client: it starts instances, and leaves a number of them open.

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use pollster::block_on;
use table_store::{Entity, ErrorCode, Operation, TableError};

use crate::durable::{
    hub::Hub,
    message::Message,
    orchestration::Orchestration,
    worker::{Shared, insist, send},
};

/// Maximum number of instances that have not completed.
const OPEN: usize = 20;

/// Starts instances until the run ends. `first` is the number of the first one.
pub fn run(hub: &Hub, shared: &Arc<Shared>, first: u64) {
    let mut number = first;
    while !shared.is_ending.load(Ordering::Acquire) {
        let open = {
            let entries = shared.journal.entries();
            entries.started.len().saturating_sub(entries.completed.len())
        };
        if open >= OPEN {
            thread::sleep(Duration::from_millis(1));
            continue;
        }
        match start(hub, shared, &Orchestration::new(number)) {
            Ok(()) => number += 1,
            Err(error) => shared.journal.count(&format!("failed: {}", error.code().as_str())),
        }
    }
}

/// Writes the row of an instance, and sends its first message.
fn start(hub: &Hub, shared: &Shared, orchestration: &Orchestration) -> Result<(), TableError> {
    let instance = orchestration.instance();
    let row = Operation::Insert(Entity::new(instance.as_str(), "").with("Status", "Pending"));
    match insist(shared, || block_on(hub.services.tables.execute(&hub.instances, &row))) {
        Ok(_) => {}
        // An earlier try has inserted it.
        Err(error) if error.code() == ErrorCode::EntityAlreadyExists => {}
        Err(error) => return Err(error),
    }
    if let Some(queue) = hub.control_of(&instance) {
        send(hub, shared, queue, &Message::Start(instance.clone()))?;
        shared.journal.entries().started.insert(instance);
    }
    Ok(())
}
