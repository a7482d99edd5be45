//! Every body parses as a list of policies, as service properties, or an error; parsed values round-trip.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::{acl, service_properties, stats};
use table_store::settings::ServiceProperties;

fuzz_target!(|data: &[u8]| {
    if let Ok(policies) = acl::read(data) {
        assert_eq!(acl::read(&acl::write(&policies)).ok(), Some(policies));
    }
    if let Ok(change) = service_properties::read(data) {
        let written = service_properties::write_change(&change);
        assert_eq!(service_properties::read(&written).ok().as_ref(), Some(&change));
        let properties = change.apply(&ServiceProperties::default());
        let read = service_properties::read(&service_properties::write(&properties));
        assert_eq!(read.ok().map(|change| change.apply(&ServiceProperties::default())), Some(properties));
    }
    if let Ok(replication) = stats::read(data) {
        assert!(stats::read(&stats::write(replication)).is_ok());
    }
});
