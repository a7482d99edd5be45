use std::sync::Arc;

use super::{PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, StoredPolicies};
use crate::{
    Pending,
    blob::{BlobConditions, BlobVersion, ContainerName},
};

/// Stored access policies, and the properties of the three services of an account.
///
/// ```
/// use table_model::{
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
    /// Returns the policies of a table, queue or container.
    ///
    /// # Errors
    /// `TableNotFound`, `QueueNotFound` or `ContainerNotFound`.
    fn policies<'a>(&'a self, holder: &'a PolicyHolder) -> Pending<'a, StoredPolicies>;

    /// Replaces the policies of a table, queue or container. Deleting the resource deletes its policies; a new resource
    /// with the same name has none.
    ///
    /// # Errors
    /// As [`policies`](Self::policies) and [`StoredPolicies::check_for`].
    fn set_policies<'a>(&'a self, holder: &'a PolicyHolder, policies: StoredPolicies) -> Pending<'a, ()>;

    /// Replaces the policies of a container that satisfies the conditions. This changes the version of the container, also
    /// with [`set_policies`](Self::set_policies). A lease is not required, but a specified one must be active.
    ///
    /// # Errors
    /// `ContainerNotFound`, `ConditionNotMet`, the errors of [`LeaseUse::check`](crate::blob::LeaseUse::check), and those of
    /// [`StoredPolicies::check_for`].
    fn set_container_policies<'a>(
        &'a self,
        container: &'a ContainerName,
        policies: StoredPolicies,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Returns the properties of a service, or the defaults if none were set.
    ///
    /// # Errors
    /// `InternalError` if the stored properties cannot be read.
    fn service_properties(&self, kind: ServiceKind) -> Pending<'_, Arc<ServiceProperties>>;

    /// Changes the properties of a service.
    ///
    /// # Errors
    /// See [`PropertiesChange::check_for`].
    fn change_service_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Pending<'_, ()>;
}
