use super::{
    blobs::{put, site},
    copies::{from, url},
    harness::{Answer, Ask, Site},
};

const A: &str = "5974b586-0df3-4e2d-ad0c-18e3892bfca2";
const B: &str = "aa74b586-0df3-4e2d-ad0c-18e3892bfca2";
const BLOB: &str = "/photos/a";
const CONTAINER: &str = "/photos?restype=container";

/// Sends an operation on a lease, with additional headers.
async fn lease(site: &Site, target: &str, action: &str, headers: &[(&str, &str)]) -> Answer {
    let sign = if target.contains('?') { '&' } else { '?' };
    let ask = Ask::new("PUT", &format!("{target}{sign}comp=lease")).header("x-ms-lease-action", action);
    site.send(headers.iter().fold(ask, |ask, (name, value)| ask.header(name, value))).await
}

async fn acquire(site: &Site, target: &str, id: &str, seconds: &str) -> Answer {
    lease(site, target, "acquire", &[("x-ms-proposed-lease-id", id), ("x-ms-lease-duration", seconds)]).await
}

/// Returns the state headers of a blob or a container.
async fn state(site: &Site, target: &str) -> [String; 3] {
    let found = site.ask("HEAD", target).await.is(200);
    ["x-ms-lease-status", "x-ms-lease-state", "x-ms-lease-duration"].map(|name| found.header(name).to_owned())
}

#[tokio::test]
async fn a_lease_goes_from_its_acquisition_to_its_end() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    for target in [BLOB, CONTAINER] {
        let etag = site.ask("HEAD", target).await.is(200).header("etag").to_owned();
        assert_eq!(state(&site, target).await, ["unlocked", "available", ""]);
        let acquired = acquire(&site, target, A, "15").await.is(201);
        assert_eq!((acquired.header("x-ms-lease-id"), acquired.header("etag")), (A, etag.as_str()));
        assert!(!acquired.header("last-modified").is_empty());
        assert_eq!(state(&site, target).await, ["locked", "leased", "fixed"]);
        acquire(&site, target, B, "15").await.fails(409, "LeaseAlreadyPresent");

        let (by_a, by_b) = (("x-ms-lease-id", A), ("x-ms-lease-id", B));
        let changed = lease(&site, target, "change", &[by_a, ("x-ms-proposed-lease-id", B)]).await.is(200);
        assert_eq!(changed.header("x-ms-lease-id"), B);
        lease(&site, target, "renew", &[by_a]).await.fails(409, "LeaseIdMismatchWithLeaseOperation");
        assert_eq!(lease(&site, target, "renew", &[by_b]).await.is(200).header("x-ms-lease-id"), B);
        acquire(&site, target, B, "-1").await.is(201);
        assert_eq!(state(&site, target).await, ["locked", "leased", "infinite"]);

        let broken = lease(&site, target, "break", &[("x-ms-lease-break-period", "30")]).await.is(202);
        assert_eq!((broken.header("x-ms-lease-time"), broken.header("x-ms-lease-id")), ("30", ""));
        assert_eq!(state(&site, target).await, ["locked", "breaking", ""]);
        lease(&site, target, "renew", &[by_b]).await.fails(409, "LeaseIsBrokenAndCannotBeRenewed");
        acquire(&site, target, B, "15").await.fails(409, "LeaseIsBreakingAndCannotBeAcquired");
        let broken = lease(&site, target, "break", &[("x-ms-lease-break-period", "0")]).await.is(202);
        assert_eq!(broken.header("x-ms-lease-time"), "0");
        assert_eq!(state(&site, target).await, ["unlocked", "broken", ""]);
        let released = lease(&site, target, "release", &[by_b]).await.is(200);
        assert_eq!((released.header("etag"), released.header("x-ms-lease-id")), (etag.as_str(), ""));
        lease(&site, target, "break", &[]).await.fails(409, "LeaseNotPresentWithLeaseOperation");

        // Without a proposed id, the server makes one.
        let fresh = lease(&site, target, "acquire", &[("x-ms-lease-duration", "60")]).await.is(201);
        let fresh = fresh.header("x-ms-lease-id").to_owned();
        assert_eq!(fresh.len(), A.len());
        lease(&site, target, "release", &[("x-ms-lease-id", &fresh)]).await.is(200);
        assert_eq!(state(&site, target).await, ["unlocked", "available", ""]);
    }
}

