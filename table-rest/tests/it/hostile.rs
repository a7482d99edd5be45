//! Malicious and malformed requests, over real sockets.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test fails as a test does"
)]

mod bodies;
mod hosts;
mod isolation;
mod memory;
mod searches;
pub(crate) mod site;
mod slow;
mod spelling;
mod splits;

use std::time::Duration;

use table_rest::{ServiceKind, server::Limits};

use self::site::{Answer, Site};

const HEAD: &str = "Host: 127.0.0.1\r\nx-ms-version: 2019-02-02\r\n";

/// Returns `true` for a request that is rejected before any service receives it: an empty 400, and the connection
/// closes.
fn is_bare(answer: &Answer) -> bool {
    answer.status == 400 && answer.body.is_empty() && answer.header("x-ms-request-id").is_none()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_framed_in_two_ways_is_refused_and_the_connection_ends() {
    let site = Site::new(Limits::default()).await;
    let body = "Content-Length: 5\r\n";
    let coded = "Transfer-Encoding: chunked\r\n";
    for (what, request) in [
        ("a length and a coding", format!("PUT /a HTTP/1.1\r\n{HEAD}{body}{coded}\r\n0\r\n\r\n")),
        ("a coding and a length", format!("PUT /a HTTP/1.1\r\n{HEAD}{coded}{body}\r\n0\r\n\r\n")),
        ("the same length twice", format!("PUT /a HTTP/1.1\r\n{HEAD}{body}{body}\r\nhello")),
        ("two lengths", format!("PUT /a HTTP/1.1\r\n{HEAD}{body}Content-Length: 6\r\n\r\nhello!")),
        ("a list of lengths", format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: 5, 5\r\n\r\nhello")),
        ("a signed length", format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: +5\r\n\r\nhello")),
        ("two codings", format!("PUT /a HTTP/1.1\r\n{HEAD}{coded}{coded}\r\n0\r\n\r\n")),
        (
            "an unknown coding",
            format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ),
        (
            "a coding and identity",
            format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked, identity\r\n\r\n"),
        ),
        ("a coding before there were any", format!("PUT /a HTTP/1.0\r\n{HEAD}{coded}\r\n0\r\n\r\n")),
        ("two hosts", format!("GET /a HTTP/1.1\r\n{HEAD}Host: 127.0.0.1\r\n\r\n")),
        ("another host in the target", format!("GET http://elsewhere/a HTTP/1.1\r\n{HEAD}\r\n")),
        ("lines that end in LF", format!("GET /a HTTP/1.1\n{}\n", HEAD.replace('\r', ""))),
        ("one line that ends in LF", format!("GET /a HTTP/1.1\r\n{HEAD}a: b\n\r\n")),
        ("a CR in a line", format!("GET /a HTTP/1.1\r\n{HEAD}a: b\rc\r\n\r\n")),
        ("a NUL in a line", format!("GET /a HTTP/1.1\r\n{HEAD}a: b\0c\r\n\r\n")),
        ("a line that goes on", format!("GET /a HTTP/1.1\r\n{HEAD}a: b\r\n c\r\n\r\n")),
        ("a space before the colon", format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length : 5\r\n\r\nhello")),
        ("an empty line first", format!("\r\nGET /a HTTP/1.1\r\n{HEAD}\r\n")),
        ("a control character in the target", format!("GET /a\x01 HTTP/1.1\r\n{HEAD}\r\n")),
        ("a fragment", format!("GET /a#b HTTP/1.1\r\n{HEAD}\r\n")),
        ("no path", format!("OPTIONS * HTTP/1.1\r\n{HEAD}\r\n")),
        ("a tunnel", format!("CONNECT a:80 HTTP/1.1\r\n{HEAD}\r\n")),
        ("another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned()),
        ("a handshake", "\x16\x03\x01\x02\x01".to_owned()),
    ] {
        // A request that follows must not get a response, since it may have been the body of this one.
        let answers = site.say(ServiceKind::Table, &format!("{request}{}", smuggled())).await;
        assert!(matches!(&*answers, [one] if is_bare(one)), "{what}: {answers:?}");
    }
}

fn smuggled() -> String {
    format!("GET /smuggled HTTP/1.1\r\n{HEAD}\r\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_that_lead_elsewhere_are_refused() {
    let site = Site::new(Limits::default()).await;
    for kind in ServiceKind::ALL {
        for path in [
            "/devstoreaccount1/a/../b",
            "/devstoreaccount1/..",
            "/../devstoreaccount1/a",
            "/devstoreaccount1/./a",
            "/devstoreaccount1/%2e%2e/a",
            "/devstoreaccount1/a%2f..%2Fb",
            "/devstoreaccount1/%2E",
            "/devstoreaccount1/a%00",
        ] {
            let answers = site.say(kind, &format!("GET {path} HTTP/1.1\r\n{HEAD}\r\n")).await;
            let [answer] = &*answers else { panic!("{kind} {path}: {answers:?}") };
            assert_eq!((answer.status, answer.body.len()), (400, 0), "{kind} {path}: {answer:?}");
            assert_eq!(answer.header("connection"), Some("close"), "{kind} {path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_service_would_misread_is_refused_in_its_words() {
    let site = Site::new(Limits::default()).await;
    let path = "/devstoreaccount1/Tables";
    for (head, code) in [
        (String::from("x-ms-version: 2019-02-02\r\n"), "HostInformationNotPresent"),
        (String::from("Host: \r\n"), "HostInformationNotPresent"),
        (String::from("Host: 127.0.0.1\r\nx-ms-version: latest\r\n"), "InvalidHeaderValue"),
        (String::from("Host: 127.0.0.1\r\nx-ms-version: 2019-13-01\r\n"), "InvalidHeaderValue"),
        (format!("{HEAD}Content-Encoding: gzip\r\n"), "UnsupportedHeader"),
    ] {
        for kind in [ServiceKind::Queue, ServiceKind::Table] {
            let request = format!("GET {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n");
            let answers = site.say(kind, &request).await;
            let [answer] = &*answers else { panic!("{head}: {answers:?}") };
            assert_eq!((answer.status, answer.header("x-ms-error-code")), (400, Some(code)), "{head}");
            assert!(answer.body.contains(code), "{head}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_would_not_stand_in_a_link_is_refused() {
    let site = Site::new(Limits::default()).await;
    for host in ["a/b", "a\"b", "<a>", "a@b", "a b"] {
        let answers = site.say(ServiceKind::Table, &format!("GET /a HTTP/1.1\r\nHost: {host}\r\n\r\n")).await;
        assert!(
            matches!(&*answers, [one] if one.status == 400 && one.body.is_empty()),
            "{host}: {answers:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_have_limits() {
    let site = Site::new(Limits::default()).await;
    let request = |lines: String| format!("GET /a HTTP/1.1\r\n{HEAD}{lines}Connection: close\r\n\r\n");
    for (lines, status) in [
        ("a: b\r\n".repeat(97), 404),
        ("a: b\r\n".repeat(98), 431),
        (format!("a: {}\r\n", "b".repeat(30_000)), 404),
        (format!("a: {}\r\n", "b".repeat(40_000)), 431),
        (format!("a: {}\r\n", "b".repeat(4_000_000)), 431),
    ] {
        let answers = site.say(ServiceKind::Table, &request(lines.clone())).await;
        assert!(matches!(&*answers, [one] if one.status == status), "{} bytes: {answers:?}", lines.len());
    }
    let answers =
        site.say(ServiceKind::Table, &format!("GET /{} HTTP/1.1\r\n{HEAD}\r\n", "a".repeat(70_000))).await;
    assert!(matches!(&*answers, [one] if (400..500).contains(&one.status)), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_nobody_wants_does_not_stand_for_the_next_request() {
    let site = Site::new(Limits::default()).await;
    let next = format!("GET /a HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n");
    for (request, answers) in [
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: 60\r\n\r\n{:60}", smuggled()), 2),
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), 2),
        // More than the drain limit, and a client that still waits for `100 Continue`.
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: 99000000\r\n\r\n{}", smuggled()), 1),
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: 50\r\nExpect: 100-continue\r\n\r\n"), 1),
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n"), 1),
        (
            format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n"),
            1,
        ),
        (format!("PUT /a HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\na: b\r\n\r\n"), 1),
    ] {
        let said = site.say(ServiceKind::Table, &format!("{request}{next}")).await;
        assert_eq!(said.len(), answers, "{request:.200}: {said:?}");
        assert_eq!(said.last().and_then(|last| last.header("connection")), Some("close"), "{request:.200}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_behind_each_other_are_answered_in_order_up_to_a_bad_one() {
    let site = Site::new(Limits::default()).await;
    let good =
        |version: &str| format!("GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-version: {version}\r\n\r\n");
    let all = format!(
        "{}{}GET /a HTTP/1.1\nHost: h\n\n{}",
        good("2019-02-02"),
        good("2018-03-28"),
        good("2017-07-29")
    );
    let answers = site.say(ServiceKind::Table, &all).await;
    let versions: Vec<_> =
        answers.iter().map(|answer| (answer.status, answer.header("x-ms-version"))).collect();
    assert_eq!(versions, [(404, Some("2019-02-02")), (404, Some("2018-03-28")), (400, None)]);
}

fn hasty() -> Limits {
    Limits {
        head_time: Duration::from_millis(200),
        idle_time: Duration::from_millis(200),
        stall_time: Duration::from_millis(200),
        ..Limits::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_slow_is_given_up() {
    let site = Site::new(hasty()).await;
    let whole = format!("GET /a HTTP/1.1\r\n{HEAD}\r\n");
    let slow_body = format!("PUT /a HTTP/1.1\r\n{HEAD}Content-Length: 100\r\n\r\nhello");
    for (what, sent, answers) in [
        ("silence", "", 0),
        ("a head that does not end", &whole[..40], 0),
        ("nothing after a request", &*whole, 1),
        ("a body that does not end", &*slow_body, 1),
    ] {
        let said = site.say(ServiceKind::Table, sent).await;
        assert_eq!(said.len(), answers, "{what}: {said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idle_connections_are_bounded_and_go_away() {
    const PLACES: usize = 64;
    let site = Site::new(Limits { connections: PLACES, ..hasty() }).await;
    let mut idle = Vec::new();
    for _ in 0..PLACES * 4 {
        idle.push(site.connect(ServiceKind::Queue).await);
    }
    // The earlier connections are silent, so their slots are released.
    let request = format!("GET /a HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n");
    let answers = site.say(ServiceKind::Table, &request).await;
    assert!(matches!(&*answers, [one] if one.status == 404), "{answers:?}");
    drop(idle);
}

/// Returns `true` if this process may open the given number of files; otherwise prints a message.
#[cfg(target_os = "linux")]
fn can_open(files: usize) -> bool {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let allowed = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let allowed = allowed.split_whitespace().next().unwrap().parse().unwrap_or(usize::MAX);
    if allowed < files {
        eprintln!("skipped: {allowed} open files are allowed, and the test requires {files}");
    }
    allowed >= files
}

/// Client and server are in this process.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn five_thousand_silent_connections_keep_nobody_waiting() {
    const SILENT: usize = 5_000;
    if !can_open(2 * SILENT + 500) {
        return;
    }
    let site = Site::new(Limits { head_time: Duration::from_secs(600), ..Limits::default() }).await;
    let mut silent = Vec::new();
    for number in 0..SILENT {
        let mut one = site.connect(ServiceKind::Table).await;
        if number % 2 == 0 {
            tokio::io::AsyncWriteExt::write_all(&mut one, b"GET /a HTTP/1.1\r\n").await.unwrap();
        }
        silent.push(one);
    }
    let request = format!("GET /a HTTP/1.1\r\n{HEAD}Connection: close\r\n\r\n");
    let answers = site.say(ServiceKind::Table, &request).await;
    assert!(matches!(&*answers, [one] if one.status == 404), "{answers:?}");
    drop(silent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_answers_what_has_come_and_takes_nothing_more() {
    let site = Site::new(Limits::default()).await;
    let idle = site.connect(ServiceKind::Table).await;
    let address = site.address(ServiceKind::Table);
    site.shutdown().await;
    assert!(site::read_to_end(idle).await.is_empty());
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_carry_what_all_answers_carry() {
    let site = Site::new(Limits::default()).await;
    let long = "a".repeat(1025);
    for (id, echoed) in
        [("an-id", Some("an-id")), ("a b~!", Some("a b~!")), (&*long, None), ("a\tb", None), ("é", None)]
    {
        for (kind, server) in [
            (ServiceKind::Blob, "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0"),
            (ServiceKind::Queue, "Windows-Azure-Queue/1.0 Microsoft-HTTPAPI/2.0"),
            (ServiceKind::Table, "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0"),
        ] {
            let head = format!("{HEAD}x-ms-client-request-id: {id}\r\nConnection: close\r\n\r\n");
            let answers = site.say(kind, &format!("GET /devstoreaccount1/a HTTP/1.1\r\n{head}")).await;
            let [answer] = &*answers else { panic!("{answers:?}") };
            assert_eq!(answer.header("x-ms-client-request-id"), echoed);
            assert_eq!(answer.header("server"), Some(server));
            assert_eq!(answer.header("x-ms-version"), Some("2019-02-02"));
            assert!(
                answer.header("x-ms-request-id").is_some_and(|id| id.len() == 36 && id.ends_with("000000"))
            );
            assert!(answer.header("date").is_some_and(|date| date.ends_with(" GMT")));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_head_has_no_body() {
    let site = Site::new(Limits::default()).await;
    let head = format!("{HEAD}Connection: close\r\n\r\n");
    let answers =
        site.say(ServiceKind::Blob, &format!("HEAD /devstoreaccount1/a/b HTTP/1.1\r\n{head}")).await;
    let [answer] = &*answers else { panic!("{answers:?}") };
    assert!(answer.status >= 400 && answer.body.is_empty(), "{answer:?}");
    assert!(answer.header("x-ms-error-code").is_some());
}
