//! Account settings: stored access policies of tables, queues and containers, and the properties of the services.
//!
//! The store only validates and stores them. The server that checks signatures and `Origin` headers applies them.

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
