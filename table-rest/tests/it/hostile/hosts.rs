//! Hosts and origins of requests, over raw sockets: web pages cannot access a server on the same machine.

use table_rest::{ServiceKind, server::Limits};

use super::site::{Answer, Site};

const END: &str = "x-ms-version: 2019-02-02\r\nConnection: close\r\n\r\n";

async fn one(site: &Site, request: &str) -> Answer {
    let mut answers = site.say(ServiceKind::Table, request).await;
    assert_eq!(answers.len(), 1, "{request:?}: {answers:?}");
    answers.remove(0)
}

/// Returns `true` if the host is allowed: then the missing signature is the error.
async fn is_served(site: &Site, host: &str) -> bool {
    let answer = one(site, &format!("GET /devstoreaccount1/t HTTP/1.1\r\nHost: {host}\r\n{END}")).await;
    let code = answer.header("x-ms-error-code").map(str::to_owned);
    match (answer.status, code.as_deref()) {
        (404, Some("ResourceNotFound")) => true,
        (403, Some("AuthorizationFailure")) => {
            assert!(answer.body.contains("--allow-host"), "{host}: {}", answer.body);
            false
        }
        _ => panic!("{host}: {answer:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_must_name_a_loopback_host() {
    let site = Site::new(Limits::default()).await;
    let port = site.address(ServiceKind::Table).port();
    for host in [
        &format!("127.0.0.1:{port}"),
        "127.0.0.1:1",
        "[::1]:1",
        "[::ffff:127.0.0.1]",
        "LOCALHOST",
        "localhost.:80",
        "devstoreaccount1.table.localhost:80",
    ] {
        assert!(is_served(&site, host).await, "{host}");
    }
    for host in [
        "rebound.example",
        "rebound.example:80",
        "localhost.rebound.example",
        "127.0.0.1.rebound.example",
        "devstoreaccount1.table.core.windows.net",
        "xn--lcalhost-k5a",
        "192.0.2.1",
        "[2001:db8::1]:80",
        "0.0.0.0",
        "127.1",
        "localhost:x",
        "::1",
        "[::1",
    ] {
        assert!(!is_served(&site, host).await, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unclear_hosts_are_refused() {
    let site = Site::new(Limits::default()).await;
    let path = "/devstoreaccount1/t";
    for (request, status) in [
        // A missing host, an empty one, a non-ASCII one, and HTTP versions that do not require it.
        (format!("GET {path} HTTP/1.1\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.1\r\nHost: \r\n{END}"), 400),
        (format!("GET {path} HTTP/1.1\r\nHost: lo\u{441}alhost\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.0\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n{END}"), 404),
        (format!("GET {path} HTTP/1.0\r\nHost: rebound.example\r\n{END}"), 403),
        // Two hosts, a user, a list.
        (format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nhost: rebound.example\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.1\r\nHost: user@localhost\r\n{END}"), 400),
        (format!("GET {path} HTTP/1.1\r\nHost: localhost, rebound.example\r\n{END}"), 400),
        // An absolute target: its host must equal the `Host` header.
        (format!("GET http://localhost{path} HTTP/1.1\r\nHost: localhost\r\n{END}"), 404),
        (format!("GET http://LOCALHOST:80{path} HTTP/1.1\r\nHost: localhost:80\r\n{END}"), 404),
        (format!("GET http://rebound.example{path} HTTP/1.1\r\nHost: rebound.example\r\n{END}"), 403),
        (format!("GET http://localhost{path} HTTP/1.1\r\nHost: rebound.example\r\n{END}"), 400),
        (format!("GET http://rebound.example{path} HTTP/1.1\r\nHost: localhost\r\n{END}"), 400),
        (format!("GET http://user@localhost{path} HTTP/1.1\r\nHost: localhost\r\n{END}"), 400),
        (format!("OPTIONS {path} HTTP/1.1\r\nHost: rebound.example\r\n{END}"), 403),
    ] {
        let answer = one(&site, &request).await;
        assert_eq!(answer.status, status, "{request:?}: {answer:?}");
    }
}

/// Sends a request with everything that a script can send, including the signature.
async fn from_page(site: &Site, method: &str, origin: &str) -> Answer {
    let lines = format!(
        "Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\
         Connection: close\r\n{origin}"
    );
    let head = Site::head(ServiceKind::Table, method, "/Tables", &lines);
    one(site, &format!("{head}\r\n{{\"TableName\":\"people\"}}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_sites_write_nothing() {
    let site = Site::new(Limits::default()).await;
    for origin in [
        "http://evil.example",
        "https://127.0.0.1.evil.example",
        "null",
        "http://127.0.0.1:3000",
        "http://localhost",
        "file://",
        "127.0.0.1",
    ] {
        let answer = from_page(&site, "POST", &format!("Origin: {origin}\r\n")).await;
        let code = answer.header("x-ms-error-code");
        assert_eq!((answer.status, code), (403, Some("CorsPreflightFailure")), "{origin}: {answer:?}");
        assert!(answer.body.contains("CORS rule"), "{}", answer.body);
    }
    let two = "Origin: http://127.0.0.1\r\nOrigin: http://evil.example\r\n";
    assert_eq!(from_page(&site, "POST", two).await.status, 403);
    // No write took effect. Requests of programs and of pages with the server as host succeed.
    assert_eq!(from_page(&site, "POST", "").await.status, 201);
    assert_eq!(from_page(&site, "POST", "Origin: http://127.0.0.1\r\n").await.status, 409);
    let question = "Origin: http://evil.example\r\nAccess-Control-Request-Method: PUT\r\n";
    let answer =
        one(&site, &format!("OPTIONS /devstoreaccount1/t HTTP/1.1\r\nHost: localhost\r\n{question}{END}"))
            .await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (403, None));
}

/// Getting messages makes them invisible, and a request for an image has no `Origin`.
#[tokio::test(flavor = "multi_thread")]
async fn images_of_other_sites_get_no_messages() {
    let site = Site::new(Limits::default()).await;
    for (fetch, status) in [("cross-site", 403), ("same-site", 403), ("same-origin", 404), ("none", 404)] {
        let lines = format!("Sec-Fetch-Site: {fetch}\r\nConnection: close\r\n");
        let head = Site::head(ServiceKind::Queue, "GET", "/orders/messages", &lines);
        let answers = site.say(ServiceKind::Queue, &format!("{head}\r\n")).await;
        assert_eq!(answers[0].status, status, "{fetch}: {answers:?}");
    }
}
