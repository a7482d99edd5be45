use super::*;
use crate::embedded::support::code;
use table_store::{ErrorCode, blob::ListContainers};

fn name(name: &str) -> ContainerName {
    name.parse().unwrap()
}

#[test]
fn a_container_keeps_what_is_said_of_it() {
    let (_store, blobs) = store();
    let metadata = Metadata::new().with("owner", "Jo").unwrap();
    let made = blobs.create_container(&name("logs"), metadata.clone()).unwrap();
    assert_eq!(
        code(blobs.create_container(&name("logs"), metadata.clone())),
        ErrorCode::ContainerAlreadyExists
    );
    let known = blobs.container_properties(&name("logs"), &always()).unwrap();
    assert_eq!((&known.metadata, &known.etag), (&metadata, &made.etag));
    let changed = blobs.set_container_metadata(&name("logs"), Metadata::new(), &made.etag.into()).unwrap();
    let known = blobs.container_properties(&name("logs"), &always()).unwrap();
    assert!(known.metadata.is_empty() && known.version() == changed);
}

#[test]
fn a_deleted_container_is_gone_at_once_and_its_name_is_free_after_the_sweep() {
    let (store, blobs) = store();
    for number in 0..50 {
        put(&blobs, &format!("{number}"), content(number, CHUNK));
    }
    let before = store.stats().commits;
    blobs.delete_container(&container(), &always()).unwrap();
    for refused in [
        code(blobs.container_properties(&container(), &always())),
        code(blobs.get_blob(&at("1"), ReadBlob::new())),
        code(blobs.put_blob(&at("1"), "x".into(), PutBlob::new())),
        code(blobs.delete_container(&container(), &always())),
    ] {
        assert_eq!(refused, ErrorCode::ContainerNotFound);
    }
    store.swept().unwrap();
    assert!(store.stats().commits - before < 50);
    blobs.create_container(&container(), Metadata::new()).unwrap();
    assert_eq!(code(blobs.get_blob(&at("1"), ReadBlob::new())), ErrorCode::BlobNotFound);
}

#[test]
fn containers_are_listed_by_name_in_segments() {
    let (_store, blobs) = store();
    for other in ["logs-1", "logs-2", "logs-3", "logo", "$web"] {
        blobs.create_container(&name(other), Metadata::new()).unwrap();
    }
    blobs.delete_container(&name("logs-2"), &always()).unwrap();
    let (mut seen, mut marker) = (Vec::new(), None);
    loop {
        let mut request = ListContainers::new().prefix("logs").max_results(1);
        request.marker = marker;
        let segment = blobs.list_containers(request).unwrap();
        assert!(segment.containers.len() <= 1);
        seen.extend(segment.containers.into_iter().map(|container| container.name.to_string()));
        marker = segment.next_marker;
        if marker.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["logs-1", "logs-3"]);
    let all = blobs.list_containers(ListContainers::new()).unwrap();
    assert_eq!(all.containers.len(), 5);
    assert_eq!(all.containers[0].name.as_str(), "$web");
    let none = code(blobs.list_containers(ListContainers::new().max_results(0)));
    assert_eq!(none, ErrorCode::OutOfRangeQueryParameterValue);
}
