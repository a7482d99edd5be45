//! A minimal client: one connection, bytes out, bytes in.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::Outcome;

/// A connection.
pub struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A response.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub status: u16,
}

impl Connection {
    pub async fn open(port: u16) -> Outcome<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::with_capacity(1 << 20) })
    }

    /// Sends a request and waits for the complete response.
    pub async fn send(&mut self, request: &[u8]) -> Outcome<Answer> {
        self.stream.write_all(request).await?;
        self.read.clear();
        loop {
            if let Some((status, start, body)) = head(&self.read)? {
                return match body {
                    Body::Length(length) => {
                        while self.read.len() < start + length {
                            self.more().await?;
                        }
                        Ok(Answer { status })
                    }
                    Body::Chunked => self.chunks(status, start).await,
                };
            }
            self.more().await?;
        }
    }

    /// Returns the raw body of the last response.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.read).into_owned()
    }

    async fn more(&mut self) -> Outcome {
        if self.stream.read_buf(&mut self.read).await? == 0 {
            return Err("the server has closed the connection".into());
        }
        Ok(())
    }

    async fn chunks(&mut self, status: u16, start: usize) -> Outcome<Answer> {
        let mut at = start;
        loop {
            match httparse::parse_chunk_size(self.read.get(at..).unwrap_or_default()) {
                Ok(httparse::Status::Complete((skip, length))) => {
                    let length = usize::try_from(length)?;
                    let end = at + skip + length + 2;
                    while self.read.len() < end {
                        self.more().await?;
                    }
                    if length == 0 {
                        return Ok(Answer { status });
                    }
                    at = end;
                }
                Ok(httparse::Status::Partial) => self.more().await?,
                Err(_) => return Err("the answer is no chunked body".into()),
            }
        }
    }
}

enum Body {
    Length(usize),
    Chunked,
}

/// Returns the status of a response, the start of its body, and the kind of body; `None` while the head is incomplete.
fn head(bytes: &[u8]) -> Outcome<Option<(u16, usize, Body)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = response.parse(bytes)? else { return Ok(None) };
    let status = response.code.ok_or("an answer without a status")?;
    let value = |name: &str| {
        let found = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let body = if value("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        Body::Chunked
    } else {
        let length = if status == 204 { 0 } else { value("content-length").unwrap_or("0").trim().parse()? };
        Body::Length(length)
    };
    Ok(Some((status, start, body)))
}
