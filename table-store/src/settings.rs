//! What accounts keep beside their data: stored access policies of tables, queues and containers, and the properties of
//! the services.
//!
//! The store keeps and checks them; who reads a signature or an `Origin` goes by them.

mod cors;
mod holder;
mod policies;
mod properties;
mod service;
mod service_kind;

pub use cors::{CorsMethod, CorsRule, CorsRules};
pub use holder::PolicyHolder;
pub use policies::{StoredPolicies, StoredPolicy};
pub use properties::{Logging, Metrics, PropertiesChange, Retention, ServiceProperties};
pub use service::SettingsService;
pub use service_kind::ServiceKind;
