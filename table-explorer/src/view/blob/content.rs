//! The beginning of the content of a blob, as text or as a hex dump, and its hash.

use maud::{Markup, html};
use sha2::{Digest, Sha256};
use table_model::{
    BlobService, Result, ValueRef,
    blob::{BlobAddress, BlobProperties, ReadBlob},
};

use crate::{
    problem::Problem,
    show::{bytes, exact, hex_dump, lines},
};

/// Number of bytes of text that a page shows.
const SHOWN: usize = 64 << 10;
/// Number of bytes of a hex dump, whose lines are five times as long.
const DUMPED: usize = 16 << 10;
/// Size of the largest blob whose hash is computed.
pub(super) const MOST_HASHED: u64 = 256 << 20;

/// What was read of a blob.
pub(super) struct Content {
    /// The beginning, or why it cannot be read.
    start: Result<Vec<u8>, Problem>,
    length: u64,
    pub(super) sha256: Option<String>,
}

impl Content {
    /// Reads the beginning, or everything if it is to be hashed. A blob that is shown completely is hashed too.
    pub(super) async fn read(
        blobs: &dyn BlobService,
        address: &BlobAddress,
        properties: &BlobProperties,
        is_hashed: bool,
    ) -> Self {
        let length = properties.length;
        let is_hashed = is_hashed && length <= MOST_HASHED || length <= SHOWN as u64;
        match read(blobs, address, if is_hashed { length } else { SHOWN as u64 }).await {
            Ok((start, hash)) => Self { start: Ok(start), length, sha256: Some(hash).filter(|_| is_hashed) },
            Err(error) => Self { start: Err(error.into()), length, sha256: None },
        }
    }

    pub(super) fn render(&self) -> Markup {
        let start = match &self.start {
            Ok(start) if start.is_empty() => {
                return html! { div.card { p.pad.lead { "The blob is empty." } } };
            }
            Ok(start) => start,
            Err(problem) => {
                return html! { div.card { div.banner role="alert" { p.lines { b { (problem.title) } "\n" (problem.detail) } } } };
            }
        };
        let text = text(start, (start.len() as u64) < self.length);
        let shown = if text.is_some() { start.len() } else { start.len().min(DUMPED) } as u64;
        html! {
            section.card {
                header {
                    h2 { "Content" }
                    span.dim { @if text.is_some() { "text" } @else { "bytes" }
                        @if shown < self.length { ", the first " (bytes(shown)) " of " (bytes(self.length)) } }
                }
                pre.pad.whole tabindex="0" {
                    @if let Some(text) = text { (lines(text, usize::MAX)) }
                    @else { (hex_dump(start.get(..DUMPED).unwrap_or(start))) }
                }
            }
        }
    }
}

/// Reads the first bytes of a blob. Returns those that are shown, and the hash of all.
async fn read(blobs: &dyn BlobService, address: &BlobAddress, most: u64) -> Result<(Vec<u8>, String)> {
    let (mut start, mut hash) = (Vec::new(), Sha256::new());
    if most > 0 {
        let mut reader = blobs.read_blob(address, ReadBlob::new().range(..most)).await?;
        while let Some(chunk) = reader.chunk().await? {
            hash.update(&chunk);
            let room = SHOWN - start.len();
            start.extend_from_slice(chunk.get(..room).unwrap_or(&chunk));
        }
    }
    Ok((start, exact(ValueRef::Binary(&hash.finalize()))))
}

/// Returns the text that the bytes are. If they are a part, the last character may be cut. Text has few control
/// characters.
fn text(bytes: &[u8], is_part: bool) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if is_part && error.error_len().is_none() => {
            std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let controls = text.chars().filter(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')).count();
    Some(text).filter(|text| controls * 100 <= text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_may_end_within_a_character() {
        assert_eq!(text("aé".as_bytes(), false), Some("aé"));
        assert_eq!(text(b"a\xc3", true), Some("a"));
        for bytes in [&b"a\xc3"[..], b"a\xc3a", b"a\0"] {
            assert_eq!(text(bytes, false), None);
        }
    }
}
