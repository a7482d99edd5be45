//! The process that abuses a server.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use http::Method;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{
    abuser,
    kind::{Kind, blob, large_batch, upload},
};
use crate::{
    Outcome,
    client::Connection,
    request::{Request, Signer},
};

const SECOND: Duration = Duration::from_secs(1);

/// Responses by success.
#[derive(Debug, Default)]
struct Counts {
    served: AtomicU64,
    refused: AtomicU64,
    closed: AtomicU64,
}

/// Abuses a server for a time, and prints the outcome.
pub async fn attack(kind: Kind, port: u16, blob_port: u16, time: Duration) -> Outcome {
    let (signer, counts) = (Arc::new(abuser()?), Arc::new(Counts::default()));
    let connections = match kind {
        Kind::SlowHeads => 500,
        Kind::SlowBodies | Kind::SlowReaders => 256,
        _ => 16,
    };
    for number in 0..connections {
        let (signer, counts) = (Arc::clone(&signer), Arc::clone(&counts));
        let port = if matches!(kind, Kind::Uploads | Kind::Downloads) { blob_port } else { port };
        tokio::spawn(async move {
            loop {
                let ended = match kind {
                    Kind::SlowHeads => slow_head(port).await,
                    Kind::SlowBodies => slow_body(port, &signer).await,
                    Kind::SlowReaders => slow_reader(port, &signer, &counts).await,
                    _ => busy(kind, port, &signer, number, &counts).await,
                };
                if ended.is_err() {
                    counts.closed.fetch_add(1, Ordering::Relaxed);
                    sleep(SECOND / 10).await;
                }
            }
        });
    }
    sleep(time).await;
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    println!(
        "{} served, {} refused, {} closed",
        count(&counts.served),
        count(&counts.refused),
        count(&counts.closed)
    );
    Ok(())
}

async fn slow_head(port: u16) -> Outcome {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    socket.write_all(b"GET /devstoreaccount1 HTTP/1.1\r\nHost: 127.0.0.1\r\nx: ").await?;
    loop {
        sleep(SECOND).await;
        socket.write_all(b"a").await?;
    }
}

async fn slow_body(port: u16, signer: &Signer) -> Outcome {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = large_batch(signer, 0, 25)?;
    let (start, rest) = request.split_at(request.len() / 2);
    socket.write_all(start).await?;
    for piece in rest.chunks(8 << 10) {
        sleep(SECOND).await;
        socket.write_all(piece).await?;
    }
    Ok(())
}

async fn slow_reader(port: u16, signer: &Signer, counts: &Counts) -> Outcome {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).await?;
    let request = page(signer, "$filter=PartitionKey%20eq%20'large'")?;
    socket.write_all(&request.repeat(8)).await?;
    let mut piece = vec![0; 8 << 10];
    let mut is_first = true;
    loop {
        let read = timeout(10 * SECOND, socket.read(&mut piece)).await??;
        if read == 0 {
            return Err("closed".into());
        }
        if std::mem::take(&mut is_first) {
            let is_served = piece.starts_with(b"HTTP/1.1 200");
            let counter = if is_served { &counts.served } else { &counts.refused };
            counter.fetch_add(1, Ordering::Relaxed);
        }
        sleep(SECOND).await;
    }
}

/// Sends requests as fast as the server responds.
async fn busy(kind: Kind, port: u16, signer: &Signer, number: usize, counts: &Counts) -> Outcome {
    let mut connection = Connection::open(port).await?;
    loop {
        let request = match kind {
            Kind::HugePages => page(signer, "$filter=PartitionKey%20eq%20'large'")?,
            Kind::Scans => page(signer, "$filter=Age%20eq%201000")?,
            Kind::Uploads => upload(signer, number)?,
            Kind::Downloads => blob(signer, Method::GET, "/abuse/0", "", &[], b"")?,
            _ => large_batch(signer, 1_000 * (1 + number as u64), 25)?,
        };
        let status = connection.send(&request).await?.status;
        let counter = if status < 300 { &counts.served } else { &counts.refused };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

fn page(signer: &Signer, query: &str) -> Outcome<Vec<u8>> {
    signer.bytes(&Request {
        method: Method::GET,
        path: "/bench()",
        query,
        content_type: "",
        headers: &[],
        body: "",
    })
}
