//! The client: Azure storage accounts, Azurite, the table API of Cosmos DB and the server of this crate, as services of
//! `table-model`.
//!
//! An [`Account`] contains the endpoints and the credential of its services. It creates a [`TableClient`], a
//! [`QueueClient`] and a [`BlobClient`]. The clients use the pipeline of `azure_core`, so they support its policies,
//! transports and telemetry. They run on any executor: without a tokio runtime, they start one background thread.
//!
//! Failed reads are retried. Writes are retried only if they certainly had no effect; [`Lost`] specifies the handling
//! of writes whose response was lost.

mod account;
mod answer;
mod backend;
mod blobs;
mod clock;
mod drift;
mod empty_pages;
mod endpoint;
mod hidden;
mod outgoing;
mod queues;
mod reactor;
mod refused;
mod retry;
mod sender;
mod settings;
mod shared_key_policy;
mod tables;
mod transport;
mod unconnected;

pub use account::Account;
/// The source of Microsoft Entra tokens; `azure_identity` provides several implementations.
pub use azure_core::credentials::TokenCredential;
pub use backend::Backend;
pub use blobs::BlobClient;
pub use clock::{Clock, SystemClock};
pub use drift::{DRIFT, Drift, drift_table};
pub use endpoint::Endpoint;
pub use queues::QueueClient;
pub use retry::{Lost, Retry};
pub use settings::Settings;
pub use shared_key_policy::SharedKeyPolicy;
pub use tables::TableClient;
