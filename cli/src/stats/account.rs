use table_store::{
    BlobService, KeptSegment, QueueService, TableName,
    blob::{BlobItem, ContainerName, ListBlobs, ListContainers},
    queue::{ListQueues, QueueName},
};

use super::{damage::Damage, kept_log, scan::Scan};
use crate::{
    error::CommandError,
    location::{Location, list_tables},
};

/// The contents of a store.
#[derive(Debug, Default)]
pub(super) struct Inventory {
    pub(super) place: String,
    /// Size of the file in bytes, if the store is a file.
    pub(super) file_bytes: Option<u64>,
    /// Tables, with the counts of tables that were read.
    pub(super) tables: Vec<(TableName, Option<Counted>)>,
    /// Queues, with their approximate number of messages.
    pub(super) queues: Vec<(QueueName, u64)>,
    /// Containers, with the counts of containers that were listed.
    pub(super) containers: Vec<(ContainerName, Option<Blobs>)>,
    /// Files of the kept log, if its folder is specified.
    pub(super) kept_log: Option<Vec<KeptSegment>>,
    /// What could not be read.
    pub(super) damage: Damage,
}

/// The counts of a table that was read.
#[derive(Debug)]
pub(super) enum Counted {
    All(Scan),
    /// Number of entities in the sound pages of a damaged table.
    AtLeast(u64),
}

/// The blobs of a container.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blobs {
    pub(super) count: u64,
    pub(super) bytes: u64,
}

impl Inventory {
    fn empty(place: &Location) -> Self {
        let file_bytes = place.store.as_ref().and_then(|store| store.stats().file_bytes);
        Self { place: place.name.clone(), file_bytes, ..Self::default() }
    }

    /// Creates the inventory of one table, without a request.
    pub(super) fn of_table(place: &Location, table: TableName) -> Self {
        Self { tables: vec![(table, None)], ..Self::empty(place) }
    }

    /// Lists the complete contents of a store.
    pub(super) async fn of(place: &Location) -> Result<Self, CommandError> {
        let mut inventory = Self::empty(place);
        let tables = inventory.damage.note("the tables", list_tables(&*place.tables).await)?;
        inventory.tables = tables.into_iter().flatten().map(|table| (table, None)).collect();
        if let Some(queues) = &place.queues {
            let queues = inventory.damage.note("the queues", list_queues(&**queues).await)?;
            inventory.queues = queues.unwrap_or_default();
        }
        if let Some(blobs) = &place.blobs {
            let containers = inventory.damage.note("the containers", list_containers(&**blobs).await)?;
            inventory.containers = containers.unwrap_or_default();
        }
        Ok(inventory)
    }

    /// Returns `true` if something that was read is damaged.
    pub(super) fn is_damaged(&self) -> bool {
        !self.damage.is_empty() || self.kept_log.as_deref().is_some_and(kept_log::is_damaged)
    }

    /// Counts the entities of damaged tables, around the damage.
    pub(super) async fn count_around(&mut self, place: &Location) -> Result<(), CommandError> {
        let Some(store) =
            place.store.as_ref().filter(|_| self.tables.iter().any(|(_, counted)| counted.is_none()))
        else {
            return Ok(());
        };
        let sound = store.scrub().await?.entities_by_table;
        for (table, counted) in &mut self.tables {
            counted.get_or_insert_with(|| Counted::AtLeast(sound.get(table).copied().unwrap_or(0)));
        }
        Ok(())
    }

    /// Counts the blobs of the containers.
    pub(super) async fn count_blobs(&mut self, place: &Location) -> Result<(), CommandError> {
        let Some(blobs) = &place.blobs else { return Ok(()) };
        for (container, counted) in &mut self.containers {
            let blobs = count(&**blobs, container).await;
            *counted = self.damage.note(&format!("container {container}"), blobs)?;
        }
        Ok(())
    }
}

async fn list_queues(service: &dyn QueueService) -> Result<Vec<(QueueName, u64)>, CommandError> {
    let (mut queues, mut request) = (Vec::new(), ListQueues::new());
    loop {
        let segment = service.list_queues(request).await?;
        for queue in segment.queues {
            let messages = service.queue_properties(&queue.name).await?.approximate_messages;
            queues.push((queue.name, messages));
        }
        let Some(next) = segment.next_marker else { return Ok(queues) };
        request = ListQueues::new().marker(next);
    }
}

async fn list_containers(
    service: &dyn BlobService,
) -> Result<Vec<(ContainerName, Option<Blobs>)>, CommandError> {
    let (mut containers, mut request) = (Vec::new(), ListContainers::new());
    loop {
        let segment = service.list_containers(request).await?;
        containers.extend(segment.containers.into_iter().map(|container| (container.name, None)));
        let Some(next) = segment.next_marker else { return Ok(containers) };
        request = ListContainers::new().marker(next);
    }
}

async fn count(service: &dyn BlobService, container: &ContainerName) -> Result<Blobs, CommandError> {
    let (mut blobs, mut request) = (Blobs::default(), ListBlobs::new());
    loop {
        let segment = service.list_blobs(container, request).await?;
        for item in segment.items {
            if let BlobItem::Blob { properties, .. } = item {
                blobs.count += 1;
                blobs.bytes += properties.length;
            }
        }
        let Some(next) = segment.next_marker else { return Ok(blobs) };
        request = ListBlobs::new().marker(next);
    }
}
