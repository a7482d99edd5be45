use http::Method;
use table_rest::ServiceKind;

use crate::{
    Outcome,
    children::Running,
    client::Connection,
    entities::Shape,
    request::{Request, Signer},
};

/// A kind of abuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    SlowHeads,
    SlowBodies,
    SlowReaders,
    HugePages,
    Scans,
    Uploads,
    Downloads,
    Batches,
}

/// Number of large entities.
const LARGE: u64 = 200;

/// Size of an uploaded and of a downloaded blob.
pub const BLOB_BYTES: usize = 8 << 20;

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::SlowHeads,
        Self::SlowBodies,
        Self::SlowReaders,
        Self::HugePages,
        Self::Scans,
        Self::Uploads,
        Self::Downloads,
        Self::Batches,
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::SlowHeads => "slow-heads",
            Self::SlowBodies => "slow-bodies",
            Self::SlowReaders => "slow-readers",
            Self::HugePages => "huge-pages",
            Self::Scans => "scans",
            Self::Uploads => "uploads",
            Self::Downloads => "downloads",
            Self::Batches => "batches",
        }
    }

    pub const fn description(self) -> &'static str {
        match self {
            Self::SlowHeads => "500 heads, a byte each second",
            Self::SlowBodies => "256 batches, 8 KiB each second",
            Self::SlowReaders => "256 pages of 4 MiB, read at 8 KiB/s",
            Self::HugePages => "16 connections read pages of 4 MiB",
            Self::Scans => "16 connections filter 100,000 entities",
            Self::Uploads => "16 connections put blobs of 8 MiB",
            Self::Downloads => "16 connections read a blob of 8 MiB",
            Self::Batches => "16 connections write batches of 1.5 MiB",
        }
    }

    /// Stores what the abuser reads.
    pub async fn prepare(self, server: &Running, signer: &Signer) -> Outcome {
        match self {
            Self::SlowReaders | Self::HugePages => {
                let mut connection = Connection::open(server.port).await?;
                for first in (0..LARGE).step_by(25) {
                    let request = large_batch(signer, first, 25)?;
                    expect(202, connection.send(&request).await?.status, &connection)?;
                }
            }
            Self::Uploads | Self::Downloads => {
                let mut connection = Connection::open(server.blob_port).await?;
                let create = blob(signer, Method::PUT, "/abuse", "restype=container", &[], b"")?;
                expect(201, connection.send(&create).await?.status, &connection)?;
                let put = upload(signer, 0)?;
                expect(201, connection.send(&put).await?.status, &connection)?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn expect(expected: u16, found: u16, connection: &Connection) -> Outcome {
    if expected == found { Ok(()) } else { Err(format!("status {found}: {}", connection.text()).into()) }
}

/// Returns a request to the blob service.
pub fn blob(
    signer: &Signer,
    method: Method,
    path: &str,
    query: &str,
    headers: &[(&'static str, &'static str)],
    body: &[u8],
) -> Outcome<Vec<u8>> {
    let request = Request { method, path, query, content_type: "", headers, body: "" };
    signer.bytes_for(ServiceKind::Blob, &request, body)
}

/// Returns the upload of a blob.
pub fn upload(signer: &Signer, number: usize) -> Outcome<Vec<u8>> {
    let (path, headers) = (format!("/abuse/{number}"), [("x-ms-blob-type", "BlockBlob")]);
    blob(signer, Method::PUT, &path, "", &headers, &vec![b'x'; BLOB_BYTES])
}

/// Returns a transaction that writes entities of about 60 KiB.
pub fn large_batch(signer: &Signer, first: u64, count: u64) -> Outcome<Vec<u8>> {
    let text = "x".repeat(30_000);
    let mut body = String::from("--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n");
    for number in first..first + count {
        body += &format!(
            "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\
             PUT http://127.0.0.1/{}/bench(PartitionKey='large',RowKey='{}') HTTP/1.1\r\n\
             Content-Type: application/json\r\n\r\n{{\"A\":\"{text}\",\"B\":\"{text}\"}}\r\n",
            super::ABUSER,
            Shape::row(number),
        );
    }
    body += "--c--\r\n--b--\r\n";
    signer.bytes(&Request {
        method: Method::POST,
        path: "/$batch",
        query: "",
        content_type: "multipart/mixed; boundary=b",
        headers: &[],
        body: &body,
    })
}
