//! Responses do not depend on the fragmentation of requests into packets.

use std::time::Duration;

use table_rest::{ServiceKind, server::Limits};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use super::site::{Answer, Site, answers, read_to_end};

/// A small generator, so that a seed identifies a run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(bound).unwrap()).unwrap()
    }
}

/// Returns read-only requests, valid and invalid.
fn requests() -> Vec<String> {
    let host = "Host: 127.0.0.1\r\n";
    let json = "Accept: application/json\r\n";
    let signed = Site::head(ServiceKind::Table, "GET", "/Tables", json);
    let insert = Site::head(
        ServiceKind::Table,
        "POST",
        "/missing",
        &format!("{json}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"),
    );
    let body = r#"{"PartitionKey":"a","RowKey":"GET / HTTP/1.1"}"#;
    vec![
        format!("{signed}\r\n"),
        format!("{insert}\r\n{:x}\r\n{body}\r\n0\r\n\r\n", body.len()),
        format!("{insert}\r\n1\r\n{{\r\n{:X}\r\n{}\r\n0\r\n\r\n", body.len() - 1, &body[1..]),
        format!("GET /devstoreaccount1/t HTTP/1.1\r\n{host}\r\n"),
        format!("GET /devstoreaccount1/t HTTP/1.1\r\nHost: rebound.example\r\n\r\n"),
        format!("PUT /a HTTP/1.1\r\n{host}Content-Length: 20\r\n\r\nGET /x HTTP/1.1\r\n\r\n_"),
        format!("PUT /a HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
        format!("PUT /a HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n"),
        format!("PUT /a HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
        format!("GET /devstoreaccount1/../t HTTP/1.1\r\n{host}\r\n"),
        format!("GET /a HTTP/1.1\n{host}\r\n"),
        "\r\n".to_owned(),
    ]
}

/// Returns the parts of a response that are equal in all runs.
fn shown(answer: &Answer) -> (u16, Option<String>, String) {
    let code = answer.header("x-ms-error-code").map(str::to_owned);
    let body = answer.body.split("RequestId:").next().unwrap_or_default().to_owned();
    (answer.status, code, body)
}

async fn sent(site: &Site, bytes: &[u8], dice: Option<&mut Dice>) -> Vec<(u16, Option<String>, String)> {
    let mut socket: TcpStream = site.connect(ServiceKind::Table).await;
    socket.set_nodelay(true).unwrap();
    match dice {
        None => drop(socket.write_all(bytes).await),
        Some(dice) => {
            let most = 1 + dice.below(60);
            let mut rest = bytes;
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at((1 + dice.below(most)).min(rest.len()));
                // The server may close before it reads everything.
                if socket.write_all(piece).await.is_err() {
                    break;
                }
                if dice.below(4) == 0 {
                    tokio::time::sleep(Duration::from_micros(200)).await;
                }
                rest = behind;
            }
        }
    }
    answers(&read_to_end(socket).await).iter().map(shown).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_do_not_depend_on_packets() {
    let site = Site::new(Limits::default()).await;
    let requests = requests();
    let last = "GET /a HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    for seed in 1..=150 {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let count = 1 + dice.below(4);
        let chosen = (0..count).map(|_| requests[dice.below(requests.len())].as_str());
        let bytes = chosen.chain([last]).collect::<String>();
        let whole = sent(&site, bytes.as_bytes(), None).await;
        let split = sent(&site, bytes.as_bytes(), Some(&mut dice)).await;
        assert_eq!(whole, split, "seed {seed}: {bytes:?}");
        assert!(!whole.is_empty(), "seed {seed}");
    }
}
