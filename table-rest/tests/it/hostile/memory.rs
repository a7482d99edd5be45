//! Limits of the memory of bodies and responses.

use std::{future::Future, time::Duration};

use table_rest::{ServiceKind, server::Limits};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

use super::{
    bodies::{asks_for_pages, with_pages, with_people},
    site::{Answer, Site},
};

const BOUND: Duration = Duration::from_secs(60);

const JSON: &str = "Accept: application/json\r\nContent-Type: application/json\r\nConnection: close\r\n";

/// Repeats a request until it has this status.
async fn until<F: Future<Output = Answer>>(status: u16, request: impl Fn() -> F) -> Answer {
    let repeat = async {
        loop {
            let answer = request().await;
            if answer.status == status {
                return answer;
            }
        }
    };
    timeout(BOUND, repeat).await.unwrap_or_else(|_| panic!("status {status} does not occur"))
}

async fn say(site: &Site, head: &str, body: &str) -> Answer {
    let answers = site.say(ServiceKind::Table, &format!("{head}\r\n{body}")).await;
    answers.into_iter().next().expect("no response")
}

async fn page(site: &Site) -> Answer {
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
    assert_eq!(page(&site).await.status, 200);
    let mut reader = asks_for_pages(&site).await;
    reader.read_exact(&mut [0]).await.unwrap();
    let busy = until(503, || page(&site)).await;
    assert_eq!(busy.header("x-ms-error-code"), Some("ServerBusy"));
    assert_eq!(busy.header("retry-after"), Some("1"));
    // Short requests require no memory.
    let point = "/people(PartitionKey='a',RowKey='none')";
    assert_eq!(say(&site, &Site::head(ServiceKind::Table, "GET", point, JSON), "").await.status, 404);
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
    let mut slow = site.connect(ServiceKind::Table).await;
    let part = body.get(..body.len() - 1).unwrap();
    slow.write_all(format!("{}\r\n{part}", head()).as_bytes()).await.unwrap();
    let busy = until(503, update).await;
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
            let page = say(&site, &head, "").await;
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
    let page = page(&site).await;
    let json: serde_json::Value = serde_json::from_str(&page.body).unwrap();
    assert_eq!(json.get("value").unwrap().as_array().unwrap().len(), 60);
}
