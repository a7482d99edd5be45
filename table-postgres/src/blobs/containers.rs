//! Containers, and lists of them.

use table_model::{
    ErrorCode, Metadata, Result, TableError, Timestamp,
    blob::{
        BlobAccess, BlobConditions, BlobVersion, ContainerName, ContainerProperties, ContainerState,
        ContainersSegment, LeaseAction, LeaseUse, Leased, ListContainers, limits::LISTED_BYTES,
    },
    settings::StoredPolicies,
};

use super::{
    record::{damaged, decode_container, encode_container},
    work::{CONTAINER, GRACE, Param, Writes, time},
};
use crate::{client::Session, connections::take, failure::Failure, postgres::Inner};

/// A change of a container.
pub(crate) enum ContainerChange<'c> {
    Metadata(&'c Metadata, &'c BlobConditions),
    Policies(&'c StoredPolicies, &'c BlobConditions),
    Lease(&'c LeaseAction, &'c BlobConditions),
    Delete(&'c BlobConditions),
}

/// Result of a change.
pub(crate) struct ContainerChanged {
    pub(crate) version: BlobVersion,
    pub(crate) leased: Option<Leased>,
}

impl Inner {
    pub(super) async fn create_container(
        &self,
        name: &ContainerName,
        metadata: Metadata,
    ) -> Result<BlobVersion, Failure> {
        let stamp = self.stamps.next(&self.pool).await?;
        let modified = time(name.as_str(), stamp)?;
        let record = encode_container(name.as_str(), &ContainerState::new(modified, metadata));
        let client = take(&self.pool).await?;
        let statement = client.prepare_cached(&self.blobs.create_container).await?;
        match client.query_opt(&statement, &[&name.as_str(), &stamp, &record]).await? {
            Some(_) => Ok(modified.into()),
            None => Err(ErrorCode::ContainerAlreadyExists.into()),
        }
    }

    pub(super) async fn container_properties(
        &self,
        name: &ContainerName,
        conditions: &BlobConditions,
    ) -> Result<ContainerProperties, Failure> {
        let rows = self.query_blobs(&self.blobs.container, &[&name.as_str()]).await?;
        let row = rows.first().ok_or(ErrorCode::ContainerNotFound)?;
        let now = time(name.as_str(), row.get(0))?;
        let state = decode_container(name.as_str(), row.get(2))?;
        state.check(conditions, BlobAccess::Read, LeaseUse::UseContainer, now)?;
        Ok(state.properties(name.clone(), now))
    }

    pub(crate) async fn change_container(
        &self,
        name: &ContainerName,
        change: ContainerChange<'_>,
    ) -> Result<ContainerChanged, Failure> {
        let mut after = 0;
        loop {
            let stamp = self.stamps.above(&self.pool, after, || damaged(name.as_str())).await?;
            let session = Session::new(take(&self.pool).await?);
            let find = session.prepare_cached(&self.blobs.container_to_write).await?;
            session.batch_execute("BEGIN").await?;
            let row = session.query_opt(&find, &[&name.as_str()]).await?;
            let decided = match &row {
                Some(row) => {
                    let state = decode_container(name.as_str(), row.get(2))?;
                    let now = time(name.as_str(), row.get(0))?;
                    if state.modified.ticks() >= stamp {
                        after = state.modified.ticks();
                        continue;
                    }
                    let stamp = time(name.as_str(), stamp)?;
                    self.decide_container(name, row.get(1), state, &change, (stamp, now))
                }
                None => Err(ErrorCode::ContainerNotFound.into()),
            };
            let result = match decided {
                Ok((writes, changed)) => {
                    writes.send(&session).await?;
                    Ok(changed)
                }
                Err(error) => {
                    session.batch_execute("ROLLBACK").await?;
                    Err(error.into())
                }
            };
            session.finish();
            return result;
        }
    }

    fn decide_container(
        &self,
        name: &ContainerName,
        id: i64,
        mut state: ContainerState,
        change: &ContainerChange<'_>,
        (stamp, now): (Timestamp, Timestamp),
    ) -> Result<(Writes, ContainerChanged), TableError> {
        let mut writes = Writes::default();
        let mut leased = None;
        match change {
            ContainerChange::Metadata(metadata, conditions) => {
                state.check(conditions, BlobAccess::Write, LeaseUse::UseContainer, now)?;
                state.metadata = (*metadata).clone();
                state.touch(stamp, now);
            }
            ContainerChange::Policies(policies, conditions) => {
                state.check(conditions, BlobAccess::Write, LeaseUse::UseContainer, now)?;
                state.touch(stamp, now);
                let params: Vec<Param> = vec![Box::new(id), Box::new(policies.encode())];
                writes.add(&self.blobs.set_container_policies, params);
            }
            ContainerChange::Lease(action, conditions) => {
                state.check_version(conditions, BlobAccess::Write)?;
                let version = state.modified.into();
                leased = Some(action.replace(&mut state.lease, version, now)?);
            }
            ContainerChange::Delete(conditions) => {
                state.check(conditions, BlobAccess::Write, LeaseUse::DeleteContainer, now)?;
                writes.add(&self.blobs.delete_container, vec![Box::new(id)]);
                let due = now.saturating_add(GRACE).ticks();
                let params: Vec<Param> = vec![Box::new(CONTAINER), Box::new(id), Box::new(due)];
                writes.add(&self.blobs.discard, params);
                return Ok((writes, ContainerChanged { version: state.modified.into(), leased }));
            }
        }
        let record = encode_container(name.as_str(), &state);
        let params: Vec<Param> = vec![Box::new(id), Box::new(stamp.ticks()), Box::new(record)];
        writes.add(&self.blobs.update_container, params);
        Ok((writes, ContainerChanged { version: state.modified.into(), leased }))
    }

    pub(super) async fn list_containers(
        &self,
        request: &ListContainers,
    ) -> Result<ContainersSegment, Failure> {
        let most = request.results()?;
        let start = request.marker.as_deref().unwrap_or_default().max(&request.prefix);
        let limit = i64::try_from(most).unwrap_or(i64::MAX).saturating_add(1);
        let rows = self.query_blobs(&self.blobs.containers, &[&start, &limit]).await?;
        let (mut containers, mut bytes) = (Vec::new(), 0);
        for row in &rows {
            let (name, record): (&str, &[u8]) = (row.get(0), row.get(2));
            if !name.starts_with(&request.prefix) {
                break;
            }
            if containers.len() == most || bytes >= LISTED_BYTES {
                return Ok(ContainersSegment::new(containers, Some(name.to_owned())));
            }
            bytes += record.len();
            let now = time(name, row.get(3))?;
            containers.push(decode_container(name, record)?.properties(ContainerName::new(name)?, now));
        }
        Ok(ContainersSegment::new(containers, None))
    }
}