#[tokio::test]
async fn a_leased_blob_is_written_and_deleted_by_its_owner_alone() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    acquire(&site, BLOB, A, "-1").await.is(201);
    acquire(&site, "/photos/log", A, "-1").await.is(201);
    let list = "<BlockList><Latest>AAAA</Latest></BlockList>";
    let large = vec![7_u8; (1 << 20) + 1];
    let writes = [
        put(BLOB, "2"),
        put(BLOB, &large),
        Ask::new("PUT", "/photos/a?comp=block&blockid=AAAA").body("x"),
        Ask::new("PUT", "/photos/a?comp=block&blockid=AAAA").body(&large),
        Ask::new("PUT", "/photos/a?comp=blocklist").body(list),
        Ask::new("PUT", "/photos/a?comp=metadata"),
        Ask::new("PUT", "/photos/a?comp=properties"),
        Ask::new("PUT", "/photos/log?comp=appendblock").body("x"),
        Ask::new("DELETE", BLOB),
    ];
    for write in &writes {
        site.send(write.clone()).await.fails(412, "LeaseIdMissing");
        let by_b = write.clone().header("x-ms-lease-id", B);
        site.send(by_b).await.fails(412, "LeaseIdMismatchWithBlobOperation");
    }
    for write in writes {
        let done = site.send(write.header("x-ms-lease-id", A.to_uppercase())).await;
        assert!(matches!(done.status, 200..=202), "{}", done.text());
    }
    // The upload of a large blob that believes to own a lease is rejected, too.
    let owned = put(BLOB, &large).header("x-ms-lease-id", A);
    site.send(owned).await.fails(412, "LeaseNotPresentWithBlobOperation");
}

/// As the recordings of the tests of the SDK for Python show: its `upload_blob` sends `If-None-Match: *` by default.
#[tokio::test]
async fn the_owner_overwrites_a_blob_that_must_be_new() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    acquire(&site, BLOB, A, "-1").await.is(201);
    let list = || Ask::new("PUT", "/photos/a?comp=blocklist").body("<BlockList/>");
    let copy = || from(BLOB, &url("source"));
    site.send(put("/photos/source", "2")).await.is(201);
    for write in [put(BLOB, "2"), put(BLOB, vec![7_u8; (1 << 20) + 1]), list(), copy()] {
        let new = write.header("if-none-match", "*");
        site.send(new.clone()).await.fails(412, "LeaseIdMissing");
        let by_b = new.clone().header("x-ms-lease-id", B);
        site.send(by_b).await.fails(412, "LeaseIdMismatchWithBlobOperation");
        let done = site.send(new.header("x-ms-lease-id", A)).await;
        assert!(matches!(done.status, 201 | 202), "{}", done.text());
    }
    lease(&site, BLOB, "release", &[("x-ms-lease-id", A)]).await.is(200);
    for write in [put(BLOB, "3"), put(BLOB, vec![7_u8; (1 << 20) + 1])] {
        let new = write.header("if-none-match", "*");
        site.send(new.clone()).await.fails(409, "BlobAlreadyExists");
        site.send(new.header("x-ms-lease-id", A)).await.fails(412, "LeaseNotPresentWithBlobOperation");
    }
}

#[tokio::test]
async fn reads_and_lists_work_without_the_lease_and_check_a_said_one() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    acquire(&site, BLOB, A, "15").await.is(201);
    acquire(&site, CONTAINER, A, "-1").await.is(201);
    let acl = format!("{CONTAINER}&comp=acl");
    for (method, target, other) in [
        ("GET", BLOB, "LeaseIdMismatchWithBlobOperation"),
        ("HEAD", BLOB, "LeaseIdMismatchWithBlobOperation"),
        ("GET", "/photos/a?comp=metadata", "LeaseIdMismatchWithBlobOperation"),
        ("GET", "/photos/a?comp=blocklist", "LeaseIdMismatchWithBlobOperation"),
        ("GET", CONTAINER, "LeaseIdMismatchWithContainerOperation"),
        ("GET", &acl, "LeaseIdMismatchWithContainerOperation"),
    ] {
        let ask = || Ask::new(method, target);
        site.send(ask()).await.is(200);
        site.send(ask().header("x-ms-lease-id", A)).await.is(200);
        site.send(ask().header("x-ms-lease-id", B)).await.fails(412, other);
    }
    let set = || Ask::new("PUT", &acl).body("<SignedIdentifiers/>");
    site.send(set().header("x-ms-lease-id", B)).await.fails(412, "LeaseIdMismatchWithContainerOperation");
    site.send(set()).await.is(200);

    let list = site.ask("GET", "/photos?restype=container&comp=list").await.is(200).text();
    let leased = "<LeaseStatus>locked</LeaseStatus><LeaseState>leased</LeaseState>";
    assert!(list.contains(&format!("{leased}<LeaseDuration>fixed</LeaseDuration>")), "{list}");
    let list = site.ask("GET", "/?comp=list").await.is(200).text();
    assert!(list.contains(&format!("{leased}<LeaseDuration>infinite</LeaseDuration>")), "{list}");

    site.ask("DELETE", CONTAINER).await.fails(412, "LeaseIdMissing");
    site.send(Ask::new("DELETE", CONTAINER).header("x-ms-lease-id", A)).await.is(202);
}

