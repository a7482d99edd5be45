//! Storage of access policies and service properties.
//!
//! Policies are stored under the id of their resource, so that they never apply to another table, queue or container
//! with the same name. The commit that deletes the resource removes them.

mod cache;
mod change;
mod holder;

pub(crate) use cache::PropertiesCache;
pub(crate) use change::{ChangeProperties, SetPolicies};
pub(crate) use holder::Holder;

use table_model::{
    Result,
    settings::{PolicyHolder, ServiceKind, ServiceProperties, StoredPolicies},
};

use crate::{checksum, core::Core, engine, keys::TableId, write_batch};

/// Reads the policies of an existing resource.
pub(crate) fn stored_policies(core: &Core, holder: &PolicyHolder) -> Result<StoredPolicies> {
    engine::view(&*core.engine, |read| {
        let key = Holder::find(read, holder)?.key();
        Ok(write_batch::find(read, &key, StoredPolicies::decode)?.unwrap_or_default())
    })
}

/// Reads the properties of a service from the file.
fn stored_properties(core: &Core, kind: ServiceKind) -> Result<ServiceProperties> {
    engine::view(&*core.engine, |read| {
        Ok(write_batch::find(read, &properties_key(kind), ServiceProperties::decode)?.unwrap_or_default())
    })
}

/// Key prefix of service properties, below the kinds of resources.
const SERVICES: u8 = 0;

fn properties_key(kind: ServiceKind) -> Vec<u8> {
    let number = match kind {
        ServiceKind::Table => 1,
        ServiceKind::Queue => 2,
        ServiceKind::Blob => 3,
    };
    TableId::SETTINGS.key(&[SERVICES, number])
}

/// Formats the key of a record for display.
pub(crate) fn name(key: &[u8]) -> String {
    match ServiceKind::ALL.into_iter().find(|kind| properties_key(*kind) == key) {
        Some(kind) => format!("the properties of the {kind} service"),
        None => match Holder::of_key(key) {
            Some(holder) => format!("the access policies of {holder}"),
            None => "a settings record with an invalid key".to_owned(),
        },
    }
}

/// Checks a record. An earlier library version may have left policies of deleted resources, which are unreachable.
pub(crate) fn check(key: &[u8], record: &[u8]) -> Result<(), &'static str> {
    let content = checksum::open(key, record)?;
    let layout = "its layout is invalid";
    if ServiceKind::ALL.into_iter().any(|kind| properties_key(kind) == key) {
        ServiceProperties::decode(content).map(drop).ok_or(layout)
    } else if Holder::of_key(key).is_some() {
        StoredPolicies::decode(content).map(drop).ok_or(layout)
    } else {
        Err("its key is not a valid settings key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format_page::documented;
    use table_model::settings::StoredPolicy;

    #[test]
    fn policies_are_stored_as_documented() {
        let readers = StoredPolicy::new("readers").expiry("2030-01-01".parse().unwrap()).permission("r");
        let policies = StoredPolicies::new(vec![readers]).unwrap();
        let key = Holder::table(TableId::FIRST).key();
        let mut record = policies.encode();
        checksum::seal(&key, &mut record);
        let page = |what| documented(&format!("The {what} of the policies:"));
        assert_eq!(page("key"), key, "{key:02x?}");
        assert_eq!(page("record"), record, "{record:02x?}");
        assert_eq!(check(&key, &record), Ok(()));
        assert_eq!(name(&key), "the access policies of table #16");
        assert_eq!(name(&properties_key(ServiceKind::Queue)), "the properties of the queue service");
    }

    #[test]
    fn no_bytes_are_taken_for_a_record() {
        for key in [vec![], vec![4, 0, 0], vec![1; 8], vec![0, 9], vec![0, 1, 0]] {
            let key = TableId::SETTINGS.key(&key);
            let mut record = vec![1, 2, 3];
            checksum::seal(&key, &mut record);
            assert!(check(&key, &record).is_err(), "{key:02x?}");
        }
    }
}
