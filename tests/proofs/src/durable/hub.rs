//! The task hub: the names of its tables, queues and blobs.

use pollster::block_on;
use table_store::{
    Bytes, Metadata, TableName,
    blob::{BlobAddress, PutBlob},
    queue::QueueName,
};

use crate::{
    durable::orchestration::Orchestration,
    faults::connect::{Failure, Services},
};

/// Number of partitions, each with a control queue and a leased blob.
pub const PARTITIONS: usize = 4;

/// The services, and what the hub has in each.
#[derive(Clone, Debug)]
pub struct Hub {
    pub services: Services,
    /// The rows of all histories.
    pub history: TableName,
    /// A row for each instance.
    pub instances: TableName,
    /// Activities for any worker.
    pub work: QueueName,
    /// Messages for the owners of the partitions.
    pub control: Vec<QueueName>,
    /// The blobs whose leases are the ownership of partitions.
    pub partitions: Vec<BlobAddress>,
}

impl Hub {
    /// Returns the hub of an account.
    ///
    /// # Errors
    ///
    /// Currently none: the names are valid.
    pub fn new(services: Services) -> Result<Self, Failure> {
        let numbers = 0..PARTITIONS;
        Ok(Self {
            services,
            history: "History".parse()?,
            instances: "Instances".parse()?,
            work: "workitems".parse()?,
            control: numbers.clone().map(|at| format!("control-{at}").parse()).collect::<Result<_, _>>()?,
            partitions: numbers
                .map(|at| BlobAddress::new("leases", format!("control-{at}")))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Creates everything.
    ///
    /// # Errors
    ///
    /// Returns the error of a request.
    pub fn create(&self) -> Result<(), Failure> {
        let Services { tables, queues, blobs } = &self.services;
        for table in [&self.history, &self.instances] {
            block_on(tables.create_table(table))?;
        }
        for queue in self.queues() {
            block_on(queues.create_queue(queue, Metadata::new()))?;
        }
        for (at, blob) in self.partitions.iter().enumerate() {
            if at == 0 {
                block_on(blobs.create_container(&blob.container, Metadata::new()))?;
            }
            block_on(blobs.put_blob(blob, Bytes::new(), PutBlob::new()))?;
        }
        Ok(())
    }

    /// Returns all queues.
    pub fn queues(&self) -> impl Iterator<Item = &QueueName> {
        self.control.iter().chain([&self.work])
    }

    /// Returns the control queue for the messages of an instance.
    #[must_use]
    pub fn control_of(&self, instance: &str) -> Option<&QueueName> {
        let number = instance.strip_prefix("i-")?.parse::<usize>().ok()?;
        self.control.get(number % PARTITIONS)
    }

    /// Returns the orchestration of an instance.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is not that of an instance.
    pub fn orchestration(instance: &str) -> Result<Orchestration, Failure> {
        Orchestration::of(instance).ok_or_else(|| format!("{instance} is not an instance").into())
    }
}
