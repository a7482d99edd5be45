use std::{iter, sync::Arc};

/// Number of bytes that are shared until one of them changes.
const CHUNK: usize = 4096;

type Chunk = [u8; CHUNK];

/// The bytes of a file. Clones share unchanged chunks: crashes create many images with few differences.
#[derive(Clone, Debug, Default)]
pub struct Bytes {
    chunks: Vec<Arc<Chunk>>,
    /// Bytes of the last chunk beyond this length are zeros.
    len: usize,
}

impl Bytes {
    /// Returns the number of bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Fills `into` with the bytes from `offset` on. Returns `None` if there are too few bytes.
    #[must_use]
    pub fn read(&self, offset: usize, mut into: &mut [u8]) -> Option<()> {
        let end = offset.checked_add(into.len()).filter(|end| *end <= self.len)?;
        let mut at = offset;
        while at < end {
            let chunk = self.chunks.get(at / CHUNK)?.get(at % CHUNK..)?;
            let count = chunk.len().min(into.len());
            let (place, rest) = into.split_at_mut(count);
            place.copy_from_slice(chunk.get(..count)?);
            into = rest;
            at += count;
        }
        Some(())
    }

    /// Writes bytes at an offset. Bytes beyond the end are lost; returns `false` in this case.
    pub fn write(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let there = bytes.len().min(self.len.saturating_sub(offset));
        let (mut rest, lost) = bytes.split_at(there);
        let mut at = offset;
        while let Some(chunk) = self.chunks.get_mut(at / CHUNK).filter(|_| !rest.is_empty()) {
            let chunk = Arc::make_mut(chunk).get_mut(at % CHUNK..).unwrap_or_default();
            let (now, later) = rest.split_at(rest.len().min(chunk.len()));
            // Not byte by byte: without optimization this would be half of the time of the proofs.
            if let Some(place) = chunk.get_mut(..now.len()) {
                place.copy_from_slice(now);
            }
            at += now.len();
            rest = later;
        }
        lost.is_empty()
    }

    /// Extends it with zeros, or truncates it.
    pub fn resize(&mut self, len: usize) {
        let chunks = len.div_ceil(CHUNK);
        if chunks > self.chunks.len() {
            let zeros = Arc::new([0; CHUNK]);
            let missing = chunks - self.chunks.len();
            self.chunks.extend(iter::repeat_n(zeros, missing));
        }
        self.chunks.truncate(chunks);
        if let Some(last) = self.chunks.last_mut().filter(|_| len < self.len) {
            let kept = len - (chunks - 1) * CHUNK;
            Arc::make_mut(last).get_mut(kept..).unwrap_or_default().fill(0);
        }
        self.len = len;
    }

    /// Returns all bytes.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.chunks.len() * CHUNK);
        self.chunks.iter().for_each(|chunk| bytes.extend_from_slice(&**chunk));
        bytes.truncate(self.len);
        bytes
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        let mut copy = Self::default();
        copy.resize(bytes.len());
        copy.write(0, bytes);
        copy
    }
}

/// Shared chunks need no comparison.
impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, two): (&Arc<Chunk>, &Arc<Chunk>)| Arc::ptr_eq(one, two) || one == two;
        self.len == other.len && self.chunks.iter().zip(&other.chunks).all(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reliability::Seed;

    /// Compares the operations with the same operations on plain bytes.
    #[test]
    fn the_bytes_are_those_that_were_written() {
        let mut seed = Seed::new(7);
        let (mut image, mut bytes) = (Bytes::default(), Vec::new());
        let mut earlier = Vec::new();
        for _ in 0..400 {
            let (offset, count) = (seed.below(3 * CHUNK), seed.below(2 * CHUNK));
            if seed.chance(1, 4) {
                image.resize(offset);
                bytes.resize(offset, 0);
            } else {
                let content: Vec<u8> = (0..count).map(|_| seed.draw().to_le_bytes()[0]).collect();
                let end = (offset + count).min(bytes.len());
                let fits = image.write(offset, &content);
                assert_eq!(fits, content.is_empty() || offset + count <= bytes.len());
                if let Some(part) = bytes.get_mut(offset..end) {
                    part.copy_from_slice(&content[..end - offset]);
                }
            }
            assert_eq!(image.to_vec(), bytes);
            let mut part = vec![0; count];
            let read = image.read(offset, &mut part);
            assert_eq!(read.map(|()| &*part), bytes.get(offset..offset + count));
            earlier.push((image.clone(), bytes.clone()));
        }
        for (image, bytes) in earlier {
            assert!(image.to_vec() == bytes && image == Bytes::from(&*bytes));
        }
    }
}
