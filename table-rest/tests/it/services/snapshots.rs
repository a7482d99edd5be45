use table_rest::auth::sas::Sas;

use super::{
    blobs::{put, signed, site},
    harness::{Answer, Ask, Site},
};

/// Creates a snapshot, and returns its address.
async fn snapshot(site: &Site, name: &str) -> String {
    let taken = site.ask("PUT", &format!("/photos/{name}?comp=snapshot")).await.is(201);
    assert_eq!(taken.operation, "SnapshotBlob");
    format!("/photos/{name}?snapshot={}", taken.header("x-ms-snapshot"))
}

/// Returns the names and snapshots of a listing, in order.
fn listed(answer: &Answer) -> Vec<(String, bool)> {
    let blobs = answer.xml().child("Blobs").unwrap().children.clone();
    let of = |name: &str| name.to_owned();
    blobs
        .iter()
        .map(|blob| (of(blob.required("Name").unwrap()), blob.text_of("Snapshot").is_some()))
        .collect()
}

#[tokio::test]
async fn a_snapshot_is_created_read_and_deleted() {
    let site = site().await;
    let first =
        put("/photos/a", "one").header("x-ms-meta-k", "1").header("x-ms-blob-content-type", "text/plain");
    let created = site.send(first).await.is(201);
    let taken = site.ask("PUT", "/photos/a?comp=snapshot").await.is(201);
    assert_eq!(taken.header("etag"), created.header("etag"));
    assert_eq!(taken.header("last-modified"), created.header("last-modified"));
    assert_eq!(taken.header("x-ms-request-server-encrypted"), "true");
    let time = taken.header("x-ms-snapshot").to_owned();
    assert_eq!((time.len(), time.ends_with('Z')), (28, true), "{time}");
    let own =
        site.send(Ask::new("PUT", "/photos/a?comp=snapshot").header("x-ms-meta-own", "2")).await.is(201);
    assert_ne!(own.header("etag"), created.header("etag"));

    site.send(put("/photos/a", "another")).await.is(201);
    let target = format!("/photos/a?snapshot={time}");
    for method in ["GET", "HEAD"] {
        let found = site.ask(method, &target).await.is(200);
        assert_eq!(found.header("etag"), created.header("etag"));
        assert_eq!((found.header("content-type"), found.header("x-ms-meta-k")), ("text/plain", "1"));
        assert_eq!(found.header("x-ms-lease-state"), "");
        let metadata = site.ask(method, &format!("{target}&comp=metadata")).await.is(200);
        assert_eq!(metadata.header("x-ms-meta-k"), "1");
    }
    assert_eq!(site.ask("GET", &target).await.is(200).text(), "one");
    let part = site.send(Ask::new("GET", &target).header("range", "bytes=1-")).await.is(206);
    assert_eq!((part.text().as_str(), part.header("content-range")), ("ne", "bytes 1-2/3"));
    let unchanged = Ask::new("GET", &target).header("if-none-match", created.header("etag"));
    site.send(unchanged).await.fails(304, "ConditionNotMet");
    site.ask("GET", &format!("{target}&comp=blocklist")).await.is(200);
    let own = format!("/photos/a?snapshot={}", own.header("x-ms-snapshot"));
    assert_eq!(site.ask("HEAD", &own).await.is(200).header("x-ms-meta-own"), "2");

    site.ask("DELETE", &target).await.is(202);
    site.ask("GET", &target).await.fails(404, "BlobNotFound");
    assert_eq!(site.ask("GET", &own).await.is(200).text(), "one");
    assert_eq!(site.ask("GET", "/photos/a").await.is(200).text(), "another");
}

#[tokio::test]
async fn snapshots_are_deleted_by_choice() {
    let site = site().await;
    let delete = |target: &str, choice: &str| {
        site.send(Ask::new("DELETE", target).header("x-ms-delete-snapshots", choice))
    };
    site.send(put("/photos/a", "one")).await.is(201);
    let taken = snapshot(&site, "a").await;
    site.ask("DELETE", "/photos/a").await.fails(409, "SnapshotsPresent");
    delete("/photos/a", "all").await.fails(400, "InvalidHeaderValue");
    delete(&taken, "include").await.fails(400, "InvalidOperation");
    delete("/photos/a", "only").await.is(202);
    site.ask("GET", &taken).await.fails(404, "BlobNotFound");
    site.ask("GET", "/photos/a").await.is(200);
    let taken = snapshot(&site, "a").await;
    delete("/photos/a", "include").await.is(202);
    for target in ["/photos/a", &taken] {
        site.ask("HEAD", target).await.fails(404, "BlobNotFound");
    }
}

