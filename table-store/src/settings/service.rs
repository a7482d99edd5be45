use std::sync::Arc;

use super::{PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, StoredPolicies};
use crate::Pending;

/// Stored access policies, and the properties of the three services of an account.
///
/// ```
/// use table_store::{
///     Result,
///     settings::{PolicyHolder, SettingsService, StoredPolicies, StoredPolicy},
/// };
///
/// /// Ends all signatures that name the policy.
/// async fn revoke(settings: &dyn SettingsService, holder: &PolicyHolder, id: &str) -> Result<()> {
///     let policies = settings.policies(holder).await?;
///     let kept = policies.as_slice().iter().filter(|policy| policy.id != id).cloned().collect();
///     settings.set_policies(holder, StoredPolicies::new(kept)?).await
/// }
/// ```
pub trait SettingsService: Send + Sync + std::fmt::Debug {
    /// The policies of a table, queue or container; `TableNotFound`, `QueueNotFound`, `ContainerNotFound`.
    fn policies<'a>(&'a self, holder: &'a PolicyHolder) -> Pending<'a, StoredPolicies>;

    /// Replaces them. They go with their holder, and one that is made anew has none.
    fn set_policies<'a>(&'a self, holder: &'a PolicyHolder, policies: StoredPolicies) -> Pending<'a, ()>;

    /// The properties of a service; the default if none were set.
    fn service_properties(&self, kind: ServiceKind) -> Pending<'_, Arc<ServiceProperties>>;

    /// Changes the properties of a service.
    fn change_service_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Pending<'_, ()>;
}
