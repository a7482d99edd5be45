//! Access policies and properties of the services. Policies are a column of the row of their table or queue, so they end
//! with it.

mod cache;

use std::sync::Arc;

use table_model::{
    Pending, Result, StorageFault,
    blob::{BlobConditions, BlobVersion, ContainerName},
    settings::{
        PolicyHolder, PropertiesChange, ServiceKind, ServiceProperties, SettingsService, StoredPolicies,
    },
};
use tokio_postgres::types::ToSql;

pub(crate) use self::cache::CachedProperties;
use crate::{
    Postgres, blobs::ContainerChange, connections::take, failure::Failure, postgres::Inner, runtime::within,
};

/// Policies are read for each request that uses one. A change of properties takes effect in this process immediately, and in
/// other processes within about a second.
impl SettingsService for Postgres {
    fn policies<'a>(&'a self, holder: &'a PolicyHolder) -> Pending<'a, StoredPolicies> {
        self.within(async move { Ok(self.0.policies(holder).await?) })
    }

    fn set_policies<'a>(&'a self, holder: &'a PolicyHolder, policies: StoredPolicies) -> Pending<'a, ()> {
        self.within(async move {
            if let PolicyHolder::Container(name) = holder {
                return self.set_container_policies(name, policies, &BlobConditions::none()).await.map(drop);
            }
            policies.check_for(holder)?;
            Ok(self.0.set_policies(holder, &policies).await?)
        })
    }

    fn set_container_policies<'a>(
        &'a self,
        container: &'a ContainerName,
        policies: StoredPolicies,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        self.within(async move {
            policies.check_for(&PolicyHolder::Container(container.clone()))?;
            let change = ContainerChange::Policies(&policies, conditions);
            Ok(self.0.change_container(container, change).await?.version)
        })
    }

    fn service_properties(&self, kind: ServiceKind) -> Pending<'_, Arc<ServiceProperties>> {
        // Not counted: a server needs them for every request.
        within(&self.0.runtime, Box::pin(async move { Ok(self.0.cached_properties(kind).await?) }))
    }

    fn change_service_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Pending<'_, ()> {
        self.within(async move {
            change.check_for(kind)?;
            let changed = self.0.change_properties(kind, change).await;
            self.0.properties.forget();
            Ok(changed?)
        })
    }
}

/// Returns the table of the database that contains a holder, the column of its name, and the name.
fn place(holder: &PolicyHolder) -> (&'static str, &'static str, &str) {
    match holder {
        PolicyHolder::Table(name) => ("tables", "folded", name.folded()),
        PolicyHolder::Queue(name) => ("queues", "name", name.as_str()),
        PolicyHolder::Container(name) => ("containers", "name", name.as_str()),
    }
}

impl Inner {
    async fn policies(&self, holder: &PolicyHolder) -> Result<StoredPolicies, Failure> {
        let missing = || Failure::from(holder.not_found());
        let (table, column, name) = place(holder);
        let query =
            format!("SELECT policies FROM {}.{table} WHERE {column} = $1", self.options.quoted_schema());
        let row = take(&self.pool).await?.query_opt(&query, &[&name]).await?.ok_or_else(missing)?;
        match row.get::<_, &[u8]>(0) {
            [] => Ok(StoredPolicies::default()),
            stored => StoredPolicies::decode(stored).ok_or_else(|| invalid("access policies")),
        }
    }

    async fn set_policies(&self, holder: &PolicyHolder, policies: &StoredPolicies) -> Result<(), Failure> {
        let missing = || Failure::from(holder.not_found());
        let (table, column, name) = place(holder);
        let update =
            format!("UPDATE {}.{table} SET policies = $2 WHERE {column} = $1", self.options.quoted_schema());
        let params: [&(dyn ToSql + Sync); 2] = [&name, &policies.encode()];
        match take(&self.pool).await?.execute(&update, &params).await? {
            0 => Err(missing()),
            _ => Ok(()),
        }
    }

    /// Reads the properties of a service from the database.
    async fn properties(&self, kind: ServiceKind) -> Result<ServiceProperties, Failure> {
        let query =
            format!("SELECT properties FROM {}.services WHERE name = $1", self.options.quoted_schema());
        let row = take(&self.pool).await?.query_opt(&query, &[&kind.as_str()]).await?;
        row.map_or_else(|| Ok(ServiceProperties::default()), |row| decode(row.get(0)))
    }

    async fn change_properties(&self, kind: ServiceKind, change: PropertiesChange) -> Result<(), Failure> {
        let schema = &self.options.quoted_schema();
        let mut client = take(&self.pool).await?;
        let transaction = client.transaction().await?;
        let insert = format!(
            "INSERT INTO {schema}.services (name, properties) VALUES ($1, $2) ON CONFLICT DO NOTHING"
        );
        let unset = ServiceProperties::default().encode();
        transaction.execute(&insert, &[&kind.as_str(), &unset]).await?;
        let query = format!("SELECT properties FROM {schema}.services WHERE name = $1 FOR UPDATE");
        let row = transaction.query_one(&query, &[&kind.as_str()]).await?;
        let changed = change.apply(&decode(row.get(0))?).encode();
        let update = format!("UPDATE {schema}.services SET properties = $2 WHERE name = $1");
        transaction.execute(&update, &[&kind.as_str(), &changed]).await?;
        transaction.commit().await?;
        Ok(())
    }
}

fn decode(stored: &[u8]) -> Result<ServiceProperties, Failure> {
    ServiceProperties::decode(stored).ok_or_else(|| invalid("properties of a service"))
}

fn invalid(what: &str) -> Failure {
    StorageFault::Bug { what: format!("the stored {what} are not valid") }.into()
}
