//! Encoding of numbers and strings in records: little-endian numbers, length-prefixed strings.

use crate::Metadata;

/// Decoder of a record.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'r>(&'r [u8]);

impl<'r> Fields<'r> {
    pub fn new(body: &'r [u8]) -> Self {
        Self(body)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    pub fn short(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub fn word(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn long(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn time(&mut self) -> Option<crate::Timestamp> {
        self.array().map(i64::from_le_bytes).and_then(crate::Timestamp::from_ticks)
    }

    pub fn sixteen(&mut self) -> Option<[u8; 16]> {
        self.array()
    }

    pub fn text(&mut self) -> Option<&'r str> {
        let length = self.short()?;
        let (text, rest) = self.0.split_at_checked(length.into())?;
        self.0 = rest;
        std::str::from_utf8(text).ok()
    }

    pub fn metadata(&mut self) -> Option<Metadata> {
        let mut metadata = Metadata::new();
        for _ in 0..self.short()? {
            metadata.set(self.text()?, self.text()?).ok()?;
        }
        Some(metadata)
    }

    /// Returns the remaining bytes.
    pub fn rest(self) -> &'r [u8] {
        self.0
    }

    /// Checks that no bytes remain.
    pub fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// Appends a length-prefixed string. Stored strings are far below the limit; excess bytes are truncated.
pub fn push_text(out: &mut Vec<u8>, text: &str) {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend(text.bytes().take(length.into()));
}

pub fn push_metadata(out: &mut Vec<u8>, metadata: &Metadata) {
    // 8 KiB contain far fewer pairs.
    out.extend_from_slice(&u16::try_from(metadata.len()).unwrap_or(u16::MAX).to_le_bytes());
    for (name, value) in metadata.iter() {
        push_text(out, name);
        push_text(out, value);
    }
}
