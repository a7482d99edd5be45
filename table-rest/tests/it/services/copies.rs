use table_rest::auth::sas::Sas;

use super::{
    blobs::{put, signed, site},
    harness::{Answer, Ask, Site},
};

const HOST: &str = "127.0.0.1:10000";

/// Returns the URL of a blob of the site.
pub(super) fn url(name: &str) -> String {
    format!("http://{HOST}/devstoreaccount1/photos/{name}")
}

/// Returns a request with a source.
pub(super) fn from(target: &str, source: &str) -> Ask {
    Ask::new("PUT", target).header("host", HOST).header("x-ms-copy-source", source)
}

async fn text(site: &Site, name: &str) -> String {
    site.ask("GET", &format!("/photos/{name}")).await.is(200).text()
}

fn named(answer: &Answer) -> Option<String> {
    answer.xml().text_of("HeaderName").map(str::to_owned)
}

#[tokio::test]
async fn a_copy_is_complete_with_its_response() {
    let site = site().await;
    let first =
        put("/photos/a%20b", "one").header("x-ms-meta-k", "1").header("x-ms-blob-content-type", "text/plain");
    site.send(first).await.is(201);
    let copied = site.send(from("/photos/b", &url("a%20b"))).await.is(202);
    assert_eq!((copied.operation, copied.header("x-ms-copy-status")), ("CopyBlob", "success"));
    let found = site.ask("HEAD", "/photos/b").await.is(200);
    for (name, value) in [
        ("etag", copied.header("etag")),
        ("last-modified", copied.header("last-modified")),
        ("x-ms-copy-id", copied.header("x-ms-copy-id")),
        ("x-ms-copy-status", "success"),
        ("x-ms-copy-progress", "3/3"),
        ("x-ms-copy-source", &url("a%20b")),
        ("x-ms-copy-completion-time", copied.header("last-modified")),
        ("content-type", "text/plain"),
        ("x-ms-meta-k", "1"),
    ] {
        assert_eq!(found.header(name), value, "{name}");
    }
    assert_eq!(text(&site, "b").await, "one");
    let own = from("/photos/c", &url("b")).header("x-ms-meta-own", "2").header("x-ms-requires-sync", "true");
    assert_eq!(site.send(own).await.is(202).operation, "CopyBlobFromURL");
    let found = site.ask("HEAD", "/photos/c").await.is(200);
    assert_eq!((found.header("x-ms-meta-own"), found.header("x-ms-meta-k")), ("2", ""));
    let list = site.ask("GET", "/photos?restype=container&comp=list&include=copy").await.is(200);
    assert_eq!(list.text().matches("<CopyStatus>success</CopyStatus>").count(), 2);

    let abort = Ask::new("PUT", &format!("/photos/b?comp=copy&copyid={}", copied.header("x-ms-copy-id")));
    site.send(abort.clone().header("x-ms-copy-action", "abort")).await.fails(409, "NoPendingCopyOperation");
    site.send(abort.clone().header("x-ms-copy-action", "stop")).await.fails(400, "InvalidHeaderValue");
    site.send(abort).await.fails(400, "MissingRequiredHeader");
    let none = Ask::new("PUT", "/photos/b?comp=copy").header("x-ms-copy-action", "abort");
    site.send(none).await.fails(400, "MissingRequiredQueryParameter");
}

#[tokio::test]
async fn a_snapshot_is_promoted() {
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    let taken = site.ask("PUT", "/photos/a?comp=snapshot").await.is(201).header("x-ms-snapshot").to_owned();
    site.send(put("/photos/a", "two")).await.is(201);
    site.send(from("/photos/a", &format!("{}?snapshot={taken}", url("a")))).await.is(202);
    assert_eq!(text(&site, "a").await, "one");
    let found = site.ask("HEAD", "/photos/a").await.is(200);
    assert_eq!(found.header("x-ms-copy-source"), format!("{}?snapshot={taken}", url("a")));
    let missing = format!("{}?snapshot=2024-03-01T00:00:00.0000000Z", url("a"));
    site.send(from("/photos/a", &missing)).await.fails(404, "BlobNotFound");
}