#[tokio::test]
async fn snapshots_are_listed_before_their_blob() {
    let site = site().await;
    for name in ["a", "b"] {
        site.send(put(&format!("/photos/{name}"), "one")).await.is(201);
    }
    let taken = [snapshot(&site, "a").await, snapshot(&site, "a").await];
    let list = |more: &str| {
        let target = format!("/photos?restype=container&comp=list{more}");
        let site = &site;
        async move { site.ask("GET", &target).await.is(200) }
    };
    let name = |name: &str, is_snapshot| (name.to_owned(), is_snapshot);
    assert_eq!(listed(&list("").await), [name("a", false), name("b", false)]);
    let all = list("&include=snapshots,metadata").await;
    let expected = [name("a", true), name("a", true), name("a", false), name("b", false)];
    assert_eq!(listed(&all), expected);
    for target in &taken {
        let time = target.split_once('=').unwrap().1;
        assert!(all.text().contains(&format!("<Snapshot>{time}</Snapshot>")), "{}", all.text());
    }
    let (mut found, mut marker) = (Vec::new(), String::new());
    loop {
        let page = list(&format!("&include=snapshots&maxresults=1&marker={marker}")).await;
        found.extend(listed(&page));
        marker = page.xml().text_of("NextMarker").unwrap_or_default().replace('!', "%21");
        if marker.is_empty() {
            break;
        }
    }
    assert_eq!(found, expected);
    let wrong = "/photos?restype=container&comp=list&include=snapshots&marker=a";
    site.ask("GET", wrong).await.fails(400, "InvalidMarker");
}

#[tokio::test]
async fn a_snapshot_cannot_be_written() {
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    let taken = snapshot(&site, "a").await;
    let kind = ("x-ms-blob-type", "BlockBlob");
    let lease = ("x-ms-lease-action", "acquire");
    for (more, (name, value)) in [
        ("", kind),
        ("&comp=block&blockid=AAAA", kind),
        ("&comp=metadata", kind),
        ("&comp=properties", kind),
        ("&comp=snapshot", kind),
        ("&comp=lease", lease),
    ] {
        let ask = Ask::new("PUT", &format!("{taken}{more}")).header(name, value);
        let ask = ask.header("x-ms-lease-duration", "-1").body("two");
        site.send(ask).await.fails(400, "InvalidOperation");
    }
    assert_eq!(site.ask("GET", &taken).await.is(200).text(), "one");
    let wrong =
        site.ask("GET", "/photos/a?snapshot=yesterday").await.fails(400, "InvalidQueryParameterValue");
    assert_eq!(wrong.xml().text_of("QueryParameterName"), Some("snapshot"));
    site.ask("PUT", "/photos/none?comp=snapshot").await.fails(404, "BlobNotFound");
    site.ask("GET", "/photos/a?comp=snapshot").await.fails(405, "UnsupportedHttpVerb");
}

#[tokio::test]
async fn a_signature_covers_the_snapshots_of_its_blob() {
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    let old = snapshot(&site, "a").await;
    let ask = |method: &str, target: &str, letters: &str| {
        let token = signed(Sas::blob("photos", "a", letters));
        let target = format!("{target}&{token}");
        site.send(Ask::new(method, &target).unsigned())
    };
    assert_eq!(ask("GET", &old, "r").await.is(200).text(), "one");
    ask("PUT", "/photos/a?comp=snapshot", "r").await.fails(403, "AuthorizationPermissionMismatch");
    ask("PUT", "/photos/a?comp=snapshot", "c").await.is(201);
    ask("DELETE", &old, "r").await.fails(403, "AuthorizationPermissionMismatch");
    ask("DELETE", &old, "d").await.is(202);
}
