//! Bodies of signed requests, and responses that the client does not read.

use table_rest::{ServiceKind, server::Limits};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::{
    hasty,
    site::{Answer, Site},
};

const JSON: &str =
    "Accept: application/json\r\nContent-Type: application/json\r\nPrefer: return-no-content\r\n";

/// Returns the responses to an insert with this framing.
async fn insert(site: &Site, lines: &str, body: &str) -> Vec<Answer> {
    let head = Site::head(ServiceKind::Table, "POST", "/people", &format!("{JSON}{lines}"));
    site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await
}

pub(crate) async fn with_people(limits: Limits) -> Site {
    let site = Site::new(limits).await;
    let body = r#"{"TableName":"people"}"#;
    let lines = format!("{JSON}Content-Length: {}\r\nConnection: close\r\n", body.len());
    let head = Site::head(ServiceKind::Table, "POST", "/Tables", &lines);
    let answers = site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await;
    assert!(matches!(&*answers, [one] if one.status == 204), "{answers:?}");
    site
}

fn is(answers: &[Answer], status: u16, code: &str) -> bool {
    matches!(answers, [one] if one.status == status && one.header("x-ms-error-code") == Some(code)
        && one.header("connection") == Some("close"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_too_large_is_not_read_whether_or_not_it_says_so() {
    let site = with_people(Limits::default()).await;
    let answers = insert(&site, "Content-Length: 5000000\r\n", "{").await;
    assert!(is(&answers, 413, "RequestBodyTooLarge"), "{answers:?}");
    let answers = insert(&site, "Content-Length: 18446744073709551610\r\n", "{").await;
    assert!(is(&answers, 413, "RequestBodyTooLarge"), "{answers:?}");
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    let answers = insert(&site, "Transfer-Encoding: chunked\r\n", &chunk.repeat(7)).await;
    assert!(is(&answers, 413, "RequestBodyTooLarge"), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_framed_ill_is_told_from_one_that_is_too_large() {
    let site = with_people(Limits::default()).await;
    for body in [
        "5\nhello\r\n0\r\n\r\n",
        "5;a=b\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello!\r\n0\r\n\r\n",
        "x\r\n",
        "0\r\na: b\r\n\r\n",
    ] {
        let answers = insert(&site, "Transfer-Encoding: chunked\r\n", body).await;
        assert!(is(&answers, 400, "InvalidInput"), "{body:?}: {answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chunked_body_is_as_good_as_any() {
    let site = with_people(Limits::default()).await;
    let (begin, rest) = (r#"{"PartitionKey":"a","#, r#""RowKey":"1","Text":"b"}"#);
    let body = format!("{:x}\r\n{begin}\r\n{:X}\r\n{rest}\r\n0\r\n\r\n", begin.len(), rest.len());
    let answers = insert(&site, "Transfer-Encoding: chunked\r\nConnection: close\r\n", &body).await;
    assert!(matches!(&*answers, [one] if one.status == 204), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_stops_coming_is_answered_and_given_up() {
    let site = with_people(hasty()).await;
    let answers = insert(&site, "Content-Length: 100\r\n", "{\"PartitionKey\"").await;
    assert!(is(&answers, 500, "OperationTimedOut"), "{answers:?}");
    // The client requests `100 Continue`, gets it, and does not continue.
    let answers = insert(&site, "Content-Length: 100\r\nExpect: 100-continue\r\n", "").await;
    assert!(is(&answers, 500, "OperationTimedOut"), "{answers:?}");
}

/// Creates a table whose pages are larger than the socket buffers of the system.
pub(crate) async fn with_pages(limits: Limits) -> Site {
    let site = with_people(limits).await;
    let text = "a".repeat(30_000);
    for row in 0..60 {
        let body = format!(r#"{{"PartitionKey":"a","RowKey":"{row}","A":"{text}","B":"{text}"}}"#);
        let lines = format!("Content-Length: {}\r\nConnection: close\r\n", body.len());
        let answers = insert(&site, &lines, &body).await;
        assert!(matches!(&*answers, [one] if one.status == 204), "{answers:?}");
    }
    site
}

/// Connects a client with a small receive buffer that requests several pages in one packet.
pub(crate) async fn asks_for_pages(site: &Site) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut client = socket.connect(site.address(ServiceKind::Table)).await.unwrap();
    let head = Site::head(ServiceKind::Table, "GET", "/people", JSON);
    client.write_all(format!("{head}\r\n").repeat(4).as_bytes()).await.unwrap();
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_busy_says_so() {
    let site = with_people(Limits { requests: 1, ..Limits::default() }).await;
    // The client gets `100 Continue`, so it has the slot; it does not continue.
    let head = Site::head(
        ServiceKind::Table,
        "POST",
        "/people",
        &format!("{JSON}Content-Length: 100\r\nExpect: 100-continue\r\n"),
    );
    let mut slow = site.connect(ServiceKind::Table).await;
    slow.write_all(format!("{head}\r\n").as_bytes()).await.unwrap();
    let mut told = [0; 12];
    slow.read_exact(&mut told).await.unwrap();
    assert_eq!(&told, b"HTTP/1.1 100");

    let head = Site::head(ServiceKind::Table, "GET", "/Tables", &format!("{JSON}Connection: close\r\n"));
    let answers = site.say(ServiceKind::Table, &format!("{head}\r\n")).await;
    assert!(is(&answers, 503, "ServerBusy"), "{answers:?}");
    assert_eq!(answers.first().and_then(|answer| answer.header("retry-after")), Some("1"));
    drop(slow);
}
