//! Pages of containers and blobs.

use table_model::{
    BlobService, Metadata,
    blob::{BlobAddress, BlobHeaders, ContainerName, PutBlob},
};
use table_store::Store;

use crate::{client::Served, store};

/// Creates the container `photos` with blobs.
fn with_blobs<'b>(blobs: impl IntoIterator<Item = (&'b str, Vec<u8>, PutBlob)>) -> Store {
    let store = store([]);
    let container: ContainerName = "photos".parse().unwrap();
    pollster::block_on(async {
        store.create_container(&container, Metadata::new()).await.unwrap();
        for (name, content, put) in blobs {
            let address = BlobAddress::new("photos", name).unwrap();
            store.put_blob(&address, content.into(), put).await.unwrap();
        }
    });
    store
}

#[test]
fn blobs_are_listed_by_prefix_and_page() {
    let mut names: Vec<String> = (0..101).map(|number| format!("many/{number:03}")).collect();
    names.extend(["a/b/c".to_owned(), "top".to_owned()]);
    let store = with_blobs(names.iter().map(|name| (&**name, b"abc".to_vec(), PutBlob::new())));
    let served = Served::read_only(&store);
    served
        .get("/b/photos")
        .is(200)
        .has("href=\"/b/photos?prefix=a%2F\"")
        .has("href=\"/b/photos?prefix=many%2F\"")
        .has("href=\"/b/photos/blob?name=top\"")
        .has("3 names");
    let page = served.get("/b/photos?prefix=many%2F");
    page.has("<bdi>099</bdi>").lacks("<bdi>100</bdi>").has("one level up");
    let next = page
        .text
        .split("rel=\"next\" href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .replace("&amp;", "&");
    served.get(&next).has("<bdi>100</bdi>").lacks("<bdi>099</bdi>").has("1 name");
    served.get("/b/photos?prefix=z").has("No name has this prefix");
    served.get("/b/other").is(404);
}

#[test]
fn a_blob_is_text_or_bytes_and_never_a_page() {
    let mut svg = PutBlob::new();
    svg.headers = BlobHeaders::default();
    svg.headers.content_type = Some("image/svg+xml".to_owned());
    svg.metadata = Metadata::new().with("camera", "<i>").unwrap();
    let mut owned = PutBlob::new();
    let metadata = [("table", "Employees"), ("partition", "U2FsZXM"), ("row", "MQ"), ("token", "01J0")];
    owned.metadata =
        metadata.into_iter().fold(Metadata::new(), |all, (name, value)| all.with(name, value).unwrap());
    let store = with_blobs([
        ("a/x.svg", b"<svg onload=\"alert(1)\">".to_vec(), svg),
        ("bytes", vec![0, 255, 65], PutBlob::new()),
        ("large", vec![b'a'; 70_000], PutBlob::new()),
        ("owned", b"abc".to_vec(), owned),
        ("empty", Vec::new(), PutBlob::new()),
    ]);
    let served = Served::read_only(&store);
    let blob = |name: &str| served.get(&format!("/b/photos/blob?name={name}"));
    blob("a%2Fx.svg")
        .is(200)
        .has("&lt;svg onload=")
        .lacks("<svg onload")
        .has("image/svg+xml")
        .has("&lt;i&gt;");
    let file = served.get("/b/photos/file?name=a%2Fx.svg");
    file.is(200);
    assert_eq!(file.text, "<svg onload=\"alert(1)\">");
    assert_eq!(file.header("content-type"), Some("application/octet-stream"));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"x.svg\""));
    assert_eq!(file.header("content-length"), Some("23"));
    blob("bytes").has("00000000  00 ff 41").has("..A");
    blob("owned")
        .has("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        .has("href=\"/t/Employees/e?pk=Sales&amp;rk=1\"");
    blob("large").has("the first 64.0 KiB of 68.3 KiB").has("Compute</a>").lacks("of the content");
    blob("large&sha256=1").has("of the content").has("the first 64.0 KiB of 68.3 KiB");
    blob("empty").has("The blob is empty");
    blob("none").is(404);
    served.get("/b/photos/file?name=none").is(404);
}