#[tokio::test]
async fn conditions_on_the_source_are_told_from_those_on_the_target() {
    let site = site().await;
    let etag = site.send(put("/photos/a", "one")).await.is(201).header("etag").to_owned();
    site.send(put("/photos/b", "two")).await.is(201);
    let other = "\"0x8D72069AA304835\"";
    for (name, value, outcome) in [
        ("x-ms-source-if-match", other, (412, "SourceConditionNotMet")),
        ("x-ms-source-if-none-match", &etag, (412, "SourceConditionNotMet")),
        ("x-ms-source-if-unmodified-since", "Fri, 01 Mar 2019 00:00:00 GMT", (412, "SourceConditionNotMet")),
        ("if-match", other, (412, "ConditionNotMet")),
        ("if-none-match", "*", (409, "BlobAlreadyExists")),
        ("x-ms-lease-id", "5974b586-0df3-4e2d-ad0c-18e3892bfca2", (412, "LeaseNotPresentWithBlobOperation")),
    ] {
        let refused = site.send(from("/photos/b", &url("a")).header(name, value)).await;
        assert_eq!(refused.outcome(), outcome, "{name}");
        let refused = site
            .send(from("/photos/b", &url("a")).header("x-ms-blob-type", "BlockBlob").header(name, value))
            .await;
        assert_eq!(refused.outcome(), outcome, "{name}");
    }
    assert_eq!(text(&site, "b").await, "two");
    site.send(from("/photos/b", &url("a")).header("x-ms-source-if-match", &etag)).await.is(202);
    assert_eq!(text(&site, "b").await, "one");
    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    site.send(from("/photos/log", &url("a"))).await.fails(409, "InvalidBlobType");
    site.send(from("/photos/c", &url("none"))).await.fails(404, "BlobNotFound");
    site.send(from("/photos/c", &url("a")).body("x")).await.fails(400, "InvalidHeaderValue");
}

#[tokio::test]
async fn blobs_blocks_and_appends_have_the_content_of_a_url() {
    let site = site().await;
    let large: Vec<u8> = (0..300_000_u32).map(|number| (number % 251) as u8).collect();
    let first = put("/photos/a", &large).header("x-ms-blob-content-type", "text/plain");
    let md5 = site.send(first).await.is(201).header("content-md5").to_owned();
    let block_blob = |ask: Ask| ask.header("x-ms-blob-type", "BlockBlob");
    let wrong = "AAAAAAAAAAAAAAAAAAAAAA==";

    let whole = block_blob(from("/photos/b", &url("a"))).header("x-ms-blob-cache-control", "no-store");
    let written = site.send(whole.clone().header("x-ms-source-content-md5", &md5)).await.is(201);
    assert_eq!((written.operation, written.header("content-md5")), ("PutBlobFromURL", md5.as_str()));
    let found = site.ask("GET", "/photos/b").await.is(200);
    assert!(found.body == large);
    assert_eq!((found.header("content-type"), found.header("cache-control")), ("text/plain", "no-store"));
    assert_eq!(found.header("x-ms-copy-id"), "");
    site.send(whole.clone().header("x-ms-source-content-md5", wrong)).await.fails(400, "Md5Mismatch");
    let plain = whole.header("x-ms-copy-source-blob-properties", "false");
    site.send(plain).await.is(201);
    assert_eq!(
        site.ask("HEAD", "/photos/b").await.is(200).header("content-type"),
        "application/octet-stream"
    );

    let block =
        from("/photos/c?comp=block&blockid=AAAA", &url("a")).header("x-ms-source-range", "bytes=10-200000");
    assert_eq!(site.send(block).await.is(201).operation, "PutBlockFromURL");
    let list = "<BlockList><Latest>AAAA</Latest></BlockList>";
    site.send(Ask::new("PUT", "/photos/c?comp=blocklist").body(list)).await.is(201);
    assert!(site.ask("GET", "/photos/c").await.is(200).body == large[10..=200_000]);
    let beyond =
        from("/photos/c?comp=block&blockid=AAAA", &url("a")).header("x-ms-source-range", "bytes=300000-");
    site.send(beyond).await.fails(416, "InvalidRange");

    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    for _ in 0..2 {
        let append = from("/photos/log?comp=appendblock", &url("a")).header("x-ms-source-range", "bytes=0-2");
        assert_eq!(site.send(append).await.is(201).operation, "AppendBlockFromURL");
    }
    assert_eq!(site.ask("GET", "/photos/log").await.is(200).body, [0, 1, 2, 0, 1, 2]);
    let copied = from("/photos/d", &url("a")).header("x-ms-requires-sync", "true");
    site.send(copied.clone().header("x-ms-source-content-md5", wrong)).await.fails(400, "Md5Mismatch");
    site.send(copied.header("x-ms-source-content-md5", &md5)).await.is(202);
}