#[tokio::test]
async fn a_lease_request_that_is_none_is_refused_with_the_header() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    for (action, headers, code) in [
        ("take", &[][..], "InvalidHeaderValue"),
        ("acquire", &[], "MissingRequiredHeader"),
        ("acquire", &[("x-ms-lease-duration", "14")], "InvalidHeaderValue"),
        ("acquire", &[("x-ms-lease-duration", "61")], "InvalidHeaderValue"),
        ("acquire", &[("x-ms-lease-duration", "0")], "InvalidHeaderValue"),
        (
            "acquire",
            &[("x-ms-lease-duration", "15"), ("x-ms-proposed-lease-id", "mine")],
            "InvalidHeaderValue",
        ),
        ("renew", &[], "MissingRequiredHeader"),
        ("change", &[("x-ms-lease-id", A)], "MissingRequiredHeader"),
        ("break", &[("x-ms-lease-break-period", "61")], "InvalidHeaderValue"),
    ] {
        lease(&site, BLOB, action, headers).await.fails(400, code);
    }
    site.ask("PUT", "/photos/a?comp=lease").await.fails(400, "MissingRequiredHeader");
    assert_eq!(state(&site, BLOB).await[1], "available");
    acquire(&site, "/photos/none", A, "15").await.fails(404, "BlobNotFound");
    acquire(&site, "/nothing?restype=container", A, "15").await.fails(404, "ContainerNotFound");
    let late = [("x-ms-lease-duration", "15"), ("if-unmodified-since", "Fri, 01 Mar 2024 00:00:00 GMT")];
    lease(&site, BLOB, "acquire", &late).await.fails(412, "ConditionNotMet");
}

/// REST reference, "Lease Blob": a write without a lease makes a broken lease available, from which only `Acquire` leads. Its
/// last section gives the codes: renewing a lease that has ended is "The lease ID specified did not match", breaking it
/// "There is currently no lease".
#[tokio::test]
async fn a_broken_lease_is_forgotten_by_a_write() {
    let site = site().await;
    site.send(put(BLOB, "1")).await.is(201);
    acquire(&site, BLOB, A, "60").await.is(201);
    lease(&site, BLOB, "break", &[("x-ms-lease-break-period", "0")]).await.is(202);
    let by_a = ("x-ms-lease-id", A);
    // Before the write, the id is that of a broken lease.
    site.send(put(BLOB, "2").header(by_a.0, by_a.1)).await.fails(412, "LeaseLost");
    lease(&site, BLOB, "renew", &[by_a]).await.fails(409, "LeaseIsBrokenAndCannotBeRenewed");
    site.send(put(BLOB, "2")).await.is(201);
    assert_eq!(state(&site, BLOB).await, ["unlocked", "available", ""]);
    site.send(put(BLOB, "3").header(by_a.0, by_a.1)).await.fails(412, "LeaseNotPresentWithBlobOperation");
    let read = Ask::new("GET", BLOB).header(by_a.0, by_a.1);
    site.send(read).await.fails(412, "LeaseNotPresentWithBlobOperation");
    for (action, headers, code) in [
        ("renew", &[by_a][..], "LeaseIdMismatchWithLeaseOperation"),
        ("release", &[by_a], "LeaseIdMismatchWithLeaseOperation"),
        ("change", &[by_a, ("x-ms-proposed-lease-id", B)], "LeaseNotPresentWithLeaseOperation"),
        ("break", &[], "LeaseNotPresentWithLeaseOperation"),
    ] {
        lease(&site, BLOB, action, headers).await.fails(409, code);
    }
    acquire(&site, BLOB, A, "15").await.is(201);
}
