use table_model::Uuid;
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest, sas::Sas},
    wire::query_string::QueryString,
};

use super::{
    blobs::{put, signed, site},
    harness::{Answer, Ask, Site},
};

/// A part of the response to a batch.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    content_id: Option<String>,
    status: u16,
    code: String,
}

/// Returns a part with a request and its own signature. `lines` are additional headers.
fn part(method: &str, path: &str, lines: &[(&str, &str)]) -> String {
    let (only_path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut headers = http::HeaderMap::new();
    headers.insert("x-ms-date", "Fri, 01 Mar 2024 00:00:00 GMT".parse().unwrap());
    headers.insert("content-length", "0".parse().unwrap());
    for (name, value) in lines {
        headers.insert(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap());
    }
    let request = SignedRequest {
        kind: ServiceKind::Blob,
        account: &AccountName::emulator(),
        method: &method.parse().unwrap(),
        path: only_path,
        query: &QueryString::parse(query).unwrap(),
        headers: &headers,
    };
    let authorization = request.authorization(Scheme::SharedKey, &AccountKey::emulator());
    let lines = headers.iter().map(|(name, value)| format!("{name}: {}\r\n", value.to_str().unwrap()));
    format!("{method} {path} HTTP/1.1\r\n{}Authorization: {authorization}\r\n", lines.collect::<String>())
}

/// Returns a batch with these requests, numbered from 0.
fn batch(target: &str, parts: &[String]) -> Ask {
    let parts = parts.iter().enumerate().map(|(number, part)| {
        format!(
            "--batch_b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\
             Content-ID: {number}\r\n\r\n{part}\r\n"
        )
    });
    let body = format!("{}--batch_b--\r\n", parts.collect::<String>());
    Ask::new("POST", target).header("content-type", "multipart/mixed; boundary=batch_b").body(body)
}

/// Parses the response to a batch in the form that the reference shows.
fn done(answer: &Answer) -> Vec<Done> {
    let boundary = answer.header("content-type").strip_prefix("multipart/mixed; boundary=").unwrap();
    let text = answer.text();
    let body = text.strip_suffix(&format!("--{boundary}--\r\n")).unwrap();
    let delimiter = format!("--{boundary}\r\n");
    let parts = body.split(&delimiter).skip(1);
    parts
        .map(|part| {
            let (head, response) = part.split_once("\r\n\r\n").unwrap();
            let mut head = head.lines();
            assert_eq!(head.next(), Some("Content-Type: application/http"));
            let content_id = head.next().map(|line| line.strip_prefix("Content-ID: ").unwrap().to_owned());
            let mut lines = response.lines();
            let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
            let code = lines.find_map(|line| line.strip_prefix("x-ms-error-code: ")).unwrap_or_default();
            Done { content_id, status, code: code.to_owned() }
        })
        .collect()
}

fn of(number: usize, status: u16, code: &str) -> Done {
    Done { content_id: Some(number.to_string()), status, code: code.to_owned() }
}

/// An error of the batch as a whole.
fn whole(code: &str) -> [Done; 1] {
    [Done { content_id: None, status: 400, code: code.to_owned() }]
}

async fn filled(names: &[&str]) -> Site {
    let site = site().await;
    for name in names {
        site.send(put(&format!("/photos/{name}"), "x")).await.is(201);
    }
    site
}

#[tokio::test]
async fn each_request_of_a_batch_has_its_own_result() {
    let site = filled(&["a", "b%20c", "leased", "other"]).await;
    let lease = Ask::new("PUT", "/photos/leased?comp=lease")
        .header("x-ms-lease-action", "acquire")
        .header("x-ms-lease-duration", "-1");
    let id = site.send(lease).await.is(201).header("x-ms-lease-id").to_owned();
    // Some clients include the account in the path, some do not.
    let parts = [
        part("DELETE", "/devstoreaccount1/photos/a", &[]),
        part("DELETE", "/photos/b%20c", &[]),
        part("DELETE", "/photos/none", &[]),
        part("DELETE", "/photos/leased", &[]),
        part("DELETE", "/photos/leased", &[("x-ms-lease-id", &id)]),
        part("DELETE", "/nothing/at-all", &[]),
        part("DELETE", "/photos/other", &[])
            .replace("Authorization: SharedKey ", "Authorization: SharedKey x"),
    ];
    let answer = site.send(batch("/?comp=batch", &parts)).await.is(202);
    assert_eq!(answer.operation, "BlobBatch");
    assert_eq!(
        done(&answer),
        [
            of(0, 202, ""),
            of(1, 202, ""),
            of(2, 404, "BlobNotFound"),
            of(3, 412, "LeaseIdMissing"),
            of(4, 202, ""),
            of(5, 404, "ContainerNotFound"),
            of(6, 403, "AuthenticationFailed"),
        ]
    );
    assert!(answer.text().contains("x-ms-delete-type-permanent: true\r\n"));
    assert!(answer.text().contains("<Code>BlobNotFound</Code>"));
    site.ask("HEAD", "/photos/other").await.is(200);
    site.ask("HEAD", "/photos/a").await.fails(404, "BlobNotFound");
}

#[tokio::test]
async fn tiers_are_set_in_a_batch() {
    let site = filled(&["a"]).await;
    let tier =
        |name: &str, tier| part("PUT", &format!("/photos/{name}?comp=tier"), &[("x-ms-access-tier", tier)]);
    let parts = [tier("a", "Cool"), tier("a", "Archive"), tier("none", "Hot")];
    for target in ["/?comp=batch", "/?restype=container&comp=batch", "/photos?restype=container&comp=batch"] {
        let answer = site.send(batch(target, &parts)).await.is(202);
        assert_eq!(done(&answer), [of(0, 200, ""), of(1, 501, "NotImplemented"), of(2, 404, "BlobNotFound")]);
    }
}

#[tokio::test]
async fn a_batch_that_is_none_has_one_result_and_no_effect() {
    let site = filled(&["a"]).await;
    let delete = || part("DELETE", "/photos/a", &[]);
    let many = vec![part("DELETE", "/photos/none", &[]); 257];
    let tier = part("PUT", "/photos/a?comp=tier", &[("x-ms-access-tier", "Cool")]);
    let inner = part("POST", "/?comp=batch", &[]);
    let elsewhere = part("DELETE", "/photos/../secrets/a", &[]);
    for (target, parts, code) in [
        ("/?comp=batch", vec![], "InvalidInput"),
        ("/?comp=batch", many.clone(), "ExceedsMaxBatchRequestCount"),
        ("/?comp=batch", vec![delete(), tier], "AllBatchSubRequestsShouldBeSameApi"),
        ("/?comp=batch", vec![delete(), part("GET", "/photos/a", &[])], "InvalidInput"),
        ("/?comp=batch", vec![delete(), part("DELETE", "/photos?restype=container", &[])], "InvalidInput"),
        ("/?comp=batch", vec![delete(), inner], "InvalidInput"),
        ("/?comp=batch", vec![delete(), elsewhere], "InvalidInput"),
        ("/?comp=batch", vec![delete(), "no request".to_owned()], "InvalidInput"),
        ("/others?restype=container&comp=batch", vec![delete()], "InvalidInput"),
    ] {
        let answer = site.send(batch(target, &parts)).await.is(202);
        assert_eq!(done(&answer), whole(code), "{parts:?}");
    }
    let unframed = Ask::new("POST", "/?comp=batch").header("content-type", "text/plain").body(delete());
    assert_eq!(done(&site.send(unframed).await.is(202)), whole("InvalidInput"));
    site.ask("HEAD", "/photos/a").await.is(200);
    let most = site.send(batch("/?comp=batch", &many[..256])).await.is(202);
    assert_eq!(done(&most).len(), 256);
    let large = Ask::new("POST", "/?comp=batch").pieces((4 << 20) + 1, vec![]);
    site.send(large).await.fails(413, "RequestBodyTooLarge");
}

#[tokio::test]
async fn a_signature_permits_the_requests_that_it_covers() {
    let site = filled(&["a", "b"]).await;
    let (deleting, reading) = (signed(Sas::container("photos", "d")), signed(Sas::container("photos", "r")));
    let plain = |path: &str| format!("DELETE {path} HTTP/1.1\r\nContent-Length: 0\r\n");
    let parts =
        [plain(&format!("/photos/a?{deleting}")), plain(&format!("/photos/b?{reading}")), plain("/photos/b")];
    let target = format!("/photos?restype=container&comp=batch&{deleting}");
    let answer = site.send(batch(&target, &parts).unsigned()).await.is(202);
    assert_eq!(
        done(&answer),
        [
            of(0, 202, ""),
            of(1, 403, "AuthorizationPermissionMismatch"),
            of(2, 401, "NoAuthenticationInformation"),
        ]
    );
    site.send(batch("/?comp=batch", &[]).unsigned()).await.fails(401, "NoAuthenticationInformation");
}

#[test]
fn a_content_id_is_a_header_of_the_part() {
    let reply = table_rest::wire::batch::PartReply { status: 202, ..Default::default() };
    let (content_type, body) = table_rest::wire::batch::response::write_blobs(&[reply], Uuid::nil());
    let boundary = content_type.strip_prefix("multipart/mixed; boundary=").unwrap();
    assert_eq!(
        body,
        format!(
            "--{boundary}\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n\r\n\
             --{boundary}--\r\n"
        )
    );
}
