use table_rest::{
    AccountName, ServiceKind,
    auth::{
        AccountKey,
        sas::{Field, Sas},
    },
};

use super::harness::{Answer, Ask, Site, bombs};

pub(super) async fn site() -> Site {
    let site = Site::new(ServiceKind::Blob);
    site.ask("PUT", "/photos?restype=container").await.is(201);
    site
}

pub(super) fn put(target: &str, content: impl AsRef<[u8]>) -> Ask {
    Ask::new("PUT", target).header("x-ms-blob-type", "BlockBlob").body(content)
}

/// Returns the blob names and prefixes of a listing, in order.
fn names(answer: &Answer) -> Vec<String> {
    let blobs = answer.xml().child("Blobs").unwrap().children.clone();
    blobs.iter().map(|blob| format!("{} {}", blob.name, blob.required("Name").unwrap())).collect()
}

#[tokio::test]
async fn a_container_lives_from_its_creation_to_its_deletion() {
    let site = Site::new(ServiceKind::Blob);
    let create = Ask::new("PUT", "/photos?restype=container").header("x-ms-meta-owner", "Jo");
    let created = site.send(create).await.is(201);
    assert!(created.header("etag").starts_with("\"0x"));
    site.ask("PUT", "/photos?restype=container").await.fails(409, "ContainerAlreadyExists");
    for (method, target) in [("GET", ""), ("HEAD", ""), ("GET", "&comp=metadata")] {
        let found = site.ask(method, &format!("/photos?restype=container{target}")).await.is(200);
        assert_eq!(found.header("etag"), created.header("etag"));
        assert_eq!((found.header("x-ms-meta-owner"), found.header("x-ms-lease-state")), ("Jo", "available"));
    }
    let set = Ask::new("PUT", "/photos?restype=container&comp=metadata").header("x-ms-meta-size", "small");
    let set = site.send(set).await.is(200);
    assert_ne!(set.header("etag"), created.header("etag"));

    let list = site.ask("GET", "/?comp=list&include=metadata").await.is(200);
    assert!(list.text().contains("<Metadata><size>small</size></Metadata>"), "{}", list.text());
    let open = Ask::new("PUT", "/open?restype=container").header("x-ms-blob-public-access", "blob");
    site.send(open).await.fails(409, "PublicAccessNotPermitted");

    let acl = || Ask::new("PUT", "/photos?restype=container&comp=acl").body("<SignedIdentifiers/>");
    let (past, future) = ("Fri, 01 Mar 2000 00:00:00 GMT", "Sat, 01 Mar 2098 00:00:00 GMT");
    for (name, value) in [("if-modified-since", future), ("if-unmodified-since", past)] {
        site.send(acl().header(name, value)).await.fails(412, "ConditionNotMet");
    }
    site.send(acl().header("x-ms-if-tags", "a = 'b'")).await.fails(400, "UnsupportedHeader");
    for (name, value) in [("if-modified-since", past), ("if-unmodified-since", future)] {
        let found = site.ask("HEAD", "/photos?restype=container").await.is(200);
        let set = site.send(acl().header(name, value)).await.is(200);
        assert_ne!(set.header("etag"), found.header("etag"));
        let found = site.ask("HEAD", "/photos?restype=container").await.is(200);
        assert_eq!(set.header("etag"), found.header("etag"));
    }

    let late = Ask::new("DELETE", "/photos?restype=container");
    let late = late.header("if-unmodified-since", "Fri, 01 Mar 2024 00:00:00 GMT");
    site.send(late).await.fails(412, "ConditionNotMet");
    site.ask("DELETE", "/photos?restype=container").await.is(202);
    site.ask("HEAD", "/photos?restype=container").await.fails(404, "ContainerNotFound");
    site.send(put("/photos/a", "x")).await.fails(404, "ContainerNotFound");
}

