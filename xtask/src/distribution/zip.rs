//! A minimal writer of ZIP archives: deflated files below 4 GiB, the same bytes for the same input.

use std::io::Write;

use flate2::{Compression, Crc, write::DeflateEncoder};

/// The time of all files: midnight of 1980-01-01, the first one of the format.
const TIME: [u8; 4] = [0, 0, 0x21, 0];

/// An archive under construction.
#[derive(Default)]
pub(super) struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Zip {
    pub(super) fn add(&mut self, name: &str, contents: &[u8], is_program: bool) {
        let mut crc = Crc::new();
        crc.update(contents);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        // A vector accepts all bytes.
        let packed = encoder.write_all(contents).and_then(|()| encoder.finish()).unwrap_or_default();
        let offset = four(self.bytes.len());
        let mut shared = Vec::new();
        // Version 2.0, UTF-8 names, deflated.
        shared.extend([20, 0, 0, 8, 8, 0]);
        shared.extend(TIME);
        shared.extend(crc.sum().to_le_bytes());
        shared.extend(four(packed.len()));
        shared.extend(four(contents.len()));
        shared.extend(two(name.len()));
        shared.extend([0, 0]);
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&shared);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(&packed);
        // Made on Unix, whose permissions are in the upper half of the attributes.
        self.directory.extend(b"PK\x01\x02\x14\x03");
        self.directory.extend(&shared);
        self.directory.extend([0; 6]);
        let mode: u32 = if is_program { 0o100_755 } else { 0o100_644 };
        self.directory.extend((mode << 16).to_le_bytes());
        self.directory.extend(offset);
        self.directory.extend(name.as_bytes());
        self.files += 1;
    }

    pub(super) fn finished(mut self) -> Vec<u8> {
        let start = four(self.bytes.len());
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(self.files.to_le_bytes());
        self.bytes.extend(four(self.directory.len()));
        self.bytes.extend(start);
        self.bytes.extend([0, 0]);
        self.bytes
    }
}

/// No package comes near this limit.
fn four(length: usize) -> [u8; 4] {
    u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes()
}

fn two(length: usize) -> [u8; 2] {
    u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes()
}
