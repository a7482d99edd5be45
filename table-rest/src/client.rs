//! The client: Azure's storage accounts, Azurite, Cosmos DB's table API and our own server as the services of
//! `table-store`.
//!
//! An [`Account`] says where its services are and what opens them; it gives a [`TableClient`], a [`QueueClient`] and a
//! [`BlobClient`]. They run on the pipeline of `azure_core`, so its policies, transports and telemetry fit, and on any
//! executor: where there is no tokio runtime, they bring one thread of their own.
//!
//! What a network does to requests is dealt with by kind. Reads are sent again. Writes are sent again only if they were
//! certainly not done; where an answer was lost, [`Lost`] says what becomes of them.

mod account;
mod answer;
mod backend;
mod blobs;
mod clock;
mod drift;
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

pub use account::Account;
/// What gives tokens of Microsoft Entra: `azure_identity` has several.
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