#[tokio::test]
async fn a_blob_is_put_read_changed_and_deleted() {
    let site = site().await;
    let ask = put("/photos/a%20b.txt", "hello world!")
        .header("x-ms-blob-content-type", "text/plain")
        .header("content-type", "application/octet-stream")
        .header("x-ms-blob-cache-control", "no-store")
        .header("x-ms-meta-by", "Jo")
        .header("x-ms-access-tier", "Cool");
    let created = site.send(ask).await.is(201);
    assert_eq!(created.header("content-md5"), "/D/5joxqDTCH1RXARz+Gdw==");
    assert_eq!(created.header("x-ms-request-server-encrypted"), "true");
    assert!(!created.header("x-ms-content-crc64").is_empty());

    let read = site.ask("GET", "/photos/a%20b.txt").await.is(200);
    assert_eq!((read.text().as_str(), read.operation), ("hello world!", "GetBlob"));
    let head = site.ask("HEAD", "/photos/a%20b.txt").await.is(200);
    assert_eq!(head.header("content-length"), "12");
    for answer in [&read, &head] {
        for (name, value) in [
            ("content-type", "text/plain"),
            ("cache-control", "no-store"),
            ("content-md5", created.header("content-md5")),
            ("etag", created.header("etag")),
            ("last-modified", created.header("last-modified")),
            ("accept-ranges", "bytes"),
            ("x-ms-blob-type", "BlockBlob"),
            ("x-ms-creation-time", created.header("last-modified")),
            ("x-ms-lease-status", "unlocked"),
            ("x-ms-server-encrypted", "true"),
            ("x-ms-meta-by", "Jo"),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
    }

    let set = Ask::new("PUT", "/photos/a%20b.txt?comp=metadata").header("x-ms-meta-size", "12");
    let set = site.send(set).await.is(200);
    let metadata = site.ask("GET", "/photos/a%20b.txt?comp=metadata").await.is(200);
    assert_eq!((metadata.header("x-ms-meta-by"), metadata.header("x-ms-meta-size")), ("", "12"));
    assert_eq!(metadata.header("etag"), set.header("etag"));
    let set = Ask::new("PUT", "/photos/a%20b.txt?comp=properties").header("x-ms-blob-content-language", "de");
    site.send(set).await.is(200);
    let head = site.ask("HEAD", "/photos/a%20b.txt").await.is(200);
    assert_eq!((head.header("content-language"), head.header("cache-control")), ("de", ""));
    assert_eq!(head.header("content-type"), "application/octet-stream");

    let gone = Ask::new("DELETE", "/photos/a%20b.txt").header("x-ms-delete-snapshots", "include");
    assert_eq!(site.send(gone).await.is(202).header("x-ms-delete-type-permanent"), "true");
    site.ask("GET", "/photos/a%20b.txt").await.fails(404, "BlobNotFound");
    site.ask("DELETE", "/photos/a%20b.txt").await.fails(404, "BlobNotFound");
}

#[tokio::test]
async fn conditions_are_told_by_read_and_by_write() {
    let site = site().await;
    let other = "\"0x8D72069AA304835\"";
    let (past, future) = ("Fri, 01 Mar 2024 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT");
    for (name, value, read, write) in [
        ("if-match", "current", 200, 200),
        ("if-match", "*", 200, 200),
        ("if-match", other, 412, 412),
        ("if-none-match", other, 200, 200),
        ("if-none-match", "current", 304, 412),
        ("if-none-match", "*", 400, 412),
        ("if-modified-since", past, 200, 200),
        ("if-modified-since", future, 304, 412),
        ("if-unmodified-since", future, 200, 200),
        ("if-unmodified-since", past, 412, 412),
        ("x-ms-lease-id", "5974b586-0df3-4e2d-ad0c-18e3892bfca2", 412, 412),
    ] {
        let current = site.send(put("/photos/a", "1")).await.is(201).header("etag").to_owned();
        let value = if value == "current" { &current } else { value };
        let ask = |method, target| site.send(Ask::new(method, target).header(name, value));
        for method in ["GET", "HEAD"] {
            let answer = ask(method, "/photos/a").await;
            assert_eq!(answer.status, read, "{method} {name}: {value}");
            if read == 400 {
                assert_eq!(answer.header("x-ms-error-code"), "UnsatisfiableCondition");
            }
            if read == 304 {
                assert_eq!((answer.header("x-ms-error-code"), answer.body.len()), ("ConditionNotMet", 0));
            }
        }
        assert_eq!(ask("PUT", "/photos/a?comp=metadata").await.status, write, "{name}: {value}");
    }
    site.send(put("/photos/a", "2").header("if-none-match", "*")).await.fails(409, "BlobAlreadyExists");
    site.send(put("/photos/new", "2").header("if-match", "*")).await.fails(412, "ConditionNotMet");
    site.send(put("/photos/new", "2").header("if-none-match", "*")).await.is(201);
}

#[tokio::test]
async fn parts_are_read_by_their_range() {
    let site = site().await;
    site.send(put("/photos/a", "0123456789ab")).await.is(201);
    site.send(put("/photos/empty", "")).await.is(201);
    for (name, value, expected, range) in [
        ("range", "bytes=2-11", "23456789ab", "bytes 2-11/12"),
        ("x-ms-range", "bytes=2-3", "23", "bytes 2-3/12"),
        ("range", "bytes=10-", "ab", "bytes 10-11/12"),
        ("range", "bytes=0-", "0123456789ab", "bytes 0-11/12"),
        ("x-ms-range", "bytes=11-999", "b", "bytes 11-11/12"),
    ] {
        let part = site.send(Ask::new("GET", "/photos/a").header(name, value)).await.is(206);
        assert_eq!((part.text().as_str(), part.header("content-range")), (expected, range));
        assert_eq!(part.header("content-md5"), "");
        assert!(!part.header("x-ms-blob-content-md5").is_empty());
    }
    for (blob, range, length) in [
        ("a", "bytes=12-", "bytes */12"),
        ("a", "bytes=12-20", "bytes */12"),
        ("a", "bytes=5-4", "bytes */12"),
        ("empty", "bytes=0-", "bytes */0"),
        ("empty", "bytes=0-3", "bytes */0"),
    ] {
        let ask = Ask::new("GET", &format!("/photos/{blob}")).header("x-ms-range", range);
        let refused = site.send(ask).await.fails(416, "InvalidRange");
        assert_eq!(refused.header("content-range"), length);
    }
    let hashed = |range: &str, want: &str| {
        let ask = Ask::new("GET", "/photos/a").header("range", range);
        site.send(ask.header(want, "true"))
    };
    let md5 = hashed("bytes=0-8", "x-ms-range-get-content-md5").await.is(206);
    assert_eq!(md5.header("content-md5"), "Ipddil7RuRRF9sVawSFQWw==");
    let crc64 = hashed("bytes=1-9", "x-ms-range-get-content-crc64").await.is(206);
    assert_eq!((crc64.text().as_str(), crc64.header("x-ms-content-crc64")), ("123456789", "iJh5CoYUi64="));
    let whole = Ask::new("GET", "/photos/a").header("x-ms-range-get-content-md5", "true");
    site.send(whole).await.fails(400, "InvalidHeaderValue");
    let both = Ask::new("GET", "/photos/a")
        .header("range", "bytes=0-8")
        .header("x-ms-range-get-content-md5", "true");
    site.send(both.header("x-ms-range-get-content-crc64", "true")).await.fails(400, "InvalidHeaderValue");
    hashed("bytes=a-b", "x").await.fails(400, "InvalidHeaderValue");
}

#[tokio::test]
async fn blobs_are_listed_by_prefix_delimiter_and_page() {
    let site = site().await;
    for name in ["a", "a/1", "a/2", "a/b/3", "b/4", "c"] {
        site.send(put(&format!("/photos/{name}"), name).header("x-ms-meta-n", name)).await.is(201);
    }
    site.send(Ask::new("PUT", "/photos/draft?comp=block&blockid=AAAA").body("x")).await.is(201);
    let list = |more: &str| {
        let ask = Ask::new("GET", &format!("/photos?restype=container&comp=list{more}"));
        async { site.send(ask).await.is(200) }
    };
    let all = list("").await;
    assert_eq!(names(&all), ["Blob a", "Blob a/1", "Blob a/2", "Blob a/b/3", "Blob b/4", "Blob c"]);
    assert!(!all.text().contains("<Metadata>"));
    assert_eq!(names(&list("&prefix=a/&delimiter=/").await), ["Blob a/1", "Blob a/2", "BlobPrefix a/b/"]);
    assert!(list("&include=metadata&prefix=c").await.text().contains("<Metadata><n>c</n></Metadata>"));
    assert!(names(&list("&include=snapshots,uncommittedblobs").await).contains(&"Blob draft".to_owned()));

    let (mut found, mut marker) = (Vec::new(), String::new());
    loop {
        let page = list(&format!("&delimiter=%2F&maxresults=2&marker={marker}")).await;
        assert!(names(&page).len() <= 2);
        found.extend(names(&page));
        marker = page.xml().required("NextMarker").unwrap().to_owned();
        if marker.is_empty() {
            break;
        }
    }
    assert_eq!(found, ["Blob a", "BlobPrefix a/", "BlobPrefix b/", "Blob c"]);
    // A marker stands for any name, also if XML does not allow its characters.
    for name in ["%01", "%25zz", "%EF%BF%BF"] {
        site.send(put(&format!("/photos/odd{name}"), "x")).await.is(201);
    }
    let (mut found, mut marker) = (Vec::new(), String::new());
    for _ in 0..3 {
        let place = percent_encoding::utf8_percent_encode(&marker, percent_encoding::NON_ALPHANUMERIC);
        let page = list(&format!("&prefix=odd&maxresults=1&marker={place}")).await;
        found.extend(names(&page));
        marker = page.xml().required("NextMarker").unwrap().to_owned();
    }
    assert_eq!((found.len(), marker.as_str()), (3, ""), "{found:?}");
    found.dedup();
    assert_eq!(found.len(), 3, "{found:?}");
    let target = "/photos?restype=container&comp=list&maxresults=0";
    site.ask("GET", target).await.fails(400, "OutOfRangeQueryParameterValue");
    site.ask("GET", "/missing?restype=container&comp=list").await.fails(404, "ContainerNotFound");
}

#[tokio::test]
async fn a_name_is_a_name_and_no_path() {
    let site = site().await;
    let long = "n".repeat(1024);
    // As sent and as listed: in XML, or percent-encoded if XML does not allow it.
    for (sent, listed) in [
        ("..%2F..%2Fetc%2Fpasswd", "../../etc/passwd"),
        ("%2e%2e/%2e", "../."),
        ("%252e%252e", "%2e%2e"),
        ("a%5Cb", "a\\b"),
        ("a%00b", "a%00b"),
        ("%EF%BF%BF", "%EF%BF%BF"),
        ("%C3%A9", "\u{e9}"),
        ("e%CC%81", "e\u{301}"),
        ("a+b%20c&%3Cd%3E'%22", "a+b c&<d>'\""),
        ("CON", "CON"),
        ("a//b/", "a//b/"),
        (&long, &long),
    ] {
        let target = format!("/photos/{sent}");
        site.send(put(&target, sent)).await.is(201);
        assert_eq!(site.ask("GET", &target).await.is(200).text(), sent);
        let list = site.ask("GET", "/photos?restype=container&comp=list").await.is(200);
        assert_eq!(names(&list), [format!("Blob {listed}")]);
        site.ask("DELETE", &target).await.is(202);
    }
    site.send(put(&format!("/photos/{long}n"), "x")).await.fails(400, "OutOfRangeInput");
    site.send(put(&format!("/photos/{}", ["a"; 255].join("/")), "x")).await.fails(400, "InvalidResourceName");
    site.send(put("/photos/%ff", "x")).await.fails(400, "InvalidUri");
    site.send(put("/..%2fphotos/a", "x")).await.fails(400, "InvalidResourceName");
    // Without a container, the blob is in the root container.
    site.send(put("/a", "x")).await.fails(404, "ContainerNotFound");
    site.ask("PUT", "/$root?restype=container").await.is(201);
    site.send(put("/a", "x")).await.is(201);
    assert_eq!(site.ask("GET", "/$root/a").await.is(200).text(), "x");
}

#[tokio::test]
async fn what_the_store_has_not_is_refused_and_changes_nothing() {
    let site = site().await;
    let etag = site.send(put("/photos/a", "1")).await.is(201).header("etag").to_owned();
    for (method, target) in [
        ("DELETE", "/photos/a?versionid=2024-03-01T00:00:00.0000000Z"),
        ("PUT", "/photos/a?comp=page"),
        ("PUT", "/photos/a?comp=undelete"),
        ("GET", "/?restype=service&comp=userdelegationkey"),
        ("POST", "/?restype=service&comp=userdelegationkey"),
    ] {
        let answer = site.ask(method, target).await;
        assert_eq!(answer.header("x-ms-error-code"), "NotImplemented", "{method} {target}");
    }
    for (name, value) in [
        ("x-ms-encryption-key", "AAAA"),
        ("x-ms-structured-body", "XSM/1.0; properties=crc64"),
        ("x-ms-access-tier", "Archive"),
        ("x-ms-legal-hold", "true"),
    ] {
        let refused = site.send(put("/photos/a", "2").header(name, value)).await.fails(501, "NotImplemented");
        assert_eq!(refused.xml().text_of("HeaderName"), Some(name));
    }
    site.send(Ask::new("PUT", "/photos/a").header("x-ms-blob-type", "PageBlob"))
        .await
        .fails(501, "NotImplemented");
    site.send(Ask::new("PUT", "/photos/a").header("x-ms-blob-type", "Blob"))
        .await
        .fails(400, "InvalidHeaderValue");
    site.send(Ask::new("PUT", "/photos/a").body("2")).await.fails(400, "MissingRequiredHeader");
    assert_eq!(site.ask("HEAD", "/photos/a").await.is(200).header("etag"), etag);
}

#[tokio::test]
async fn a_tier_of_an_online_blob_is_accepted() {
    let site = site().await;
    site.send(put("/photos/a", "1")).await.is(201);
    site.send(Ask::new("PUT", "/photos/log").header("x-ms-blob-type", "AppendBlob")).await.is(201);
    let set = |name: &str, tier: &str| {
        site.send(Ask::new("PUT", &format!("/photos/{name}?comp=tier")).header("x-ms-access-tier", tier))
    };
    let before = site.ask("HEAD", "/photos/a").await.is(200).header("etag").to_owned();
    for tier in ["Hot", "Cool", "Cold"] {
        set("a", tier).await.is(200);
    }
    set("a", "Archive").await.fails(501, "NotImplemented");
    set("none", "Hot").await.fails(404, "BlobNotFound");
    set("log", "Hot").await.fails(409, "InvalidBlobType");
    site.ask("PUT", "/photos/a?comp=tier").await.fails(400, "MissingRequiredHeader");
    assert_eq!(site.ask("HEAD", "/photos/a").await.is(200).header("etag"), before);
}

#[tokio::test]
async fn a_tier_of_a_leased_blob_requires_the_lease() {
    let site = site().await;
    site.send(put("/photos/a", "1")).await.is(201);
    let lease = Ask::new("PUT", "/photos/a?comp=lease")
        .header("x-ms-lease-action", "acquire")
        .header("x-ms-lease-duration", "-1");
    let id = site.send(lease).await.is(201).header("x-ms-lease-id").to_owned();
    let tier = || Ask::new("PUT", "/photos/a?comp=tier").header("x-ms-access-tier", "Cool");
    site.send(tier()).await.fails(412, "LeaseIdMissing");
    site.send(tier().header("x-ms-lease-id", &id)).await.is(200);
}

#[tokio::test]
async fn a_listing_starts_at_a_name() {
    let site = site().await;
    for name in ["a", "b%2F1", "b%2F2", "c%2F1", "d"] {
        site.send(put(&format!("/photos/{name}"), "1")).await.is(201);
    }
    let list = "/photos?restype=container&comp=list&startFrom=";
    for (parameters, expected) in [
        ("b%2F2", vec!["Blob b/2", "Blob c/1", "Blob d"]),
        ("b&include=snapshots", vec!["Blob b/1", "Blob b/2", "Blob c/1", "Blob d"]),
        ("b%2F2&delimiter=%2F", vec!["BlobPrefix b/", "BlobPrefix c/", "Blob d"]),
        ("b%2F3&delimiter=%2F", vec!["BlobPrefix c/", "Blob d"]),
        ("b%2F2&prefix=b", vec!["Blob b/2"]),
        ("a&prefix=c", vec!["Blob c/1"]),
        ("d&prefix=c", vec![]),
        ("a&marker=d", vec!["Blob d"]),
        ("c&marker=a", vec!["Blob c/1", "Blob d"]),
    ] {
        let answer = site.ask("GET", &format!("{list}{parameters}")).await.is(200);
        assert_eq!(names(&answer), expected, "{parameters}");
    }
}

#[tokio::test]
async fn a_listing_cannot_include_what_is_not_stored() {
    let site = site().await;
    let list = "/photos?restype=container&comp=list&include=";
    for (include, what) in [
        ("versions", "versions of blobs"),
        ("metadata,DeletedWithVersions", "versions of blobs"),
        ("legalhold", "legal holds"),
        ("immutabilitypolicy", "immutability policies"),
    ] {
        let refused = site.ask("GET", &format!("{list}{include}")).await.fails(501, "NotImplemented");
        assert_eq!(refused.xml().text_of("QueryParameterName"), Some("include"));
        assert!(refused.text().contains(what), "{}", refused.text());
    }
    site.ask("GET", &format!("{list}deleted,metadata")).await.is(200);
}

#[tokio::test]
async fn an_unsupported_feature_is_named() {
    let site = site().await;
    for (method, target, what) in [
        ("PUT", "/photos/a?comp=seal", "sealing append blobs"),
        ("PUT", "/photos/a?comp=undelete", "soft delete"),
        ("PUT", "/photos?restype=container&comp=undelete", "soft delete"),
        ("PUT", "/photos?restype=container&comp=rename", "renaming containers"),
        ("PUT", "/photos/a?comp=expiry", "the expiry of blobs"),
        ("POST", "/photos/a?comp=query", "querying the content of blobs"),
    ] {
        let refused = site.ask(method, target).await.fails(501, "NotImplemented");
        assert!(refused.text().contains(what), "{target}: {}", refused.text());
    }
    for (name, value, what) in [
        ("x-ms-encryption-scope", "mine", "encryption scopes"),
        ("x-ms-access-tier", "Archive", "the access tier Archive"),
        ("x-ms-copy-source-authorization", "Bearer a", "the authorization of a copy source by a header"),
    ] {
        let refused = site.send(put("/photos/a", "1").header(name, value)).await.fails(501, "NotImplemented");
        assert!(refused.text().contains(what), "{name}: {}", refused.text());
    }
}

#[tokio::test]
async fn what_is_no_operation_is_refused() {
    let site = site().await;
    for (method, target, status, code) in [
        ("POST", "/?comp=list", 405, "UnsupportedHttpVerb"),
        ("GET", "/", 400, "MissingRequiredQueryParameter"),
        ("GET", "/?restype=everything", 400, "InvalidQueryParameterValue"),
        ("GET", "/?restype=container&comp=list", 400, "InvalidQueryParameterValue"),
        ("GET", "/photos/a?restype=container", 400, "InvalidQueryParameterValue"),
        ("POST", "/photos?restype=container", 405, "UnsupportedHttpVerb"),
        ("GET", "/photos?restype=container&comp=lost", 400, "InvalidQueryParameterValue"),
        ("POST", "/photos/a", 405, "UnsupportedHttpVerb"),
        ("GET", "/photos/a?comp=block", 405, "UnsupportedHttpVerb"),
        ("GET", "/photos/a?comp=lease", 405, "UnsupportedHttpVerb"),
        ("POST", "/photos/a?comp=tier", 405, "UnsupportedHttpVerb"),
        ("GET", "/photos?restype=container&comp=lease", 405, "UnsupportedHttpVerb"),
        ("PUT", "/?comp=batch", 405, "UnsupportedHttpVerb"),
        ("PUT", "/Photos?restype=container", 400, "InvalidResourceName"),
        ("PUT", "/ph?restype=container", 400, "OutOfRangeInput"),
    ] {
        let refused = site.ask(method, target).await.fails(status, code);
        assert_eq!(refused.xml().named("Error").unwrap().text_of("Code"), Some(code));
    }
    let information = site.ask("HEAD", "/?restype=account&comp=properties").await.is(200);
    assert_eq!(information.header("x-ms-account-kind"), "StorageV2");
    site.send(Ask::new("GET", "/photos/a").unsigned()).await.fails(401, "NoAuthenticationInformation");
}

#[tokio::test]
async fn a_list_of_blocks_that_is_none_makes_no_blob() {
    let site = site().await;
    site.send(Ask::new("PUT", "/photos/a?comp=block&blockid=AAAA").body("x")).await.is(201);
    for bomb in bombs() {
        let wrapped = bomb.replace("<a", "<BlockList").replace("</a", "</BlockList");
        for body in [bomb, wrapped] {
            let answer = site.send(Ask::new("PUT", "/photos/a?comp=blocklist").body(&body)).await;
            assert_eq!(answer.outcome(), (400, "InvalidXmlDocument"));
        }
    }
    site.ask("GET", "/photos/a").await.fails(404, "BlobNotFound");
}

pub(super) fn signed(sas: Sas) -> String {
    let sas = sas.expiry("2024-03-02T00:00:00Z".parse().unwrap());
    sas.sign(&AccountName::emulator(), &AccountKey::emulator()).unwrap().to_string()
}

#[tokio::test]
async fn who_may_only_create_overwrites_nothing() {
    let site = site().await;
    for large in [1, 2 << 20] {
        let (creating, writing) =
            (signed(Sas::container("photos", "c")), signed(Sas::container("photos", "w")));
        let send = |token: &str, kind: &str| {
            let target = format!("/photos/{large}-{kind}?{token}");
            let body = vec![7; if kind == "BlockBlob" { large } else { 0 }];
            site.send(Ask::new("PUT", &target).unsigned().header("x-ms-blob-type", kind).body(body))
        };
        for kind in ["BlockBlob", "AppendBlob"] {
            send(&creating, kind).await.is(201);
            send(&creating, kind).await.fails(403, "UnauthorizedBlobOverwrite");
            send(&writing, kind).await.is(201);
        }
    }
}

/// The id of a lease satisfies `If-None-Match: *`, but is no permission.
#[tokio::test]
async fn a_lease_is_no_permission_to_overwrite() {
    let site = site().await;
    site.send(put("/photos/a", "1")).await.is(201);
    let id = "5974b586-0df3-4e2d-ad0c-18e3892bfca2";
    let lease = Ask::new("PUT", "/photos/a?comp=lease").header("x-ms-lease-action", "acquire");
    site.send(lease.header("x-ms-lease-duration", "-1").header("x-ms-proposed-lease-id", id)).await.is(201);
    let creating = signed(Sas::container("photos", "c"));
    let put =
        |name: &str, large: usize| put(&format!("/photos/{name}?{creating}"), vec![7; large]).unsigned();
    for large in [1, 2 << 20] {
        site.send(put("a", large)).await.fails(403, "UnauthorizedBlobOverwrite");
        let owned = |name: &str| put(name, large).header("x-ms-lease-id", id);
        site.send(owned("a")).await.fails(403, "UnauthorizedBlobOverwrite");
        site.send(owned("b")).await.fails(412, "LeaseNotPresentWithBlobOperation");
    }
    assert_eq!(site.ask("GET", "/photos/a").await.is(200).text(), "1");
}

#[tokio::test]
async fn what_a_signature_sets_is_in_place_of_what_the_blob_says() {
    let site = site().await;
    site.send(put("/photos/a", "1").header("x-ms-blob-content-type", "text/plain")).await.is(201);
    let token = signed(Sas::blob("photos", "a", "r").with(Field::ContentType, "text/html"));
    for method in ["GET", "HEAD"] {
        let answer = site.send(Ask::new(method, &format!("/photos/a?{token}")).unsigned()).await.is(200);
        let types: Vec<_> = answer.headers.get_all("content-type").iter().collect();
        assert_eq!(types, ["text/html"]);
    }
}
