//! Access policies and service properties: storage and lifetime.

use std::task::{Context, Waker};

use table_store::{
    BlockingStore, ErrorCode, MemoryDisk, Metadata, SettingsService, Store,
    blob::BlobConditions,
    settings::{
        CorsMethod, CorsRule, CorsRules, Logging, Metrics, PolicyHolder, PropertiesChange, Retention,
        ServiceKind, ServiceProperties, StoredPolicies, StoredPolicy,
    },
};

use crate::embedded::support::{code, on_disk, store};

fn policies(ids: &[&str]) -> StoredPolicies {
    let policy = |id: &&str| StoredPolicy::new(*id).expiry("2030-01-01".parse().unwrap()).permission("r");
    StoredPolicies::new(ids.iter().map(policy).collect()).unwrap()
}

fn holders() -> [PolicyHolder; 3] {
    [
        PolicyHolder::Table("photos".parse().unwrap()),
        PolicyHolder::Queue("photos".parse().unwrap()),
        PolicyHolder::Container("photos".parse().unwrap()),
    ]
}

fn make(store: &BlockingStore, holder: &PolicyHolder) {
    match holder {
        PolicyHolder::Table(name) => store.create_table(name).unwrap(),
        PolicyHolder::Queue(name) => drop(store.create_queue(name, Metadata::new()).unwrap()),
        PolicyHolder::Container(name) => drop(store.create_container(name, Metadata::new()).unwrap()),
    }
}

fn delete(store: &BlockingStore, holder: &PolicyHolder) {
    match holder {
        PolicyHolder::Table(name) => store.delete_table(name).unwrap(),
        PolicyHolder::Queue(name) => store.delete_queue(name).unwrap(),
        PolicyHolder::Container(name) => store.delete_container(name, &BlobConditions::default()).unwrap(),
    }
}

fn cors(origin: &str) -> PropertiesChange {
    let rule =
        CorsRule { origins: vec![origin.to_owned()], methods: vec![CorsMethod::Get], ..CorsRule::default() };
    let cors = CorsRules::new(vec![rule]).unwrap();
    PropertiesChange { cors: Some(cors), ..PropertiesChange::default() }
}

#[test]
fn policies_are_of_one_holder_and_replace_those_before() {
    let store = store();
    for holder in holders() {
        make(&store, &holder);
        assert_eq!(store.policies(&holder).unwrap(), policies(&[]));
    }
    for (holder, ids) in holders().iter().zip([["a", "b"], ["c", "d"], ["e", "f"]]) {
        store.set_policies(holder, policies(&["1", "2", "3", "4", "5"])).unwrap();
        store.set_policies(holder, policies(&ids)).unwrap();
    }
    for (holder, ids) in holders().iter().zip([["a", "b"], ["c", "d"], ["e", "f"]]) {
        assert_eq!(store.policies(holder).unwrap(), policies(&ids));
        store.set_policies(holder, policies(&[])).unwrap();
        assert_eq!(store.policies(holder).unwrap(), policies(&[]));
    }
}

#[test]
fn policies_of_a_container_change_its_version_under_conditions() {
    let store = store();
    let name = "photos".parse().unwrap();
    let holder = PolicyHolder::Container("photos".parse().unwrap());
    make(&store, &holder);
    let version = || store.container_properties(&name, &BlobConditions::none()).unwrap().version();
    let set = |ids: &[&str], conditions: &BlobConditions| {
        store.set_container_policies(&name, policies(ids), conditions)
    };
    let first = version();
    let second = set(&["a"], &first.etag.clone().into()).unwrap();
    assert_ne!(first, second);
    assert_eq!(version(), second);
    let none = BlobConditions::none;
    let (before, after) = ("2000-01-01".parse().unwrap(), "2098-01-01".parse().unwrap());
    for failed in [
        BlobConditions::from(first.etag),
        none().if_modified_since(after),
        none().if_unmodified_since(before),
    ] {
        assert_eq!(code(set(&["b"], &failed)), ErrorCode::ConditionNotMet, "{failed:?}");
    }
    let leased = code(set(&["b"], &none().lease(table_store::Uuid::from_u128(1))));
    assert_eq!(leased, ErrorCode::LeaseNotPresentWithContainerOperation);
    assert_eq!((store.policies(&holder).unwrap(), version()), (policies(&["a"]), second.clone()));
    set(&["b"], &none().if_modified_since(before).if_unmodified_since(after)).unwrap();
    store.set_policies(&holder, policies(&["b"])).unwrap();
    assert_ne!(version(), second);
    assert_eq!(store.policies(&holder).unwrap(), policies(&["b"]));
}

