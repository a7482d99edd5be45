use std::sync::Arc;

use table_model::{
    Pending,
    blob::{BlobConditions, BlobVersion, ContainerName},
    settings::{
        PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, SettingsService, StoredPolicies,
    },
};

use super::Store;
use crate::{
    account::{self, ChangeProperties, PropertiesCache, SetPolicies},
    blobs::SetContainerPolicies,
};

/// Settings are on stable storage when the change is acknowledged, like every write. Properties are cached in memory
/// after the first read.
impl SettingsService for Store {
    fn policies<'a>(&'a self, holder: &'a PolicyHolder) -> Pending<'a, StoredPolicies> {
        Box::pin(async move { account::stored_policies(&self.0.core, holder) })
    }

    fn set_policies<'a>(&'a self, holder: &'a PolicyHolder, policies: StoredPolicies) -> Pending<'a, ()> {
        Box::pin(async move {
            if let PolicyHolder::Container(name) = holder {
                let conditions = BlobConditions::none();
                return self.set_container_policies(name, policies, &conditions).await.map(drop);
            }
            policies.check_for(holder)?;
            self.work(SetPolicies { holder: holder.clone(), policies }).await
        })
    }

    fn set_container_policies<'a>(
        &'a self,
        container: &'a ContainerName,
        policies: StoredPolicies,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(async move {
            policies.check_for(&PolicyHolder::Container(container.clone()))?;
            let (name, conditions) = (container.clone(), conditions.clone());
            self.work(SetContainerPolicies { name, policies, conditions }).await
        })
    }

    fn service_properties(&self, kind: ServiceKind) -> Pending<'_, Arc<ServiceProperties>> {
        Box::pin(async move { PropertiesCache::get(&self.0.core, kind) })
    }

    fn change_service_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Pending<'_, ()> {
        Box::pin(async move {
            change.check_for(kind)?;
            self.work(ChangeProperties { kind, change }).await.map(drop)
        })
    }
}
