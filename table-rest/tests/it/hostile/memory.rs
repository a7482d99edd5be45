//! Limits of the memory of bodies and responses.

use std::{future::Future, time::Duration};

use table_rest::{ServiceKind, server::Limits};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::{
    bodies::{asks_for_pages, with_pages, with_people},
    site::{Answer, Site},
};

const BOUND: Duration = Duration::from_secs(60);

const JSON: &str = "Accept: application/json\r\nContent-Type: application/json\r\nConnection: close\r\n";

/// Repeats a request until it is rejected because another client uses the memory. If the memory of an earlier request was not
/// free in time, the other client was rejected itself, so it connects again.
async fn until_busy<H, F>(client: impl Fn() -> H, request: impl Fn() -> F) -> (TcpStream, Answer)
where
    H: Future<Output = TcpStream>,
    F: Future<Output = Option<Answer>>,
{
    let repeat = async {
        loop {
            let (holder, answer) = (client().await, request().await);
            if let Some(answer) = answer.filter(|answer| answer.status == 503) {
                return (holder, answer);
            }
        }
    };
    timeout(BOUND, repeat).await.expect("no request is rejected")
}

/// Repeats a request until it has this status.
async fn until<F: Future<Output = Option<Answer>>>(status: u16, request: impl Fn() -> F) -> Answer {
    let repeat = async {
        loop {
            if let Some(answer) = request().await.filter(|answer| answer.status == status) {
                return answer;
            }
        }
    };
    timeout(BOUND, repeat).await.unwrap_or_else(|_| panic!("status {status} does not occur"))
}

/// Returns the response. The server drains a rejected body for a second only, so a slow client can lose the response.
async fn say(site: &Site, head: &str, body: &str) -> Option<Answer> {
    site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await.into_iter().next()
}

async fn page(site: &Site) -> Option<Answer> {
    say(site, &Site::head(ServiceKind::Table, "GET", "/people", JSON), "").await
}

#[tokio::test(flavor = "multi_thread")]
async fn unread_pages_use_memory_until_the_client_disconnects() {
    // A page requires 8 MiB while it is read, and 3.6 MiB until it is sent.
    let limits = Limits {
        memory: 10 << 20,
        memory_wait: Duration::from_millis(20),
        stall_time: BOUND,
        ..Limits::default()
    };
    let site = with_pages(limits).await;
    assert_eq!(page(&site).await.unwrap().status, 200);
    let reader = || async {
        let mut reader = asks_for_pages(&site).await;
        reader.read_exact(&mut [0]).await.unwrap();
        reader
    };
    let (reader, busy) = until_busy(reader, || page(&site)).await;
    assert_eq!(busy.header("x-ms-error-code"), Some("ServerBusy"));
    assert_eq!(busy.header("retry-after"), Some("1"));
    // Short requests require no memory.
    let point = "/people(PartitionKey='a',RowKey='none')";
    let head = Site::head(ServiceKind::Table, "GET", point, JSON);
    assert_eq!(say(&site, &head, "").await.unwrap().status, 404);
    drop(reader);
    until(200, || page(&site)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_bodies_use_memory_until_the_client_disconnects() {
    let limits = Limits {
        account_bytes: 512 << 10,
        memory_wait: Duration::from_millis(20),
        stall_time: BOUND,
        ..Limits::default()
    };
    let site = with_people(limits).await;
    let text = "a".repeat(30_000);
    let values: Vec<_> = (0..14).map(|number| format!(r#""A{number}":"{text}""#)).collect();
    let body = format!(r#"{{"PartitionKey":"a","RowKey":"b",{}}}"#, values.join(","));
    let lines = format!("{JSON}If-Match: *\r\nContent-Length: {}\r\n", body.len());
    let target = "/people(PartitionKey='a',RowKey='b')";
    let head = || Site::head(ServiceKind::Table, "PUT", target, &lines);
    let update = || async { say(&site, &head(), &body).await };
    until(404, update).await;
    let part = body.get(..body.len() - 1).unwrap();
    let slow = || async {
        let mut slow = site.connect(ServiceKind::Table).await;
        // A server that rejects the request may close the connection before it reads everything.
        let _ = slow.write_all(format!("{}\r\n{part}", head()).as_bytes()).await;
        slow
    };
    let (slow, busy) = until_busy(slow, update).await;
    assert_eq!(busy.header("retry-after"), Some("1"));
    drop(slow);
    until(404, update).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_end_at_their_size() {
    const MOST: usize = 1 << 20;
    let site = with_pages(Limits { page_bytes: MOST, ..Limits::default() }).await;
    for filter in ["", "$filter=PartitionKey%20eq%20'a'", "$filter=A%20ne%20''", "$top=50"] {
        let (mut rows, mut pages, mut token) = (Vec::new(), 0, String::new());
        loop {
            let target = format!("/people?{filter}{token}");
            let head = Site::head(ServiceKind::Table, "GET", &target, JSON);
            let page = say(&site, &head, "").await.unwrap();
            assert_eq!(page.status, 200, "{}", page.body);
            let is_large = page.body.len() > MOST;
            assert!(page.body.len() < MOST + 61_000, "{} bytes", page.body.len());
            let json: serde_json::Value = serde_json::from_str(&page.body).unwrap();
            let of_page = json.get("value").unwrap().as_array().unwrap();
            rows.extend(of_page.iter().map(|row| row.get("RowKey").unwrap().as_str().unwrap().to_owned()));
            pages += 1;
            let part = |name| page.header(name).map(str::to_owned);
            let (Some(partition), Some(row)) =
                (part("x-ms-continuation-nextpartitionkey"), part("x-ms-continuation-nextrowkey"))
            else {
                break;
            };
            assert!(is_large, "a page ended after {} bytes", page.body.len());
            token = format!("&NextPartitionKey={partition}&NextRowKey={row}");
        }
        let mut expected: Vec<_> = (0..60).map(|row| row.to_string()).collect();
        expected.sort();
        assert_eq!((rows, pages), (expected, 4), "{filter}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_size_of_a_page_need_not_be_limited() {
    let site = with_pages(Limits { page_bytes: usize::MAX, ..Limits::default() }).await;
    let page = page(&site).await.unwrap();
    let json: serde_json::Value = serde_json::from_str(&page.body).unwrap();
    assert_eq!(json.get("value").unwrap().as_array().unwrap().len(), 60);
}