#[tokio::test]
async fn a_source_elsewhere_is_refused_by_name() {
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    for (source, name) in [
        ("http://169.254.169.254/latest/meta-data", "169.254.169.254"),
        ("http://example.com/devstoreaccount1/photos/a", "example.com"),
        ("https://acct.blob.core.windows.net/photos/a", "acct.blob.core.windows.net"),
        ("http://127.0.0.1:10001/devstoreaccount1/photos/a", "127.0.0.1"),
        ("http://127.0.0.1:10000@example.com/devstoreaccount1/photos/a", "example.com"),
        ("http://u@127.0.0.1:10000/devstoreaccount1/photos/a", "127.0.0.1"),
    ] {
        for (target, kind) in [
            ("/photos/b", ""),
            ("/photos/b", "BlockBlob"),
            ("/photos/b?comp=block&blockid=AAAA", ""),
            ("/photos/b?comp=appendblock", ""),
        ] {
            let refused = site.send(from(target, source).header("x-ms-blob-type", kind)).await;
            assert_eq!(refused.outcome(), (501, "NotImplemented"), "{source} {target}");
            assert_eq!(named(&refused).as_deref(), Some("x-ms-copy-source"));
            assert_eq!(refused.xml().text_of("HeaderValue"), Some(name), "{source}");
        }
    }
    for source in
        ["photos/a", "/devstoreaccount1/photos/a", "ftp://127.0.0.1:10000/devstoreaccount1/photos/a"]
    {
        site.send(from("/photos/b", source)).await.fails(400, "InvalidHeaderValue");
    }
    let container = format!("http://{HOST}/devstoreaccount1/photos?restype=container&comp=list");
    site.send(from("/photos/b", &container)).await.fails(400, "InvalidHeaderValue");
    site.send(from("/photos/b", &url("..%2fa"))).await.fails(400, "InvalidUri");
    // Other operations have no source.
    let refused = site.send(from("/photos/a?comp=metadata", &url("a"))).await.fails(501, "NotImplemented");
    assert_eq!(named(&refused).as_deref(), Some("x-ms-copy-source"));
    let token = from("/photos/b", &url("a")).header("x-ms-copy-source-authorization", "Bearer x");
    site.send(token).await.fails(501, "NotImplemented");
    site.ask("HEAD", "/photos/b").await.fails(404, "BlobNotFound");
    // All loopback hosts are this server.
    site.send(from("/photos/b", "http://localhost:10000/devstoreaccount1/photos/a")).await.is(202);
    site.send(from("/photos/b", "http://devstoreaccount1.blob.localhost:10000/photos/a")).await.is(202);
}

#[tokio::test]
async fn a_source_is_read_with_the_permissions_of_its_url() {
    let site = site().await;
    site.send(put("/photos/a", "one")).await.is(201);
    let source = |sas: Sas| format!("{}?{}", url("a"), signed(sas));
    let copy = |target: &str, source: &str| {
        let target = format!("{target}?{}", signed(Sas::container("photos", "cw")));
        site.send(from(&target, source).unsigned())
    };
    copy("/photos/b", &url("a")).await.fails(403, "CannotVerifyCopySource");
    copy("/photos/b", &source(Sas::blob("photos", "a", "w"))).await.fails(403, "CannotVerifyCopySource");
    copy("/photos/b", &source(Sas::blob("photos", "other", "r"))).await.fails(403, "CannotVerifyCopySource");
    let forged = source(Sas::blob("photos", "a", "r")).replace("sig=", "sig=A");
    copy("/photos/b", &forged).await.fails(403, "CannotVerifyCopySource");
    site.ask("HEAD", "/photos/b").await.fails(404, "BlobNotFound");
    copy("/photos/b", &source(Sas::blob("photos", "a", "r"))).await.is(202);
    let found = site.ask("HEAD", "/photos/b").await.is(200);
    assert_eq!(found.header("x-ms-copy-source"), url("a"));
    // A signature of the URL that grants too little is not replaced by the key of the request.
    let refused = site.send(from("/photos/c", &source(Sas::blob("photos", "a", "w")))).await;
    assert_eq!(refused.outcome(), (403, "CannotVerifyCopySource"));

    let creating = |target: &str| {
        let target = format!("{target}?{}", signed(Sas::container("photos", "c")));
        site.send(from(&target, &source(Sas::blob("photos", "a", "r"))).unsigned())
    };
    creating("/photos/d").await.is(202);
    creating("/photos/d").await.fails(403, "UnauthorizedBlobOverwrite");
}

#[tokio::test]
async fn content_comes_from_another_account_with_its_signature() {
    let (site, name, key) = Site::with_another().await;
    site.ask("PUT", "/photos?restype=container").await.is(201);
    let source = |account: &str, sas: Sas| {
        let sas = sas.expiry("2024-03-02T00:00:00Z".parse().unwrap()).sign(&name, &key).unwrap();
        format!("http://{HOST}/{account}/films/jo?{sas}")
    };
    let readable = source(name.as_str(), Sas::blob("films", "jo", "r"));
    let put = |source: &str| site.send(from("/photos/a", source).header("x-ms-blob-type", "BlockBlob"));
    put(&readable).await.is(201);
    assert_eq!(text(&site, "a").await, "of another account");
    let block = from("/photos/a?comp=block&blockid=AAAA", &readable);
    site.send(block).await.is(201);
    // Shared content is within one account.
    let refused = site.send(from("/photos/b", &readable)).await.fails(501, "NotImplemented");
    assert_eq!(refused.xml().text_of("HeaderValue"), Some(name.as_str()));
    // The key of this account reads nothing of another one, and an unknown account is not told from it.
    let unreadable = source(name.as_str(), Sas::blob("films", "jo", "w"));
    let unsigned = readable.split('?').next().unwrap();
    let unknown = source("unknown", Sas::blob("films", "jo", "r"));
    for source in [&unreadable, unsigned, &unknown, &unsigned.replace(name.as_str(), "unknown")] {
        put(source).await.fails(403, "CannotVerifyCopySource");
        site.send(from("/photos/b", source)).await.fails(403, "CannotVerifyCopySource");
    }
}