#[test]
fn what_is_not_there_has_none_and_its_code() {
    let store = store();
    let codes = [ErrorCode::TableNotFound, ErrorCode::QueueNotFound, ErrorCode::ContainerNotFound];
    for (holder, expected) in holders().iter().zip(codes) {
        assert_eq!(code(store.policies(holder)), expected);
        assert_eq!(code(store.set_policies(holder, policies(&["a"]))), expected);
    }
}

#[test]
fn what_a_holder_cannot_have_is_refused_and_changes_nothing() {
    let store = store();
    let [table, _, _] = holders();
    make(&store, &table);
    store.set_policies(&table, policies(&["a"])).unwrap();
    let process = StoredPolicies::new(vec![StoredPolicy::new("b").permission("rp")]).unwrap();
    assert_eq!(code(store.set_policies(&table, process)), ErrorCode::InvalidXmlNodeValue);
    assert_eq!(store.policies(&table).unwrap(), policies(&["a"]));
}

#[test]
fn policies_go_with_their_holder_and_one_made_anew_has_none() {
    let store = store();
    for holder in holders() {
        make(&store, &holder);
        store.set_policies(&holder, policies(&["a"])).unwrap();
        delete(&store, &holder);
        assert_eq!(code(store.policies(&holder)), holder.not_found());
        store.swept().unwrap();
        make(&store, &holder);
        assert_eq!(store.policies(&holder).unwrap(), policies(&[]));
    }
    assert!(store.scrub().unwrap().is_sound());
}

#[test]
fn a_queue_that_is_cleared_keeps_its_policies() {
    let store = store();
    let [_, holder, _] = holders();
    make(&store, &holder);
    store.set_policies(&holder, policies(&["a"])).unwrap();
    store.clear_messages(&"photos".parse().unwrap()).unwrap();
    store.swept().unwrap();
    assert_eq!(store.policies(&holder).unwrap(), policies(&["a"]));
    delete(&store, &holder);
    store.swept().unwrap();
    assert!(store.scrub().unwrap().is_sound());
}

#[test]
fn each_service_has_properties_of_its_own_and_keeps_what_a_change_does_not_name() {
    let store = store();
    for kind in ServiceKind::ALL {
        assert_eq!(*store.service_properties(kind).unwrap(), ServiceProperties::default());
    }
    let week = Retention::days(7).unwrap();
    let logging = Logging { write: true, retention: week, ..Logging::default() };
    let change = PropertiesChange {
        logging: Some(logging),
        minute_metrics: Some(Metrics { per_operation: Some(false), retention: week }),
        ..PropertiesChange::default()
    };
    store.change_service_properties(ServiceKind::Queue, change).unwrap();
    store.change_service_properties(ServiceKind::Queue, cors("http://a.com")).unwrap();
    let queue = store.service_properties(ServiceKind::Queue).unwrap();
    assert_eq!((queue.logging, queue.cors.as_slice().len()), (logging, 1));
    assert_eq!(*store.service_properties(ServiceKind::Table).unwrap(), ServiceProperties::default());
    let none = PropertiesChange { cors: Some(CorsRules::default()), ..PropertiesChange::default() };
    store.change_service_properties(ServiceKind::Queue, none).unwrap();
    let queue = store.service_properties(ServiceKind::Queue).unwrap();
    assert_eq!((queue.logging, queue.cors.as_slice().len()), (logging, 0));
}

#[test]
fn settings_are_there_when_the_store_is_opened_again_closed_or_not() {
    for closes in [true, false] {
        let disk = MemoryDisk::new();
        let store = on_disk(disk.clone());
        for holder in holders() {
            make(&store, &holder);
            store.set_policies(&holder, policies(&["a"])).unwrap();
        }
        store.change_service_properties(ServiceKind::Blob, cors("http://a.com")).unwrap();
        let properties = store.service_properties(ServiceKind::Blob).unwrap();
        if closes {
            store.close().unwrap();
        }
        let store = on_disk(disk.copied());
        for holder in holders() {
            assert_eq!(store.policies(&holder).unwrap(), policies(&["a"]));
        }
        assert_eq!(store.service_properties(ServiceKind::Blob).unwrap(), properties);
        assert!(store.scrub().unwrap().is_sound());
    }
}

#[test]
fn a_change_that_nobody_waits_for_is_seen_all_the_same() {
    let store = Store::in_memory().unwrap();
    let blocking = store.blocking();
    assert!(blocking.service_properties(ServiceKind::Table).unwrap().cors.as_slice().is_empty());
    {
        let mut change = store.change_service_properties(ServiceKind::Table, cors("http://a.com"));
        let _ = change.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    // The writer executes later requests later.
    blocking.flush().unwrap();
    assert_eq!(blocking.service_properties(ServiceKind::Table).unwrap().cors.as_slice().len(), 1);
}
