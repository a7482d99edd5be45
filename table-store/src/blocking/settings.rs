use std::sync::Arc;

use pollster::block_on;
use table_model::{
    Result,
    blob::{BlobConditions, BlobVersion, ContainerName},
    settings::{
        PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, SettingsService, StoredPolicies,
    },
};

use super::BlockingStore;

/// Blocking calls of the settings service.
impl BlockingStore {
    /// Returns the policies of a table, queue or container.
    ///
    /// # Errors
    /// As [`SettingsService::policies`].
    pub fn policies(&self, holder: &PolicyHolder) -> Result<StoredPolicies> {
        block_on(self.0.policies(holder))
    }

    /// Replaces the policies of a table, queue or container.
    ///
    /// # Errors
    /// As [`SettingsService::set_policies`].
    pub fn set_policies(&self, holder: &PolicyHolder, policies: StoredPolicies) -> Result<()> {
        block_on(self.0.set_policies(holder, policies))
    }

    /// Replaces the policies of a container that satisfies the conditions.
    ///
    /// # Errors
    /// As [`SettingsService::set_container_policies`].
    pub fn set_container_policies(
        &self,
        container: &ContainerName,
        policies: StoredPolicies,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_container_policies(container, policies, conditions))
    }

    /// Returns the properties of a service.
    ///
    /// # Errors
    /// As [`SettingsService::service_properties`].
    pub fn service_properties(&self, kind: ServiceKind) -> Result<Arc<ServiceProperties>> {
        block_on(self.0.service_properties(kind))
    }

    /// Changes the properties of a service.
    ///
    /// # Errors
    /// As [`SettingsService::change_service_properties`].
    pub fn change_service_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Result<()> {
        block_on(self.0.change_service_properties(kind, change))
    }
}
